"""Lines that share links, come to a cell twice, or are the same line: moves against a plain reading of the lines."""

from collections import deque
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from random import Random

import pytest

from puzzlespace.analysis.paths import all_paths, count_paths
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text
from puzzlespace.contract.questions import Depths, Search
from puzzlespace.engines import deepening, frontier, plain
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, PLAIN_ORDERS
from puzzlespace.errors import UnsupportedError
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Watch
from puzzlespace.model.goal import Goal
from puzzlespace.registry import ENGINES
from puzzlespace.symmetry import symmetries

NAMES = "abcdefgh"
METRICS = ("step", "run", "piece", "multi")
HEURISTICS = ("", "distance", "assignment", "inversion", "walking", "pattern")


def random_lines(rng, cells):
    """Walks over the cells: they cross, share links, come back; some are closed, repeated, reversed or cut out."""
    lines = []
    for _ in range(rng.randint(1, 5)):
        line = [rng.randrange(cells)]
        while len(line) < rng.randint(2, 6):
            line.append(rng.choice([cell for cell in range(cells) if cell != line[-1]]))
        if rng.random() < 0.2 and line[0] != line[-1]:
            line.append(line[0])
        lines.append(line)
        if rng.random() < 0.2:
            lines.append(line[:: rng.choice((1, -1))])
        if rng.random() < 0.2 and len(line) > 2:
            lines.append(line[1:][:: rng.choice((1, -1))])
    return lines


def drawn(rng, rule, cells, lines, goal=None):
    """A puzzle on these lines, and its start in words."""
    words = [rng.choice("...123bb") for _ in range(cells)] if rule == "slide" else rng.choices(".o", k=cells)
    for number in "123":  # each number once, so that pieces that differ and like ones meet
        for extra in [cell for cell, word in enumerate(words) if word == number][1:]:
            words[extra] = "b"
    blank = rng.randrange(cells)
    words[blank] = "."
    words[(blank + 1) % cells] = words[(blank + 1) % cells].replace(".", "b" if rule == "slide" else "o")
    fixed = [word for word in set("b") & set(words) if rule == "slide" and set("123") & set(words)]
    text = [f"rule: {rule}", "count: step", "board:", "  " + " ".join(NAMES[:cells])]
    text += ["lines:", *("  " + "-".join(NAMES[cell] for cell in line) for line in lines)]
    text += [f"fixed: {' '.join(fixed)}"] if fixed and rng.random() < 0.2 else []
    text += ["start: " + " ".join(words), "goal: " + " ".join(goal or words)]
    return from_text("\n".join(text), "lines.pzl")


def senses(lines):
    return [way for line in lines for way in (line, line[::-1])]


def stretches(line):
    """Every stretch of at least two cells that comes to no cell twice."""
    spans = ((i, j) for i in range(len(line)) for j in range(i + 2, len(line) + 1))
    return [line[i:j] for i, j in spans if len(set(line[i:j])) == j - i]


def by_the_words(metric, lines, position, still):
    """The positions one move away, read from the lines. `still` are the symbols that never move, 0 is the blank."""
    found = set()

    def put(changes):
        made = bytearray(position)
        for cell, symbol in changes:
            made[cell] = symbol
        found.add(bytes(made))

    def movable(cell):
        return position[cell] != 0 and position[cell] not in still

    if metric == "piece":
        links = {pair for line in senses(lines) for pair in zip(line, line[1:], strict=False)}
        for origin in filter(movable, range(len(position))):
            seen, queue = {origin}, deque([origin])
            while queue:
                here = queue.popleft()
                for cell in (b for a, b in links if a == here and b not in seen and position[b] == 0):
                    seen.add(cell)
                    queue.append(cell)
                    put([(origin, 0), (cell, position[origin])])
        return found
    for line in senses(lines):
        for first, *others in stretches(line):
            last = others[-1]
            ahead = all(position[cell] == 0 for cell in others)
            pushed = position[last] == 0 and all(map(movable, [first, *others[:-1]]))
            if movable(first) and ahead and (metric == "run" or (metric in ("step", "multi") and len(others) == 1)):
                put([(first, 0), (last, position[first])])
            elif metric == "multi" and pushed:
                put([(first, 0), *zip(others, (position[cell] for cell in (first, *others)), strict=False)])
    return found


