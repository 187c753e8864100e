"""`rule: stack`, against known puzzles and against stacks as lists of lists."""

import random
import re

import pytest

from puzzlespace.api.loader import from_text
from puzzlespace.api.questions import depths, solve
from puzzlespace.api.typed_moves import position_after
from puzzlespace.errors import FormatError
from puzzlespace.formats.pzl import parse, print_draft
from puzzlespace.render.svg import solution_svg
from puzzlespace.render.text import description
from puzzlespace.render.theme import Style
from puzzlespace.rules import stack_rules
from puzzlespace.web import wire

BALLS = """\
rule: stack
put: on equal
start:
  R G B R
  G B R G
  B R G B
  . . . .
  . . . .
"""
FREECELL = """\
rule: stack
put: on next larger of another colour
put 4: on anything
put 5: on next smaller of the same colour, on empty: 1H
put 6: on next smaller of the same colour, on empty: 1S
take 5: none
take 6: none
order: 1H = 1S  2H = 2S  3H = 3S  4H = 4S
colours:
  red = 1H 2H 3H 4H
  black = 1S 2S 3S 4S
start:
  1S 3H 4S . . . . .
  2S 1H . . . . . .
  2H 4H 3S . . . . .
  . # # # # # # #
  . . . . # # # #
  . . . . # # # #
goal:
  . . . . . . . .
  . . . . . . . .
  . . . . . . . .
  . # # # # # # #
  1H 2H 3H 4H # # # #
  1S 2S 3S 4S # # # #
"""
INGLENOOK = """\
rule: stack
take: several in reverse
between: 1-4 2-4 3-4
start: 3 2 1 / 5 4 # / . . # / . . #
goal: 1 2 5 / * * # / * * # / * * #
"""


def hanoi(pegs, disks, goal, between=""):
    """The tower on the first peg, and as the goal on the peg `goal`."""
    tower, bare = " ".join(map(str, range(disks, 0, -1))), " ".join("." * disks)
    rows = [" / ".join(tower if peg == here else bare for peg in range(1, pegs + 1)) for here in (1, goal)]
    return f"rule: stack\nput: on larger\n{between}start: {rows[0]}\ngoal: {rows[1]}\n"


KNOWN = {
    "Tower of London": ("rule: stack\nstart: G B . / . . # / R # #\ngoal: B . . / G R # / . # #\n", 7, 36, 8, 1),
    "Inglenook": (INGLENOOK, 9, 2640, 15, 9),
    "linear Hanoi": (hanoi(3, 5, 3, "between: 1-2 2-3\n"), 242, 243, 242, 1),
    "cyclic Hanoi": (hanoi(3, 4, 2, "between: 1>2 2>3 3>1\n"), 43, 81, 59, 1),
    "small FreeCell": (FREECELL, 12, 526, 21, 2),
    "Hanoi": (hanoi(3, 5, 3), 31, 243, 31, 32),
    "Reve's puzzle": (hanoi(4, 6, 4), 17, 4096, 17, 6),
    "star Hanoi": (hanoi(4, 4, 3, "between: 1-2 2-3 2-4\n"), 20, 256, 20, 6),
}
"""Texts with the shortest solution, the positions from the start, their greatest depth, the positions there."""


def values(puzzle):
    """The shortest solution, the positions from the start, their greatest depth, the positions there."""
    counts = depths(puzzle, origin="start", engine="plain").counts
    return [solve(puzzle, engine="plain").moves, sum(counts), len(counts) - 1, counts[-1]]


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_puzzle_has_its_numbers(name):
    text, *numbers = KNOWN[name]
    puzzle = from_text(text, "x.pzl")
    assert values(puzzle) == numbers


def test_balls_are_sorted():
    assert values(from_text(BALLS + "goal: rows alike\n", "x.pzl")) == [12, 4266, 20, 2]


WRONG_SUIT = """\
kinds:
  hearts = 1H 2H 3H 4H
  spades = not hearts .
places:
  left = a5 b5 c5 d5
  right = a6 b6 c6 d6
forbid:
  wrong suit: some spades on left or some red on right
goal: each left shows hearts and each right shows black
"""


def test_kinds_places_and_forbidden_positions():
    drawn = FREECELL[: FREECELL.index("goal:")].replace(" of the same colour, on empty: 1H", ", on empty: hearts")
    assert values(from_text(drawn + WRONG_SUIT, "x.pzl"))[1:] != KNOWN["small FreeCell"][2:]
    drawn = FREECELL[: FREECELL.index("goal:")].replace(" of the same colour", "")
    assert values(from_text(drawn + WRONG_SUIT, "x.pzl")) == list(KNOWN["small FreeCell"][1:])
    with pytest.raises(FormatError, match="colours: expected a name that no kind has, found 'red'"):
        from_text("rule: stack\nkinds: red = A\ncolours: red = A\nstart: A .\n", "x.pzl")


