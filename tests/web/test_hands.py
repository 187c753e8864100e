"""Puzzles of changes and of stacks, played by hand in exported files and on the page, on a phone and on a wide screen.

The test finds the gesture by itself: the cell whose piece a move takes away, and the cell where this piece is then.
"""

from random import Random

import pytest

from hands import NEXT, SPACE, Hand
from page import PLACES, until
from puzzlespace import catalogue, load
from puzzlespace.web.modules import joined
from puzzlespace.web.wire import about, at

TWO_WAYS = """rule: change
moves:
  plain: a . -> . a  right
  bold: a . -> . b   right
start: a . . b
goal: . b . b
"""

PLAYED = [
    "wolf", "jugs853", "ballsort", "hanoi35", "freecell_small", "frogs33", "halma", "icesoko", "tank", "blockdude",
    "timesaver", "floodit", "bloxorz", "lift", "inglenook322", "tilt3", "conway",
]  # fmt: skip
ARROWS = ["icesoko", "tilt3", "thinice", "keys2"]


@pytest.fixture(scope="module")
def opened(browser):
    """Open an address in a window of a width."""
    faults, contexts = [], {}

    def page(width, address):
        if width not in contexts:
            context = browser.new_context(
                viewport={"width": width, "height": 900}, reduced_motion="reduce", has_touch=True,
                service_workers="block",
            )  # fmt: skip
            contexts[width] = context.new_page()
            contexts[width].set_default_timeout(60_000)
            contexts[width].on("pageerror", lambda error: faults.append(str(error)))
        contexts[width].goto("about:blank")  # an address that differs in its fragment alone is not loaded
        if address:
            contexts[width].goto(address)
            until(contexts[width], f"{SPACE}?.at")
        return contexts[width]

    yield page
    for each in contexts.values():
        each.context.close()
    assert faults == []


def words_after(page, move):
    return page.evaluate(f"{SPACE}.model.at('{move['to']}').then(({{ words }}) => words)")


def gesture(page, move):
    """Return the cells of a move: the one that loses its piece and the one where it is then, or only a changed one."""
    before, after = page.evaluate(f"{SPACE}.at.words"), words_after(page, move)
    changed = [cell for cell, word in enumerate(before) if after[cell] != word]
    vessels = page.evaluate(f"{SPACE}.about.vessels")
    if vessels:
        a = next(cell for cell in changed if int(after[cell]) < int(before[cell]))
        return a, next(cell for cell in changed if int(after[cell]) > int(before[cell]))
    pairs = [(a, b) for a in changed for b in changed if before[a] == after[b] != "."]
    own = {cell for step in move["steps"] for cell in [*step["change"], *(c for pair in step["carry"] for c in pair)]}
    pairs.sort(key=lambda pair: (pair[0] not in own) + (pair[1] not in own))
    if pairs:
        return pairs[0]
    lost = [cell for cell in changed if after[cell] == "."]
    got = [cell for cell in changed if before[cell] == "."]
    if lost and got:
        return lost[0], got[0]
    return min(changed, key=lambda cell: cell not in own), None


def press(hand, cell):
    if hand.how == "keyboard":
        hand.enter(f".cells button[data-cell='{cell}']")
    else:
        hand.tap(hand.cell(cell))


def make(hand, move):
    """Make a move by its gesture, and by the list that is then offered."""
    page = hand.page
    a, b = gesture(page, move)
    listed = f"{SPACE}.shadowRoot.querySelector('.listed button[data-to]')"
    made = f"{SPACE}.position !== '{page.evaluate(f'{SPACE}.position')}'"
    if b is not None and hand.how == "mouse":
        hand.drag(hand.cell(a), hand.cell(b))
    else:
        press(hand, a)
        chosen = f"{SPACE}.shadowRoot.querySelector('.cells [aria-pressed=true]')"
        until(page, f"{made} || {listed} || {chosen}")
        if b is not None and not page.evaluate(made):
            press(hand, b)
    until(page, f"{made} || {listed}")
    if not page.evaluate(made):
        page.locator(f"puzzle-space .listed button[data-to='{move['to']}']").click()
    until(page, f"{SPACE}.position === '{move['to']}'")


