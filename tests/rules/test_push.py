"""Pushed boxes: known numbers, each option, positions that differ by walking, errors with their place."""

from dataclasses import replace
from random import Random

import pytest

import puzzlespace
from fuzz import generators, reference
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.model.effects import canonical, inverse
from puzzlespace.model.metric import Metric
from puzzlespace.model.model import Model
from puzzlespace.model.replay import one_move
from puzzlespace.model.rule import Motion, Rule
from support.random_levels import level

BOARDS = [("triangle 4", 10), ("hex 3", 19), ("star13", 13)]
CORNER = "start:\n  . . .\n  . $ .\n  @ . .\ngoal:\n  $ * *\n  * * *\n  * * *\n"


LINED = "rule: push\nboard:\n  a b c\n  d e f\nlines: a-b-c-f-e-d-a b-e c-e\nstart: @ $ . / . . .\n"
NAMED = [f"rule: push\nboard: {name}\nstart: @ $ {'. ' * (cells - 2)}\n" for name, cells in BOARDS]


def push(start, goal="", **keys):
    text = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return from_text(f"rule: push\n{text}start: {start}\n" + (f"goal: {goal}\n" if goal else ""), "p.pzl")


def after(puzzle, metric=""):
    model = puzzle.model(metric)
    return {puzzle.line(position) for position in model.moves(model.start)}


def test_steps_and_pushes():
    puzzle = push(". @ $ . / . # . $")
    assert after(puzzle, "move") == {"@ . $ . / . # . $", ". . @ $ / . # . $"}
    assert after(push("@ $ $ ."), "move") == set()
    assert after(push("@ $ # ."), "move") == set()
    assert after(push("@ $ . ."), "run") == {". @ $ .", ". . @ $"}


def test_every_free_rule_is_undone_by_one():
    """What the judge of solutions assumes of them, and classes of positions too."""
    texts = [draw(seed) for draw in (generators.draw_push, generators.draw_crates) for seed in range(20)]
    checked = 0
    for text in [*texts, LINED, *NAMED]:
        puzzle = generators.accepted(text)
        if puzzle is None:
            continue
        for metric in ("push", "run"):
            model = puzzle.model(metric)
            rules = [model.rules[number] for number in model.metric.free]
            known = {canonical(rule, model.symbols) for rule in rules}
            undoing = [inverse(rule, model.symbols) for rule in rules]
            assert all(back is not None and canonical(back, model.symbols) in known for back in undoing), text
            checked += bool(rules)
    assert checked > 40


def test_a_move_is_not_accepted_because_a_free_rule_should_be_undone():
    """The walk from cell 2 to cell 1 has no way back, so a push that ends in 1 does not lead to 2."""
    walk = Rule.put("walk", (2, 1), (1, 0), (0, 1), 2, Motion(-1, 2, 1, "", free=True))
    step = Rule.put("step", (0, 1), (1, 0), (0, 1), 2, Motion(-1, 0, 1, ""))
    model = Model(3, 2, (walk, step), Metric("push", (), (0,)), start=bytes([1, 0, 0]))
    assert one_move(model, model.start, bytes([0, 1, 0]))
    assert not one_move(model, model.start, bytes([0, 0, 1]))


def test_the_position_that_stands_for_all_walks_does_not_depend_on_what_was_asked_before(monkeypatch):
    walks = [
        Rule.put("walk", (a, b), (1, 0), (0, 1), 2, Motion(-1, a, b, "", free=True))
        for a, b in ((0, 1), (1, 2), (2, 1), (2, 3))
    ]
    oneway = Model(4, 2, tuple(walks), Metric("push", (), (0, 1, 2, 3)), start=bytes([1, 0, 0, 0]))
    positions = [bytes(cell == here for cell in range(4)) for here in range(4)]
    for order in (positions, positions[::-1]):
        model = oneway if order is positions else Model(4, 2, oneway.rules, oneway.metric, start=oneway.start)
        for most in (1 << 16, 0):
            monkeypatch.setattr("puzzlespace.model.free.MOST_SETTLED", most)
            assert [model.settled(each) for each in order] == [min(model.walks(each)) for each in order]
    both = push("@ . . . / . $ $ . / . . $ . / . . . .").model()
    seen, layer = {both.start}, [both.start]
    for position in layer:
        if len(seen) > 60:
            break
        for child in (each for here in both.walks(position) for _, each in both.steps(here)):
            assert both.settled(child) == min(both.walks(child))
            if child not in seen:
                seen.add(child)
                layer.append(child)
    assert len(seen) > 60


