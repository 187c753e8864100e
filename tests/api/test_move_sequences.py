"""Sequences of moves with brackets, and words of cubers, against a cube of stickers that is turned in space."""

from itertools import product
from random import Random

import pytest

from commands import run_json
from puzzlespace import load, read_position
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.families.cube_places import stickers

TURN = {
    "R": lambda x, y, z: (x, z, -y), "U": lambda x, y, z: (-z, y, x), "F": lambda x, y, z: (y, -x, z),
}  # fmt: skip
"""Where a clockwise quarter turn, seen from the face, takes a place: x to the right, y up, z to the front."""

LAYER = {"R": (0, 1), "L": (0, -1), "U": (1, 1), "D": (1, -1), "F": (2, 1), "B": (2, -1)}
AXIS = {0: "R", 1: "U", 2: "F"}
SLICES = {"M": "L", "E": "D", "S": "F"}
ROTATIONS = {"x": "R", "y": "U", "z": "F"}


class Cube:
    """A cube whose stickers, with the letters of their first faces, are anywhere in space."""

    def __init__(self, size):
        self.size, self.names = size, stickers(size)
        self.shown = {place: name[0] for place, name in self.names.items()}

    def turn(self, face, layers, times):
        """Turn the layers at these distances from a face clockwise, seen from the face."""
        axis, sign = LAYER[face]
        wanted = {sign * (self.size - 1 - 2 * layer) for layer in layers}
        for _ in range(times * sign % 4):
            self.shown = {
                (TURN[AXIS[axis]](*place), TURN[AXIS[axis]](*out))
                if max(min(place[axis], self.size - 1), 1 - self.size) in wanted
                else (place, out): letter
                for (place, out), letter in self.shown.items()
            }

    def word(self, word):
        times = (2 if "2" in word[1:] else 1) * (-1 if word.endswith("'") else 1)
        bare = word.rstrip("'2") if word[0] != "2" else "2" + word[1:].rstrip("'2")
        if bare in ROTATIONS:
            self.turn(ROTATIONS[bare], range(self.size), times)
        elif bare in SLICES:
            self.turn(SLICES[bare], [1], times)
        elif bare.endswith("w"):
            self.turn(bare[-2], range(int(bare[:-2] or 2)), times)
        else:
            self.turn(bare.upper(), range(2 if bare.islower() else 1), times)

    def home(self):
        """The letters by the names of stickers, after the cube is turned until centers or the fixed corner are back."""
        kept = [f"{face}5" for face in "UDRLFB"] if self.size == 3 else ["D3", "L3", "B4"]
        moved = dict(self.shown)
        for times in product(range(4), repeat=3):
            self.shown = dict(moved)
            for face, count in zip("RUF", times, strict=True):
                self.turn(face, range(self.size), count)
            found = {self.names[place]: letter for place, letter in self.shown.items()}
            if all(found[name] == name[0] for name in kept):
                return found
        raise AssertionError("no rotation brings them back")


def words_of(size):
    bare = [*"URFDLBurfdlbxyz", "Rw", "Uw", "Fw", "Dw", "Lw", "Bw", "2Rw", "2Dw"]
    bare += ["M", "E", "S", "3Lw"] if size == 3 else []
    return [word + end for word in bare for end in ("", "'", "2", "2'")]


def drawn(puzzle, text):
    position = read_position(puzzle, f"from goal: {text}")
    return dict(zip(puzzle.board.names, puzzle.view.decode(position), strict=True))


@pytest.mark.parametrize("size", [2, 3])
def test_words_of_cubers_are_turns_in_space(size):
    puzzle, random = load(f"cube:{size}"), Random(size)
    words = words_of(size)
    for number in range(len(words) + 150):
        chosen = [words[number]] if number < len(words) else random.choices(words, k=random.randrange(2, 12))
        cube = Cube(size)
        for word in chosen:
            cube.word(word)
        assert drawn(puzzle, " ".join(chosen)) == cube.home(), chosen


