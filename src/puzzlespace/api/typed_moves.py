"""Positions as a person types them: in full-width letters, or as moves, by the names that solutions have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from ..errors import FormatError, Word
from ..limits.watch import paced
from ..model.effects import canonical, canonicals, inverse
from ..model.model import Model
from ..model.rule import Rule
from ..puzzle.allowed import turned
from ..puzzle.board import COMPASS
from ..puzzle.diagnostics import Diagnostic, tell
from ..puzzle.full_width import FULL_WIDTH, plain, told
from ..puzzle.letters import Frame
from ..puzzle.puzzle import Position, Puzzle
from .move_sequences import Parts, flattened, words_of

Origin = Literal["start", "goal"]

PREFIX = re.compile(r"\s*from\s+(start|goal)\s*:", re.IGNORECASE)
BRACKETS = re.compile(r"[()\[\]]")
CUBERS = re.compile(r"[0-9]*[URFDLB]w[0-9]*'?|[xyzMES][0-9]?'?")
"""Words of cubers that no other puzzle has."""

SHOWN_MOVES = 24
"""The most names of moves in an error."""


def in_plain_forms(puzzle: Puzzle, text: str, name: str) -> str:
    """Return a text with plain forms for full-width characters, unless these are symbols; a warning says so.

    name  of the text, for the warning
    """
    if FULL_WIDTH.search(text) is None:
        return text
    symbols = {*"".join(puzzle.alphabet)}
    read = "".join(each if each in symbols else plain(each) for each in text)
    tell([each.located(name, text) for each in told(text, read)])
    return read


def position_after(puzzle: Puzzle, text: str) -> Position | None:
    """Return the position that moves lead to: `R U2 R'`, `B right, C up 2`; None if the text has no moves.

    `from start:` or `from goal:` before the moves says where they begin. Without it listed moves begin at the goal if
    that is one position, and all others at the start; a note says so.

    Raises FormatError at a name that is no move there, and if the moves can be read in several ways.
    """
    puzzle, prefix = puzzle.unrestricted, PREFIX.match(text)
    listed, after = _all_listed(puzzle), prefix.end() if prefix else 0
    names = listed_words(puzzle, text) if listed else list(_separated(puzzle, written_names(text, after)))
    if prefix is None and not _begins_with_a_move(puzzle, names):
        return None
    begin, origin = _origin(puzzle, names, prefix[1].lower() if prefix else "")
    found = _listed(puzzle, begin, names) if listed else _moved(puzzle, begin, names)
    if prefix is None:
        text, hint = TOLD[origin]
        tell([Diagnostic("moves-from", text, "note", hint=hint)])
    return found


TOLD: dict[Origin, tuple[str, str]] = {
    "start": ("the moves are made from the start", "'from goal:' before the moves begins at the goal"),
    "goal": ("the moves are made from the goal", "'from start:' before the moves begins at the start"),
}


def written_names(text: str, begin: int = 0) -> Iterator[Word]:
    """Yield the names in a text, which commas or lines separate; a semicolon begins a comment.

    begin  where the names begin in the first line
    A number and a colon before a name, as solutions show them, are ignored.
    """
    for number, row in enumerate(text.splitlines(), 1):
        at = 1
        for part in row.partition(";")[0].split(","):
            skipped = max(begin - at + 1, 0) if number == 1 else 0
            counted = re.match(r"\s*\d+:\s", part[skipped:])
            skipped += counted.end() if counted else 0
            name = part[skipped:].strip()
            if name:
                yield Word(name, number, at + skipped + len(part[skipped:]) - len(part[skipped:].lstrip()))
            at += len(part) + 1


def _all_listed(puzzle: Puzzle) -> bool:
    """Return whether every move is a listed one with a name of its own, and nothing else happens in it."""
    alone = puzzle.listed and not puzzle.automatic and not puzzle.followers
    return alone and len({rule.name for rule in puzzle.rules if rule.listed}) == len(puzzle.rules)


def _separated(puzzle: Puzzle, names: Iterable[Word]) -> Iterator[Word]:
    """Yield names that commas or lines separate; also those that spaces separate if they are names of rows."""
    known = {rule.name for rule in puzzle.rules} if puzzle.listed and not puzzle.followers else set[str]()
    most = max((name.count(" ") + 1 for name in known), default=0)
    for name in names:
        words = list(re.finditer(r"\S+", name))
        found: list[Word] = []
        while words:
            parts = (" ".join(word.group() for word in words[:count]) for count in range(most, 0, -1))
            part = next((part for part in parts if part in known), None)
            if part is None:
                break
            found.append(Word(part, name.line, name.column + words[0].start()))
            del words[: part.count(" ") + 1]
        yield from [name] if words else found


def listed_words(puzzle: Puzzle, text: str) -> list[Word]:
    """Return the words of a text after its prefix, which spaces or commas separate, and its brackets."""
    prefix = PREFIX.match(text)
    named = any(BRACKETS.search(rule.name) for rule in paced(puzzle.rules))
    brackets = not named and BRACKETS.search(text, prefix.end() if prefix else 0) is not None
    return words_of(text, prefix.end() if prefix else 0, brackets)


def separated(puzzle: Puzzle, text: str) -> list[Word]:
    """Return the names in a text: separated by commas, and also by spaces if names of moves have none."""
    spaced = not puzzle.listed or any(" " in rule.name for rule in puzzle.rules)
    return list(written_names(text)) if spaced else listed_words(puzzle, text)


def _begins_with_a_move(puzzle: Puzzle, names: Sequence[Word]) -> bool:
    """Return whether a text that is no drawing begins with what may be a move, perhaps of another position."""
    if not names:
        return False
    if _all_listed(puzzle):
        letters = getattr(puzzle.view, "symbols", {})
        row = len(puzzle.board.rows) == 1 and all(word in letters for word in names)
        first = next((word for word in names if not BRACKETS.match(word)), "")
        if puzzle.notation is not None and puzzle.notation.is_move(first):
            return True
        return not row and turned(first, {rule.name: rule for rule in puzzle.rules}) is not None
    if puzzle.listed and any(names[0] == rule.name for rule in puzzle.rules):
        return True
    words = names[0].split()
    cells = [word.split("-") for word in words]
    if puzzle.kind.named == "rows" and re.fullmatch("[0-9]+-[0-9]+", words[0]):
        return True
    return any(word in COMPASS.values() for word in words) or any(
        len(each) > 1 and all(puzzle.board.cell(cell) is not None for cell in each) for each in cells
    )


def _origin(puzzle: Puzzle, names: Sequence[Word], asked: str) -> tuple[Position, Origin]:
    """Return the position from which moves are made, and whether it is the start or the goal."""
    goal = puzzle.goals[0].position if len(puzzle.goals) == 1 else None
    places: list[tuple[Origin, bytes | None]] = [("start", puzzle.start), ("goal", goal)]
    for each, position in reversed(places) if _all_listed(puzzle) else places:
        if position is not None and asked in ("", each):
            return Position(puzzle, position, puzzle.shown(position)), each
    problem = "moves lead to a position only from a goal that is one position"
    if asked == "start":
        problem = "expected a start to make moves from, found none"
    raise FormatError.at(names[0] if names else "", problem)


def hint(puzzle: Puzzle, text: str) -> str:
    """Return which moves there are, as a hint for a text on one line that is no drawing of a board of several rows."""
    if len(puzzle.board.rows) == 1 or "/" in text or "\n" in text.strip():
        return ""
    puzzle = puzzle.unrestricted
    try:
        begin, _ = _origin(puzzle, (), "")
    except FormatError:
        return ""
    names = [rule.name for rule in puzzle.rules] if _all_listed(puzzle) else _names_from(puzzle, [begin])
    return f"moves are written as {_shown(names)}" if names else ""


def _names_from(puzzle: Puzzle, ends: Sequence[Position]) -> list[str]:
    """Return the names of the moves that the puzzle's metric has from some positions."""
    return list(dict.fromkeys(frame.name for end in ends for frame, _ in _named_moves(puzzle, puzzle.model(), end)))


