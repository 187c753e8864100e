"""What words and patterns of a file of changes mean, for the second reading (`changes_reference`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

Position = tuple[str, ...]
Bound = dict[str, object]  # a kind, with the symbol that it is; a place, with its cell; `car...`, with lists of symbols
Place = tuple[int | None, ...]  # cells one after another; None: the line ends here

RIGHT, LEFT, UP, DOWN = (0, 1), (0, -1), (-1, 0), (1, 0)
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
DIRECTIONS = {
    "right": (RIGHT,), "left": (LEFT,), "up": (UP,), "down": (DOWN,), "row": (RIGHT, LEFT), "column": (UP, DOWN),
    "straight": (RIGHT, LEFT, UP, DOWN), "diagonal": CORNERS, "around": (RIGHT, LEFT, UP, DOWN, *CORNERS),
    "up-left": ((-1, -1),), "up-right": ((-1, 1),), "down-left": ((1, -1),), "down-right": ((1, 1),),
    "knight": tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)),
}  # fmt: skip
WAYS = (*DIRECTIONS, "line", "along", "path")
SINGLE = {word: ways[0] for word, ways in DIRECTIONS.items() if len(ways) == 1}


def value(symbol: str) -> int | str:
    return int(symbol) if re.fullmatch(r"-?\d+", symbol) else symbol


def untagged(word: str) -> str:
    return word.rstrip("0123456789")


# ---- what words mean


@dataclass
class World:
    """The board and its words.

    names   the cells: those of the board (the first `size`), then those of `also:`
    ranges  the least and the greatest number in each cell of `numbers:`
    onward  for each cell the cells after it on the lines, in the sense in which `lines:` has them
    orders  the symbols of each kind, in their order
    """

    names: list[str]
    size: int
    at: list[tuple[int, int]] | None
    tracks: list[list[tuple[int, ...]]]
    symbols: set[str] = field(default_factory=set)
    kinds: dict[str, frozenset[str]] = field(default_factory=dict)
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)
    ranges: dict[int, tuple[int, int]] = field(default_factory=dict)
    weights: dict[int, int] = field(default_factory=dict)
    start: Position = ()
    onward: list[list[tuple[int, ...]]] = field(default_factory=list)
    orders: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.where = {place: cell for cell, place in enumerate(self.at or ())}
        self.cell = {name: cell for cell, name in enumerate(self.names)}

    def kind(self, word: str) -> frozenset[str] | None:
        """The symbols of a kind, numbered or not; None if the word is no kind."""
        if word in self.symbols:
            return None
        if untagged(word) == "any":
            return frozenset(self.symbols - {"."})
        return self.kinds.get(word, self.kinds.get(untagged(word)))

    def shown(self, words: list[str]) -> frozenset[str]:
        """The symbols that some words stand for."""
        return frozenset(s for word in words for s in (self.kind(word) or {word}))

    def cells_of(self, word: str) -> tuple[int, ...] | None:
        """The cells of a name or a place, numbered or not."""
        if word in self.cell:
            return (self.cell[word],)
        return self.places.get(word, self.places.get(untagged(word)))

    def cells(self, words: list[str]) -> set[int]:
        return {cell for word in words for cell in self.cells_of(word) or ()}

    def in_ranges(self, position: Sequence[str]) -> bool:
        """Whether all cells with a range show a number of it."""
        return all(
            position[cell].isdecimal() and low <= int(position[cell]) <= high
            for cell, (low, high) in self.ranges.items()
        )

    def lines(self, down: bool) -> list[list[int]]:
        """The rows of the drawing, or its columns."""
        lines: dict[int, list[int]] = {}
        for cell, place in enumerate(self.at or ((0, cell) for cell in range(self.size))):
            lines.setdefault(place[down], []).append(cell)
        return list(lines.values())

    def beside(self, cell: int, corners: bool = True) -> list[int]:
        if self.at is None or corners:
            return sorted({track[0] for track in self.tracks[cell]})
        row, column = self.at[cell]
        near = (self.where.get((row + down, column + right)) for down, right in DIRECTIONS["straight"])
        return [other for other in near if other is not None]


# ---- patterns


@dataclass
class Fit:
    """A pattern that lies on some cells, None for the end of a line; `bound` is what its words are."""

    cells: Place
    bound: Bound
    way: object


@dataclass
class Pattern:
    """Words along a line, in several rows if `/` parts them, with the directions in which it may lie."""

    world: World
    rows: list[list[str]]
    ways: list[str]

    def __post_init__(self) -> None:
        headings = [d for way in self.ways for d in DIRECTIONS.get(way, (way,))] or [None]
        self.tracks = sorted(
            (track for way in dict.fromkeys(headings) for track in self.tracks_along(way)),
            key=lambda track: next((cell for cell in track[1][0] if cell is not None), -1),
        )
        self.tracks = [track for track in self.tracks if self.is_long_enough(track[1])]
        self.needs: list[list[tuple[int, frozenset[str]]]] = []

    def is_long_enough(self, tracks: list[Place]) -> bool:
        """Whether there is a cell for each word before the first one that may have any number of them."""
        for words, track in zip(self.rows, tracks, strict=True):
            ends = ("edge", "stop")
            for k, word in enumerate(words[: 1 if None in self.ways or "path" in self.ways else None]):
                if word.endswith("..."):
                    break
                if (
                    k >= len(track)
                    or (track[k] is None and word not in ends)
                    or (track[k] is not None and word == "edge")
                ):
                    return False
        return True

    def needed(self, tracks: list[Place]) -> list[tuple[int, frozenset[str]]]:
        """What some cells must show wherever the pattern is laid there."""
        found: list[tuple[int, frozenset[str]]] = []
        for words, track in zip(self.rows, tracks, strict=True):
            for word, cell in zip(words, track, strict=False):
                name = bare(word)[0]
                if name.endswith("..."):
                    break
                if cell is not None and name not in ("*", "edge", "stop"):
                    found.append((cell, self.world.shown([name])))
        return found

    def tracks_along(self, way: object) -> Iterator[tuple[object, list[Place]]]:
        """For each place where the pattern may begin: the direction, and the cells from there on for each row."""
        world = self.world
        if way is None or way == "path":
            yield from ((way, [(cell,)]) for cell in range(world.size))
        elif way in ("line", "along"):
            found = world.tracks if way == "line" else world.onward
            ends = {(cell, *track) for cell in range(world.size) for track in found[cell] or [()]}
            yield from ((way, [(*track, None)]) for track in sorted(ends))
            first = (end for end in sorted(ends) if not any(longer[1:] == end for longer in ends))
            yield from ((way, [(None, *track, None)]) for track in first)
        else:
            down, right = way
            assert world.at is not None
            rows, columns = (1 + max(place[axis] for place in world.at) for axis in (0, 1))
            for row, column in product(range(-1, rows + 1), range(-1, columns + 1)):
                yield way, [self.ahead(row + right * k, column - down * k, way) for k in range(len(self.rows))]

    def ahead(self, row: int, column: int, way: tuple[int, int]) -> Place:
        """The cells from one place of the grid on, until the line ends."""
        cells = [
            self.world.where.get((row + k * way[0], column + k * way[1])) for k in range(2 + len(self.world.names))
        ]
        end = next((k for k in range(1, len(cells)) if cells[k] is None), len(cells))
        return tuple(cells[: end + 1])

    def fits(self, position: Position, bound: Bound, used: frozenset[int] = frozenset()) -> Iterator[Fit]:
        """Every way to lay the pattern on cells that are not used yet."""
        self.needs = self.needs or [self.needed(tracks) for _, tracks in self.tracks]
        for (way, tracks), needs in zip(self.tracks, self.needs, strict=True):
            if way is not None and bound.get("way", way) != way:
                continue
            if any(position[cell] not in shown for cell, shown in needs):
                continue
            for cells, now in self.lay_rows(position, tracks, way, bound):
                real = [cell for cell in cells if cell is not None]
                if len(set(real)) == len(real) and not used & set(real):
                    yield Fit(cells, now if way is None else {**now, "way": way}, way)

    def lay_rows(
        self, position: Position, tracks: list[Place], way: object, bound: Bound
    ) -> Iterator[tuple[Place, Bound]]:
        found: list[tuple[Place, Bound]] = [((), bound)]
        for words, track in zip(self.rows, tracks, strict=True):
            found = [
                (cells + more, after)
                for cells, now in found
                for more, after in self.lay(position, words, track, way, now)
            ]
        yield from found

    def lay(
        self, position: Position, words: list[str], track: Place, way: object, bound: Bound
    ) -> Iterator[tuple[Place, Bound]]:
        """Lay words along a track, or along every path from its first cell."""

        def onward(cells: Place) -> Iterator[int | None]:
            if way == "path" and cells:
                yield from (near for near in self.world.beside(cells[-1]) if near not in cells)
            else:
                yield from track[len(cells) : len(cells) + 1]

        def follow(index: int, cells: Place, run: tuple[str, ...], now: Bound) -> Iterator[tuple[Place, Bound]]:
            if index == len(words):
                yield cells, now
                return
            name = bare(words[index])[0]
            if not name.endswith("..."):
                for cell in onward(cells):
                    after = self.take(position, words[index], cell, now)
                    if after is not None:
                        yield from follow(index + 1, (*cells, cell), (), after)
                return
            yield from follow(index + 1, cells, (), {**now, name: (*now.get(name, ()), run)})
            for cell in onward(cells):
                if cell is not None and self.allows(position, words[index], cell):
                    yield from follow(index, (*cells, cell), (*run, position[cell]), now)

        yield from follow(0, (), (), bound)

    def allows(self, position: Position, word: str, cell: int) -> bool:
        """Whether one of the cells of a word such as `car...` may show what it shows."""
        name, place = bare(word)
        if place is not None and cell not in self.world.cells([place]):
            return False
        kind = name[:-3] or "."
        return kind == "*" or position[cell] in self.world.shown([kind])

    def take(self, position: Position, word: str, cell: int | None, bound: Bound) -> Bound | None:
        """What is bound if a word lies on a cell; None if it cannot."""
        name, place = bare(word)
        if cell is None:
            return bound if name in ("edge", "stop") else None
        if name == "edge" or (place is not None and cell not in self.world.cells([place])):
            return None
        if name == "stop":
            return bound if position[cell] != "." else None
        return shows(self.world, name, position[cell], bound)


def bare(word: str) -> tuple[str, str | None]:
    """A word and the place that it is on: `@[x]` is `@` on `x`."""
    found = re.fullmatch(r"(.+)\[(.+)\]", word)
    return (found[1], found[2]) if found else (word, None)


def shows(world: World, word: str, symbol: str, bound: Bound) -> Bound | None:
    """What is bound if a cell of a word shows a symbol; None if the word does not say so."""
    if word == "*":
        return bound
    kind = world.kind(word)
    if kind is None:
        return bound if value(word) == value(symbol) else None
    if symbol not in kind or bound.get(word, symbol) != symbol:
        return None
    return {**bound, word: symbol}


def split_rows(words: list[str]) -> list[list[str]]:
    """The rows of a pattern, which `/` parts."""
    return [part.split() for part in " ".join(words).split("/")]


COMPUTED = re.compile(r"(\S+)\((\S+)\)|[^+()]+([+-][^+()]+)+")


def computed(world: World, word: str) -> bool:
    """Whether a word after the arrow is one such as `tile+1` or `turned(tile)`."""
    if word in world.symbols or word.startswith("(") or not COMPUTED.fullmatch(word):
        return False
    return any(world.kind(each) is not None for each in re.split(r"[-+()]", word) if each)


def made(world: World, word: str, bound: Bound) -> str | None:
    """The symbol that a computed word is; None if there is no such symbol."""
    image = re.fullmatch(r"(\S+)\((\S+)\)", word)
    if image:
        kind, other = image[2] if image[2] in world.orders else untagged(image[2]), image[1]
        return str(world.orders[other][world.orders[kind].index(str(bound[image[2]]))])
    total = sum(
        (-1 if sign == "-" else 1) * int(str(bound.get(each, each)))
        for sign, each in re.findall(r"([+-]?)([^+-]+)", word)
    )
    return str(total) if str(total) in world.symbols else None
