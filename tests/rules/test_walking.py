"""A player who walks: every position has one, no goal shows one, and boards after moves have as many as before."""

from random import Random

import pytest

import random_levels
from commands import run
from puzzlespace import distance, load, solve, targets, with_goal, with_start
from puzzlespace.api import batches, questions
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.web import wire

TEXT = "rule: push\nstart:\n  $ . @\ngoal:\n  . $ *\n"
WALKED = "rule: push\ncount: {}\nstart:\n  @ . .\n  . $ .\n  . . .\ngoal:\n  * * *\n  * * $\n  * * *\n"
NO_PLAYER = "expected a player '@', found none"
A_PLAYER = "expected boxes, '.' or '*', found the player"


@pytest.fixture
def puzzle():
    return from_text(TEXT, "p.pzl")


def levels(count):
    return [from_text(random_levels.level(Random(seed)), "x.xsb") for seed in range(count)]


def test_positions_without_a_player_are_refused_wherever_they_enter(puzzle):
    text, position = ". $ .", puzzle.view.encode([".", "$", "."])
    ways = [
        lambda: with_start(puzzle, text), lambda: with_start(puzzle, position), lambda: distance(puzzle, text),
        lambda: distance(puzzle, position), lambda: puzzle.read(text), lambda: puzzle.at(text),
        lambda: puzzle.read(puzzle.id(position)), lambda: questions.read_position(puzzle, text),
        lambda: list(batches.read(puzzle, ["$ . @", text])),
    ]  # fmt: skip
    for way in ways:
        with pytest.raises(FormatError, match=NO_PLAYER):
            way()


def test_goals_with_a_player_are_refused_and_others_are_goals_of_boxes(puzzle):
    for way in (with_goal, type(puzzle).pattern):
        with pytest.raises(FormatError, match="found the player"):
            way(puzzle, ". @ $")
    with pytest.raises(FormatError, match="found the player"):
        with_goal(puzzle, puzzle.id(puzzle.start))
    other = with_goal(from_text("rule: push\nstart: @ $ .\ngoal: * * $\n", "p.pzl"), ". . $")
    assert solve(other).moves == 1
    assert other.goals == from_text("rule: push\nstart: @ $ .\ngoal: . . $\n", "p.pzl").goals
    assert with_goal(other, other.view.encode([".", ".", "$"])).goals == other.goals
    assert other.pattern(". . $").holds(other.view.encode([".", "@", "$"]))
    assert solve(with_goal(other, other.view.encode([".", "@", "$"]))).moves == 1


def test_commands_refuse_them_with_their_place(tmp_path):
    file = tmp_path / "p.pzl"
    file.write_text(TEXT)
    (tmp_path / "batch").write_text("$ . @\n. $ .\n")
    for words, error in (
        (("solve", "--start", ". $ ."), f"position:1:1: {NO_PLAYER}"),
        (("solve", "--goal", ". @ $"), f"goal:1:3: {A_PLAYER}"),
        (("distance", ". $ ."), f"position:1:1: {NO_PLAYER}"),
        (("solve", "--batch", str(tmp_path / "batch")), NO_PLAYER),
        (("generate", "--depth", "1", "--pattern", "@ * *"), f"pattern:1:1: {A_PLAYER}"),
    ):
        code, _, err = run(words[0], str(file), *words[1:], "-q")
        assert (code, error in err) == (30, True), (words, err)


@pytest.mark.parametrize("metric", ["push", "run", "move"])
def test_boards_after_the_best_next_moves_have_one_player(metric):
    for puzzle in [from_text(WALKED.format(metric), "p.pzl"), *levels(30)]:
        found = distance(puzzle, puzzle.start, metric=metric)
        for _, after in found.next:
            assert (after.words.count("@"), puzzle.view.encode(after.words)) == (1, bytes(after)), str(after)
            left = distance(puzzle, after, metric=metric)
            assert left.distance == found.distance - 1
    assert str(distance(from_text(WALKED.format("push"), "p.pzl"), "@ . . / . $ . / . . .").next[0][1]) == (
        ". . . / . @ $ / . . ."
    )


@pytest.mark.parametrize("metric", ["push", "run"])
def test_frames_show_one_player_on_paths_of_settled_positions(metric):
    shown = 0
    for puzzle in [from_text(WALKED.format(metric), "p.pzl"), *levels(20)]:
        model = puzzle.model(metric)
        path = [model.settled(puzzle.start)]
        for _ in range(4):
            path += sorted(model.moves(path[-1]))[:1] if model.moves(path[-1]) else []
        rules = [model.moves(before)[after] for before, after in zip(path, path[1:], strict=False)]
        for frames in (puzzle.frames(path, model), puzzle.frames(path, model, rules)):
            assert [model.settled(frame.position) for frame in frames] == path
            for frame in frames:
                assert frame.words.count("@") == 1
                assert puzzle.view.encode(frame.words) == frame.position
            shown += len(frames)
        told = wire.at(puzzle, model, path[0])
        assert [move["name"] for move in told["moves"]] == [
            puzzle.frames((path[0], to), model)[1].name for to in sorted(model.moves(path[0]))
        ]
    assert shown > 60


def walked(model, position):
    """All positions that steps of the player lead to, by single rules."""
    found, pending = {position}, [position]
    while pending:
        here = pending.pop()
        for number in model.metric.free:
            after = model.rules[number].apply(here)
            if after is not None and after not in found:
                found.add(after)
                pending.append(after)
    return found


def test_targets_of_the_player_are_the_cells_that_the_player_can_walk_to():
    for puzzle in [from_text(WALKED.format("push"), "p.pzl"), *levels(12)]:
        model, player = puzzle.model("push"), puzzle.view.symbols["@"]
        expected, layer, seen, depth = {}, [model.start], {model.start}, 0
        while layer:
            for position in layer:
                for each in walked(model, position):
                    expected.setdefault(each.index(player), depth)
            layer = list(dict.fromkeys(child for each in layer for child in model.moves(each) if child not in seen))
            seen.update(layer)
            depth += 1
        (found,) = targets(puzzle, pieces=["@"], metric="push")
        assert {
            cell: moves for cell, moves in zip(found.cells, found.moves, strict=True) if moves is not None
        } == expected
        assert all(
            position is None or position[cell] == player
            for cell, position in zip(found.cells, found.positions, strict=True)
        )
        assert found.moves[puzzle.start.index(player)] == 0


def test_a_puzzle_of_the_catalogue_still_answers():
    puzzle = load("microban1")
    assert distance(puzzle, puzzle.start).distance == 8
