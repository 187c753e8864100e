"""Twisty puzzles derived from their geometry: as `.tws` text, and counted piece by piece without the package.

A piece is a point. Its orientation is shown by marks around it: rotation about the point's axis maps the first mark to
the others in turn. A move turns all points beyond a plane. All turns are symmetries of the cube, so all coordinates are
integers. Pieces that can exchange form one set.
"""

from dataclasses import dataclass
from itertools import product

FACES = {"U": (0, 0, 1), "D": (0, 0, -1), "R": (1, 0, 0), "L": (-1, 0, 0), "F": (0, -1, 0), "B": (0, 1, 0)}
CORNERS = tuple(product((1, -1), repeat=3))
TETRAD = tuple(corner for corner in CORNERS if corner[0] * corner[1] * corner[2] == 1)
OTHERS = tuple(corner for corner in CORNERS if corner not in TETRAD)
EDGES = tuple(point for point in product((1, 0, -1), repeat=3) if point.count(0) == 1)
CENTRES = tuple(FACES.values())


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turned(point, axis, parts):
    """Return a point turned about an axis by a whole turn divided by `parts`: 3 for a corner's axis, 2 or 4."""
    axis = tuple((value > 0) - (value < 0) for value in axis)
    along, around, size = dot(axis, point), cross(axis, point), dot(axis, axis)
    if parts == 1:
        return tuple(point)
    if parts == 2:
        return tuple((2 * along * a - size * x) // size for a, x in zip(axis, point, strict=True))
    if parts == 4:
        return tuple(along * a + b for a, b in zip(axis, around, strict=True))
    return tuple((along * a + b - x) // 2 for a, b, x in zip(axis, around, point, strict=True))


@dataclass(frozen=True)
class Pieces:
    """Points that can exchange.

    ways  the number of orientations of each
    mark  function from a point to its first mark
    """

    name: str
    points: tuple
    ways: int
    mark: object = None

    def marks(self, point):
        """The marks of a point, one for each orientation."""
        found = [self.mark(point) if self.mark and self.ways > 1 else point]
        while len(found) < self.ways:
            found.append(turned(found[-1], point, self.ways))
        return found


@dataclass(frozen=True)
class Turn:
    """One turn.

    parts  the turn is a whole turn divided by this number
    holds  function that says whether a point is turned
    """

    axis: tuple
    parts: int
    holds: object

    def of(self, pieces):
        """Return, for each place, the source of its piece and how far the piece is turned."""
        came, delta = list(range(len(pieces.points))), [0] * len(pieces.points)
        for source, point in enumerate(pieces.points):
            if self.holds(point):
                place = pieces.points.index(turned(point, self.axis, self.parts))
                came[place] = source
                mark = turned(pieces.marks(point)[0], self.axis, self.parts)
                delta[place] = pieces.marks(pieces.points[place]).index(mark)
        return came, delta


def beyond(axis, least):
    return lambda point: dot(point, axis) > least


@dataclass(frozen=True)
class Twisty:
    """A puzzle.

    moves   by name; each consists of several turns
    unseen  points of pieces whose orientation cannot be seen
    """

    pieces: tuple
    moves: dict
    unseen: tuple = ()

    def effects(self, name):
        """Return, for each set, the sources and orientations of its pieces after a move."""
        found = []
        for pieces in self.pieces:
            came, delta = list(range(len(pieces.points))), [0] * len(pieces.points)
            for turn in self.moves[name]:
                sources, more = turn.of(pieces)
                delta = [(delta[source] + extra) % pieces.ways for source, extra in zip(sources, more, strict=True)]
                came = [came[source] for source in sources]
            found.append((came, delta))
        return found

    def text(self, moves="Move"):
        """Return the puzzle as `.tws` text.

        moves  Move or MoveTransformation, which count places and write orientations differently
        """
        first = int(moves == "Move")
        rows = (
            ["Name geometry"] + [f"Set {each.name} {len(each.points)} {each.ways}" for each in self.pieces] + ["Solved"]
        )
        for each in self.pieces:
            numbers = " ".join(str(number + 1) for number in range(len(each.points)))
            rows += [each.name, numbers, " ".join("?" if point in self.unseen else "0" for point in each.points)]
        rows.append("End")
        for name in self.moves:
            rows.append(f"{moves} {name}")
            for each, (came, delta) in zip(self.pieces, self.effects(name), strict=True):
                if first:  # an orientation is written at the place that the piece leaves
                    delta = [delta[came.index(place)] for place in range(len(came))]
                rows += [each.name, " ".join(str(source + first) for source in came), " ".join(map(str, delta))]
            rows.append("End")
        return "\n".join(rows) + "\n"

    def layers(self, powers=True, most=100):
        """Return the number of positions of each depth, by moving single pieces.

        powers  any power of a move counts as one move
        """
        start = tuple(
            tuple((number, None if point in self.unseen else 0) for number, point in enumerate(each.points))
            for each in self.pieces
        )
        moves = [self.effects(name) for name in self.moves]
        seen, layer, counts = {start}, [start], []
        while layer and len(counts) <= most:
            counts.append(len(layer))
            following = []
            for position in layer:
                for move in moves:
                    after = self.moved(position, move)
                    ring = [after]
                    while ring[-1] != position:
                        ring.append(self.moved(ring[-1], move))
                    for each in ring if powers else (ring[0], ring[-2] if len(ring) > 1 else ring[0]):
                        if each not in seen:
                            seen.add(each)
                            following.append(each)
            layer = following
        return counts

    def moved(self, position, move):
        """Return a position after a move."""
        return tuple(
            tuple(
                (held[source][0], None if held[source][1] is None else (held[source][1] + extra) % each.ways)
                for source, extra in zip(came, delta, strict=True)
            )
            for each, held, (came, delta) in zip(self.pieces, position, move, strict=True)
        )


def across(axis):
    return lambda point: dot(point, axis) == 0


def facing(point):
    """A mark on the piece's first side, for corners and edges of a cube."""
    axis = next(index for index, value in enumerate(point) if value)
    return tuple(value if index == axis else 0 for index, value in enumerate(point))


def beside(point):
    """A mark across a piece in the middle of a side."""
    return (0, 0, 1) if point[2] == 0 else (0, 1, 0)


def slope(point):
    """A mark on one of the two sides of a tetrahedron that meet in an edge with this middle."""
    return next(corner for corner in OTHERS if dot(corner, point) > 0)


def layer_turns(letters, parts=4):
    """Moves that turn one side each; a half turn of U is called U2."""
    name = "{}2" if parts == 2 else "{}"
    return {name.format(letter): (Turn(FACES[letter], parts, beyond(FACES[letter], 0)),) for letter in letters}


def corner_turns(axes):
    """Moves that turn half of the puzzle about a corner."""
    return {"ABCDEFGH"[number]: (Turn(axis, 3, beyond(axis, 0)),) for number, axis in enumerate(axes)}


def slice_turns(letters):
    """Moves that turn the slice between two sides, in the direction of one of these."""
    return {f"{letter}s": (Turn(FACES[letter], 4, across(FACES[letter])),) for letter in letters}


def cube2(fixed=True, unseen=()):
    points = tuple(corner for corner in CORNERS if not fixed or corner != (-1, 1, -1))
    return Twisty((Pieces("CORNER", points, 3, facing),), layer_turns("URF" if fixed else "UDRLFB"), unseen)


def cube3(moves):
    return Twisty((Pieces("CORNER", CORNERS, 3, facing), Pieces("EDGE", EDGES, 2, facing)), moves)


def cube3_centres(moves):
    return Twisty((*cube3(moves).pieces, Pieces("CENTRE", CENTRES, 1)), moves)


def antislices():
    pairs = {a + b: (layer_turns(a)[a][0], layer_turns(b)[b][0]) for a, b in ("UD", "RL", "FB")}
    return cube3(pairs)


def pyraminx(tips=False):
    sets = (Pieces("EDGE", CENTRES, 2, slope), Pieces("AXIAL", TETRAD, 3, facing))
    turns = corner_turns(TETRAD)
    if not tips:
        return Twisty(sets, turns)
    ends = tuple(tuple(3 * value for value in point) for point in TETRAD)
    more = {name.lower(): (Turn(turn.axis, 3, beyond(turn.axis, 5)),) for name, (turn,) in turns.items()}
    return Twisty((*sets, Pieces("TIP", ends, 3, facing)), turns | more)


def skewb(corner_ways=3, centre_ways=1, axes=TETRAD):
    """With the axes of one tetrad, its corners keep their places; with all axes, the whole puzzle may turn."""
    return Twisty(
        (
            Pieces("AXIAL", TETRAD, corner_ways, facing),
            Pieces("FREE", OTHERS, corner_ways, facing),
            Pieces("CENTRE", CENTRES, centre_ways, beside),
        ),
        corner_turns(axes),
    )


def dino():
    """Turns about a corner move the three edges that meet there."""
    near = {name: (Turn(turn.axis, 3, beyond(turn.axis, 1)),) for name, (turn,) in corner_turns(CORNERS).items()}
    return Twisty((Pieces("EDGE", EDGES, 1),), near)


def flat(points):
    return tuple(point for point in points if point[2] == 0)


PUZZLES = {
    "floppy cube": lambda: Twisty(
        (Pieces("CORNER", flat(EDGES), 2, beside), Pieces("EDGE", flat(CENTRES), 2, beside)), layer_turns("RLFB", 2)
    ),
    "four half turns": lambda: cube3(layer_turns("UDFB", 2)),
    "three half turns": lambda: cube3(layer_turns("UFR", 2)),
    "slices": lambda: Twisty((Pieces("EDGE", EDGES, 2, facing), Pieces("CENTRE", CENTRES, 1)), slice_turns("RUF")),
    "antislices": antislices,
    "slice and side": lambda: cube3_centres(slice_turns("R") | layer_turns("D")),
    "half turns": lambda: cube3(layer_turns("UDRLFB", 2)),
    "two sides": lambda: cube3(layer_turns("UR")),
    "Ivy cube": lambda: Twisty(
        (Pieces("AXIAL", TETRAD, 3, facing), Pieces("CENTRE", CENTRES, 1)), corner_turns(TETRAD)
    ),
    "Pyramorphix": lambda: cube2(unseen=OTHERS),
    "Skewb Diamond": lambda: skewb(1, 4),
    "Skewb Diamond, whole": lambda: skewb(1, 4, CORNERS),
    "Pyraminx": pyraminx,
    "Pyraminx with tips": lambda: pyraminx(True),
    "Skewb": skewb,
    "Skewb, whole": lambda: skewb(axes=CORNERS),
    "Skewb Ultimate": lambda: skewb(3, 4),
    "2x2x2": cube2,
    "2x2x2, whole": lambda: cube2(fixed=False),
    "Halpern-Kolmelij pyramid": lambda: Twisty(
        (Pieces("CORNER", TETRAD, 3, facing), Pieces("EDGE", CENTRES, 2, slope)), corner_turns(OTHERS)
    ),
    "Dino cube, whole": dino,
}
"""Puzzles by the names in data/twisty.csv."""


# ---- The puzzles in examples/twisty, with the letters of speedcubers: clockwise seen from outside


PYRAMINX = "U, L, R, B: the corner above, those in front to the left and right, and behind, clockwise"
MEGAMINX = "the side U above, F in front, R, L, BR, BL beside U; DR, DL, DBR, DBL, B beside D, clockwise"


def clockwise(axis, least):
    """Two thirds of a turn against the clock: one with it."""
    return (Turn(axis, 3, beyond(axis, least)),) * 2


def pyraminx_by_letters(tips):
    """U above, L and R in front, B behind; with tips, u, l, r and b turn these alone."""
    corners = dict(zip("ULRB", ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)), strict=True))
    turns = {letter: clockwise(axis, 0) for letter, axis in corners.items()}
    ends = {letter.lower(): clockwise(axis, 5) for letter, axis in corners.items()}
    return Twisty(pyraminx(tips).pieces, turns | ends if tips else turns)


