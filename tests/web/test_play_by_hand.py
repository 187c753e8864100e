"""One game of every kind by mouse, by touch and by keyboard: in exported files, on the page of `serve`, on a site."""

import pytest

from hands import NEXT, SPACE, Hand
from page import PLACES, until
from puzzlespace.web import standalone

CYCLES = """rule: apply
count: step
board:
  a b c
  d e f
moves:
  left: (a b e d)
  right: (b c f e)
start: A B C / D E F
goal: A B C / D E F
"""


BOXES = """rule: push
count: {count}
start:
  @ . . .
  . $ . .
  . . . .
goal:
  . . . .
  . . . .
  . . . $
"""


CRATES = """rule: push
blocks: A
count: {count}
start: @ . . . . / . A . . . / . A A . . / . . . . .
goal: * * * * * / * * * * * / * * A * * / * * A A *
"""


def slid(hand, move):
    """A tile: dragged, tapped, or moved by its arrow key."""
    if hand.how == "mouse":
        hand.drag(hand.cell(move["piece"]), hand.cell(move["target"]))
    elif hand.how == "touch":
        hand.tap(hand.cell(move["piece"]))
    else:
        hand.page.keyboard.press(f"Arrow{move['name'].split()[1].capitalize()}")


def jumped(hand, move):
    """A peg: dragged, or chosen and put."""
    if hand.how == "mouse":
        hand.drag(hand.cell(move["piece"]), hand.cell(move["target"]))
        return
    before = hand.page.evaluate(f"{SPACE}.position")
    for cell in (move["piece"], move["target"]):
        if hand.page.evaluate(f"{SPACE}.position") == before:
            press = f".cells button[data-cell='{cell}']"
            hand.tap(hand.middle(press)) if hand.how == "touch" else hand.enter(press)


def stacked(hand, move):
    """A disk: dragged to its peg, or peg after peg tapped or named by its letter."""
    here, there = move["name"].partition(":")[2].split("-")
    if hand.how == "keyboard":
        hand.page.keyboard.press(here)
        hand.page.keyboard.press(there)
    elif hand.how == "mouse":
        hand.drag(hand.cell(int(move["name"][0]) - 1), hand.peg("ABC".index(there)))
    else:
        hand.tap(hand.peg("ABC".index(here)))
        hand.tap(hand.peg("ABC".index(there)))


def pressed(cell):
    """A cell that means a move: tapped, or Enter on it."""

    def act(hand, move):
        number = cell(hand.page, move)
        if hand.how == "keyboard":
            hand.enter(f".cells button[data-cell='{number}']")
        else:
            hand.tap(hand.cell(number))

    return act


def swiped(hand, move):
    """A row or a column: swiped across one of its cells; by its button from the keyboard."""
    cells = sorted(move["steps"][0]["change"])
    if hand.how == "keyboard":
        listed(hand, move)
    else:
        hand.drag(hand.cell(cells[0]), hand.cell(cells[1]))


def listed(hand, move):
    hand.enter(f'.listed button:text-is("{move["name"]}")')


def carried(hand, move):
    """A piece: dragged to where the move carries it; by its button from the keyboard."""
    carry = dict(move["steps"][0]["carry"])
    if hand.how == "keyboard" or len(move["steps"]) > 1:
        return listed(hand, move)
    for a, b in carry.items():
        others = hand.page.evaluate(
            f"{SPACE}.at.moves.filter(({{ steps }}) => !steps[1]).map((each) => each.steps[0].carry)"
        )
        if sum([a, b] in each for each in others) == 1:
            return hand.drag(hand.cell(a), hand.cell(b))
    return listed(hand, move)


def turned(hand, move):
    """A layer of the cube: a sticker dragged to the sticker that follows it; by its button from the keyboard."""
    if hand.how == "keyboard":
        return listed(hand, move)
    for a, b in move["steps"][0]["carry"]:
        if all(hand.page.locator(f"puzzle-space .board path[data-cell='{cell}']").count() for cell in (a, b)):
            normals = hand.page.evaluate(f"[{a}, {b}].map((k) => String({SPACE}.about.board.cube.facets[k].normal))")
            if normals[0] != normals[1]:
                return hand.drag(
                    hand.middle(f".board path[data-cell='{a}']"), hand.middle(f".board path[data-cell='{b}']")
                )
    raise AssertionError("no sticker of this layer is seen")


