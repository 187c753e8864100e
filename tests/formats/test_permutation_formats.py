"""Permutation puzzles as `.tws` text and KPuzzle JSON: known tables, both ways of giving turns, mistakes, damage."""

import json
from random import Random

import pytest
from test_formats import CASES

from boards import rows
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError, PuzzlespaceError
from puzzlespace.formats import boards, gnome, hrd, kpuzzle, lunar, pzl, recognised, rushhour, tws
from puzzlespace.registry import build


def ring(count, extra):
    """A ring of numbered pieces that is shifted, and a move that permutes some of them (places from 1)."""
    pieces = " ".join(map(str, range(1, count + 1)))
    shift = " ".join(map(str, [*range(2, count + 1), 1]))
    moves = f"Move L\nRING\n{shift}\nEnd\n\nMove X\nRING\n{' '.join(map(str, extra))}\nEnd\n"
    return f"# a ring\nName Ring of {count}\nSet RING {count} 1\n\nSolved\nRING\n{pieces}\nEnd\n\n{moves}"


LRX = ring(7, [2, 1, 3, 4, 5, 6, 7])
TOPSPIN = ring(8, [4, 3, 2, 1, 5, 6, 7, 8])
TABLES = {row["puzzle"].split(" ")[0]: [int(word) for word in row["counts"].split()] for row in rows("permutations")}

BURNT = """\
Name Burnt
Set P 3 2
Solved
P
1 2 3
End
MoveTransformation one
P
0 1 2
1 0 0
End
MoveTransformation two
P
1 0 2
1 1 0
End
MoveTransformation three
P
2 1 0
1 1 1
End
"""

CUBE = {
    "name": "2x2x2",
    "orbits": [{"orbitName": "CORNERS", "numPieces": 8, "numOrientations": 3}],
    "defaultPattern": {"CORNERS": {"pieces": [*range(8)], "orientation": [0] * 8}},
    "moves": {
        "U": {"CORNERS": {"permutation": [1, 2, 3, 0, 4, 5, 6, 7], "orientationDelta": [0] * 8}},
        "x": {"CORNERS": {"permutation": [4, 0, 3, 5, 7, 6, 2, 1], "orientationDelta": [2, 1, 2, 1, 1, 2, 1, 2]}},
        "y": {"CORNERS": {"permutation": [1, 2, 3, 0, 7, 4, 5, 6], "orientationDelta": [0] * 8}},
    },
    "derivedMoves": {
        "z": "[x: y]", "L": "[z: U]", "F": "[x: U]", "R": "[z': U]", "B": "[x': U]", "D": "[x2: U]", "Uv": "y",
    },
}  # fmt: skip


def read(text):
    return build(tws.parse(text, "x.tws"), "x")


def cube(**changes):
    return json.dumps(CUBE | changes)


def layers(puzzle, metric, count):
    model = puzzle.model(metric)
    layer = set(goal_positions(model))
    seen, found = set(layer), [len(layer)]
    while len(found) < count:
        layer = {child for position in layer for child in model.moves(position)} - seen
        seen |= layer
        found.append(len(layer))
    return found


def test_known_tables_of_rings_come_out():
    assert list(questions.depths(read(LRX), metric="step").counts) == TABLES["lrx:7"]
    topspin = read(TOPSPIN)
    assert list(questions.depths(topspin, metric="step").counts) == TABLES["topspin:8,4"]
    shifts = [1, 8, 14, 56, 85, 144, 212, 400, 592, 1136, 1664, 3088, 4312, 6368, 6944, 7808, 5304, 2056, 128]
    assert list(questions.depths(topspin).counts) == shifts  # twsearch, any shift counts one


def test_a_ring_is_drawn_in_the_order_it_turns_in():
    scrambled = LRX.replace("2 3 4 5 6 7 1", "3 4 5 6 7 1 2")
    assert read(LRX).line(goal_positions(read(LRX).model())[0]) == "1 2 3 4 5 6 7"
    assert read(scrambled).line(goal_positions(read(scrambled).model())[0]) == "1 3 5 7 2 4 6"


def test_the_2x2x2_cube_has_its_known_layers():
    puzzle = from_text(cube(), "cube.kpuzzle.json")
    assert layers(puzzle, "run", 4) == [1, 18, 243, 2874]
    assert layers(puzzle, "step", 2) == [1, 12]
    assert {rule.name[0] for rule in puzzle.rules} == set("ULFRBD")