# Stacks as lists of lists

RELATIONS = ("anything", "equal", "larger", "smaller", "next larger", "next smaller")
COLOUR = ("", "of another colour", "of the same colour")
TAKES = ("one", "several", "several in reverse", "equal", "none")


def may_be_put(case, row, piece, stacked):
    relation, colour, on_empty = case["put"][row]
    if not stacked:
        return on_empty is None or piece in on_empty
    below, sizes = stacked[-1], case["sizes"]
    if colour and (case["colours"][piece] == case["colours"][below]) != (colour == "of the same colour"):
        return False
    higher = sizes[below] - sizes[piece]
    return {
        "anything": True, "equal": piece == below, "larger": higher > 0, "smaller": higher < 0,
        "next larger": higher == 1, "next smaller": higher == -1,
    }[relation]  # fmt: skip


def moved(case, stacks):
    """Yield the name of each move and the stacks after it."""
    for a, b in case["pairs"]:
        origin, target, take = stacks[a], stacks[b], case["take"][a]
        most = min(len(origin), case["room"][b] - len(target))
        counts = {"none": [], "one": [1], "equal": [most]}.get(take, range(1, most + 1))
        if take == "equal":
            while len({*origin[len(origin) - counts[0] :]}) > 1:
                counts = [counts[0] - 1]
        for count in counts if most else ():
            group, now = origin[-count:], list(target)
            for piece in reversed(group) if take == "several in reverse" else group[:1]:
                now = [*now, piece] if now is not None and may_be_put(case, b, piece, now) else None
            if now is not None:
                after = list(stacks)
                after[a] = origin[:-count]
                after[b] = tuple(now) if take == "several in reverse" else target + group
                several = count > 1 and take != "equal"
                yield f"{a + 1}-{b + 1}" + f" x{count}" * several, tuple(after)


def distances(case):
    """The distance of each position from the start."""
    found = {case["start"]: 0}
    for stacks in (queue := [case["start"]]):
        for _, after in moved(case, stacks):
            if after not in found:
                found[after] = found[stacks] + 1
                queue.append(after)
    return found


def drawn_case(draw):
    """A random file, as a dictionary, and its text."""
    rows, pieces = range(draw.randint(2, 4)), draw.choice(("12", "123", "1234", "AB", "ABC", "ABCD"))
    room = [draw.randint(1, 4) for _ in rows]
    start = [tuple(draw.choices(pieces, k=draw.randint(0, size))) for size in room]
    shown = {piece for stacked in start for piece in stacked}
    if not shown or all(len(stacked) == size for stacked, size in zip(start, room, strict=True)):
        return drawn_case(draw)
    order = draw.sample(pieces, len(pieces))
    ties = [draw.choice((" ", " = ")) for _ in order[1:]]
    numbers = pieces[0] == "1" and draw.random() < 0.7
    ranks = {order[0]: 0}
    for tie, before, piece in zip(ties, order, order[1:], strict=False):
        ranks[piece] = ranks[before] + (tie == " ")
    colours = {piece: draw.choice(("red", "black")) for piece in pieces}

    def put():
        usual = ("anything", *RELATIONS[: 4 if numbers else 6])
        on_empty = draw.choice((None,) * 6 + ((), tuple(draw.sample(sorted(shown), 1))))
        return draw.choice(usual), draw.choice(("", *COLOUR)), on_empty

    def said(words):
        relation, colour, on_empty = words
        end = "" if on_empty is None else f", on empty: {' '.join(on_empty)}" if on_empty else " never on empty"
        return f"on {relation} {colour}{end}"

    every, own = put(), {row: put() for row in rows if draw.random() < 0.3}
    take, taken = draw.choice(TAKES[:4]), {row: draw.choice(TAKES) for row in rows if draw.random() < 0.3}
    pairs = [(a, b) for a in rows for b in rows if a != b]
    chosen = draw.sample(pairs, draw.randint(1, len(pairs))) if draw.random() < 0.3 else pairs
    lines = ["rule: stack", f"put: {said(every)}", f"take: {take}"]
    lines += [f"put {row + 1}: {said(words)}" for row, words in own.items()]
    lines += [f"take {row + 1}: {words}" for row, words in taken.items()]
    lines += [] if chosen == pairs else ["between: " + " ".join(f"{a + 1}>{b + 1}" for a, b in chosen)]
    lines += [] if numbers else ["order: " + "".join(f"{x}{tie}" for x, tie in zip(order, [*ties, ""], strict=True))]
    lines += ["colours:"]
    lines += [f"  {each} = {' '.join(p for p in pieces if colours[p] == each)}" for each in {*colours.values()}]
    wide = max(2, *room)
    lines += ["start:"]
    for stacked, size in zip(start, room, strict=True):
        lines.append("  " + " ".join([*stacked, *"." * (size - len(stacked)), *"#" * (wide - size)]))
    return {
        "start": tuple(start), "room": room, "pairs": chosen, "colours": colours,
        "sizes": {piece: int(piece) for piece in pieces} if numbers else ranks,
        "put": [own.get(row, every) for row in rows], "take": [taken.get(row, take) for row in rows],
        "text": "\n".join(lines) + "\n",
    }  # fmt: skip


