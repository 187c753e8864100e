"""Puzzles of pieces with sentences: random ones, and what the two second readings say of them.

`reference` reads the pieces and `changes_sentences` the sentences, of the letters that are drawn; neither imports
anything from the package.
"""

from __future__ import annotations

import re
from random import Random

from . import reference
from .changes_sentences import Sentences
from .changes_words import World
from .generators import draw, draw_crates, draw_glide, draw_push

SINGLE = {"slide": ("step",), "jump": ("step",), "glide": ("piece", "step"), "push": ("move",), "apply": ("step",)}
"""The metrics of each rule kind in which positions can be forbidden."""

COUNTS = {
    "slide": ("step", "run", "piece"), "jump": ("step", "chain"), "glide": ("piece", "step"),
    "push": ("push", "move", "run"), "apply": ("step",),
}  # fmt: skip

NAMED = (*reference.SHAPES, "grid", "triangle15", "triangle", "hex")
"""The first words of known boards."""

TRIES = 6
"""How many sentences are tried for one board; the first puzzle with a solution is taken."""

QUICK = 150
"""Positions at most of a board on which sentences are tried."""


def sketched(seed: int) -> str:
    """A random puzzle with a kind, a place, and sentences as its goal and as what is forbidden."""
    random = Random(seed)
    while True:
        maker = random.choices((draw, draw_glide, draw_push, draw_crates), (4, 1, 1, 1))[0]
        keys = reference.sections(maker(random.randrange(1 << 30)))
        rule = keys["rule"][0].split()[0]
        if "start" not in keys or "anywhere" in keys or "passing" in keys or "tilt" in keys or "known" in keys:
            continue
        keys = {key: rows for key, rows in keys.items() if not re.fullmatch(r"goal( \d+)?|count|distinct", key)}
        boxes = sorted({*reference.symbols(keys["start"])} - {".", "@"})
        if rule == "push" and len(boxes) > 1 and random.random() < 0.4 and not {"blocks", "apart"} & keys.keys():
            keys["fixed"] = [random.choice(boxes)]
        _walls(random, keys, rule)
        texts = [text for _ in range(TRIES) if (text := _worded(random, dict(keys), rule))]
        if texts:
            return next(filter(_is_worth, texts), texts[-1])


def _is_worth(text: str) -> bool:
    """Whether a puzzle has a solution of at least one move."""
    found = Reading(text).numbers(QUICK)
    return found is not None and bool(found["solution"])