def skewb_by_letters():
    """U, R, L and B turn the halves at the corners UBL, DRB, DLF and DBL; the corner UFR stays."""
    corners = {"U": (-1, 1, 1), "R": (1, 1, -1), "L": (-1, -1, -1), "B": (-1, 1, -1)}
    return Twisty(skewb().pieces, {letter: clockwise(axis, 0) for letter, axis in corners.items()})


@dataclass(frozen=True)
class Dodecahedron(Twisty):
    """A puzzle whose places are tuples of sides, each clockwise; `turns`: the side to which each side goes, by move."""

    turns: dict = None

    def effects(self, name):
        to = self.turns[name]
        found = []
        for pieces in self.pieces:
            came, delta = list(range(len(pieces.points))), [0] * len(pieces.points)
            for source, sides in enumerate(pieces.points):
                if name in sides:
                    image = tuple(to[side] for side in sides)
                    place = next(number for number, each in enumerate(pieces.points) if set(each) == set(image))
                    came[place], delta[place] = source, pieces.points[place].index(image[0])
            found.append((came, delta))
        return found


def megaminx():
    """U above and F in front; the lower ring is DR, DL, DBL, B, DBR, each below the two sides of the upper ring."""
    golden = (1 + 5**0.5) / 2
    normals = [
        point[shift:] + point[:shift]
        for one, two in product((1, -1), (golden, -golden))
        for point in [(0, one, two)]
        for shift in range(3)
    ]
    near = {one: [two for two in normals if dot(one, two) > 1 and one != two] for one in normals}

    def turned_by_a_fifth(point, axis):
        """Return the normal to which a clockwise fifth of a turn about another one takes it."""
        if point not in near[axis]:
            opposite = tuple(-value for value in point)
            if axis in (point, opposite):
                return point
            return tuple(-value for value in turned_by_a_fifth(opposite, axis))
        beside = [each for each in near[axis] if each in near[point]]
        return next(each for each in beside if dot(cross(point, each), axis) < 0)

    up = normals[0]
    ring = [near[up][0]]
    while len(ring) < 5:
        ring.append(turned_by_a_fifth(ring[-1], up))
    names = dict(zip([up, *ring], ("U", "F", "L", "BL", "BR", "R"), strict=True))
    for name, above in (("DL", "FL"), ("DBL", ("L", "BL")), ("B", ("BL", "BR")), ("DBR", ("BR", "R")), ("DR", "RF")):
        pair = [side for side, known in names.items() if known in above]
        names[next(side for side in normals if side not in names and all(each in near[side] for each in pair))] = name
    names[next(side for side in normals if side not in names)] = "D"
    turns = {
        names[axis]: {names[point]: names[turned_by_a_fifth(point, axis)] for point in normals} for axis in normals
    }
    corners, edges = [], []
    for one in normals:
        for two in near[one]:
            if (names[two], names[one]) not in edges:
                edges.append((names[one], names[two]))
            three = next(each for each in near[one] if each in near[two] and dot(cross(two, each), one) < 0)
            corner = names[one], names[two], names[three]
            if not any(set(each) == set(corner) for each in corners):
                corners.append(corner)
    sets = Pieces("CORNER", tuple(corners), 3), Pieces("EDGE", tuple(edges), 2)
    order = ("U", "F", "L", "BL", "BR", "R", "DR", "DL", "DBL", "B", "DBR", "D")
    return Dodecahedron(sets, dict.fromkeys(order, ()), (), turns)


EXAMPLES = {
    "pyraminx": ("Pyraminx", lambda: pyraminx_by_letters(False), PYRAMINX),
    "pyraminx-tips": ("Pyraminx with tips", lambda: pyraminx_by_letters(True), f"{PYRAMINX}; u, l, r, b: the tips"),
    "skewb": ("Skewb", skewb_by_letters, "U, R, L, B: the half at UBL, DRB, DLF, DBL, clockwise; UFR stays"),
    "megaminx": ("Megaminx", megaminx, MEGAMINX),
}
"""The files of examples/twisty: title, puzzle, and what its letters mean."""


def example(name):
    """Return the text of a file of examples/twisty."""
    title, made, letters = EXAMPLES[name]
    return f"# {letters}\n{made().text().replace('Name geometry', f'Name {title}', 1)}"