def test_random_files_have_the_moves_and_distances_of_lists():
    draw, seen, total = random.Random(7), set(), 0
    for _ in range(250):
        case = drawn_case(draw)
        draft = parse(case["text"])
        assert parse(print_draft(draft)) == draft
        puzzle = from_text(case["text"], "x.pzl")
        model = puzzle.model()

        def lists(position, puzzle=puzzle):
            words = puzzle.view.decode(position)
            return tuple(tuple(words[c] for c in row if c is not None and words[c] != ".") for row in puzzle.board.rows)

        found = {puzzle.start: 0}
        for position in (queue := [puzzle.start]):
            for child in model.moves(position):
                if child not in found:
                    found[child] = found[position] + 1
                    queue.append(child)
        assert {lists(position): depth for position, depth in found.items()} == distances(case), case["text"]
        for position in draw.sample(queue, min(len(queue), 5)):
            named = {
                (puzzle.frames([position, child], model, [path])[1].name, lists(child))
                for child, path in model.moves(position).items()
            }
            assert named == {*moved(case, lists(position))}, case["text"]
            seen.update(name.partition(" ")[2] for name, _ in named)
        total += len(found)
    assert total > 5000
    assert seen >= {"", "x2", "x3"}


# Mistakes, each with its place

MISTAKES = [
    # a text with ⟦ before the place, and what is wrong
    (
        "put: ⟦onto equal\nstart: A .",
        "put: expected on anything, on equal, on larger, on smaller, on next larger, on next "
        "smaller, of another colour, of the same colour, never on empty or on empty: SYMBOLS, found 'onto equal'",
    ),
    (
        "put: on equal ⟦only\nstart: A .",
        "put: expected of another colour, of the same colour, never on empty or on empty: SYMBOLS, found 'only'",
    ),
    ("put: never on empty ⟦on empty: A\nstart: A .", "found 'on empty : A'"),
    ("put: on ⟦larger\nstart: A 2 .", "put: expected numbers as symbols, or order:, to compare their sizes, found 'A'"),
    ("put: on next ⟦smaller\nstart: 2 4 5 .", "to know which is next, found 2 and 4"),
    ("put: of another ⟦colour\nstart: A .", "put: expected colours:, which says the colour of each symbol, found none"),
    ("put: on empty⟦:\nstart: A .", "put: expected symbols after 'on empty:', found none"),
    ("put: on empty: A ⟦B\nstart: A .", "put: expected one of A any after 'on empty:', found 'B'"),
    ("put ⟦3: on equal\nstart: A . / . .", "put: expected the number of a row from 1 to 2, found '3'"),
    ("take: ⟦two\nstart: A .", "take: expected one, several, several in reverse, equal or none, found 'two'"),
    ("take ⟦3: one\nstart: A . / . .", "take: expected the number of a row from 1 to 2, found '3'"),
    (
        "between: 1-2 ⟦2\nstart: A . / . .",
        "between: expected two rows, as in '1-2' (both ways) or '1>2' (one way), found",
    ),
    ("between: 1-⟦3\nstart: A . / . .", "between: expected the number of a row from 1 to 2, found '3'"),
    ("between: ⟦2>2\nstart: A . / . .", "between: expected two different rows, found '2>2'"),
    ("put: on larger\norder: A B ⟦A\nstart: A B .", "order: expected each symbol of a piece once, found 'A'"),
    ("put: on larger\norder: ⟦A B\nstart: A C .", "order: expected every symbol of the pieces, found no 'C'"),
    ("colours:\n  red = A\n  black = B ⟦A\nstart: A B .", "colours: expected each symbol of a piece once, found 'A'"),
    (
        "colours:\n  red = A\n  ⟦red = B\nstart: A B .",
        "colours: expected a new name for a colour, found 'red', it again",
    ),
    ("colours:\n  ⟦A = A\nstart: A B .", "colours: expected a new name for a colour, found 'A', a symbol"),
    (
        "put: of another colour\ncolours:\n  ⟦red = A\nstart: A B .",
        "colours: expected every symbol of the pieces, found no",
    ),
    ("start: A . ⟦B .", "expected pieces at the left of the row, found 'B' over a blank"),
    ("start: A B . / . . .\ngoal: . . . / A . ⟦B", "expected pieces at the left of the row, found 'B' over a blank"),
    ("start: A B . / . . .\ngoal: * * * / . * ⟦B", "expected pieces at the left of the row, found 'B' over a blank"),
    ("start: A . ⟦# . / . . . .", "expected '#' only after the cells of row 1, found it before a cell"),
    ("start: A . . . / ⟦# # # #", "expected a cell in row 2, found none"),
    ("start: A B / A ⟦B", "expected a blank '.' for a piece to be put on, found none"),
    ("start: ⟦. . / . .", "expected a drawing with a piece, found none"),
    ("lines: ⟦a-b\nstart: A .", "lines: has no meaning for rule stack"),
    ("links:\n  ⟦a: b\nstart: A .", "links: has no meaning for rule stack"),
    ("fixed: ⟦A\nstart: A .", "fixed: has no meaning for rule stack"),
]


