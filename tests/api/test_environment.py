"""The Gymnasium environment against the plain engine; levels as JSON Lines, written, read back and damaged."""

import json
import sys
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import run
from puzzlespace import (
    FormatError,
    InputError,
    LimitError,
    Limits,
    UnsupportedError,
    depths,
    distance,
    generate,
    level_lines,
    load,
    read_levels,
    saving,
    with_start,
)
from puzzlespace.api import exact
from puzzlespace.api.action_list import action_list
from puzzlespace.model.replay import one_move

pytest.importorskip("gymnasium")
import gymnasium
from gymnasium.utils.env_checker import check_env

from puzzlespace.environment import PuzzleEnvironment

PUZZLES = ["slide:3x2", "no-off-a", "tilt16", "microban1", "bridge", "pancake:5", "lunar14", "jugs853", "wolf"]
CHAINED = [("rush60", "run"), ("eight", "multi"), ("star13", "chain"), ("no-off-a", "piece")]


@pytest.fixture(scope="module")
def six():
    return PuzzleEnvironment("slide:3x2")


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_gymnasium_accepts_the_environment(puzzle):
    env = PuzzleEnvironment(puzzle)
    check_env(env)
    assert env.observation_space.shape == (env.model.cells,)


def test_gymnasium_makes_it_by_its_name():
    env = gymnasium.make("puzzlespace.environment:puzzlespace/Puzzle-v0", puzzle="slide:3x2", max_episode_steps=2)
    check_env(env.unwrapped)
    _, info = env.reset(seed=1, options={"depth": 21})
    cut = [env.step(env.action_space.sample(info["action_mask"]))[3] for _ in range(2)]
    assert cut == [False, True]


@pytest.mark.parametrize(("puzzle", "metric"), [*((puzzle, "") for puzzle in PUZZLES), *CHAINED])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_the_actions_are_the_moves_of_the_model_at_any_position(puzzle, metric, seed):
    owner = load(puzzle)
    model, actions = action_list(owner, metric)
    chance = np.random.default_rng(seed)
    position = owner.start or owner.goals[0].position
    for _ in range(12):
        following = actions.following(position)
        assert set(following.values()) == set(model.moves(position))
        assert all(one_move(model, position, child) for child in following.values())
        if not following:
            break
        position = list(following.values())[int(chance.integers(len(following)))]


@pytest.mark.parametrize("puzzle", ["slide:3x2", "no-off-a", "microban1", "bridge", "lunar14"])
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_distances_and_rewards_are_those_of_the_plain_engine(made, puzzle, seed):
    env = made(puzzle)
    _, info = env.reset(seed=seed)
    for _ in range(4):
        before = info["distance"]
        action = env.action_space.sample(info["action_mask"])
        observation, reward, over, _, info = env.step(action)
        found = distance(env.puzzle, env.position, metric=env.model.metric.name, engine="plain", cache="off").distance
        assert info["distance"] == (-1 if found is None else found)
        assert bytes(observation.astype(np.uint8)) == bytes(env.position)
        assert over == (found in (0, None))
        assert reward == before - (max(env.depths) + 1 if found is None else found)
        if over:
            break


@pytest.fixture(scope="module")
def made():
    """Return the environment of a puzzle, made once."""
    return cache(PuzzleEnvironment)


def test_the_counts_are_those_of_the_depth_table(six):
    assert tuple(six.depths.values()) == depths("slide:3x2", engine="plain", origin="goal").counts


@pytest.mark.parametrize("most", [exact.MOST_LAYER, 1])
def test_positions_of_a_depth_are_drawn_uniformly_and_by_the_seed(monkeypatch, six, most):
    monkeypatch.setattr(exact, "MOST_LAYER", most)
    monkeypatch.setattr(exact, "POOL", 7)
    six.reset(seed=5, options={"depth": 9})
    drawn = Counter()
    for _ in range(1600):
        _, info = six.reset(options={"depth": 9})
        assert info["distance"] == 9
        drawn[bytes(six.position)] += 1
    assert len(drawn) == six.depths[9] == 16
    assert sum((count - 100) ** 2 for count in drawn.values()) / 100 < 45  # 15 degrees: the chance of more is 10^-4
    rows = [six.reset(seed=5, options={"depth": 9})[0].tolist() for _ in range(3)]
    assert rows[0] == rows[1] == rows[2]


def test_without_options_every_position_but_the_goals_has_the_same_chance(six):
    six.reset(seed=1)
    found = Counter(six.reset()[1]["distance"] for _ in range(3000))
    whole = sum(six.depths.values()) - 1
    expected = {depth: 3000 * size / whole for depth, size in six.depths.items() if depth}
    assert set(found) <= set(expected)
    assert sum((found[d] - each) ** 2 / each for d, each in expected.items()) < 52  # 20 degrees: 10^-4


def test_an_action_that_is_not_possible_changes_nothing_and_says_so(six):
    observation, info = six.reset(seed=3, options={"depth": 10})
    impossible = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, _, told = six.step(impossible)
    assert (after == observation).all()
    assert (reward, over, told["moved"], told["distance"]) == (-1, False, False, 10)
    assert not any(told["action_mask"] != info["action_mask"])