def tree(random, words, depth):
    """A drawn sequence as a text with brackets, and its words with whether they are taken back."""
    text, flat = [], []
    for _ in range(random.randrange(1, 4)):
        kind = random.choice("wwwrcj") if depth else "w"
        if kind == "w":
            word = random.choice(words)
            text.append(word)
            flat.append((word, False))
            continue
        inner, moves = tree(random, words, depth - 1)
        if kind != "r":
            other, more = tree(random, words, depth - 1)
            inner += ("," if kind == "c" else ":") + random.choice(("", " ")) + other
            moves = [*moves, *more, *back(moves), *(back(more) if kind == "c" else [])]
        times, stroke = random.choice((0, 0, 2, 3)), random.choice(("", "", "'"))
        text.append(("({})" if kind == "r" else "[{}]").format(inner) + (str(times) if times else "") + stroke)
        flat += (back(moves) if stroke else moves) * (times or 1)
    return " ".join(text), flat


def back(moves):
    return [(word, not undone) for word, undone in reversed(moves)]


def inverse(word):
    return word[:-1] if word.endswith("'") else word + "'"


@pytest.mark.parametrize("spec", ["cube:2", "cube:3", "pancake:5", "flip3"])
def test_brackets_are_the_moves_one_by_one(spec):
    puzzle, random = load(spec), Random(spec)
    words = {"cube:2": ["R", "U2", "F'"], "cube:3": words_of(3)}.get(spec) or [rule.name for rule in puzzle.rules]
    longest = 0
    for _ in range(120):
        text, flat = tree(random, words, random.randrange(4))
        own_inverse = not spec.startswith("cube")
        plain = [inverse(word) if undone and not own_inverse else word for word, undone in flat]
        if len(plain) < 2000:
            assert drawn(puzzle, text) == drawn(puzzle, " ".join(plain)), text
            longest = max(longest, len(plain))
    assert longest > 20


@pytest.mark.parametrize(
    ("spec", "text", "problem"),
    [
        ("cube:2", "R M", "M turns a middle layer, and the 2x2x2 cube has none"),
        ("cube:2", "R 3Rw", "3Rw turns 3 layers, and the cube has 2"),
        ("cube:3", "R 1Rw 0Rw", "0Rw turns 0 layers, and the cube has 3"),
        ("cube:3", "Rw Q", "expected a turn of a face, layers or the whole cube, found 'Q'"),
        ("cube:3", "(R U", "expected ')' after this '(', found the end"),
        ("cube:3", "[R U]", "expected ',' or ':' after this '[', found ']'"),
        ("cube:3", "[R, U) F", "expected a move or ']', found ')'"),
        ("cube:3", "R U)", "expected a move or the end, found ')'"),
        ("cube:3", "(R)0", "expected a number of repetitions from 1 to 100, found 0"),
        ("cube:3", "(R)101", "expected a number of repetitions from 1 to 100, found 101"),
        ("cube:3", "((R)100)100 (R)100", "expected at most 10,000 moves, found more"),
        ("cube:3", "(" * 21 + "R" + ")" * 21, "expected at most 20 brackets within each other, found more"),
        ("flip3", "row1 (Rw col1)2", "expected a move (row1, row2, row3, col1, col2, col3), found 'Rw'"),
    ],
)
def test_mistakes_in_sequences_are_told_with_their_place(spec, text, problem):
    with pytest.raises(FormatError) as caught:
        read_position(load(spec), text)
    assert caught.value.problem == problem
    assert (caught.value.line, caught.value.column > 0) == (1, True)


def test_what_no_move_takes_back_cannot_be_undone():
    puzzle = from_text(
        "rule: apply\ncount: step\none-way: yes\nmoves:\n  t: (a1 b1 c1)\nstart: A B C\ngoal: B C A\n", "x.pzl"
    )
    assert puzzle.line(read_position(puzzle, "from start: (t)2")) == "B C A"
    with pytest.raises(FormatError, match="expected a move that another one takes back, found 't'"):
        read_position(puzzle, "from start: (t)'")


def test_a_note_says_that_the_cube_is_turned_back():
    code, found = run_json("solve", "cube:3", "--start", "x R x'")
    assert (code, found["moves"]) == (0, 1)
    assert [each["code"] for each in found["notes"]] == ["moves-from"]
    code, found = run_json("solve", "cube:3", "--start", "Rw")
    assert (code, found["moves"], {each["code"] for each in found["notes"]}) == (0, 1, {"moves-from", "turned-back"})
