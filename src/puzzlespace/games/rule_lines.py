"""The lines of the section RULES as brackets, cells and words; nothing is expanded yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import FormatError, Word
from .faults import Faults
from .lines import words_of
from .names import Names

TOKEN = r"\[|\]|\||->|(?:(?!->)[^\s\[\]|])+"
RELATIVE = ("^", "v", "<", ">", "perpendicular", "parallel")
"""Movements that depend on the direction of the rule."""

AMBIGUOUS = {
    "horizontal": ("left", "right"),
    "vertical": ("up", "down"),
    "moving": ("up", "down", "left", "right", "action"),
    "orthogonal": ("up", "down", "left", "right"),
}
"""Movements, and prefixes, that stand for several."""

ABSOLUTE = ("up", "down", "left", "right")
MOVEMENTS = frozenset((*RELATIVE, *AMBIGUOUS, *ABSOLUTE, "action", "stationary", "no"))
COMMANDS = frozenset(("cancel", "restart", "win", "checkpoint", "again", *(f"sfx{n}" for n in range(11))))
RANDOM = ("random", "randomdir")
ELLIPSIS = ("...", "...")
DIRECTIONS = ("up", "down", "left", "right")
"""The directions of a rule without a prefix, in their order."""

Content = tuple[tuple[str, str], ...]
"""A cell of a rule: pairs of a movement ('' for none) and a name."""

Brackets = tuple[tuple[Content, ...], ...]


@dataclass
class RuleLine:
    """One line with a rule.

    group   the number of the line that its group begins with
    right   None if the rule has only commands
    message  the text of its command 'message', or ''
    """

    at: Word
    group: int
    directions: list[str]
    late: bool
    rigid: bool
    left: Brackets
    right: Brackets | None
    commands: tuple[str, ...]
    message: str = ""


@dataclass
class RuleLines:
    """All lines with rules, and where loops begin and end."""

    names: Names
    faults: Faults
    lines: list[RuleLine] = field(default_factory=list[RuleLine])
    ends: list[Word] = field(default_factory=list[Word])

    def loops(self) -> list[tuple[int, int]]:
        """Return the lines between which each loop lies. Raises FormatError unless each has a beginning and an end."""
        for number, word in enumerate(self.ends):
            expected = ("startloop", "endloop")[number % 2]
            if word != expected:
                raise FormatError.at(word, f"expected {expected!r}, found {str(word)!r}")
        if len(self.ends) % 2:
            raise FormatError.at(self.ends[-1], "expected 'endloop' after this 'startloop', found none")
        return [(here.line, there.line) for here, there in zip(self.ends[::2], self.ends[1::2], strict=True)]

    def add(self, text: Word) -> None:
        """Read one line. Raises FormatError for what makes a game unplayable, here or at all."""
        tokens = words_of(text, TOKEN)
        if not tokens:
            return
        if len(tokens) == 1 and tokens[0] in ("startloop", "endloop"):
            self.ends.append(tokens[0])
            return
        joined = tokens[0].startswith("+")
        if joined:
            rest = Word(tokens[0][1:], tokens[0].line, tokens[0].column + 1)
            tokens = [*([rest] if rest else []), *tokens[1:]]
        group = self.lines[-1].group if joined and self.lines else text.line
        rule = _Parser(tokens, text, self.names, self.faults).rule(group)
        if rule is not None:
            self.lines.append(rule)


class _Parser:
    """One rule that is being read."""

    def __init__(self, tokens: list[Word], text: Word, names: Names, faults: Faults) -> None:
        self.tokens, self.text, self.names, self.faults = tokens, text, names, faults
        self.sides: list[list[tuple[Content, ...]]] = [[]]
        self.row: list[Content] | None = None
        self.cell: list[tuple[str, str]] = []
        self.movement = ""
        self.commands: list[str] = []
        self.message = ""
        self.late = self.rigid = False
        self.directions: list[str] = []

    def rule(self, group: int) -> RuleLine | None:
        """Return the rule, or None if it is skipped."""
        begins = next((number for number, token in enumerate(self.tokens) if token == "["), len(self.tokens))
        for token in self.tokens[:begins]:
            self._prefix(token)
        for number, token in enumerate(self.tokens[begins:], begins):
            if token == "message" and self.row is None:
                self.commands.append("message")
                self.message = str(self.text)[token.column - self.text.column + len(token) :].strip()
                break
            self._token(token, self.tokens[number - 1] if number else token)
        if self.row is not None or len(self.sides) != 2 or not self.sides[0]:
            raise FormatError.at(self.text, "expected [ cells ] -> [ cells ], or [ cells ] -> commands")
        left, right = map(tuple, self.sides)
        if len(left) != len(right) and (right or not self.commands):
            self.faults.skip(self.text, f"expected {len(left)} brackets after '->', found {len(right)}; it is skipped")
            return None
        self._check(left, right)
        directions = self.directions or list(DIRECTIONS)
        if not _directional(left, right):
            directions = directions[:1]
        commands = tuple(dict.fromkeys(self.commands))
        return RuleLine(
            Word(str(self.text), self.text.line, self.text.column), group, directions, self.late, self.rigid, left,
            right or None, commands, self.message,
        )  # fmt: skip

    def _prefix(self, token: Word) -> None:
        if token == "late":
            self.late = True
        elif token == "rigid":
            self.rigid = True
        elif token in ("horizontal", "vertical", "orthogonal"):
            self.directions += AMBIGUOUS[token]
        elif token in ABSOLUTE:
            self.directions.append(str(token))
        elif token in RANDOM:
            raise _random(token)
        elif token in COMMANDS:
            self._command(token)
        else:
            self.faults.skip(token, f"expected a prefix such as 'late' or 'right', or '[', found {str(token)!r}")

    def _token(self, token: Word, before: Word) -> None:
        if token == "[":
            if self.row is not None:
                raise FormatError.at(token, "expected ']' before '[', found none")
            self.row, self.cell, self.movement = [], [], ""
        elif token in ("|", "]"):
            if self.row is None:
                raise FormatError.at(token, f"expected '[' before {str(token)!r}, found none")
            self._end_cell(before)
            if token == "]":
                self.sides[-1].append(tuple(self.row))
                self.row = None
        elif token == "->":
            if self.row is not None or len(self.sides) > 1:
                raise FormatError.at(token, "expected '->' once, between brackets")
            self.sides.append([])
        elif self.row is None:
            self._after(token)
        else:
            self._content(token)

    def _end_cell(self, before: Word) -> None:
        assert self.row is not None
        if self.movement:
            self.faults.skip(before, f"expected a name after {self.movement!r}, found the end of the cell")
        self.row.append(tuple(self.cell))
        self.cell, self.movement = [], ""

    def _after(self, token: Word) -> None:
        """Read a word outside of brackets: a command."""
        if token in RANDOM:
            raise _random(token)
        if token not in COMMANDS:
            self.faults.skip(token, f"expected a command such as 'again' or 'cancel', found {str(token)!r}")
        elif len(self.sides) == 1:
            self._command(token)
        else:
            self.commands.append(str(token))

    def _command(self, token: Word) -> None:
        """Read a command that is not at the end of its rule: it is one all the same."""
        if not token.startswith("sfx"):
            self.faults.warn(token, f"expected commands at the end of the rule, found {str(token)!r} before")
        self.commands.append(str(token))

    def _content(self, token: Word) -> None:
        """Read a word within a cell."""
        if token in RANDOM:
            raise _random(token)
        if token in MOVEMENTS:
            if self.late and token != "no":
                self.faults.skip(token, f"expected no movement in a late rule, found {str(token)!r}")
            else:
                self.movement = str(token)
        elif token in COMMANDS and not self.names.has(token):
            self._command(token)
        elif token == "...":
            self.cell.append(ELLIPSIS)
        else:
            self.cell.append((self.movement, token))
            self.movement = ""

    def _check(self, left: Brackets, right: Brackets) -> None:
        """Raise FormatError unless both sides have as many cells, and ellipses in the same places."""
        for number, bracket in enumerate(left):
            gaps = _gaps(bracket)
            if gaps and (gaps[0] == 0 or gaps[-1] == len(bracket) - 1 or len(gaps) > 2):
                raise FormatError.at(self.text, "expected at most two '...' between the cells of a bracket")
            if any(ELLIPSIS in cell and len(cell) > 1 for side in (left, right) for each in side for cell in each):
                raise FormatError.at(self.text, "expected '...' alone between two '|'")
            if right and len(right[number]) != len(bracket):
                found = len(right[number])
                raise FormatError.at(
                    self.text, f"expected {len(bracket)} cells in a bracket on the right, found {found}"
                )
            if right and _gaps(right[number]) != gaps:
                raise FormatError.at(self.text, "expected '...' in the same places on both sides")


def _random(token: Word) -> FormatError:
    return FormatError.at(token, f"expected a game without chance, found {str(token)!r}")


def _gaps(bracket: tuple[Content, ...]) -> list[int]:
    return [number for number, cell in enumerate(bracket) if ELLIPSIS in cell]


def _directional(left: Brackets, right: Brackets) -> bool:
    """Return whether a rule has a direction: a bracket with several cells, or a relative movement."""
    if any(len(bracket) > 1 for bracket in left):
        return True
    return any(move in RELATIVE for bracket in (*left, *right) for cell in bracket for move, _ in cell)
