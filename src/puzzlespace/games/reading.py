"""Read a whole game: prelude, objects, legend, collision layers, rules, win conditions, levels."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import FormatError, Word
from ..limits.watch import checkpoint
from .expanding import expand
from .faults import Faults
from .game import Condition, Game, GameBoard
from .lines import Line, lines_of, words_of
from .masks import programs
from .names import Names, ObjectSprite
from .rule_lines import RuleLines
from .sprites import is_colour

KEYS = frozenset(
    re.findall(
        r"\w+",
        """
    title author homepage background_color text_color key_repeat_interval again_interval flickscreen zoomscreen
    color_palette youtube run_rules_on_level_start norepeat_action require_player_movement debug verbose_logging
    throttle_movement noundo noaction norestart scanline
""",
    )
)


def read_game(text: str, file: str = "") -> Game:
    """Return the game of a text. Raises FormatError with the place, for what the program cannot play too."""
    reader = _Reader()
    try:
        return reader.read(text.replace("\r\n", "\n"), file)
    except FormatError as error:
        raise error.located(file, text) from None


class _Reader:
    """A game that is being read."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.names = Names()
        self.prelude: dict[str, str] = {}
        self.rules = RuleLines(self.names, self.faults)
        self.conditions: list[list[Word]] = []
        self.levels: list[list[Word] | str] = []
        self.open = False  # whether the last level may get more rows
        self.part, self.object = "name", ""
        self.placed: dict[str, int] = {}

    def read(self, text: str, file: str) -> Game:
        sections: dict[str, Callable[[Line], None]] = {
            "": self._prelude, "objects": self._objects, "legend": self._legend, "sounds": lambda line: None,
            "collisionlayers": self._layer, "rules": lambda line: self.rules.add(line.text),
            "winconditions": self._condition, "levels": self._level,
        }  # fmt: skip
        for line in lines_of(text, self.faults):
            checkpoint()
            sections[line.section](line)
        return self._made(file, text)

    def _prelude(self, line: Line) -> None:
        words = line.words()
        if not words:
            return
        key = words[0]
        if key == "realtime_interval" or key.startswith("mouse"):
            raise FormatError.at(key, f"expected a game of turns, found {str(key)!r}: real time and mouse are no moves")
        if key not in KEYS:
            self.faults.skip(key, f"expected a key of the prelude, found {str(key)!r}; it is skipped")
            return
        self.prelude[key] = line.text[len(key) :].strip()
        if key == "color_palette" and len(words) > 1:
            self.faults.warn(words[1], f"pictures have the usual colours, not those of the palette {str(words[1])!r}")

    def _objects(self, line: Line) -> None:
        """Read a line of an object: its name, then its colours, then up to five rows of its sprite."""
        if not line.text:
            self.part = "name"
            return
        if self.part == "sprite":
            sprite = self.names.objects[self.object]
            if re.match(r"[.\d]", line.text):
                sprite.rows.append(str(line.text))
                self.part = "name" if len(sprite.rows) == 5 else "sprite"
                return
            self.part = "name"
        if self.part == "colours":
            self.names.objects[self.object].colours = [str(word) for word in line.words()]
            for word in line.words():
                if not is_colour(word):
                    said = f"expected the name of a colour or #rrggbb, found {str(word)!r}; it is drawn in pink"
                    self.faults.warn(word, said)
            self.part = "sprite"
            return
        name, *others = line.words()
        found = re.match(r"\w+", name)
        if found is None:
            self.faults.warn(name, f"expected the name of an object in letters, digits and '_', found {str(name)!r}")
            return
        self.object, self.part = found.group(), "colours"
        if self.names.has(self.object):
            self.faults.skip(name, f"expected a new name, found {self.object!r}, which is declared above")
        self.names.objects[self.object] = ObjectSprite()
        for other in others:
            if self._is_ellipsis(other):
                continue
            if self.names.has(other):
                self.faults.skip(other, f"expected a new name, found {str(other)!r}, which is declared above")
            else:
                self.names.synonyms[str(other)] = self.object

    def _is_ellipsis(self, name: Word) -> bool:
        """Return whether a name means any distance in rules; a note says that it is no name."""
        if name != "...":
            return False
        self.faults.warn(name, "expected another name than '...', which means any distance in rules; it is no name")
        return True

    def _legend(self, line: Line) -> None:
        if not line.text:
            return
        found = re.match(r"([^=\s]+|=)\s*=\s*(.*)$", line.text)
        if found is None:
            self.faults.skip(line.text, "expected NAME = NAME, or several names joined by 'and' or by 'or'")
            return
        name = Word(found.group(1).lower(), line.text.line, line.text.column)
        words = words_of(Word(found.group(2), name.line, name.column + found.start(2)))
        joins = {str(word) for word in words[1::2]}
        if len(words) % 2 == 0 or len(joins) > 1 or not joins <= {"and", "or"}:
            self.faults.skip(name, "expected NAME = NAME, or several names joined by 'and' or by 'or'")
        elif self._is_ellipsis(name):
            return
        elif self.names.has(name):
            self.faults.skip(name, f"expected a new name, found {str(name)!r}, which is declared above")
        else:
            self.names.add_legend(name, words[::2], joins.pop() if joins else "")

    def _layer(self, line: Line) -> None:
        if not line.text:
            return
        found: list[str] = []
        for word in words_of(line.text, r"[^\s,]+"):
            target = self.names.target(word)
            if target not in self.names.objects and target not in self.names.properties:
                raise FormatError.at(word, f"expected an object, or several joined by 'or', found {str(word)!r}")
            for name in self.names.members(word):
                if self.placed.setdefault(name, len(self.names.layers)) != len(self.names.layers):
                    self.faults.warn(word, f"expected {name!r} in one layer, found it in two; the last one counts")
                found.append(name)
        self.names.layers.append(list(dict.fromkeys(found)))

    def _condition(self, line: Line) -> None:
        words = line.words()
        if not words:
            return
        if words[0] not in ("all", "no", "some", "any") or len(words) not in (2, 4) or words[2:3] not in ([], ["on"]):
            raise FormatError.at(words[0], "expected 'all', 'no', 'some' or 'any', a name, and perhaps 'on' and a name")
        for word in words[1::2]:
            if not self.names.has(word):
                raise FormatError.at(word, f"expected a name that is declared above, found {str(word)!r}")
        self.conditions.append(words)

    def _level(self, line: Line) -> None:
        if line.low.startswith("message"):
            self.levels.append(line.text[len("message") :].strip())
            self.open = False
        elif not line.text:
            self.open = False
        else:
            if not self.open:
                self.levels.append([])
            self.open = True
            rows = self.levels[-1]
            assert isinstance(rows, list)
            rows.append(line.text)

    def _made(self, file: str, text: str) -> Game:
        names = self.names
        for name in ("background", "player"):
            if not names.has(name):
                raise FormatError(f"expected an object or a name {name!r}, found none")
        missing = next((each for each in names.objects if each not in self.placed), None)
        if missing is not None:
            raise FormatError(f"expected every object in a collision layer, found {missing!r} in none")
        names.settle()
        expanded = expand(self.rules.lines, names, self.faults)
        program, late, rigid = programs(expanded, self.rules.loops(), names, self.faults)
        boards = tuple(each if isinstance(each, str) else self._board(each) for each in self.levels)
        return Game(
            names, self.prelude, names.mask("player"), names.target("player") in names.aggregates, program, late,
            rigid, tuple(map(self._made_condition, self.conditions)), boards,
            tuple(each.located(file, text) for each in self.faults.found),
        )  # fmt: skip

    def _made_condition(self, words: list[Word]) -> Condition:
        names = self.names
        what, on = words[1], words[3] if len(words) > 3 else None
        return Condition(
            "some" if words[0] == "any" else str(words[0]), names.mask(what), 0 if on is None else names.mask(on),
            names.target(what) in names.aggregates, on is not None and names.target(on) in names.aggregates,
            " ".join(words),
        )  # fmt: skip

    def _board(self, rows: list[Word]) -> GameBoard:
        """Return a level: as wide as its first row; the last letter of a shorter row is repeated."""
        width, height = len(rows[0]), len(rows)
        cells = [self._glyph(rows[y], min(x, len(rows[y]) - 1)) for x in range(width) for y in range(height)]
        names = self.names
        default = names.members("background")[0]
        layer = names.of_layer(names.layer[default])
        fill = next((cell & layer for cell in cells if cell & layer), 1 << names.number[default])
        return GameBoard(width, height, tuple(cell if cell & layer else cell | fill for cell in cells), rows[0].line)

    def _glyph(self, row: Word, at: int) -> int:
        glyph = Word(row[at].lower(), row.line, row.column + at)
        target = self.names.target(glyph)
        if not self.names.has(glyph) or target in self.names.properties:
            kind = "one joined by 'or'" if target in self.names.properties else "none"
            raise FormatError.at(glyph, f"expected a letter of the legend, or of an object, found {kind}: {glyph!s}")
        return self.names.mask(glyph)