def test_the_walks_of_one_player_are_those_that_free_rules_make(monkeypatch):
    """Each model is asked twice: cell by cell, and rule by rule; moves are equal in their order, too."""
    compared = 0
    for text in [draw(seed) for draw in (generators.draw_push, generators.draw_crates) for seed in range(12)]:
        puzzle = generators.accepted(text)
        walked = [puzzle.model(metric) for metric in ("push", "run")] if puzzle is not None else []
        for model in [each for one in walked for each in (one, one.backward) if each is not None and each.metric.free]:
            general = replace(model)
            monkeypatch.setitem(general._walking.__dict__, "_player", None)
            layer = [model.start]
            for position in layer:
                moves = model.moves(position)
                assert list(moves.items()) == list(general.moves(position).items()), text
                assert {model.settled(each) for each in general.walks(position)} == {min(general.walks(position))}
                layer += [child for child in moves if child not in layer and len(layer) < 10]
            compared += (model._walking._player is not None) * len(layer)
    assert compared > 100


def test_walking_is_free_but_in_moves():
    puzzle = from_text("rule: push\n" + CORNER, "p.pzl")
    assert [puzzlespace.solve(puzzle, metric=metric).moves for metric in ("push", "move", "run")] == [2, 5, 2]
    model = puzzle.model()
    assert model.start == model.settled(puzzle.start) != puzzle.start
    assert puzzlespace.depths(puzzle).counts[0] == 1
    assert puzzlespace.depths(puzzle, metric="move").states > puzzlespace.depths(puzzle).states
    answer = puzzlespace.solve(puzzle)
    assert answer.path[0] == puzzle.start
    assert all(one_move(model, a, b) for a, b in zip(answer.path, answer.path[1:], strict=False))
    assert not one_move(model, answer.path[0], answer.path[2])
    assert answer.names == ("b2-a2", "a2-a1") or answer.names == ("b2-b1", "b1-a1")


def test_a_pull_undoes_a_push():
    assert after(push("$ @ . ", pull="yes"), "move") == {"$ . @", ". $ @"}
    puzzle = push(". . $ @", pull="yes", goal="* * * *")
    assert puzzle.model().reversible
    assert not push(". . $ @").model().reversible
    assert puzzlespace.depths(push(". $ @ .", "* * * $", pull="yes")).origin == "goal"


def test_two_players_and_boxes_of_kinds():
    puzzle = push("@ A . / . B @", "* * A / * * *")
    assert puzzlespace.solve(puzzle).moves == 1
    assert puzzlespace.solve(push("@ A . / . B .", "* * B / * * *")).status.name == "IMPOSSIBLE"
    assert {"@", "A", "B"} == set(puzzle.alphabet)


def test_a_box_is_pushed_along_the_lines_of_a_board():
    text = "rule: push\nboard: triangle 3\nstart: @ / $ . / . . .\ngoal: * / * * / $ * *\n"
    assert puzzlespace.solve(from_text(text, "p.pzl")).moves == 1


def test_a_box_of_several_cells_is_pushed_as_a_whole():
    puzzle = push("@ A . . / . A . . / . . . .", blocks="A")
    assert after(puzzle, "move") == {". @ A . / . . A . / . . . .", ". A . . / @ A . . / . . . ."}
    assert after(push("@ A . / . A $", blocks="A"), "move") == {". A . / @ A $"}  # one cell of the way is taken
    assert after(push("@ A . / . A #", blocks="A"), "move") == {". A . / @ A #"}
    assert after(push("@ A . / . A @", blocks="A"), "move") == {". A . / @ A @", "@ A @ / . A ."}
    assert after(push("@ A A . .", blocks="A"), "run") == {". @ A A .", ". . @ A A"}
    assert after(push("@ A B .", blocks="all"), "move") == set()  # one box at a time
    assert puzzlespace.solve(push("@ A A . .", "* * * A A", blocks="A")).names == ("b1-c1", "c1-d1")