@pytest.mark.parametrize(("reward", "total"), [("distance", 12), ("moves", -12), ("goal", 1)])
def test_best_actions_lead_to_the_goal(reward, total):
    env = PuzzleEnvironment("slide:3x2", reward=reward)
    env.reset(seed=2, options={"depth": 12})
    rewards = []
    while env.best_actions():
        rewards.append(env.step(env.best_actions()[-1])[1])
    assert (len(rewards), sum(rewards)) == (12, total)


def test_costs_are_distances():
    env = PuzzleEnvironment("bridge", reward="moves")
    env.reset(options={"position": env.puzzle.start})
    rewards = []
    while env.best_actions():
        rewards.append(env.step(env.best_actions()[0])[1])
    assert (env.model.metric.name, -sum(rewards)) == ("cost", 17)


def test_a_dead_end_ends_the_episode():
    env = PuzzleEnvironment("lunar14")
    lost = next(
        (int(a), child)
        for number in range(len(env._exact.graph))
        if (env._exact.distance(position := env._exact.graph.position(number)) or 0) > 0
        for a, child in env._actions.following(position).items()
        if env._exact.distance(child) is None and env.reset(options={"position": position})
    )
    before = env._distance
    _, reward, over, _, info = env.step(lost[0])
    assert (over, info["distance"], reward) == (True, -1, before - max(env.depths) - 1)
    assert env.best_actions() == []


def test_a_saved_table_is_used(tmp_path):
    depths("slide:3x2", engine=saving("slide:3x2", tmp_path / "t"), origin="goal")
    assert PuzzleEnvironment("slide:3x2", table=tmp_path / "t").depths[21] == 1
    depths("slide:3x2", engine=saving("slide:3x2", tmp_path / "s"), origin="start", start="1 2 3 / 4 . 5")
    with pytest.raises(InputError, match=r"expected a table to the goal, found one from the start"):
        PuzzleEnvironment("slide:3x2", table=tmp_path / "s")


def test_pictures_and_text():
    assert PuzzleEnvironment("slide:3x2").render() is None
    shown = PuzzleEnvironment("slide:3x2", render_mode="ansi")
    shown.reset(options={"position": "1 2 3 / 4 . 5"})
    assert shown.render() == "1 2 3\n4 . 5"
    pytest.importorskip("resvg_py")
    drawn = PuzzleEnvironment("slide:3x2", render_mode="rgb_array")
    drawn.reset(seed=1)
    picture = drawn.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 10


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("depth: expected a distance that occurs, 1 to 21, found 22", {"depth": 22}),
        ("depth: expected a distance that occurs, 1 to 21, found 0", {"depth": 0}),
        ("depth: expected a distance that occurs, 1 to 21, found 'x'", {"depth": "x"}),
        ("level: expected a number below 0, found 0", {"level": 0}),
        ("options: expected one of depth, level, position, found dept", {"dept": 3}),
        ("options: expected one of depth, level, position, found depth, level", {"depth": 3, "level": 1}),
    ],
)
def test_wrong_options_are_told(six, words, options):
    with pytest.raises(InputError) as told:
        six.reset(options=options)
    assert str(told.value) == words


def test_wrong_values_are_told(six):
    with pytest.raises(InputError, match="reward: expected one of distance, moves, goal, found 'x'"):
        PuzzleEnvironment("slide:3x2", reward="x")
    with pytest.raises(InputError, match="render_mode: expected None, ansi or rgb_array, found 'human'"):
        PuzzleEnvironment("slide:3x2", render_mode="human")
    with pytest.raises(InputError, match=r"expected a call of reset\(\) first"):
        PuzzleEnvironment("slide:3x2").step(0)
    six.reset(seed=1)
    with pytest.raises(InputError, match="action: expected a number below 14, found 14"):
        six.step(14)
    with pytest.raises(LimitError):
        PuzzleEnvironment("slide:3x3", limits=Limits(positions=100))


def test_what_cannot_be_listed_is_refused_with_the_reason():
    with pytest.raises(UnsupportedError, match="its moves cannot be listed: in the metric push walking is free"):
        PuzzleEnvironment("microban1", metric="push")
    with pytest.raises(UnsupportedError, match="in the metric piece there are more than 20,000 sequences of steps"):
        PuzzleEnvironment("klotski", metric="piece")
    with pytest.raises(UnsupportedError, match="in the metric run a move may repeat a listed move"):
        PuzzleEnvironment("cube2", metric="run")
    assert action_list(load("microban1"))[0].metric.name == "move"


def test_too_many_positions_are_refused(monkeypatch):
    monkeypatch.setattr(exact, "MOST_GRAPH", 100)
    with pytest.raises(UnsupportedError, match="it has more than 100 positions, and no depth table of it can be made"):
        PuzzleEnvironment("lunar14")


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "puzzlespace.environment")
    with pytest.raises(UnsupportedError, match=r"pip install 'puzzlespace\[env\]'"):
        import puzzlespace.environment  # noqa: F401