def test_turns_belong_to_pieces_in_a_move_and_to_places_in_a_transformation():
    counts = list(questions.depths(read(BURNT)).counts)
    assert counts == list(questions.depths("burnt:3").counts)
    per_piece = BURNT.replace("MoveTransformation", "Move").replace("2 1 0\n", "3 2 1\n").replace("1 0 2\n", "2 1 3\n")
    assert list(questions.depths(read(per_piece.replace("0 1 2\n", "1 2 3\n"))).counts) == counts
    turned = "Set P 3 3\nSolved\nP\n1 2 3\nEnd\n{}\nP\n{}\n{}\nEnd\n"
    by_piece = tws.parse(turned.format("Move a", "2 3 1", "0 1 2"), "")
    by_place = tws.parse(turned.format("MoveTransformation a", "1 2 0", "1 2 0"), "")
    assert by_piece == by_place
    assert by_piece != tws.parse(turned.format("MoveTransformation a", "1 2 0", "0 1 2"), "")
    assert by_piece.moves[0].cells == (("1", "3", "2"),)
    assert by_piece.moves[0].swaps == ("1", "2", "2")


def test_like_pieces_and_orientations_that_do_not_show():
    like = read("Set P 4 1\nSolved\nP\n1 1 2 2\nEnd\nMove a\nP\n2 3 4 1\nEnd\n")
    assert questions.depths(like).states == 4
    blind = read("Set P 2 3\nSolved\nP\n1 2\n? 0\nEnd\nMove a\nP\n1 2\n1 1\nEnd\n")
    assert questions.depths(blind).states == 3
    halves = {"P": {"pieces": [0, 1], "orientation": [0, 0], "orientationMod": [2, 0]}}
    whole = {"orbits": [{"orbitName": "P", "numPieces": 2, "numOrientations": 4}], "defaultPattern": halves}
    turn = {"a": {"P": {"permutation": [0, 1], "orientationDelta": [1, 0]}}}
    assert questions.depths(from_text(json.dumps(whole | {"moves": turn}), "x.json")).states == 2


WHOLE = """\
Set CORNERS 2 1
Set EDGES 4 1
Solved
EDGES
1 2 3 4
End
Move A
EDGES
2 1 3 4
End
Move B
EDGES
1 2 4 3
End
Move Uv
EDGES
3 4 1 2
End
"""
"""Two moves, and a turn of the whole puzzle that leads each to the other."""


def test_several_sets_sequences_and_turns_of_the_whole():
    draft = tws.parse(WHOLE + "MoveSequence C A B\nMoveAlias D A\n", "")
    assert [move.name for move in draft.moves] == ["A", "B", "C"]
    assert draft.goals[0].rows == (("C1", "C2"), ("E1", "E2", "E3", "E4"))
    assert questions.depths(build(draft, "x")).counts == (1, 3)


def test_a_move_with_the_name_of_a_turn_of_the_whole_is_not_left_out():
    for name in ("x", "Uv"):
        with pytest.raises(FormatError, match=f"expected {name}, by its name a turn of the whole puzzle"):
            tws.parse(LRX.replace("Move X", f"Move {name}"), "")
        for turn in ("1 3 2 4", "2 1 3 4"):
            with pytest.raises(FormatError, match="by its name a turn of the whole puzzle"):
                tws.parse(WHOLE.replace("Uv", name).replace("3 4 1 2", turn), "")
    moves = {"U": CUBE["moves"]["U"], "y": CUBE["moves"]["y"]}
    with pytest.raises(FormatError, match="expected y, by its name a turn of the whole puzzle"):
        kpuzzle.parse(cube(moves=moves, derivedMoves={}), "")


SEQUENCES = "MoveSequence {}\nMoveSequence TWICE L2\nMoveAlias BACK L'\n"


@pytest.mark.parametrize(
    "words",
    ["ALL TWICE X BACK", "ALL L L X L'", "ALL L2,X,L'", "ALL BACK' L X L6", "ALL L9 X BACK", "ALL TWICE2 L2' X BACK"],
)
def test_sequences_are_made_of_moves_powers_sequences_and_names_in_any_order(words):
    draft = tws.parse(LRX + SEQUENCES.format(words), "")
    assert [move.name for move in draft.moves] == ["L", "X", "ALL", "TWICE"]
    sources = [*range(7)]
    for move in ("L", "L", "X", "L", "L", "L", "L", "L", "L"):
        sources = [sources[at] for at in ([*range(1, 7), 0] if move == "L" else [1, 0, *range(2, 7)])]
    goes = {source: place for place, source in enumerate(sources) if source != place}
    cells = [cell for row in draft.board.rows for cell in row]
    found = {}
    for cycle in draft.moves[2].cells:
        found |= {int(here) - 1: int(there) - 1 for here, there in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}
    assert sorted(cells) == [str(k) for k in range(1, 8)]
    assert found == goes


