"""The page in a real browser: typed, clicked, dragged, shared, by keyboard alone, in Japanese, on the map."""

import json
import re
import time
from importlib.resources import files

import pytest

from page import BOARD, OWN, cell, changed, counted, distance, middle, only, position, titled, until, write
from puzzlespace import design, load, solve
from puzzlespace.api.questions import with_start
from puzzlespace.formats.pzl import print_draft
from screens import WIDTHS
from shown_words import english_words


def test_the_page_opens_on_klotski_with_its_map_beside_it_and_on_others_with_their_rules(visit):
    page = visit(viewport={"width": 1440, "height": 900})
    titled(page, "Klotski")
    page.locator("#map canvas").first.wait_for(state="visible")
    assert load("klotski").start == load("klotski").read(position(page))
    page.evaluate("location.hash = '#slide:4x4'")  # its map is not drawn unasked
    until(page, "!document.getElementById('rules').hidden && document.getElementById('map').hidden")
    page.locator("#tab-make").click()
    page.evaluate("location.hash = '#ring'")
    until(page, f"{BOARD}.about.name === 'ring' && document.body.dataset.counted")
    assert page.locator("#make").is_visible()


def test_blocks_are_solved_by_following_the_hint(visit):
    page = visit("#motor-car")
    counted(page)
    assert distance(page) == 17
    for left in range(16, -1, -1):
        best = page.evaluate("document.getElementById('board').at.moves.find((move) => move.best)")
        if left == 16:
            page.locator("puzzle-space [data-do=hint]").click()
            until(page, f"document.querySelector('puzzle-space').shadowRoot.textContent.includes('{best['name']}')")
        with changed(page):
            cell(page, best["piece"]).click()
            if position(page) != best["to"] and cell(page, best["piece"]).get_attribute("aria-pressed") == "true":
                cell(page, best["target"]).click()
        assert distance(page) == left
    assert page.evaluate("document.getElementById('board').at.goal")
    assert "Solved" in page.locator("puzzle-space .status").text_content()


def test_pieces_are_named_as_the_board_shows_them(visit):
    page = visit("#klotski@step")
    counted(page)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.taken = text; }")
    renamed = 0
    for _ in range(12):
        with changed(page):
            page.locator("puzzle-space [data-do=step]").click()
        page.locator("puzzle-space [data-do=hint]").click()
        best = until(page, f"{BOARD}.at.moves.find((move) => move.best)")
        drawn = page.locator(f"puzzle-space svg [data-cell='{best['piece']}']").text_content()
        status = until(page, f"/Hint: (\\w+) /.exec({BOARD}.shadowRoot.querySelector('.status').textContent)")
        spoken = cell(page, best["piece"]).get_attribute("aria-label")
        assert (status[1], spoken.split(": ")[1]) == (drawn, drawn)
        renamed += load("klotski").shown(load("klotski").read(position(page)))[best["piece"]] != drawn
    assert renamed
    page.locator("#more summary").click()
    page.locator("#copy").select_option("text")
    shown = page.evaluate(f"{BOARD}.at.words")
    assert list(until(page, "window.taken").replace("\n", "")) == shown
    page.locator("#copy").select_option("json")
    taken = json.loads(until(page, "window.taken.startsWith('{') && window.taken"))
    assert taken["names"][0] == page.evaluate(f"{BOARD}.at.moves.find((move) => move.best).name")
    assert taken["path"][0].replace("/", "") == "".join(shown)
    with changed(page):
        page.locator("puzzle-space [data-do=step]").click()
    with changed(page):
        page.locator("puzzle-space [data-do=undo]").click()
    assert page.evaluate(f"{BOARD}.at.words") == shown


def test_a_mistake_stands_under_its_line_and_goes_when_it_is_mended(visit):
    page = visit("#no-off-a")
    text = page.locator("#text")
    write(page, OWN.replace("C .\ngoal", "C\ngoal"))
    mistake = page.locator("#mistake")
    mistake.wait_for(state="visible")
    assert re.match("5: expected .* row 2", mistake.text_content())
    box, area = mistake.bounding_box(), text.bounding_box()
    line = float(text.evaluate("(area) => parseFloat(getComputedStyle(area).lineHeight)"))
    assert abs(box["y"] - (area["y"] + 10 + 5 * line)) < 6
    assert text.get_attribute("aria-invalid") == "true"
    assert page.locator("#title").text_content() == "NO-OFF A"
    write(page, OWN)
    mistake.wait_for(state="hidden")
    titled(page, "Mine")
    counted(page)
    assert distance(page) == 2
    with changed(page):
        page.locator("puzzle-space [data-level=hardest]").click()
    assert distance(page) == int(re.search(r"at most (\d+) moves", page.locator("#depths").text_content()).group(1))