@pytest.fixture
def level_file(tmp_path):
    file = tmp_path / "levels.jsonl"
    words = ("generate", "slide:3x2", "--depth", "8-12", "-n", "20", "--seed", "4", "--levels", str(file))
    assert run(*words)[0] == 0
    return file


def test_levels_are_written_with_solutions_and_read_by_the_environment(level_file):
    rows = [json.loads(row) for row in level_file.read_text().splitlines()]
    assert len(rows) == 20
    for row in rows:
        found = distance("slide:3x2", row["position"], engine="plain")
        assert found.distance == row["depth"] == len(row["solution"]) == len(row["path"]) - 1
        assert row["command"].startswith("puzzlespace generate slide:3x2 --depth 8-12 -n 20 --seed 4 --levels ")
        assert row["version"]
    env = PuzzleEnvironment("slide:3x2", levels=level_file)
    wanted = {load("slide:3x2").read(row["position"]): row["depth"] for row in rows}
    assert {bytes(level.position): level.depth for level in env.levels} == wanted
    for number, level in enumerate(env.levels):
        assert env.reset(options={"level": number})[1]["distance"] == level.depth
    env.reset(seed=1)
    assert {bytes(env.position) for _ in range(400) if env.reset()} == set(wanted)
    deep = max(wanted.values())
    env.reset(options={"depth": deep})
    assert wanted[bytes(env.position)] == deep
    with pytest.raises(InputError, match="depth: expected a distance that occurs"):
        env.reset(options={"depth": 2})


def test_levels_go_to_the_screen_and_from_python_the_same(level_file):
    code, out, err = run("generate", "slide:3x2", "--depth", "8-12", "-n", "20", "--seed", "4", "--levels", "-")
    assert (code, "drawn uniformly" in err) == (0, True)
    made = generate("slide:3x2", (8, 12), 20, seed=4, solutions=True)
    lines = level_lines("slide:3x2", made, json.loads(out.splitlines()[0])["command"])
    assert lines == out
    assert [level.path for level in read_levels("slide:3x2", lines)] == [tuple(map(bytes, path)) for path in made.paths]
    assert read_levels("slide:3x2", str(level_file))[0].to_dict()["depth"] == made.depths[0]


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("expected a line of `level_lines`, found another", lambda row: row.pop("path")),
        ("expected a line of `level_lines`, found another", lambda row: row.update(depth="9")),
        ("expected a line of `level_lines`, found another", lambda row: row.update(path=[1])),
        ("expected a metric of slide:3x2, found 'hop'", lambda row: row.update(metric="hop")),
        ("expected a level of slide:3x2, found one of 'slide:3x2'", lambda row: row.update(fingerprint="0")),
        ("expected a path that begins at the position, found another", lambda row: row.update(path=row["path"][1:])),
        ("is not a legal move", lambda row: row["path"].pop(1)),
        ("which is not a goal", lambda row: row["path"].pop()),
        ("moves, found one of", lambda row: row.update(depth=row["depth"] + 1)),
    ],
)
def test_a_damaged_level_is_told_with_its_line(level_file, words, change):
    rows = [json.loads(row) for row in level_file.read_text().splitlines()]
    change(rows[6])
    level_file.write_text("\n".join(map(json.dumps, rows)) + "\n")
    with pytest.raises(FormatError) as told:
        read_levels("slide:3x2", level_file)
    assert words in str(told.value)
    assert str(told.value).startswith(f"{level_file}:7: ")


def test_a_level_with_a_detour_is_not_shortest(tmp_path, level_file):
    row = json.loads(level_file.read_text().splitlines()[0])
    row["path"] = [row["path"][0], row["path"][1], *row["path"]]
    row["depth"] += 2
    level_file.write_text(json.dumps(row) + "\n")
    assert len(read_levels("slide:3x2", level_file)) == 1
    with pytest.raises(InputError, match=f"level 1: expected depth {row['depth'] - 2}, found {row['depth']}"):
        PuzzleEnvironment("slide:3x2", levels=level_file)
    level_file.write_text("\n")
    with pytest.raises(InputError, match="expected levels, found none"):
        PuzzleEnvironment("slide:3x2", levels=level_file)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--levels", "-", "--json"), "--levels: expected a file beside --json, found '-'"),
        (("--levels", "-", "--csv", "-"), "--levels: expected a file beside --csv -, found '-'"),
        (("--levels", "l.jsonl", "--from", "start"), "expected depths to the goal, found depths from the start"),
    ],
)
def test_options_that_do_not_fit_together(options, words):
    code, _, err = run("generate", "eight", "--depth", "3", *options)
    assert (code, words in err) == (30, True)


def test_python_refuses_answers_without_solutions():
    started = generate(with_start("slide:3x2", "1 2 3 / 4 . 5"), 3, 2, seed=1, origin="start", solutions=True)
    for answer in (generate("slide:3x2", 3, 2, seed=1), started):
        with pytest.raises(InputError, match="levels: expected positions at depths to the goal, with solutions"):
            level_lines("slide:3x2", answer)
