"""Puzzles of which only some moves may be made: drawn puzzles against a filter of moves by their names."""

import warnings
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from commands import run, run_json
from fuzz import generators
from fuzz.engines import compared
from puzzlespace import Custom, PuzzleWarning, depths, distance, load, open_table, saving, solve, targets, with_moves
from puzzlespace.api.loader import from_text
from puzzlespace.api.questions import with_start
from puzzlespace.errors import FormatError, InputError, PuzzlespaceError, TableError, UnsupportedError
from puzzlespace.limits.watch import Limits

DRAWN = {
    "draw": generators.draw, "glide": generators.draw_glide, "push": generators.draw_push,
    "crates": generators.draw_crates,
}  # fmt: skip
MOST = 4000
"""The most positions of a drawn puzzle."""


class Filtered:
    """The moves of a puzzle without those that are avoided, or with those alone that may be made.

    It makes the moves of a metric from the rules one by one, asks for the name of each rule at each position, and
    compares powers of listed moves by what they do with drawn positions.
    """

    def __init__(self, puzzle, metric, only, avoid):
        self.puzzle, self.model, self.only, self.avoid = puzzle, puzzle.model(metric), set(only), set(avoid)
        random = Random(1)
        cells, symbols = puzzle.board.cells, puzzle.symbols
        self.samples = [bytes(random.choices(range(symbols), k=cells)) for _ in range(60)]
        self.powers = metric == "run" and puzzle.listed
        self.effects = {name: self.effect(name) for name in (*only, *avoid)} if puzzle.listed else {}
        if self.powers:
            self.families = {self.power([rule] * k) for rule in self.model.rules for k in range(1, 40)
                             if rule.name in only and not rule.name.endswith("'")}  # fmt: skip

    def effect(self, name):
        times = 1
        if name[-1].isdigit() and name not in {rule.name for rule in self.model.rules}:
            name, times = name[:-1].removesuffix("^"), int(name[-1])
        return self.power([next(rule for rule in self.model.rules if rule.name == name)] * times)

    def power(self, rules):
        ends = list(self.samples)
        for rule in rules:
            ends = [rule.apply(each) for each in ends]
        return tuple(ends)

    def may_name(self, before, number):
        """Whether a step at a position is allowed by its name."""
        rule = self.model.rules[number]
        if self.model.metric.exhausts:
            names = {rule.motion.direction}
        elif rule.motion is None:
            names = {rule.name, rule.name.removesuffix("'")} if self.only else {rule.name}
            return (not self.only or not names.isdisjoint(self.only)) and rule.name not in self.avoid
        else:
            cells, way = self.puzzle.naming([rule])
            way = way.partition(" by ")[0]
            words = self.puzzle.view.decode(before)
            cell = self.puzzle.board.names[rule.motion.origin]
            names = (
                {f"{words[rule.motion.origin]} {way}", f"{words[rule.motion.origin]} {cell} {way}"} if cells else {way}
            )
        return (not self.only or not names.isdisjoint(self.only)) and names.isdisjoint(self.avoid)

    def may_power(self, rule, times):
        effect = self.power([rule] * times)
        own = {self.effects[name] for name in self.only if name.endswith("'") or name[-1].isdigit()}
        return (not self.only or effect in own | self.families) and effect not in {self.effects[n] for n in self.avoid}

    def moves(self, position):
        metric, rules = self.model.metric, self.model.rules
        found = set()
        if metric.exhausts:
            for group in dict.fromkeys(self.model.followers):
                now, before = position, None
                while self.may_name(now, group[0]) and now != before:
                    before = now
                    for number in group:
                        now = rules[number].apply(now) or now
                found.add(now)
            return found - {position}
        for here in self.model.walks(position):
            for number, rule in enumerate(rules):
                if number in metric.free:
                    continue
                if self.powers:
                    found.update(self.ends_of_powers(here, rule, len(metric.after) > 0 and metric.after[number] != ()))
                else:
                    found.update(self.chains(here, number, set()))
        return {self.model.settled(each) for each in found} - {self.model.settled(position)}

    def ends_of_powers(self, here, rule, several):
        now = here
        for times in range(1, 40 if several else 2):
            now = rule.apply(now)
            if self.may_power(rule, times):
                yield now

    def chains(self, here, number, seen):
        after = self.model.rules[number].apply(here)
        if after is None or after == here or (after, number) in seen or not self.may_name(here, number):
            return
        seen.add((after, number))
        yield after
        for follower in self.model.followers[number]:
            yield from self.chains(after, follower, seen)

    def counts(self, start):
        layer, seen, counts = {self.model.settled(start)}, {self.model.settled(start)}, []
        while layer:
            counts.append(len(layer))
            layer = {child for each in layer for child in self.moves(each)} - seen
            seen |= layer
            if len(seen) > MOST:
                return None
        return tuple(counts)


