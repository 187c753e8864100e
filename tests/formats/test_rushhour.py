"""Rush Hour boards in the notations of cards and collections: the same puzzle, the red car meant, or an error."""

import random
from string import ascii_letters

import pytest

from boards import rows, rush
from commands import run, run_json
from puzzlespace import solve
from puzzlespace.api.loader import from_text, load
from puzzlespace.errors import FormatError, PuzzleWarning
from puzzlespace.formats import doubts, formats, recognised, rushhour, typed

BOARDS = [row["board"].replace(".", "o") for row in rows("rush")]
BY_NAME = {each.name: each for each in formats()}
CARD = "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR."


def drawn(draft):
    """The rows of the start, and the red car with its cells in the goal."""
    (goal,) = draft.goals
    ((red, cells),) = [
        (letter, [(y, x) for y, row in enumerate(goal.rows) for x, word in enumerate(row) if word == letter])
        for letter in {word for row in goal.rows for word in row} - {"*", "#"}
    ]
    return ["".join(row) for row in draft.start.rows], red, cells


def codes(draft, severity="warning"):
    return [each.code for each in draft.diagnostics if each.severity == severity]


def cut(board, between, size=6):
    return between.join(board[at : at + size] for at in range(0, len(board), size))


def arrangements(board):
    yield board
    yield from (cut(board, between) for between in ("\n", "/", " ", " / "))
    yield cut(" ".join(board), "/", 12)
    yield cut(" ".join(board), "\n", 12)
    yield from (f"51 {board}", f"{board} 4780", f"51 {board} 4780", f"51\n{cut(board, chr(10))}\n4780\n")


def notations(board):
    """(board, red car) in other letters; walls are '#' if `x` is the red car or may be one."""
    for red in "XxRrA":
        for blank in ".o0-_":
            upper = board.translate(str.maketrans({"A": red, "o": blank, "x": "#" if red == "x" else "x"}))
            yield upper, red
            if blank != "o" and red != "A":
                yield (
                    board.translate(
                        str.maketrans(
                            {letter: letter.lower() for letter in ascii_letters[26:]} | {"A": red, "o": blank, "x": "#"}
                        )
                    ),
                    red,
                )


@pytest.mark.parametrize("board", BOARDS)
def test_every_notation_of_a_board_is_the_same_puzzle(board):
    draw = random.Random(board)
    wanted, _, cells = drawn(rushhour.parse(board))
    for shown, red in notations(board):
        for text in [draw.choice([*arrangements(shown)])]:
            draft = rushhour.parse(text)
            found, target, places = drawn(draft)
            assert [row.replace(red, "A").upper() for row in found] == wanted, text
            assert (target, places) == (red, cells)
            assert codes(draft) == []
            assert rushhour.parse(rushhour.write(draft)) == draft, text
            assert codes(draft, "note")[0] == "red-car"
            assert recognised(text) is rushhour.FORMAT, text
            assert doubts(rushhour.FORMAT, text) == ()


@pytest.mark.parametrize("row", rows("rush_red"), ids=lambda row: row["board"])
def test_the_red_car_of_cards_and_collections(row):
    board, red = row["board"], row["target"]
    puzzle = load(board)
    assert drawn(puzzle.draft)[1] == red
    assert [each.text for each in puzzle.diagnostics] == [f"red car {red} to the right edge of row 3"]
    assert rushhour.write(puzzle.draft) == board.replace(".", "o") + "\n"
    if int(row["runs"]) < 12:
        spare = (
            board.replace("A", "Z").replace(red, "A")
            if red.isupper()
            else board.upper().replace("A", "Z").replace("X", "A")
        )
        assert solve(puzzle).moves == solve(rush(spare)).moves == int(row["runs"])


@pytest.mark.parametrize("board", BOARDS[::4] + [row["board"] for row in rows("rush_red")])
def test_a_board_with_another_letter_is_read_as_it_stands_or_refused_with_its_place(board):
    draw = random.Random(board)
    before, red, _ = drawn(rushhour.parse(board))
    for _ in range(30):
        at = draw.randrange(36)
        sign = draw.choice([*ascii_letters, *".#7?"])
        text = board[:at] + sign + board[at + 1 :]
        if sign == board[at]:
            continue
        try:
            draft = rushhour.parse(text)
        except FormatError as error:
            place = error.line, error.column > 0
            assert place == (1, True), text
            continue
        found, target, _ = drawn(draft)
        changed = [k for k, (old, new) in enumerate(zip("".join(before), "".join(found), strict=True)) if old != new]
        assert set(changed) <= {at}, text
        assert rushhour.parse(rushhour.write(draft)) == draft, text
        assert codes(draft, "note")[0] == "red-car"
        assert target == red or codes(draft), text


