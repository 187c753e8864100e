"""A second implementation of docs/format.md, written from that page alone: it imports nothing from the package.

It is meant to be obviously right rather than fast, and stores every position of a puzzle. It reads well-formed puzzles;
for others its behaviour is undefined. If it and the package differ, one of them is wrong, or the page is ambiguous.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, islice, product

Position = Hashable
Cells = tuple[int, ...]

SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))
CORNERS = ((1, 1), (-1, -1), (1, -1), (-1, 1))
HEX = (*SIDES, (1, -1), (-1, 1))

SHAPES = {
    "english33": "##ooo## ##ooo## ooooooo ooooooo ooooooo ##ooo## ##ooo##",
    "french37": "##ooo## #ooooo# ooooooo ooooooo ooooooo #ooooo# ##ooo##",
    "wiegleb45": "###ooo### ###ooo### ###ooo### ooooooooo ooooooooo ooooooooo ###ooo### ###ooo### ###ooo###",
    "diamond41": "####o#### ###ooo### ##ooooo## #ooooooo# ooooooooo #ooooooo# ##ooooo## ###ooo### ####o####",
    "star13": "##o## #ooo# ooooo #ooo# ##o##",
}


# ---- text


def sections(text: str) -> dict[str, list[str]]:
    """The rows of each key: the value beside the key, if any, and the indented rows below it."""
    found: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in text.removeprefix("\ufeff").replace("\u3000", " ").splitlines():
        indented = line[:1].isspace()
        if not indented and line.strip() and not line.startswith(";"):
            key, _, line = line.partition(":")
            rows = found.setdefault(key.strip(), [])
        line = line.partition(";")[0].strip()
        if line:
            rows.append(line)
    return found


def drawn(rows: Iterable[str]) -> list[list[str]]:
    """The symbols of a drawing, row by row."""
    parts = [part.strip() for row in rows for part in row.split("/")]
    parts = [part for part in parts if part]
    if any(len(part.split()) > 1 for part in parts):
        return [part.split() for part in parts]
    return [list(part) for part in parts]


def symbols(rows: Iterable[str]) -> list[str]:
    """The symbols of the cells of a drawing in order, without places that are not cells."""
    return [symbol for row in drawn(rows) for symbol in row if symbol != "#"]


def words(rows: Iterable[str]) -> list[str]:
    return " ".join(rows).replace(",", " ").split()


# ---- boards


@dataclass
class Board:
    """A board.

    at      the coordinates of each cell if directions are those of the plane
    tracks  the straight paths ahead from each cell
    walls   pairs of places, side by side, with a wall between them
    """

    names: list[str]
    at: list[tuple[int, int]] | None
    directions: tuple[tuple[int, int], ...]
    tracks: list[list[Cells]]
    walls: frozenset[frozenset[tuple[int, int]]] = frozenset()

    def crosses(self, places: Iterable[tuple[int, int]], direction: tuple[int, int]) -> bool:
        """Whether there is a wall between one of some places and the next one in a direction."""
        return any(frozenset((place, (place[0] + direction[0], place[1] + direction[1]))) in self.walls
                   for place in places)  # fmt: skip

    def across(self, places: Iterable[tuple[int, int]]) -> bool:
        """Whether there is a wall between two of some places."""
        return any(frozenset(pair) in self.walls for pair in combinations(places, 2))

    def ahead(self, cells: Cells, direction: tuple[int, int]) -> tuple[Cells, ...]:
        """The places that the piece on `cells` takes, one after another, in one direction on an empty board."""
        assert self.at is not None
        where = {place: cell for cell, place in enumerate(self.at)}
        out: list[Cells] = []
        while True:
            shifted = [where.get((self.at[c][0] + direction[0], self.at[c][1] + direction[1])) for c in cells]
            if any(cell is None for cell in shifted) or self.crosses((self.at[c] for c in cells), direction):
                return tuple(out)
            cells = tuple(sorted(cell for cell in shifted if cell is not None))
            if self.across(self.at[c] for c in cells):
                return tuple(out)
            out.append(cells)


def grid_name(row: int, column: int) -> str:
    return f"{chr(97 + column)}{row + 1}"


def make_board(keys: dict[str, list[str]]) -> Board:
    diagonals = keys.get("diagonals") == ["yes"]
    directions = SIDES + CORNERS if diagonals else SIDES
    at: list[tuple[int, int]] | None = []
    names: list[str] = []
    known = " ".join(keys.get("board", ())).split()
    if known and known[0] in SHAPES:
        layout = [list(row) for row in SHAPES[known[0]].split()]
    elif len(known) == 2 and known[0] == "grid":
        width, height = map(int, known[1].split("x"))
        layout = [["o"] * width for _ in range(height)]
    elif known == ["triangle15"] or (len(known) == 2 and known[0] in ("triangle", "hex")):
        side = 5 if known == ["triangle15"] else int(known[1])
        directions = HEX
        layout = []
        for row in range(side if known[0] != "hex" else 2 * side - 1):
            # skewed coordinates: below a cell lie (1, 0) and (1, -1)
            first = -row if known[0] != "hex" else -min(row, side - 1)
            length = row + 1 if known[0] != "hex" else 2 * side - 1 - abs(side - 1 - row)
            at += [(row, first + column) for column in range(length)]
            names += [grid_name(column, row) for column in range(length)]  # here a letter is a row
    elif "board" in keys:
        layout = drawn(keys["board"])
    else:
        goals = [keys[key] for key in keys if re.fullmatch(r"goal( \d+)?", key)]
        layout = drawn(keys.get("start") or next(rows for rows in goals if read_goal(rows, None).shows))
    if not names:
        is_drawn = "board" in keys and not (known[0] in SHAPES or known[0] == "grid")
        places = [(r, c) for r, row in enumerate(layout) for c, symbol in enumerate(row) if symbol != "#"]
        names = [layout[r][c] if is_drawn else grid_name(r, c) for r, c in places]
        at = places if len({len(row) for row in layout}) == 1 else None
    number = {name: cell for cell, name in enumerate(names)}
    tracks: list[list[Cells]] = [[] for _ in names]
    if "lines" in keys or "links" in keys:
        at = None
        for chain in words(keys.get("lines", ())):
            line = [number[name] for name in chain.split("-")]
            for index, cell in enumerate(line):
                tracks[cell] += [tuple(part) for part in (line[index + 1 :], line[:index][::-1]) if part]
        for row in keys.get("links", ()):
            one, _, others = row.partition(":")
            for other in others.replace(",", " ").split():
                tracks[number[one.strip()]].append((number[other],))
                tracks[number[other]].append((number[one.strip()],))
    board = Board(names, at, directions if at else (), tracks, walls_of(keys))
    if at:
        for cell in range(len(names)):
            for direction in directions:
                if track := board.ahead((cell,), direction):
                    tracks[cell].append(tuple(cells[0] for cells in track))
    return board


def walls_of(keys: dict[str, list[str]]) -> frozenset[frozenset[tuple[int, int]]]:
    """The walls of a ground with borders; gliding pieces read theirs themselves."""
    rows = keys.get("ground", [])
    if not rows or not rows[0].startswith("+") or keys["rule"][0].split()[0] == "glide":
        return frozenset()
    found: set[frozenset[tuple[int, int]]] = set()
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign == "|":
                found.add(frozenset((((y - 1) // 2, x // 2 - 1), ((y - 1) // 2, x // 2))))
            if sign == "-":
                found.add(frozenset(((y // 2 - 1, (x - 1) // 2), (y // 2, (x - 1) // 2))))
    return frozenset(found)


# ---- puzzles


@dataclass
class Goal:
    """A goal: `shows` has the symbol of each cell, `*` for any; or else `count` cells show `symbol` ('': any peg)."""

    shows: tuple[str, ...] | None
    symbol: str = ""
    count: int = 0

    @property
    def whole(self) -> bool:
        return self.shows is not None and "*" not in self.shows

    def met(self, shown: list[str], fixed: set[str]) -> bool:
        if self.shows is not None:
            return all(want in ("*", has) for want, has in zip(self.shows, shown, strict=True))
        if self.symbol:
            return shown.count(self.symbol) == self.count
        return sum(has != "." and has not in fixed for has in shown) == 1


class Reading(ABC):
    """The common part of the rule kinds."""

    open_goals = False
    """Whether a goal that is drawn without `*` still leaves something open."""
    single = "step"
    """The metric whose moves are single steps."""
    unmanned = False
    """Whether goals do not show all pieces, so that none of them is a position."""

    def __init__(self, keys: dict[str, list[str]]) -> None:
        self.rule = " ".join(keys["rule"]).split()
        self.metric = " ".join(keys.get("count", ()))
        self.board = make_board(keys)
        self.cells = self.board.names
        self.fixed = set(words(keys.get("fixed", ())))
        first = tuple(symbols(keys["start"])) if "start" in keys else None
        self.goals: list[Goal] = []
        for key in keys:
            if re.fullmatch(r"goal( \d+)?", key):
                goal = read_goal(keys[key], first)
                if goal not in self.goals:
                    self.goals.append(goal)
        #: the drawing that says which pieces there are
        self.pieces = first or next((goal.shows for goal in self.goals if goal.whole), None)
        self.prepare(keys)
        self.start = None if first is None else self.place(first)

    @abstractmethod
    def prepare(self, keys: dict[str, list[str]]) -> None:
        """Read the keys that only this rule has."""

    def position(self, drawing: str) -> Position:
        return self.place(tuple(symbols(drawing.splitlines())))

    def is_goal(self, position: Position) -> bool:
        shown = self.shown(position)
        return any(goal.met(shown, self.fixed) for goal in self.goals)

    @abstractmethod
    def place(self, drawing: tuple[str, ...]) -> Position:
        """The position that a drawing shows."""

    @abstractmethod
    def shown(self, position: Position) -> list[str]:
        """The symbol in each cell; interchangeable letters that no goal shows share a symbol."""

    @abstractmethod
    def moves(self, position: Position, metric: str = "") -> dict[Position, int]:
        """The positions one move away, each with the number of different moves that lead there."""

    def back(self, position: Position) -> Iterable[Position]:
        """All positions from which a single rule leads here."""
        return self.moves(position, "step")

    def settled(self, position: Position, metric: str) -> Position:
        """The position that stands for all that count as one with this one in the metric."""
        return position

    @abstractmethod
    def placements(self, limit: int) -> Iterator[Position]:
        """All placements of the pieces. Raises TooManyError."""

    def undone(self, metric: str) -> bool:
        return True


def read_goal(rows: list[str], start: tuple[str, ...] | None) -> Goal:
    said = " ".join(rows).split()
    if said == ["start"]:
        return Goal(start)
    if said == ["any", "one", "peg"]:
        return Goal(None)
    if said and said[0] == "count" and "=" in said:
        return Goal(None, said[1], int(said[-1]))
    return Goal(tuple(symbols(rows)))


def everywhere(pattern: list[list[str]], board: Board) -> Iterator[tuple[str, ...]]:
    """The drawings of a pattern at every place of a grid where its symbols lie on cells."""
    assert board.at is not None
    shown = {(r, c): s for r, row in enumerate(pattern) for c, s in enumerate(row) if s not in "*#"}
    height, width = (1 + max(place[axis] for place in [*board.at, *shown]) for axis in (0, 1))
    for down, right in product(range(-height, height), range(-width, width)):
        moved = {(row + down, column + right): symbol for (row, column), symbol in shown.items()}
        if moved.keys() <= set(board.at):
            yield tuple(moved.get(place, "*") for place in board.at)


def read(text: str) -> Reading:
    """Read a well-formed puzzle."""
    keys = sections(text)
    return {"slide": Slide, "jump": Jump, "glide": Glide, "push": Push, "apply": Apply}[
        " ".join(keys["rule"]).split()[0]
    ](keys)


# ---- slide: a position is the sorted tuple of (kind, cells) of its movable pieces


class Slide(Reading):
    def prepare(self, keys: dict[str, list[str]]) -> None:
        letters = set(self.pieces or ()) - {"."} - self.fixed

        def listed(key: str) -> set[str]:
            given = words(keys.get(key, ()))
            return letters if given == ["all"] else set(given)

        self.rigid = (listed("blocks") | listed("apart")) - self.fixed
        self.gates = {cell: gate for cell, gate in enumerate(symbols(keys.get("gates", ()))) if gate != "*"}
        named = listed("distinct") | set(self.gates.values())
        for goal in self.goals:
            named |= set(goal.shows or (goal.symbol,))
        drawn_only = self.goals and all(goal.shows for goal in self.goals)
        self.named = named if drawn_only else None  # without a goal, or with a count, all letters differ
        self.walls = {cell: symbol for cell, symbol in enumerate(self.pieces or ()) if symbol in self.fixed}
        self.tracks = cache(self.tracks_of)

    def place(self, drawing: tuple[str, ...]) -> Position:
        where: dict[str, list[int]] = {}
        for cell, symbol in enumerate(drawing):
            if symbol not in self.fixed and symbol != ".":
                where.setdefault(symbol, []).append(cell)
        pieces = []
        for letter, cells in where.items():
            bodies = [tuple(cells)] if letter in self.rigid else [(cell,) for cell in cells]
            pieces += [((self.label(letter), self.shape(body)), body) for body in bodies]
        return tuple(sorted(pieces))

    def label(self, letter: str) -> str:
        return letter if self.named is None or letter in self.named else ""

    def shape(self, cells: Cells) -> tuple[tuple[int, int], ...]:
        if len(cells) == 1:
            return ((0, 0),)
        assert self.board.at is not None
        top, left = self.board.at[cells[0]]
        return tuple((self.board.at[cell][0] - top, self.board.at[cell][1] - left) for cell in cells)

    def shown(self, position: Position) -> list[str]:
        shown = [self.walls.get(cell, ".") for cell in range(len(self.cells))]
        for (label, _), cells in position:
            for cell in cells:
                shown[cell] = label
        return shown

    def tracks_of(self, cells: Cells) -> list[tuple[Cells, ...]]:
        """The paths ahead of a piece, each as the places that it takes one after another."""
        if len(cells) == 1:
            return [tuple((cell,) for cell in track) for track in self.board.tracks[cells[0]]]
        directions = self.board.directions
        assert self.board.at is not None
        if self.rule == ["slide", "along"]:
            if len({self.board.at[cell][0] for cell in cells}) == 1:
                directions = tuple(d for d in directions if d[0] == 0)
            elif len({self.board.at[cell][1] for cell in cells}) == 1:
                directions = tuple(d for d in directions if d[1] == 0)
        return [track for d in directions if (track := self.board.ahead(cells, d))]

    def admits(self, kind: tuple, old: Cells, new: Cells, taken: set[int]) -> bool:
        """Whether a piece may move from `old` to the neighbouring place `new` if other pieces are on `taken`."""
        return not any(cell in taken for cell in new) and all(
            self.gates.get(cell, kind[0]) == kind[0] for cell in new if cell not in old
        )

    def moves(self, position: Position, metric: str = "") -> dict[Position, int]:
        every = set(self.walls).union(*(cells for _, cells in position))
        out: set[Position] = set()
        for piece in position:
            kind, cells = piece
            rest = list(position)
            rest.remove(piece)
            taken = every.difference(cells)
            reached: set[Cells] = set()
            if metric == "multi":
                out.update(self.rows_pushed(position, cells[0], every))
                continue
            if metric == "piece":
                seen, todo = {cells}, [cells]
                while todo:
                    old = todo.pop()
                    for track in self.tracks(old):
                        if track[0] not in seen and self.admits(kind, old, track[0], taken):
                            seen.add(track[0])
                            todo.append(track[0])
                reached = seen
            else:
                for track in self.tracks(cells):
                    old = cells
                    for new in track if metric == "run" else track[:1]:
                        if not self.admits(kind, old, new, taken):
                            break
                        reached.add(new)
                        old = new
            out.update(tuple(sorted([*rest, (kind, new)])) for new in reached)
        return dict.fromkeys(out - {position}, 1)

    def rows_pushed(self, position: Position, cell: int, every: set[int]) -> Iterator[Position]:
        """The piece in `cell` and those ahead of it move one place along a line, the first of them into a blank."""
        kinds = {cells[0]: kind for kind, cells in position}
        for track in self.board.tracks[cell]:
            pushed, new = [cell], track[0]
            for new in track:
                if new not in kinds or new in pushed:
                    break
                pushed.append(new)
            goes = dict(zip(pushed, [*pushed[1:], new], strict=True))
            if new in every or any(self.gates.get(to, kinds[old][0]) != kinds[old][0] for old, to in goes.items()):
                continue
            yield tuple(sorted((kind, (goes.get(old, old),)) for old, kind in kinds.items()))

    def placements(self, limit: int) -> Iterator[Position]:
        first = self.place(self.pieces)
        blanks = {cell for cell, symbol in enumerate(self.pieces) if symbol == "."}
        many = len(blanks)
        places = Groups(first)
        grown = True
        while grown:  # the places that each piece can reach if other pieces never obstruct it
            grown = False
            for piece in list(places.members):
                kind, cells = piece
                for track in self.tracks(cells):
                    new, entered = track[0], set(track[0]).difference(cells)
                    if len(entered) <= many and entered <= blanks and self.admits(kind, cells, new, set(self.walls)):
                        left = set(cells).difference(new)
                        grown |= places.join(piece, (kind, new)) or not left <= blanks
                        blanks |= left
        yield from arranged(places, first, self.walls, limit)


class Groups:
    """A union-find structure."""

    def __init__(self, members: Iterable[Hashable]) -> None:
        self.members = {member: member for member in members}

    def find(self, member: Hashable) -> Hashable:
        while self.members[member] != member:
            self.members[member] = self.members[self.members[member]]
            member = self.members[member]
        return member

    def join(self, one: Hashable, other: Hashable) -> bool:
        """Join two items; return whether one of them was new."""
        new = not {one, other} <= self.members.keys()
        self.members.setdefault(one, one)
        self.members.setdefault(other, other)
        self.members[self.find(one)] = self.find(other)
        return new


def arranged(places: Groups, first: Position, walls: Iterable[int], limit: int) -> Iterator[Position]:
    """All ways to lay the pieces on the places of their groups. Raises TooManyError."""
    groups: dict[tuple, list] = {}
    for piece in sorted(places.members):
        groups.setdefault((piece[0], places.find(piece)), []).append(piece)
    parts = [(group, sum(piece in first for piece in group)) for group in groups.values()]
    parts = [(group, count) for group, count in parts if count]

    tried = 0

    def put(index: int, pieces: tuple, taken: frozenset[int]) -> Iterator[Position]:
        nonlocal tried
        if index == len(parts):
            yield tuple(sorted(pieces))
            return
        group, count = parts[index]
        free = [piece for piece in group if taken.isdisjoint(piece[1])]
        for chosen in combinations(free, count):
            tried += 1
            if tried > 10 * limit:
                raise TooManyError
            cells = [cell for _, body in chosen for cell in body]
            if len(set(cells)) == len(cells):
                yield from put(index + 1, pieces + chosen, taken.union(cells))

    yield from put(0, (), frozenset(walls))


# ---- glide: pieces as in slide, but each goes on until something stops it


@dataclass
class Run:
    """The places that a piece takes one after another in one direction, if no other piece is in its way.

    end     'stop', 'edge' or 'round'
    fronts  the cells that it would still enter in the step in which it comes to the edge
    """

    places: list[Cells]
    end: str
    fronts: Cells = ()


class Glide(Slide):
    def prepare(self, keys: dict[str, list[str]]) -> None:
        if keys.get("anywhere") == ["yes"]:
            self.goals = [
                Goal(shows)
                for key in keys
                if re.fullmatch(r"goal( \d+)?", key)
                for shows in dict.fromkeys(everywhere(drawn(keys[key]), self.board))
            ]
        super().prepare(keys)
        self.edge = " ".join(keys.get("edge", ["stops"]))
        self.ground = keys.get("ground", [])
        if self.edge == "lost":  # then pieces have one cell, and there may be any number of each
            self.rigid = set()
            drawings = [self.pieces] if "start" in keys else [goal.shows or () for goal in self.goals]
            letters = [s for drawing in drawings for s in drawing if s not in {".", "*", *self.fixed}]
            self.losable = dict.fromkeys(letters)
        number = {name: cell for cell, name in enumerate(self.cells)}
        lines = [[number[name] for name in chain.split("-")] for chain in words(keys.get("lines", ()))]
        self.chains = [*lines, *(line[::-1] for line in lines)]
        self.targets: set[tuple[str, int]] = set()
        if keys.get("passing") == ["yes"]:
            for goal in self.goals:
                self.targets |= {(s, c) for c, s in enumerate(goal.shows or ()) if s not in {"*", *self.fixed}}
        self.runs = cache(self.runs_of)  # of the kinds with gates by their own letter

    def sign(self, row: int, column: int) -> str:
        """The sign in a row and column of the drawn ground, borders included."""
        return self.ground[row][column] if row < len(self.ground) and column < len(self.ground[row]) else " "

    def wall(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether there is a wall between two neighbouring places of a grid, (row, column)."""
        return self.sign(one[0] + other[0] + 1, one[1] + other[1] + 1) in ("|", "-")

    def ground_at(self, cell: int) -> str:
        if not self.ground or self.board.at is None:
            return " "
        row, column = self.board.at[cell]
        return self.sign(2 * row + 1, 2 * column + 1)

    def fits(self, cells: Cells) -> bool:
        """Whether no fixed symbol is on these cells and no wall between them."""
        if any(cell in self.walls for cell in cells):
            return False
        places = [self.board.at[cell] for cell in cells] if self.board.at and len(cells) > 1 else []
        return not any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and self.wall(a, b) for a, b in combinations(places, 2))

    def runs_of(self, cells: Cells, letter: str = "") -> list[Run]:
        if self.board.at is None:
            runs = []
            for line in self.chains:
                if cells[0] not in line:
                    continue
                free = [(cell,) for cell in line[line.index(cells[0]) + 1 :]]
                stop = next((k for k, place in enumerate(free) if not self.fits(place)), None)
                runs.append(Run(free[:stop], "edge" if stop is None else "stop"))
            return runs
        return [self.run(cells, way, letter) for way in self.board.directions]

    def run(self, cells: Cells, way: tuple[int, int], letter: str) -> Run:
        assert self.board.at is not None
        number = {place: cell for cell, place in enumerate(self.board.at)}
        seen: set[tuple[Cells, tuple[int, int]]] = set()
        out: list[Cells] = []
        while True:
            froms = [self.board.at[cell] for cell in cells]
            tos = [(row + way[0], column + way[1]) for row, column in froms]
            fronts = tuple(number[to] for to in tos if to in number and number[to] not in cells)
            blocked = self.ground and any(self.wall(one, other) for one, other in zip(froms, tos, strict=True))
            if blocked or any(cell in self.walls for cell in fronts):
                return Run(out, "stop")
            if not all(to in number for to in tos):
                return Run(out, "edge", fronts)
            cells = tuple(sorted(number[to] for to in tos))
            if not self.fits(cells):
                return Run(out, "stop")
            if (cells, way) in seen:
                return Run(out, "round")
            seen.add((cells, way))
            out.append(cells)
            signs = {self.ground_at(cell) for cell in cells if not letter or self.gates.get(cell) != letter}
            if "o" in signs:
                return Run(out, "stop")
            if signs == {"/"}:
                way = (-way[1], -way[0])
            elif signs == {"\\"}:
                way = (way[1], way[0])

    def moves(self, position: Position, metric: str = "") -> dict[Position, int]:
        return dict.fromkeys(self.lengths(position), 1)

    def lengths(self, position: Position) -> dict[Position, int]:
        """The positions one move away, each with the fewest cells that a piece travels to make it."""
        every = {cell for _, cells in position for cell in cells}
        out: dict[Position, int] = {}

        def add(pieces: list, steps: int) -> None:
            after = tuple(sorted(pieces))
            if after != position:
                out[after] = min(steps, out.get(after, steps))

        for piece in position:
            kind, cells = piece
            rest = list(position)
            rest.remove(piece)
            taken = every.difference(cells)
            for run in self.runs(cells, kind[0] if kind[0] in self.gates.values() else ""):
                now, steps = cells, 0
                for place in run.places:
                    if taken.intersection(place):
                        break
                    now, steps = place, steps + 1
                    if (kind[0], place[0]) in self.targets:
                        add([*rest, (kind, place)], steps)
                else:
                    if run.end == "round":
                        continue
                    if run.end == "edge" and self.edge != "stops" and not taken.intersection(run.fronts):
                        if self.edge == "lost":
                            add(rest, steps + 1)
                        continue
                add([*rest, (kind, now)], steps)
        return out

    def back(self, position: Position) -> Iterable[Position]:
        every = {cell for _, cells in position for cell in cells}
        for piece in dict.fromkeys(position):
            rest = list(position)
            rest.remove(piece)
            for cells in self.somewhere(piece[0]):
                before = tuple(sorted([*rest, (piece[0], cells)]))
                if every.difference(piece[1]).isdisjoint(cells) and position in self.moves(before):
                    yield before
        if self.edge == "lost":
            for kind in {(self.label(letter), ((0, 0),)) for letter in self.losable}:
                for cell in set(range(len(self.cells))).difference(every, self.walls):
                    before = tuple(sorted([*position, (kind, (cell,))]))
                    if position in self.moves(before):
                        yield before

    def somewhere(self, kind: tuple) -> list[Cells]:
        """Every place of a piece on the board without other pieces."""
        shape = kind[1]
        if len(shape) == 1:
            return [(cell,) for cell in range(len(self.cells)) if cell not in self.walls]
        assert self.board.at is not None
        number = {place: cell for cell, place in enumerate(self.board.at)}
        found = []
        for row, column in self.board.at:
            cells = [number.get((row + down, column + right)) for down, right in shape]
            if None not in cells and self.fits(tuple(cells)):
                found.append(tuple(cells))
        return found

    def lone(self, kind: tuple) -> Iterator[tuple[Cells, Cells | None, set[int], Cells]]:
        """Every glide of a piece, whatever the others do.

        (its place before, after or None if it is lost, the cells that it enters, the cells one of which must be taken)
        """
        for cells in self.somewhere(kind):
            for run in self.runs(cells, kind[0] if kind[0] in self.gates.values() else ""):
                entered: set[int] = set()
                for number, place in enumerate(run.places):
                    before = run.places[number - 1] if number else cells
                    fronts = tuple(cell for cell in place if cell not in (*before, *cells, *entered))
                    if number and fronts:
                        yield cells, before, set(entered), fronts
                    entered |= set(place).difference(cells)
                    if (kind[0], place[0]) in self.targets:
                        yield cells, place, set(entered), ()
                last = run.places[-1] if run.places else cells
                if run.end == "stop" or (run.end == "edge" and self.edge == "stops"):
                    yield cells, last, entered, ()
                elif run.end == "edge":
                    if run.fronts:
                        yield cells, last, entered, run.fronts
                    if self.edge == "lost":
                        yield cells, None, entered, ()

    def placements(self, limit: int) -> Iterator[Position]:
        first = self.place(tuple(self.pieces))
        kinds = dict.fromkeys(kind for kind, _ in first)
        if self.edge == "lost":
            kinds = dict.fromkeys((self.label(letter), ((0, 0),)) for letter in self.losable)
        glides = [(kind, *glide) for kind in kinds for glide in self.lone(kind) if glide[0] != glide[1]]
        mixed = any(after is None for _, _, after, _, _ in glides)
        blanks = {cell for cell, symbol in enumerate(self.pieces) if symbol == "."}
        taken = {cell for _, cells in first for cell in cells}
        many = len(self.cells) if mixed else len(blanks)
        symbols = {self.label(s) for goal in self.goals for s in goal.shows or ()} | {
            self.label(s) for s in self.pieces
        }
        alone = not mixed and len(first) == 1 and len(first[0][1]) == 1 and len(symbols - {".", "*"}) == 1
        places = Groups(first)
        lost = grown = False
        size = -1
        while size != len(blanks) + len(taken) + len(places.members) or grown:
            size, grown = len(blanks) + len(taken) + len(places.members), False
            for kind, before, after, entered, fronts in glides:
                ahead = next((k for k, cell in enumerate(fronts) if cell in taken), None)
                if len(entered) + (ahead or 0) > many or (fronts and (ahead is None or alone)):
                    continue
                left = set(before).difference(after or ())
                there = (kind, before) in places.members and entered <= blanks
                back = after is None or (kind, after) in places.members
                back &= left <= blanks and entered.difference(after or ()) <= blanks
                if not there and not back:
                    continue
                lost |= after is None
                blanks |= {*left, *entered}
                taken |= {*before, *(after or ())}
                if after is None:
                    grown |= (kind, before) not in places.members
                    places.members.setdefault((kind, before), (kind, before))
                else:
                    grown |= places.join((kind, before), (kind, after))
        if lost:
            free = [".", *self.losable]
            for tried, words in enumerate(product(*([s] if s in self.fixed else free for s in self.pieces))):
                if tried > 10 * limit:
                    raise TooManyError
                yield self.place(words)
            return
        yield from arranged(places, first, self.walls, limit)

    def undone(self, metric: str) -> bool:
        """Whether each glide has a glide that takes it back, with the same cells entered and taken."""
        drawings = [self.pieces] if self.pieces else [goal.shows for goal in self.goals if goal.shows]
        pieces = [tuple("." if symbol == "*" else symbol for symbol in drawing) for drawing in drawings]
        glides = {
            (kind, before, after, frozenset(entered.difference(before, after or ())), fronts)
            for kind in dict.fromkeys(kind for drawing in pieces for kind, _ in self.place(drawing))
            for before, after, entered, fronts in self.lone(kind)
            if before != after
        }
        return all((kind, after, before, *rest) in glides for kind, before, after, *rest in glides)