def _walls(random: Random, keys: dict[str, list[str]], rule: str) -> None:
    """Add walls between the cells of some grids."""
    board = reference.make_board(keys)
    if rule not in ("slide", "jump", "push") or not board.at or "board" in keys or "diagonals" in keys:
        return
    if random.random() < 0.5 or "lines" in keys or "links" in keys:
        return
    drawing = reference.drawn(keys["start"])
    rows: list[str] = []
    for y in range(2 * len(drawing) + 1):
        row = ""
        for x in range(2 * len(drawing[0]) + 1):
            sign = "+" if y % 2 == x % 2 == 0 else "-" if y % 2 == 0 else "|" if x % 2 == 0 else ""
            here = drawing[y // 2][x // 2] if not sign else ""
            row += ("#" if here == "#" else ".") if not sign else sign if sign == "+" or random.random() < 0.15 else "."
        rows.append(row)
    keys["ground"] = rows


def _worded(random: Random, keys: dict[str, list[str]], rule: str) -> str:
    start = reference.symbols(keys["start"])
    names = reference.make_board(keys).names
    letters = sorted({*start} - {"@"})
    lettered = [word for word in letters if re.fullmatch(r"[A-Za-z$]\w*", word) and word not in ("x", "y", "not")]
    if not lettered or len(names) < 3:
        return ""
    keys["kinds"] = [f"crate = {' '.join(random.sample(lettered, random.randint(1, len(lettered))))}"]
    keys["places"] = [f"yard = {' '.join(random.sample(names, random.randint(1, 3)))}"]
    board = reference.make_board(keys)
    grid = bool(board.at) and board.directions != reference.HEX
    plain = "ground" in keys, rule == "push", grid
    if random.random() < 0.8:
        keys["goal"] = [joined(random, [*lettered, "crate"], names, plain)]
        if random.random() < 0.2:
            keys["goal 2"] = [joined(random, [*lettered, "crate"], names, plain)]
    counts = COUNTS[rule]
    if random.random() < 0.7 or "goal" not in keys:
        rows = [joined(random, [*lettered, "crate"], names, plain) for _ in range(random.choice((1, 1, 2)))]
        keys["forbid"] = [f"no {number}: {row}" for number, row in enumerate(rows)]
        counts = SINGLE[rule]
    keys["count"] = [random.choice(counts)]
    if random.random() < 0.5 and rule in ("slide", "glide", "push"):
        keys["distinct"] = ["all"]
    ground = keys.pop("ground", None)
    text = "".join(_entry(key, rows) for key, rows in keys.items())
    return text + (_entry("ground", ground) if ground else "")


def _entry(key: str, rows: list[str]) -> str:
    below = len(rows) > 1 or key == "start" or (key == "board" and rows[0].split()[0] not in NAMED)
    return f"{key}:\n" + "".join(f"  {row}\n" for row in rows) if below else f"{key}: {rows[0]}\n"


def joined(random: Random, words: list[str], names: list[str], plain: tuple[bool, bool, bool]) -> str:
    parts = [_simple(random, words, names, plain) for _ in range(random.choice((1, 1, 1, 2, 2, 3)))]
    text = parts[0]
    for part in parts[1:]:
        text += f" {random.choice(('and', 'or'))} {part}"
    return text


def _simple(random: Random, words: list[str], names: list[str], plain: tuple[bool, bool, bool]) -> str:
    walled, pushed, grid = plain
    word, more, (a, b, *_) = random.choice(words), random.choice([*words, "."]), random.sample(names, 3)
    where = random.choice(("yard", f"{a} {b}", a, f"yard {b}"))
    sign = random.choice(("=", "!=", "<=", ">=", "<", ">"))
    negative = random.choice(("", "", "", "not "))
    alike = ["rows alike", "columns alike", "board alike"] if grid else []
    sees = [] if walled or not grid else [
        f"see {word} {more} {random.choice(('right', 'down', 'straight'))}",
        f"see {word} ... {word} {random.choice(('row', 'column'))}",
    ]  # fmt: skip
    return negative + random.choice([
        *sees, f"count {word} {random.choice((f'on {where} ', ''))}{sign} {random.randint(0, 4)}",
        f"count {word} {more} on {where} at least {random.randint(1, 3)}",
        f"all {word} on {where}", f"each {where} shows {word}", f"some {word} on {where}", f"no {more} on {where}",
        f"some {more} on {where}", f"{a} = {b}", f"{a} != {more}",
        f"{a} = {b} = {word}" if word != "crate" else f"{a} = {word} and {b} = {word}", f"some yard = {a}",
        f"every yard != {word}", f"no {word}" if pushed else "start", *alike, f"connected {more}",
    ])  # fmt: skip


def numbers_of(start, moves, is_goal, most: int) -> dict[str, int | None] | None:
    """Positions that the start reaches, the greatest depth, positions there, and the least depth of a goal.

    None if there are more than `most` positions.
    """
    layers, seen, solution = [[start]], {start}, None
    while layers[-1]:
        if solution is None and any(map(is_goal, layers[-1])):
            solution = len(layers) - 1
        after = dict.fromkeys(child for position in layers[-1] for child in moves(position))
        layers.append([child for child in after if child not in seen])
        seen.update(layers[-1])
        if len(seen) > most:
            return None
    return {"states": len(seen), "depth": len(layers) - 2, "hardest": len(layers[-2]), "solution": solution}


class Reading:
    """A puzzle with sentences: `reference` with the letters told apart, and the sentences of what it shows."""

    def __init__(self, text: str) -> None:
        keys = reference.sections(text)
        plain = {key: rows for key, rows in keys.items()
                 if not re.fullmatch(r"goal( \d+)?|kinds|places|forbid|distinct", key)}  # fmt: skip
        self.rule = keys["rule"][0].split()[0]
        self.metric = keys["count"][0]
        ground = plain.pop("ground", None)
        pieces = "".join(_entry(key, rows) for key, rows in plain.items())
        self.pieces = reference.read(pieces + (_entry("ground", ground) if ground else ""))
        board = self.pieces.board
        at = list(board.at) if board.at and board.directions != reference.HEX else None
        free = reference.make_board(plain | ({"ground": ground} if ground else {}))
        self.world = World(list(board.names), len(board.names), at, free.tracks)
        self.world.symbols = {*self.shown(self.pieces.start), "."} | {*reference.symbols(keys["start"])} - {"@"}
        self.world.symbols |= {word for row in keys.get("swap", ()) for word in re.findall(r"[^\s,<>-]+", row)}
        for row in keys["kinds"]:
            name, _, members = row.partition(" = ")
            self.world.kinds[name] = frozenset(members.split())
        for row in keys["places"]:
            name, _, cells = row.partition(" = ")
            self.world.places[name] = tuple(board.names.index(cell) for cell in cells.split())
        self.world.start = self.shown(self.pieces.start)
        self.goals = [Sentences(self.world, rows[0]).whole() for key, rows in keys.items() if key.startswith("goal")]
        self.laws = [Sentences(self.world, row.partition(":")[2]).whole() for row in keys.get("forbid", ())]

    def shown(self, position) -> tuple[str, ...]:
        return tuple(self.pieces.shown(position))

    def is_goal(self, position) -> bool:
        return any(said(self.shown(position), {}) for said in self.goals)

    def moves(self, position) -> list:
        found = self.pieces.moves(position, self.metric)
        return [after for after in found if not any(said(self.shown(after), {}) for said in self.laws)]

    def numbers(self, most: int) -> dict[str, int | None] | None:
        """Positions that the start reaches, the greatest depth, positions there, and the least depth of a goal."""
        start = self.pieces.settled(self.pieces.start, self.metric)
        return numbers_of(start, self.moves, self.is_goal, most)