def random_board(draw):
    """A board with cars that have any letters, as a puzzle file draws it, and the red car."""
    wide, high = draw.choice([(6, 6), (6, 6), (5, 5), (7, 4), (4, 6), (9, 9)])
    grid = [["."] * wide for _ in range(high)]
    letters = [*"XxRrAo", *draw.sample(ascii_letters, 16)]
    letters = draw.sample([*dict.fromkeys(letters)], 14)
    for letter in letters[: draw.randint(3, 14)]:
        size, (dy, dx) = draw.choice([2, 2, 3]), draw.choice([(0, 1), (1, 0)])
        y, x = draw.randrange(high), draw.randrange(wide)
        cells = [(y + k * dy, x + k * dx) for k in range(size)]
        if all(b < high and a < wide and grid[b][a] == "." for b, a in cells):
            for b, a in cells:
                grid[b][a] = letter
    for _ in range(draw.randrange(4)):
        y, x = draw.randrange(high), draw.randrange(wide)
        grid[y][x] = "#" if grid[y][x] == "." else grid[y][x]
    lying = {word for row in grid for word, after in zip(row, row[1:], strict=False) if word == after} - {".", "#"}
    return grid, draw.choice(sorted(lying)) if lying else ""


@pytest.mark.parametrize("seed", range(150))
def test_what_is_written_is_read_as_the_same_puzzle_with_the_same_red_car(seed):
    draw = random.Random(seed)
    grid, red = random_board(draw)
    goal = [["#" if word == "#" else "*" for word in row] for row in grid]
    y = next((y for y, row in enumerate(grid) if red in row), None)
    size = grid[y].count(red) if red else 0
    if not red or "#" in goal[y][-size:]:
        return
    goal[y][-size:] = [red] * size
    text = "rule: slide along\nblocks: all\ncount: run\nstart:\n  {}\ngoal:\n  {}\n"
    puzzle = from_text(text.format(*("\n  ".join(map("".join, rows)) for rows in (grid, goal))), "x.pzl")
    written = rushhour.write(puzzle.draft)
    found, target, cells = drawn(rushhour.parse(written))
    pairs = set(zip("".join(map("".join, grid)), "".join(found), strict=True))
    assert len({old for old, _ in pairs}) == len({new for _, new in pairs}) == len(pairs)
    assert {(".", "."), ("#", "#")} >= {pair for pair in pairs if set(pair) & {".", "#"}}
    assert (red, target) in pairs
    assert cells == drawn(puzzle.draft)[2]
    kept = all(old == new for old, new in pairs)
    assert kept or [word for row in found for word in row if word in "XxRr"] == []


REFUSED = {
    "AAXXoo" + "o" * 30: "expected a red car",
    "oooooo" * 2 + "XXooAA" + "oooooo" * 3: "expected one red car, found X and A in row 3, the row of the exit",
    "oooooo" * 2 + "oRRoXX" + "oooooo" * 3: "expected one red car, found X and R in row 3, the row of the exit",
    "oooooo" * 2 + "xxAAoo" + "oooooo" * 3: "expected one red car, found x and A in row 3, the row of the exit",
    "XXoooo" + "oooooo" * 4 + "AAoooo": "expected one red car, found X and A in rows",
    "oooooo" * 2 + "BBoooo" + "oooooo" * 3: "expected a red car (X, x, R, r or A) in one row, found none",
    "oooooo" * 2
    + "Xooooo"
    + "Xooooo"
    + "oooooo" * 2: "expected a red car (X, x, R, r or A) in one row, found X in one",
    "oooooo" * 2 + "XXoooX" + "oooooo" * 3: "expected a red car (X, x, R, r or A) in one row, found none",
    "oooooo" * 2 + "XXooo#" + "oooooo" * 3: "expected a way out at the right of the car X, found a wall",
}


@pytest.mark.parametrize("board", REFUSED)
def test_a_board_with_no_red_car_or_with_two_is_refused(board):
    text = "expected one red car, found X and A in rows" if board.startswith("AAXX") else REFUSED[board]
    with pytest.raises(FormatError) as caught:
        rushhour.parse(board)
    assert str(caught.value).startswith("puzzle:1:")
    assert text in str(caught.value)