# ---- jump: a position is the tuple of symbols


class Jump(Reading):
    def prepare(self, keys: dict[str, list[str]]) -> None:
        first = "start" in keys or not self.goals
        shown = set(self.pieces or ()) if first else {s for goal in self.goals for s in goal.shows or ()}
        self.pegs = sorted(shown - {".", "*"} - self.fixed)

    def place(self, drawing: tuple[str, ...]) -> Position:
        return tuple(drawing)

    def shown(self, position: Position) -> list[str]:
        return list(position)

    def jumps(self, position: Position, cell: int, metric: str = "step") -> Iterator[tuple[Position, int]]:
        """The results of one jump of the peg in `cell`, or with `run` several straight ahead: (position, target)."""
        for track in self.board.tracks[cell]:
            now, here = position, cell
            for over, to in zip(track[::2], track[1::2], strict=False):
                if now[here] == "." or now[here] in self.fixed or now[over] == "." or now[over] in self.fixed:
                    break
                if now[to] != ".":
                    break
                peg = now[here]
                now = tuple("." if at in (here, over) else peg if at == to else symbol for at, symbol in enumerate(now))
                yield now, to
                here = to
                if metric != "run":
                    break

    def moves(self, position: Position, metric: str = "") -> dict[Position, int]:
        seen: set[tuple[Position, int]] = set()
        for cell in range(len(position)):
            todo = list(self.jumps(position, cell, metric))
            while todo:
                after = todo.pop()
                if after not in seen:
                    seen.add(after)
                    if metric in ("chain", "piece"):
                        todo += self.jumps(*after)
        return dict.fromkeys({after for after, _ in seen}, 1)

    def back(self, position: Position) -> Iterable[Position]:
        for cell, peg in enumerate(position):
            if peg == "." or peg in self.fixed:
                continue
            for track in self.board.tracks[cell]:
                if len(track) > 1 and position[track[0]] == position[track[1]] == "." and len({cell, *track[:2]}) == 3:
                    for jumped in self.pegs:
                        before = {cell: ".", track[0]: jumped, track[1]: peg}
                        yield tuple(before.get(at, symbol) for at, symbol in enumerate(position))

    def placements(self, limit: int) -> Iterator[Position]:
        """All fillings of the cells without fixed pegs, if any jump can ever be made; else only the start."""
        pegs = {cell for cell, symbol in enumerate(self.pieces) if symbol in self.pegs}
        holes = {cell for cell, symbol in enumerate(self.pieces) if symbol == "."}
        size = -1
        made = False
        while size != len(pegs) + len(holes):  # the symbols that each cell can show after jumps, made or taken back
            size = len(pegs) + len(holes)
            for cell in range(len(self.pieces)):
                for over, to in (track[:2] for track in self.board.tracks[cell] if len(track) > 1):
                    if len({cell, over, to}) < 3:
                        continue
                    there = cell in pegs and over in pegs and to in holes
                    back = cell in holes and over in holes and to in pegs
                    if there or back:
                        made = True
                        pegs |= {cell, over, to}
                        holes |= {cell, over, to}
        if not made:
            return iter([tuple(self.pieces)])
        return product(*([symbol] if symbol in self.fixed else [".", *self.pegs] for symbol in self.pieces))

    def undone(self, metric: str) -> bool:
        return not any(len({cell, *t[:2]}) == 3 for cell, tracks in enumerate(self.board.tracks) for t in tracks)