def test_a_box_that_is_pulled_covers_the_cell_of_the_player():
    puzzle = push(". . # / A @ . / A . .", blocks="A", pull="yes")
    assert {". . # / . A @ / . A .", ". @ # / A . . / A . ."} <= after(puzzle, "move")
    assert ". . # / . A @ / . A $" not in after(push(". . # / A @ . / A $ .", blocks="A", pull="yes"), "move")
    assert puzzle.model().reversible
    assert puzzle.model("move").reversible
    assert not push(". . # / A @ . / A . .", blocks="A").model().reversible


def test_a_player_between_two_cells_of_a_box_takes_it_along():
    """The box comes into the cell that the player leaves; a push and a pull are one rule."""
    start, moved = "A A A . / A @ A . / . . . .", ". A A A / . A @ A / . . . ."
    for pull in ("no", "yes"):
        puzzle = push(start, blocks="A", pull=pull)
        assert moved in after(puzzle, "move")
        names = [rule.name for rule in puzzle.rules if rule.apply(puzzle.start) == puzzle.read(moved)]
        assert names == ["right"]
    assert start in after(push(moved, blocks="A"), "move")
    assert after(push("A @ A . .", apart="A"), "run") == {". A @ A .", ". . A @ A"}


def test_the_player_never_ends_on_the_box():
    """Every rule of a box leaves one player, the whole box, and as many blanks as before."""
    puzzle = push(". . . . . / . A A A . / . A @ A . / . . . . . / . . . . .", blocks="A", pull="yes")
    moves = [rule for rule in puzzle.rules if rule.motion.shape >= 0]
    body, player = puzzle.shapes.body, puzzle.view.symbols["@"]
    for rule in moves:
        position = bytearray(puzzle.board.cells)
        for cell, covered in zip(range(puzzle.board.cells), puzzle.shapes.covers[rule.motion.shape], strict=True):
            if cell == rule.motion.origin:
                for each in (cell, *covered):
                    position[each] = body if each != cell else rule.motion.shape
        position[rule.cells[rule.need.index(1 << player)]] = player
        changed = rule.apply(bytes(position))
        assert changed is not None
        assert sorted(changed) == sorted(position)
        assert [len(piece) for piece in puzzle.view.pieces(changed)] in ([1, 5], [5, 1])
    assert len(moves) > 100


def test_boxes_of_several_cells_of_kinds_and_two_players():
    goal = "* * A * B / * * A * B / * * * * *"
    puzzle = push("@ A . B . / . A @ B . / . . . . .", goal, blocks="A B", count="move")
    answer = puzzlespace.solve(puzzle)
    assert answer.names == ("d1-e1 by c2", "b1-c1 by a1")
    assert {"A", "B", "@"} == set(puzzle.alphabet)
    assert puzzle.view.symbols["A"] != puzzle.view.symbols["B"]
    assert "Blocks: A B (1x2)." in puzzle.kind.words(puzzle)
    alike = push("@ A . B . / . A @ B . / . . C C .", "* * * * * / * * * * * / C C * * *", blocks="all")
    assert alike.view.symbols["A"] == alike.view.symbols["B"] != alike.view.symbols["C"]


