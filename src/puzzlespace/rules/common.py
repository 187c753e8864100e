"""The common parts of the rule kinds: the board of a draft, drawings fitted to it, symbols, goals, metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import FormatError, InputError, plural
from ..model.goal import Goal
from ..model.metrics import counted
from ..model.rule import ANY, MAX_SYMBOLS, Rule
from ..puzzle.board import Board, grid, named
from ..puzzle.draft import BLANK, NOTHING, WILD, CountGoal, Draft, Drawing, Known
from ..puzzle.fitting import fit
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle, open_goal

MOST_CELLS = 1024
"""The most cells of a board: far more than can be searched, and few enough to build quickly."""


def board_of(draft: Draft, *, ragged: bool = False) -> Board:
    """Return the board: drawn or named, else the grid of the first drawing, with the lines or links of the draft.

    ragged  whether its rows may differ in length without lines or links; then it is not a grid
    Raises FormatError at the word that is wrong.
    """
    board = _base(draft, ragged)
    if board.cells > MOST_CELLS:
        raise FormatError(f"board: expected at most {MOST_CELLS:,} cells, found {board.cells:,}")
    if draft.lines and draft.links:
        raise FormatError.at(draft.links[0][0], "expected either lines or links, found both")
    if draft.lines:
        board = _freed(board, [tuple(_cells(board, line)) for line in draft.lines], straight=True)
        try:
            assert board.stretches
        except InputError as error:
            raise FormatError.at(draft.lines[0][0], str(error)) from None
        return board
    if draft.links:
        pairs = [(name, other) for name, others in draft.links for other in others]
        return _freed(board, [tuple(_cells(board, pair)) for pair in pairs], straight=False)
    return board


def _base(draft: Draft, ragged: bool) -> Board:
    if isinstance(draft.board, Drawing):
        return _drawn(draft, draft.board, ragged)
    if draft.board is not None:
        try:
            return named(draft.board, diagonals=draft.diagonals)
        except InputError as error:
            raise FormatError.at(draft.board[0], str(error)) from None
    drawing = draft.start or next((goal for goal in draft.goals if isinstance(goal, Drawing)), None)
    if drawing is None:
        raise FormatError("start: expected a drawing of the start, the goal or the board, found none")
    return grid(_places(drawing), diagonals=draft.diagonals)


def _drawn(draft: Draft, drawing: Drawing, ragged: bool) -> Board:
    """Return the board whose cells are named in a drawing; with lines or links, its rows may have any length."""
    for word, count in Counter(drawing.words).items():
        if count > 1:
            second = [each for each in drawing.words if each == word][1]
            raise FormatError.at(second, f"expected every cell once on the board, found {str(word)!r} {count} times")
    uneven = len({len(row) for row in drawing.rows if row}) > 1
    if not draft.lines and not draft.links and not (ragged and uneven):
        return grid(_places(drawing), diagonals=draft.diagonals, names=[str(word) for word in drawing.words])
    columns = drawing.columns or tuple(tuple(range(0, 2 * len(row), 2)) for row in drawing.rows)
    rows: list[tuple[int, ...]] = []
    kept: list[tuple[int, ...]] = []
    count = 0
    for row, where in zip(drawing.rows, columns, strict=True):
        here = tuple(column for word, column in zip(row, where, strict=True) if word != NOTHING)
        if here:
            rows.append(tuple(range(count, count + len(here))))
            kept.append(here)
            count += len(here)
    return Board(tuple(map(str, drawing.words)), tuple(rows), (), grid=False, columns=tuple(kept))


def _places(drawing: Drawing) -> list[list[bool]]:
    """Return which places of a rectangular drawing have a cell."""
    rows = [row for row in drawing.rows if row]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FormatError.at(
                row[min(len(row), len(rows[0]) + 1) - 1],
                f"expected {len(rows[0])} places in row {number} as in row 1, found {len(row)}",
            )
    if not drawing.words:
        raise FormatError.at(rows[0][0] if rows else "", "expected a drawing with at least one cell, found none")
    return [[word != NOTHING for word in row] for row in rows]


def _cells(board: Board, line: Sequence[str]) -> Iterator[int]:
    if len(line) < 2:
        raise FormatError.at(line[0] if line else "", "expected at least two cells on a line, found one")
    before = None
    for word in line:
        cell = cell_of(board, word)
        if cell == before:
            raise FormatError.at(word, f"expected another cell after {str(word)!r}, found it again")
        before = cell
        yield cell


def _freed(board: Board, lines: Sequence[tuple[int, ...]], *, straight: bool) -> Board:
    """Return the board with these lines instead of its own; the result is not a grid."""
    rows = tuple(tuple(cell for cell in row if cell is not None) for row in board.rows)
    columns = board.columns or tuple(
        tuple(2 * x for x, cell in enumerate(row) if cell is not None) for row in board.rows
    )
    kept = [index for index, row in enumerate(rows) if row]
    return Board(
        board.names,
        tuple(rows[index] for index in kept),
        tuple(dict.fromkeys(lines)),
        grid=False,
        columns=tuple(columns[index] for index in kept),
        straight=straight,
    )


def cell_of(board: Board, word: str) -> int:
    """Return the cell of that name; raise FormatError at the word if there is none."""
    cell = board.cell(word)
    if cell is None:
        raise FormatError.at(word, f"expected the name of a cell, found {str(word)!r}")
    return cell


@dataclass(frozen=True)
class Texts:
    """The drawings of a draft, one word for each cell of the board: the start, if there is one, and the drawn goals.

    shared  `Draft.shared`: the symbols of all rules of a file with several
    """

    cells: int
    start: tuple[str, ...] | None
    goals: tuple[tuple[str, ...], ...]
    shared: tuple[str, ...] | None = None

    @property
    def words(self) -> Iterator[str]:
        """Every word of start and goals except '*', in reading order, and every symbol of other rules."""
        for words in (self.start or (), *self.goals, self.shared or ()):
            yield from (word for word in words if word != WILD)

    @property
    def known(self) -> tuple[str, ...]:
        """The words of the symbols that there are: those of the start, or of all drawings, and of other rules."""
        return (*self.start, *(self.shared or ())) if self.start else tuple(self.words)

    @property
    def whole(self) -> tuple[str, ...] | None:
        """The start, else the first goal without '*': it determines the pieces."""
        return self.start or next((goal for goal in self.goals if WILD not in goal), None)

    def standing(self, fixed: Collection[str], symbols: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
        """Return the cells of fixed letters, each with its symbol; none if other rules may move them."""
        if self.shared is not None:
            return ()
        return tuple((cell, symbols[word]) for cell, word in enumerate(self.whole or ()) if word in fixed)


@dataclass(frozen=True)
class Walled(Letters):
    """Letters of a puzzle that may have fixed symbols."""

    def encode(self, words: Sequence[str]) -> bytes:
        position = super().encode(words)
        standing = dict(self.walls)
        fixed = set(standing.values())
        for cell, symbol in enumerate(position):
            if standing.get(cell, -1) != (symbol if symbol in fixed else -1):
                raise FormatError.at(
                    words[cell], f"expected fixed symbols where the start has them, found {str(words[cell])!r} here"
                )
        return position


def texts_of(draft: Draft, board: Board) -> Texts:
    """Return start and goals fitted to the board; raise FormatError if a row or a word does not fit."""
    start = _fitted(board, draft.start) if draft.start else None
    for word in start or ():
        if word == WILD:
            raise FormatError.at(word, "expected a symbol in the start, found '*' (only goals may leave cells open)")
    goals = tuple([_fitted(board, goal) for goal in draft.goals if isinstance(goal, Drawing)])
    return Texts(board.cells, start, goals, draft.shared)


def _fitted(board: Board, drawing: Drawing) -> tuple[str, ...]:
    """Return the words of a drawing, as `fit` does; on a grid every row of the board has a row of its own."""
    rows = [row for row in drawing.rows if row]
    if board.grid and len(rows) == 1 < len(board.rows):
        raise FormatError.at(
            rows[0][0],
            f"expected {plural(len(board.rows), 'row')}, found {len(rows)}",
            "'/' ends a row of a drawing on one line",
        )
    return fit(board, drawing)


def check_symbols(words: Iterable[str], known: Iterable[str], key: str = "") -> None:
    """Raise FormatError at the first word that is not a known symbol; `key` is the key of the words."""
    symbols = list(dict.fromkeys(known))
    for word in words:
        if word not in symbols:
            where = f"{key}: " if key else ""
            raise FormatError.at(word, f"{where}expected one of the symbols {' '.join(symbols)}, found {str(word)!r}")


def check_number(symbols: int) -> None:
    """Raise FormatError if there are more symbols than a position can hold."""
    if symbols > MAX_SYMBOLS:
        raise FormatError(f"expected at most {MAX_SYMBOLS} different symbols, found {symbols}")


def check_counts(texts: Texts, symbols: Iterable[str]) -> None:
    """Raise FormatError if a goal without '*' does not show one of these symbols as often as the start.

    Of several rules another one may change the numbers.
    """
    if texts.start is None or texts.shared is not None:
        return
    here = Counter(texts.start)
    for goal in texts.goals:
        there = Counter(goal)
        for symbol in symbols if WILD not in goal else ():
            if here[symbol] != there[symbol]:
                word = next((word for word in goal if word == symbol), goal[0])
                raise FormatError.at(
                    word,
                    f"expected {str(symbol)!r} as often in the goal as in the start, "
                    f"found it {here[symbol]} times in the start and {there[symbol]} times in the goal",
                    OPEN_CELLS if there[BLANK] > here[BLANK] else "",
                )


OPEN_CELLS = f"{BLANK!r} in a goal is a blank; {WILD!r} is a cell with anything in it"
"""The hint for a goal with too many blanks."""


def natural(word: str) -> tuple[int, int, str]:
    """Return a sort key: numbers by value, then other words by their letters."""
    number = word.isascii() and word.isdecimal() and len(word) < 10
    return (0, int(word), word) if number else (1, 0, word)


def goals_of(
    draft: Draft, texts: Texts, view: Walled, any_peg: Goal | None = None, said: Sequence[Goal | None] = ()
) -> tuple[Goal, ...]:
    """Return the goals of a draft. Raises FormatError.

    any_peg  the goal 'any one peg'; None if the rule kind does not have it
    said     for each goal of the draft that is a sentence what it means
    """
    drawn = iter(texts.goals)
    found: list[Goal] = []
    for number, goal in enumerate(draft.goals, 1):
        sentence = said[number - 1] if said else None
        if sentence is not None:
            found.append(sentence)
        elif isinstance(goal, Drawing):
            found.append(open_goal(next(drawn), view))
        elif isinstance(goal, CountGoal):
            place = draft.place(f"goal {number}" if number > 1 else "goal")
            found.append(_count_goal(goal, place, texts, view, any_peg))
        elif texts.start is None:
            raise FormatError.at(goal, "goal: expected a start to come back to, found none")
        else:
            found.append(Goal.exactly(view.encode(texts.start)))
    return tuple(dict.fromkeys(found))


def _count_goal(goal: CountGoal, place: str, texts: Texts, view: Walled, any_peg: Goal | None) -> Goal:
    if goal.symbol is None:
        if any_peg is None:
            raise FormatError.at(place, "goal: expected a drawing, found 'any one peg' in a puzzle without jumps")
        return any_peg
    check_symbols([goal.symbol], view.symbols, "goal")
    if goal.count > texts.cells:
        raise FormatError.at(goal.symbol, f"goal: expected a count up to {texts.cells}, found {goal.count}")
    symbol = view.symbols[goal.symbol]
    pieces, rest = divmod(goal.count, view.size(symbol))
    return Goal((ANY,) * texts.cells, ((symbol, texts.cells + 1 if rest else pieces),))  # a count that is never met


def metrics_of(
    draft: Draft, rules: Sequence[Rule], symbols: int, position: bytes | None, names: Sequence[str]
) -> tuple[str, ...]:
    """Return the metrics of the puzzle, the one of `count:` first.

    With `forbid:` they are those whose moves are single rules, because a longer move would pass positions.

    position  a position with all pieces
    names     the metrics of the rule kind, `step` first
    Raises FormatError if `count:` has another metric, or if it is missing and the metrics differ (except `multi`).
    """
    if draft.count and draft.count not in names:
        raise FormatError.at(
            draft.count,
            f"count: expected one of {', '.join(names)} for rule {draft.rule}, found {str(draft.count)!r}",
        )
    if draft.changes.get("forbid"):
        names = _single(draft, rules, symbols, position, names)
    if draft.count:
        return (str(draft.count), *(name for name in names if name != draft.count))
    asked = [name for name in names if name != "multi"]
    if len(asked) > 1 and any(counted(name, rules, symbols, position)[1].after for name in asked):
        choice = f"{', '.join(asked[:-1])} or {asked[-1]}"
        raise FormatError(f"count: must say what one move is: {choice} (they differ for this puzzle)")
    return tuple(names)


def _single(
    draft: Draft, rules: Sequence[Rule], symbols: int, position: bytes | None, names: Sequence[str]
) -> tuple[str, ...]:
    """Return the metrics in which every move is one rule, for a puzzle with forbidden positions. Raises FormatError."""
    found: list[str] = []
    for name in names:
        metric = counted(name, rules, symbols, position)[1]
        if not (metric.after or metric.free or metric.exhausts):
            found.append(name)
    if not found:
        raise FormatError("forbid: expected moves of one step each, found moves that go on until nothing can move")
    if draft.count and draft.count not in found:
        raise FormatError.at(
            draft.count,
            f"count: expected {' or '.join(found)} beside 'forbid:', found {str(draft.count)!r}",
            f"a longer move passes positions, which may be forbidden; 'count: {found[0]}' looks at each of them",
        )
    return tuple(found)


def dressed(draft: Draft, puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with the draft's titles, looks and known numbers; raise FormatError if these do not fit."""
    letters = puzzle.view.symbols if isinstance(puzzle.view, Letters) else ()
    check_symbols((look.symbol for look in draft.picture), letters, "picture")
    for known in draft.known:
        if known.metric and known.metric not in puzzle.metrics:
            raise FormatError.at(
                known.metric,
                f"known: expected one of the metrics {', '.join(puzzle.metrics)}, found {str(known.metric)!r}",
            )
    drawing = draft.start or next((goal for goal in draft.goals if isinstance(goal, Drawing)), None)
    return replace(
        puzzle,
        titles=draft.titles,
        known=draft.known,
        picture=draft.picture,
        spaced=drawing is None or drawing.spaced,
        draft=draft,
        diagnostics=(*draft.diagnostics, *puzzle.diagnostics),
    )


