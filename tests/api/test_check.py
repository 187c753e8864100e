import pytest

from puzzlespace.analysis import paths
from puzzlespace.contract.questions import Search
from puzzlespace.engines import plain
from puzzlespace.limits.watch import Watch
from puzzlespace.model import replay
from toys import eight, pegs


def solution(model):
    steps = paths.first_path(model, plain.search(Search(model, model.start), Watch()).layers)
    return tuple(position for position, _ in steps)


@pytest.mark.parametrize("count", ["step", "multi"])
def test_a_right_solution_passes(count):
    model = eight(start=(1, 2, 3, 4, 0, 6, 7, 5, 8), count=count)
    path = solution(model)
    replay.replay(model, path)
    assert model.is_goal(path[-1])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path[1:], "not at the start"),
        (lambda path: path[:-1], "which is not a goal"),
        (lambda path: (*path[:3], path[3][::-1], *path[4:]), "move 3 from"),
        (lambda path: (path[0], path[0], *path[1:]), "move 1 from"),
    ],
)
def test_a_wrong_one_does_not(damage, message):
    model = eight(start=(0, 2, 3, 1, 4, 6, 7, 5, 8))
    with pytest.raises(replay.WrongAnswerError, match=message):
        replay.replay(model, damage(solution(model)))


def test_a_chain_is_judged_as_one_move():
    before, after = bytes((1, 1, 0, 1, 0)), bytes((0, 0, 0, 0, 1))
    board = [(0, 1, 2), (2, 3, 4)]
    assert replay.one_move(pegs(board, before, "chain"), before, after)
    assert not replay.one_move(pegs(board, before), before, after)
