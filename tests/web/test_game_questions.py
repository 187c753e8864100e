"""Levels of games on the page: positions as words, inputs, distances, ways to get stuck, downloads, refusals."""

import json
from array import array
from pathlib import Path
from random import Random

import pytest

from pushing import game
from puzzlespace import solve
from puzzlespace.errors import FormatError, InputError, PuzzlespaceError, UnsupportedError
from puzzlespace.games.game import LETTERS
from puzzlespace.games.level import GameLevel
from puzzlespace.games.moves import GamePosition
from puzzlespace.games.reading import read_game
from puzzlespace.web import levels
from puzzlespace.web.bounds import Bounds
from puzzlespace.web.tasks import TASKS, WorkerState
from random_games import random_game

STATE = WorkerState(Bounds(short_workers=1, long_workers=1), Path(), Path())
SAYING = game(
    rules="[ > Player | Crate ] -> [ > Player | > Crate ]\n[ > Player | Wall ] -> cancel message Ouch, a Wall (hard)\n"
    "late [ Crate Target ] -> message Well done",
    levels="message Begin\nmessage and go on\n\n####\n#po#\n####\n\n######\n#p*.o#\n######\n\nmessage The end",
)


def ask(task, text, **question):
    return TASKS[task](STATE, {"text": text, **question}, lambda *_: None)


def drawn(rng, steps):
    """The text of a random game, its first level, and positions on a walk; a game whose turns never end is no such."""
    while True:
        text = random_game(rng)
        try:
            level = GameLevel.of(read_game(text), 1)
            places = [level.start]
            for _ in range(steps):
                places.append(rng.choice([places[-1], *level.moves(places[-1])]))
                list(level.moves(places[-1]))
        except PuzzlespaceError:
            continue
        return text, level, places


@pytest.mark.parametrize("seed", range(6))
def test_the_word_of_a_position_names_it_alone(seed):
    _, level, places = drawn(Random(seed), 25)
    places = {*places, *(place._replace(restart=level.start.cells) for place in places)}
    words = {place: levels.ids(level).written(place) for place in places}
    assert len(set(words.values())) == len(words)
    assert all(levels.ids(level).read(word) == place for place, word in words.items())


@pytest.mark.parametrize(
    "word",
    ["", "0", "~", "~0", "~40", "~01", "~015", "~0151", "~01515", "~015223", "~015200", "~01T00", "~000", "~0?", "~00z",
     "~" + "z" * 99],
)  # fmt: skip
def test_other_words_are_no_positions(word):
    level = GameLevel.of(read_game(game()), 1)
    with pytest.raises(InputError, match="expected a position of this level"):
        levels.ids(level).read(word)


@pytest.mark.parametrize("seed", range(4))
def test_inputs_are_those_of_the_level(seed):
    text, level, places = drawn(Random(100 + seed), 4)
    for place in places:
        told = ask("at", text, position=levels.ids(level).written(place))
        named = dict(level.moves.named(place))
        assert [move["to"] for move in told["moves"]] == [
            levels.ids(level).written(to) for to in dict.fromkeys(named.values())
        ]
        for letter, said in told["inputs"].items():
            there = level.moves.after(place, level.moves.inputs[LETTERS.index(letter)]).position
            assert (said["move"] is None) == (there == place)
            assert said["move"] is None or told["moves"][said["move"]]["to"] == levels.ids(level).written(there)


def test_messages_come_before_levels_after_the_last_one_and_from_rules():
    first, last = (ask("open", SAYING, level=number) for number in (1, 9))
    assert (first["about"]["game"]["before"], first["about"]["game"]["after"]) == (["Begin", "and go on"], [])
    assert (last["about"]["game"]["level"], last["about"]["game"]["after"]) == (2, ["The end"])
    inputs = last["at"]["inputs"]
    assert inputs["U"] == {"move": None, "messages": ["Ouch, a Wall (hard)"]}
    onto = last["at"]["moves"][inputs["R"]["move"]]["to"]
    won = ask("at", SAYING, level=2, position=onto)["inputs"]["R"]
    assert won["messages"] == ["Well done"]


def test_turns_that_follow_are_shown_and_endless_ones_said():
    sliding = "right [ stationary Crate | no Solid no Player ] -> [ > Crate | ] again"
    at = ask("open", game(rules=sliding, levels="p*....#o"))["at"]
    pressed = at["moves"][at["inputs"]["A"]["move"]]
    assert len(pressed["boards"]) == 3
    assert all(ask("at", game(rules=sliding, levels="p*....#o"), position=each) for each in pressed["boards"])
    swinging = "{} [ stationary Crate | no Wall ] -> [ > Crate | ] again\n"
    found = ask("open", game(rules=swinging.format("right") + swinging.format("left"), levels="*.#p."))["at"]
    assert (found["moves"], found["inputs"]["R"]) == ([], {"endless": 2})