def test_a_block_is_dragged_and_the_move_taken_back(visit):
    page = visit("#klotski", motion="no-preference")
    start, (x, y) = position(page), middle(cell(page, 13))
    with changed(page):
        page.mouse.move(x, y)
        page.mouse.down()
        below = middle(cell(page, 17))
        page.mouse.move((x + below[0]) / 2, (y + below[1]) / 2)
        page.mouse.move(*below)
        page.mouse.up()
    puzzle = load("klotski")
    shown = puzzle.read(position(page))
    assert (shown[13], shown[17]) == (0, puzzle.start[13])
    with changed(page):
        page.locator("puzzle-space [data-do=undo]").click()
    assert position(page) == start


CORNER = """title: Corner
rule: slide
count: piece
start:
  A . .
  B C .
goal:
  . . .
  B C A
"""

OVERLAP = """() => {
  const place = (each) => /translate\\((-?[\\d.]+)(?:px)?[, ]+(-?[\\d.]+)/.exec(each.style.transform ||
    each.getAttribute('transform')).slice(1).map(Number);
  const spots = [...document.getElementById('board').shadowRoot.querySelectorAll('.pieces [data-cell]')].map(place);
  const near = spots.flatMap((a, k) => spots.slice(k + 1).map((b) =>
    Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]))));
  return Math.min(...near);
}"""


def test_a_dragged_piece_goes_round_the_others_and_counts_once(visit):
    page = visit("#ring")
    write(page, CORNER)
    titled(page, "Corner")
    counted(page)

    def drag(a, b):
        (x, y), (u, v) = middle(cell(page, a)), middle(cell(page, b))
        page.mouse.move(x, y)
        page.mouse.down()
        for part in range(1, 9):
            page.mouse.move(x + part * (u - x) / 8, y + part * (v - y) / 8)
            assert page.evaluate(OVERLAP) > 39  # a cell is 40 wide
        with changed(page):
            page.mouse.up()
        return page.locator("puzzle-space .status").text_content()

    assert drag(0, 5) == "Solved! 1 move, the shortest possible"
    assert page.evaluate(f"{BOARD}.at.goal")
    assert drag(5, 2).startswith("1 move ")
    assert drag(2, 0).startswith("0 moves ")
    assert drag(4, 5).startswith("1 move ")
    assert drag(0, 1).startswith("2 moves ")
    assert drag(1, 0).startswith("1 move ")
    assert drag(5, 4).startswith("0 moves ")


def test_a_shared_address_brings_another_to_the_same_place(visit):
    page = visit("#ring")
    write(page, OWN)
    titled(page, "Mine")
    with changed(page):
        page.locator("puzzle-space [data-level=medium]").click()
    until(page, "location.hash.includes('~')")
    other = visit(page.evaluate("location.hash"))
    assert position(other) == position(page)
    assert other.locator("#title").text_content() == "Mine"
    assert other.locator("#text").input_value() == OWN


WORK = "document.getElementById('work').textContent"


def test_share_says_the_proved_length_and_shows_the_board(visit):
    page = visit("#star13")
    until(page, f"{BOARD}.at.distance")
    page.locator("#link").click()
    text = page.locator("#share textarea")
    text.wait_for()
    title, best = page.evaluate(f"[document.getElementById('title').textContent, {BOARD}.at.distance]")
    assert text.input_value().startswith(f"{title}: can you do it in {best} moves? Fewer are impossible.")
    assert page.evaluate("document.querySelector('#share img').naturalWidth") == 1200


@pytest.mark.parametrize(("link", "said"), [
    ("#.nonsense!", "link"), ("#nosuch", "catalogue or a family, found 'nosuch'"),
    ("#klotski~zzzz", "found '~zzzz'|a position that this puzzle does not have"),
])  # fmt: skip
def test_a_bad_link_shows_the_message_and_no_other_puzzle(visit, link, said):
    page = visit(link, shown=WORK)
    assert re.search(said, page.locator("#work").text_content())
    assert page.evaluate(f"{BOARD}.position") is None
    assert page.locator("#text").input_value() == ""
    assert not page.locator("#link").is_visible()
    page.goto(page.url.partition("#")[0] + "#ring")
    until(page, f"{BOARD}.position")
    assert page.locator("#link").is_visible()