@pytest.mark.parametrize(("text", "problem"), MISTAKES)
def test_a_mistake_is_told_at_its_place(text, problem):
    marked = f"rule: stack\n{text}\n"
    before = marked[: marked.index("⟦")]
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        from_text(marked.replace("⟦", ""), "x.pzl")
    assert (caught.value.line, caught.value.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


@pytest.mark.parametrize("key", ["put: on equal", "take: one", "between: 1-2", "order: A", "colours: red = A"])
def test_other_rule_kinds_refuse_the_keys(key):
    with pytest.raises(FormatError, match=rf"^x\.pzl:2:\d+: {key.split(':')[0]}: has no meaning for rule slide"):
        from_text(f"rule: slide\n{key}\nstart: A .\n", "x.pzl")


def test_too_many_rules_are_an_error(monkeypatch):
    monkeypatch.setattr(stack_rules, "MOST_RULES", 700)
    with pytest.raises(FormatError, match=r"^x\.pzl:1:7: rule: expected at most 700 rules for all moves, found more"):
        from_text(BALLS, "x.pzl")


def test_like_conditions_share_rules():
    count = {put: len(from_text(BALLS.replace("on equal", put), "x.pzl").rules) for put in ("on anything", "on equal")}
    assert count == {"on anything": 20 * 16, "on equal": 20 * (12 * 3 + 4)}


def test_a_goal_with_open_cells():
    puzzle = from_text("rule: stack\nstart: A B . / . . .\ngoal: * * * / * A .\n", "x.pzl")
    assert solve(puzzle).names == ("1-2", "1-2")
    assert puzzle.pattern("* * * / * A .") == puzzle.goals[0]
    assert solve(from_text("rule: stack\nstart: A B . / . . .\ngoal: start\n", "x.pzl")).moves == 0


def test_positions_are_typed_drawn_and_told():
    puzzle = from_text(INGLENOOK, "x.pzl")
    assert str(position_after(puzzle, "1-4 x2, 4-3")) == "3 . . / 5 4 # / 2 . # / 1 . #"
    frames = solve(puzzle).frames
    assert frames[1].name
    assert "<svg" in solution_svg(puzzle, frames, "Sidings", Style(arrows="both"))
    moves = wire.at(puzzle, puzzle.model(), puzzle.start)["moves"]
    assert {move["name"] for move in moves} >= {"1-4", "1-4 x2"}
    with pytest.raises(FormatError, match="found '1' over a blank"):
        puzzle.read("3 2 . / 5 4 # / . 1 # / . . #")


def test_the_rule_in_words():
    told = description(from_text(FREECELL, "x.pzl"))
    assert "A piece goes on the next larger piece of another colour, or on an empty row." in told
    assert "On row 5 a piece goes on the next smaller piece of the same colour, or on an empty row if it is one" in told
    assert "One move takes no piece from row 5." in told
    assert "From small to large: 1H = 1S 2H = 2S 3H = 3S 4H = 4S." in told
    assert "black: 1S 2S 3S 4S." in told
    told = description(from_text(INGLENOOK, "x.pzl"))
    assert "A piece goes on any piece, or on an empty row." in told
    assert "One move takes any number of pieces from the top, one after the other, so their order is reversed." in told
    assert "Moves between rows ('1-2' both ways, '1>2' one way): 1-4, 2-4, 3-4." in told