def names_of(puzzle, random):
    """Names of some moves: of those on solutions, of powers, and of all rules."""
    found = list({each for metric in puzzle.metrics for each in solved_names(puzzle, metric)})
    if puzzle.listed:
        found += [rule.name for rule in puzzle.rules]
        found += [f"{rule.name}{'^' if rule.name[-1].isdigit() else ''}2" for rule in puzzle.rules
                  if not rule.name.endswith("'")]  # fmt: skip
    return random.sample(sorted(found), min(len(found), random.choice((1, 1, 2, 3, 5))))


def solved_names(puzzle, metric):
    try:
        return solve(puzzle, metric=metric, limits=Limits(positions=MOST)).names
    except PuzzlespaceError:
        return ()


def chosen(puzzle, metric, random):
    """A drawn choice of moves with the restricted puzzle; None if the words are not single moves in the metric."""
    names = names_of(puzzle, random)
    kind = random.choice(("only", "avoid"))
    try:
        found = with_moves(puzzle, **{kind: names})
        found = replace(found, metrics=(metric,))
        found.model(metric)
    except InputError:
        return None
    return found, kind, names


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 2000), marks=pytest.mark.long)])
def test_drawn_puzzles_are_those_with_a_filter_of_names_for_every_engine(kind, seeds):
    answers, compared_with = Counter(), Counter()
    for seed in seeds:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PuzzleWarning)
            puzzle = generators.accepted(DRAWN[kind](seed))
        if puzzle is None or puzzle.board.cells > 30 or puzzle.laws or puzzle.automatic:
            continue
        position = puzzle.start or puzzle.goals[0].position
        if position is None:
            continue
        puzzle, random = with_start(puzzle, position), Random(seed)
        for metric in puzzle.metrics:
            if puzzle.metrics[0] == "tilt" != metric:
                continue
            made = chosen(puzzle, metric, random)
            if made is None:
                continue
            found, way, names = made
            counts = Filtered(puzzle, metric, *((names, ()) if way == "only" else ((), names))).counts(position)
            if counts is None:
                continue
            table = depths(found, origin="start", metric=metric, engine="plain")
            if not found.model(metric).metric.costs:
                assert table.counts == counts, (kind, seed, metric, way, names)
            more, wrong = compared(found, random, f"{kind} {seed} {way} {names}")
            assert wrong == []
            answers += more
            compared_with[metric] += 1
    assert {"frontier"} <= {*answers}
    assert sum(compared_with.values()) > len(seeds) / 8, compared_with


def test_powers_are_chosen_one_by_one_and_families_as_a_whole():
    whole = with_moves("cube:2", only="U,R")
    assert [rule.name for rule in whole.model().rules] == ["U", "R", "U'", "R'"]
    assert depths(with_moves("cube:3", only="U2 R2")).counts == (1, 2, 2, 2, 2, 2, 1)
    no_half = with_moves("cube:2", avoid=["U2", "R2, F2"])
    assert sorted(rule.name for rule in no_half.model().rules) == ["F", "F'", "R", "R'", "U", "U'"]
    assert depths(no_half).counts == depths("cube:2", metric="step").counts
    assert solve(with_moves("cube:2", avoid="R"), start="R'").names == ("R'", "R2")
    assert depths(with_moves("cube:2", only="R"), metric="step").counts == (1, 2, 1)
    assert depths(with_moves("cube:2", only="R'"), metric="step", origin="goal").states == 4
    assert with_moves(with_moves("cube:2", only="R"), avoid=()).allowed == load("cube:2").allowed


def test_the_subgroup_of_two_faces_of_the_cube_has_its_known_order():
    assert depths(with_moves("cube:2", only="U R"), metric="step", limits=Limits(positions=10**6)).states == 29_160


def test_moves_that_cannot_be_taken_back_are_counted_from_the_start():
    puzzle = with_moves("eight", avoid="5 down")
    assert not puzzle.model().reversible
    table = depths(puzzle)
    assert (table.origin, table.counts[:6]) == ("start", (1, 2, 2, 4, 8, 16))
    assert "5 down" not in solve(puzzle).names


def test_the_answer_says_which_moves_were_made():
    code, out, _ = run("solve", "cube:2", "--start", "R'", "--avoid", "R")
    assert (code, out.splitlines()[:2]) == (
        0, ["cube:2: 2 moves (count: run), proved shortest", "without the moves R"]
    )  # fmt: skip
    code, found = run_json("depths", "cube:2", "--moves", "U2,R2", "--moves", "F2")
    assert (code, found["counts"]) == (0, [1, 3, 6, 9, 5])
    assert [(each["code"], each["text"]) for each in found["notes"]] == [("some-moves", "only the moves U2, R2, F2")]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("solve", "eight", "--avoid", "8 right, 5 dwn"), "avoid:1:10: expected a move, found '5 dwn'"),
        (("depths", "cube:2", "--moves", "Q"), "moves:1:1: expected a move, found 'Q'"),
        (("depths", "cube:2", "--moves", "U,R2", "--metric", "step"), "--moves: R2 is not the name of one move in the"),
        (("depths", "cube:2", "--moves", "U", "--avoid", "U,U2,U'"), "--avoid: expected some moves to be left"),
        (("depths", "cube:3", "--moves", "U Rw"), "moves:1:3: expected one of its own moves, found 'Rw'"),
        (("solve", "flip3", "--moves", ","), "--moves: expected the name of a move, found ','"),
        (("solve", "no-off-a", "--avoid", "A c2-c3"), "avoid:1:1: expected a move, found 'A c2-c3'"),
    ],
)  # fmt: skip
def test_words_that_are_no_moves_are_errors_with_the_nearest_names(words, problem):
    code, out, err = run(*words)
    assert (code, out) == (30, "")
    assert problem in err