@pytest.mark.parametrize("text", [LRX, TOPSPIN, BURNT, cube()])
def test_they_are_recognised_and_can_be_written_as_puzzle_files(text):
    form = recognised(text)
    assert form.name == ("kpuzzle" if text.startswith("{") else "tws")
    written = pzl.print_draft(form.parse(text, ""))
    assert pzl.print_draft(pzl.parse(written)) == written
    assert len(from_text(written, "x.pzl").rules) == len(from_text(text, f"x{form.suffixes[0]}").rules)


MISTAKES = {
    "": "x.tws: expected a block Solved or StartState, found none",
    "Sat P 2 1": "x.tws:1:1: expected Name, Set, Solved or Move, found 'Sat'",
    "Set P": "x.tws:1:1: expected Set NAME PLACES ORIENTATIONS, found 1 words after Set",
    "Set P 0 1": "x.tws:1:7: expected a whole number from 1 to 255, found '0'",
    "Set P 2 1\nSet P 2 1": "x.tws:2:5: expected every set once, found 'P' again",
    "Set P 2 1\nSolved\nQ": "x.tws:3:1: expected the name of a set or End, found 'Q'",
    "Set P 2 1\nSolved\nP\n1 2": "x.tws:2:1: expected End after Solved, found the end of the file",
    "Set P 2 1\nSolved\nP\n1 2 3\nEnd": "x.tws:4:5: expected 2 numbers for P, found 3",
    "Set P 2 1\nSolved\nP\n0 1\nEnd": "x.tws:4:1: expected a whole number from 1 to 1000000, found '0'",
    "Set P 2 1\nSolved\nP\nEnd": "x.tws:3:1: expected one or two lines of numbers for P, found 0",
    "Set P 2 1\nSolved\nEnd": "x.tws: expected at least one move that turns a part of the puzzle, found none",
    "Set P 2 1\nSolved\nEnd\nMove\nEnd": "x.tws:4:1: expected one new name for a move, found none",
    "Set P 2 1\nSolved\nEnd\nMove a\nP\n1 1\nEnd": (
        "x.tws:6:1: expected each of the 2 places once, found another list"
    ),
    "Set P 2 1\nSolved\nEnd\nMove a\nP\n2 1\n1 0\nEnd": "x.tws:7:1: expected a whole number from 0 to 0, found '1'",
    "Set P 2 1\nSolved\nEnd\nMoveSequence b a a": "x.tws:4:16: expected the name of a move, found 'a'",
    "Set P 2 1\nIllegal P 1 2": "x.tws:2:1: expected a puzzle without Illegal, which cannot be said here, found it",
    "Set P 2 1\nSwizzleSet P Q": "x.tws:2:1: expected a puzzle without SwizzleSet, which cannot be said here, found it",
    "Set P 2 1\nSolved P\nEnd": "x.tws:2:8: expected nothing after Solved, found 'P'",
    "Set P 2 1\nSolved\nEnd\nStartState\nEnd": (
        "x.tws:4:1: expected one block Solved or StartState, found 'StartState' as well"
    ),
    "Set P 2 1\nSolved\nP\n1 2\nP\n1 1\nEnd": "x.tws:5:1: expected every set once, found 'P' again",
    "Set P 2 1\nSolved\nP 1 2\nEnd": "x.tws:3:3: expected nothing after P, found '1'",
    "Set P 2 1\nSolved\nEnd of it": "x.tws:3:5: expected nothing after End, found 'of'",
    f"{LRX}Move L\nEnd": "x.tws:19:6: expected one new name for a move, found 'L' again",
    f"{LRX}MoveSequence L X": "x.tws:19:14: expected one new name for a move, found 'L' again",
    f"{LRX}MoveAlias X L": "x.tws:19:11: expected one new name for a move, found 'X' again",
    f"{LRX}MoveAlias A L X": "x.tws:19:1: expected a name and a move after MoveAlias, found 3 words",
    f"{LRX}MoveAlias A B": "x.tws:19:13: expected the name of a move, found 'B'",
    f"{LRX}MoveSequence A B\nMoveSequence B L A2": (
        "x.tws:19:14: expected a sequence of moves, found 'A' made of itself"
    ),
    f"{LRX}MoveSequence A L1001": "x.tws:19:16: expected a whole number from 1 to 1000, found '1001'",
    f"{LRX}MoveSequence A L900\nMoveSequence B L900": (
        "x.tws:20:16: expected at most 1000 moves in all sequences, found more"
    ),
    "Set P 200 2\nSolved\nEnd": "x.tws:1:5: expected at most 255 pieces in all orientations, found more",
    "\n".join(f"Set P{k} 255 1" for k in range(5)) + "\nSolved\nEnd": (
        "x.tws:2:5: expected at most 255 pieces in all orientations, found more"
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_in_text_say_where_and_what(text):
    with pytest.raises(FormatError) as caught:
        from_text(text, "x.tws")
    assert str(caught.value).split("\n")[0] == MISTAKES[text]


OBJECTS = {
    "{": "x.json:1:2: expected JSON, found a mistake: Expecting property name enclosed in double quotes",
    "[" * 100_000: "x.json: expected JSON, found numbers too long or brackets too deep",
    "[]": "x.json:1:1: expected an object in the object, found a list",
    "{}": "x.json:1:1: expected an object in orbits, found none",
    cube(orbits=[{}]): "x.json:1:19: expected an orbitName for every orbit in orbits, found none in number 1",
    cube(moves={}, derivedMoves={}): "x.json: expected at least one move that turns a part of the puzzle, found none",
    cube(moves={"U": {"CORNERS": {"permutation": [0] * 8, "orientationDelta": [0] * 8}}}): (
        "x.json:1:233: expected each of the 8 places once, found another list"
    ),
    cube(derivedMoves={"U": "x"}): "x.json:1:554: expected a new name in derivedMoves.U, found 'U' again",
    cube(startState={}): (
        "x.json:1:659: expected name, orbits, defaultPattern, moves, derivedMoves, $schema, "
        "experimentalPuzzleDescription in the object, found 'startState'"
    ),
    cube(orbits=[CUBE["orbits"][0] | {"mod": 1}]): (
        "x.json:1:93: expected orbitName, numPieces, numOrientations in orbits, found 'mod'"
    ),
    cube(defaultPattern=CUBE["defaultPattern"] | {"EDGES": {}}): (
        "x.json:1:204: expected CORNERS in defaultPattern, found 'EDGES'"
    ),
    cube(defaultPattern={"CORNERS": CUBE["defaultPattern"]["CORNERS"] | {"orientationmod": [1] * 8}}): (
        "x.json:1:203: expected pieces, orientation, orientationMod in defaultPattern.CORNERS, found 'orientationmod'"
    ),
    cube(moves={"U": {"CORNER": {}}}): "x.json:1:221: expected CORNERS in moves.U, found 'CORNER'",
    cube(moves={"U": {"CORNERS": CUBE["moves"]["U"]["CORNERS"] | {"orientation": [1] * 8}}}): (
        "x.json:1:320: expected orientationDelta or orientation in moves.U.CORNERS.orientation, found both"
    ),
    cube().replace('"y": {"CORNERS"', '"U": {"CORNERS"'): "x.json:1:429: expected every key once, found 'U' again",
    cube().replace('"z": ', '"L": '): "x.json:1:569: expected every key once, found 'L' again",
    cube(derivedMoves={"F": "U Q"}): "x.json:1:554: expected the name of a move that is known, found 'Q'",
    cube(derivedMoves={"F": "[F: U]"}): "x.json:1:554: expected the name of a move that is known, found itself",
    cube(derivedMoves={"F": "[U"}): "x.json:1:554: expected : or , in '[U', found 'its end'",
    cube(derivedMoves={"F": "U200"}): (
        "x.json:1:554: expected a number up to 100, perhaps with a stroke in 'U200', found '200'"
    ),
}


@pytest.mark.parametrize("text", OBJECTS, ids=lambda text: text[-40:])
def test_mistakes_in_objects_say_where_and_what(text):
    with pytest.raises(FormatError) as caught:
        from_text(text, "x.json")
    assert str(caught.value).split("\n")[0] == OBJECTS[text]


def damaged(text, random):
    at, other = random.randrange(len(text)), random.randrange(len(text))
    kind = random.randrange(4)
    if kind == 0:
        return text[:at] + text[at + random.randint(1, 9) :]
    if kind == 1:
        return text[:at] + text[other : other + random.randint(1, 20)] + text[at:]
    letters = list(text)
    letters[at] = letters[other] if kind == 2 else random.choice("\t\n #*.-:;/$%+_@oxA7'[](){}\u3000\u0301é箱")
    return "".join(letters)


FORMS = {each.name: each for each in (rushhour.FORMAT, hrd.FORMAT, lunar.FORMAT, gnome.FORMAT, boards.FORMAT)}
SEEDS = [
    *((FORMS[name], text) for name, text in CASES),
    (tws.FORMAT, LRX),
    (tws.FORMAT, BURNT),
    (kpuzzle.FORMAT, cube()),
]


@pytest.mark.parametrize(("form", "text"), SEEDS, ids=lambda each: getattr(each, "name", ""))
def test_damaged_texts_raise_our_own_errors_only(form, text):
    random = Random(2026)
    read_again = 0
    for _ in range(150):
        changed = damaged(text, random)
        for _ in range(random.randrange(3)):
            changed = damaged(changed, random) if changed else text
        try:
            draft = form.parse(changed, "x")
            build(draft, "x")
        except PuzzlespaceError:
            continue
        read_again += 1
        if form.write is not None:
            assert form.parse(form.write(draft), "x") == draft
        written = pzl.print_draft(draft)
        assert pzl.print_draft(pzl.parse(written)) == written
    assert read_again < 150


LENIENT = """\
  # an indented comment
NAME Ring of 4 # with a number
set RING 4   # no orientations
solved
RING
1 2 3 4
end
Move L
RING
2 3 4 1 # a comment
MOVE X
RING
2 1 3 4
End
"""


def test_files_that_other_programs_accept():
    found = from_text(LENIENT, "x.tws")
    assert found.model().fingerprint == from_text(ring(4, [2, 1, 3, 4]), "y.tws").model().fingerprint
    assert found.title == "Ring of 4 # with a number"
    assert [(each.code, each.severity, each.line) for each in found.diagnostics] == [("missing-end", "warning", 11)]
    assert recognised(LENIENT) is tws.FORMAT


def test_a_file_that_may_be_cut_off_is_an_error():
    for lines in range(3, len(LENIENT.splitlines())):
        text = "\n".join(LENIENT.splitlines()[:lines])
        if not text.endswith(("end", "3 4 1 # a comment")) or "Move" not in text:
            with pytest.raises(FormatError):
                from_text(text, "x.tws")


@pytest.mark.parametrize("word", ["Scramble", "ScrambleState", "scramblealg"])
def test_a_scramble_says_how_to_give_a_position(word):
    with pytest.raises(FormatError, match="give the position as the start"):
        from_text(f"{LRX}{word} a\nRING\n", "x.tws")


def ring_object(moves, derived):
    """A KPuzzle ring of 5 whose moves shift it: their names with the number of places."""
    shift = {n: [(place + n) % 5 for place in range(5)] for n in range(5)}
    return json.dumps({
        "name": "ring", "orbits": [{"orbitName": "P", "numPieces": 5, "numOrientations": 1}],
        "defaultPattern": {"P": {"pieces": [0, 1, 2, 3, 4], "orientation": [0] * 5}},
        "moves": {name: {"P": {"permutation": shift[n], "orientationDelta": [0] * 5}} for name, n in moves.items()},
        "derivedMoves": derived,
    })  # fmt: skip


def test_names_may_end_in_digits():
    found = from_text(ring_object({"A1": 1, "R++": 2}, {"B2": "A1 A1 R++", "C": "B2' A12"}), "x.json")
    effects = {rule.name: rule.apply(found.goals[0].position) for rule in found.rules}
    three = from_text(ring_object({"D": 4, "E": 3}, {}), "y.json")
    others = {rule.name: rule.apply(three.goals[0].position) for rule in three.rules}
    assert (effects["B2"], effects["C"]) == (others["D"], others["E"])
    assert questions.read_position(found, "A1^3 R++") == found.goals[0].position
    assert from_text(ring_object({"U": 1, "U2": 2}, {"V": "U2 U2'"[:2]}), "x.json").rules


def test_a_name_that_is_also_another_power_is_an_error():
    with pytest.raises(FormatError, match="a move with one meaning"):
        from_text(ring_object({"U": 1, "U2": 3}, {"V": "U2"}), "x.json")
    with pytest.raises(FormatError, match="a move with one meaning"):
        from_text(f"{LRX}Move L2\nRING\n2 1 3 4 5 6 7\nEnd\nMoveSequence S L2\n", "x.tws")


def test_powers_of_names_with_digits_are_printed_and_read_again():
    found = from_text(ring_object({"A1": 1, "B": 2}, {}), "x.json")
    answer = questions.solve(questions.with_start(found, "A1^2 A1"), metric="run")
    assert len(answer.names) == 1
    start = questions.with_start(found, "A1'^2" if "A1'^2" in answer.names else "A1^2")
    assert questions.solve(start, metric="run").moves == 1
