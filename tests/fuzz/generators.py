"""Random tiny puzzles as text: every rule kind and key of docs/format.md.

`draw(seed)` returns the text of one puzzle that the package accepts. Most have up to a few hundred positions, so that
every engine, metric and bound answers in much less than a second. Half of the starts and goals are found by random
walks, so that solutions exist; the others are arbitrary.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import factorial, prod
from random import Random

from puzzlespace.api.loader import from_text
from puzzlespace.engines.table import choose_kind
from puzzlespace.errors import PuzzlespaceError
from puzzlespace.puzzle.board import named as named_board
from puzzlespace.puzzle.puzzle import Puzzle

MOST = (8, 24, 24, 60, 60, 120, 120, 300, 1500)
"""The most placements; one of these is chosen at random."""

WIDE = 200
"""Positions at most on boards of many cells: each takes long."""

TABLE = 1 << 22
"""Bytes at most of a table by rank: numbers may be many, however few positions are reached."""

LARGEST = 800
"""The most orders of the pieces on boards for special fast paths."""


@dataclass
class Sketch:
    """A puzzle under construction.

    rows   the drawing: cell numbers, None for '#'
    names  the names of the cells
    """

    random: Random
    rows: list[list[int | None]]
    names: list[str]
    grid: bool
    keys: dict[str, str] = field(default_factory=dict)
    symbols: list[str] = field(default_factory=list)

    @property
    def cells(self) -> int:
        return sum(cell is not None for row in self.rows for cell in row)

    def drawing(self, words: list[str] | tuple[str, ...]) -> str:
        """Return one word for each cell as a drawing, sometimes on one line or without spaces."""
        rows = [[words[cell] if cell is not None else "#" for cell in row] for row in self.rows]
        tight = all(len(word) == 1 for row in rows for word in row) and self.random.random() < 0.3
        lines = [("" if tight else " ").join(row) for row in rows]
        if self.random.random() < 0.1:
            return " / ".join(lines)
        return "\n  " + "\n  ".join(lines)

    def text(self, **more: str) -> str:
        """Return the puzzle file; `more` are further keys, with '_' for ' '."""
        keys = {**self.keys, **{key.replace("_", " "): value for key, value in more.items()}}
        return "".join(f"{key}: {value}\n" if value[:1] != "\n" else f"{key}:{value}\n" for key, value in keys.items())


def draw(seed: int) -> str:
    """Return the puzzle of this seed."""
    random = Random(seed)
    while True:
        kinds = (
            slide, blocks, jump, apply, named, rectangle, mixed, scattered, carried, stickers, lamps, wide, wide_jumps,
            ring, bars, long_slide, separate, many_lamps, many_goals
        )  # fmt: skip
        text = random.choices(kinds, (16, 13, 8, 12, 2, 6, 2, 2, 3, 3, 5, 4, 1, 2, 2, 1, 1, 1, 1))[0](random)
        if text is not None and accepted(text) is not None:
            return text


def draw_glide(seed: int) -> str:
    """Return the puzzle with `rule: glide` of this seed: a list of its own, so that `draw` keeps its puzzles."""
    random = Random(seed)
    while True:
        text = glide(random)
        if text is not None and accepted(text) is not None:
            return text


def draw_push(seed: int) -> str:
    """Return the puzzle with `rule: push` of this seed."""
    random = Random(seed)
    while True:
        text = push(random)
        if text is not None and accepted(text) is not None:
            return text


def draw_crates(seed: int) -> str:
    """Return the puzzle with `rule: push` and boxes of several cells of this seed."""
    random = Random(seed)
    while True:
        text = crates(random)
        if text is not None and accepted(text) is not None:
            return text


def accepted(text: str) -> Puzzle | None:
    """Return the puzzle, or None if the package refuses the text."""
    try:
        return from_text(text, "random.pzl")
    except PuzzlespaceError:
        return None


def board(random: Random, cells: int, *, grid: bool) -> Sketch:
    """Return an empty board of about so many cells: a grid with gaps, or names with rows of any length."""
    if grid:
        width = random.randint(1, min(cells, 5))
        height = -(-cells // width)
        rows: list[list[int | None]] = [[0] * width for _ in range(height)]
        for _ in range(width * height - cells if random.random() < 0.8 else 0):
            rows[random.randrange(height)][random.randrange(width)] = None
        count = 0
        for row in rows:
            for x, cell in enumerate(row):
                if cell is not None:
                    row[x] = count
                    count += 1
        names = [
            f"{'abcdefgh'[x]}{y + 1}" for y, row in enumerate(rows) for x, cell in enumerate(row) if cell is not None
        ]
        sketch = Sketch(random, rows, names, grid=True)
        if random.random() < 0.1:
            sketch.names = [f"{random.choice('pqrs')}{n}" for n in range(count)]
            sketch.keys["board"] = "\n  " + "\n  ".join(
                " ".join(sketch.names[cell] if cell is not None else "#" for cell in row) for row in rows
            )
        return sketch
    numbers: list[list[int | None]] = []
    left = list(range(cells))
    while left:
        size = random.randint(1, len(left))
        numbers.append(left[:size])  # type: ignore[arg-type]
        left = left[size:]
    letters = random.random() < 0.5
    names = ["abcdefghijklmnop"[n] if letters else f"c{n}" for n in range(cells)]
    random.shuffle(names)
    sketch = Sketch(random, numbers, names, grid=False)
    rows_text = [" ".join(names[cell] for cell in row if cell is not None) for row in numbers]
    sketch.keys["board"] = "\n  " + "\n  ".join(rows_text)
    return sketch


def joined(sketch: Sketch, *, lines: bool) -> None:
    """Give the board lines (that may overlap, cross and come back) or links."""
    random, cells = sketch.random, sketch.cells
    if lines:
        chains: list[list[int]] = []
        for _ in range(random.randint(1, max(1, cells - 1))):
            size = random.randint(2, min(5, max(2, cells)))
            chain = random.sample(range(cells), min(size, cells))
            if chains and random.random() < 0.3:  # a part of one that is there, on from its end or turned round
                old = random.choice(chains)
                chain = old[-2:] + [cell for cell in chain if cell not in old[-2:]]
            if random.random() < 0.1 and len(chain) > 2:
                chain.append(chain[0])
            if len(chain) > 1:
                chains.append(chain)
        if not chains:
            return
        words = ["-".join(sketch.names[cell] for cell in chain) for chain in chains]
        sketch.keys["lines"] = (" " if random.random() < 0.2 else "\n  ").join(["", *words])
        return
    pairs: dict[int, list[int]] = {}
    for cell in range(1, cells):
        if random.random() < 0.9:
            pairs.setdefault(random.randrange(cell), []).append(cell)
    for _ in range(random.randint(0, cells)):
        a, b = random.randrange(cells), random.randrange(cells)
        if a != b:
            pairs.setdefault(a, []).append(b)
    if pairs:
        names = sketch.names
        sketch.keys["links"] = "".join(
            f"\n  {names[a]}: {' '.join(names[b] for b in near)}" for a, near in pairs.items()
        )


def orders(words: list[str]) -> int:
    """Return the number of different orders of the words."""
    return factorial(len(words)) // prod(factorial(count) for count in Counter(words).values())


def slide(random: Random) -> str | None:
    """Return a puzzle of pieces of one cell."""
    most = random.choice(MOST)
    style = random.choice(("grid", "grid", "lines", "links"))
    sketch = board(random, random.choice((1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9)), grid=style == "grid")
    sketch.keys["rule"] = "slide" if random.random() < 0.95 else "slide along"
    if style != "grid":
        joined(sketch, lines=style == "lines")
    elif random.random() < 0.15:
        sketch.keys["diagonals"] = "yes"
    words = pieces(random, sketch.cells, most)
    if words is None:
        return None
    counted(sketch, ("step", "run", "piece", "multi"))
    letters = sorted({word for word in words if word != "."})
    if letters and random.random() < 0.2:
        sketch.keys["fixed"] = " ".join(random.sample(letters, random.randint(1, min(2, len(letters)))))
    if letters and random.random() < 0.15:
        sketch.keys["distinct"] = random.choice(("all", random.choice(letters)))
    if letters and random.random() < 0.12:
        gate = ["*"] * sketch.cells
        for _ in range(random.randint(1, 2)):
            gate[random.randrange(sketch.cells)] = random.choice(letters)
        sketch.keys["gates"] = sketch.drawing(gate)
    return ended(sketch, words)


def pieces(random: Random, cells: int, most: int) -> list[str] | None:
    """Return words for all cells with at least one blank and a limited number of orders, or None if none is found."""
    for _ in range(30):
        blanks = min(cells, random.choice((1, 1, 1, 1, 2, 2, 3)))
        kinds = random.choice((1, 2, 3, cells))
        letters = random.choice(
            (list("123456789"), list("ABCDEFGHI"), ["1", "2", "10", "11", "a1", "b1", "x", "y", "z"])
        )
        if kinds == cells:
            words = letters[: cells - blanks]
        else:
            words = [random.choice(letters[:kinds]) for _ in range(cells - blanks)]
        words += ["."] * blanks
        if orders(words) <= most and len(words) == cells:
            random.shuffle(words)
            return words
    return None


def blocks(random: Random) -> str | None:
    """Return a puzzle of blocks on a grid; some blocks have parts that do not touch."""
    cells = random.choice((2, 4, 4, 6, 6, 8, 9, 12))
    sketch = board(random, cells, grid=True)
    sketch.keys.pop("board", None)
    sketch.keys["rule"] = random.choice(("slide", "slide", "slide along"))
    place = {(x, y): cell for y, row in enumerate(sketch.rows) for x, cell in enumerate(row) if cell is not None}
    words = ["."] * sketch.cells
    letters, blanks = list("ABCDEFGH"), random.choice((1, 1, 2, 2, 3, 4))
    apart: list[str] = []
    rigid: list[str] = []
    same: list[tuple[int, int]] | None = None
    while letters and words.count(".") > blanks:
        letter = letters.pop(0)
        free = [at for at, cell in place.items() if words[cell] == "."]
        if same is not None and random.random() < 0.4:  # another piece of a shape that is already there
            x, y = random.choice(free)
            shape = [(x + dx, y + dy) for dx, dy in same]
            if not all(at in free for at in shape):
                shape = [random.choice(free)]
        else:
            shape = [random.choice(free)]
            for _ in range(random.choice((0, 0, 1, 1, 1, 2, 3))):
                x, y = random.choice(shape)
                near = [at for at in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if at in free and at not in shape]
                if near:
                    shape.append(random.choice(near))
            if random.random() < 0.12:
                shape.append(random.choice(free))
        shape = sorted(dict.fromkeys(shape), key=lambda at: (at[1], at[0]))
        if words.count(".") - len(shape) < 1:
            break
        same = [(x - shape[0][0], y - shape[0][1]) for x, y in shape]
        (rigid if in_one_part(shape) else apart).append(letter)
        for at in shape:
            words[place[at]] = letter
    used = sorted(set(words) - {"."})
    if not used:
        return None
    if apart:
        sketch.keys["apart"] = "all" if random.random() < 0.2 else " ".join(apart)
    if rigid:
        listed = [letter for letter in rigid if random.random() < 0.8]
        sketch.keys["blocks"] = "all" if random.random() < 0.6 or not listed else " ".join(listed)
        if apart and sketch.keys["blocks"] == "all":
            sketch.keys["blocks"] = " ".join(rigid)
    if random.random() < 0.15:
        sketch.keys["fixed"] = random.choice(used)
    if random.random() < 0.1:
        sketch.keys["diagonals"] = "yes"
    if random.random() < 0.15:
        sketch.keys["distinct"] = random.choice(("all", random.choice(used)))
    if random.random() < 0.15:
        gate = ["*"] * sketch.cells
        for _ in range(random.randint(1, 2)):
            gate[random.randrange(sketch.cells)] = random.choice(used)
        sketch.keys["gates"] = sketch.drawing(gate)
    counted(sketch, ("step", "run", "piece", "piece"))
    return ended(sketch, words)


def in_one_part(shape: list[tuple[int, int]]) -> bool:
    """Return whether squares touch along edges."""
    seen, pending = {shape[0]}, [shape[0]]
    while pending:
        x, y = pending.pop()
        for at in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if at in shape and at not in seen:
                seen.add(at)
                pending.append(at)
    return len(seen) == len(shape)


def jump(random: Random) -> str | None:
    """Return a puzzle of jumping pegs."""
    style = random.choice(("grid", "grid", "lines", "lines", "triangle", "hex"))
    if style in ("triangle", "hex"):
        size = random.choice((3, 4)) if style == "triangle" else 2
        rows = list(range(1, size + 1)) if style == "triangle" else [2, 3, 2]
        at, numbers = 0, []
        for width in rows:
            numbers.append(list(range(at, at + width)))
            at += width
        sketch = Sketch(
            random, numbers, [f"{'abcd'[y]}{x + 1}" for y, w in enumerate(rows) for x in range(w)], grid=False
        )
        sketch.keys["board"] = f"{style} {size}"
    else:
        sketch = board(random, random.choice((1, 3, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12)), grid=style == "grid")
        if style == "lines":
            joined(sketch, lines=True)
        elif random.random() < 0.15:
            sketch.keys["diagonals"] = "yes"
    sketch.keys["rule"] = "jump"
    kinds = ["o"] if random.random() < 0.6 else random.choice((["o", "x"], ["o", "x", "y"], ["1", "2"]))
    holes = random.choice((0, 1, 1, 2, 3, 4, sketch.cells))
    words = ["."] * min(holes, sketch.cells) + [random.choice(kinds) for _ in range(sketch.cells - holes)]
    random.shuffle(words)
    used = sorted(set(words) - {"."})
    if len(used) > 1 and random.random() < 0.25:
        sketch.keys["fixed"] = random.choice(used)
    counted(sketch, ("step", "chain"))
    return ended(sketch, words)


def apply(random: Random) -> str | None:
    """Return a puzzle of listed moves."""
    most = random.choice(MOST)
    style = random.choice(("grid", "grid", "names"))
    sketch = board(random, random.choice((1, 2, 3, 4, 5, 6, 6, 7, 8)), grid=style == "grid")
    sketch.keys["rule"] = "apply"
    if style != "grid" and random.random() < 0.5:
        joined(sketch, lines=random.random() < 0.5)
    cells = sketch.cells
    swaps: list[list[str]] = []
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        pool = [letter for letter in "rgbxyzpq" if letter not in {one for cycle in swaps for one in cycle}]
        swaps.append(pool[: random.choice((2, 2, 3, 4))])
    swapped = [letter for cycle in swaps for letter in cycle]
    plain = list("123456") if random.random() < 0.7 else ["A", "10", "o", "."]
    kinds = random.choice((1, 2, 3, cells))
    for _ in range(30):
        words = [random.choice([*swapped, *plain[:kinds]]) for _ in range(cells)]
        if kinds == cells and not swapped:
            words = (plain * 2)[:cells]
            random.shuffle(words)
        sizes = prod(len(cycle) ** sum(word in cycle for word in words) for cycle in swaps)
        if orders([next((c[0] for c in swaps if w in c), w) for w in words]) * sizes <= most:
            break
    else:
        return None
    swaps = [cycle for cycle in swaps if set(cycle) & set(words)]
    if swaps:
        written = [
            f"{cycle[0]} <-> {cycle[1]}"
            if len(cycle) == 2 and random.random() < 0.7
            else " -> ".join([*cycle, cycle[0]])
            for cycle in swaps
        ]
        sketch.keys["swap"] = ", ".join(written) if random.random() < 0.5 else "\n  " + "\n  ".join(written)
    moves = [f"m{n}: {move(sketch, swaps=bool(swaps))}" for n in range(random.choice((1, 1, 2, 2, 3, 4)))]
    sketch.keys["moves"] = "\n  " + "\n  ".join(moves)
    if random.random() < 0.25:
        sketch.keys["one-way"] = "yes"
    counted(sketch, ("step", "run"))
    sketch.symbols = sorted({*words, *(letter for cycle in swaps for letter in cycle)})
    return ended(sketch, words)


def move(sketch: Sketch, *, swaps: bool) -> str:
    """Return the value of a listed move: cycles and changes, a flip, or a reversed line."""
    random, cells = sketch.random, sketch.cells
    form = random.choice(("cycles", "cycles", "cycles", "flip", "reverse"))
    if form == "reverse" or (form == "flip" and swaps):
        line = random.sample(sketch.names, random.randint(1 if form == "flip" else min(2, cells), min(cells, 5)))
        return f"{form} {' '.join(line)}"
    cycles = []
    free = list(sketch.names)
    for _ in range(random.choice((1, 1, 2))):
        size = random.choice((2, 2, 3, 3, 4))
        pool = free if random.random() < 0.8 else sketch.names  # cycles may share cells
        if len(pool) >= size:
            cycle = random.sample(pool, size)
            free = [name for name in free if name not in cycle]
            cycles.append("(" + " ".join(cycle) + ")")
    changed = [f"~{random.choice(sketch.names)}" for _ in range(random.choice((0, 1, 1, 2)))] if swaps else []
    return "".join(cycles) + (" " if cycles and changed else "") + " ".join(changed)


def named(random: Random) -> str | None:
    """Return a puzzle on a known board of few cells."""
    name, rows = random.choice(
        (
            ("grid 2x2", [2, 2]), ("grid 3x2", [3, 3]), ("grid 1x4", [1] * 4), ("triangle 2", [1, 2]),
            ("triangle 3", [1, 2, 3]), ("hex 2", [2, 3, 2]), ("hex 1", [1]), ("grid 3x3", [3, 3, 3]),
        )
    )  # fmt: skip
    at, numbers = 0, []
    for width in rows:
        numbers.append(list(range(at, at + width)))
        at += width
    sketch = Sketch(random, numbers, [f"c{n}" for n in range(at)], grid=name.startswith("grid"))
    sketch.keys["rule"] = "slide"
    sketch.keys["board"] = name
    words = pieces(random, at, random.choice(MOST))
    if words is None:
        return None
    counted(sketch, ("step", "run", "piece", "multi"))
    return ended(sketch, words)


def full(random: Random, width: int, height: int) -> Sketch:
    """Return a rectangle without holes."""
    rows: list[list[int | None]] = [list(range(row * width, (row + 1) * width)) for row in range(height)]
    names = [f"{'abcdef'[n % width]}{n // width + 1}" for n in range(width * height)]
    return Sketch(random, rows, names, grid=True)


def rectangle(random: Random) -> str | None:
    """Return a slide on a full rectangle with one blank, for bounds across rows and columns and tables of tracks."""
    width, height = random.choice(((2, 2), (4, 1), (3, 2), (2, 3), (3, 2), (2, 3), (4, 2), (2, 4), (3, 3)))
    sketch, cells = full(random, width, height), width * height
    sketch.keys["rule"] = "slide"
    kinds = random.choice(("12345", "12345", "11234"))
    if cells > 6:
        kinds = random.choice(("112", "11112222", "111222"))
    words = [kinds[n % len(kinds)] for n in range(cells - 1)] + ["."]
    if orders(words) > LARGEST:
        return None
    random.shuffle(words)
    if random.random() < 0.3:
        gate = ["*"] * cells
        gate[random.randrange(cells)] = random.choice(kinds)
        sketch.keys["gates"] = sketch.drawing(gate)
    counted(sketch, ("multi", "multi", "run", "step", "step"))
    walked = accepted(sketch.text(start=sketch.drawing(words)))
    if walked is None:
        return None
    goal = walk(random, walked, random.choice((1, 3, 8, 20, 50))) if random.random() < 0.8 else list(words)
    if random.random() < 0.2:
        random.shuffle(goal)
    return sketch.text(start=sketch.drawing(words), goal=sketch.drawing(goal))


def carried(random: Random) -> str | None:
    """Return listed moves that carry six or seven different pieces, seven by even permutations only."""
    cells = random.choice((6, 6, 6, 7))
    sketch = board(random, cells + random.choice((0, 0, 0, 1, 2)), grid=random.random() < 0.5)
    stays = sketch.cells - cells  # cells that no move touches
    sketch.keys["rule"] = "apply"
    names = sketch.names[:cells]
    moves = []
    for _ in range(random.choice((2, 2, 3, 4))):
        size = random.choice((3, 5, 7)) if cells == 7 else random.choice((2, 3, 4, 5, 6))
        if cells == 6 and random.random() < 0.4:
            moves.append(f"reverse {' '.join(names[:size])}")
        else:
            moves.append(f"({' '.join(random.sample(names, size))})")
    sketch.keys["moves"] = "\n  " + "\n  ".join(f"m{n}: {text}" for n, text in enumerate(moves))
    if random.random() < 0.25:
        sketch.keys["one-way"] = "yes"
    counted(sketch, ("step", "step", "run"))
    words = random.sample("1234567", cells) + ["x"] * stays
    sketch.symbols = sorted(set(words))
    return ended(sketch, words)


def stickers(random: Random) -> str | None:
    """Return listed moves of pieces with two or three stickers each, which keep together and turn."""
    pieces, sides = random.choice(((2, 2), (3, 2), (3, 2), (4, 2), (2, 3), (3, 3)))
    sketch = board(random, pieces * sides, grid=False)
    sketch.keys["rule"] = "apply"
    names = [sketch.names[first : first + sides] for first in range(0, pieces * sides, sides)]
    moves = []
    for _ in range(random.choice((1, 2, 2, 3))):
        cycle = random.sample(names, random.randint(1, pieces))
        turn = [random.randrange(sides) for _ in cycle]
        turn[0] = turn[0] or len(cycle) == 1
        paths: dict[str, str] = {}
        for here, there, by in zip(cycle, cycle[1:] + cycle[:1], turn, strict=True):
            paths.update({name: there[(side + by) % sides] for side, name in enumerate(here)})
        circles = []
        while paths:
            circle = [next(iter(paths))]
            while paths[circle[-1]] in paths and paths[circle[-1]] != circle[0]:
                circle.append(paths[circle[-1]])
            for name in circle:
                del paths[name]
            if len(circle) > 1:
                circles.append(f"({' '.join(circle)})")
        if circles:
            moves.append("".join(circles))
    if not moves:
        return None
    sketch.keys["moves"] = "\n  " + "\n  ".join(f"m{n}: {text}" for n, text in enumerate(moves))
    if random.random() < 0.2:
        sketch.keys["one-way"] = "yes"
    counted(sketch, ("step", "step", "run"))
    kinds = random.choice(("123456789", "123456789", "rgb", "rgbwy"))
    words = [kinds[n % len(kinds)] for n in range(pieces * sides)]
    sketch.symbols = sorted(set(words))
    return ended(sketch, words)


def lamps(random: Random) -> str | None:
    """Return listed moves that change symbols and move nothing."""
    sketch = board(random, random.choice((1, 3, 5, 6, 7, 8, 9, 10)), grid=True)
    cells = sketch.cells
    sketch.keys["rule"] = "apply"
    pairs = random.choice((("xy",), ("xy",), ("xy", "pq"), ("xyz",)))
    circles = [" -> ".join((*each, each[0])) if len(each) > 2 else " <-> ".join(each) for each in pairs]
    sketch.keys["swap"] = ", ".join(circles)
    moves = []
    for _ in range(random.randint(1, min(8, cells + 2))):
        moves.append(set(random.sample(sketch.names, random.randint(1, min(5, cells)))))
    if random.random() < 0.3:
        moves.append(random.choice(moves))
    if len(moves) > 2 and random.random() < 0.4:  # three moves that have no effect together
        moves.append(moves[0] ^ moves[1] or moves[0])
    written = [" ".join(f"~{name}" for name in sorted(move)) for move in moves]
    sketch.keys["moves"] = "\n  " + "\n  ".join(f"m{n}: {text}" for n, text in enumerate(written))
    counted(sketch, ("step", "step", "run"))
    letters = "".join(pairs) + random.choice(("", "", "1"))
    sketch.symbols = sorted("".join(pairs))
    return ended(sketch, [random.choice(letters) for _ in range(cells)])


def mixed(random: Random) -> str | None:
    """Return a slide of so many orders that a word of a table holds only those of the last pieces."""
    words = list(random.choice(("112233.", "1112233.", "1112223.", "11112222.", "11222..", "111122.")))
    style = random.choice(("grid", "grid", "lines", "links"))
    sketch = board(random, len(words), grid=style == "grid")
    if sketch.cells != len(words):
        words = words[:-1] + ["1"] * (sketch.cells - len(words)) + ["."]
    sketch.keys["rule"] = "slide"
    if style != "grid":
        joined(sketch, lines=style == "lines")
    if orders(words) > 2 * LARGEST:
        return None
    random.shuffle(words)
    counted(sketch, ("step", "step", "run", "piece"))
    return ended(sketch, words)


def scattered(random: Random) -> str | None:
    """Return few pegs on a grid of so many cells that numbers of positions take several bytes."""
    width, height = random.choice(((4, 4), (3, 5), (5, 3), (2, 11)))
    sketch, cells = full(random, width, height), width * height
    sketch.keys["rule"] = "jump"
    words = ["."] * cells
    for _ in range(random.randint(4, 9)):
        words[random.choice((random.randrange(cells), random.randrange(cells // 2)))] = "o"
    counted(sketch, ("step", "step", "chain"))
    return ended(sketch, words, whole=True)


def ring(random: Random) -> str | None:
    """Return a slide on a closed line, along which a move can go on without end, and perhaps another line."""
    cells = random.randint(3, 6)
    sketch = spread(random, cells)
    sketch.keys["rule"] = "slide"
    path = random.sample(sketch.names, random.randint(3, cells))
    lines = ["-".join([*path, path[0]])]
    if random.random() < 0.5:
        lines.append("-".join(random.sample(sketch.names, random.randint(2, cells))))
    sketch.keys["lines"] = " ".join(lines)
    words = pieces(random, cells, 120)
    if words is None:
        return None
    counted(sketch, ("multi", "multi", "run", "piece"))
    return ended(sketch, words)


def bars(random: Random) -> str | None:
    """Return pieces of one cell and different blocks of two, with one blank into which blocks can move."""
    width, height = random.choice(((3, 2), (2, 3), (3, 3), (4, 1)))
    sketch = full(random, width, height)
    sketch.keys["rule"] = "slide"
    words = [random.choice("12") for _ in range(width * height)]
    y, x = random.randrange(height), random.randrange(max(1, width - 2))
    across = width > 2
    step, at = (1, y * width + x) if across else (width, random.randrange(width))
    words[at : at + 3 * step : step] = random.choice((["A", "A", "."], [".", "A", "A"]))
    free = [n for n in range(len(words) - 1) if n % width < width - 1 and {words[n], words[n + 1]} <= {"1", "2"}]
    if free and random.random() < 0.5:
        cell = random.choice(free)
        words[cell : cell + 2] = "BB"
    sketch.keys["blocks"] = " ".join(sorted({*words} & {"A", "B"}))
    counted(sketch, ("step", "step", "run", "piece"))
    walked = accepted(sketch.text(start=sketch.drawing(words)))
    if walked is None:
        return None
    goal = walk(random, walked, random.choice((2, 5, 10, 30)))
    return sketch.text(start=sketch.drawing(words), goal=sketch.drawing(goal))


def long_slide(random: Random) -> str | None:
    """Return a slide on so many cells that tables divide sets of cells, with one blank and all pieces but one alike."""
    sketch = full(random, 2, 7)
    sketch.keys["rule"] = "slide"
    words = ["1", ".", *["x"] * 12]
    random.shuffle(words)
    counted(sketch, ("step", "step", "run"))
    return ended(sketch, words, whole=True)


def separate(random: Random) -> str | None:
    """Return listed moves of two sets of four pieces each, which do not mix."""
    sketch = board(random, 8, grid=False)
    sketch.keys["rule"] = "apply"
    names = sketch.names[:8]
    one, other = names[:4], names[4:]
    moves = [f"({' '.join(one)})", f"({' '.join(other)})", f"({' '.join(one[:2])})", f"({' '.join(other[:2])})"]
    if random.random() < 0.4:  # moves of both sets
        moves = [moves[0] + moves[3], moves[1] + moves[2]]
    sketch.keys["moves"] = "\n  " + "\n  ".join(f"m{n}: {text}" for n, text in enumerate(moves))
    counted(sketch, ("step", "step", "run"))
    words = [*random.sample("1234", 4), *random.choice(("5678", "1234", "5678", "5566"))]
    sketch.symbols = sorted(set(words))
    return ended(sketch, words, whole=True)


def many_lamps(random: Random) -> str | None:
    """Return few moves on so many cells of two symbols that a position may have all bits of one or two words set."""
    sketch = spread(random, random.choice((64, 64, 65, 128)))
    sketch.keys["rule"] = "apply"
    sketch.keys["swap"] = "x <-> y"
    names, cuts = random.sample(sketch.names, sketch.cells), sorted(random.sample(range(sketch.cells), 2))
    moves = [names[: cuts[0]], names[cuts[0] : cuts[1]], names[cuts[1] :]]
    moves.append(random.sample(names, random.randint(1, 5)))
    written = [" ".join(f"~{name}" for name in move) for move in moves if move]
    sketch.keys["moves"] = "\n  " + "\n  ".join(f"m{n}: {text}" for n, text in enumerate(written))
    counted(sketch, ("step", "step", "run"))
    sketch.symbols = ["x", "y"]
    return ended(sketch, [random.choice("xy")] * sketch.cells, whole=True)


def many_goals(random: Random) -> str | None:
    """Return pegs with two goals of different numbers of pegs, both reached."""
    sketch = full(random, *random.choice(((4, 2), (5, 1), (3, 3), (6, 1), (4, 3))))
    sketch.keys["rule"] = "jump"
    words = ["o" if random.random() < 0.7 else "." for _ in range(sketch.cells)]
    counted(sketch, ("step", "step", "chain"))
    walked = accepted(sketch.text(start=sketch.drawing(words)))
    if walked is None:
        return None
    goals = [walk(random, walked, steps) for steps in (1, 2, 3)]
    if len({goal.count("o") for goal in goals}) < 2:
        return None
    more = {"goal" if number == 0 else f"goal_{number + 1}": sketch.drawing(goal) for number, goal in enumerate(goals)}
    return sketch.text(start=sketch.drawing(words), **more)


def spread(random: Random, cells: int) -> Sketch:
    """Return a board of so many named cells, in rows of ten."""
    names = [f"c{n}" for n in range(cells)]
    rows: list[list[int | None]] = [list(range(first, min(first + 10, cells))) for first in range(0, cells, 10)]
    sketch = Sketch(random, rows, names, grid=False)
    sketch.keys["board"] = "\n  " + "\n  ".join(" ".join(names[first : first + 10]) for first in range(0, cells, 10))
    return sketch


def wide(random: Random) -> str | None:
    """Return a puzzle whose moves change so many cells that positions take two words or more, and of few positions."""
    sketch = spread(random, random.choice((24, 33, 34, 40, 48, 65, 66, 70)))
    names, cells = sketch.names, sketch.cells
    rule = sketch.keys["rule"] = random.choice(("slide", "slide", "apply", "apply"))
    kinds = random.choice(("12", "123", "1234567", "123456789ABCDEFGHIJKLMNOPQRSTU"))
    words = [random.choice(kinds) for _ in range(cells)]
    moved = random.sample(range(cells), random.choice((random.randint(3, 12), cells, cells)))
    straight = rule == "slide" and random.random() < 0.4
    if len(moved) > 5 and not straight:  # all pieces that move are alike but for two: there are few orders of them
        for cell in moved[random.randint(0, 2) :]:
            words[cell] = "x"
    path = [names[cell] for cell in moved]
    if rule == "slide":
        closed = not straight and len(path) < 30 and random.random() < 0.3
        sketch.keys["lines"] = "-".join(path + path[:closed])
        for cell in random.sample(moved, 1 if straight else random.choice((1, 1, 1, 2))):
            words[cell] = "."
        counted(sketch, ("step", "run", "piece", "multi"))
        if random.random() < 0.2:
            sketch.keys["fixed"] = random.choice(kinds)
    else:
        swapped = random.random() < 0.4
        if swapped:
            sketch.keys["swap"] = random.choice(("1 <-> 2", "1 -> 2 -> 3 -> 1"))
        random.shuffle(path)
        moves = []
        while len(path) > 1 and len(moves) < 3:
            size = random.randint(2, len(path))
            moves.append(f"({' '.join(path[:size])})" + (f" ~{random.choice(path)}" if swapped else ""))
            path = path[size - random.choice((0, 0, 1)) :]
        sketch.keys["moves"] = "\n  " + "\n  ".join(f"m{n}: {text}" for n, text in enumerate(moves))
        if random.random() < 0.25:
            sketch.keys["one-way"] = "yes"
        counted(sketch, ("step", "run"))
        sketch.symbols = sorted(set(words))
    puzzle = accepted(sketch.text(start=sketch.drawing(words)))
    if puzzle is None or not few(puzzle, WIDE):
        return None
    ranked = choose_kind(puzzle.model("step"), "rank")
    if ranked is not None and ranked.plan.bytes > TABLE:
        return None
    return ended(sketch, words, whole=cells > 24)


def few(puzzle: Puzzle, most: int) -> bool:
    """Return whether the start reaches at most so many positions by single moves."""
    model = puzzle.model("step")
    assert model.start is not None
    seen, pending = {model.start}, [model.start]
    while pending and len(seen) <= most:
        for _, position in model.steps(pending.pop()):
            if position not in seen:
                seen.add(position)
                pending.append(position)
    return len(seen) <= most


def wide_jumps(random: Random) -> str | None:
    """Return few pegs on many short lines: positions take two words, and no set of bits holds all of them."""
    sketch = spread(random, random.choice((60, 66, 70)))
    sketch.keys["rule"] = "jump"
    kinds = random.choice(("o", "o", "ox"))
    words = ["." if random.random() < 0.97 else random.choice(kinds) for _ in range(sketch.cells)]
    names = random.sample(sketch.names, sketch.cells)
    lines = [names[at : at + 6] for at in range(0, len(names), 5) if len(names[at : at + 6]) > 2]
    for line in random.sample(lines, min(2, len(lines))):
        for name in random.sample(line, random.randint(1, 3)):
            words[sketch.names.index(name)] = random.choice(kinds)
    sketch.keys["lines"] = " ".join("-".join(line) for line in lines)
    counted(sketch, ("step", "chain"))
    puzzle = accepted(sketch.text(start=sketch.drawing(words)))
    if puzzle is None or not few(puzzle, WIDE):
        return None
    return ended(sketch, words, whole=True)


def glide(random: Random) -> str | None:
    """Return a puzzle of pieces that glide until they are stopped."""
    style = random.choice(("grid", "grid", "grid", "blocks", "lines", "named"))
    if style == "named":
        name = random.choice(("triangle 3", "triangle 4", "hex 2", "grid 3x3", "star13"))
        shape = named_board(name.split(), diagonals=False)
        sketch = Sketch(random, [list(row) for row in shape.rows], list(shape.names), grid=shape.grid)
        sketch.keys["board"] = name
    else:
        sketch = board(random, random.choice((2, 4, 6, 8, 9, 9, 12)), grid=style != "lines")
        if style == "lines":
            joined(sketch, lines=True)
            if "lines" not in sketch.keys:
                return None
    sketch.keys["rule"] = "glide"
    counted(sketch, ("piece",))
    if sketch.grid and random.random() < 0.15:
        sketch.keys["diagonals"] = "yes"
    letters = random.choice((["R"], ["R", "o"], ["R", "o"], list("ABCD")))
    count = min(sketch.cells - 1, random.choice((1, 2, 2, 3, 3, 4)))
    words = [random.choice(letters) for _ in range(count)] + ["."] * (sketch.cells - count)
    if style == "blocks":
        words = ["."] * sketch.cells
        sketch.keys["blocks"] = "all" if random.random() < 0.7 else "A"
        at = {(y, x): c for y, row in enumerate(sketch.rows) for x, c in enumerate(row) if c is not None}
        for letter in "ABC"[: random.randint(1, 3)]:
            place = random.choice(list(at))
            for _ in range(random.choice((1, 2, 2, 3))):
                if place in at and words[at[place]] == ".":
                    words[at[place]] = letter
                    step = random.choice(((0, 1), (1, 0)))
                    place = (place[0] + step[0], place[1] + step[1])
    else:
        random.shuffle(words)
    if random.random() < 0.2:
        words[random.randrange(len(words))] = "X"
        sketch.keys["fixed"] = "X"
    if "." not in words:
        return None
    used = sorted(set(words) - {".", "X"})
    if used and random.random() < 0.1:
        sketch.keys["distinct"] = random.choice(("all", random.choice(used)))
    chance = random.random()
    if chance < 0.6:
        sketch.keys["edge"] = "stops" if chance < 0.1 else "forbidden" if chance < 0.4 else "lost"
    if sketch.grid and random.random() < 0.5:
        sketch.keys["ground"] = ground(sketch, deflectors=style != "blocks")
    if used and "ground" in sketch.keys and random.random() < 0.5:
        rows = [row.strip() for row in sketch.keys["ground"].strip().split("\n")]
        signs = ["".join(rows[2 * y + 1])[2 * x + 1 :][:1] for y, row in enumerate(sketch.rows)
                 for x, cell in enumerate(row) if cell is not None]  # fmt: skip
        own = [random.choice(used) if sign in ("/", "\\") and random.random() < 0.7 else "*" for sign in signs]
        if set(own) != {"*"}:
            sketch.keys["gates"] = sketch.drawing(own)
    if used and random.random() < 0.2:  # the piece must be on one cell
        sketch.keys["passing"] = "yes" if random.random() < 0.7 else "no"
        goal = ["*"] * sketch.cells
        goal[random.randrange(sketch.cells)] = random.choice(used)
        return sketch.text(start=sketch.drawing(words), goal=sketch.drawing(goal))
    if used and sketch.grid and style != "blocks" and random.random() < 0.2:
        sketch.keys["anywhere"] = "yes"
        parts = random.sample([word for word in words if word != "X"], min(3, len(words) - words.count("X")))
        return sketch.text(start=sketch.drawing(words), goal=random.choice((" ", " / ")).join(parts))
    return ended(sketch, words)


def push(random: Random) -> str | None:
    """Return a puzzle of a player who pushes boxes."""
    style = random.choice(("grid", "grid", "grid", "grid", "lines", "named"))
    if style == "named":
        name = random.choice(("triangle 3", "triangle 4", "hex 2", "grid 3x3"))
        shape = named_board(name.split(), diagonals=False)
        sketch = Sketch(random, [list(row) for row in shape.rows], list(shape.names), grid=shape.grid)
        sketch.keys["board"] = name
    else:
        sketch = board(random, random.choice((3, 4, 6, 8, 9, 9, 10, 12)), grid=style != "lines")
        if style == "lines":
            joined(sketch, lines=True)
            if "lines" not in sketch.keys:
                return None
    sketch.keys["rule"] = "push"
    if random.random() < 0.6:
        counted(sketch, ("push", "move", "run"))
    if sketch.grid and random.random() < 0.1:
        sketch.keys["diagonals"] = "yes"
    if random.random() < 0.3:
        sketch.keys["pull"] = random.choice(("yes", "yes", "no"))
    players = 1 if random.random() < 0.85 or sketch.cells > 9 else 2
    letters = random.choice((["$"], ["$"], ["$"], ["A", "B"], ["$", "A"]))
    count = min(sketch.cells - players - 1, random.choice((0, 1, 1, 2, 2, 2, 3)))
    if count < 0:
        return None
    boxes = [random.choice(letters) for _ in range(count)]
    words = ["@"] * players + boxes + ["."] * (sketch.cells - players - count)
    random.shuffle(words)
    if boxes and random.random() < 0.1:
        sketch.keys["distinct"] = random.choice(("all", random.choice(boxes)))
    more = {"start": sketch.drawing(words)}
    for number in range(1, 1 + random.choice((0, 1, 1, 1, 1, 1, 1, 2))):
        wanted = random.sample(boxes, random.randint(min(1, count), count))
        rest = random.choice(("*", "*", "."))
        goal = [*wanted, *[rest if random.random() < 0.9 else "*" for _ in range(sketch.cells - len(wanted))]]
        random.shuffle(goal)
        more["goal" if number == 1 else f"goal {number}"] = sketch.drawing(goal)
    return sketch.text(**more)


def crates(random: Random) -> str | None:
    """Return a puzzle of a player who pushes boxes of several cells."""
    sketch = board(random, random.choice((6, 9, 9, 12, 12, 15, 16, 20)), grid=True)
    sketch.keys["rule"] = "push"
    if random.random() < 0.7:
        counted(sketch, ("push", "move", "run"))
    if random.random() < 0.1:
        sketch.keys["diagonals"] = "yes"
    if random.random() < 0.35:
        sketch.keys["pull"] = random.choice(("yes", "yes", "no"))
    at = {(x, y): cell for y, row in enumerate(sketch.rows) for x, cell in enumerate(row) if cell is not None}
    words = ["."] * sketch.cells
    listed: dict[str, list[str]] = {"blocks": [], "apart": []}
    shape: list[tuple[int, int]] = []
    for letter in "ABC"[: random.choice((1, 1, 1, 2, 2, 3))]:
        free = [place for place, cell in at.items() if words[cell] == "."]
        if len(free) < 3:
            break
        x, y = random.choice(free)
        again = [(x + dx - shape[0][0], y + dy - shape[0][1]) for dx, dy in shape] if random.random() < 0.3 else []
        if not again or not set(again) <= set(free):  # else another box of the same shape
            again = [(x, y)]
            for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
                x, y = random.choice(again)
                again.append(random.choice(((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))))
            kind = "blocks"
            if random.random() < 0.1:
                kind = "apart"
                again.append(random.choice(free))
            again = [place for place in dict.fromkeys(again) if place in free]
            listed[kind].append(letter)
        else:
            listed["apart"].append(letter)  # right for pieces that hang together, too
        shape = again
        for place in again:
            words[at[place]] = letter
    for key, letters in listed.items():
        if letters:
            every = len(letters) == len(set(words) - {"."})
            sketch.keys[key] = "all" if every and random.random() < 0.6 else " ".join(letters)
    players = 1 if random.random() < 0.7 or sketch.cells > 12 else 2
    for letter in ["@"] * players + random.choice(([], [], ["$"], ["$", "$"], ["D"])):
        free = [cell for cell, word in enumerate(words) if word == "."]
        if free:
            words[random.choice(free)] = letter
    used = sorted(set(words) - {".", "@"})
    if used and random.random() < 0.1:
        sketch.keys["distinct"] = random.choice(("all", random.choice(used)))
    more = {"start": sketch.drawing(words)}
    puzzle = accepted(sketch.text(**more))
    if puzzle is None:
        return None
    for number in range(1, 1 + random.choice((0, 1, 1, 1, 1, 1, 1, 2))):
        ends = pushed(random, puzzle, random.choice((1, 2, 4, 8, 15, 30)))
        kept = random.sample(used, random.randint(min(1, len(used)), len(used)))
        open_ = random.choice(("*", "*", "."))
        goal = [word if word in kept else open_ if random.random() < 0.9 else "*" for word in ends]
        if "." in goal and set(kept) != set(used):
            goal = ["." if word == "." and end == "." else "*" if word == "." else word
                    for word, end in zip(goal, ends, strict=True)]  # fmt: skip
        more["goal" if number == 1 else f"goal {number}"] = sketch.drawing(goal)
    return sketch.text(**more)


def pushed(random: Random, puzzle: Puzzle, pushes: int) -> list[str]:
    """Return the end of a random walk of so many pushes from the start."""
    model = puzzle.model("push")
    position = model.start
    assert position is not None
    for _ in range(pushes):
        position = random.choice([*model.moves(position)] or [position])
    return list(puzzle.view.decode(position))


def ground(sketch: Sketch, *, deflectors: bool) -> str:
    """Return a drawing of walls between cells, stop cells and deflectors, each of them rare."""
    random = sketch.random
    width = max(len(row) for row in sketch.rows)
    rows: list[str] = []
    for y in range(2 * len(sketch.rows) + 1):
        row = ""
        for x in range(2 * width + 1):
            if y % 2 == 0 or x % 2 == 0:
                wall = "+" if y % 2 == x % 2 else "-" if y % 2 == 0 else "|"
                row += wall if wall == "+" or random.random() < 0.15 else "."
            else:
                cell = sketch.rows[y // 2][x // 2]
                signs = "o/\\" if deflectors else "o"
                row += "#" if cell is None else random.choice(signs) if random.random() < 0.15 else "."
        rows.append(row[0] + row[1:].replace(".", " ") if random.random() < 0.5 else row)
    return "\n  " + "\n  ".join(rows)


def counted(sketch: Sketch, metrics: tuple[str, ...]) -> None:
    sketch.keys["count"] = sketch.random.choice(metrics)


def ended(sketch: Sketch, words: list[str], *, whole: bool = False) -> str | None:
    """Return the text with a start and goals: from random walks, or arbitrary; `whole`: one position each."""
    random = sketch.random
    jumping = sketch.keys["rule"] == "jump"
    start = list(words)
    walked = accepted(sketch.text(start=sketch.drawing(start)))
    if walked is None:
        return None
    more = {"start": sketch.drawing(start)}
    goals: list[str] = []
    for _ in range(random.choice((0, 1, 1, 1, 1, 1, 2, 2, 3))):
        kind = random.random()
        if goals and kind < 0.1:
            goals.append(random.choice(goals))
        elif kind < 0.2 and whole:
            goals.append("any one peg" if jumping else "start")
        elif kind < 0.2:
            symbol = random.choice(sketch.symbols or sorted(set(words)))
            count = max(0, words.count(symbol) + random.choice((0, 0, -1, 1, 2)))
            goals.append(f"count {symbol} = {count}")
            if jumping and random.random() < 0.7:
                goals[-1] = "any one peg"
        elif kind < 0.27:
            goals.append("start")
        else:
            goal = goal_words(sketch, walked, start)
            goals.append(sketch.drawing(goal if whole else opened(random, goal)))
    for number, goal in enumerate(goals, 1):
        more["goal" if number == 1 else f"goal {number}"] = goal
    if random.random() < 0.08:
        del more["start"]
    return sketch.text(**more)


def goal_words(sketch: Sketch, puzzle: Puzzle, start: list[str]) -> list[str]:
    """Return a goal position: the start, the end of a random walk, or the pieces in any order."""
    random, chance = sketch.random, sketch.random.random()
    if chance < 0.07:
        return list(start)
    if chance < 0.65 or "blocks" in sketch.keys or "apart" in sketch.keys:
        return walk(random, puzzle, random.choice((1, 2, 4, 8, 15, 30)))
    fixed = set(sketch.keys.get("fixed", "").split())
    free = [word for word in start if word not in fixed]
    random.shuffle(free)
    mixed = [word if word in fixed else free.pop() for word in start]
    if sketch.symbols and random.random() < 0.4:
        mixed[random.randrange(len(mixed))] = random.choice(sketch.symbols)
    if sketch.keys["rule"] == "jump" and random.random() < 0.15 and set(start) <= {"o", "."}:
        return ["o" if word == "." else "." for word in start]
    if sketch.keys["rule"] == "jump":
        for _ in range(random.randint(0, 4)):
            cell = random.randrange(len(mixed))
            mixed[cell] = mixed[cell] if mixed[cell] in fixed else "."
    return mixed


def walk(random: Random, puzzle: Puzzle, steps: int) -> list[str]:
    """Return the end of a random walk from the start."""
    model = puzzle.model("step" if "step" in puzzle.metrics else "")
    position = model.start
    assert position is not None
    for _ in range(steps):
        found = model.steps(position)
        if not found:
            break
        position = random.choice(found)[1]
    return list(puzzle.view.decode(position))


def opened(random: Random, words: list[str]) -> list[str]:
    """Return the words of a goal, in half of all cases with some open cells: all cells of a symbol, or any cells."""
    if random.random() < 0.55:
        return words
    if random.random() < 0.6:
        kept = random.sample(sorted(set(words)), random.randint(1, len(set(words))))
        return [word if word in kept else "*" for word in words]
    return [word if random.random() < 0.6 else "*" for word in words]