def test_moves_of_like_pieces_cannot_be_chosen():
    puzzle = from_text("rule: slide\ncount: step\nstart: A B . .\ngoal: . . * *\n", "x.pzl")
    assert puzzle.view.letters[1:] == (("A", "B"),)
    with pytest.raises(InputError, match="A right is a move of one of several like pieces"):
        solve(with_moves(puzzle, avoid="A right"))


def test_moves_of_functions_and_words_of_other_kinds_are_refused():
    with pytest.raises(UnsupportedError, match="Python functions, which have no names"):
        with_moves(Custom(lambda number: [number + 1], start=0, goal=3), avoid="x")
    with pytest.raises(InputError, match="avoid: expected a list of texts, found 3"):
        with_moves("eight", avoid=3)
    with pytest.raises(FormatError, match="did you mean 'row1'"):
        with_moves("flip3", only="rov1")
    with pytest.raises(UnsupportedError, match="workers cannot build this puzzle"):
        depths(with_moves("eight", avoid="5 down"), cluster="threads:1", save="never-made")


BOXES = (
    "rule: push\nstart:\n  . . . .\n  . . . .\n  @ $ . .\n  . . . .\n  . . . .\n"
    "goal:\n  * * * *\n  * * * *\n  * * * $\n  * * * *\n  * * * *\n"
)


def test_solutions_in_letters_are_those_of_the_rules_that_are_left(tmp_path):
    file = tmp_path / "boxes.pzl"
    file.write_text(BOXES)
    letters = {
        avoid: run_json("solve", str(file), "--metric", "push", "--notation", "lurd", *avoid.split())[1]["lurd"]
        for avoid in ("", "--avoid b3-c3")
    }
    assert letters[""] == "RR"
    assert letters["--avoid b3-c3"].count("R") == 2
    assert {*letters["--avoid b3-c3"]} & {"U", "D"}
    (tmp_path / "letters.txt").write_text(letters["--avoid b3-c3"])
    assert run("check", str(file), "--solution", str(tmp_path / "letters.txt"))[0] == 0


def test_steps_of_a_player_that_cost_nothing_cannot_be_chosen():
    puzzle = from_text(BOXES, "x.pzl")
    assert solve(with_moves(puzzle, avoid="a3-a2, a3-a4"), metric="move").names == ("b3-c3", "c3-d3")
    with pytest.raises(InputError, match="a1-b1 is not the name of one move in the metric push"):
        solve(with_moves(puzzle, avoid="a1-b1"), metric="push")


def test_saved_tables_of_some_moves_and_of_all_are_told_apart(tmp_path):
    puzzle, folder = with_moves("slide:3x2", avoid="5 up"), str(tmp_path / "some")
    counts = depths(puzzle, engine=saving(puzzle, folder)).counts
    assert counts != depths("slide:3x2").counts
    assert open_table(puzzle, folder).counts == counts
    with pytest.raises(TableError, match="of another puzzle"):
        open_table("slide:3x2", folder)
    assert run("table", "verify", folder, "--full")[0] == 0
    code, found = run_json("table", "info", folder)
    assert (code, found["counts"]) == (0, [*counts])
    words = ("distance", "slide:3x2", "1 2 3 / 4 . 5", "--table", folder)
    assert run(*words)[0] == 30


def test_cached_tables_of_some_moves_and_of_all_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLESPACE_CACHE", str(tmp_path))
    lengths = []
    for puzzle in (load("cube:2"), with_moves("cube:2", avoid="R")):
        for use in ("make", "use"):
            lengths.append(distance(puzzle, "R'", cache=use, metric="run").distance)
    assert lengths == [1, 1, 2, 2]


def test_targets_of_pieces_obey_the_choice():
    free = next(iter(targets("eight", pieces="5")))
    held = next(iter(targets(with_moves("eight", avoid="5 down"), pieces="5")))
    below = [cell for cell, name in zip(held.cells, load("eight").board.names, strict=True) if name.endswith("3")]
    assert any(move is not None for move in free.moves)
    assert [held.moves[cell] for cell in below if free.moves[cell]] != [free.moves[c] for c in below if free.moves[c]]
