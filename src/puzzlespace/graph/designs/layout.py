"""What a design file leaves open: shapes and their numbers, blanks, walls, goals; the places where pieces can lie."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...errors import FormatError, UnsupportedError, Word
from ...limits.watch import paced
from ...model.metrics import NAMES
from ...puzzle.board import COMPASS, Board
from ...puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing, OpenPieces
from ...puzzle.fitting import fit
from ...rules import common
from ...rules.slide import KIND, lengthwise
from .shapes import MOST_SHAPES, Offsets, shapes_of

WALL = "X"
"""The letter of walls in drawings, and in the puzzles that are found."""

MAYBE = "?"
"""In `walls:` a cell that may be a wall."""

MOST_CELLS = 64
"""The most cells of a board: a set of cells is one word of bits."""

METRICS = ("step", "run", "piece")


@dataclass(frozen=True)
class ShapeRow:
    """One row of `pieces:`.

    kinds  the numbers of its kinds, one for each shape; kinds are numbered from 1
    """

    name: str
    words: str
    low: int
    high: int
    kinds: tuple[int, ...]
    wall: bool = False


@dataclass(frozen=True)
class Target:
    """What a goal or a start must show; sets of cells are words of bits.

    covered  for each named row the cells that its piece must cover
    blank    the cells that must be blank
    walls    the cells that must be walls
    """

    covered: tuple[tuple[int, int], ...]
    blank: int
    walls: int

    @property
    def cells(self) -> int:
        """All cells that are not open."""
        found = self.blank | self.walls
        for _, cells in self.covered:
            found |= cells
        return found


@dataclass(frozen=True)
class Place:
    """A kind of piece on the board: its cells in reading order, and as a word of bits."""

    kind: int
    cells: tuple[int, ...]
    cover: int


@dataclass(frozen=True)
class OpenLayout:
    """A board with open pieces.

    shapes  of each kind: shapes[kind - 1]
    walls   the cells that are always walls, as a word of bits
    maybe   the cells that may be walls
    start   what a start must show, None if anything
    shut    of each kind: the cells in which it may not lie
    each    whether each goal is a question of its own
    """

    draft: Draft
    board: Board
    metric: str
    rows: tuple[ShapeRow, ...]
    shapes: tuple[Offsets, ...]
    blanks: tuple[int, int]
    walls: int
    maybe: int
    goals: tuple[Target, ...]
    start: Target | None
    shut: tuple[int, ...]
    each: bool = False

    @property
    def questions(self) -> tuple[OpenLayout, ...]:
        """The layouts to search: this one, or one for each goal."""
        return tuple(replace(self, goals=(goal,), each=False) for goal in self.goals) if self.each else (self,)

    @property
    def kinds(self) -> int:
        """The number of kinds of pieces."""
        return len(self.shapes)

    @cached_property
    def row_of(self) -> tuple[int, ...]:
        """The row of each kind; the first number, of the blank, is -1."""
        found = [-1] * (self.kinds + 1)
        for number, row in enumerate(self.rows):
            for kind in row.kinds:
                found[kind] = number
        return tuple(found)

    @property
    def area(self) -> int:
        """The number of cells without those that are always walls."""
        return self.board.cells - self.walls.bit_count()

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """All places that a packing may have.

        A piece that all goals name has only the places from which it could reach a goal on an empty board: from all
        others no goal can ever be reached.
        """
        found = tuple(self._lying())
        numbers = {(place.kind, place.cells[0]): number for number, place in enumerate(found)}
        named = set.intersection(*({row for row, _ in goal.covered} for goal in self.goals))
        steps = {
            (number, after)
            for number, place in enumerate(found)
            if self.row_of[place.kind] in named
            for after in self._steps(place, numbers)
            if after >= 0
        }
        kept: list[Place] = []
        near: dict[int, list[int]] = {}
        for number, after in steps:
            near.setdefault(after, []).append(number)
        good = {
            number for number, place in enumerate(found)
            if (row := self.row_of[place.kind]) in named
            and any(place.cover & cells == cells for goal in self.goals for each, cells in goal.covered if each == row)
        }  # fmt: skip
        edge = list(good)
        while edge:
            for before in near.get(edge.pop(), ()):
                if before not in good:
                    good.add(before)
                    edge.append(before)
        for number, place in enumerate(found):
            if self.row_of[place.kind] not in named or number in good:
                kept.append(place)
        return tuple(kept)

    def _lying(self) -> Iterator[Place]:
        where = {place: cell for cell, place in enumerate(self.board.places)}
        for kind, offsets in enumerate(paced(self.shapes), 1):
            wall = self.rows[self.row_of[kind]].wall
            for x, y in self.board.places:
                cells = [where.get((x + dx, y + dy)) for dx, dy in offsets]
                if None in cells:
                    continue
                lies = tuple(cell for cell in cells if cell is not None)
                cover = sum(1 << cell for cell in lies)
                if not cover & (self.walls | self.shut[kind - 1]) and (not wall or cover & self.maybe):
                    yield Place(kind, lies, cover)

    def what(self, lying: Iterable[int]) -> tuple[int, ...]:
        """Return what lies in each cell, as `search.Start.what` has it, given the numbers of the places."""
        found = [self.kinds + 1 if self.walls >> cell & 1 else 0 for cell in range(self.board.cells)]
        for number in lying:
            place = self.places[number]
            for cell in place.cells:
                found[cell] = self.kinds + 1
            found[place.cells[0]] = place.kind
        return tuple(found)

    @cached_property
    def ways(self) -> tuple[tuple[int, int], ...]:
        """The directions of steps as (columns, rows)."""
        return tuple(way for way in COMPASS if self.draft.diagonals or 0 in way)

    def steps(self) -> tuple[tuple[int, ...], ...]:
        """For each place the number of the place one step away in each direction, -1 if there is none."""
        numbers = {(place.kind, place.cells[0]): number for number, place in enumerate(self.places)}
        return tuple(tuple(self._steps(place, numbers)) for place in self.places)

    def _steps(self, place: Place, numbers: dict[tuple[int, int], int]) -> Iterator[int]:
        offsets = self.shapes[place.kind - 1]
        fixed = self.rows[self.row_of[place.kind]].wall
        x, y = self.board.places[place.cells[0]]
        for dx, dy in self.ways:
            cell = self._cells.get((x + dx, y + dy))
            bar = self.draft.along and len(offsets) > 1
            if cell is None or fixed or (bar and not lengthwise(offsets, dx, dy)):
                yield -1
            else:
                yield numbers.get((place.kind, cell), -1)

    @cached_property
    def _cells(self) -> dict[tuple[int, int], int]:
        return {place: cell for cell, place in enumerate(self.board.places)}


def layout(draft: Draft) -> OpenLayout:
    """Return the layout of a draft with `pieces:`. Raises FormatError at the word that is wrong."""
    if not draft.pieces:
        raise FormatError("pieces: expected the shapes and numbers of the pieces, found none")
    if draft.rule != KIND.name:
        raise FormatError.at(draft.rule, f"expected rule: {KIND.name} beside pieces:, found {str(draft.rule)!r}")
    for key in ("blocks", "apart", "fixed", "distinct", "gates", "lines", "links", "known", "moves", "swap", "one_way"):
        if getattr(draft, key):
            raise FormatError(f"{key.replace('_', '-')}: has no meaning beside pieces:")
    for key in (*(("ground",) if draft.ground else ()), *draft.changes):
        raise FormatError.at(draft.place(key), f"{key}: has no meaning beside pieces:")
    if draft.parts:
        raise FormatError.at(draft.parts[0].rule, f"expected one rule beside pieces:, found {draft.parts[0].rule}, too")
    board = _board(draft)
    walls, maybe = _walls(draft, board)
    rows, shapes, shut = _rows(draft, board, walls)
    if not any(row.wall for row in rows):
        if maybe and draft.walls is not None:
            raise FormatError.at(
                next(word for word in draft.walls.words if word == MAYBE),
                "expected a row such as 'wall: 0-2' under pieces: for the cells that may be walls, found none",
            )
        maybe = 0
    metric = _metric(draft)
    anywhere = _anywhere(draft, rows)
    goals = () if anywhere is not None else tuple(_goal(goal, board, rows, (walls, maybe)) for goal in draft.goals)
    if not goals and anywhere is None:
        raise FormatError("goal: expected a drawing of the pieces that the goal names, found none")
    start = _target(draft.start, board, rows, (walls, maybe)) if draft.start is not None else None
    cells = board.cells - walls.bit_count()
    low, high = draft.blanks or (0, None)
    made = OpenLayout(
        draft, board, metric, rows, shapes, (low, cells if high is None else min(high, cells)), walls, maybe, goals,
        start, shut,
    )  # fmt: skip
    if anywhere is not None:
        covers = {place.cover for place in made._lying() if made.row_of[place.kind] == anywhere}
        if not covers:
            raise FormatError("goal: expected a piece that fits the board, found no place for it")
        made = replace(made, goals=tuple(Target(((anywhere, cover),), 0, 0) for cover in sorted(covers)), each=True)
    _check_numbers(made)
    _check_shut(made)
    return made


def _board(draft: Draft) -> Board:
    if draft.board is None and draft.start is None and not any(isinstance(goal, Drawing) for goal in draft.goals):
        raise FormatError("board: expected 'board: grid 4x5' or a drawing of the goal, found none")
    board = common.board_of(draft)
    if not board.grid:
        raise FormatError("board: expected a grid for pieces of several cells, found a board of lines or links")
    if board.cells > MOST_CELLS:
        raise FormatError(f"board: expected at most {MOST_CELLS} cells beside pieces:, found {board.cells}")
    return board


def _metric(draft: Draft) -> str:
    if draft.count not in METRICS:
        found = f"found {str(draft.count)!r}" if draft.count else "found none"
        raise FormatError.at(draft.count, f"count: expected {', '.join(METRICS[:-1])} or {METRICS[-1]}, {found}")
    return next(name for name in NAMES if name == draft.count)


def _walls(draft: Draft, board: Board) -> tuple[int, int]:
    """Return the cells that are walls and those that may be."""
    if draft.walls is None:
        return 0, (1 << board.cells) - 1
    found = {WALL: 0, MAYBE: 0, BLANK: 0}
    for cell, word in enumerate(fit(board, draft.walls)):
        if word not in found:
            raise FormatError.at(
                word, f"walls: expected {WALL} (a wall), {MAYBE} (may be one) or {BLANK} (none), found {str(word)!r}"
            )
        found[str(word)] |= 1 << cell
    return found[WALL], found[MAYBE]


def _rows(draft: Draft, board: Board, walls: int) -> tuple[tuple[ShapeRow, ...], tuple[Offsets, ...], tuple[int, ...]]:
    """Return the rows of `pieces:`, and the shape of each kind, and the cells in which it may not lie."""
    rows: list[ShapeRow] = []
    shapes: list[Offsets] = []
    shut: list[int] = []
    seen: dict[tuple[bool, str, Offsets], str] = {}
    names: set[str] = set()
    cells = board.cells - walls.bit_count()
    for each in draft.pieces:
        if each.name and (not each.name.isalpha() or each.name == WALL or each.name in names):
            used = "used for walls" if each.name == WALL else "used twice" if each.name in names else "not a letter"
            raise FormatError.at(each.name, f"expected a letter of its own, found {each.name!r} ({used})")
        names.add(each.name)
        wall = "wall" in each.shapes
        if wall and (each.name or len(each.shapes) > 1):
            raise FormatError.at(each.shapes[0], "expected 'wall' alone and without a letter, as in 'wall: 0-2'")
        first = len(shapes) + 1
        begin = next(iter(each.shapes), each.name)
        for word in each.shapes:
            fitting = 0
            shape, outside = _outside(word, board)
            for offsets in shapes_of(shape, board):
                key = (wall, str(each.name), offsets)
                if key in seen:
                    if _many(word):
                        continue  # 'any connected' leaves out shapes that other rows list
                    raise FormatError.at(word, f"expected each shape once, found {str(word)!r} again ({seen[key]})")
                fitting += 1
                seen[key] = str(word)
                shapes.append(offsets)
                shut.append(outside)
            if not fitting:
                raise FormatError.at(word, f"expected a shape that fits the board, found {str(word)!r}")
        if len(shapes) > MOST_SHAPES:
            raise FormatError.at(
                begin, f"expected at most {MOST_SHAPES:,} shapes, found {len(shapes):,}: limit their cells"
            )
        high = cells if each.high is None else min(each.high, cells)
        if each.low > high:
            raise FormatError.at(begin, f"expected at most {cells} pieces on {cells} cells, found {each.low}")
        rows.append(ShapeRow(str(each.name), _words(each), each.low, high, tuple(range(first, len(shapes) + 1)), wall))
    return tuple(rows), tuple(shapes), tuple(shut)


def _outside(word: str, board: Board) -> tuple[str, int]:
    """Return the shape of '2x1 not in row 3', and the cells of that row."""
    match = re.fullmatch("(.*) not in row ([0-9]{1,2})", word)
    if match is None:
        return word, 0
    row = int(match[2])
    if not 1 <= row <= len(board.rows):
        raise FormatError.at(word, f"expected a row from 1 to {len(board.rows)}, found {row}")
    shape = Word(match[1], getattr(word, "line", 0), getattr(word, "column", 0))
    return shape, sum(1 << cell for cell in board.rows[row - 1] if cell is not None)


def _check_shut(made: OpenLayout) -> None:
    """Raise FormatError if a piece could move into a row in which it may not lie."""
    if not any(made.shut):
        return
    freed = replace(made, shut=(0,) * made.kinds)
    everywhere = tuple(freed._lying())
    numbers = {(place.kind, place.cells[0]): number for number, place in enumerate(everywhere)}
    for place in paced(everywhere):
        shut = made.shut[place.kind - 1]
        for after in freed._steps(place, numbers):
            if after >= 0 and not place.cover & shut and everywhere[after].cover & shut:
                raise FormatError(
                    f"pieces: expected pieces that cannot enter a row in which they may not lie, found "
                    f"{made.rows[made.row_of[place.kind]].words!r}; lying cars of 'rule: slide along' stay in their row"
                )


def _words(each: OpenPieces) -> str:
    return " | ".join(each.shapes)


def _many(word: str) -> bool:
    return word.startswith("any ")


def _anywhere(draft: Draft, rows: Sequence[ShapeRow]) -> int | None:
    """Return the row of the piece whose places are all goals, if the goal is 'any A'."""
    word = next((goal for goal in draft.goals if isinstance(goal, str) and goal.startswith("any")), None)
    if word is None:
        return None
    if len(draft.goals) > 1:
        raise FormatError.at(word, f"goal: expected no other goal beside {str(word)!r}, found {len(draft.goals)} goals")
    number = next((number for number, row in enumerate(rows) if row.name == word.split()[1]), None)
    if number is None or (rows[number].low, rows[number].high) != (1, 1):
        raise FormatError.at(
            word, f"goal: expected the letter of a piece of which there is exactly one, found {word!r}"
        )
    return number


def _goal(goal: object, board: Board, rows: Sequence[ShapeRow], walls: tuple[int, int]) -> Target:
    if not isinstance(goal, Drawing):
        word = goal if isinstance(goal, str) else ""
        raise FormatError.at(word, "goal: expected a drawing beside pieces:, such as '* * / A A', found words")
    target = _target(goal, board, rows, walls)
    for number, _ in target.covered:
        row = rows[number]
        if (row.low, row.high) != (1, 1):
            word = next(word for word in goal.words if word == row.name)
            raise FormatError.at(
                word,
                f"goal: expected a piece of which there is exactly one, found {row.name} with {row.low}-{row.high}",
            )
    if not target.covered:
        raise FormatError.at(goal.words[0], "goal: expected the letter of a row of pieces:, found none")
    return target


def _target(drawing: Drawing, board: Board, rows: Sequence[ShapeRow], walls: tuple[int, int]) -> Target:
    """Return what a drawing with '*' for open cells must show.

    walls  the cells that are always walls, and those that may be
    """
    always, maybe = walls
    named = {row.name: number for number, row in enumerate(rows) if row.name}
    covered: dict[int, int] = {}
    blank = wall = 0
    for cell, word in enumerate(fit(board, drawing)):
        if always >> cell & 1 and (word == BLANK or word in named):
            raise FormatError.at(word, f"expected {WALL} or {WILD} in a cell that walls: makes a wall, found {word}")
        if word == WALL and not (always | maybe) >> cell & 1:
            raise FormatError.at(word, f"expected {BLANK} or {WILD} in a cell that cannot be a wall, found {WALL}")
        if word == BLANK:
            blank |= 1 << cell
        elif word == WALL:
            wall |= 1 << cell
        elif word in named:
            covered[named[word]] = covered.get(named[word], 0) | 1 << cell
        elif word != WILD:
            known = " ".join([WILD, BLANK, WALL, *named])
            raise FormatError.at(word, f"expected one of the symbols {known}, found {str(word)!r}")
    return Target(tuple(covered.items()), blank, wall)


def _check_numbers(made: OpenLayout) -> None:
    """Raise FormatError if the numbers of pieces and blanks leave no packing, or no place for a goal."""
    area = made.area
    least = sum(row.low * min(len(made.shapes[kind - 1]) for kind in row.kinds) for row in made.rows)
    low, _ = made.blanks
    if least + low > area:
        raise FormatError(
            f"pieces: expected pieces and blanks that fit {area} cells, found at least {least} cells of pieces and "
            f"{low} blanks"
        )
    most = sum(row.high * max(len(made.shapes[kind - 1]) for kind in row.kinds) for row in made.rows)
    if area - most > made.blanks[1]:
        raise FormatError(
            f"blanks: expected pieces that leave at most {made.blanks[1]} of {area} cells blank, found pieces that "
            f"cover at most {most} cells"
        )
    for number, goal in enumerate(made.goals):
        for row, cells in goal.covered:
            lying = [place for place in made.places if made.row_of[place.kind] == row]
            if not any(place.cover & cells == cells for place in lying):
                raise FormatError(
                    f"goal{f' {number + 1}' if number else ''}: expected cells that a piece "
                    f"{made.rows[row].name} ({made.rows[row].words}) can cover, found {cells.bit_count()} cells that "
                    "none of its places covers"
                )


def unsupported(words: str) -> UnsupportedError:
    """Return the error for a design that cannot be searched."""
    return UnsupportedError(f"design: {words}")


__all__ = ["NOTHING", "WALL", "OpenLayout", "Place", "ShapeRow", "Target", "layout"]
