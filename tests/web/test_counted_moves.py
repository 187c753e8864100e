"""The moves that the page counts are those of the metric: parts that are one move together count once."""

import random
from importlib.resources import files

import pytest

from puzzlespace import load, solve
from puzzlespace.api.loader import from_text
from puzzlespace.web import wire
from webserver import serving

COUNTS = """async ([joins, ats, chosen]) => {
  const { PlayHistory } = await import("/static/history.js");
  const history = new PlayHistory();
  history.visit(ats[0].position);
  history.spot.moves = ats[0].moves;
  return chosen.map((index, k) => {
    history.move(ats[k + 1].position, ats[k].moves[index], joins);
    history.spot.moves = ats[k + 1].moves;
    return history.spot.count;
  });
}"""

JOINING = ("run", "piece", "chain", "multi")

TWO_BLANKS = (
    "rule: slide\ncount: run\ndistinct: all\nstart: 1 2 3 4 / 5 6 7 . / 8 9 . .\ngoal: * * * * / * * * * / * * * 1\n"
)

TURNS = "rule: apply\ncount: run\nboard:\n  a b c\n  d e f\nmoves:\n  left: (a b e d)\n  right: (b c f e)\n" + (
    "start: A B C / D E F\ngoal: B C A / F D E\n"
)

CRATES = "rule: push\ncount: run\nstart: @ . . . / . $ . . / . . . .\ngoal: . . . . / . . . . / . . . $\n"


@pytest.fixture(scope="module")
def page(browser):
    with serving(files("puzzlespace.web")) as (address, _):
        page = browser.new_page(service_workers="block")
        page.goto(f"{address}../static/history.js")  # a page of any kind of this host
        yield page
        page.close()


def opened(source):
    return from_text(source, "mine.pzl") if "\n" in source else load(source)


def ways(puzzle, model, position):
    """Return (child, rules) of every move."""
    if puzzle.listed:
        return [(child, path) for child, paths in model.ways(position).items() for path in paths]
    return list(model.moves(position).items())


class Counter:
    """Counts the moves of a game by the model: a move goes on while one move from where it began does the same."""

    def __init__(self, puzzle, model, position):
        self.puzzle, self.model = puzzle, model
        self.joins = model.metric.name in JOINING
        self.line = [(position, 0, ())]

    def end(self, numbers, cell):
        for number in numbers:
            cell = dict(self.puzzle.carried(self.model.rules[number])).get(cell, cell)
        return cell

    def same(self, made, others):
        rules = [self.model.rules[number] for number in others or made]
        motions = [rule.motion for rule in rules if rule.motion is not None and not rule.motion.free]
        cells = [motion.origin for motion in motions] or range(self.model.cells)
        if len(motions) > 1 and motions[0].target == motions[1].origin:
            cells = cells[:1]  # one piece all the way
        elif not others:
            cells = cells[:1]
        return all(self.end(made, cell) == self.end(others, cell) for cell in cells)

    def move(self, child, numbers):
        """Return the count after another move, or another part of one."""
        _, count, made = self.line[-1]
        if self.joins and len(self.line) > 1:
            before, earlier, _ = self.line[-2]
            made = (*made, *numbers)
            if child == before and self.same(made, ()):
                self.line.pop()
                return earlier
            for to, whole in ways(self.puzzle, self.model, before):
                if to == child and self.same(made, whole):
                    self.line[-1] = (child, earlier + self.model.cost(whole), made)
                    return self.line[-1][1]
        self.line.append((child, count + self.model.cost(numbers), numbers))
        return self.line[-1][1]


def counts(puzzle, model, positions, paths):
    counter = Counter(puzzle, model, positions[0])
    return [counter.move(child, path) for child, path in zip(positions[1:], paths, strict=True)]


def shown(page, puzzle, model, positions, paths):
    """Return what the page counts after each move."""
    ats = [wire.at(puzzle, model, position) for position in positions]
    chosen = []
    for at, child, path in zip(ats, positions[1:], paths, strict=False):
        names = [model.rules[number].name for number in path]
        same = [
            move["to"] == puzzle.id(child) and [step["name"] for step in move["steps"]] == names for move in at["moves"]
        ]
        chosen.append(same.index(True))
    return page.evaluate(COUNTS, [wire.about(puzzle, model.metric.name)["joins"], ats, chosen])


