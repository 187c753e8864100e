"""Words of links that need not be followed: what they bar is reached in another way, and searches stay right."""

import random

import pytest

from depth_tables import distances
from puzzlespace.analysis.impossible import goal_positions
from puzzlespace.api.loader import load
from puzzlespace.contract.questions import Search
from puzzlespace.engines import deepening
from puzzlespace.engines.deepening import pruning
from puzzlespace.engines.deepening.blank_links import Links
from puzzlespace.heuristics import labels
from puzzlespace.limits.watch import Watch
from puzzlespace.structure import slides


def links_of(name):
    model = load(name).model()
    board, goal = slides.read(model), goal_positions(model)[0]
    return Links(board, labels.read(board, goal, goal, tell_apart=False)).table, model.cells


def moved(table, word, cells):
    order = list(range(cells))
    for link in word:
        b, a = table[link, 0], table[link, 1]
        order[a], order[b] = order[b], order[a]
    return tuple(order)


def followed(table, cells, automaton, most):
    """All words from every cell that the automaton lets through, by cell: position reached to words."""
    first, kids = automaton
    found = {}
    layer = [((), cell) for cell in range(cells)]
    for _ in range(most):
        layer = [
            ((*word, int(link)), after)
            for word, state in layer
            for link, after in kids[first[state] : first[state + 1]]
        ]
        for word, _ in layer:
            found.setdefault((int(table[word[0], 0]), moved(table, word, cells)), []).append(word)
    return found


@pytest.mark.parametrize("name", ["eight", "hexagram", "slide:2x4"])
def test_every_position_is_still_reached_by_a_shortest_word_and_fewer_ways(name):
    table, cells = links_of(name)
    plainly = followed(table, cells, pruning.shortest(table, cells, 0, True), 7)
    spared = followed(table, cells, pruning.shortest(table, cells, 20_000, True), 7)
    home = tuple(range(cells))
    for (start, order), ways in plainly.items():
        if order != home:
            assert min(map(len, spared[start, order])) == min(map(len, ways))
    assert sum(map(len, spared.values())) < 0.98 * sum(map(len, plainly.values()))


def test_with_a_cell_in_the_way_positions_are_still_reached_by_a_shortest_word():
    table, cells = links_of("eight")
    home = tuple(range(cells))
    plainly = followed(table, cells, pruning.shortest(table, cells, 0, False), 8)
    spared = followed(table, cells, pruning.shortest(table, cells, 60_000, False), 8)
    freely = followed(table, cells, pruning.shortest(table, cells, 60_000, True), 8)
    counts = [sum(map(len, each.values())) for each in (plainly, spared, freely)]
    assert counts[0] > counts[1] > counts[2]
    lost = 0
    for obstacle in range(cells):
        away = [without(table, obstacle, each) for each in (plainly, spared, freely)]
        for key, length in away[0].items():
            if key[1] != home:
                assert away[1][key] == length
                lost += away[2].get(key) != length
    assert lost, "words that come to other cells replace none here"


def without(table, obstacle, found):
    """The least length by which each position is reached without a cell."""
    return {
        key: min(map(len, ways))
        for key, all_ways in found.items()
        if key[0] != obstacle
        and (ways := [word for word in all_ways if all(table[link, 1] != obstacle for link in word)])
    }


def test_no_word_of_an_automaton_holds_a_barred_one():
    table, cells = links_of("eight")
    barred = set(pruning.redundant(table, cells, 20_000, True))
    assert {2, 6} <= {len(word) for word in barred}
    assert not any(word[a:b] in barred for word in barred for a in range(len(word)) for b in range(a + 1, len(word) + 1)
                   if b - a < len(word))  # fmt: skip
    for ways in followed(table, cells, pruning.automaton(table, cells, sorted(barred)), 7).values():
        for word in ways:
            assert not any(word[a:b] in barred for a in range(len(word)) for b in range(a + 1, len(word) + 1))


@pytest.mark.parametrize("most", [0, 20_000])
def test_a_start_does_not_go_back_where_it_came_from(most):
    table, cells = links_of("eight")
    first, kids = pruning.shortest(table, cells, most, True)
    for link, (_, end, back) in enumerate(table[:, :3]):
        whole = kids[first[end] : first[end + 1]].tolist()
        state = cells + link
        assert kids[first[state] : first[state + 1]].tolist() == [kid for kid in whole if kid[0] != back]


@pytest.mark.parametrize("heuristic", ["pattern", "distance", "assignment", "walking", "walking+inversion"])
def test_one_solution_is_as_short_with_words_barred(heuristic):
    model = load("eight").model()
    rng = random.Random(11)
    for position in rng.sample(list(distances("eight")), 25):
        question = Search(model, position, goal_positions(model), every=False, heuristic=heuristic)
        assert len(deepening.search(question, Watch()).layers) == distances("eight")[position] + 1