def jumps_by_the_words(chain, lines, position):
    """The positions one move away: a jump over the neighbour on a line, or with the same peg several."""
    found = set()
    triples = {t for line in senses(lines) for t in zip(line, line[1:], line[2:], strict=False) if t[0] != t[2]}
    queue = [(position, None)]
    seen = set(queue)
    while queue:
        here, peg = queue.pop()
        for a, over, b in triples:
            if here[a] and here[over] and not here[b] and peg in (None, a):
                made = bytearray(here)
                made[a] = made[over] = 0
                made[b] = here[a]
                if (bytes(made), b) not in seen:
                    found.add(bytes(made))
                    seen.add((bytes(made), b))
                    queue += [(bytes(made), b)] if chain else []
    return found


def reached(model, limit=4000):
    """The positions by their distance from the start, by `Model.moves`, or None if they are many."""
    distance = {model.start: 0}
    queue = deque([model.start])
    while queue and len(distance) <= limit:
        here = queue.popleft()
        for child in model.moves(here):
            if child not in distance:
                distance[child] = distance[here] + 1
                queue.append(child)
    return None if queue else distance


def random_slide(seed, most=7):
    """A puzzle and its lines; the goal is a position that the start reaches, if that is not all there is."""
    rng = Random(seed)
    cells = rng.randint(4, most)
    lines = random_lines(rng, cells)
    state = rng.getstate()
    puzzle = drawn(rng, "slide", cells, lines)
    words = [puzzle.view.decode(position) for position in reached(puzzle.model("step")) or ()]
    rng.setstate(state)
    goal = Random(-seed).choice(words) if words else None
    return drawn(rng, "slide", cells, lines, goal), lines


def still(puzzle):
    return {symbol for _, symbol in puzzle.view.walls}


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("metric", METRICS)
def test_slides_move_as_the_lines_are_read(metric, part):
    several = 0
    for seed in range(100 * part, 100 * part + 100):
        puzzle, lines = random_slide(seed)
        model = puzzle.model(metric)
        assert model.reversible
        several += any(len(directions) > 1 for directions in puzzle.board.directions.values())
        for position in list(reached(model, 300) or [model.start])[:60]:
            assert set(model.moves(position)) == by_the_words(metric, lines, position, still(puzzle)), (seed, position)
            assert set(model.backward.moves(position)) == set(model.moves(position)), (seed, position)
            assert {p: len(ways) for p, ways in model.ways(position).items()} == dict.fromkeys(model.moves(position), 1)
    assert several > 30


@pytest.mark.parametrize("metric", ["step", "chain"])
def test_pegs_jump_as_the_lines_are_read(metric):
    for seed in range(300):
        rng = Random(seed)
        cells = rng.randint(4, 8)
        lines = random_lines(rng, cells)
        model = drawn(rng, "jump", cells, lines).model(metric)
        for position in list(reached(model))[:40]:
            assert set(model.moves(position)) == jumps_by_the_words(metric == "chain", lines, position), (
                seed,
                position,
            )


@pytest.mark.parametrize("metric", METRICS)
def test_only_metrics_with_directions_have_several_rules_for_a_link(metric):
    for seed in range(60):
        puzzle, _ = random_slide(seed)
        model = puzzle.model(metric)
        links = [rule.cells for rule in model.rules]
        if metric in ("step", "piece") or not model.metric.after:
            assert model.rules == puzzle.rules
            assert len(set(links)) == len(links)
        assert set(links) == {rule.cells for rule in puzzle.rules}


def agrees(engine, model, distance, goal, thresholds=USUAL):
    """Hold what an engine finds against distances from the start; return how many questions it answered."""
    answered = 0
    sizes = [list(distance.values()).count(depth) for depth in range(max(distance.values()) + 1)]
    if engine.depths and engine.refuses(model, "depths") is None:
        found = engine.depths(Depths(model, (model.start,), keep=5), Watch(thresholds=thresholds))
        last = sorted(p for p, depth in distance.items() if depth == len(sizes) - 1)
        assert (list(found.counts), list(found.deepest)) == (sizes, last[:5])
        answered += 1
    if engine.search and engine.refuses(model, "search") is None:
        wanted = engines_named("plain").search(Search(model, model.start, (goal,), every=True), Watch())
        assert len(wanted.layers) == distance[goal] + 1
        for name in HEURISTICS if engine.bounds is not None else ("",):
            try:
                question = Search(model, model.start, (goal,), every=True, heuristic=name)
                found = engine.search(question, Watch(thresholds=thresholds))
            except UnsupportedError:
                assert name
                continue
            assert found.layers == wanted.layers, name
            answered += 1
    return answered


def engines_named(name):
    return next(engine for engine in ENGINES if engine.name == name)