def test_a_game_survives_a_reload_another_puzzle_and_a_closed_tab(visit):
    def played():
        status = f"{BOARD}.shadowRoot.querySelector('.status').textContent"
        told = until(page, f"!{status}.includes('counting') && {status}")
        return page.evaluate(f"[{BOARD}.position, ...{BOARD}.trail]"), told

    page = visit("#dads")
    until(page, f"{BOARD}.at.distance === 59")
    for count in range(1, 4):
        page.evaluate(f"{BOARD}.step()")
        until(page, f"{BOARD}.trail.length === {count + 1}")
    until(page, f"location.hash.includes({BOARD}.position.slice(1)) && {BOARD}.at.distance === 56")
    before = played()
    assert before[1].startswith("3 moves of at least 59")
    page.reload()
    until(page, f"{BOARD}.at?.distance === 56")
    assert played() == before
    page.evaluate("location.hash = '#wolf'")
    until(page, f"{BOARD}.about.name === 'wolf' && location.hash.startsWith('#wolf')")
    counted(page)
    page.go_back()
    until(page, f"{BOARD}.about.name === 'dads' && {BOARD}.trail.length === 4 && {BOARD}.at.distance === 56")
    assert played() == before
    address, other = page.url.partition("#")[0] + "#dads", page.context.new_page()
    page.close()
    page = other
    page.goto(address)
    until(page, f"{BOARD}.at?.distance === 56")
    assert played() == before
    page.evaluate(f"{BOARD}.undo()")
    until(page, f"{BOARD}.trail.length === 3")
    page.evaluate(f"{BOARD}.reset()")
    until(page, f"{BOARD}.trail.length === 1")
    page.goto("about:blank")
    page.goto(address)
    until(page, f"{BOARD}.at")
    assert page.evaluate(f"[{BOARD}.position, {BOARD}.trail.length]") == [page.evaluate(f"{BOARD}.about.start"), 1]


@only("serve", "a site of files needs no answer for a move")
def test_a_server_that_stops_is_told_and_play_goes_on_when_it_is_back(visit):
    page = visit("#no-off-a")
    counted(page)
    start = position(page)
    best = page.evaluate(f"{BOARD}.at.moves.find((move) => move.best)")
    place = f"{BOARD}.shadowRoot.querySelector('[data-cell=\"{best['piece']}\"]').getAttribute('style')"
    page.route("**/*", lambda route: route.abort())
    (x, y), (u, v) = middle(cell(page, best["piece"])), middle(cell(page, best["target"]))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(u, v)
    page.mouse.up()
    status = f"{BOARD}.shadowRoot.querySelector('.status').textContent"
    until(page, f"{status}.includes('does not answer')")
    assert position(page) == start
    assert page.evaluate(place) is None
    page.locator("puzzle-space [data-do=step]").click()
    page.locator("puzzle-space [data-do=solve]").click()
    page.unroute("**/*")
    until(page, f"!{status}.includes('does not answer')")
    with changed(page):
        page.locator("puzzle-space [data-do=step]").click()
    assert position(page) == best["to"] or distance(page) == 43


def test_text_in_the_editor_is_not_lost(visit):
    page = visit("#ring")
    text, restore = page.locator("#text"), page.locator("#restore")
    wrong = OWN.replace("rule: slide", "rule: slode")
    write(page, OWN)
    until(page, "location.hash.startsWith('#.')")
    write(page, wrong)
    page.reload()
    page.locator("#mistake").wait_for(state="visible")
    assert text.input_value() == wrong
    asked = []
    for answer in ("dismiss", "accept"):
        page.once("dialog", lambda dialog, answer=answer: (asked.append(dialog.message), getattr(dialog, answer)()))
        page.locator("#browse").click()
        page.locator("#search").fill("Goat")
        page.locator("#found button").first.click()
        until(page, "document.getElementById('text').value.includes('slode')" + (" === false" if asked[1:] else ""))
    assert len(asked) == 2
    until(page, "location.hash.includes('goat')")
    restore.click()
    until(page, "document.getElementById('text').value.includes('slode')")
    write(page, wrong.replace("Mine", "Again"))
    page.go_back()
    titled(page, "Mine")
    assert text.input_value() == OWN
    restore.click()
    assert text.input_value() == wrong.replace("Mine", "Again")


