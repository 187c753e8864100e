"""Cubes written as facelets: compared with a model of stickers in space; what cannot be solved is named."""

import csv
import json
import random
from itertools import pairwise

import pytest

from commands import run
from places import DATA
from puzzlespace import load, read_position, solve, with_start
from puzzlespace.api import batch_rows, questions
from puzzlespace.errors import FormatError, InputError
from puzzlespace.families.facelets import OTHER_ORDERS
from puzzlespace.puzzle.diagnostics import listening

ORDER = "URFDLB"
LOOKS = {"U": (0, 1, 0), "R": (1, 0, 0), "F": (0, 0, 1), "D": (0, -1, 0), "L": (-1, 0, 0), "B": (0, 0, -1)}
SOLVED = "".join(face * 9 for face in ORDER)


def places(size):
    """(place, outward direction) of each facelet in the usual order."""
    found = []
    for face in ORDER:
        for row in range(size):
            for column in range(size):
                x, y = 2 * column - size + 1, size - 1 - 2 * row
                at = {
                    "U": (x, size, -y), "D": (x, -size, y), "F": (x, y, size), "B": (-x, y, -size), "R": (size, y, -x),
                    "L": (-size, y, x),
                }  # fmt: skip
                found.append((at[face], LOOKS[face]))
    return found


def quarter(vector, axis):
    """A vector after a quarter turn, clockwise if one looks at the face from outside."""
    along = sum(a * b for a, b in zip(vector, axis, strict=True))
    (a, b, c), (d, e, f) = vector, axis
    crossed = (b * f - c * e, c * d - a * f, a * e - b * d)
    return tuple(along * axis[k] + crossed[k] for k in range(3))


def turned(facelets, moves, size=3):
    """The facelets after moves such as `R U2 F'`."""
    where = places(size)
    number = {place: at for at, place in enumerate(where)}
    for move in moves.split():
        axis = LOOKS[move[0]]
        for _ in range({"": 1, "2": 2, "'": 3}[move[1:]]):
            after = list(facelets)
            for at, (place, out) in enumerate(where):
                if sum(a * b for a, b in zip(place, axis, strict=True)) >= size - 1:
                    after[number[quarter(place, axis), quarter(out, axis)]] = facelets[at]
            facelets = "".join(after)
    return facelets


def moves_of(draw, length, faces=ORDER):
    return " ".join(draw.choice(faces) + draw.choice(["", "2", "'"]) for _ in range(length))


def net(facelets, size=3, padding=" "):
    """The rows of the net."""
    face = {name: facelets[at * size**2 : (at + 1) * size**2] for at, name in enumerate(ORDER)}
    rows = []
    for faces in (" U  ", "LFRB", " D  "):
        for row in range(size):
            part = slice(row * size, (row + 1) * size)
            rows.append("".join(padding * size if name == " " else face[name][part] for name in faces))
    return "\n".join(row.rstrip() for row in rows)


def grouped(facelets, size):
    return " ".join(facelets[at : at + size] for at in range(0, len(facelets), size))


def spaced(text):
    return "\n".join(" ".join(line) for line in text.split("\n"))


@pytest.mark.parametrize("seed", [*range(16), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(16, 200))])
def test_facelets_in_any_colours_and_nets_are_the_position_after_the_moves(seed):
    draw = random.Random(seed)
    cube = load("cube:3")
    moves = moves_of(draw, draw.randint(1, 30))
    wanted = read_position(cube, f"from goal: {moves}")
    facelets = turned(SOLVED, moves)
    colours = str.maketrans(ORDER, "".join(draw.sample("wyrogbWYOGUDLFRB123456", 6)))
    for shown in (facelets, facelets.translate(colours)):
        drawn = net(shown)
        texts = [
            shown, grouped(shown, 9), grouped(shown, 3), grouped(shown, 9).replace(" ", "\n"), drawn, spaced(drawn),
            net(shown, padding="#"), net(shown, padding="."), net(shown, padding="#").replace("\n", " / "),
            "\n".join(line.strip() for line in drawn.split("\n")),
        ]  # fmt: skip
        for text in texts:
            assert read_position(cube, text) == wanted, text
            assert cube.fault(read_position(cube, text)) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_small_cube_is_read_by_its_corners(seed):
    draw = random.Random(seed)
    cube = load("cube:2")
    solved = "".join(face * 4 for face in ORDER)
    moves = moves_of(draw, draw.randint(1, 14), "URF")
    facelets = turned(solved, moves, 2)
    colours = str.maketrans(ORDER, "".join(draw.sample("wyrogb123456", 6)))
    for shown in (facelets, facelets.translate(colours)):
        for text in (shown, grouped(shown, 4), net(shown, 2), net(shown, 2, "#").replace("\n", "/")):
            assert read_position(cube, text) == read_position(cube, f"from goal: {moves}"), text