# ---- push: a position is (cells of the players, ((letter, shape), cells) of the boxes), both sorted


class Push(Reading):
    open_goals = unmanned = True

    def prepare(self, keys: dict[str, list[str]]) -> None:
        self.pull = keys.get("pull") == ["yes"]
        shown = {symbol for goal in self.goals for symbol in goal.shows or ()} | set(words(keys.get("distinct", ())))
        self.named = None if not self.goals or "all" in shown else shown
        letters = set(self.pieces or ()) - {".", "@"} - self.fixed
        self.standing = {cell: symbol for cell, symbol in enumerate(self.pieces or ()) if symbol in self.fixed}
        self.rigid = {
            letter
            for key in ("blocks", "apart")
            for letter in (letters if keys.get(key) == ["all"] else words(keys.get(key, ())))
        }
        #: for each cell the straight paths of two cells, and the neighbours
        self.ahead = [[track[:2] for track in tracks if len({cell, *track[:2]}) == 3]
                      for cell, tracks in enumerate(self.board.tracks)]  # fmt: skip
        self.near = [sorted({track[0] for track in tracks}) for tracks in self.board.tracks]
        self.metric = self.metric or "push"
        self.single = "push" if self.metric == "run" else self.metric
        self.known: dict[Hashable, list[tuple[int, Cells, int, Cells]]] = {}

    def place(self, drawing: tuple[str, ...]) -> Position:
        players = tuple(cell for cell, symbol in enumerate(drawing) if symbol == "@")
        label = {s: s if self.named is None or s in self.named else "" for s in drawing}
        boxes = [((label[s], ((0, 0),)), (cell,)) for cell, s in enumerate(drawing)
                 if s not in {"@", ".", *self.rigid, *self.fixed}]  # fmt: skip
        for letter in self.rigid & set(drawing):
            cells = tuple(cell for cell, symbol in enumerate(drawing) if symbol == letter)
            boxes.append(((label[letter], self.shape(cells)), cells))
        return players, tuple(sorted(boxes))

    def shape(self, cells: Cells) -> tuple[tuple[int, int], ...]:
        if len(cells) == 1:
            return ((0, 0),)
        assert self.board.at is not None
        top, left = self.board.at[cells[0]]
        return tuple((self.board.at[cell][0] - top, self.board.at[cell][1] - left) for cell in cells)

    def shown(self, position: Position) -> list[str]:
        _, boxes = position
        out = [self.standing.get(cell, ".") for cell in range(len(self.cells))]  # a player may be where goals want '.'
        for (letter, _), cells in boxes:
            for cell in cells:
                out[cell] = letter
        return out

    def walks(self, position: Position) -> list[Position]:
        """All positions that the players can walk to."""
        taken = {cell for _, cells in position[1] for cell in cells} | {*self.standing}
        found = [position[0]]
        seen = set(found)
        for players in found:
            for player in players:
                for cell in self.near[player]:
                    after = tuple(sorted({*players, cell} - {player}))
                    if cell not in taken and cell not in players and after not in seen:
                        seen.add(after)
                        found.append(after)
        return [(players, position[1]) for players in found]

    def settled(self, position: Position, metric: str) -> Position:
        return min(self.walks(position)) if metric != "move" else position

    def strokes(self, position: Position) -> Iterator[tuple[Position, Cells, Cells]]:
        """Every push and pull of one cell: (position, cells of the box before, after)."""
        players, boxes = position
        for player in players:
            for number, (kind, cells) in enumerate(boxes):
                taken = {c for k, (_, others) in enumerate(boxes) if k != number for c in others} | set(players)
                taken.remove(player)
                taken |= {*self.standing}
                for to, after in self.shoved(player, cells):
                    if to not in taken and taken.isdisjoint(after):  # it may have left a cell that the box comes into
                        rest = [*boxes[:number], *boxes[number + 1 :], (kind, after)]
                        yield (tuple(sorted({*players, to} - {player})), tuple(sorted(rest))), cells, after

    def shoved(self, player: int, cells: Cells) -> Iterator[tuple[int, Cells]]:
        """Where a player and a box beside it can be one cell further: (player, box)."""
        if len(cells) == 1:
            yield from ((b, (c,)) for b, c in self.ahead[player] if b == cells[0])
            yield from ((c, (b,)) for b, c in self.ahead[cells[0]] if b == player and self.pull)
            return
        at = self.board.at
        assert at is not None
        body = {at[cell] for cell in cells}
        number = {place: cell for cell, place in enumerate(at)}
        row, column = at[player]
        for down, right in self.board.directions:
            ahead, behind = (row + down, column + right), (row - down, column - right)
            moved = {(r + down, c + right) for r, c in body}
            if self.board.crosses({*body, (row, column)}, (down, right)) or self.board.across(moved):
                continue
            touches = ahead in body or (
                self.pull and behind in body and not self.board.crosses([behind], (down, right))
            )
            if touches and ahead in number and moved <= number.keys():
                # all parts, the player's too, are moved at once; none may end on another
                assert ahead not in moved
                yield number[ahead], tuple(sorted(number[place] for place in moved))

    def moves(self, position: Position, metric: str = "") -> dict[Position, int]:
        metric = metric or "push"
        if metric in ("move", "step"):
            steps = [each for each in self.walks(position) if len({*each[0], *position[0]}) == len(position[0]) + 1
                     and any(cell in self.near[player] for player in {*position[0]} - {*each[0]}
                             for cell in {*each[0]} - {*position[0]})]  # fmt: skip
            return dict.fromkeys([*steps, *(after for after, _, _ in self.strokes(position))], 1)
        found: dict[Position, int] = {}
        for here in self.walks(position):
            pending = list(self.strokes(here))
            for after, old, new in pending:
                found[self.settled(after, metric)] = 1
                if metric == "run":
                    pending += [
                        each for each in self.strokes(after) if each[1] == new and self.straight(old, *each[1:])
                    ]
        found.pop(self.settled(position, metric), None)
        return found

    def straight(self, one: Cells, two: Cells, three: Cells) -> bool:
        """Whether a box goes on in its direction."""
        if len(one) == 1:
            return (one[0], two[0], three[0]) in self.lines
        assert self.board.at is not None
        (a, b), (c, d), (e, f) = (self.board.at[cells[0]] for cells in (one, two, three))
        return (c - a, d - b) == (e - c, f - d)

    @cached_property
    def lines(self) -> set[Cells]:
        """Three cells in line."""
        return {(cell, *track) for cell, tracks in enumerate(self.ahead) for track in tracks}

    def bodies(self, shape: tuple[tuple[int, int], ...]) -> list[Cells]:
        """All places of a box on the board."""
        if len(shape) == 1:
            return [(cell,) for cell in range(len(self.cells))]
        assert self.board.at is not None
        number = {place: cell for cell, place in enumerate(self.board.at)}
        every = (tuple(number.get((r + down, c + right), -1) for down, right in shape) for r, c in number)
        return [body for body in every if -1 not in body]

    def shoves(self, shape: tuple[tuple[int, int], ...]) -> list[tuple[int, Cells, int, Cells]]:
        """Every push and pull of a box alone: (cell of the player, of the box before, of the player, the box after)."""
        if shape not in self.known:
            self.known[shape] = [
                (player, body, to, after)
                for body in self.bodies(shape)
                for player in set(range(len(self.cells))).difference(body)
                for to, after in self.shoved(player, body)
            ]
        return self.known[shape]

    def back(self, position: Position) -> Iterable[Position]:
        players, boxes = position
        for player in players:
            rest = set(players) - {player}
            for number, (kind, cells) in enumerate(boxes):
                others = [*boxes[:number], *boxes[number + 1 :]]
                taken = rest.union(*(body for _, body in others))
                for before, body, to, after in self.shoves(kind[1]):
                    if (to, after) == (player, cells) and taken.isdisjoint({before, *body}):
                        yield tuple(sorted({*rest, before})), tuple(sorted([*others, (kind, body)]))
        yield from self.walks(position)

    def placements(self, limit: int) -> Iterator[Position]:
        assert self.start is not None
        man: tuple = ("@", ((0, 0),))
        first = (*((man, (cell,)) for cell in self.start[0]), *self.start[1])
        blanks = set(range(len(self.cells))).difference(*(cells for _, cells in first))
        many = len(blanks)
        places = Groups(first)
        size = -1
        while size != len(places.members) + len(blanks):  # the places of each piece if others never are in its way
            size = len(places.members) + len(blanks)
            for kind, cells in list(places.members):
                if kind == man:
                    for cell in self.near[cells[0]]:
                        if cell in blanks:
                            places.join((man, cells), (man, (cell,)))
                            blanks |= {*cells}
                    continue
                for before, body, to, after in self.shoves(kind[1]):
                    for one, other, old, new in ((before, to, body, after), (to, before, after, body)):
                        # a push that is made, or taken back
                        entered = {*new, other} - {*old, one}
                        if (
                            old == cells
                            and (man, (one,)) in places.members
                            and entered <= blanks
                            and len(entered) <= many
                        ):
                            places.join((kind, old), (kind, new))
                            places.join((man, (one,)), (man, (other,)))
                            blanks |= {*old, one} - {*new, other}
        for pieces in arranged(places, first, (), limit):
            yield (
                tuple(sorted(cells[0] for kind, cells in pieces if kind == man)),
                tuple(sorted(piece for piece in pieces if piece[0] != man)),
            )

    def undone(self, metric: str) -> bool:
        """Whether each push of a box alone on the board can be taken back, wherever the box is."""
        assert self.start is not None
        return self.pull or all(
            (before, body) in self.shoved(to, after)
            for (_, shape), _ in self.start[1]
            for before, body, to, after in self.shoves(shape)
        )