def test_a_catalogue_that_is_opened_before_it_arrives_is_filled_then(visit):
    page, held = visit(), []
    where = re.compile(r"/(api/catalogue|static/\w+/catalogue\.json)$")
    page.route(where, lambda route: held.append(route))  # a method of a list has no attributes to wrap
    page.reload()
    page.locator("#browse").click()
    page.locator("#search").fill("Goat")
    assert page.locator("#found button").count() == 0
    held[0].continue_()
    page.locator("#found button").first.wait_for()


def test_start_again_returns_to_the_position_that_was_dealt(visit):
    page = visit("#no-off-a")
    counted(page)
    for deal in ("medium", "hardest", None):
        if deal is None:
            until(page, "location.hash.includes('~')")
            page = visit(page.evaluate("location.hash"))
        else:
            with changed(page):
                page.locator(f"puzzle-space [data-level={deal}]").click()
        dealt = position(page)
        for tool in ("step", "step", "reset"):
            with changed(page):
                page.locator(f"puzzle-space [data-do={tool}]").click()
        assert position(page) == dealt
        assert page.locator("puzzle-space [data-do=reset]").get_attribute("aria-disabled") == "true"


TWINS = """title: Twins
rule: apply
count: run
board:
  a b c d
moves:
  left: (a b)
  whole: (a b)(c d)
  right: (c d)
  turn: (a b c d)
start: A B C C
goal: B A C C
"""


def test_listed_moves_have_all_their_buttons_in_one_order_and_keep_the_focus(visit):
    page = visit("#cube2")
    buttons = page.locator("puzzle-space .listed button")
    first = buttons.all_text_contents()
    assert first == ["U", "U2", "R", "R2", "F", "F2", "U'", "R'", "F'"]
    for name in ("R", "F", "U'"):
        buttons.get_by_text(name, exact=True).focus()
        with changed(page):
            page.keyboard.press("Enter")
        assert buttons.all_text_contents() == first
        focused = page.evaluate(f"{BOARD}.shadowRoot.activeElement.textContent")
        assert focused == name
    write(page, TWINS)
    titled(page, "Twins")
    assert buttons.all_text_contents() == ["left", "whole", "right", "turn", "turn2", "turn'"]
    off = [each.get_attribute("aria-disabled") for each in buttons.all()]
    assert off == [None, None, "true", None, None, None]
    with changed(page):
        buttons.get_by_text("whole").click()
    assert page.evaluate(f"{BOARD}.at.goal")


FOUND = {
    "hanoi": "ハノイの塔", "15-puzzle": "スライドパズル", "lights out": "ライツアウト", "klotsky": "箱入り娘",
    "パンケキ": "パンケーキ", "箱入り娘": "箱入り娘", "L’ane ROUGE": "箱入り娘",
}  # fmt: skip


def test_the_gallery_opens_a_size_and_deals_its_levels(visit):
    page = visit("#ring")
    page.locator("#browse").click()
    tower = page.locator(".family", has_text="Tower of Hanoi")
    tower.locator("input").nth(1).press("ArrowRight")
    assert "4 disks" in tower.text_content()
    assert page.locator("#front .begin button").count() == 3
    assert page.locator("#front .daily button").count() == 1
    every = page.locator("#found button").count()
    for typed in ("rubik", "ルービックキューブ"):
        page.locator("#search").fill(typed)
        page.locator("#found .family", has_text="size 3").wait_for()
    page.locator("#search").fill("")
    page.locator("#kinds button", has_text="Jumping").click()
    assert 0 < page.locator("#found button").count() < every
    tower.locator(".go").click()
    until(page, "location.hash === '#hanoi:3,4'")
    counted(page)
    for level, moves in (("medium", 8), ("hardest", 15), ("easy", 4)):  # it opens with a hardest position
        with changed(page):
            page.locator(f"puzzle-space [data-level={level}]").click()
        assert distance(page) == moves
    page.locator("puzzle-space [data-do=hint]").click()
    page.locator("puzzle-space [data-do=solve]").click()
    for index in (2, 1, 4):
        page.locator(f"puzzle-space [data-which=best][data-index='{index}']").click()
        until(page, f"{BOARD}.at.distance === {4 - index}")
    page.locator("puzzle-space .strip button").nth(2).click()
    until(page, f"{BOARD}.at.distance === 2")