def play(page, act, hand):
    for _ in range(60):
        act(hand, until(page, NEXT))
        if page.evaluate(f"{SPACE}.at.goal"):
            break
    until(page, f"{SPACE}.shadowRoot.querySelector('.status').textContent.startsWith('Solved!')")


HOWS = ["mouse", "touch", "keyboard"]
GAMES = [(name, HOWS[k % 3], (390, 1440)[k // 3 % 2], PLACES[(k + k // 3 + 1) % 3]) for k, name in enumerate(PLAYED)]
"""Each puzzle in one way on one screen in one place: every way on both screens, and in every place."""


@pytest.mark.parametrize(("name", "how", "width", "place"), GAMES)
def test_a_game_of_before_and_after_is_played_by_hand(opened, played, name, how, width, place):
    page = opened(width, played(name, place))
    play(page, make, Hand(page, how))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def arrow(hand, move):
    """Press the arrow key in which the pieces of a move go."""
    page = hand.page
    a, b = gesture(page, move)
    middles = page.evaluate(f"{SPACE}.about.board.middles")
    own = [pair for step in move["steps"] for pair in step["carry"]]
    assert not own
    (x, y), (u, v) = middles[a], middles[b]
    key = ("ArrowRight" if u > x else "ArrowLeft") if abs(u - x) > abs(v - y) else "ArrowDown" if v > y else "ArrowUp"
    page.keyboard.press(key)
    until(page, f"{SPACE}.position === '{move['to']}'")


@pytest.mark.parametrize(("name", "place"), [*zip(ARROWS, ("site", *PLACES), strict=True)])
def test_arrow_keys_move_the_only_piece_that_can_move_and_tilt_boards(opened, played, name, place):
    page = opened(1440, played(name, place))
    play(page, arrow, Hand(page, "keyboard"))


@pytest.mark.parametrize("how", HOWS)
def test_a_gesture_that_may_be_several_moves_asks(opened, played, how):
    page = opened(390, played(TWO_WAYS, PLACES[HOWS.index(how)]))
    hand, before = Hand(page, how), page.evaluate(f"{SPACE}.position")
    press(hand, 0)
    names = page.locator("puzzle-space .listed button[data-to]").all_inner_texts()
    assert names == ["plain a1-b1", "bold a1-b1"]
    assert page.evaluate(f"{SPACE}.position") == before
    assert "choose one" in page.locator("puzzle-space .status").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("puzzle-space .listed button[data-to]").count()
    press(hand, 0)
    page.locator("puzzle-space .listed button", has_text="bold").click()
    until(page, f"{SPACE}.at.words[1] === 'b'")


def test_a_pour_goes_the_way_of_the_drag(opened, played):
    page = opened(390, played("jugs853"))
    hand = Hand(page, "mouse")
    hand.drag(hand.cell(1), hand.cell(0))  # nothing is in it
    page.wait_for_timeout(50)
    assert page.evaluate(f"{SPACE}.at.words") == ["8", "0", "0"]
    hand.drag(hand.cell(0), hand.cell(1))
    until(page, f"{SPACE}.at.words[1] === '5'")
    hand.drag(hand.cell(1), hand.cell(0))
    until(page, f"{SPACE}.at.words[1] === '0'")


def test_several_pieces_of_a_stack_are_taken_with_the_lowest(opened, played):
    text = "rule: stack\ntake: several\nstart:\n  A B C\n  . . .\ngoal:\n  . . .\n  A B C\n"
    for cell, left in ((1, ["A", ".", "."]), (2, ["A", "B", "."]), (0, [".", ".", "."])):
        page = opened(390, played(text))
        page.evaluate("localStorage.clear()")  # the game of the page before
        page.reload()
        until(page, f"{SPACE}?.at")
        hand = Hand(page, "mouse")
        hand.drag(hand.cell(cell), hand.cell(4))
        until(page, f"String({SPACE}.at.words.slice(0, 3)) === '{','.join(left)}'")


def test_names_of_cells_are_shown_on_demand(opened, played):
    page = opened(390, played("halma"))
    shown = f"[...{SPACE}.shadowRoot.querySelectorAll('.signs text')].map((each) => each.textContent)"
    assert page.evaluate(shown) == []
    page.locator("puzzle-space .listed button.names").click()
    assert page.evaluate(shown) == page.evaluate(f"{SPACE}.about.board.names")
    page.keyboard.press("n")
    assert page.evaluate(shown) == []


def test_moves_of_one_name_are_told_apart(opened, played):
    page = opened(390, played("tank"))
    press(Hand(page, "mouse"), 0)
    names = page.locator("puzzle-space .listed button[data-to]").all_inner_texts()
    assert sorted(names) == ["a1-b1", "turn a1: a1 D", "turn a1: a1 U"]


HANDS = """
import { endsOf, heldOf, movesAt } from "./hands.js";
const { about, at } = window.told;
const changed = ({ to, steps }) => {
  const own = steps.flatMap(({ change, carry }) => [...change, ...carry.flat()]);
  return new Set([...own, ...window.after[to].flatMap((symbol, cell) => (symbol === at.symbols[cell] ? [] : [cell]))]);
};
const cells = at.symbols.map((_, cell) => cell);
const pressed = new Set(cells.flatMap((cell) => movesAt(about, at, cell)));
const wrong = [];
for (const cell of cells) {
  for (const [end, moves] of endsOf(about, at, cell)) {
    for (const move of moves) {
      if (end === cell || !changed(move).has(end)) wrong.push([cell, end, move.name]);
      const tube = about.board.tubes.find((each) => each.includes(cell)) ?? [cell];
      if (!tube.some((each) => changed(move).has(each))) wrong.push([cell, end, move.name]);
    }
  }
}
const dragged = new Set(cells.flatMap((cell) => [...endsOf(about, at, cell).values()].flat()));
window.found = {
  missed: at.moves.filter((move) => !pressed.has(move)).map(({ name }) => name),
  kept: at.moves.filter((move) => !dragged.has(move) && changed(move).size > 1).map(({ name }) => name),
  wrong,
};
"""


def test_every_move_of_every_puzzle_has_a_gesture(opened):
    """In positions of a random walk each move can be pressed, and dragged if it changes more than one cell."""
    page, code, rng, seen = opened(1440, None), joined(HANDS), Random(2026), 0
    for name in rng.sample(list(catalogue.names("classics")), 20):
        puzzle = load(name)
        if not puzzle.kind.sentences:
            continue
        model, told = puzzle.model(), about(puzzle)
        here = puzzle.start
        for _ in range(3):
            shown = at(puzzle, model, here)
            after = {move["to"]: list(puzzle.read(move["to"])) for move in shown["moves"]}
            script = (
                "([told, after, code]) => { Object.assign(window, { told, after }); Function(code)(); return found; }"
            )
            found = page.evaluate(script, [{"about": told, "at": shown}, after, code])
            assert found == {"missed": [], "kept": [], "wrong": []}, name
            seen += len(shown["moves"])
            here = rng.choice(sorted(model.moves(here)) or [puzzle.start])
    assert seen > 200


def test_a_piece_that_is_only_jumped_over_has_no_move_of_another(opened, played):
    page = opened(390, played("halma"))
    press(Hand(page, "mouse"), 1)
    names = page.locator("puzzle-space .listed button[data-to]").all_inner_texts()
    assert sorted(names) == ["step b1-c1", "step b1-c2"]
    dots = page.locator("puzzle-space .board .target")
    assert dots.count() == 2
