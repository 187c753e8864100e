"""`rule: push`: a player walks on free cells and pushes a box into the free cell behind it (Sokoban).

A step of the player is a rule that is `free`: it costs nothing in the metrics `push` and `run`. A push is one rule for
each player's cell and direction: it needs the player, a box in the next cell and the cell behind it blank, and moves
both. Its motion is that of the box. With `pull: yes` there is the same rule backwards.

A box of several cells has its own rules, one for each place, direction and cell of the player beside it. The player and
the box move together, so the cell that the player leaves counts as free. The player's new cell is always left by the
box: the box would come into it from the player's old cell, where the player stands. If the player stands between two
cells of a box, a push and a pull are the same rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from ..errors import FormatError
from ..limits.watch import paced
from ..model.rule import Motion, Rule, only
from ..puzzle.board import COMPASS, Board
from ..puzzle.draft import BLANK, PLAYER, WILD, CountGoal, Draft
from ..puzzle.ground import Floor
from ..puzzle.puzzle import Puzzle, RuleKind
from ..puzzle.tool import Tool
from ..puzzle.walking import check_boxes, check_player, unmanned
from . import common, sentences
from .common import Texts, Walled
from .pieces import BLANKS, EMPTY, SINGLE, Piece, check_words, lying, pieces_of, view_of
from .said import KEYS, said_of
from .sentences import Unworded

PULL = "pull"
"""What names of moves say of a box that is pulled."""


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: push`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft)
    _check_lines(draft, board)
    texts = common.texts_of(draft, board)
    check_words(draft, texts, board, "free cell to push a box into")
    _check_players(draft, texts)
    said = said_of(draft, board, texts, [*dict.fromkeys((BLANK, PLAYER, *texts.words))], PLAYER)
    floor = said.floor
    kinds = pieces_of(_boxed(draft, texts), texts, board, said, {PLAYER})
    view = view_of(kinds, texts, board, floor)
    symbols, walls = len(view.letters), {cell for cell, _ in view.walls}
    common.check_number(symbols)
    player = view.symbols[PLAYER]
    goals = common.goals_of(draft, texts, view, said=said.goals_in(view, board))
    goals = tuple(unmanned(goal, EMPTY, player) for goal in goals)
    single = [kind for kind in kinds if kind.letters[0] != PLAYER and kind.offsets == SINGLE and not kind.fixed]
    boxes = sum(only(view.symbols[kind.letters[0]]) for kind in single)
    rules = (*_rules(board, player, boxes, draft.pull, floor, walls), *_block_rules(draft, board, kinds, view, floor))
    start = view.encode(texts.start or ())
    return Puzzle(
        name, KIND, board, view, symbols, rules, _metrics(draft, said), start, goals, view.shapes,
        diagnostics=said.doubts(), laws=said.laws_in(view, board), floor=floor,
    )  # fmt: skip


def _check_lines(draft: Draft, board: Board) -> None:
    """Raise FormatError for links, which have no directions, and for steps with several directions."""
    if not board.straight:
        raise FormatError.at(draft.links[0][0], "links: expected lines: to push along, found links")
    double = next((cells for cells, directions in board.directions.items() if len(directions) > 1), None)
    if double is not None:
        one, other = (board.names[cell] for cell in double)
        raise FormatError.at(
            draft.lines[0][0], f"lines: expected {one} and {other} as neighbours on one line, found two"
        )


def _check_players(draft: Draft, texts: Texts) -> None:
    """Raise FormatError unless the start has a player and the goals have none, and enough boxes."""
    if texts.start is None:
        raise FormatError("start: expected a drawing of the start, found none")
    check_player(texts.start, "start: ")
    player = next((word for word in draft.fixed if word == PLAYER), None)
    if player is not None:
        raise FormatError.at(player, "fixed: expected the letters of walls, found the player")
    for goal in draft.goals:
        if isinstance(goal, CountGoal) or goal == "start":
            raise FormatError.at(
                goal if isinstance(goal, str) else "", "goal: expected a drawing of the boxes, or a sentence about them"
            )
    for goal in texts.goals:
        check_boxes(goal, "goal: ")
        left = list(texts.start)
        for word in goal:
            if word not in (BLANK, WILD):
                if word not in left and texts.shared is None:
                    raise FormatError.at(word, f"goal: expected at most as many {word} as in the start, found more")
                if word in left:
                    left.remove(word)


def _boxed(draft: Draft, texts: Texts) -> Draft:
    """Return the draft whose lists of blocks have no player. Raises FormatError if a list names it."""
    boxes = tuple(dict.fromkeys(str(word) for word in texts.words if word not in (BLANK, PLAYER)))
    for key, words in (("blocks", draft.blocks), ("apart", draft.apart)):
        for word in words if words != "all" else ():
            if word in (BLANK, PLAYER):
                raise FormatError.at(word, f"{key}: expected the letter of a box, found {str(word)!r}")
    blocks, apart = (boxes if words == "all" else words for words in (draft.blocks, draft.apart))
    return replace(draft, blocks=blocks, apart=apart)


def _metrics(draft: Draft, said: Unworded) -> tuple[str, ...]:
    """Return the metrics, the one of `count:` first. Raises FormatError for another one.

    If walking is free, positions that differ in the player alone are one: nothing can be said of the player.
    """
    names, hint = tuple(KIND.counts), ""
    if said.laws or said.told[PLAYER] != said.told[BLANK]:
        names = ("move",)
        hint = "with free walking, positions are neither forbidden nor distinguished by where the player is"
    chosen = draft.count or names[0]
    if chosen not in names:
        wanted = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        raise FormatError.at(chosen, f"count: expected {wanted} for rule push, found {str(chosen)!r}", hint)
    return (str(chosen), *(name for name in names if name != chosen))


def _rules(board: Board, player: int, boxes: int, pull: bool, floor: Floor, walls: Set[int]) -> Iterator[Rule]:
    """Yield the steps of a player, the pushes and the pulls."""
    carried = (None, None, None)
    for a, b, direction in paced(board.steps):
        if floor.parts(board, a, b) or not walls.isdisjoint((a, b)):
            continue
        motion = Motion(-1, a, b, direction, free=True)
        yield Rule(_name(board, direction, a, b), (a, b), (only(player), only(EMPTY)), (1, 0), (None, None), motion)
    if not boxes:
        return
    for a, b, c, direction in paced(board.jumps):
        if len({a, b, c}) < 3 or floor.parts(board, a, b, c) or not walls.isdisjoint((a, b, c)):
            continue
        name = _name(board, direction, b, c)
        motion = Motion(-1, b, c, direction)
        yield Rule(name, (a, b, c), (only(player), boxes, only(EMPTY)), (2, 0, 1), carried, motion)
        if pull:
            name, motion = _name(board, direction, a, b), Motion(-1, a, b, direction, how=PULL)
            yield Rule(f"{PULL} {name}", (a, b, c), (boxes, only(player), only(EMPTY)), (2, 0, 1), carried, motion)


def _block_rules(draft: Draft, board: Board, kinds: Sequence[Piece], view: Walled, floor: Floor) -> Iterator[Rule]:
    """Yield the pushes and the pulls of boxes of several cells."""
    at = {place: cell for cell, place in enumerate(board.places)}
    ways = [way for way in COMPASS if draft.diagonals or 0 in way]
    for kind in kinds:
        if kind.offsets == SINGLE:
            continue
        for (x, y), (dx, dy) in paced((place, way) for place in board.places for way in ways):
            before, after = (lying(kind.offsets, (x + k * dx, y + k * dy), at, floor) for k in (0, 1))
            if before is None or after is None or any(floor.wall(board.places[cell], (dx, dy)) for cell in before):
                continue
            motion = Motion(view.symbols[kind.letters[0]], before[0], after[0], COMPASS[dx, dy])
            for cell in before:
                column, row = board.places[cell]
                beside, beyond = (at.get((column + k * dx, row + k * dy)) for k in (1, 2))
                player = at.get((column - dx, row - dy))
                if player is not None and player not in before and not floor.parts(board, player, cell):
                    yield _shift("", player, cell, before, after, motion, view)
                if not draft.pull or beside is None or beyond is None or {beside, beyond} & {*before}:
                    continue
                if not floor.parts(board, cell, beside, beyond):
                    pulled = replace(motion, how=f"{PULL} from {board.names[beside]}")
                    yield _shift(f"{PULL} ", beside, beyond, before, after, pulled, view)


def _shift(
    how: str, leaves: int, enters: int, before: Sequence[int], after: Sequence[int], motion: Motion, view: Walled,
) -> Rule:  # fmt: skip
    """Return the rule that moves a player from one cell to the next, and a box of several cells with it."""
    body, player, symbols = 1, view.symbols[PLAYER], len(view.letters)
    old = {cell: motion.shape if cell == before[0] else body for cell in before} | {leaves: player}
    new = {cell: motion.shape if cell == after[0] else body for cell in after} | {enters: player}
    cells = [cell for cell in sorted({*old, *new}) if old.get(cell, EMPTY) != new.get(cell, EMPTY)]
    needs = [old.get(cell, EMPTY) for cell in cells]
    rule = Rule.put(how + motion.direction, cells, needs, [new.get(cell, EMPTY) for cell in cells], symbols, motion)
    here, there = cells.index(leaves), cells.index(enters)
    source = tuple(here if index == there else index for index in rule.source)
    return replace(rule, source=source, table=tuple(None if k == there else t for k, t in enumerate(rule.table)))


def _name(board: Board, direction: str, origin: int, target: int) -> str:
    return direction if board.grid and direction else f"{board.names[origin]}-{board.names[target]}"


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the rule, what the player can do, and the lines along which boxes are pushed."""
    pull = puzzle.draft is not None and puzzle.draft.pull
    how = {
        (False, False): "pushes a box into the free cell behind it",
        (False, True): "pushes a box into the free cell behind it, or pulls one along",
        (True, False): "pushes a box into the free cells behind it",
        (True, True): "pushes a box into the free cells behind it, or pulls one along",
    }[puzzle.shapes is not None, pull]
    return [
        f"Rule: the player '{PLAYER}' walks on free cells ('{BLANK}') and {how}.",
        *sentences.pieces(puzzle),
        *sentences.lines(puzzle, shortest=2),
        *sentences.said(puzzle),
    ]


KIND = RuleKind(
    "push", build, in_words, keys=("diagonals", "blocks", "apart", "fixed", "distinct", "pull", *KEYS),
    counts=("push", "move", "run"),
    metrics={
        "push": "one box pushed one cell; walking is free",
        "move": "one step of the player, with or without a box",
        "run": "one box pushed on in a straight line, however far; walking is free",
    },
    blanks=BLANKS,
    named="cells", play="walk", sentences=True,
    tool=Tool("boxes are pushed", "the player `@` pushes boxes."),
)  # fmt: skip