TRAYS = """title: Trays
rule: slide
count: step
pieces:
  A 2x2: 1
  1x1: any
blanks: 2 or more
goal:
  * * *
  * A A
  * A A
"""


def test_a_position_is_made_to_order(visit):
    page = visit("#klotski")
    counted(page)
    page.locator("#tab-make").click()
    page.locator("#make input[type=range]").fill("9")
    page.locator("#make input[type=checkbox]").check()
    with changed(page):
        page.locator("#make button").click()
    until(page, "document.querySelector('#make [role=status]').textContent.startsWith('9 moves, one shortest')")
    assert distance(page) == 9
    assert solve(with_start(load("klotski"), load("klotski").read(position(page))), count=True).solutions_commuting == 1


@only("serve", "the Python of the tests, which stands for that of a site, cannot be stopped")
def test_a_count_is_given_up_for_another_puzzle(visit):
    page = visit("#slide:3x4")
    page.locator("#count").click()
    page.locator("#stop").wait_for()
    write(page, OWN)
    titled(page, "Mine")
    counted(page)
    assert distance(page) == 2


def test_the_hardest_puzzles_of_a_file_that_leaves_pieces_open(visit):
    page = visit("#ring")
    write(page, TRAYS)
    page.locator("table.designed").wait_for()
    hardest = design(TRAYS, by="blanks", components=False).puzzles
    rows = page.locator("table.designed tbody tr")
    shown = [rows.nth(row).locator("td").all_text_contents()[1:] for row in range(rows.count())]
    assert shown == [[each.key, str(each.moves), each.words] for each in hardest]
    rows.nth(1).locator("button").click()
    until(page, f"{BOARD}.at?.distance === {hardest[1].moves}")
    assert page.locator("#text").input_value() == print_draft(hardest[1].draft)
    page.locator("#make select").select_option("all")
    until(page, "document.querySelectorAll('table.designed tbody tr').length === 1")
    page.locator("#restore").click()
    until(page, "document.getElementById('text').value.includes('pieces:')")
    page.reload()
    until(page, "document.querySelector('table.designed')")