NOTED = [
    ("XXoooo" + "oooooo" * 5, "X", ["red-car-row"]),
    ("oooooo" * 2 + "AAoooo" + "oooooo" * 2 + "XXoooo", "A", ["several-red-cars"]),
    ("oooooo" * 2 + "oXXooo" + "oooooo" * 2 + "AAoRRo", "X", []),
    ("xxoooo" + "oooooo" + "AAoooo" + "oooooo" * 3, "A", []),
    ("xxoooo" + "BBoooo" + "rroooo" + "oooooo" * 3, "r", []),
    ("xxoooo" + "bboooo" + "rroooo" + "oooooo" * 3, "r", ["several-red-cars", "wall-or-car"]),
    ("XX.AA" + "....." * 4, "X", ["several-red-cars"]),
    ("....." * 2 + "XX.BB" + "AA..." + ".....", "X", []),
    (CARD.lower(), "x", []),
    (CARD.lower().replace("cc", "oo"), "x", ["blank-or-car"]),
    ("oooooo" + "...BBB" + "AA...." + "......" * 3, "A", ["blank-or-car"]),
]


@pytest.mark.parametrize(("board", "red", "warned"), NOTED)
def test_what_may_be_meant_in_another_way_is_said(board, red, warned):
    draft = rushhour.parse(board)
    assert drawn(draft)[1] == red
    assert codes(draft) == warned


def test_a_truck_called_o_is_a_car_among_other_blanks():
    puzzle = load(cut(CARD.lower(), "/"))
    assert drawn(puzzle.draft)[0] == cut(CARD.lower(), "/").split("/")
    assert codes(puzzle.draft, "note") == ["red-car", "blank-or-car"]
    assert rushhour.write(puzzle.draft) == CARD.lower() + "\n"
    assert solve(puzzle).moves == solve(CARD).moves == 8


def test_answers_name_the_red_car():
    said = "red car X to the right edge of row 3"
    for text in (CARD, f"8 {CARD} 99", f"https://no.example/play?board={cut(CARD, '/')}&moves=8"):
        code, out, err = run("solve", text)
        assert (code, out.split("\n")[1]) == (0, said)
        assert f"note: puzzle:1:{text.find('XX') + 1 if '://' not in text else 16}: {said}" in err
    assert said in run("show", CARD)[1]
    assert "**XX" in run("show", CARD)[1].replace(" ", "")
    _, shown = run_json("solve", CARD)
    assert [each["code"] for each in shown["notes"]] == ["red-car"]
    assert run("convert", CARD, "--to", "rushhour")[1].strip() == CARD.replace(".", "o")
    assert "goal:\n  ******\n  ******\n  ****XX" in run("convert", CARD)[1]


def test_boards_in_files_and_collections(tmp_path):
    board = tmp_path / "card.txt"
    board.write_text(cut(CARD, "\n"))
    assert solve(board).moves == 8
    several = tmp_path / "several.txt"
    several.write_text(f"8 {CARD} 4780\n8 {CARD.lower()}\n8 {CARD.replace('X', 'A').replace('AA...', 'EE...', 1)}\n")
    code, out, _ = run("certify", str(several), "--no-count", "--json")
    assert code == 0, out


def test_a_strict_command_refuses_what_is_only_likely():
    assert run("solve", NOTED[0][0], "--strict")[0] == 30
    assert run("solve", CARD, "--strict")[0] == 0


def test_a_text_that_fits_two_formats_says_how_it_was_read():
    damaged = "B----/B----/AA-R-/-----/-----"
    assert [each.name for each in formats() if each.fits(damaged)] == ["rushhour", "lunar"]
    with pytest.warns(PuzzleWarning, match="read as lunar"):
        puzzle = load(damaged)
    assert puzzle.kind.name == "glide"
    (warning,) = puzzle.diagnostics
    assert warning.code == "two-formats"
    assert warning.text.startswith("read as lunar (cards of Lunar Lockout in one word); the text fits rushhour")
    assert run("solve", damaged, "--strict")[0] == 30
    named = from_text(damaged, "x.lunar")
    assert named.diagnostics == ()
    assert typed(damaged.replace("R", "-")) == (rushhour.FORMAT, damaged.replace("R", "-"))


@pytest.mark.parametrize(
    "text",
    ["1A9BF0C00", "4WVE1", "HAAI/HAAI/JBBK/JNOK/P..Q", "o_g_p_____y_________b___R", "x_x\n___\nR__", "-R-/o-g/-y-",
     "####\n#*.#\n#..#", "AA.\n...\n\n.AA\n...", "#####\n#@$.#\n#####", "my_barrels-collection.txt"],
)  # fmt: skip
def test_texts_of_other_formats_are_not_taken_for_rush_hour(text):
    assert not rushhour.fits(text)
    form = recognised(text)
    assert form is None or doubts(form, text) == ()