def sizes(text: str, form: str, *bounds: tuple[int, int]) -> tuple[int, ...]:
    """Return the whole numbers of a family spec such as 'slide:4x4' (form 'slide:WxH'), each within its bounds.

    Raises InputError with the form and the bounds.
    """
    family, _, shape = form.partition(":")
    between = "x" if "x" in shape else ","
    words = text.split(between)
    fits = len(words) == len(bounds) and all(
        word.isascii() and word.isdecimal() and len(word) < 4 and low <= int(word) <= high
        for word, (low, high) in zip(words, bounds, strict=True)
    )
    if not fits:
        names = ", ".join(
            f"{name} from {low} to {high}" for name, (low, high) in zip(shape.split(between), bounds, strict=True)
        )
        raise InputError(f"puzzle: expected {form} with {names}, found {f'{family}:{text}'!r}")
    return tuple(map(int, words))


def known(source: str, metric: str = "", **numbers: int) -> tuple[Known, ...]:
    """Return known numbers (states, depth, hardest, solution …) with their source."""
    return tuple(Known(what, value, metric=metric, source=source) for what, value in numbers.items())


def rows_of(words: Sequence[str], width: int) -> Drawing:
    """Return the drawing of a full grid with `width` words in each row."""
    rows = tuple(tuple(words[at : at + width]) for at in range(0, len(words), width))
    return Drawing(rows, spaced=width > 1 or any(len(word) > 1 for word in words))
