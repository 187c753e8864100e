"""`rule: glide`: a piece moves in a straight line until something stops it (Lunar Lockout, Ricochet Robots, Atomix).

Every glide is one rule: it needs the piece in its cell, all cells passed blank, and, if another piece stops it, that
piece in the next cell. So at most one rule applies for a piece and a direction. If several cells of a block could be
stopped, there is one rule for each of them: it needs the earlier ones free.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..errors import FormatError
from ..limits.watch import paced
from ..model.metrics import length_of
from ..model.rule import Motion, Rule, only
from ..puzzle.board import COMPASS, Board
from ..puzzle.draft import BLANK, NOTHING, WILD, Draft, Drawing
from ..puzzle.fitting import fit
from ..puzzle.ground import TURNS, Floor, Place
from ..puzzle.puzzle import Puzzle, RuleKind
from ..puzzle.tool import Tool
from . import common, sentences
from .common import Texts, Walled
from .pieces import BLANKS, EMPTY, SINGLE, Piece, check_words, lying, pieces_of, view_of
from .said import KEYS, said_of

Way = tuple[int, int]
"""A direction on a grid: (columns, rows)."""

End = Literal["stop", "edge", "endless"]
"""What is behind the last cell of a track: something that does not move, the edge, or the track itself again."""

EDGES = ("stops", "forbidden", "lost")

TILTED = ("tilt",)
"""The metrics of boards that tilt."""


@dataclass(frozen=True)
class Track:
    """The cells that a piece of one cell comes to in one direction on a board without other pieces."""

    origin: int
    cells: tuple[int, ...]
    end: End
    direction: str


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: glide`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft)
    _check_lines(draft, board)
    drawn = _placed(draft, board) if draft.anywhere else draft
    texts = common.texts_of(drawn, board)
    check_words(drawn, texts, board)
    said = said_of(drawn, board, texts, [*dict.fromkeys((BLANK, *texts.words))], stopping=True)
    ground = said.floor
    if draft.tilt:
        _check_tilt(draft, board, ground)
    gates = _gates(draft, texts, board, ground)
    kinds = pieces_of(drawn, texts, board, said, set(gates.values()))
    _check_blocks(draft, kinds, ground)
    view = view_of(kinds, texts, board, ground)
    common.check_number(len(view.letters))
    goals = common.goals_of(drawn, texts, view, said=said.goals_in(view, board))
    if _edge(draft) != "lost":
        common.check_counts(texts, dict.fromkeys(texts.start or ()))
    start = view.encode(texts.start) if texts.start else None
    rules = tuple(
        _steps(draft, board, ground, kinds, view, texts)
        if draft.tilt
        else _different(_rules(draft, board, ground, kinds, view, texts, gates))
    )
    anchor = view.encode(texts.whole) if texts.whole else None
    metrics = common.metrics_of(draft, rules, len(view.letters), anchor, TILTED if draft.tilt else KIND.counts[:-1])
    return Puzzle(
        name, KIND, board, view, len(view.letters), rules, metrics, start, goals, view.shapes,
        diagnostics=said.doubts(), laws=said.laws_in(view, board), floor=ground,
    )  # fmt: skip


def _edge(draft: Draft) -> str:
    return draft.edge or EDGES[0]


def _check_lines(draft: Draft, board: Board) -> None:
    """Raise FormatError for links, which have no directions, and for lines that come back to a cell."""
    if not board.straight:
        raise FormatError.at(draft.links[0][0], "links: expected lines: to glide along, found links")
    for words in draft.lines:
        if len(set(words)) < len(words):
            again = next(word for at, word in enumerate(words) if word in words[:at])
            raise FormatError.at(again, f"lines: expected every cell once on a line, found {str(again)!r} again")


def _gates(draft: Draft, texts: Texts, board: Board, ground: Floor) -> dict[int, str]:
    """Return the cells of deflectors that let one piece pass, with its letter."""
    if draft.gates is None:
        return {}
    words = fit(board, draft.gates)
    common.check_symbols(words, (WILD, *(w for w in texts.words if w != BLANK and w not in draft.fixed)), "gates")
    found = {cell: word for cell, word in enumerate(words) if word != WILD}
    for cell, word in found.items():
        if cell not in ground.deflectors:
            raise FormatError.at(word, f"gates: expected a deflector in the cell of {word}, found none")
    return found


def _check_blocks(draft: Draft, kinds: Sequence[Piece], ground: Floor) -> None:
    """Raise FormatError for blocks on a board with deflectors, or that could get lost."""
    block = next((kind for kind in kinds if len(kind.offsets) > 1), None)
    if block is not None and ground.deflectors:
        letter = block.letters[0]
        raise FormatError.at(
            draft.ground[0], f"expected pieces of one cell on a board with deflectors, found the block {letter}"
        )
    if block is not None and _edge(draft) == "lost":
        raise FormatError.at(
            draft.edge, f"expected pieces of one cell if they can be lost, found the block {block.letters[0]}"
        )


def _check_tilt(draft: Draft, board: Board, ground: Floor) -> None:
    """Raise FormatError for what has no meaning, or no clear one, if the whole board is tilted."""
    if not board.grid:
        raise FormatError.at(draft.lines[0][0] if draft.lines else "", "tilt: expected a grid to tilt, found lines")
    if draft.diagonals:
        raise FormatError.at(draft.place("diagonals"), "tilt: expected no diagonals, found 'diagonals: yes'")
    if draft.passing:
        raise FormatError.at(draft.place("passing"), "tilt: expected no goals in passing, found 'passing: yes'")
    if draft.edge == "forbidden":
        raise FormatError.at(draft.edge, "tilt: expected an edge that stops pieces or where they are lost, found this")
    if ground.stops or ground.deflectors:
        raise FormatError.at(draft.ground[0], "tilt: expected a ground with walls only, found stop cells or deflectors")


def _steps(
    draft: Draft, board: Board, ground: Floor, kinds: Sequence[Piece], view: Walled, texts: Texts
) -> Iterator[Rule]:
    """Yield for each direction the steps of one cell, those of the pieces in front first.

    A tilt makes steps until none is possible. Pieces without gaps in any row or column never stand in each other's way
    all round, so one at a time can go on as far as all together.
    """
    at = {place: cell for cell, place in enumerate(board.places)}
    walls = {cell for cell, _ in view.walls}
    symbols = len(view.letters)
    mask = sum(only(view.symbols[kind.letters[0]]) for kind in kinds if kind.offsets == SINGLE and not kind.fixed)
    for kind in kinds:
        if _has_gap(kind.offsets):
            word = next(word for word in texts.words if word in kind.letters)
            raise FormatError.at(word, f"tilt: expected blocks without gaps in a row or a column, found {word}")
    for way, direction in COMPASS.items():
        if 0 not in way:
            continue
        in_front = sorted(board.places, key=lambda place: -place[0] * way[0] - place[1] * way[1])
        for place in paced(in_front):
            ahead = at.get((place[0] + way[0], place[1] + way[1]))
            here = at[place]
            if here in walls:
                continue
            if mask and ahead is None and draft.edge == "lost" and not ground.wall(place, way):
                gone = ((EMPTY,) * symbols,)
                yield Rule(direction, (here,), (mask,), (0,), gone, Motion(-1, here, here, direction))
            if mask and ahead is not None and ahead not in walls and not ground.wall(place, way):
                motion = Motion(-1, here, ahead, direction)
                yield Rule(direction, (here, ahead), (mask, only(EMPTY)), (1, 0), (None, None), motion)
            for kind in kinds:
                before = lying(kind.offsets, place, at, ground)
                after = lying(kind.offsets, (place[0] + way[0], place[1] + way[1]), at, ground)
                if kind.offsets == SINGLE or before is None or after is None or not walls.isdisjoint((*before, *after)):
                    continue
                if not any(ground.wall(board.places[cell], way) for cell in before):
                    motion = Motion(view.symbols[kind.letters[0]], before[0], after[0], direction)
                    yield _shift(before, after, (), None, motion, view, 0)


def _has_gap(offsets: Sequence[Place]) -> bool:
    """Return whether some row or column of a piece is in several parts."""
    lines = [
        sorted(place[1 - axis] for place in offsets if place[axis] == line)
        for axis in (0, 1)
        for line in {place[axis] for place in offsets}
    ]
    return any(line[-1] - line[0] >= len(line) for line in lines)


def _placed(draft: Draft, board: Board) -> Draft:
    """Return the draft with every goal drawing at every place of the board where its pieces can be.

    They lie on cells, and in a cell with a fixed symbol there is only this symbol.
    """
    if draft.start is None:
        raise FormatError("anywhere: expected a drawing of the start, found none")
    if not board.grid:
        raise FormatError("anywhere: expected a grid, found a board of lines or links")
    if not draft.goals:
        raise FormatError("anywhere: expected a goal, found none")
    start = common.texts_of(replace(draft, goals=()), board).start or ()
    standing = {place: word for place, word in zip(board.places, start, strict=True) if word in draft.fixed}
    goals: list[Drawing] = []
    for goal in draft.goals:
        if not isinstance(goal, Drawing):
            raise FormatError.at(goal if isinstance(goal, str) else "", "anywhere: expected goals that are drawn")
        pattern = {
            (x, y): word
            for y, row in enumerate(row for row in goal.rows if row)
            for x, word in enumerate(row)
            if word not in (WILD, NOTHING)
        }
        if not pattern:
            raise FormatError.at(next(iter(goal.words), ""), "anywhere: expected a piece in the goal, found none")
        found = list(_places_of(pattern, goal.spaced, board, standing, draft.fixed))
        if not found:
            first = next(iter(pattern.values()))
            raise FormatError.at(first, "anywhere: expected a goal that fits on the board, found no place for it")
        goals += found
    return replace(draft, goals=tuple(dict.fromkeys(goals)))


def _places_of(
    pattern: Mapping[Place, str], spaced: bool, board: Board, standing: Mapping[Place, str], fixed: Collection[str]
) -> Iterator[Drawing]:
    """Yield the pattern at every place of the board; `standing` are the places of `fixed` symbols."""
    at = set(board.places)
    (left, top) = (min(place[axis] for place in pattern) for axis in (0, 1))
    height, width = len(board.rows), max(len(row) for row in board.rows)
    for shift_y in paced(range(-top, height - top)):
        for shift_x in range(-left, width - left):
            moved = {(x + shift_x, y + shift_y): word for (x, y), word in pattern.items()}
            fits = all(word == standing.get(place, "" if word in fixed else word) for place, word in moved.items())
            if fits and at.issuperset(moved):
                rows = (
                    tuple(NOTHING if cell is None else moved.get((x, y), WILD) for x, cell in enumerate(row))
                    for y, row in enumerate(board.rows)
                )
                yield Drawing(tuple(rows), spaced)


def _rules(
    draft: Draft,
    board: Board,
    ground: Floor,
    kinds: Sequence[Piece],
    view: Walled,
    texts: Texts,
    gates: Mapping[int, str],
) -> Iterator[Rule]:
    walls = {cell for cell, _ in view.walls}
    movable = [kind for kind in kinds if kind.offsets == SINGLE and not kind.fixed]
    every = sum(only(view.symbols[kind.letters[0]]) for kind in movable)
    occupied = (1 << len(view.letters)) - 1 - only(EMPTY)
    targets = _targets(draft, texts, view) if draft.passing else []
    for mask, floor in _floors(every, ground, gates, view):
        tracks = [track for track in _tracks(draft, board, floor, walls) if mask]
        for track in paced(tracks):
            yield from _glides(track, mask, occupied, _edge(draft), len(view.letters), board)
        for cell, symbol in targets:
            for track in tracks:
                if mask >> symbol & 1 and cell in track.cells and cell != track.origin:
                    yield _glide(track, track.cells.index(cell), only(symbol), None, board, f"to {board.names[cell]}")
    for kind in kinds:
        if kind.offsets != SINGLE:
            yield from _block_glides(kind, board, ground, walls, view, occupied, draft)


def _floors(every: int, ground: Floor, gates: Mapping[int, str], view: Walled) -> Iterator[tuple[int, Floor]]:
    """Yield the ground that each set of symbols meets: deflectors let the piece of their gate pass."""
    own = {view.symbols[letter] for letter in gates.values()}
    yield every & ~sum(map(only, own)), ground
    for symbol in sorted(own):
        passed = {cell for cell, letter in gates.items() if view.symbols[letter] == symbol}
        left = {cell: sign for cell, sign in ground.deflectors.items() if cell not in passed}
        yield only(symbol), replace(ground, deflectors=left)


def _different(rules: Iterable[Rule]) -> Iterable[Rule]:
    """Return the rules without those that do the same as an earlier or shorter one, along another line."""
    found: dict[tuple[object, ...], Rule] = {}
    for rule in paced(rules):
        effect = (rule.cells, rule.need, rule.source, rule.table)
        if effect not in found or length_of(rule) < length_of(found[effect]):
            found[effect] = rule
    return found.values()


def _tracks(draft: Draft, board: Board, ground: Floor, walls: set[int]) -> Iterator[Track]:
    """Yield the track from every cell in every direction."""
    if board.grid:
        at = {place: cell for cell, place in enumerate(board.places)}
        for cell in paced(range(board.cells)):
            for way, direction in COMPASS.items():
                if cell not in walls and (draft.diagonals or 0 in way):
                    yield _track(board, ground, walls, at, cell, way, direction)
        return
    for number, line in enumerate(paced(board.lines)):
        for chain, sense in ((line, "+"), (line[::-1], "-")):
            for index, cell in enumerate(chain):
                ahead = chain[index + 1 :]
                length = next((k for k, each in enumerate(ahead) if each in walls), len(ahead))
                if cell not in walls:
                    yield Track(cell, ahead[:length], "stop" if length < len(ahead) else "edge", f"{number}{sense}")


def _track(
    board: Board, ground: Floor, walls: set[int], at: Mapping[Place, int], origin: int, way: Way, direction: str
) -> Track:
    cells: list[int] = []
    seen: set[tuple[int, Way]] = set()
    here = origin
    while True:
        place = board.places[here]
        ahead = at.get((place[0] + way[0], place[1] + way[1]))
        if ground.wall(place, way) or ahead in walls:
            return Track(origin, tuple(cells), "stop", direction)
        if ahead is None:
            return Track(origin, tuple(cells), "edge", direction)
        if (ahead, way) in seen:
            return Track(origin, tuple(cells), "endless", direction)
        seen.add((ahead, way))
        cells.append(ahead)
        if ahead in ground.stops:
            return Track(origin, tuple(cells), "stop", direction)
        if ahead in ground.deflectors:
            way = TURNS[ground.deflectors[ahead]](*way)
        here = ahead


def _glides(track: Track, mask: int, occupied: int, edge: str, symbols: int, board: Board) -> Iterator[Rule]:
    """Yield the glides of the pieces `mask` along a track, one for each cell where they can be stopped."""
    origin, cells = track.origin, track.cells
    for at, ahead in enumerate(cells[1:]):
        if cells[at] != origin and ahead not in (origin, *cells[: at + 1]):
            yield _glide(track, at, mask, (ahead, occupied), board)
    if track.end == "stop" or (track.end == "edge" and edge == "stops"):
        if cells and cells[-1] != origin:
            yield _glide(track, len(cells) - 1, mask, None, board)
    elif track.end == "edge" and edge == "lost":
        passed = tuple(cell for cell in dict.fromkeys(cells) if cell != origin)
        gone = (EMPTY,) * symbols
        motion = Motion(-1, origin, cells[-1] if cells else origin, track.direction, whole=True, length=len(cells) + 1)
        needs = (mask, *(only(EMPTY),) * len(passed))
        tables = (gone, *(None,) * len(passed))
        yield Rule(_name(track, board), (origin, *passed), needs, tuple(range(len(needs))), tables, motion)


def _glide(track: Track, at: int, mask: int, stopper: tuple[int, int] | None, board: Board, how: str = "") -> Rule:
    """Return the glide to the cell `at` on a track.

    stopper  the cell whose piece stops it, with the symbols that it may show
    how      see `Motion.how`
    """
    target = track.cells[at]
    passed = tuple(cell for cell in dict.fromkeys(track.cells[: at + 1]) if cell not in (track.origin, target))
    cells = (track.origin, target, *passed)
    need = (mask, *(only(EMPTY),) * (len(cells) - 1))
    if stopper is not None:
        cells, need = (*cells, stopper[0]), (*need, stopper[1])
    motion = Motion(-1, track.origin, target, track.direction, whole=True, length=at + 1, how=how)
    name = _name(track, board)
    return Rule(name, cells, need, (1, 0, *range(2, len(cells))), (None,) * len(cells), motion)


def _name(track: Track, board: Board) -> str:
    if board.grid:
        return track.direction
    return f"{board.names[track.origin]}-{board.names[track.cells[-1] if track.cells else track.origin]}"


def _targets(draft: Draft, texts: Texts, view: Walled) -> list[tuple[int, int]]:
    """Return the cell and the piece of each goal; raise FormatError unless every goal shows one piece of one cell."""
    found: list[tuple[int, int]] = []
    if not texts.goals or len(texts.goals) < len(draft.goals):
        raise FormatError("passing: expected goals that are drawn")
    for goal in texts.goals:
        shown = [(cell, word) for cell, word in enumerate(goal) if word != WILD and word not in draft.fixed]
        if len(shown) != 1 or shown[0][1] == BLANK or view.size(view.symbols[shown[0][1]]) > 1:
            word = shown[1][1] if len(shown) > 1 else goal[0]
            raise FormatError.at(
                word, "passing: expected one piece of one cell in each goal, and '*' in all other cells"
            )
        found.append((shown[0][0], view.symbols[shown[0][1]]))
    return found


def _block_glides(
    kind: Piece, board: Board, ground: Floor, walls: set[int], view: Walled, occupied: int, draft: Draft
) -> Iterator[Rule]:
    """Yield the glides of a block from every place in every direction."""
    at = {place: cell for cell, place in enumerate(board.places)}
    symbol = view.symbols[kind.letters[0]]
    for (x, y), (way, direction) in paced((place, way) for place in board.places for way in COMPASS.items()):
        first = lying(kind.offsets, (x, y), at, ground)
        if first is None or not walls.isdisjoint(first) or not (draft.diagonals or 0 in way):
            continue
        here, passed, length = first, tuple[int, ...](), 0
        while True:
            length += 1
            places = [(board.places[cell][0] + way[0], board.places[cell][1] + way[1]) for cell in here]
            entered = [place for place in places if place not in {board.places[cell] for cell in here}]
            ahead = lying(kind.offsets, (x + length * way[0], y + length * way[1]), at, ground)
            fronts = tuple(at[place] for place in entered if place in at)
            fixed = any(ground.wall(board.places[cell], way) for cell in here) or not walls.isdisjoint(fronts)
            fixed |= ahead is None and len(fronts) == len(entered)  # it would lie across a wall
            fixed |= length > 1 and not ground.stops.isdisjoint(here)
            if length > 1:
                motion = Motion(symbol, first[0], here[0], direction, whole=True, length=length - 1)
                if fixed or (ahead is None and _edge(draft) == "stops"):
                    yield _shift(first, here, passed, None, motion, view, occupied)
                else:
                    for number, stopper in enumerate(fronts):
                        free = (*passed, *fronts[:number])
                        yield _shift(first, here, free, stopper, motion, view, occupied)
            if fixed or ahead is None:
                break
            here, passed = ahead, (*passed, *fronts)


def _shift(
    before: Sequence[int], after: Sequence[int], free: Sequence[int], stopper: int | None, motion: Motion,
    view: Walled, occupied: int,
) -> Rule:  # fmt: skip
    """Return the rule that moves a block, with the cells that change, those that must be free, and the stopper."""
    body = 1
    old = {cell: motion.shape if cell == before[0] else body for cell in before}
    new = {cell: motion.shape if cell == after[0] else body for cell in after}
    changed = {cell for cell in {*before, *after} if old.get(cell, EMPTY) != new.get(cell, EMPTY)}
    needs = {cell: only(old.get(cell, EMPTY)) for cell in sorted(changed)} | {cell: only(EMPTY) for cell in free}
    if stopper is not None:
        needs[stopper] = occupied
    tables = tuple((new.get(cell, EMPTY),) * len(view.letters) if cell in changed else None for cell in needs)
    return Rule(motion.direction, tuple(needs), tuple(needs.values()), tuple(range(len(needs))), tables, motion)


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the rule, what the edge does, the pieces, and the lines along which they glide."""
    draft = puzzle.draft
    edge = _edge(draft) if draft is not None else EDGES[0]
    diagonals = draft is not None and draft.diagonals
    how = (
        "in a row, a column or a diagonal"
        if diagonals
        else "in a row or a column"
        if puzzle.board.grid
        else "along a line"
    )
    stops = {
        "stops": "a piece, a wall or the edge stops it",
        "forbidden": "a piece or a wall stops it; it may not leave the board",
        "lost": "a piece or a wall stops it; a piece that leaves the board is lost",
    }[edge]
    lines = [f"Rule: a piece glides {how} until {stops}; the blank is '{BLANK}'."]
    if draft is not None and draft.tilt:
        lines.append("One move tilts the board: all pieces glide in the same direction until none can go on.")
    ground = puzzle.ground
    names = puzzle.board.names
    if ground.stops:
        lines.append(f"Every piece stops in: {sentences.listed([names[cell] for cell in sorted(ground.stops)])}.")
    if ground.deflectors:
        turned = [f"{names[cell]} {sign}" for cell, sign in sorted(ground.deflectors.items())]
        lines.append(f"Deflectors turn a piece that comes to: {sentences.listed(turned)}.")
    lines += [f"The deflector in {names[cell]} lets {letter} pass." for cell, letter in sorted(puzzle.gates.items())]
    if draft is not None and draft.passing:
        lines.append("A piece may also stop on its goal cell when it comes over it.")
    if draft is not None and draft.anywhere:
        lines.append("The goal counts at any place of the board.")
    return [*lines, *sentences.pieces(puzzle), *sentences.lines(puzzle), *sentences.said(puzzle)]


KIND = RuleKind(
    "glide", build, in_words,
    keys=(
        "diagonals", "blocks", "apart", "fixed", "distinct", "gates", "edge", "passing", "anywhere", "tilt", *KEYS,
    ),
    counts=("piece", "step", *TILTED),
    metrics={
        "piece": "one glide of one piece", "step": "one cell that a piece travels", "tilt": "one tilt of the board",
    },
    play="send", blanks=BLANKS, sentences=True,
    tool=Tool("pieces glide on", "pieces go on until something stops them."),
)  # fmt: skip