def test_random_boxes_of_several_cells_against_the_second_reading():
    """The layers of all positions from the start, in every metric, and the shortest solutions."""
    compared = sizes = 0
    for seed in range(30):
        text = generators.draw_crates(seed)
        puzzle, second = generators.accepted(text), reference.read(text)
        for metric in puzzle.metrics:
            expected = reference.depths_from(second, [second.start], metric, 150)
            if expected is None:
                continue
            model = puzzle.model(metric)
            layer, seen, counts = [model.start], {model.start}, []
            while layer:
                counts.append(len(layer))
                layer = sorted({child for position in layer for child in model.moves(position)} - seen)
                seen.update(layer)
            assert counts == expected, text
            solved = reference.shortest(second, metric, 150)
            if puzzle.goals and solved is not None:
                assert puzzlespace.solve(puzzle, metric=metric, engine="plain", cache="off").moves == solved[0], text
            compared += 1
            sizes += sum(counts)
    assert compared > 50
    assert sizes > 1000


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("count: step\nstart: @ $ .\n", r"2:8: count: expected push, move or run for rule push, found 'step'"),
        ("start: . $ .\n", r"2:8: start: expected a player '@', found none"),
        ("goal: @ $ .\n", r"start: expected a drawing of the start, found none"),
        ("start: @ $ .\ngoal: * $ @\n", r"3:11: goal: expected boxes, '.' or '\*', found the player"),
        ("start: @ $ .\ngoal: start\n", r"3:7: goal: expected a drawing of the boxes"),
        ("start: @ $ .\ngoal: * $ $\n", r"3:11: goal: expected at most as many \$ as in the start, found more"),
        ("board:\n  a b\nlinks:\n  a: b\nstart: @ .\n", r"5:3: links: expected lines: to push along, found links"),
        ("board:\n  a b c\nlines: a-b-c c-b\nstart: @ $ .\n", r"neighbours on one line, found two"),
        ("edge: lost\nstart: @ $ .\n", r"2:7: edge: has no meaning for rule push"),
        ("blocks: A\nstart: A @ A . .\n", r"3:12: expected the block A in one piece, found it in 2"),
        ("blocks: @\nstart: A @ A . .\n", r"2:9: blocks: expected the letter of a box, found '@'"),
        ("apart: .\nstart: A @ A . .\n", r"2:8: apart: expected the letter of a box, found '.'"),
        ("blocks: B\nstart: A @ A . .\n", r"2:9: blocks: expected one of the symbols \. A @, found 'B'"),
        ("blocks: A\nstart: @ A A .\ngoal: * * * A\n", r"4:13: expected the block A once and in its own shape"),
        ("blocks: A\nstart: @ A . / . A .\ngoal: A A * / * * *\n", r"4:7: expected the block A once and in its own"),
        ("blocks: A\nlines: a-b-c-d\nboard:\n  a b c d\nstart: @ A A .\n", r"2:9: blocks: expected a grid to lie on"),
        ("pull: perhaps\nstart: @ $ .\n", r"2:7: expected yes or no, found 'perhaps'"),
    ],
)
def test_mistakes(text, error):
    with pytest.raises(FormatError, match=error):
        from_text(f"rule: push\n{text}", "p.pzl")


def _freely(model, position):
    """Return what free rules reach, rule by rule, without any index."""
    found, pending = {position}, [position]
    while pending:
        here = pending.pop()
        for number in model.metric.free:
            child = model.rules[number].apply(here)
            if child is not None and child not in found:
                found.add(child)
                pending.append(child)
    return found


def _made(model, position):
    """Return every position one move of a metric with free rules away, before and after any walks."""
    free, seen = set(model.metric.free), set()
    pending = [
        (here, number) for here in _freely(model, position) for number in range(len(model.rules)) if number not in free
    ]
    while pending:
        here, number = pending.pop()
        child = model.rules[number].apply(here)
        if child is not None and (child, number) not in seen:
            seen.add((child, number))
            pending += [(child, follower) for follower in (model.metric.after[number] if model.metric.after else ())]
    return {after for child, _ in seen for after in _freely(model, child)}


@pytest.mark.parametrize("seed", range(12))
def test_the_judge_finds_the_moves_that_trying_all_rules_finds(seed):
    chance = Random(seed)
    owner = from_text(level(chance), "level.xsb")
    model = owner.model("push" if seed % 2 else chance.choice([each for each in owner.metrics if each != "move"]))
    layer = [model.start]
    for _ in range(3):
        before = chance.choice(layer)
        made, walked = _made(model, before), _freely(model, before)
        others = {bytes(chance.sample(list(before), len(before))) for _ in range(20)}
        for after in [*chance.sample(sorted(made), min(12, len(made))), *sorted(walked)[:6], *others]:
            assert one_move(model, before, after) == (after in made and after != before)
        layer = sorted(made) or layer
