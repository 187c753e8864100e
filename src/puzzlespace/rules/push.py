"""`rule: push`: a player walks on free cells and pushes a box into the free cell behind it (Sokoban).

A step of the player is a rule that is `free`: it costs nothing in the metrics `push` and `run`. A push is one rule for
each player's cell and direction: it needs the player, a box in the next cell and the cell behind it blank, and moves
both. Its motion is that of the box. With `pull: yes` there is the same rule backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..errors import FormatError
from ..limits.watch import paced
from ..model.model import Goal, Motion, Rule, only
from ..puzzle.board import Board
from ..puzzle.draft import BLANK, PLAYER, WILD, Draft, Drawing
from ..puzzle.puzzle import Puzzle, RuleKind
from . import common, sentences
from .common import Texts
from .pieces import EMPTY, check_words, pieces_of, view_of

METRICS = ("push", "move", "run")


def build(draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with `rule: push`; raise FormatError at the word that is wrong."""
    board = common.board_of(draft)
    _check_lines(draft, board)
    texts = common.texts_of(draft, board)
    check_words(draft, texts, board)
    _check_players(draft, texts)
    kinds = pieces_of(draft, texts, board, {PLAYER})
    view = view_of(kinds, texts, board)
    symbols = len(view.letters)
    common.check_number(symbols)
    player = view.symbols[PLAYER]
    goals = tuple(_unmanned(goal, player) for goal in common.goals_of(draft, texts, view))
    boxes = sum(only(view.symbols[kind.letters[0]]) for kind in kinds if kind.letters[0] != PLAYER)
    rules = tuple(_rules(board, player, boxes, draft.pull))
    return Puzzle(name, KIND, board, view, symbols, rules, _metrics(draft), view.encode(texts.start or ()), goals)


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
    if PLAYER not in texts.start:
        raise FormatError.at(texts.start[0], f"start: expected a player '{PLAYER}', found none")
    for goal in draft.goals:
        if not isinstance(goal, Drawing):
            raise FormatError.at(goal if isinstance(goal, str) else "", "goal: expected a drawing of the boxes")
    for goal in texts.goals:
        left = list(texts.start)
        for word in goal:
            if word == PLAYER:
                raise FormatError.at(word, f"goal: expected boxes, '{BLANK}' or '{WILD}', found the player")
            if word not in (BLANK, WILD):
                if word not in left:
                    raise FormatError.at(word, f"goal: expected at most as many {word} as in the start, found more")
                left.remove(word)


def _metrics(draft: Draft) -> tuple[str, ...]:
    """Return the metrics, the one of `count:` first. Raises FormatError for another one."""
    chosen = draft.count or METRICS[0]
    if chosen not in METRICS:
        wanted = f"{', '.join(METRICS[:-1])} or {METRICS[-1]}"
        raise FormatError.at(chosen, f"count: expected {wanted} for rule push, found {str(chosen)!r}")
    return (str(chosen), *(name for name in METRICS if name != chosen))


def _unmanned(goal: Goal, player: int) -> Goal:
    """Return a goal of boxes: a player may be in any cell that must be without a box."""
    return replace(goal, need=tuple(need | only(player) if need == only(EMPTY) else need for need in goal.need))


def _rules(board: Board, player: int, boxes: int, pull: bool) -> Iterator[Rule]:
    """Yield the steps of a player, the pushes and the pulls."""
    carried = (None, None, None)
    for a, b, direction in paced(board.steps):
        motion = Motion(-1, a, b, direction, free=True)
        yield Rule(_name(board, direction, a, b), (a, b), (only(player), only(EMPTY)), (1, 0), (None, None), motion)
    if not boxes:
        return
    for a, b, c, direction in paced(board.jumps):
        if len({a, b, c}) < 3:
            continue
        name = _name(board, direction, b, c)
        motion = Motion(-1, b, c, direction)
        yield Rule(name, (a, b, c), (only(player), boxes, only(EMPTY)), (2, 0, 1), carried, motion)
        if pull:
            name, motion = _name(board, direction, a, b), Motion(-1, a, b, direction)
            yield Rule(f"pull {name}", (a, b, c), (boxes, only(player), only(EMPTY)), (2, 0, 1), carried, motion)


def _name(board: Board, direction: str, origin: int, target: int) -> str:
    return direction if board.grid and direction else f"{board.names[origin]}-{board.names[target]}"


def in_words(puzzle: Puzzle) -> list[str]:
    """Return the rule, what the player can do, and the lines along which boxes are pushed."""
    pull = puzzle.draft is not None and puzzle.draft.pull
    how = "pushes a box into the free cell behind it, or pulls one along" if pull else (
        "pushes a box into the free cell behind it"
    )  # fmt: skip
    return [
        f"Rule: the player '{PLAYER}' walks on free cells ('{BLANK}') and {how}.",
        *sentences.pieces(puzzle),
        *sentences.lines(puzzle, shortest=2),
    ]


KIND = RuleKind(
    "push", build, in_words, keys=("diagonals", "distinct", "pull"),
    metrics={
        "push": "one box pushed one cell; walking is free",
        "move": "one step of the player, with or without a box",
        "run": "one box pushed on in a straight line, however far; walking is free",
    },
    named="cells", play="walk",
)  # fmt: skip