def _listed(puzzle: Puzzle, begin: Position, names: Sequence[Word]) -> Position:
    position, laws = bytes(begin), puzzle.laws
    for word, rule, times in paced(_meant(puzzle, flattened(names))):
        for _ in range(times):
            after = rule.apply(position)
            if after is None or any(law.sentence.holds(after) for law in laws):
                raise FormatError.at(word, f"the move {word} is not possible after the moves before it")
            position = after
    return Position(puzzle, position)


def _meant(puzzle: Puzzle, parts: Parts) -> list[tuple[Word, Rule, int]]:
    """Return for each word of a sequence the rule that it stands for, and how often it is made."""
    rules = {rule.name: rule for rule in puzzle.rules}
    notation = puzzle.notation
    if notation is not None and any(turned(word, rules) is None and notation.is_move(word) for word, _ in parts):
        own, said = notation.own_moves(parts)
        tell([Diagnostic("turned-back", said, "note")] if said else [])
        return [(each.word, rules[each.name], each.times) for each in own]
    back = _taking_back(puzzle.rules, puzzle.symbols) if any(undone for _, undone in parts) else {}
    found: list[tuple[Word, Rule, int]] = []
    for word, undone in paced(parts):
        move = turned(word, rules)
        if move is None:
            raise unknown(word, list(rules))
        if undone and move[0].name not in back:
            raise FormatError.at(word, f"expected a move that another one takes back, found {str(word)!r}")
        found.append((word, back[move[0].name] if undone else move[0], move[1]))
    return found


