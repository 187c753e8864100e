"""Hand-made puzzles for the tests of pictures, which need no file and no family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from puzzlespace.model.goal import Goal
from puzzlespace.model.rule import Motion, Rule, only
from puzzlespace.model.shapes import Shapes
from puzzlespace.puzzle.board import Board, grid, named
from puzzlespace.puzzle.draft import Drawing, Look
from puzzlespace.puzzle.letters import Frame, Letters
from puzzlespace.puzzle.puzzle import Puzzle
from puzzlespace.rules import apply, jump, slide

SVG = "{http://www.w3.org/2000/svg}"
"""The namespace of SVG elements."""


def tiles(rows: str = "1 2 3 / 4 5 6 / 7 8 .", board: Board | None = None, picture: Sequence[Look] = ()) -> Puzzle:
    """Pieces of one cell that slide into blanks; the goal is the start."""
    drawing = [row.split() for row in rows.split("/")]
    board = board or grid([[word != "#" for word in row] for row in drawing])
    words = [word for row in drawing for word in row if word != "#"]
    letters = dict.fromkeys([".", *sorted(words)])
    view = Letters(tuple((letter,) for letter in letters))
    pieces = (1 << len(letters)) - 2
    rules = tuple(
        Rule(way, (a, b), (pieces, only(0)), (1, 0), (None, None), Motion(-1, a, b, way)) for a, b, way in board.steps
    )
    start = view.encode(words)
    return Puzzle(
        "tiles", slide.KIND, board, view, len(letters), rules, ("step",), start, (Goal.exactly(start),),
        picture=tuple(picture), titles=(("", "Tiles & <more>"),),
    )  # fmt: skip


def blocks(rows: str, spaced: bool = False) -> Puzzle:
    """Blocks drawn with letters of one character; blocks of one shape are interchangeable; no rules."""
    drawing = [row.strip() for row in rows.split("/")]
    board = grid([[word != "#" for word in row] for row in drawing])
    words = [word for row in drawing for word in row if word != "#"]
    where: dict[str, list[int]] = {}
    for cell, word in enumerate(words):
        where.setdefault(word, []).append(cell)
    shapes: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for word, cells in where.items():
        x, y = board.places[cells[0]]
        shape = tuple((board.places[c][0] - x, board.places[c][1] - y) for c in cells)
        if word != ".":
            shapes.setdefault(shape, []).append(word)
    letters = ((".",), *(tuple(same) for same in shapes.values()))
    at = {place: cell for cell, place in enumerate(board.places)}
    covers = [((),) * board.cells]
    for shape in shapes:
        covered = [tuple(at.get((x + dx, y + dy), -1) for dx, dy in shape[1:]) for x, y in board.places]
        covers.append(tuple(None if -1 in cells else cells for cells in covered))
    covers.append((None,) * board.cells)
    view = Letters(letters, Shapes(len(letters), tuple(covers)))
    start = view.encode(words)
    return Puzzle(
        "blocks",
        slide.KIND,
        board,
        view,
        len(letters) + 1,
        (),
        ("piece", "step"),
        start,
        (),
        view.shapes,
        spaced=spaced,
    )


def pegs(board: Board | None = None) -> Puzzle:
    """Pegs in all cells except the middle one."""
    board = board or named(["star13"], diagonals=True)
    view = Letters(((".",), ("o",)))
    start = bytes(cell != board.cells // 2 for cell in range(board.cells))
    rules = tuple(
        Rule.put(way, (a, b, c), (1, 1, 0), (0, 0, 1), 2, Motion(-1, a, c, way)) for a, b, c, way in board.jumps
    )
    return Puzzle(
        "pegs", jump.KIND, board, view, 2, rules, ("chain", "step"), start, (Goal((-1,) * board.cells, ((1, 1),)),)
    )


def flips(width: int = 3, height: int = 3, words: str = "ox") -> Puzzle:
    """Line flips: every line can be reversed with its pieces turned over."""
    board = named(["grid", f"{width}x{height}"])
    rules = tuple(
        Rule(f"line{n}", line, (-1,) * len(line), tuple(range(len(line)))[::-1], ((1, 0),) * len(line))
        for n, line in enumerate(board.lines)
    )
    view = Letters(((words[0],), (words[1],)))
    start = bytes(cell % 3 == 1 for cell in range(board.cells))
    return Puzzle("flips", apply.KIND, board, view, 2, rules, ("step",), start, (Goal.exactly(bytes(board.cells)),))


HEXAGRAM = """
            B
      B   B   B   B
        B   .   W
      W   W   W   W
            W
"""


def hexagram() -> Puzzle:
    """The hexagram's board with its lines; the goal is the start."""
    rows = HEXAGRAM.strip("\n").split("\n")
    words = [row.split() for row in rows]
    columns = tuple(tuple(x for x, letter in enumerate(row) if letter != " ") for row in rows)
    numbers = iter(range(13))
    cells = tuple(tuple(next(numbers) for _ in row) for row in words)
    text = "0-2-5-8 0-3-7-11 1-2-3-4 8-9-10-11 1-5-9-12 4-7-10-12 5-6-7 2-6-10 3-6-9"
    lines = tuple(tuple(map(int, line.split("-"))) for line in text.split())
    board = Board(tuple(map(str, range(13))), cells, lines, grid=False, columns=columns)
    made = tiles("/".join(" ".join(row) for row in words), board)
    assert Drawing(tuple(map(tuple, words))).words == made.view.decode(made.start or b"")
    return made


def parsed(text: str) -> ElementTree.Element:
    """Return the root of a picture."""
    return ElementTree.fromstring(text)


def frames(puzzle: Puzzle, moves: int = 3) -> tuple[Frame, ...]:
    """Return the start and the positions after some moves, as frames."""
    model = puzzle.model()
    path = [puzzle.start]
    for _ in range(moves):
        path.append(next(child for child in sorted(model.moves(path[-1])) if child not in path))
    return puzzle.frames(path, model)


def after(puzzle: Puzzle, words: Iterable[str], changed: Iterable[int] = ()) -> list[Frame]:
    """Return the start and the position written as `words`, as two frames."""
    written = [word for word in words if word not in "#/"]
    start = puzzle.view.decode(puzzle.start)
    return [Frame(puzzle.start, start), Frame(puzzle.view.encode(written), tuple(written), "x", frozenset(changed))]