def walked(hand, move):
    """A step of a player: an arrow key, or the cell where it goes tapped."""
    if hand.how == "keyboard":
        hand.page.keyboard.press(f"Arrow{move['steps'][0]['name'].capitalize()}")
    else:
        hand.tap(hand.cell(move["target"] if len(move["steps"][0]["carry"]) == 1 else move["piece"]))


def last(page, move):
    return max(cell for step in move["steps"] for pair in step["carry"] for cell in pair)


def named(page, move):
    return page.evaluate(f"{SPACE}.about.board.names").index(move["name"])


GAMES = {
    "tiles": ("slide:2x2", slid),
    "pegs": ("star13", jumped),
    "towers": ("hanoi:3,2", stacked),
    "pancakes": ("pancake:4", pressed(last)),
    "lamps": (
        "lights:3x2",
        pressed(lambda page, move: page.evaluate(f"{SPACE}.about.board.names").index(move["name"])),
    ),
    "flips": ("flip:3x3", swiped),
    "turntable": ("topspin:5,3", carried),
    "cycles": (CYCLES, carried),
    "cube": ("cube:2", turned),
    "boxes": (BOXES.format(count="push"), jumped),
    "player": (BOXES.format(count="move"), walked),
    "crates": (CRATES.format(count="push"), jumped),
    "walked crates": (CRATES.format(count="move"), walked),
}


HOWS = ("mouse", "touch", "keyboard")
PLAYED = [(name, how, PLACES[(k + h) % 3]) for k, name in enumerate(GAMES) for h, how in enumerate(HOWS)]
"""Each game in each way, and in each place: every way in every place."""


@pytest.fixture(scope="module")
def pages(browser):
    context = browser.new_context(
        viewport={"width": 700, "height": 800}, reduced_motion="reduce", has_touch=True, service_workers="block"
    )
    faults = []
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


def shown(page, address):
    """Open a puzzle, and only then another one."""
    page.goto("about:blank")  # an address that differs in its fragment alone is not loaded
    page.goto(address)
    until(page, f"{SPACE}?.at")


@pytest.mark.parametrize(("name", "how", "place"), PLAYED)
def test_a_game_of_every_kind_is_played_to_its_end(pages, played, name, how, place):
    page, (source, act) = pages, GAMES[name]
    shown(page, played(source, place, 0 if name == "cube" else standalone.MOST))
    assert not page.evaluate(f"{SPACE}.at.goal")
    if name == "cube":  # its hardest game takes eleven moves, and a file has no room for all distances
        near = f"{SPACE}.model.at({SPACE}.about.goals[0])"
        page.evaluate(
            f"{near}.then(({{ moves }}) => {{ {SPACE}.position = moves.find(({{ steps }}) => !steps[1]).to; }})"
        )
        until(page, f"{SPACE}.at && {SPACE}.at.moves.some(({{ to }}) => {SPACE}.about.goals.includes(to))")
    hand = Hand(page, how)
    for _ in range(20):
        move = until(page, NEXT)
        act(hand, move)
        until(page, f"{SPACE}.position === '{move['to']}'")
        if page.evaluate(f"{SPACE}.at.goal"):
            break
    until(page, f"{SPACE}.shadowRoot.querySelector('.status').textContent.startsWith('Solved!')")
    kept = page.evaluate(f"Object.keys(JSON.parse(localStorage.bests)).some((k) => k.startsWith({SPACE}.about.name))")
    assert kept


