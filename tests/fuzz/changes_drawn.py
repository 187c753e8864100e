"""Random small files of changes and stacks, by a seed: every feature of docs/changes.md.

`draw(seed)` returns the text of one file. The second reading (`changes_reference`) accepts it and reaches at
least two and at most 2,500 positions. `FEATURES` says how to recognise a feature in the text of a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

from . import changes_reference as reference

MOST, LEAST = (60, 200, 600, 2500), (2, 5, 12, 30)
"""The most and the least positions; one of these is chosen at random for each file."""

PUTS = ("on anything", "on equal", "on larger", "on smaller", "on next larger", "on next smaller")
TAKES = ("one", "several", "several in reverse", "equal", "none")
KEYS = (
    "kinds", "places", "also", "numbers", "forbid", "after", "ground", "weights", "lines", "links", "board", "swap",
    "between", "order", "colours", r"put \d", r"take \d", "goal 2",
)  # fmt: skip

FEATURES = {
    **{way: rf"^  .*->.* {way}\b" for way in reference.WAYS},
    **{key: rf"^{key}:" for key in KEYS},
    "both senses": "<->", "blanks": r" \.\.\. ", "any run": r"any\.\.\.", "kind run": r"crate\.\.\.",
    "any cells": r"\*\.\.\.",  "anything": r"^  .* \* .*->", "any": r"\bany\b.*->", "numbered kind": r"crate2",
    "edge": "edge", "stop": "stop", "place in a pattern": r"\[\w+\]", "several rows": r"^  .* / .*->",
    "several patterns": r"^  .*, .*->", "new symbols": r"^  new:", "mixed patterns": r"^  .*, turn",
    "named cells": r"^  name:", "place of named cells": r"^  .*man1", "sum of cells": r"-> .*[ab] [+-] [ab]",
    "add": r"-> \+ 1", "less": r"-> - 1", "pour": "pour [ab]", "pour any": "pour any", "condition": r"->.* if ",
    "cost": r"cost \d", "cost greatest": "cost greatest", "cost sum": "cost sum", "cycle": r"^  .*\(a",
    "flip": "flip", "reverse": "reverse", "swapped": r"^  .*~", "listed if": r"[~)].* if ", "not kind": r"solid = not",
    "not place": r"water = not", "painted": r"-> .*[A-Z]\.\.\.", "counts": "count .* count",
    "kind of kinds": r"= crate", "once": r"once$", "waiting": r"wait:", "count": r"count \w+ (on \w+ )?[<>=!]",
    "at least": "at least", "at most": "at most", "all on": r"all \w+ on", "each": r"each \w+ shows",
    "some on": r"some \w+ on", "no": r"\bno \w", "only": r"only ", "see": r"see ", "connected": "connected",
    "rows alike": "rows alike", "columns alike": "columns alike", "board alike": "board alike",
    "sorted": "(rows|columns) sorted", "chain": r"= \S+ !=", "some place": r"some man [!=]",
    "every place": r"every man [!=]", "less than": r"[ab] <", "start": r"\bstart( |\)|$)", "and": " and ",
    "sum": r"-> .*digit1\+", "number added": r"-> .*digit\+1", "less a number": r"-> .*digit-1",
    "image": r"turned\(", "named image": r"turn -> turned\(|, turned\(", "words compared": r"if .*digit1",
    "distance": r"if .*distance", "towards": "towards", "facing": "facing", "body": r"\{\w+\}",
    "body that goes far": r"\{\w+\} \*", "bodies both ways": r"\{\w+\}.*<->",
    "or": " or ", "not": r"not \w", "parentheses": r"[ (]\(\w", "cheap": "count: cost",
    **{f"put {how}": f"put.*: {how}" for how in PUTS}, "another colour": "of another colour",
    "never on empty": "never on empty", "on empty": "on empty:",
    **{f"take {how}": f"take.*: {how}$" for how in TAKES}, "one way between": r"\d>\d",
}  # fmt: skip


@dataclass
class Sketch:
    """A file under construction.

    rows     the drawing: names of cells, None for '#'
    pieces   the symbols of the board but the blank
    names    words that sentences may compare; `values` are what these cells may show
    """

    random: Random
    rows: list[list[str | None]]
    pieces: list[str]
    keys: dict[str, list[str] | str] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    numeric: bool = False
    blank: bool = True

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    @property
    def cells(self) -> list[str]:
        return [cell for row in self.rows for cell in row if cell is not None]

    def drawing(self, words: list[str]) -> list[str]:
        left = iter(words)
        return [" ".join("#" if cell is None else next(left) for cell in row) for row in self.rows]

    def filling(self) -> list[str]:
        signs = self.pieces + ["."] * (len(self.pieces) if self.blank else 0)
        return [self.random.choice(signs) for _ in self.cells]

    def text(self) -> str:
        lines = ["title: drawn"]
        for key, value in self.keys.items():
            lines += [f"{key}: {value}"] if isinstance(value, str) else [f"{key}:", *(f"  {row}" for row in value)]
        return "\n".join(lines) + "\n"

    # -- patterns

    def word(self) -> str:
        common = [*self.pieces, ".", "."] if self.blank else self.pieces
        return self.random.choice([*common, *self.kinds, "any", "crate2" if "crate" in self.kinds else "any", "*"])

    def line(self) -> tuple[list[str], list[str]]:
        """The words of a pattern in one row, before and after."""
        before = [self.word() for _ in range(self.random.choice((2, 2, 2, 3, 3)))]
        if self.blank and "." not in before and self.chance(0.7):
            before[self.random.randrange(len(before))] = "."
        if self.chance(0.3):
            runs = ["...", "any...", "*..."] + (["crate..."] if "crate" in self.kinds else [])
            before.insert(self.random.randrange(len(before) + 1), self.random.choice(runs))
        if self.places and self.chance(0.15):
            where = self.random.choice([k for k, word in enumerate(before) if not word.endswith("...")])
            before[where] += f"[{self.random.choice(self.places)}]"
        after = self.permuted(before)
        if self.chance(0.1) and not any(word.endswith("...") for word in before):
            ends = [self.random.choice(("edge", "stop")), *before], [*before, self.random.choice(("edge", "stop"))]
            before = self.random.choice(ends)
            after = [before[0], *after] if before is ends[0] else [*after, before[-1]]
        elif self.chance(0.2):
            before, after = [*before, "stop"], [*after, "stop"]
        return before, after

    def permuted(self, before: list[str]) -> list[str]:
        """The words after: the same pieces in another order, sometimes another one."""
        after = [re.sub(r"\[.*", "", word) for word in before]
        free = [k for k, word in enumerate(after) if word not in ("*", "edge", "stop", "*...", "/")]
        if "*..." in after:
            free = [k for k in free if not after[k].endswith("...")]
        for _ in range(4):
            words = [after[k] for k in free]
            self.random.shuffle(words)
            if words != [after[k] for k in free]:
                break
        for k, word in zip(free, words, strict=True):
            after[k] = word
        single = [k for k in free if not after[k].endswith("...")]
        if single and self.chance(0.15):
            after[self.random.choice(single)] = self.random.choice(self.pieces + ["."] * self.blank)
        runs = [k for k, word in enumerate(after) if word.endswith("...") and word != "*..."]
        if runs and self.chance(0.2):
            after[runs[0]] = self.random.choice([*self.pieces, ""]) + "..."
        return after

    def pattern_row(self, both: bool = True) -> str:
        """A row of patterns along lines."""
        choice = self.random.random()
        ways = self.random.sample(self.ways, self.random.choice((1, 1, 1, 2)) if len(self.ways) > 1 else 1)
        if choice < 0.1 and len(self.rows) > 1 and "row" in self.ways:
            before = [self.word(), self.word(), "/", self.word(), self.word()]
            after = self.permuted(before)
            ways = self.random.sample(("right", "straight", "row", "down", "diagonal"), 1)
        elif choice < 0.2:
            before = [self.word(), self.word(), ",", self.word()]
            after = self.permuted([word for word in before if word != ","])
            after.insert(2, ",")
        elif choice < 0.25 and "crate" in self.kinds:
            return f"new: {self.random.choice([*self.pieces, '.'] if self.blank else self.pieces)} -> crate"
        elif choice < 0.35 and "row" in self.ways and len(self.rows) > 1:
            before, ways = [self.word(), self.word()], ["knight"]
            after = self.permuted(before)
        else:
            before, after = self.line()
        arrow = "<->" if both and self.chance(0.2) and self.turnable(before, after) else "->"
        if self.keys.get("also") and self.chance(0.3) and arrow == "->":
            turn = self.random.choice((("p", "q"), ("q", "p")))
            before, after = [*before, ",", "turn", turn[0]], [*after, ",", turn[1]]
        row = f"{' '.join(before)} {arrow} {' '.join(after)}".replace(" ,", ",")
        return f"{row}  {' '.join(ways)}" + (f" if {self.sentence()}" if self.chance(0.15) else "")

    def turnable(self, before: list[str], after: list[str]) -> bool:
        """Whether the row can be read from right to left: every word is on both sides."""
        return sorted(re.sub(r"\[.*", "", word) for word in before) == sorted(after)

    # -- sentences

    def sentence(self, depth: int = 0) -> str:
        choice = self.random.random()
        if depth < 2 and choice < 0.3:
            one, other = self.sentence(depth + 1), self.sentence(depth + 1)
            if choice < 0.1:
                return f"{one} and {other}"
            if choice < 0.2:
                return f"{one} or {other}"
            return f"not {self.simple()}" if choice < 0.25 else f"({one} or {other}) and {self.simple()}"
        return self.simple()

    def simple(self) -> str:
        random = self.random
        piece = random.choice([*self.pieces, *self.kinds])
        place = random.choice(self.places or [random.choice(self.cells)])
        number = random.randrange(4)
        on = f" on {place}" if self.chance(0.5) else ""
        sign = random.choice(("=", "<", ">", "<=", ">=", "!=", "at least", "at most"))
        said = [
            f"count {piece}{on} {sign} count {random.choice(self.pieces)}{random.choice((on, ''))}",
            f"count {piece}{on} {random.choice(('=', '<', '>', '<=', '>=', '!=', 'at least', 'at most'))} {number}",
            f"all {piece} on {place}", f"each {place} shows {piece}", f"some {piece} on {place}", f"no {piece}{on}",
            f"only {piece} {random.choice(self.pieces)}" + (" ." if self.blank and self.chance(0.7) else ""),
            f"connected {piece}", f"{random.choice(('rows', 'columns', 'board'))} alike", "start",
        ]  # fmt: skip
        if self.ways:
            seen = " ... " if self.blank and self.chance(0.5) else " "
            said += [f"see {piece}{seen}{random.choice(self.pieces)} {random.choice(self.ways)}"]
        if self.names:
            one, other, third = random.choices(self.names, k=3)
            equal = random.choice(("=", "!="))
            shown = random.choice(self.values)
            said += [f"{one} = {other} != {third}", f"{one} {equal} {shown}"]
            if "man" in self.places:
                how = random.choice(("some", "every"))
                said += [f"{one} = {how} man != {other}", f"{how} man {equal} {shown}"]
            if self.numeric:
                said += [f"{one} + {other} >= {number}", f"{one} < {number}", f"{one} <= {other} + 1"]
        if self.numeric:
            said += ["rows sorted", "columns sorted"]
        return random.choice(said)

    # -- the other keys

    def finish(self) -> str:
        if "start" not in self.keys:
            self.keys["start"] = self.drawing(self.filling())
        if self.chance(0.4):
            forbid = [self.sentence() for _ in range(self.random.choice((1, 1, 2)))]
            self.keys["forbid"] = [f"law{k}: {row}" if self.chance(0.4) else row for k, row in enumerate(forbid)]
        self.keys["goal"] = self.goal()
        if self.chance(0.15):
            self.keys["goal 2"] = self.goal()
        return self.text()

    def goal(self) -> list[str] | str:
        if self.chance(0.5):
            return self.sentence()
        return self.drawing([word if self.chance(0.4) else "*" for word in self.filling()])


def grid(random: Random, most: int = 9) -> list[list[str | None]]:
    width, height = random.choice([(w, h) for w in range(2, 7) for h in range(1, 4) if 4 <= w * h <= most])
    rows: list[list[str | None]] = [[f"{chr(97 + c)}{r + 1}" for c in range(width)] for r in range(height)]
    if height > 1 and random.random() < 0.2:
        rows[random.randrange(height)][random.randrange(width)] = None
    return rows


def kinds_of(sketch: Sketch) -> None:
    if sketch.chance(0.6):
        rows = ["crate = " + " ".join(sketch.random.sample(sketch.pieces, min(2, len(sketch.pieces))))]
        sketch.kinds = ["crate"]
        if sketch.chance(0.4):
            rows.append("solid = not .")
            sketch.kinds.append("solid")
        if sketch.chance(0.3):
            rows.append("body = crate " + sketch.random.choice(sketch.pieces))
            sketch.kinds.append("body")
        sketch.keys["kinds"] = rows


def places_of(sketch: Sketch) -> None:
    if sketch.chance(0.3):
        sketch.keys["ground"] = sketch.drawing([sketch.random.choice("..x") for _ in sketch.cells])
        if "x" in " ".join(sketch.keys["ground"]):
            sketch.places.append("x")
    if sketch.chance(0.3):
        cells = sketch.random.sample(sketch.cells, 2)
        sketch.keys["places"] = ["bank = " + " ".join(cells)]
        sketch.places.append("bank")
        if len(sketch.cells) > 2 and sketch.chance(0.3):
            sketch.keys["places"].append("water = not bank")
            sketch.places.append("water")


def also_of(sketch: Sketch) -> None:
    if sketch.chance(0.3):
        sketch.keys["also"] = "turn = p"


def after_of(sketch: Sketch) -> None:
    if sketch.chance(0.35):
        piece = sketch.random.choice([*sketch.pieces, *(kind for kind in sketch.kinds if kind != "solid")])
        way = sketch.random.choice(
            [way for way in sketch.ways if way not in ("row", "straight", "around")] or sketch.ways
        )
        falls = [f"{piece} . -> . {piece}  {way}"]
        if sketch.chance(0.5):
            falls.append(f"{sketch.pattern_row(both=False)} once")
        if sketch.chance(0.3):
            falls.append(sketch.pattern_row(both=False))
        sketch.keys["after"] = falls


def on_grid(random: Random) -> Sketch:
    """Pieces that move along the lines of a grid."""
    rows = grid(random)
    wide = len(rows) > 1
    ways = [
        *("right", "left", "row", "right"),
        *(("up", "down", "column", "straight", "diagonal", "around", "path", "line") * wide),
        *(("up-left", "up-right", "down-left", "down-right") * wide),
    ]
    sketch = Sketch(random, rows, list("AB")[: random.choice((1, 2, 2))], {"rule": "change"}, ways=ways)
    kinds_of(sketch)
    places_of(sketch)
    also_of(sketch)
    sketch.keys["moves"] = [sketch.pattern_row() for _ in range(random.choice((1, 2, 2, 3)))]
    if "also" in sketch.keys and sketch.chance(0.3):
        sketch.keys["moves"].append("wait: A -> A")
    after_of(sketch)
    return sketch


def on_lines(random: Random) -> Sketch:
    """Pieces that move along drawn lines."""
    names = list("abcdef")[: random.choice((4, 5, 6))]
    sketch = Sketch(random, [names], list("AB")[: random.choice((1, 2))], {"rule": "change", "board": " ".join(names)})
    order = names[:]
    random.shuffle(order)
    if sketch.chance(0.6):
        sketch.keys["lines"] = ["-".join(order[:3]), "-".join([order[1], *order[3:]])]
    else:
        pairs = [*zip(order, order[1:], strict=False), (order[0], order[2])]
        sketch.keys["links"] = [f"{one}: {other}" for one, other in pairs if sketch.chance(0.9)]
    sketch.ways = ["line", "path"] + ["along"] * ("lines" in sketch.keys)
    kinds_of(sketch)
    sketch.keys["moves"] = [sketch.pattern_row() for _ in range(random.choice((1, 2)))]
    return sketch


def with_names(random: Random) -> Sketch:
    """Cells with names: crossings, switches."""
    names = ["boat", "anna", "bob", "cat", "dan"][: random.choice((3, 4, 5))]
    shores = random.choice((["L", "R"], ["L", "R"], ["L", "M", "R"]))
    keys: dict[str, list[str] | str] = {"rule": "change", "board": " ".join(names)}
    sketch = Sketch(random, [names], shores, keys, names=names, values=shores, places=["man"], blank=False)
    keys["places"] = ["man = " + " ".join(names[1:])]
    costs = ["", "", "  cost 2"]
    if sketch.chance(0.4):
        keys["weights"] = ", ".join(f"{name} {random.randrange(1, 5)}" for name in names[1:])
        keys["count"] = "cost"
        costs = ["  cost greatest", "  cost sum", "  cost 3"]
    if sketch.chance(0.4):
        keys["kinds"] = ["crate = " + " ".join(shores)]
        sketch.kinds = ["crate"]
    groups = ["boat man", "boat man1 man2", "boat", "name: anna", "name: boat anna", "man1"]
    moves: list[str] = []
    for _ in range(random.choice((2, 3))):
        one, other = random.sample(shores, 2)
        if sketch.kinds and sketch.chance(0.4):
            one, other = "crate1", "crate2"
        arrow = "<->" if sketch.chance(0.6) and one not in ("crate1",) else "->"
        condition = f"  if {sketch.sentence()}" if sketch.chance(0.25) else ""
        moves.append(f"{random.choice(groups)} {one} {arrow} {other}{condition}{random.choice(costs)}")
    if sketch.chance(0.3):
        moves.append(f"man1 {shores[0]}, man2 {shores[1]} -> {shores[1]}, {shores[0]}")
    keys["moves"] = moves
    return sketch


def with_numbers(random: Random) -> Sketch:
    """Cells with numbers."""
    names = list("abc")[: random.choice((2, 3))]
    most = [random.randrange(2, 6) for _ in names]
    keys: dict[str, list[str] | str] = {"rule": "change", "board": " ".join(names)}
    keys["numbers"] = ", ".join(f"{name} 0-{high}" for name, high in zip(names, most, strict=True))
    sketch = Sketch(
        random, [names], ["0", "1", "2"], keys, names=names, values=["0", "1", "2"], numeric=True, blank=False
    )
    rows = [
        "pour any into any", "pour a into b", "pour b into any", "fill: a -> 2", "a -> + 1", "b -> - 1", "a 1 -> - 1",
        "a, b -> a + b, 0", "a, b -> b, a", "a, b -> 2 - a, b - a + 1", "b -> b + a",
    ]  # fmt: skip
    keys["moves"] = random.sample(rows, random.choice((2, 3)))
    if sketch.chance(0.3):
        keys["moves"].append(f"b -> + 1  if {sketch.sentence()}")
    keys["start"] = " ".join(str(random.randrange(high + 1)) for high in most)
    return sketch


def number_board(random: Random) -> Sketch:
    """A grid with a number in each cell."""
    rows = grid(random, 6)
    keys: dict[str, list[str] | str] = {"rule": "change", "numbers": "all 0-2"}
    sketch = Sketch(
        random, rows, ["0", "1", "2"], keys, ways=["right", "row", "straight", "down"], numeric=True, blank=False
    )
    sketch.keys["moves"] = [sketch.pattern_row() for _ in range(2)]
    return sketch


def computed(random: Random) -> Sketch:
    """A grid with numbers as symbols: sums, images, comparisons, distances."""
    ways = ["right", "row", "straight", "down", "around", "path"]
    keys: dict[str, list[str] | str] = {"rule": "change", "also": "turn = 1"}
    sketch = Sketch(random, grid(random, 8), list("123"), keys, ways=ways, kinds=["digit"])
    keys["kinds"] = ["digit = 1 2 3", "turned = 2 3 1", "end = 0 digit"]
    rows = [
        "digit1 digit2 -> . digit1+digit2", "digit digit -> . digit+1", "digit . -> . digit-1",
        "digit1 ... digit2 -> . ... digit1+digit2", "digit . -> . turned(digit)", "digit1 . -> turned(digit1) .",
        "digit1 *... . -> . *... digit1", "digit1 digit2 -> digit2 digit1", "digit ., turn -> . digit, turned(turn)",
        "digit ., turn digit -> . digit, turned(digit)", "digit1 ., turn digit2 -> . digit1, 4-digit2",
        "digit1 any... . -> . any... digit1",
    ]  # fmt: skip
    conditions = [
        "digit1 < digit2", "digit1 + digit2 = 3", "digit1 = distance", "distance >= 2", "digit1 != turn",
        "distance < turn", "digit1 = a1", "not digit1 = 2", sketch.sentence(),
    ]  # fmt: skip
    moves: list[str] = []
    for row in random.sample([row for row in rows if "(turn)" not in row], random.choice((2, 3))):
        words = row.partition("->")[0].split()
        fitting = [each for each in conditions if set(re.findall(r"digit\d", each)) <= {*words}]
        said = f"  if {random.choice(fitting)}" if sketch.chance(0.6) else ""
        moves.append(f"{row}  {random.choice(ways)}{said}")
    if sketch.chance(0.3):
        moves.append(f"turn digit1 -> turned(digit1)  if {random.choice(('digit1 < 3', 'digit1 = a1'))}")
    keys["moves"] = moves
    if sketch.chance(0.3):
        keys["after"] = ["digit1 digit2 -> digit2 digit1  right  if digit1 < digit2"]
    return sketch


def steered(random: Random) -> Sketch:
    """A grid in which directions depend on the position."""
    ways = ["row", "column", "straight", "around", "right left"]
    keys: dict[str, list[str] | str] = {"rule": "change", "also": "heading = up"}
    sketch = Sketch(random, grid(random, 8), list("AB"), keys, ways=ways)
    keys["kinds"] = ["way = up right down left", "clockwise = right down left up", "free = . A"]
    sketch.kinds = ["free"]
    places_of(sketch)

    def step() -> str:
        piece, into = random.choice(("A", "B", "any")), random.choice((".", ".", "free", "B"))
        row = random.choice((f"{piece} {into} -> . {piece}", f"{piece} ... . -> . ... {piece}"))
        if sketch.chance(0.5):
            return f"{row}  facing heading"
        return f"{row}  {random.choice(ways)} towards {random.choice(['A', 'B', 'free', 'a1', *sketch.places])}"

    keys["moves"] = [step() for _ in range(random.choice((1, 2)))]
    if sketch.chance(0.8):
        keys["moves"].append(random.choice(("heading way -> clockwise(way)", "heading -> way", "heading up <-> right")))
    if sketch.chance(0.4):
        keys["after"] = [f"{step()}  once"]
    return sketch


def bodies(random: Random) -> Sketch:
    """A grid with bodies of several cells."""
    sketch = Sketch(
        random, grid(random, 12), list("ABC"), {"rule": "change"}, ways=["right", "row", "straight", "down"]
    )
    sketch.keys["kinds"] = ["crate = A B"]
    sketch.kinds = ["crate"]
    ways = ["row", "straight", "column", "down", "right up", "around"]
    rows = ["{crate} . -> . {crate}", "{A} . -> . {A}", "{crate} * . -> . * {crate}", "{B} . <-> . {B}",
            "{any} . -> . {any}", "{crate} . . -> . . {crate}"]  # fmt: skip
    chosen = random.sample(rows, random.choice((1, 2)))
    sketch.keys["moves"] = [f"{row}  {random.choice(ways)}" for row in chosen]
    if sketch.chance(0.3):
        sketch.keys["moves"].append("C . -> . C  straight")
    if sketch.chance(0.3):
        sketch.keys["after"] = [random.choice(("{crate} . -> . {crate}  down", ". {crate} -> {crate} .  left down"))]
    return sketch


def ranged(random: Random) -> Sketch:
    """A grid in which some cells hold numbers of a range only, moved by patterns, bodies and listed moves."""
    keys: dict[str, list[str] | str] = {"rule": "change", "kinds": ["crate = 1 2 3"]}
    ways = ["right", "row", "straight", "down", "around"]
    sketch = Sketch(random, grid(random, 6), list("123"), keys, ways=ways, kinds=["crate"])
    highest = {cell: random.randrange(1, 4) for cell in random.sample(sketch.cells, random.choice((1, 2, 2, 3)))}
    keys["numbers"] = ", ".join(f"{cell} {random.randrange(2)}-{high}" for cell, high in highest.items())
    one, other, third = random.sample(sketch.cells, 3)
    also_of(sketch)
    rows = [
        f"({one} {other})", f"({one} {other} {third})", f"flip {one} {other} {third}", f"~{one} ~{other}",
        f"reverse {one} {other}", f"{one} crate -> crate2", f"{one} crate1, {other} crate2 -> crate2, crate1",
        f"{one} -> {other}", "crate -> 2", f"{one} crate, crate . -> 3, . crate  row",
    ]  # fmt: skip
    moves = random.sample(rows, random.choice((0, 1, 2))) + [sketch.pattern_row() for _ in range(random.choice((1, 2)))]
    keys["moves"] = ["{crate} . -> . {crate}  straight"] if sketch.chance(0.1) else moves
    if any("flip" in row or "~" in row for row in moves):
        keys["swap"] = "1 -> 2 -> 3 -> 1"
    after_of(sketch)
    drawn = zip(sketch.cells, sketch.filling(), strict=True)
    keys["start"] = sketch.drawing(
        [str(random.randint(1, highest[cell])) if cell in highest else s for cell, s in drawn]
    )
    return sketch


def listed(random: Random) -> Sketch:
    """Moves that are listed, with patterns beside them."""
    names = list("abcde")[: random.choice((4, 5))]
    keys: dict[str, list[str] | str] = {
        "rule": "change",
        "board": " ".join(names),
        "swap": random.choice(("o <-> .", "o -> . -> x -> o")),
    }
    sketch = Sketch(random, [names], ["o", "x"], keys, names=names, values=["o", "x"], ways=["right", "row", "line"])
    rows = ["(a b c)", "(a b)(c d)", "flip a b c", "reverse a b c d", "~a ~b", "~c", "(a d) ~b ~a", "~d ~b"]
    moves = [f"m{k}: {row}" for k, row in enumerate(random.sample(rows, random.choice((2, 3))))]
    keys["moves"] = [f"{row}  if {sketch.sentence()}" if sketch.chance(0.3) else row for row in moves]
    if sketch.chance(0.4):
        keys["moves"].append(sketch.pattern_row())
    return sketch


def stacks(random: Random) -> Sketch:
    """Stacks."""
    height, width = random.choice((2, 3, 3, 4)), random.choice((2, 3, 3))
    rows: list[list[str | None]] = [[f"{chr(97 + c)}{r + 1}" for c in range(width)] for r in range(height)]
    if random.random() < 0.3:
        rows[-1][-1] = None
    sizes = random.random() < 0.6
    pieces = list("123") if sizes else list("ABC")
    keys: dict[str, list[str] | str] = {"rule": "stack"}
    sketch = Sketch(random, rows, pieces, keys)
    if not sizes or sketch.chance(0.2):
        order = pieces[:]
        random.shuffle(order)
        keys["order"] = " ".join(order)
    if sketch.chance(0.3):
        keys["colours"] = [f"red = {pieces[0]} {pieces[1]}", f"black = {pieces[2]}"]

    def put() -> str:
        colour = " of another colour" if "colours" in keys and sketch.chance(0.6) else ""
        return random.choice(PUTS) + colour + random.choice(("", "", "", " never on empty", f" on empty: {pieces[0]}"))

    takes = ["one", "one", "several", "several in reverse", "equal"]
    keys["put"] = put()
    keys["take"] = random.choice(takes)
    if sketch.chance(0.2):
        keys[f"put {height}"] = put()
    if sketch.chance(0.2):
        keys[f"take {random.randrange(1, height + 1)}"] = random.choice(["none", *takes])
    if sketch.chance(0.3) and height > 2:
        keys["between"] = random.choice(("1-2 2-3", "1>2 2>3 3>1", "1-2 3>2"))
    filled: list[str] = []
    for row in rows:
        room = sum(cell is not None for cell in row)
        pile = random.randrange(room + 1)
        filled += [random.choice(pieces) for _ in range(pile)] + ["."] * (room - pile)
    keys["start"] = sketch.drawing(filled)
    return sketch


WORLDS = (on_grid, on_lines, with_names, with_numbers, number_board, listed, stacks, computed, steered, bodies, ranged)


def draw(seed: int) -> str:
    """Return the file of this seed."""
    random = Random(seed)
    least, most = random.choice(LEAST), random.choice(MOST)
    while True:
        text = sketched(random)
        states = size(text, most)
        if states is not None and states >= least:
            return text


def sketched(random: Random) -> str:
    """Return some file; it may have too many positions, or only one."""
    return random.choices(WORLDS, (60, 12, 8, 7, 6, 7, 30, 16, 14, 12, 14))[0](random).finish()


def size(text: str, limit: int) -> int | None:
    """The number of positions that the start of a file reaches; None if they are too many or it is refused."""
    try:
        return len(reference.depths_from_start(reference.read(text), limit))
    except (ValueError, reference.EndlessError):
        return None


def features(text: str) -> set[str]:
    """The features that a file uses."""
    return {name for name, pattern in FEATURES.items() if re.search(pattern, text, re.MULTILINE)}


def chains(seed: int) -> str:
    """A file in which pieces go on within a move: steps and hops, some of them with `again`."""
    random = Random(seed)
    wide, high = random.choice(((6, 1), (7, 1), (3, 2), (3, 3)))
    ways = ("right", "row", "line") if high == 1 else ("straight", "around", "row", "path", "down right")
    cells = random.sample("AAB" + "." * (wide * high - 3), wide * high)

    def row() -> str:
        piece, over = random.choice(
            (("A", "B"), ("A", "A"), ("B", "A"), ("any1", "any2"), ("crate", "A"), ("A", "..."))
        )
        hop = random.random() < 0.7
        before, after = (f"{piece} {over} .", f". {over} {piece}") if hop else (f"{piece} .", f". {piece}")
        return f"{before} -> {after}  {random.choice(ways)}{'  again' * (random.random() < 0.7)}"

    rows = "".join(f"  {row()}\n" for _ in range(random.choice((1, 2, 3))))
    drawn = "".join(f"  {' '.join(cells[at : at + wide])}\n" for at in range(0, wide * high, wide))
    return f"rule: change\nkinds:\n  crate = A B\nmoves:\n{rows}start:\n{drawn}goal: some B on a1 and not start\n"