def test_distances_of_all_positions_and_ways_to_get_stuck():
    text = game(levels="#####\n#p*o#\n#...#\n#####")
    table = ask("measure", text)["table"]
    words, far = table["distances"]
    level = GameLevel.of(read_game(text), 1)
    assert (len(words), table["lost"]) == (table["states"], far.count(-1))
    for word, away in zip(words, far, strict=True):
        place = levels.ids(level).read(word)
        assert solve(GameLevel(level.moves, place, level.goal)).moves == (None if away < 0 else away)
    assert {each["position"] for each in table["traps"]} <= {
        word for word, away in zip(words, far, strict=True) if away < 0
    }
    assert [words.index(each) for each in table["examples"]] == [
        sum(table["counts"][:depth]) for depth in range(table["depth"] + 1)
    ]


@pytest.mark.parametrize("arrays", [True, False])
def test_the_map_of_a_level_has_all_positions_and_their_moves(arrays, monkeypatch):
    monkeypatch.setattr(levels, "has_arrays", lambda: arrays)
    said, level = [], GameLevel.of(read_game(SAYING), 2)
    TASKS["map"](STATE, {"text": SAYING, "level": 2}, lambda *parts: said.append(parts))
    line, *buffers = said[-1]
    raw = b"".join(map(bytes, map(memoryview, buffers)))
    told = line["map"]
    count, head = told["count"], 24 * arrays * told["count"]
    places = {name: ask("at", SAYING, level=2, position=name) for name in told["ids"]}
    assert len(places) == count == len(told["ids"])
    assert len(raw) == head + 4 * count + 8 * told["moves"]
    away, layers = (array("h", raw[head + 2 * count * at :][: 2 * count]).tolist() for at in (0, 1))
    assert (told["ids"][0], layers[0]) == (ask("open", SAYING, level=2)["at"]["position"], 0)
    assert away[0] == solve(level).moves
    numbers = array("I", raw[head + 4 * count :]).tolist()
    joined = {frozenset(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)}
    moves = {
        (told["ids"].index(name), told["ids"].index(move["to"])) for name, at in places.items() for move in at["moves"]
    }
    assert joined == {frozenset(pair) for pair in moves if len(set(pair)) == 2}


def test_a_level_with_too_many_positions_has_no_map(monkeypatch):
    monkeypatch.setattr(levels, "KNOWN", 1)
    with pytest.raises(UnsupportedError, match=r"at most 1 positions"):
        ask("map", SAYING, level=2)


def test_a_search_says_how_far_or_why_not():
    found = ask("search", game())
    assert (found["distance"], [move["best"] for move in found["moves"]].count(True), found["reason"]) == (2, 1, "")
    lost = ask("search", game(), level=3)
    assert (lost["state"], "meets 'all crate on target'" in lost["reason"]) == ("lost", True)
    assert {move["state"] for move in lost["moves"]} == {"lost"}
    way = ask("path", game())
    assert ([move["name"] for move in way["moves"]], way["path"][0]) == (["right", "right"], found["position"])
    assert ask("at", game(), position=way["path"][-1])["goal"]


def test_downloads():
    text = game()
    assert ask("copy", text, what="text")["text"].split("\n")[1] == "#p*.o.#"
    assert ask("copy", text, what="svg", theme="dark")["text"].startswith("<svg")
    assert "2 inputs" in ask("copy", text, what="strip")["text"]
    assert json.loads(ask("copy", text, what="json")["text"])["inputs"] == [3, 3]
    with pytest.raises(InputError, match="no solution from here"):
        ask("copy", text, what="json", level=3)
    for task, more in (("copy", {"what": "html"}), ("make", {"depth": 3}), ("sample", {})):
        with pytest.raises(UnsupportedError, match="PuzzleScript"):
            ask(task, text, **more)


def test_mistakes_have_their_place():
    for text, line in ((game().replace("COLLISIONLAYERS", "COLLISION"), 37), (game(levels=""), 45)):
        with pytest.raises(FormatError) as wrong:
            ask("open", text)
        assert wrong.value.line == line
    for level in (0, "2", 1.5):
        if level:
            with pytest.raises(InputError, match="level: expected a number"):
                ask("open", game(), level=level)
    assert ask("open", game(), level=99)["about"]["game"]["level"] == 3


def test_a_won_position_has_no_moves():
    level = GameLevel.of(read_game(game()), 1)
    word = levels.ids(level).written(GamePosition(level.start.cells, (), True))
    at = ask("search", game(), position=word)
    assert (at["goal"], at["distance"], at["moves"], at["inputs"]) == (True, 0, [], {})
