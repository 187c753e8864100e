"""Random small layouts with open pieces, and all their packings by brute force."""

import random

from puzzlespace.formats.pzl import parse
from puzzlespace.graph.designs.layout import layout

SHAPES = ("1x1", "1x2", "2x1", "2x2", "1x3", "3x1", "oo/o.", ".o/oo", "oo/.o", "o./oo", "oo./.oo", "2x3", "ooo/o.o")
RANGES = ("any", "0-1", "0-2", "1", "1 or more", "0-3")


def random_text(seed):
    """A design file on a small board: random shapes, ranges, blanks, walls, goal, metric."""
    chance = random.Random(seed)
    wide, high = chance.choice([(2, 2), (3, 2), (2, 3), (3, 3), (4, 2), (3, 4), (4, 3)])
    cells = [["*"] * wide for _ in range(high)]
    goal = chance.choice(["1x1", "1x2", "2x1", "2x2", "oo/o.", "1x2 | 2x1", "any connected up to 3 cells"])
    across, down = (1, 1) if "|" in goal or "any" in goal else size(goal)
    if across > wide or down > high:
        goal, across, down = "1x1", 1, 1
    x, y = chance.randrange(wide - across + 1), chance.randrange(high - down + 1)
    for dx, dy in squares(goal) if "|" not in goal and "any" not in goal else [(0, 0)]:
        cells[y + dy][x + dx] = "A"
    others = [word for word in SHAPES if size(word)[0] <= wide and size(word)[1] <= high]
    chosen = chance.sample(others, min(len(others), chance.randrange(1, 4)))
    rows = [f"  A {goal}: 1", *(f"  {word}: {chance.choice(RANGES)}" for word in chosen)]
    lines = [f"rule: slide{chance.choice(['', '', ' along'])}", f"count: {chance.choice(['step', 'run', 'piece'])}"]
    if chance.random() < 0.15:
        lines.append("diagonals: yes")
    if chance.random() < 0.5:
        lines.append(f"blanks: {chance.choice(['1 or more', '2', '1-3', 'any'])}")
    if chance.random() < 0.4:
        walls = [["X" if chance.random() < 0.1 and cells[b][a] == "*" else chance.choice(".?") for a in range(wide)]
                 for b in range(high)]  # fmt: skip
        if any("?" in row for row in walls):
            rows.append(f"  wall: {chance.choice(['0-1', 'any', '1'])}")
        lines += ["walls:", *("  " + " ".join(row) for row in walls)]
    if chance.random() < 0.3:
        second = [["*"] * wide for _ in range(high)]
        second[chance.randrange(high)][chance.randrange(wide)] = "A"
        lines += ["goal 2:", *("  " + " ".join(row) for row in second)]
    return "\n".join([*lines, "pieces:", *rows, "goal:", *("  " + " ".join(row) for row in cells)]) + "\n"


def size(word):
    """The width and height of a shape."""
    found = squares(word)
    return max(x for x, _ in found) + 1, max(y for _, y in found) + 1


def squares(word):
    """The cells (column, row) of a shape."""
    if "o" not in word:
        across, down = map(int, word.split("x"))
        return [(x, y) for y in range(down) for x in range(across)]
    return [(x, y) for y, row in enumerate(word.split("/")) for x, sign in enumerate(row) if sign == "o"]


def random_layout(seed):
    """The layout of `random_text`."""
    return layout(parse(random_text(seed)))


def all_packings(made):
    """Every packing of a layout as a tuple for each cell, by trying all places cell by cell."""
    cells, mark = made.board.cells, made.kinds + 1
    lying = {}
    for place in made.places:
        lying.setdefault(place.cells[0], []).append(place)

    def fill(cell, what, counts):
        while cell < cells and what[cell] is not None:
            cell += 1
        if cell == cells:
            if made.blanks[0] <= what.count(0) <= made.blanks[1]:
                rows = [sum(counts.get(kind, 0) for kind in row.kinds) for row in made.rows]
                if all(row.low <= number <= row.high for row, number in zip(made.rows, rows, strict=True)):
                    yield tuple(what)
            return
        yield from fill(cell + 1, [*what[:cell], 0, *what[cell + 1 :]], counts)
        for place in lying.get(cell, ()):
            if all(what[each] is None for each in place.cells):
                after = list(what)
                for each in place.cells:
                    after[each] = mark
                after[cell] = place.kind
                yield from fill(cell + 1, after, {**counts, place.kind: counts.get(place.kind, 0) + 1})

    walls = [mark if made.walls >> cell & 1 else None for cell in range(cells)]
    return list(fill(0, walls, {}))