def _taking_back(rules: Sequence[Rule], symbols: int) -> dict[str, Rule]:
    """Return by the name of each rule the one that undoes it, if there is one."""
    by_effect = dict(zip(canonicals(rules, symbols), rules, strict=True))
    undoing = ((rule, inverse(rule, symbols)) for rule in paced(rules))
    found = ((rule.name, by_effect.get(canonical(back, symbols))) for rule, back in undoing if back is not None)
    return {name: rule for name, rule in found if rule is not None}


def unknown(word: str, known: Sequence[str]) -> FormatError:
    """Return the error for a word that names none of these moves."""
    expected = f"expected a move ({_shown(known)})" if known else "no move is possible here: expected the end"
    hint = "wide turns, slices and rotations have a meaning for cube:2 and cube:3" if CUBERS.fullmatch(word) else ""
    return FormatError.at(word, f"{expected}, found {str(word)!r}", hint)


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN_MOVES]) + (" …" if len(names) > SHOWN_MOVES else "")


def _moved(puzzle: Puzzle, begin: Position, names: Sequence[Word]) -> Position:
    models = [puzzle.model(metric) for metric in puzzle.metrics]
    ends = [begin]
    for name in paced(names):
        before, ends = ends, following(puzzle, models, ends, name)
        if not ends:
            raise unknown(name, _names_from(puzzle, before))
        whole = _whole_names(puzzle, models, before, name)
        if len(whole) > 1:
            raise FormatError.at(name, f"several moves can be meant: {_shown(whole)}", "write one of these")
    different = list(dict.fromkeys(map(bytes, ends)))
    if len(different) > 1:
        drawn = ", ".join(repr(puzzle.line(each)) for each in ends[:2])
        raise FormatError.at(
            names[-1], f"these moves lead to several positions, such as {drawn}", "write the position as a drawing"
        )
    return ends[0]


def _whole_names(puzzle: Puzzle, models: Sequence[Model], ends: Sequence[Position], name: str) -> list[str]:
    """Return the whole names of the moves that a brief name can mean."""
    frames = [frame for end in ends for model in models for frame, _ in _named_moves(puzzle, model, end)]
    return list(dict.fromkeys(frame.name for frame in frames if frame.called(name)))


def following(puzzle: Puzzle, models: Sequence[Model], ends: Sequence[Position], name: str) -> list[Position]:
    """Return the positions after a move of this name, in any of the metrics, each once with the same letters."""
    found: dict[tuple[bytes, tuple[str, ...]], Position] = {}
    for end in ends:
        for model in models:
            for each, after in _named_moves(puzzle, model, end):
                if each.called(name):
                    found.setdefault((bytes(after), after.words), after)
    return list(found.values())


def _named_moves(puzzle: Puzzle, model: Model, begin: Position) -> Iterator[tuple[Frame, Position]]:
    """Yield each move from a position as it is shown, and the position after it, with players where it leaves them."""
    for ways in paced(model.ways(begin).values()):
        yield from named_ways(puzzle, model, begin, ways)


def named_ways(
    puzzle: Puzzle, model: Model, begin: Position, ways: Sequence[tuple[int, ...]]
) -> Iterator[tuple[Frame, Position]]:
    """Yield each move as it is shown, and the position after it, with players where it leaves them.

    ways  the rules of the moves
    """
    for way in ways:
        after = bytes(begin)
        for number in way:
            after = model.rules[number].apply(after) or after
        frame = puzzle.frames((begin, after), model, [way])[1]
        yield frame, Position(puzzle, after, frame.words)