FLIPS = """rule: apply
count: step
board:
  e d c b a
moves:
  a: (e c)
  c: (e a) (d b)
start: 3 1 2 5 4
goal: 1 2 3 4 5
"""


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("source", ["pancake:6", "burnt:5", FLIPS], ids=["pancake", "burnt", "few flips"])
def test_a_tap_on_a_slice_turns_the_slices_that_are_lit(pages, played, source, how):
    page = pages
    shown(page, played(source))
    assert page.evaluate(f"{SPACE}.about.board.shape") == "pile"
    hand, bare = Hand(page, how), [word.removeprefix("-") for word in page.evaluate(f"{SPACE}.at.words")]
    moves = [move["steps"][0] for move in page.evaluate(f"{SPACE}.at.moves")]
    least = sorted(max(*step["change"], *(cell for pair in step["carry"] for cell in pair), 0) for step in moves)
    for cell in range(len(bare)):
        before = page.evaluate(f"{SPACE}.position")
        words = [word.removeprefix("-") for word in page.evaluate(f"{SPACE}.at.words")]
        drawn = hand.middle(f"svg .pieces g[data-cell='{cell}']")
        if how == "mouse":
            page.mouse.move(*drawn)
        elif how == "keyboard":
            page.locator(f"puzzle-space .cells button[data-cell='{cell}']").focus()
        lit = page.evaluate(
            f"[...{SPACE}.shadowRoot.querySelectorAll('.pieces .lit')].map((each) => Number(each.dataset.cell)).sort()"
        )
        lowest = next(each for each in least if each >= cell)
        if how != "touch":
            assert lit == list(range(lowest + 1))
        page.keyboard.press("Enter") if how == "keyboard" else hand.tap(drawn)
        until(page, f"{SPACE}.position !== '{before}'")
        after = [word.removeprefix("-") for word in page.evaluate(f"{SPACE}.at.words")]
        assert after == words[lowest::-1] + words[lowest + 1 :]


PARTS = {
    "run": ("rule: slide\ncount: run\nstart: A . . . / B C . .\ngoal: . . . A / B C . .\n", [0, 1, 2, 3]),
    "piece": ("rule: slide\ncount: piece\nstart: A . / . .\ngoal: . . / . A\n", [0, 1, 3]),
    "chain": ("rule: jump\ncount: chain\nstart: o o . o .\ngoal: . . . . o\n", [0, 2, 4]),
    "power": (CYCLES.replace("step", "run").replace("A B C / D E F\ngoal", "E D C / B A F\ngoal"), []),
}


def part(hand, here, there):
    """Bring a piece to a cell: dragged, or chosen and put; by an arrow key if it can."""
    if hand.how == "mouse":
        return hand.drag(hand.cell(here), hand.cell(there))
    press = [f".cells button[data-cell='{cell}']" for cell in (here, there)]
    if hand.how == "touch":
        hand.tap(hand.middle(press[0]))
        if hand.page.evaluate(f"{SPACE}.at.words[{there}]") == ".":
            hand.tap(hand.middle(press[1]))
        return None
    if hand.page.evaluate(f"{SPACE}.about.kind") == "jump":
        hand.enter(press[0])
        if hand.page.evaluate(f"{SPACE}.at.words[{there}]") == ".":
            hand.enter(press[1])
        return None
    if hand.page.evaluate(f"{SPACE}.shadowRoot.querySelector('.cells [aria-pressed=true]') === null"):
        hand.enter(press[0])
    hand.page.keyboard.press("ArrowRight" if there == here + 1 else "ArrowDown")
    return None


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("name", PARTS)
def test_a_move_made_in_parts_counts_once(pages, played, name, how):
    page, (text, way) = pages, PARTS[name]
    shown(page, played(text, PLACES[(HOWS.index(how) + [*PARTS].index(name)) % 3]))
    hand = Hand(page, how)
    until(page, f"{SPACE}.at.state === 'known'")
    parts = [lambda a=a, b=b: part(hand, a, b) for a, b in zip(way, way[1:], strict=False)]
    for act in parts or 2 * [lambda: hand.enter('.listed button:text-is("left")')]:
        before = page.evaluate(f"{SPACE}.position")
        act()
        until(page, f"{SPACE}.position !== '{before}'")
    until(page, f"{SPACE}.at.goal")
    status = f"{SPACE}.shadowRoot.querySelector('.status').textContent"
    until(page, f"{status}.startsWith('Solved! 1 move, the shortest possible')")
    page.locator("puzzle-space [data-do=solve]").click()
    solution = page.locator("puzzle-space .solution")
    until(page, f"!{SPACE}.shadowRoot.querySelector('.solution').hidden")
    assert "Shortest solution: 1 move" in solution.inner_text()
    assert "Yours: 1 move" in solution.inner_text()
    assert solution.locator("[data-which=mine]").count() == 1