def fewest(model, positions):
    """Return the fewest moves that lead along some of the positions to each of them in turn."""
    found, moves = [0], [model.moves(position) for position in positions]
    for index, position in enumerate(positions[1:], 1):
        through = [found[k] for k in range(index) if positions[k] == position]
        through += [found[k] + model.cost(moves[k][position]) for k in range(index) if position in moves[k]]
        found.append(min(through))
    return found[1:]


def random_game(puzzle, model, dice, length=24):
    """Return positions and moves of a game of parts of moves, which often goes on with the last move, or back."""
    positions, paths = [puzzle.anchor], []
    for _ in range(length):
        every = ways(puzzle, model, positions[-1])
        parts = [way for way in every if sum(number not in model.metric.free for number in way[1]) == 1]
        near = {positions[-2], *model.moves(positions[-2])} if len(positions) > 1 else set()
        on = [way for way in parts if way[0] in near]
        if not every:
            break
        wanted = [on, on, parts, every][dice.randrange(4)]
        child, path = dice.choice(wanted or parts or every)
        positions.append(child)
        paths.append(path)
    return positions, paths


def joined_games():
    """Return puzzles of each kind of moves that have parts, in each such metric, and one in steps."""
    found = [("dads", "step")]
    for name in [
        "dads",
        "hughes",
        "klotski",
        "rush60",
        "hexagram",
        "eight",
        "motor-car",
        "star13",
        "english",
        "cube2",
        "microban1",
    ]:
        for metric in sorted({*JOINING} & set(load(name).metrics)):
            found.append((name, metric))
    for text, metrics in ((TWO_BLANKS, ("run", "piece", "multi")), (TURNS, ("run",)), (CRATES, ("run",))):
        for metric in metrics:
            found.append((text, metric))
    return found


@pytest.mark.parametrize(("source", "metric"), joined_games(), ids=lambda word: word.split("\n")[0])
def test_the_counter_is_that_of_the_metric(page, source, metric):
    puzzle = opened(source)
    model = puzzle.model(metric)
    for seed in range(2):
        positions, paths = random_game(puzzle, model, random.Random(f"{source} {metric} {seed}"))
        told = shown(page, puzzle, model, positions, paths)
        assert told == counts(puzzle, model, positions, paths)
        assert all(count >= least for count, least in zip(told, fewest(model, positions), strict=True))


def in_parts(model, before, path):
    """Return the positions and moves of one move that is made in as many parts as there are."""
    positions, paths, now = [before], [], before
    for number in path:
        now = model.applied(number, now)
        if number not in model.metric.free:
            positions.append(model.settled(now))
            paths.append(model.moves(positions[-2])[positions[-1]] if model.metric.free else (number,))
    return positions[1:], paths


@pytest.mark.parametrize(
    ("source", "metric"),
    [("hughes", "piece"), ("hughes", "run"), ("dads", "piece"), ("motor-car", "multi"),
     ("star13", "chain"), (TURNS, "run"), (CRATES, "run")],
    ids=lambda word: word.split("\n")[0],
)  # fmt: skip
def test_a_shortest_solution_made_part_by_part_counts_its_moves(page, source, metric):
    puzzle = opened(source)
    model = puzzle.model(metric)
    solution = [model.settled(bytes(each)) for each in solve(puzzle, metric=metric).path]
    positions, paths = [solution[0]], []
    for before, after in zip(solution, solution[1:], strict=False):
        more, made = in_parts(model, before, model.moves(before)[after])
        assert more[-1] == after
        positions += more
        paths += made
    told = shown(page, puzzle, model, positions, paths)
    assert len(told) > len(solution) - 1
    assert told[-1] == sum(model.cost(model.moves(a)[b]) for a, b in zip(solution, solution[1:], strict=False))
    assert told[-1] == len(solution) - 1