def random_cars(seed):
    """A design file of straight pieces that stay in their lines: random board, walls, ranges, goals, metric."""
    chance = random.Random(seed)
    wide, high = chance.choice([(3, 3), (4, 3), (3, 4), (4, 4), (4, 4), (5, 4), (2, 5)])
    lying = [word for word in ("2x1", "3x1", "4x1") if size(word)[0] <= wide]
    upright = [word for word in ("1x2", "1x3", "1x4") if size(word)[1] <= high]
    short = [word for word in lying + upright if size(word)[0] < wide - 1 or 1 < size(word)[1] < high - 1]
    goal = chance.choice(short if chance.random() < 0.8 and short else lying + upright)
    across, down = size(goal)
    others = [word for word in lying + upright if word != goal or chance.random() < 0.5]
    chosen = chance.sample(others, min(len(others), chance.randrange(2, 6)))
    if chance.random() < 0.3 and len(chosen) > 1:
        chosen[:2] = [" | ".join(chosen[:2])]
    rows = [f"  A {goal}: 1"]
    for word in chosen:
        outside = f" not in row {chance.randint(1, high)}" if word in lying and chance.random() < 0.2 else ""
        rows.append(f"  {word}{outside}: {chance.choice(RANGES) if chance.random() < 0.3 else 'any'}")
    lines = ["rule: slide along", f"count: {chance.choice(['step', 'run', 'piece'])}", f"board: grid {wide}x{high}"]
    if chance.random() < 0.3:
        lines.append(f"blanks: {chance.choice(['1 or more', '2-4', '3 or more', 'any'])}")
    x, y = chance.randrange(wide - across + 1), chance.randrange(high - down + 1)
    goals = [(x, y)]
    if chance.random() < 0.3:
        goals.append((chance.randrange(wide - across + 1), y) if down == 1 else (x, chance.randrange(high - down + 1)))
    drawings = []
    for x, y in goals:
        cells = [["*"] * wide for _ in range(high)]
        for dx, dy in squares(goal):
            cells[y + dy][x + dx] = "A"
        if chance.random() < 0.2:
            free = [(a, b) for a in range(wide) for b in range(high) if cells[b][a] == "*"]
            a, b = chance.choice(free)
            cells[b][a] = "."
        drawings.append("/".join("".join(row) for row in cells))
    covered = {(x + dx, y + dy) for x, y in goals for dx, dy in squares(goal)}
    holes = set()  # places without a cell
    if chance.random() < 0.3:
        holes = {(a, b) for a in range(wide) for b in range(high) if chance.random() < 0.15} - covered
        lines = [line for line in lines if not line.startswith("board:")]

    def cut(rows):
        return "/".join(
            "".join("#" if (a, b) in holes else word for a, word in enumerate(row)) for b, row in enumerate(rows)
        )

    drawings = [cut(each.split("/")) for each in drawings]
    if chance.random() < 0.5:
        walls = [
            "".join(
                "X" if (a, b) not in covered and chance.random() < 0.1 else chance.choice(".?") for a in range(wide)
            )
            for b in range(high)
        ]
        if any("?" in row for row in walls):
            rows.append(f"  wall: {chance.choice(['0-1', '1', '0-2'])}")
        lines.append(f"walls: {cut(walls)}")
    lines += [f"goal{'' if number == 0 else f' {number + 1}'}: {each}" for number, each in enumerate(drawings)]
    return "\n".join([*lines, "pieces:", *rows]) + "\n"
