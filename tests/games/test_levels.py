"""Levels as puzzles: shortest solutions, positions, dead ones, wins, endless turns."""

import pytest

from pushing import game
from puzzlespace import depths, distance, solutions, solve
from puzzlespace.errors import EndlessError, InputError, UnsupportedError
from puzzlespace.games.level import GameLevel, inputs_of
from puzzlespace.games.reading import read_game
from puzzlespace.games.survey import survey
from puzzlespace.limits.watch import Watch


def level(number=1, **change):
    return GameLevel.of(read_game(game(**change)), number, "game")


def test_a_shortest_solution_and_its_inputs():
    found = level()
    answer = solve(found, count=True)
    assert (answer.moves, answer.solutions, found.letters(answer.path)) == (2, 1, "RR")
    assert found.rows(answer.path[-1])[1] == "#..p@.#"
    assert [found.letters(each.path) for each in solutions(found)] == ["RR"]
    assert distance(found, found.typed("R")).distance == 1


def all_from(found, place):
    """All positions that can be reached from one, in the order of moves."""
    seen, waiting = {place}, [place]
    for each in waiting:
        fresh = [there for there in dict.fromkeys(found.moves(each)) if there not in seen]
        seen.update(fresh)
        waiting += fresh
    return waiting


def alive(found, place):
    return any(each.won for each in all_from(found, place))


def test_the_positions_where_a_player_gets_stuck():
    found = level(levels="#####\n#p*o#\n#...#\n#####")
    whole = survey(found, Watch())
    places = all_from(found, found.start)
    assert whole.counts == depths(found).counts
    assert sum(whole.counts) == len(places)
    assert whole.wins == sum(each.won for each in places)
    assert whole.dead == sum(not alive(found, each) for each in places) > 0
    assert {way.position for way in whole.traps} == {
        there for here in places if alive(found, here) for there in found.moves(here) if not alive(found, there)
    }
    for way in whole.traps:
        assert found.typed(way.letters) == way.position


def test_no_trap_if_only_a_win_lies_ahead():
    whole = survey(level(2), Watch())
    assert (whole.wins, whole.dead, whole.traps[:]) == (1, 0, ())


def test_a_level_that_cannot_be_solved_names_the_condition():
    whole = survey(level(3), Watch())
    assert (whole.wins, whole.failing) == (0, ("all crate on target",))


def test_won_on_an_unchanged_board():
    found = level(levels="#####\n#p@.#\n#####", rules="[ > Player | Crate ] -> cancel", wins="all Crate on Target")
    answer = solve(found)
    assert (answer.moves, answer.path[-1].won) == (1, True)
    assert answer.path[0].cells == answer.path[-1].cells


def test_won_before_the_first_input():
    rules = "right [ Player | no Wall ] -> [ > Player | ] again"
    found = level(levels="p.o.", rules=rules, wins="some Player on Target", prelude="run_rules_on_level_start")
    assert solve(found).moves == 0


def test_endless_turns_show_their_loop():
    rules = "{} [ stationary Crate | no Wall ] -> [ > Crate | ] again\n"
    with pytest.raises(EndlessError, match="never ends") as caught:
        solve(level(levels="*.#p.", rules=rules.format("right") + rules.format("left")))
    assert caught.value.drawn == ("\n.*#p.\n", "\n*.#p.\n")


def test_the_last_checkpoint_is_part_of_a_position():
    rules = "[ > Player | Target ] -> [ > Player | Target ] checkpoint\n[ action Player ] -> restart"
    found = level(levels="p.o..", rules=rules, wins="some Crate")
    near, far = found.typed("RL"), found.typed("RRLL")
    assert near.cells == far.cells
    assert near.restart != far.restart
    assert found.typed("RLA").cells == found.start.cells
    assert found.typed("RRLLA").cells != found.start.cells


def test_no_action_and_no_win():
    assert all(each != "A" for each, _ in level(prelude="noaction").moves.named(level().start))
    with pytest.raises(UnsupportedError, match="no level can be won"):
        level(wins="")
    with pytest.raises(InputError, match="from 1 to 3"):
        level(4)


def test_inputs_are_typed_in_several_ways():
    assert list(inputs_of("rrU, left 2 A")) == list("RRULDA")
    assert list(inputs_of("[3, 3,0]")) == list("RRU")
    with pytest.raises(InputError, match="'X'"):
        list(inputs_of("RX"))