@cache
def followed(seed, metric):
    """Slides on random lines: the model, the distances from its start and its goal; None if they are too many."""
    puzzle, _ = random_slide(seed, 6)
    model = puzzle.model(metric)
    distance = reached(model, 1500)
    return (model, distance, puzzle.goals[0].position) if distance is not None and model.rules else None


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_every_engine_follows_lines(engine, metric):
    given = [each for seed in range(40) if (each := followed(seed, metric)) is not None]
    answered = sum(agrees(engine, *each) for each in given)
    assert answered > 15 or engine.name in ("linear", "pegs", "boxes", "encoded")  # these take no slides


@pytest.mark.parametrize("metric", ["step", "chain"])
@pytest.mark.parametrize("name", ["plain", "bidirectional", "frontier", "table", "pegs"])
def test_every_engine_jumps_along_lines(name, metric):
    answered = 0
    for seed in range(60):
        rng = Random(seed)
        cells = rng.randint(5, 8)
        model = drawn(rng, "jump", cells, random_lines(rng, cells)).model(metric)
        distance = reached(model)
        if len(distance) > 1:
            goal = rng.choice(sorted(distance))
            model = replace(model, goals=(Goal.exactly(goal),))
            answered += agrees(engines_named(name), model, distance, goal)
    few = (name, metric) == ("table", "chain")  # tables count chains only if none is longer than a jump
    assert answered > (3 if few else 10)


@pytest.mark.parametrize("metric", ["run", "multi"])
def test_the_compiled_search_below_a_bound_follows_lines(metric):
    below = Thresholds({PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0})
    answered = 0
    for seed in range(25):
        puzzle, _ = random_slide(seed)
        model = puzzle.model(metric)
        distance = reached(model, 1500)
        if distance is not None and model.rules:
            answered += agrees(deepening.ENGINE, model, distance, puzzle.goals[0].position, below)
    assert answered > 15


@pytest.mark.parametrize("metric", ["run", "multi"])
def test_the_compiled_layers_follow_lines(metric):
    answered = 0
    for seed in range(20):
        puzzle, _ = random_slide(seed)
        model = puzzle.model(metric)
        distance = reached(model, 1500)
        if distance is not None and model.rules:
            found = frontier.count_layers(Depths(model, (model.start,)), Watch(), 0)
            assert list(found.counts) == [list(distance.values()).count(d) for d in range(len(found.counts))]
            assert sum(found.counts) == len(distance)
            answered += 1
    assert answered > 10


def solutions(model, distance, goal):
    """Every shortest solution, position by position."""
    ways = [[goal]]
    for depth in range(distance[goal] - 1, -1, -1):
        ways = [[p, *way] for way in ways for p, d in distance.items() if d == depth and way[0] in model.moves(p)]
    return ways


@pytest.mark.parametrize("metric", METRICS)
def test_solutions_are_counted_and_listed_once(metric):
    for seed in range(40):
        puzzle, lines = random_slide(seed, 6)
        model = puzzle.model(metric)
        distance = reached(model, 600)
        if distance is None:
            continue
        wanted = solutions(model, distance, puzzle.goals[0].position)
        layers = plain.search(Search(model, model.start, (puzzle.goals[0].position,), every=True), Watch()).layers
        assert count_paths(model, layers) == len(wanted)
        found = [[position for position, _ in path] for path in all_paths(model, layers)]
        assert sorted(found) == sorted(wanted)
        for path in all_paths(model, layers):
            frames = puzzle.frames([position for position, _ in path], model, [made for _, made in path[1:]])
            assert frames[-1].position == puzzle.goals[0].position
            for frame in frames[1:]:
                route = [NAMES.index(cell) for cell in frame.name.split()[-1].split("-")]
                assert metric == "piece" or route in [each for line in senses(lines) for each in stretches(line)]
                assert metric != "step" or len(route) == 2


def makes(model):
    """What every path of rules of one move does: the image of each position there is, rule by rule."""
    every = [bytes(p) for p in product(range(model.symbols), repeat=model.cells)]
    does = [tuple(rule.apply(p) for p in every) for rule in model.rules]
    found, queue = set(), deque((number,) for number in range(len(model.rules)))
    while queue:
        path = queue.popleft()
        found.add(tuple(does[number] for number in path))
        queue += [(*path, number) for number in model.followers[path[-1]]]
    return every, found


def renamed(position, cells, symbols):
    image = bytearray(len(position))
    for cell, symbol in enumerate(position):
        image[cells[cell]] = symbols[symbol]
    return bytes(image)