# ---- apply: a position is the tuple of symbols; a move says where each symbol comes from and how often it changes


class Apply(Reading):
    def prepare(self, keys: dict[str, list[str]]) -> None:
        self.swap: dict[str, str] = {}
        for said in ",".join(keys.get("swap", ())).split(","):
            names = said.replace("<->", "->").split("->") if said.strip() else []
            names = [name.strip() for name in names]
            if "<->" in said:
                names.append(names[0])
            self.swap.update(zip(names, names[1:], strict=False))
        self.one_way = keys.get("one-way") == ["yes"]
        number = {name: cell for cell, name in enumerate(self.cells)}
        self.order = 1  # so many changes are the identity
        changed = {symbol: self.swap[symbol] for symbol in self.swap}
        while any(symbol != to for symbol, to in changed.items()):
            changed = {symbol: self.swap[to] for symbol, to in changed.items()}
            self.order += 1
        self.listed = [self.parse(row.partition(":")[2], number) for row in keys.get("moves", ())]

    def parse(self, text: str, number: dict[str, int]) -> tuple[tuple[int, int], ...]:
        move = [(cell, 0) for cell in range(len(number))]
        for cycle, change, kind, line in re.findall(r"\(([^)]*)\)|~\s*([^\s()~]+)|(flip|reverse)\s+([^()~]*)", text):
            old = list(move)
            cells = [number[name] for name in (cycle or line or change).replace(",", " ").split()]
            if cycle:
                for one, to in zip(cells, cells[1:] + cells[:1], strict=True):
                    move[to] = old[one]
            else:
                for one, to in zip(cells, cells[::-1], strict=True):
                    come, times = old[one]
                    move[to] = (come, (times + (kind != "reverse")) % self.order)
        return tuple(move)

    def place(self, drawing: tuple[str, ...]) -> Position:
        return tuple(drawing)

    def shown(self, position: Position) -> list[str]:
        return list(position)

    def changed(self, symbol: str, times: int) -> str:
        for _ in range(times):
            symbol = self.swap.get(symbol, symbol)
        return symbol

    def after(self, position: Position, move: tuple[tuple[int, int], ...]) -> Position:
        return tuple(self.changed(position[cell], times) for cell, times in move)

    def inverse(self, move: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        back = [(0, 0)] * len(move)
        for to, (cell, times) in enumerate(move):
            back[cell] = (to, -times % self.order)
        return tuple(back)

    def moves(self, position: Position, metric: str = "") -> dict[Position, int]:
        found: dict[tuple, set[Position]] = {}
        for move in self.listed:
            leads = found.setdefault(min(move, self.inverse(move)), set())  # a move and its inverse are one move
            leads.add(self.after(position, move))
            if metric == "run":
                power = self.after(position, move)
                while power != position:
                    leads.add(power)
                    power = self.after(power, move)
            elif not self.one_way:
                leads.add(self.after(position, self.inverse(move)))
        return dict(Counter(child for leads in found.values() for child in leads - {position}))

    def back(self, position: Position) -> Iterable[Position]:
        return [self.after(position, self.inverse(move)) for move in self.listed] + (
            [] if self.one_way else [self.after(position, move) for move in self.listed]
        )

    def undone(self, metric: str) -> bool:
        return not self.one_way or all(self.inverse(move) in self.listed for move in self.listed)

    def placements(self, limit: int) -> Iterator[Position]:
        kinds = Groups({*self.pieces, *self.swap})
        sets = Groups(range(len(self.cells)))
        for move in self.listed:
            for to, (cell, times) in enumerate(move):
                sets.join(cell, to)
                for symbol in self.swap:
                    kinds.join(symbol, self.changed(symbol, times))
        cells_of: dict[Hashable, list[int]] = {}
        for cell in range(len(self.cells)):
            cells_of.setdefault(sets.find(cell), []).append(cell)
        alike: dict[Hashable, list[str]] = {}
        for symbol in kinds.members:
            alike.setdefault(kinds.find(symbol), []).append(symbol)
        parts = []  # for each set of joined cells, all its contents
        for cells in cells_of.values():
            orders = orderings(tuple(sorted(str(kinds.find(self.pieces[cell])) for cell in cells)))
            every = ((cells, filled) for order in orders for filled in product(*(alike[kind] for kind in order)))
            parts.append(list(islice(every, limit + 1)))
            if len(parts[-1]) > limit:
                raise TooManyError
        for choice in product(*parts):
            shown = {cell: symbol for cells, filled in choice for cell, symbol in zip(cells, filled, strict=True)}
            yield tuple(shown[cell] for cell in range(len(self.cells)))


def orderings(things: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All different orders of items, some of which may be equal."""
    if not things:
        yield ()
    for first in dict.fromkeys(things):
        rest = list(things)
        rest.remove(first)
        for order in orderings(tuple(rest)):
            yield (first, *order)


# ---- answers


class TooManyError(Exception):
    """There are more positions than the limit."""


def layers(puzzle: Reading, sources: Iterable[Position], metric: str, limit: int) -> list[list[Position]]:
    """All positions by their distance from the sources. Raises TooManyError."""
    layer = list(dict.fromkeys(puzzle.settled(source, metric) for source in sources))
    seen, out = set(layer), []
    while layer:
        out.append(layer)
        following = dict.fromkeys(after for position in layer for after in puzzle.moves(position, metric))
        layer = [position for position in following if position not in seen]
        seen.update(layer)
        if len(seen) > limit:
            raise TooManyError
    return out


def reachable(puzzle: Reading, metric: str, limit: int) -> set[Position] | None:
    """All positions that the start reaches, or None if there are more than `limit`."""
    try:
        return {position for layer in layers(puzzle, [puzzle.start], metric, limit) for position in layer}
    except TooManyError:
        return None


def depths_from(puzzle: Reading, sources: Iterable[Position], metric: str, limit: int) -> list[int] | None:
    """How many positions lie at each distance from the sources."""
    try:
        return [len(layer) for layer in layers(puzzle, sources, metric, limit)]
    except TooManyError:
        return None


def shortest(puzzle: Reading, metric: str, limit: int) -> tuple[int | None, int] | None:
    """Return the length of a shortest solution and how many there are; (None, 0) if impossible, None over the limit."""
    first = puzzle.settled(puzzle.start, metric)
    ways, seen, depth = {first: 1}, {first}, 0
    while ways:
        if solved := [position for position in ways if puzzle.is_goal(position)]:
            return depth, sum(ways[position] for position in solved)
        if len(seen) > limit:
            return None
        following: Counter[Position] = Counter()
        for position, count in ways.items():
            for after, alike in puzzle.moves(position, metric).items():
                if after not in seen:
                    following[after] += count * alike
        seen.update(following)
        ways, depth = dict(following), depth + 1
    return None, 0


def reversible(puzzle: Reading, metric: str) -> bool:
    """Whether every move can be undone by one move."""
    return puzzle.undone(metric)


def goal_positions(puzzle: Reading, limit: int) -> set[Position] | None:
    """All goal positions; None if the pieces are not known. Raises TooManyError."""
    found = {puzzle.place(goal.shows) for goal in puzzle.goals if goal.whole and goal.shows}
    if puzzle.unmanned:
        found = set()
    if puzzle.open_goals or any(not goal.whole for goal in puzzle.goals):
        if puzzle.pieces is None:
            return None
        for number, position in enumerate(puzzle.placements(limit)):
            if number > limit:
                raise TooManyError
            if puzzle.is_goal(position):
                found.add(position)
    return found


def leading_to(puzzle: Reading, goals: Iterable[Position], limit: int) -> set[Position]:
    """All positions from which one of these can be reached. Raises TooManyError."""
    seen = set(goals)
    todo = list(seen)
    while todo:
        for before in puzzle.back(todo.pop()):
            if before not in seen:
                seen.add(before)
                todo.append(before)
        if len(seen) > limit:
            raise TooManyError
    return seen


def depths_to_goal(puzzle: Reading, metric: str, limit: int) -> list[int] | None:
    """Return how many positions lie at each distance to the goal; None over the limit or if pieces are not known."""
    try:
        undone = puzzle.undone(metric)
        reached: set[Position] = set()
        if (
            puzzle.start is not None
            and undone
            and not (len(puzzle.goals) == 1 and puzzle.goals[0].whole and not puzzle.open_goals)
        ):
            reached = {p for layer in layers(puzzle, [puzzle.start], metric, limit) for p in layer if puzzle.is_goal(p)}
        sources = reached or goal_positions(puzzle, limit)
        if sources is None:
            return None
        if undone:
            return depths_from(puzzle, sources, metric, limit)
        counted = {puzzle.settled(position, metric) for position in leading_to(puzzle, sources, limit)}
        sources = {puzzle.settled(position, metric) for position in sources}
        before: dict[Position, list[Position]] = {position: [] for position in counted}
        for position in counted:
            for after in puzzle.moves(position, metric):
                if after in counted:
                    before[after].append(position)
        depth = dict.fromkeys(sources, 0)
        todo = list(depth)
        for position in todo:
            for other in before[position]:
                if other not in depth:
                    depth[other] = depth[position] + 1
                    todo.append(other)
        found = Counter(depth.values())
        return [found[layer] for layer in range(len(found))]
    except TooManyError:
        return None


@dataclass
class Parts:
    """Components of the placements: `sizes` with how often each occurs, greatest first."""

    positions: int
    sizes: list[tuple[int, int]]
    fixed: int
    solvable: int | None


def components(puzzle: Reading, limit: int) -> Parts | None:
    """Return the components of all placements; None if there are more than `limit` or the pieces are not known."""
    if puzzle.pieces is None:
        return None
    groups = Groups(())
    try:
        for each in puzzle.placements(limit):
            position = puzzle.settled(each, puzzle.metric)
            groups.members.setdefault(position, position)
            if len(groups.members) > limit:
                return None
    except TooManyError:
        return None
    every = list(groups.members)
    for position in every:
        for after in puzzle.moves(position, puzzle.single):
            if after in groups.members:
                groups.join(position, after)
    sizes = Counter(groups.find(position) for position in every)
    alike = Counter(sizes.values())
    solvable = None
    if puzzle.goals:
        goals = {position for position in every if puzzle.is_goal(position)}
        leading = {puzzle.settled(each, puzzle.metric) for each in leading_to(puzzle, goals, 1 << 30)}
        solvable = len(leading.intersection(every))
    return Parts(len(every), sorted(alike.items(), reverse=True), alike[1], solvable)
