"""Random design files with conditions, and their hardest starts by brute force over all packings.

A packing is a set of pieces: (letter, cells, whether it is a wall), with cells as (column, row). Nothing of the package
is used: files are read here, too.
"""

import random
from collections import Counter
from itertools import product

SHAPES = ("1x1", "1x2", "2x1", "2x2", "oo/o.", "o./oo", "3x1")
NUMBERS = {"any": (0, 99), "0-1": (0, 1), "0-2": (0, 2), "1": (1, 1), "2": (2, 2), "1 or more": (1, 99)}


class Design:
    """A design file: rows (letter, shapes, numbers), cells of `walls:`, goals and start as lists of rows."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        dice = self.dice
        self.wide, self.high = dice.choice([(1, 4), (4, 1), (2, 2), (3, 2), (2, 3), (3, 3), (3, 3), (4, 2)])
        self.metric = dice.choice(["step", "run", "piece"])
        words = [word for word in SHAPES if self._fits(word)]
        self.rows = [("A", [dice.choice(["1x1", *words])], "1")]
        if dice.random() < 0.3:  # two shapes that a turn exchanges, in two rows
            self.rows += [("", [word], "1") for word in ("1x2", "2x1") if word in words]
        for letter in ("B", "C", "", ""):
            left = [
                word for word in words if all((letter, word) != (row[0], each) for row in self.rows for each in row[1])
            ]
            if left and dice.random() < 0.35:
                self.rows.append((letter, [dice.choice(left)], dice.choice(["1", *NUMBERS] if letter else [*NUMBERS])))
        self.walls = None
        if dice.random() < 0.7:
            self.walls = [[dice.choice("...??X") for _ in range(self.wide)] for _ in range(self.high)]
        if any("?" in row for row in self.walls or []) or (self.walls is None and dice.random() < 0.3):
            self.rows.append(("", ["wall"], dice.choice(["0-1", "any", "0-2"])))
        self.goals = [self._drawing(["A"], dice.choice([0, 0, 1, 2])) for _ in range(dice.choice([1, 2, 3]))]
        letters = [letter for letter, _, _ in self.rows if letter]
        self.start = self._drawing(letters, 1) if dice.random() < 0.3 else None

    def _fits(self, word):
        return all(x < self.wide and y < self.high for x, y in squares(word))

    def _drawing(self, letters, more):
        """A drawing with a letter in a cell that is not always a wall, and so many blanks and walls."""
        walls = self.walls or ["." if self.rows[-1][1] != ["wall"] else "?"] * self.high
        walls = [list(row) * (1 if self.walls else self.wide) for row in walls]
        free = [(x, y) for x, y in product(range(self.wide), range(self.high)) if walls[y][x] != "X"] or [(0, 0)]
        found = [["*"] * self.wide for _ in range(self.high)]
        for x, y in self.dice.sample(list(product(range(self.wide), range(self.high))), more):
            found[y][x] = {".": ".", "?": self.dice.choice(".X"), "X": "X"}[walls[y][x]]
        x, y = self.dice.choice(free)
        found[y][x] = self.dice.choice(letters)
        return found

    @property
    def text(self):
        """The file."""
        lines = ["rule: slide", f"count: {self.metric}", f"board: grid {self.wide}x{self.high}", "pieces:"]
        lines += [f"  {letter} {' | '.join(shapes)}: {number}" for letter, shapes, number in self.rows]
        named = [(f"goal {number}", goal) for number, goal in enumerate(self.goals, 1)]
        for key, rows in [*named, ("walls", self.walls), ("start", self.start)]:
            if rows is not None:
                lines.append(f"{key}: " + " / ".join(" ".join(row) for row in rows))
        return "\n".join(lines).replace("goal 1:", "goal:") + "\n"

    def packings(self):
        """Every packing, as a frozen set of pieces (row, cells)."""
        free = {(x, y) for x in range(self.wide) for y in range(self.high) if not self.walls or self.walls[y][x] != "X"}
        maybe = {(x, y) for x, y in free if not self.walls or self.walls[y][x] == "?"}
        lying = []
        for number, (_, shapes, _) in enumerate(self.rows):
            for word in shapes:
                for x, y in sorted(free):
                    cells = frozenset((x + dx, y + dy) for dx, dy in squares(word))
                    if cells <= (maybe if word == "wall" else free):
                        lying.append((number, cells))

        def fill(at, taken, pieces):
            counts = Counter(number for number, _ in pieces)
            if any(counts[number] > NUMBERS[row[2]][1] for number, row in enumerate(self.rows)):
                return
            if at == len(lying):
                if all(counts[number] >= NUMBERS[row[2]][0] for number, row in enumerate(self.rows)):
                    yield frozenset(pieces)
                return
            yield from fill(at + 1, taken, pieces)
            if not lying[at][1] & taken:
                yield from fill(at + 1, taken | lying[at][1], [*pieces, lying[at]])

        return list(fill(0, frozenset(), []))

    def is_wall(self, number):
        """Whether a row is that of the walls."""
        return self.rows[number][1] == ["wall"]

    def shows(self, packing, drawing):
        """Whether a packing looks like a drawing."""
        at = {cell: number for number, cells in packing for cell in cells}
        for x, y in product(range(self.wide), range(self.high)):
            sign, number = drawing[y][x], at.get((x, y))
            wall = (self.walls is not None and self.walls[y][x] == "X") or (number is not None and self.is_wall(number))
            is_like = {"*": True, "X": wall, ".": number is None and not wall}
            if not is_like.get(sign, number is not None and self.rows[number][0] == sign):
                return False
        return True

    @property
    def broken(self):
        """Whether no packing meets a goal, or a goal names cells that its piece never covers: refused."""
        every = self.packings()
        reached = [{cell for each in every for number, cells in each if not number for cell in cells}] * len(self.goals)
        named = [
            {(x, y) for y, row in enumerate(goal) for x, sign in enumerate(row) if sign == "A"} for goal in self.goals
        ]
        met = any(self.shows(each, goal) for each in every for goal in self.goals)
        return not met or any(not cells <= where for cells, where in zip(named, reached, strict=True))

    def starts(self, symmetric):
        """The distance of every start that meets the conditions."""
        return {
            packing: depth
            for packing, depth in self.depths().items()
            if (self.start is None or self.shows(packing, self.start)) and (not symmetric or self.symmetric(packing))
        }

    def moves(self, packing):
        """The packings one move away."""
        standing = {
            (x, y) for x, y in product(range(self.wide), range(self.high)) if self.walls and self.walls[y][x] == "X"
        }
        for piece in packing:
            number, cells = piece
            others = standing.union(*(each for other, each in packing if (other, each) != piece))
            ways = ((1, 0), (-1, 0), (0, 1), (0, -1)) if not self.is_wall(number) else ()
            seen, edge = {cells}, [(cells, way) for way in ways]
            while edge:
                here, way = edge.pop()
                after = frozenset((x + way[0], y + way[1]) for x, y in here)
                if (
                    after in seen
                    or after & others
                    or not all(0 <= x < self.wide and 0 <= y < self.high for x, y in after)
                ):
                    continue
                seen.add(after)
                yield packing - {piece} | {(number, after)}
                edge += [(after, each) for each in {"step": (), "run": (way,), "piece": ways}[self.metric]]

    def depths(self):
        """The distance of every packing that can reach a goal."""
        layer = {each for each in self.packings() if any(self.shows(each, goal) for goal in self.goals)}
        found, depth = {}, 0
        while layer:
            found |= dict.fromkeys(layer, depth)
            layer = {after for each in layer for after in self.moves(each)} - found.keys()
            depth += 1
        return found

    def symmetric(self, packing):
        """Whether a reflection or turn that moves a cell without a fixed wall keeps the drawing of a packing."""
        places = list(product(range(self.wide), range(self.high)))
        standing = frozenset(place for place in places if self.walls and self.walls[place[1]][place[0]] == "X")

        def look(place_of):
            single = [NUMBERS[row[2]][1] == 1 for row in self.rows]
            return {
                (
                    "X" if self.is_wall(number) else self.rows[number][0] if single[number] else "",
                    frozenset(map(place_of, cells)),
                )
                for number, cells in packing
            } | {("X", frozenset([place_of(place)])) for place in standing}

        right, low = self.wide - 1, self.high - 1
        turns = [
            lambda at: (right - at[0], at[1]),
            lambda at: (at[0], low - at[1]),
            lambda at: (right - at[0], low - at[1]),
        ]
        if right == low:
            turns += [lambda at: (at[1], at[0]), lambda at: (right - at[1], low - at[0])]
            turns += [lambda at: (at[1], low - at[0]), lambda at: (right - at[1], at[0])]
        plain = look(lambda at: at)
        return any(
            look(turn) == plain
            for turn in turns
            if any(turn(place) != place for place in places if place not in standing)
        )


def squares(word):
    """The cells (column, row) of a shape."""
    if word == "wall":
        return [(0, 0)]
    if "o" not in word:
        across, down = map(int, word.split("x"))
        return [(x, y) for y in range(down) for x in range(across)]
    return [(x, y) for y, row in enumerate(word.split("/")) for x, sign in enumerate(row) if sign == "o"]