def test_japanese_by_the_browsers_language_with_a_switch(visit):
    page = visit("#klotski", locale="ja-JP")
    assert page.locator("#title").text_content() == "箱入り娘"
    assert page.locator("#tab-map").text_content() == "地図"
    counted(page)
    assert "81" in page.locator("puzzle-space .status").text_content()
    page.locator("#browse").click()
    for typed, first in FOUND.items():
        page.locator("#search").fill(typed)
        assert page.locator("#found strong").first.text_content() == first
    assert page.locator("#found strong").count() == 1
    page.locator("#close").click()
    for wide in WIDTHS:
        page.set_viewport_size({"width": wide, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0, wide
        assert page.locator("#settings summary").evaluate("(each) => each.getBoundingClientRect().right") <= wide
    page.locator("#settings summary").click()
    page.locator("#lang").select_option("en")
    assert page.locator("#title").text_content() == "Klotski"
    assert page.locator("html").get_attribute("lang") == "en"


FOCUSED = """(() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.id || at.dataset.do || (at.dataset.cell && 'cell') || at.className || at.tagName;
})()"""


def test_everything_is_reached_by_keyboard_alone(visit):
    page = visit("#ring")
    counted(page)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(FOCUSED)
        reached.add(name)
        if name == "cell":
            break
    assert {"browse", "edit", "cell"} <= reached
    before = position(page)
    moves = page.evaluate("document.getElementById('board').at.moves.map((move) => move.piece)")
    for _ in range(12):
        here = page.evaluate("Number(document.querySelector('puzzle-space').shadowRoot.activeElement.dataset.cell)")
        if here in moves:
            break
        page.keyboard.press("ArrowRight")
        if (
            page.evaluate("Number(document.querySelector('puzzle-space').shadowRoot.activeElement.dataset.cell)")
            == here
        ):
            page.keyboard.press("ArrowDown")
    with changed(page):
        page.keyboard.press("Enter")
    with changed(page):
        page.keyboard.press("Control+z")
    assert position(page) == before
    page.locator("#tab-depths").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#hardest").is_visible()


def test_the_map_opens_and_a_click_moves_the_board(visit):
    page = visit("#dads")
    counted(page)
    page.locator("#tab-map").click()
    canvas = page.locator("#map .over")
    canvas.wait_for(state="visible")
    assert "1,398 positions" in page.locator("#map").text_content()
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    card = page.locator("#map .card")
    spots = [(fx, fy) for fy in (0.5, 0.4, 0.6, 0.3, 0.7) for fx in (0.5, 0.4, 0.6, 0.3, 0.7)]
    for fx, fy in spots:
        page.mouse.move(box["x"] + fx * box["width"], box["y"] + fy * box["height"])
        page.wait_for_timeout(60)
        if card.is_visible():
            break
    told = card.locator("span").text_content()
    with changed(page):
        page.mouse.down()
        page.mouse.up()
    assert told == f"{distance(page)} moves to the goal"
    page.get_by_text("By layers").click()
    assert page.locator("#map [aria-pressed=true]").text_content() == "By layers"


INKED = """([colour, ring]) => {
  const over = document.querySelector("#map .over");
  const [wide, high] = [over.width, over.height];
  const { data } = over.getContext("2d").getImageData(0, 0, wide, high);
  const like = (at) => colour.every((part, k) => Math.abs(data[at + k] - part) < 12) && data[at + 3] > 240;
  if (!ring) return Array.from({ length: wide * high }, (_, at) => like(4 * at)).filter(Boolean).length;
  const around = Array.from({ length: 24 }, (_, k) => (k * Math.PI) / 12);
  const near = (angle) => [8, 9, 10].some((r) =>
    like(4 * (Math.round(high / 2 + r * Math.sin(angle)) * wide + Math.round(wide / 2 + r * Math.cos(angle)))));
  return around.filter(near).length;
}"""


def inked(page, colour, ring=False, most=10**9, least=0):
    """Wait until so many pixels of a colour are on the map, or so many of 24 places around its middle."""
    end = time.monotonic() + 60
    while not least <= (found := page.evaluate(INKED, [colour, ring])) <= most:
        assert time.monotonic() < end, found
        time.sleep(0.02)


def test_the_map_shows_the_game_flies_along_a_solution_and_is_saved(visit):
    page = visit("#ring", viewport={"width": 600, "height": 600})
    counted(page)
    page.locator("#tab-map").click()
    until(page, "!document.querySelector('.field').hidden")
    trail, ink = [0, 114, 178], [17, 17, 17]
    inked(page, ink, least=30)
    inked(page, trail, most=0)
    for _ in range(3):
        with changed(page):
            page.locator("puzzle-space [data-do=step]").click()
    inked(page, trail, least=30)
    inked(page, ink, ring=True, most=20)
    page.evaluate(f"{BOARD}.speed = 60")
    page.locator("puzzle-space [data-do=solve]").click()
    page.locator("puzzle-space [data-do=play]").click()
    inked(page, ink, ring=True, least=23)
    until(page, f"{BOARD}.at.goal && !{BOARD}.playing")
    page.get_by_text("Whole map").click()
    inked(page, ink, ring=True, most=20)
    with page.expect_download() as waiting:
        page.get_by_text("PNG", exact=True).click()
    assert waiting.value.suggested_filename == "map.png"
    head = waiting.value.path().read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    size = page.evaluate("[document.querySelector('#map .over').width, document.querySelector('#map .over').height]")
    assert [int.from_bytes(head[at : at + 4]) for at in (16, 20)] == size


def test_a_layer_of_the_cube_follows_the_finger(visit):
    page = visit("#cube2")
    drawn = f"{BOARD}.shadowRoot.querySelector('.board svg').innerHTML"
    board = page.locator("puzzle-space .board > svg").bounding_box()
    middle = [board["x"] + board["width"] * 0.42, board["y"] + board["height"] * 0.62]
    before, began = page.evaluate(drawn), position(page)
    page.mouse.move(*middle)
    page.mouse.down()
    page.wait_for_timeout(260)  # longer than a flick
    pictures = set()
    for way in (20, 30, 40):
        page.mouse.move(middle[0] + way, middle[1] + 0.1 * way)
        pictures.add(page.evaluate(drawn))
    assert len(pictures) == 3
    assert before not in pictures
    page.mouse.move(middle[0] + 8, middle[1])
    page.mouse.up()
    until(page, f"{drawn} === {json.dumps(before)}")
    assert position(page) == began
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 30, middle[1] + 3)
    page.mouse.move(middle[0] + 150, middle[1] + 15)
    with changed(page):
        page.mouse.up()


def test_a_long_title_wraps(visit):
    page = visit("#ring", viewport={"width": 390, "height": 800})
    write(page, OWN.replace("Mine", "W" * 300))
    until(page, "document.getElementById('title').textContent.startsWith('WWW')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_a_stranger_wrote_is_only_ever_text(visit):
    bad = "<img src=x onerror=document.title=1>"
    rows = [f"title: {bad}", f"note: {bad}", "rule: slide", "board:", "  <b>1 <i>2", "start:", "  <s>A .", "goal:"]
    text = "\n".join([*rows, "  . <s>A", "picture:", f"  <s>A: name {bad}", ""])
    page = visit("#ring")
    write(page, text)
    until(page, "document.getElementById('title').textContent.startsWith('<img')")
    counted(page)
    for tab in ("hardest", "rules", "map"):
        page.locator(f"#tab-{tab}").click()
    assert bad in page.locator("#rules").text_content() + page.locator("#title").text_content()
    assert page.evaluate("document.title") != "1"
    inside = "(root) => root.querySelectorAll('img, b.x, i.x, script').length"
    assert page.locator("main").evaluate(inside) == 0
    assert (
        page.evaluate("document.querySelector('puzzle-space').shadowRoot.querySelectorAll('img, script').length") == 0
    )


def test_a_file_is_opened_by_dropping_it(visit):
    page = visit()
    page.evaluate(
        """(text) => { const data = new DataTransfer(); data.items.add(new File([text], 'mine.pzl'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); }""",
        OWN,
    )
    titled(page, "Mine")
    assert page.locator("#text").input_value() == OWN


KEYS = """async (module) => {
  const nested = (value) => value !== null && typeof value === "object";
  const keys = (value) => nested(value) ? Object.keys(value).map((key) => [key, keys(value[key])]) : typeof value;
  const [{ en, ja }] = Object.values(await import(module)).filter((each) => each.en);
  return [keys(en), keys(ja)];
}"""


@only("serve", "a site of files has its modules in one script")
@pytest.mark.parametrize("module", ["words.js", "says.js"])
def test_both_languages_have_all_words_and_each_is_used(visit, module):
    page = visit()
    english, japanese = page.evaluate(KEYS, f"/static/{module}")
    assert english == japanese
    static = files("puzzlespace.web") / "static"
    users = [
        each.read_text(encoding="utf-8")
        for each in static.iterdir()
        if each.name not in ("words.js", "says.js") and each.suffix != ".png"
    ]
    used = set(re.findall(r"[\w-]+", " ".join(users)))
    assert len(english) > 20
    assert {key for key, _ in english} <= used
    if module == "words.js":
        page_text = (static / "index.html").read_text(encoding="utf-8")
        assert set(re.findall(r'data-t(?:-label|-hint)?="(\w+)"', page_text)) <= {key for key, _ in english}


def test_a_japanese_visitor_sees_no_english(visit):
    page = visit("#klotski", locale="ja-JP", viewport={"width": 700, "height": 700})
    counted(page)
    page.locator("puzzle-space [data-do=hint]").click()
    status = page.locator("puzzle-space .status")
    until(page, f"{BOARD}.shadowRoot.querySelector('.status').textContent.includes('ヒント')")
    assert re.search("ヒント: .+ [上下左右]", status.text_content())
    page.locator("puzzle-space [data-do=solve]").click()
    until(page, f"!{BOARD}.shadowRoot.querySelector('.solution').hidden")
    for tab in ("hardest", "rules", "depths"):
        page.locator(f"#tab-{tab}").click()
        assert english_words(page) == []
    write(page, "rule: slide\ncount: step\nstart:\n  A B\n  C\n")
    page.locator("#mistake").wait_for(state="visible")
    assert page.locator("#mistake").text_content() == "5: 2 行目には 1 行目と同じ 2 マスが必要ですが、1 マスあります"
    page.locator("#settings summary").click()
    page.locator("#lang").select_option("en")
    assert page.locator("#mistake").text_content() == "5: expected 2 places in row 2 as in row 1, found 1"
    page.locator("#lang").select_option("ja")
    page.locator("#settings summary").click()
    page.evaluate("window.confirm = () => true")
    page.locator("#browse").click()
    page.locator("#found button").first.wait_for()
    assert english_words(page) == []