@pytest.mark.parametrize("seed", range(4))
def test_a_small_cube_held_in_another_way_is_solved(seed):
    draw = random.Random(seed)
    facelets = turned("".join(face * 4 for face in ORDER), moves_of(draw, 3, "DBL"), 2)
    answer = solve(with_start(load("cube:2"), facelets))
    after = turned(facelets, " ".join(name.removesuffix("3") + "'" * name.endswith("3") for name in answer.names), 2)
    assert answer.moves <= 3
    assert all(len({*after[at : at + 4]}) == 1 for at in range(0, 24, 4))


def rows():
    with (DATA / "facelets.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["moves_from_solved"] or "solved")
def test_the_facelets_of_the_list_are_as_far_away_as_it_says(row):
    start = with_start(load("cube:3"), row["facelets"])
    assert start.fault(start.start) is None
    if row["moves_from_solved"] != "superflip":  # 20 moves take long
        assert solve(start).moves == int(row["half_turn_length"])
        assert turned(SOLVED, row["moves_from_solved"]) == row["facelets"]


def moved(facelets, *names):
    """The facelets with the colour of each of some stickers at the next one."""
    at = [ORDER.index(name[0]) * 9 + int(name[1]) - 1 for name in names]
    after = list(facelets)
    for here, there in pairwise([*at, at[0]]):
        after[there] = facelets[here]
    return "".join(after)


IMPOSSIBLE = {
    "a twisted corner": (("U9", "R1", "F3"),),
    "a flipped edge": (("U8", "F2"),),
    "two pieces exchanged": (("F2", "R2"),),
    "in the order of a mirror image": (("U9", "R1"),),
    "a piece that occurs twice": (("F2", "R8"),),
    "colours that no piece has together": (("U8", "B6"),),
    "centres never move, but U5, F5 are exchanged": (("U5", "F5"),),
    "a twisted corner (the twists of all corners do not add up to whole turns), a flipped edge": (
        ("U9", "R1", "F3"),
        ("U8", "F2"),
    ),
}


@pytest.mark.parametrize("reason", IMPOSSIBLE)
def test_a_cube_that_must_be_taken_apart_is_impossible_and_says_why(reason):
    facelets = SOLVED
    for names in IMPOSSIBLE[reason]:
        facelets = moved(facelets, *names)
    answer = solve(with_start(load("cube:3"), facelets))
    assert answer.status.value == "impossible"
    assert reason in answer.reason.text
    after = solve(with_start(load("cube:3"), turned(facelets, "R U F2 D' L"))).reason
    assert after.kind == answer.reason.kind
    assert after.kind == "pieces" or after.text == answer.reason.text


@pytest.mark.parametrize("seed", range(10))
def test_two_stickers_exchanged_are_never_read_as_another_cube(seed):
    draw = random.Random(seed)
    cube = load("cube:3")
    facelets = turned(SOLVED, moves_of(draw, 25))
    for _ in range(20):
        here, there = draw.sample(range(54), 2)
        if facelets[here] == facelets[there]:
            continue
        after = list(facelets)
        after[here], after[there] = facelets[there], facelets[here]
        if len({after[at] for at in range(4, 54, 9)}) < 6:
            with pytest.raises(FormatError, match="two centres of one colour"):
                read_position(cube, "".join(after))
        else:
            assert cube.fault(read_position(cube, "".join(after))) is not None


@pytest.mark.parametrize(
    "text", [SOLVED, grouped(SOLVED, 9), grouped(SOLVED, 1), net(SOLVED), net(SOLVED, padding=".")]
)
def test_a_wrong_sticker_has_its_place(text):
    at = text.rindex("B")
    with pytest.raises(FormatError, match="nine stickers of each colour") as caught:
        read_position(load("cube:3"), f"{text[:at]}U{text[at + 1 :]}")
    assert caught.value.row
    assert caught.value.row[caught.value.column - 1] == "U"


MISTAKES = {
    SOLVED[1:]: "position:1:1: expected 54 stickers of a cube, found 53",
    SOLVED[:-1] + "?": "position:1:54: expected a letter or a digit for each colour, found '?'",
    net(SOLVED, padding="#").replace("###UUU###", "UUU###"): (
        "position:1:1: expected the faces U and D above and below F, behind 3 places"
    ),
    net(SOLVED).replace("   UUU", " UUU"): "position:1:2: expected the faces U and D above and below F, in column 4",
    moved(SOLVED, "U5", "F1").lower(): (
        "position:1:23: expected each colour once, found two centres of one colour, 'f'"
    ),
}


@pytest.mark.parametrize("text", MISTAKES, ids=MISTAKES.get)
def test_mistakes_say_where_and_what(text):
    with pytest.raises(FormatError) as caught:
        read_position(load("cube:3"), text)
    assert str(caught.value).split("\n")[0] == MISTAKES[text]


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("count", [100, pytest.param(2000, marks=pytest.mark.long)])
def test_stickers_in_any_places_are_read_back_or_refused(size, count):
    draw = random.Random(size)
    cube = load(f"cube:{size}")
    solved = "".join(face * size**2 for face in ORDER)
    read = 0
    for _ in range(count):
        facelets = list(turned(solved, moves_of(draw, draw.randint(0, 9)), size))
        places = draw.sample(range(len(facelets)), draw.choice([2, 4, len(facelets)]))
        for here, there in zip(places[::2], places[1::2], strict=True):
            facelets[here], facelets[there] = facelets[there], facelets[here]
        try:
            position = read_position(cube, "".join(facelets))
        except FormatError as error:
            place = error.line, bool(error.row)
            assert place == (1, True)
            continue
        read += 1
        assert read_position(cube, cube.line(position)) == position == read_position(cube, cube.id(position))
    assert read > count // 6


def test_a_short_id_as_long_as_facelets_is_an_id():
    with pytest.raises(InputError, match="expected the id of one of this puzzle's positions"):
        read_position(load("cube:3"), "~" + "z" * 53)


def test_moves_are_not_taken_for_facelets():
    cube = load("cube:3")
    for moves in ("R", "R2 U2 F2 " * 9, "R2 U2 " * 13 + "F2", "R U R' U'"):
        assert read_position(cube, moves) == read_position(cube, f"from goal: {moves}")
    with pytest.raises(FormatError, match="if these are moves, write the first one as R1"):
        read_position(cube, "R U " * 27)
    assert read_position(cube, "R1 U " + "R U " * 26) == read_position(cube, "from goal: " + "R U " * 27)
    small = load("cube:2")
    assert read_position(small, "R2 U2 " * 6) == read_position(small, "from goal: " + "R2 U2 " * 6)


def test_facelets_that_are_two_cubes_are_an_error_that_names_both():
    facelets = "LFLDRRUUFBDBFLDRUDLRUFBB"
    small = load("cube:2")
    with pytest.raises(FormatError, match="two cubes: facelets in the order U R F D L B, and the rows of a net"):
        read_position(small, facelets)
    rows = "/".join(facelets[at:end] for at, end in pairwise([0, 2, 4, 12, 20, 22, 24]))
    faces, drawn = read_position(small, grouped(facelets, 4)), read_position(small, rows)
    assert faces != drawn
    assert small.fault(faces) is small.fault(drawn) is None


def test_the_goal_may_be_a_cube_that_was_taken_apart():
    cube = load("cube:3")
    apart = moved(SOLVED, "U9", "R1", "F3")
    twisted = questions.with_goal(cube, apart)
    assert "of the goal: a twisted corner" in solve(with_start(twisted, SOLVED)).reason.text
    assert solve(with_start(twisted, turned(apart, "R"))).moves == 1


def test_the_command_line_says_how_a_position_was_read(tmp_path):
    facelets = turned(SOLVED, "R")
    said = "read as facelets in the order U R F D L B"
    code, out, err = run("solve", "cube:3", "--start", facelets)
    assert (code, out.split("\n")[:2]) == (0, ["cube:3: 1 move (count: run), proved shortest", said])
    assert err.count(f"note: position: {said}") == 1
    apart = moved(SOLVED, "U8", "F2")
    code, out, _ = run("distance", "cube:3", apart, "--json")
    assert (code, json.loads(out)["notes"][0]["text"]) == (10, said)
    file = tmp_path / "cubes.txt"
    file.write_text(f"{facelets}\n{apart} ; flipped\n{net(facelets, padding='#').replace(chr(10), '/')}\nR U\n")
    code, out, err = run("solve", "cube:3", "--batch", str(file))
    assert [line.split(",")[1:3] for line in out.split("\n")[1:-1]] == [
        ["optimal", "1"], ["impossible", ""], ["optimal", "1"], ["optimal", "2"],
    ]  # fmt: skip
    assert code == 10
    assert err.count(said) == 1
    assert run("solve", "cube:3", "--start", SOLVED[1:])[0] == 30


def test_the_puzzle_keeps_how_its_start_was_read():
    cube = with_start(load("cube:3"), turned(SOLVED, "R").lower())
    (note,) = cube.diagnostics
    assert (note.code, note.severity) == ("facelets", "note")
    assert "colours named by the centres: u is U, r is R, f is F, d is D, l is L, b is B" in note.text
    assert with_start(cube, "R").diagnostics == ()


def faces_of(facelets, size):
    return [facelets[at : at + size**2] for at in range(0, len(facelets), size**2)]


def listed(facelets, size):
    """The facelets with commas and as lists, in the ways that programs print them."""
    faces = faces_of(facelets, size)
    rows = [[list(face[at : at + size]) for at in range(0, len(face), size)] for face in faces]
    yield from (",".join(facelets), ", ".join(facelets), ",".join(faces), ", ".join(faces))
    yield from (f"[{', '.join(facelets)}]", str(list(facelets)), str(faces), json.dumps(faces))
    yield from (str([list(face) for face in faces]), str(rows), str(rows).replace("'", "").replace(" ", ""))
    yield "[" + ",\n ".join(f"[{','.join(face)}]" for face in faces) + "]"


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_facelets_with_commas_or_as_lists_are_the_same_cube(size, seed):
    draw = random.Random(seed)
    cube = load(f"cube:{size}")
    facelets = turned("".join(face * size**2 for face in ORDER), moves_of(draw, 20, "URF"), size)
    for shown in (facelets, facelets.translate(str.maketrans(ORDER, "".join(draw.sample("123456", 6))))):
        for text in listed(shown, size):
            found = []
            with listening(found.extend):
                assert read_position(cube, text) == read_position(cube, facelets), text
            assert [each.code for each in found] == ["facelets", "facelets"], text
    rows = [text for text in listed(facelets, size) if "\n" not in text]
    for row in batch_rows.rows(cube, rows):
        assert row.puzzle.start == read_position(cube, facelets), row


@pytest.mark.parametrize("seed", range(12))
def test_faces_in_another_order_are_the_same_cube_or_refused(seed):
    draw = random.Random(seed)
    cube = load("cube:3")
    facelets = turned(SOLVED, moves_of(draw, draw.randint(4, 25)))
    order = draw.choice(["ULFRBD", "".join(draw.sample(ORDER, 6))])
    placed = dict(zip(ORDER, faces_of(facelets, 3), strict=True))
    other = "".join(placed[face] for face in order)
    for text in (other, grouped(other, 9), other.lower(), ",".join(other)):
        assert read_position(cube, text) == read_position(cube, facelets), text
    if order != ORDER:
        said = f"cannot be solved so; as facelets in the order {' '.join(order)} it can"
        with pytest.raises(FormatError, match=said):
            read_position(cube, other.translate(str.maketrans(ORDER, "WRGYOB")))


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("order", OTHER_ORDERS)
def test_common_orders_of_faces_are_never_an_impossible_cube(size, order):
    draw = random.Random(order)
    cube = load(f"cube:{size}")
    facelets = turned("".join(face * size**2 for face in ORDER), moves_of(draw, 20, "URF"), size)
    placed = dict(zip(ORDER, faces_of(facelets, size), strict=True))
    text = "".join(placed[face] for face in order).translate(str.maketrans(ORDER, "123456"))
    with pytest.raises(FormatError, match="cannot be solved so; as facelets in the order") as caught:
        read_position(cube, text)
    assert caught.value.hint.startswith("give the faces in the order U R F D L B")


def test_a_net_whose_upper_face_is_at_the_first_side_face_is_refused():
    shown = turned(SOLVED, "R U2 F' L D B2 R'")
    face = dict(zip(ORDER, faces_of(shown, 3), strict=True))
    rows = [face["U"][at : at + 3] for at in (0, 3, 6)]
    rows += ["".join(face[name][at : at + 3] for name in "FRBL") for at in (0, 3, 6)]
    rows += [face["D"][at : at + 3] for at in (0, 3, 6)]
    with pytest.raises(FormatError, match="as the rows of a net with U and D at the first side face it can"):
        read_position(load("cube:3"), "\n".join(rows))