@pytest.mark.parametrize("metric", ["run", "multi"])
def test_symmetries_map_lines_onto_lines(metric):
    """Held against every renaming that keeps the set of what paths of rules do, and the goal."""
    several = 0
    for seed in range(25):
        puzzle, _ = random_slide(seed, 4)
        model = puzzle.model(metric)
        if model.symbols > 4 or not model.metric.after:
            continue
        every, paths = makes(model)
        group = symmetries(model)
        assert group.complete
        found = {(each.cells, each.symbols) for each in group.elements()}
        wanted = set()
        for cells, symbols in product(permutations(range(model.cells)), permutations(range(model.symbols))):
            image = {p: renamed(p, cells, symbols) for p in every}
            if any(model.start.count(s) != model.start.count(t) for s, t in enumerate(symbols)):
                continue
            if {image[p] for p in every if model.is_goal(p)} != {p for p in every if model.is_goal(p)}:
                continue
            place = [every.index(image[p]) for p in every]
            mapped = set()
            for path in paths:
                rows = []
                for does in path:
                    row = [None] * len(every)
                    for at, child in enumerate(does):
                        row[place[at]] = None if child is None else image[child]
                    rows.append(tuple(row))
                mapped.add(tuple(rows))
            if mapped == paths:
                wanted.add((cells, symbols))
        assert found == wanted, seed
        for each in group.elements():
            assert sorted(each.rules) == list(range(len(model.rules)))
            for rule, other in enumerate(each.rules):
                assert {each.rules[then] for then in model.followers[rule]} == set(model.followers[other])
        several += len(found) > 1
    assert several > 2


def pzl(lines, start, goal="", count="multi"):
    names = " ".join(NAMES[: len(start.split())])
    goal = f"\ngoal: {goal}" if goal else ""
    return from_text(
        f"rule: slide\ncount: {count}\nboard:\n  {names}\nlines: {lines}\nstart: {start}{goal}\n", "lines.pzl"
    )


def test_a_link_on_several_lines_has_each_of_their_directions():
    puzzle = pzl("c-h-b-g d-g-b f-g-b", "a 1 c . 1 c 2 3", "a 3 * * * 2 1 *")
    assert questions.depths(puzzle, origin="start").counts == (1, 2, 3)
    lines = "b-c-a-d d-a-c c-a-b-e-d e-a-b-c c-d-e"
    assert questions.depths(pzl(lines, "b . 3 . .", count="run"), origin="start").counts == (1, 6, 12, 1)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("a-b-c-d", ["a-b-c-d"]),
        ("a-b-c-d d-c-b-a a-b-c-d", ["a-b-c-d"]),
        ("a-b-c-a", ["a-b-c", "b-c-a"]),
        ("a-b-a-b-a", ["a-b"]),
        ("a-b-c-b-d", ["a-b-c", "c-b-d"]),
        ("a-b-c-d-b-a", ["a-b-c-d", "c-d-b-a"]),
        ("a-b a-b-c", ["a-b", "a-b-c"]),
    ],
)
def test_a_line_that_comes_to_a_cell_twice_is_cut(lines, wanted):
    board = pzl(lines, "1 . . .").board
    assert ["-".join(board.names[cell] for cell in stretch) for stretch in board.stretches] == wanted


@pytest.mark.parametrize(
    ("lines", "start", "metric", "wanted"),
    [
        ("a-b-c-a", ". 1 2", "multi", {"1 . 2", "2 1 .", "1 2 .", "2 . 1"}),
        ("a-b-c-d-a", "1 . . 2", "run", {". 1 . 2", ". . 1 2", "1 2 . .", "1 . 2 ."}),
        ("a-b-c-d-a-b", "1 . . 2", "run", {". 1 . 2", ". . 1 2", "1 2 . .", "1 . 2 ."}),
        ("a-b-d-b-c", "1 . . .", "run", {". 1 . .", ". . . 1"}),
        ("a-b b-c", "1 . .", "run", {". 1 ."}),
        ("a-b-c c-b-a", "1 2 .", "multi", {"1 . 2", ". 1 2"}),
        ("a-b-c a-b-d", "1 . . .", "run", {". 1 . .", ". . 1 .", ". . . 1"}),
    ],
)
def test_what_run_and_multi_do_where_lines_come_back(lines, start, metric, wanted):
    puzzle = pzl(lines, start)
    found = {" ".join(puzzle.view.decode(position)) for position in puzzle.model(metric).moves(puzzle.start)}
    assert found == wanted
