"""Every engine, metric, bound and question on one puzzle, compared with the judge and the second implementation.

`examine` returns the faults found. An engine may refuse (UnsupportedError) but raise nothing else, and its answers must
be right. Engines are called directly, so that no check in the program hides their answers, and again through the public
functions.
"""

from __future__ import annotations

import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np

from puzzlespace import symmetry
from puzzlespace.analysis import impossible, paths
from puzzlespace.api import batches, dispatch, questions
from puzzlespace.api import components as spaces
from puzzlespace.api.loader import from_text
from puzzlespace.bounds.choosing import SLIDE_NAMES, slide_heuristic
from puzzlespace.contract.answers import Geodesics, Layers, Status
from puzzlespace.contract.questions import Depths, Engine, Search, WantedLayers
from puzzlespace.engines import pegs, table, template
from puzzlespace.engines.deepening import coset_search, is_listed, listed, listed_search, piece_search
from puzzlespace.engines.deepening.moves import Moves
from puzzlespace.engines.packed.positions import refusal
from puzzlespace.engines.shared import audit, draws, selfcheck
from puzzlespace.engines.table import bit_index
from puzzlespace.errors import InputError, LimitError, PuzzlespaceError, UnsupportedError
from puzzlespace.graph.layout import lay_out
from puzzlespace.graph.positions import explored
from puzzlespace.heuristics import (
    coset_tables,
    cosets,
    database,
    finer_cosets,
    grouping,
    labels,
    marked_cosets,
    piece_tables,
    spelling,
    sums,
)
from puzzlespace.kernels.deepening.idastar_bounds import VIEW, bound_of
from puzzlespace.limits.thresholds import USUAL, Thresholds
from puzzlespace.limits.watch import Limits, Watch
from puzzlespace.model.goal import Goal
from puzzlespace.model.rule import ANY
from puzzlespace.puzzle.puzzle import Puzzle
from puzzlespace.registry import ENGINES
from puzzlespace.structure import rectangle, slides
from puzzlespace.tables import export
from puzzlespace.tables.kinds import table_of
from puzzlespace.tables.opened import AT_ONCE, BitTable

from . import judge, reference
from .judge import TooLargeError
from .variants import BY_NAME, FEW_PIECES, LOW, VARIANTS

MOST = 4000
"""The most positions of a random puzzle."""

PLACED = 3000
"""The most placements that are checked one by one."""

SECONDS = 20.0
"""An engine that takes more processor time on a tiny puzzle has a fault."""

TRICKLE = Limits(seconds=900)
"""Time for the compiler as well."""


@dataclass(frozen=True)
class Fault:
    """A wrong answer or an unexpected exception; `kind` is 'wrong', 'raised' or 'slow'."""

    question: str
    engine: str
    metric: str
    bound: str
    kind: str
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        """A key that faults with the same cause usually share."""
        engine = self.engine.partition("/")[0]
        return self.question, engine, self.kind if self.kind != "raised" else self.text.strip().split("\n")[-1][:60]

    def __str__(self) -> str:
        return f"{self.kind}: {self.question} by {self.engine} in {self.metric} {self.bound}: {self.text}"


@dataclass
class Examination:
    """The questions about one puzzle, and the faults found."""

    faults: list[Fault] = field(default_factory=list)
    asked: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    answered: Counter[tuple[str, str]] = field(default_factory=Counter)  #: by engine, and thresholds or part


def examine(text: str, seed: int = 0, thorough: bool = False) -> Examination:
    """Ask questions about a puzzle: all of them if `thorough`, else a random part that the seed selects."""
    found = Examination()
    try:
        puzzle = from_text(text, "random.pzl")
    except PuzzlespaceError as error:
        found.faults.append(Fault("read", "", "", "", "refused", str(error)))
        return found
    random = Random(seed)
    share = 0.25 if puzzle.model().cells <= 24 else 0.05
    metrics = [name for name in puzzle.metrics if name == puzzle.metrics[0] or thorough or random.random() < share]
    for name in metrics:
        if puzzle.model(name).metric.costs:  # test_fuzz compares these with shortest paths of its own
            continue
        try:
            _Asking(puzzle, text, name, random, thorough, found).everything()
        except TooLargeError:
            continue
        except Exception:
            found.faults.append(Fault("model", "", name, "", "raised", traceback.format_exc(limit=-4)))
    return found


class _Asking:
    """One puzzle in one metric."""

    def __init__(
        self, puzzle: Puzzle, text: str, metric: str, random: Random, thorough: bool, found: Examination
    ) -> None:
        self.puzzle, self.text, self.metric, self.random, self.found = puzzle, text, metric, random, found
        self.thorough = thorough
        self.model = puzzle.model(metric)
        self.judge = judge.of_model(self.model, MOST)
        self.engine, self.bound = "", ""

    # answers

    def chance(self, share: float) -> bool:
        """Return whether to ask a question that is asked for this share of the puzzles."""
        return self.thorough or self.random.random() < share

    def wrong(self, question: str, text: str) -> None:
        self.found.faults.append(Fault(question, self.engine, self.metric, self.bound, "wrong", text))

    def same(self, question: str, found: Any, expected: Any) -> None:
        if found != expected:
            self.wrong(question, f"expected {_short(expected)}, found {_short(found)}")

    @contextmanager
    def asking(self, question: str, *expected: type[Exception]) -> Iterator[None]:
        """Record exceptions as faults, except `expected` ones."""
        what = (self.puzzle.kind.name, self.engine.partition("/")[0], self.metric, self.bound or question)
        self.found.asked[what] += 1
        try:
            yield
            engine, _, thresholds = self.engine.partition("/")
            self.found.answered[engine, thresholds] += 1
        except (UnsupportedError, *expected):
            self.found.refused[what] += 1
        except TooLargeError:
            raise
        except LimitError as error:
            text = f"{error}\n{traceback.format_exc(limit=-3)}"
            self.found.faults.append(Fault(question, self.engine, self.metric, self.bound, "slow", text))
        except Exception:
            trace = traceback.format_exc(limit=-4)
            self.found.faults.append(Fault(question, self.engine, self.metric, self.bound, "raised", trace))

    def settled(self, path: Iterable[bytes]) -> list[bytes]:
        """Return the positions that stand for those of a path."""
        return [self.model.settled(bytes(position)) for position in path]

    # right answers

    @cached_property
    def left(self) -> dict[bytes, int]:
        """The distance to the goal of every position that the start reaches."""
        assert self.model.start is not None
        return self.judge.to_goal(self.model.start)

    @cached_property
    def reached(self) -> list[set[bytes]]:
        """Layers from the start."""
        assert self.model.start is not None
        return self.judge.layers([self.model.start])

    @cached_property
    def moves(self) -> int | None:
        """The length of a shortest solution."""
        return self.left.get(self.model.start or b"")

    @cached_property
    def number(self) -> int:
        """How many shortest solutions there are."""
        assert self.model.start is not None
        return 0 if self.moves is None else self.judge.solutions(self.model.start, self.left)

    @cached_property
    def ways(self) -> tuple[frozenset[bytes], ...]:
        """The positions on shortest solutions, by distance from the start."""
        if self.moves is None:
            return ()
        layers = [frozenset({self.model.start or b""})]
        while self.left[next(iter(layers[-1]))]:
            layers.append(frozenset(child for p in layers[-1] for child in self.judge.best(p, self.left)))
        return tuple(layers)

    @cached_property
    def goals(self) -> tuple[bytes, ...] | None:
        """The goal positions as the package lists them."""
        return impossible.goal_positions(self.model)

    # questions

    def everything(self) -> None:
        """Ask all questions."""
        if self.model.start is not None:
            _ = self.reached  # raises TooLargeError before any question
        self.second_reading()
        if self.model.start is not None and self.model.goals:
            self.searches()
            if self.chance(0.35):
                self.people_solve()
            if self.chance(0.3):
                self.distances()
            self.bounds()
            if self.chance(0.05):
                self.batch()
            if self.chance(0.3):
                self.jumping()
            if self.chance(0.5):
                self.listed()
                self.pieces()
                self.cosets()
                self.bound = ""
            if self.chance(0.2):
                self.sums()
        if self.chance(0.1):
            self.any_goal()
        self.counts()
        if self.chance(0.25):
            self.stopped()
        if self.chance(0.2):
            self.wanted()
        if self.chance(0.2):
            self.numberings()
        if self.chance(0.3):
            self.chosen()
        if self.chance(0.35):
            self.people_count()
        if self.model.start is not None and self.chance(0.1):
            self.webs()
        if self.chance(0.3):
            self.symmetries()
        if self.chance(0.06):
            self.kept()
        if self.metric == self.puzzle.metrics[0] and self.chance(0.25):
            self.components()

    def second_reading(self) -> None:
        """Compare rules, goals and the definitions of what is counted with the second implementation."""
        self.engine, self.bound = "model", ""
        with self.asking("second reading"):
            ref = reference.read(self.text)
            decode = self.puzzle.view.decode
            theirs: dict[Any, bytes] = {}

            def there(position: bytes) -> Any:
                other = ref.settled(ref.place(tuple(decode(position))), self.metric)
                if theirs.setdefault(other, position) != position:
                    self.wrong("one to one", f"{list(position)} and {list(theirs[other])} are one position")
                return other

            if ref.start is not None:
                self.same(
                    "start",
                    None if self.model.start is None else there(self.model.start),
                    ref.settled(ref.start, self.metric),
                )
            positions = (
                [p for layer in self.reached for p in layer] if self.model.start is not None else self.goals or ()
            )
            for position in list(positions)[:MOST]:
                mine = {there(child): ways for child, ways in self.judge.moves(position).items()}
                other = dict(ref.moves(there(position), self.metric))
                if mine != other:
                    self.wrong("moves", f"of {decode(position)}: expected {_short(other)}, found {_short(mine)}")
                    return
                if self.model.is_goal(position) != ref.is_goal(there(position)):
                    self.wrong("is goal", f"{decode(position)}: expected {ref.is_goal(there(position))}")
                    return
            with _quiet(reference.TooManyError):
                listed = reference.goal_positions(ref, PLACED)
                if listed is not None and self.model.goals:
                    mine = None if self.goals is None else {there(p) for p in self.goals}
                    self.same("goal positions", mine, {ref.settled(position, self.metric) for position in listed})

    def variants(self, engine: Engine) -> list[tuple[str, Thresholds]]:
        """Return some sets of thresholds; layers of positions of several words go to the disk more often."""
        if self.thorough:
            return list(VARIANTS.items())
        if engine.name == "frontier" and self.model.cells > 12 and self.random.random() < 0.5:
            return [("disk", VARIANTS["disk"])]
        return self.random.sample(list(VARIANTS.items()), 1)

    def some(self, engines: list[Engine], number: int, always: tuple[str, ...], question: str) -> list[Engine]:
        """Return some engines: those that are `always` asked, others that do not refuse, and one that may."""
        able = [engine for engine in engines if engine.refuses(self.model, question) is None]
        first = [engine for engine in able if engine.name in always]
        others = [engine for engine in able if engine not in first]
        found = [*first, *self.random.sample(others, min(len(others), max(0, number - 1 - len(first))))]
        return [*found, self.random.choice(engines)]

    def searches(self) -> None:
        """Ask all engines for all shortest solutions and for one."""
        able = [engine for engine in ENGINES if engine.search is not None]
        for engine in able if self.thorough else self.some(able, 4, ("idastar", "pegs", "boxes", "gliders"), "search"):
            for label, thresholds in self.variants(engine):
                self.engine, self.bound = f"{engine.name}/{label}", ""
                if engine.name != "idastar":
                    self.search(engine, thresholds, "")
                    continue
                for bound in self.some_bounds():
                    self.bound = bound
                    self.search(engine, thresholds, bound)

    def some_bounds(self) -> list[str]:
        """Return ways to ask for lower bounds."""
        letters = [w for words in self.puzzle.view.letters[1:] for w in words]  # type: ignore[attr-defined]
        groups = self.random.choice(("1", "2", "1-1", "2-1", "1-2-1", "3-2", "2-2-2"))
        mixed = self.random.sample(letters, len(letters))
        cut = self.random.randint(0, len(mixed))
        named_groups = "/".join(" ".join(part) for part in (mixed[:cut], mixed[cut:]) if part)
        found = ["", *SLIDE_NAMES, f"pattern:{groups}", "max:distance,assignment", "walking+inversion+pattern"]
        found.append("walking+inversion")
        if named_groups:
            found.append(f"pattern:{named_groups}")
        if self.thorough:
            return found
        if self.metric == "multi":  # other bounds tell little where one move carries several pieces
            return ["pattern", self.random.choice(found)]
        board = slides.read(self.model)
        if not isinstance(board, str) and rectangle.read(board) is not None and self.random.random() < 0.5:
            lines = self.random.choice(("", "walking", "inversion", "walking+inversion", "walking+inversion+pattern"))
            if self.puzzle.gates:
                lines = self.random.choice(("walking", lines))
            return [lines, self.random.choice(found)]
        return self.random.sample(found, 2)

    def search(self, engine: Engine, thresholds: Thresholds, bound: str) -> None:
        """Ask one engine for all positions on shortest solutions, and for one solution."""
        start = self.model.start
        assert start is not None
        listed = self.goals if self.goals is not None else None
        letters = self.puzzle.view.letters  # type: ignore[attr-defined]
        for goals in {None, listed} if self.chance(0.3) else {self.random.choice((None, listed, listed))}:
            if goals == ():
                continue
            for every in (True, False) if self.chance(0.3) else (self.random.random() < 0.7,):
                with self.asking("search", *self.expected_of(bound)):
                    if engine.refuses(self.model, "search") is not None:
                        raise UnsupportedError
                    question = Search(self.model, start, goals, every, bound, letters)
                    assert engine.search is not None
                    self.solved(self.timed(engine.search, question, thresholds), every)

    def timed(self, work: Callable[[Any, Watch], Any], question: Any, thresholds: Thresholds) -> Any:
        """Return an answer; raise LimitError if it takes long for other reasons than the compiler's."""
        for _ in range(2):  # the compiler's work is not done again
            began = process_time()
            answer = work(question, Watch(TRICKLE, thresholds=thresholds))
            if process_time() - began <= SECONDS:
                return answer
        raise LimitError("seconds", f"took more than {SECONDS} s of processor time")

    def expected_of(self, bound: str) -> tuple[type[Exception], ...]:
        """Check that groups with too many pieces, or with unknown pieces, are bad input."""
        return (InputError,) if bound.startswith("pattern:") else ()

    def solved(self, found: Geodesics, every: bool) -> None:
        """Compare the answer to a search with the right one."""
        if found.stopped is not None and found.stopped.kind == "positions" and self.engine.startswith("pegs/"):
            raise UnsupportedError  # too many positions on shortest solutions to list
        if found.stopped is not None:
            raise found.stopped
        self.same("length", len(found.layers) - 1 if found.layers else None, self.moves)
        if self.moves is None or not found.layers or len(found.layers) - 1 != self.moves:
            return
        self.same("bound", found.bound, self.moves)
        if found.solutions is not None:
            self.same("solutions", found.solutions, self.number)
        if every and found.solutions is None:
            self.same(
                "ways", [sorted(map(list, each)) for each in found.layers], [sorted(map(list, w)) for w in self.ways]
            )
            return
        if not all(a <= b and a for a, b in zip(found.layers, self.ways, strict=True)):
            self.wrong("way", f"{[sorted(map(list, each)) for each in found.layers]} is not on shortest solutions")
        with self.asking("first path"):
            path = [p for p, _ in paths.first_path(self.model, found.layers)]
            for problem in judge.walk(self.judge, path):
                self.wrong("way", problem)

    def tuned(self, engine: Engine, thresholds: Thresholds) -> Engine:
        """Return an engine with other thresholds, to be passed to the public functions."""

        def with_them(work: Callable[[Any, Watch], Any] | None) -> Callable[[Any, Watch], Any] | None:
            def asked(question: Any, watch: Watch) -> Any:
                assert work is not None
                watch.thresholds = thresholds
                return work(question, watch)

            return None if work is None else asked

        works = {name: with_them(getattr(engine, name)) for name in ("depths", "search", "goal_depths")}
        return replace(engine, **works)  # type: ignore[arg-type]

    def an_engine(self, question: str) -> Engine | str:
        """Return an engine that does not refuse, or 'auto'."""
        able = [e for e in ENGINES if getattr(e, question) is not None and e.refuses(self.model, question) is None]
        if question == "depths":
            able += [e for e in self.tables() if e.refuses(self.model, "depths") is None]
        engine = self.random.choice([*able, "auto"])
        if isinstance(engine, str):
            self.engine = engine
            return engine
        label, thresholds = self.random.choice(list(VARIANTS.items()))
        self.engine = f"{engine.name}/{label}"
        return self.tuned(engine, thresholds)

    def people_solve(self) -> None:
        """Call `solve` and `solutions`."""
        for _ in range(4 if self.thorough else 1):
            engine = self.an_engine("search")
            self.bound = self.random.choice(self.some_bounds()) if self.engine.startswith("idastar") else ""
            with self.asking("solve", *self.expected_of(self.bound)):
                answer = questions.solve(
                    self.puzzle, metric=self.metric, engine=engine, count=True, heuristic=self.bound, limits=TRICKLE
                )
                if answer.stopped is not None and answer.stopped.kind == "positions" and "pegs/" in self.engine:
                    raise UnsupportedError
                if answer.stopped is not None:
                    raise answer.stopped
                status = Status.OPTIMAL if self.moves is not None else Status.IMPOSSIBLE
                self.same("status", answer.status, status)
                self.same("length", answer.moves, self.moves)
                self.same("solutions", answer.solutions, self.number)
                self.same("names", len(answer.names), self.moves or 0)
                if self.moves is not None and answer.path:
                    self.same("start", self.model.settled(bytes(answer.path[0])), self.model.start)
                    for problem in judge.walk(self.judge, self.settled(answer.path)):
                        self.wrong("solve", problem)
            self.bound = ""
            if self.number <= 200:
                few = (LimitError,) if self.engine.startswith(("pegs/", "linear/")) else ()
                with self.asking("solutions", *few):
                    listed = list(questions.solutions(self.puzzle, metric=self.metric, engine=engine, limits=TRICKLE))
                    self.same("solutions", len(listed), self.number)
                    for answer in listed:
                        for problem in judge.walk(self.judge, self.settled(answer.path)):
                            self.wrong("solutions", problem)

    def distances(self) -> None:
        """Ask for the distance and the best moves of some positions."""
        positions = [p for layer in self.reached for p in layer]
        engine = self.an_engine("search")
        for position in self.random.sample(sorted(positions), min(3, len(positions))):
            with self.asking("distance"):
                there = questions.with_start(self.puzzle, position)
                metric_there = judge.of_model(there.model(self.metric), MOST)
                found = questions.distance(self.puzzle, position, metric=self.metric, engine=engine, limits=TRICKLE)
                if self.engine.startswith("pegs/") and found.solution.stopped is not None:
                    continue  # more positions on shortest solutions than these thresholds list
                self.same("distance", found.distance, metric_there.to_goal(position).get(position))
                best = metric_there.best(position, metric_there.to_goal(position))
                after = [there.model(self.metric).settled(bytes(p)) for _, p in found.next]
                self.same("best moves", sorted(after), sorted(best))

    def batch(self) -> None:
        """Ask for several positions at once."""
        positions = sorted(p for layer in self.reached for p in layer)[:20]
        self.engine = "auto"
        with self.asking("batch"):
            lines = [self.puzzle.line(position) for position in positions]
            answers = batches.solve(batches.read(self.puzzle, lines), metric=self.metric, limits=TRICKLE)
            self.same("batch", [answer.moves for answer in answers], [self.left.get(p) for p in positions])

    def bounds(self) -> None:
        """Compare lower bounds with the distance of every position."""
        board = slides.read(self.model)
        if isinstance(board, str) or not self.left:
            return
        letters = self.puzzle.view.letters  # type: ignore[attr-defined]
        start = self.model.start
        assert start is not None
        self.engine = "bound"
        reversible = self.model.reversible
        goal_sets: list[tuple[Goal, ...]] = [self.model.goals]
        if self.goals is not None and self.goals:
            goal_sets.append(tuple(map(Goal.exactly, self.goals)))
        for text in dict.fromkeys(self.some_bounds()):
            self.bound = text or "distance"
            with self.asking("bound", *self.expected_of(self.bound)):
                made = slide_heuristic(
                    spelling.numbered(self.bound, letters), board, self.random.choice(goal_sets), start
                )
                for position, depth in self.left.items():
                    value = made.bound(position)
                    if value > depth:
                        self.wrong("bound", f"{value} of {list(position)}, which is {depth} moves away")
                        break
        assert reversible
        if self.chance(0.5):
            self.database(board)
        self.bound = ""

    def database(self, board: slides.Slides) -> None:
        """Hold the bound of a pattern database, on all positions, against their distances."""
        self.bound = "database"
        goal = self.random.choice(self.goals) if self.goals else None
        if goal is None or len(self.goals or ()) > 1:
            return
        with self.asking("bound", InputError):
            if database.refusal(board, goal) is not None:
                raise UnsupportedError
            pieces = labels.read(board, goal, goal, self.random.random() < 0.5)
            base = database.Database(board, goal, pieces, grouping.choose(board, goal, pieces, 5_000))
            base.build()
            for position, depth in self.left.items():
                if base.bound(position) > depth:
                    self.wrong("bound", f"{base.bound(position)} of {list(position)}, which is {depth} moves away")
                    break

    def sums(self) -> None:
        """Hold lower bounds in the additive form of the compiled search against the distances."""
        self.engine = "sums"
        start, board = self.model.start, slides.read(self.model)
        if isinstance(board, str) or start is None or refusal(self.model, (start, *(self.goals or ()))):
            return
        letters = self.puzzle.view.letters  # type: ignore[attr-defined]
        goals = self.model.goals if self.goals is None else tuple(map(Goal.exactly, self.goals))
        if not goals:
            return
        positions = sorted(p for layer in self.reached for p in layer)
        for text in dict.fromkeys(("walking", *self.some_bounds())):
            self.bound = text or "distance"
            with self.asking("sums", *self.expected_of(self.bound)):
                name = spelling.numbered(self.bound, letters)
                made = sums.make(name, board, goals, slide_heuristic(name, board, goals, start))
                if made is None:
                    raise UnsupportedError
                moves = Moves(Search(self.model, start, tuple(self.goals or ())), goals, made)
                words = 2 * moves.packing.words
                rows = np.zeros((1, words), np.uint64), np.zeros((1, VIEW + len(made.views)), np.int64)
                for position in self.random.sample(positions, min(20, len(positions))):
                    rows[0][0, : words // 2] = moves.packing.pack(position)
                    rows[1][0] = moves.begin(position)
                    with np.errstate(over="ignore"):
                        value, depth = int(bound_of(moves.plan, rows, 0)), self.left.get(position)
                    if depth is not None and value > depth:
                        self.wrong("bound", f"{value} of {list(position)}, which is {depth} moves away")
                        break
        self.bound = ""

    def any_goal(self) -> None:
        """Ask engines for the way to one position that need not have the pieces of the start."""
        start = self.model.start
        if start is None or self.model.shapes is not None or self.puzzle.kind.path == "over":
            return
        goal = list(start)
        a, b = (self.random.randrange(len(goal)) for _ in range(2))
        goal[a], goal[b] = (goal[b], goal[a]) if self.random.random() < 0.5 else (goal[b], goal[b])
        goal = self.model.settled(bytes(goal))
        model = replace(self.model, goals=(Goal.exactly(goal),))
        depth = {p: d for d, layer in enumerate(self.reached) for p in layer}
        for engine in self.some([engine for engine in ENGINES if engine.search is not None], 3, ("idastar",), "search"):
            label, thresholds = self.random.choice(list(VARIANTS.items()))
            self.engine = f"{engine.name}/{label}"
            with self.asking("any goal"):
                if engine.refuses(model, "search") is not None:
                    raise UnsupportedError
                assert engine.search is not None
                question = Search(model, start, self.random.choice((None, (goal,))), False)
                found = self.timed(engine.search, question, thresholds)
                if found.stopped is not None:
                    raise found.stopped
                self.same("length", len(found.layers) - 1 if found.layers else None, depth.get(goal))

    def some_goal(self, layers: list[set[bytes]]) -> Goal:
        """Return a goal that one position at least meets: some cells show some symbols, and a symbol has its number."""
        position = self.random.choice(sorted(p for layer in layers for p in layer))
        need = [ANY] * self.model.cells
        for cell in self.random.sample(range(len(need)), self.random.randint(1, min(3, len(need)))):
            need[cell] = 1 << position[cell] | self.random.getrandbits(self.model.symbols)
        symbol = self.random.choice(position)
        return Goal(tuple(need), ((symbol, position.count(symbol)),) if self.random.random() < 0.3 else ())

    def counts(self) -> None:
        """Ask all engines, and all kinds of tables, to count depths from sources."""
        for sources in self.sources():
            expected = self.judge.layers(sources)
            goals = self.model.goals[: self.random.randint(0, 2)]
            if self.chance(0.2):
                goals = (*goals, self.some_goal(expected))
            collect = sorted(
                (p, d) for d, layer in enumerate(expected) for p in layer if any(g.holds(p) for g in goals)
            )
            tables = self.tables()
            able = [engine for engine in (*ENGINES, *tables, template.ENGINE) if engine.depths is not None]
            for engine in able if self.thorough else self.some(able, 5, ("linear",), "depths"):
                for label, thresholds in self.variants(engine)[: 3 if self.thorough else 1]:
                    self.engine = f"{engine.name}/{label}"
                    with self.asking("depths"):
                        if engine.refuses(self.model, "depths") is not None:
                            raise UnsupportedError
                        keep = self.random.choice((0, 1, 5, 10_000))
                        question = Depths(self.model, tuple(sources), keep, goals)
                        self.counted(self.timed(engine.depths, question, thresholds), expected, keep, collect)
                    if engine.goal_depths is not None and self.model.reversible and self.model.goals:
                        self.count_to_goals(engine, sources, thresholds)

    def count_to_goals(self, engine: Engine, sources: list[bytes], thresholds: Thresholds) -> None:
        """Ask an engine for depths from the goals that sources reach."""
        with self.asking("goal depths"):
            if engine.refuses(self.model, "depths") is not None:
                raise UnsupportedError
            met = [p for layer in self.judge.layers(sources) for p in layer if self.model.is_goal(p)]
            expected = self.judge.layers(met) if met else []
            question = Depths(self.model, tuple(sources), 50, self.model.goals)
            assert engine.goal_depths is not None
            found = engine.goal_depths(question, Watch(TRICKLE, thresholds=thresholds))
            self.same("goal depths", found.counts, tuple(map(len, expected)))

    def stopped(self) -> None:
        """Ask engines to stop early: what they say until then must be right."""
        what = self.random.choice(("depths", "search") if self.model.start is not None and self.goals else ("depths",))
        for sources in islice(self.sources(), 1 if what == "search" else None):
            every = (*ENGINES, *self.tables(), template.ENGINE)
            able = [engine for engine in every if getattr(engine, what) is not None]
            for engine in able if self.thorough else self.some(able, 4, (), what):
                label, thresholds = self.random.choice(list(VARIANTS.items()))
                self.engine = f"{engine.name}/{label}"
                limits = Limits(positions=self.random.choice((0, 1, 5, 20, 100)), seconds=TRICKLE.seconds)
                with self.asking(f"{what} stopped"):
                    if engine.refuses(self.model, what) is not None:
                        raise UnsupportedError
                    watch = Watch(limits, thresholds=thresholds)
                    if what == "search":
                        self.stopped_search(engine, watch)
                    else:
                        self.stopped_count(engine, sources, watch)

    def stopped_search(self, engine: Engine, watch: Watch) -> None:
        """Hold a search that may stop against what is right: a solution, or moves that are needed at least."""
        assert self.model.start is not None
        assert engine.search is not None
        letters = self.puzzle.view.letters  # type: ignore[attr-defined]
        found = engine.search(Search(self.model, self.model.start, self.goals, False, "", letters), watch)
        if found.stopped is None:
            self.solved(found, False)
            return
        self.same("stopped by", found.stopped.kind, "positions")
        if self.moves is not None and found.bound is not None and found.bound > self.moves:
            self.wrong("bound when stopped", f"expected at most {self.moves}, found {found.bound}")

    def stopped_count(self, engine: Engine, sources: list[bytes], watch: Watch) -> None:
        """Hold a count that may stop against what is right: the layers before it stopped."""
        expected = tuple(map(len, self.judge.layers(sources)))
        question = Depths(self.model, tuple(sources), 5, self.model.goals[:1])
        assert engine.depths is not None
        found = engine.depths(question, watch)
        if found.stopped is None:
            self.same("counts", found.counts, expected)
        else:
            self.same("stopped by", found.stopped.kind, "positions")
            self.same("complete when stopped", found.complete, False)
            self.same("counts when stopped", found.counts, expected[: len(found.counts)])
        if engine.goal_depths is not None and self.model.reversible and self.model.goals:
            asked = replace(question, collect=self.model.goals)
            near = engine.goal_depths(asked, Watch(watch.limits, thresholds=watch.thresholds))
            met = [p for layer in self.judge.layers(sources) for p in layer if self.model.is_goal(p)]
            right = tuple(map(len, self.judge.layers(met))) if met else ()
            done = right if near.stopped is None else right[: len(near.counts)]
            self.same("goal depths when stopped", near.counts, done)

    def wanted(self) -> None:
        """Ask engines to hand over the positions of some layers, whole or a part of each, and draw from them."""
        able = [e for e in (*ENGINES, template.ENGINE) if e.lists and e.refuses(self.model, "depths") is None]
        for sources in self.random.sample(every := list(self.sources()), min(1, len(every))):
            expected = self.judge.layers(sources)
            for engine in self.random.sample(able, min(2, len(able))):
                label, thresholds = self.random.choice(list(VARIANTS.items()))
                self.engine = f"{engine.name}/{label}"
                with self.asking("wanted layers"):
                    self.handed(engine, thresholds, sources, expected)
            self.engine = "draw"
            with self.asking("draw"):
                pattern = self.random.choice((None, self.some_goal(expected), *self.model.goals))
                at_once = self.random.choice((1, 3, draws.AT_ONCE))
                drawn = draws.Draw(self.random.getrandbits(30), 3, pattern, at_once)
                for depth, layer in enumerate(expected):
                    drawn.take(depth, [sorted(layer)])
                fits = {(d, p) for d, layer in enumerate(expected) for p in layer if not pattern or pattern.holds(p)}
                self.same("seen", drawn.seen, {depth: len(layer) for depth, layer in enumerate(expected)})
                self.same("fitting", drawn.fitting, len(fits))
                self.same("drawn", (len(drawn.drawn), set(drawn.drawn) <= fits), (min(3, len(fits)), True))

    def handed(self, engine: Engine, thresholds: Thresholds, sources: list[bytes], expected: list[set[bytes]]) -> None:
        """Ask an engine to hand over layers."""
        found: dict[int, list[bytes]] = {}

        def take(depth: int, blocks: Any) -> None:
            found.setdefault(depth, []).extend(row.tobytes() for block in blocks for row in draws.rows_of(block))

        first = self.random.randrange(len(expected))
        last = self.random.choice((None, self.random.randrange(first, len(expected))))
        most, halvings = self.random.choice(((None, 0), (None, 0), (1, 0), (5, 0), (None, 1), (None, 3)))
        wanted = WantedLayers(take, first, last, most, halvings, self.random.getrandbits(30))
        assert engine.depths is not None
        engine.depths(Depths(self.model, tuple(sources), 0, (), wanted), Watch(TRICKLE, thresholds=thresholds))
        for depth, layer in enumerate(expected):
            handed = found.get(depth, [])
            self.same("handed over once", len(set(handed)), len(handed))
            if not wanted.has(depth) or (most is None and not halvings):
                self.same("handed over", set(handed), layer if wanted.has(depth) else set())
            elif not set(handed) <= layer or (most is not None and len(layer) <= most and set(handed) != layer):
                self.wrong("handed over", f"{len(handed)} positions of {len(layer)} at depth {depth}, not all of them")

    def numberings(self) -> None:
        """Turn positions into numbers of each kind of table, and back."""
        anchor = self.model.anchor
        for kind in table.KINDS:
            self.engine = f"table:{kind}"
            with self.asking("numbering"):
                chosen = table.choose_kind(self.model, kind, self.random.choice(BY_NAME))
                if chosen is None or anchor is None:
                    raise UnsupportedError
                plan = chosen.plan
                reached = sorted(p for layer in self.judge.layers([anchor]) for p in layer)
                known = {plan.rank(position): position for position in reached}
                self.same("different numbers", len(known), len(reached))
                for number, position in self.random.sample(sorted(known.items()), min(20, len(known))):
                    self.same("position of a number", plan.unrank(number), position)
                mixed = bytes(self.random.sample(list(anchor), len(anchor)))
                with suppress(InputError):
                    self.same("position of any number", plan.unrank(plan.rank(mixed)), mixed)
                places = bit_index.places_of(chosen, [anchor])
                bits = {places.bit(position) for position in reached}
                self.same("different bits", len(bits), len(reached))
                self.same("bits in the table", 0 <= min(bits) <= max(bits) < 64 * places.words, True)
                self.same("fingerprint", len(places.fingerprint()), 16)
        self.engine = "audit"
        if anchor is not None:
            with self.asking("number of positions"):
                total = audit.reachable(replace(self.model, start=anchor, goals=()), 0.2)
                right = sum(map(len, self.judge.layers([anchor])))
                self.same("number of positions", total, right if total is not None else None)

    def tables(self) -> list[Engine]:
        """Return an engine for each kind of table, by sizes that refuse nothing for being small."""
        return [table.of_kind(kind, self.random.choice(BY_NAME)) for kind in table.KINDS]

    def sources(self) -> Iterator[list[bytes]]:
        """Yield sets of positions to count from."""
        if self.model.start is not None:
            yield [self.model.start]
            positions = sorted(p for layer in self.reached for p in layer)
            if self.chance(0.2):
                picked = self.random.sample(positions, min(len(positions), self.random.randint(2, 5)))
                yield [*picked, picked[0]]
        goals = list(self.goals or ())
        if goals and self.chance(0.3):
            yield goals[:50]

    def counted(self, found: Layers, expected: list[set[bytes]], keep: int, collect: list[tuple[bytes, int]]) -> None:
        """Compare counts with the right ones."""
        if found.stopped is not None:
            raise found.stopped
        self.same("counts", found.counts, tuple(map(len, expected)))
        self.same("complete", found.complete, True)
        if found.counts == tuple(map(len, expected)):
            self.same("deepest", list(found.deepest), sorted(expected[-1])[:keep])
            self.same("collected", sorted(found.collected), collect)
            each = [found.collected[number] for number in range(len(found.collected))]
            self.same("collected one by one", each, list(found.collected))
            self.same("some collected", list(found.collected[1:3]), each[1:3])

    def people_count(self) -> None:
        """Call `depths`, from the start and to the goal."""
        ref = reference.read(self.text)
        for origin in ("start", "goal"):
            engine = self.an_engine("depths")
            with self.asking(f"depths {origin}"):
                if origin == "start" and self.model.start is None:
                    continue
                if origin == "goal" and not self.model.goals:
                    continue
                expected: Any = None
                if origin == "start":
                    expected = tuple(map(len, self.reached))
                else:
                    expected = reference.depths_to_goal(ref, self.metric, PLACED)
                limits = TRICKLE if expected is not None else replace(TRICKLE, positions=PLACED)
                found = questions.depths(
                    self.puzzle, origin=origin, metric=self.metric, engine=engine, keep=10_000, limits=limits
                )
                if found.stopped is not None:
                    if expected is None:
                        continue  # many positions lead to the goal, or its pieces are not known
                    raise found.stopped
                if expected is not None:
                    self.same(f"depths {origin}", found.counts, tuple(expected))
                if origin == "start":
                    self.same("hardest", sorted(map(bytes, found.hardest)), sorted(self.reached[-1]))
                self.classes(found, origin)

    def classes(self, found: Any, origin: str) -> None:
        """Compare the number of classes of the hardest positions with their images under the symmetries."""
        if found.classes is None or len(found.hardest) > 300 or found.counts[-1] != len(found.hardest):
            return
        model = self.model
        if origin == "start":
            assert model.start is not None
            model = replace(model, start=None, goals=(Goal.exactly(model.start),))
        group = symmetry.symmetries(model)
        hardest = set(map(bytes, found.hardest))
        classes = 0
        while hardest:
            pending = [hardest.pop()]
            seen = set(pending)
            classes += 1
            while pending:
                here = pending.pop()
                images = {each.apply(here) for each in group.generators} - seen
                seen |= images
                pending += images
                if len(seen) > MOST:
                    return  # cells that no move reaches may show anything, in any order
            hardest -= seen
        self.same("classes", found.classes, classes)

    def symmetries(self) -> None:
        """Check that each generator maps moves and goals onto themselves."""
        self.engine = "symmetries"
        keep = self.model.start is not None and self.random.random() < 0.5
        with self.asking("symmetries"):
            group = symmetry.symmetries(self.model, start=keep)
            positions = (
                sorted(p for layer in self.reached for p in layer) if self.model.start else list(self.goals or ())
            )
            for each in group.generators:
                if keep:
                    self.same("start kept", each.apply(self.model.start or b""), self.model.start)
                for position in self.random.sample(positions, min(20, len(positions))):
                    image = each.apply(position)
                    expected = {
                        self.model.settled(each.apply(child)): ways
                        for child, ways in self.judge.moves(position).items()
                    }
                    self.same("moves of an image", judge.of_model(self.model).moves(image), expected)
                    self.same("goal of an image", self.model.is_goal(image), self.model.is_goal(position))
                    self.same("back from an image", each.inverse().apply(image), position)

    def chosen(self) -> None:
        """Test the automatic choice of the engine, with all thresholds; the checks must find no wrong answer."""
        label, thresholds = self.random.choice(list(VARIANTS.items()))
        self.engine, self.bound = f"auto/{label}", ""
        watch = partial(Watch, TRICKLE, thresholds=thresholds)
        if self.model.start is not None and self.model.goals:
            with self.asking("chosen search"):
                every = self.random.random() < 0.5
                looked = watch()
                question = Search(self.model, self.model.start, self.random.choice((None, self.goals)), every)
                if question.goals != ():
                    _, found = dispatch.search(question, looked)
                    self.same("faults", looked.faults, [])
                    self.solved(found, every)
        for sources in self.sources():
            with self.asking("chosen depths"):
                looked = watch()
                keep, goals = self.random.choice((0, 3, 10_000)), self.model.goals[:1]
                expected = self.judge.layers(sources)
                collect = sorted(
                    (p, d) for d, each in enumerate(expected) for p in each if any(g.holds(p) for g in goals)
                )
                _, counted = dispatch.depths(Depths(self.model, tuple(sources), keep, goals), looked)
                self.same("faults", looked.faults, [])
                self.counted(counted, expected, keep, collect)
            if self.model.reversible and self.model.goals:
                with self.asking("chosen goal depths"):
                    looked = watch()
                    met = [p for layer in self.judge.layers(sources) for p in layer if self.model.is_goal(p)]
                    near = dispatch.goal_depths(Depths(self.model, tuple(sources), 50, self.model.goals), looked)
                    self.same("faults", looked.faults, [])
                    if near is not None:
                        self.same("goal depths", near[1].counts, tuple(map(len, self.judge.layers(met))) if met else ())

    def jumping(self) -> None:
        """Ask how many positions of pegs are reached, how many lie on a path to a goal, and for a path to each goal."""
        self.engine, self.bound = "pegs", ""
        start, goals = self.model.start, self.goals
        if self.puzzle.kind.path != "over" or start is None or not goals:
            return
        thresholds = self.random.choice((USUAL, LOW))
        with self.asking("census"):
            steps = self.puzzle.model("step")
            if pegs.refuses(steps, "search") is not None:
                raise UnsupportedError
            right = judge.of_model(replace(steps, goals=tuple(map(Goal.exactly, goals))), MOST)
            reached = [p for layer in right.layers([start]) for p in layer]
            leads = right.to_goal(start)
            ways: dict[bytes, int] = {start: 1}
            for position in sorted(reached, key=lambda p: sum(map(bool, p)), reverse=True):
                for child, number in right.moves(position).items():
                    ways[child] = ways.get(child, 0) + ways[position] * number
            found = pegs.census(self.puzzle.model(self.metric), goals, Watch(TRICKLE, thresholds=thresholds))
            ample = selfcheck.Budget(SECONDS, MOST)
            numbers = selfcheck.WayCounts(found.reached[0], found.on_ways[0], found.ways)
            self.same("check of ways", selfcheck.wrong_ways(steps, goals, numbers, ample), None)
            wrong = numbers._replace(ways=numbers.ways + 1)
            self.same("wrong ways are found", selfcheck.wrong_ways(steps, goals, wrong, ample) is None, False)
            self.same("reached", found.reached[0], len(reached))
            self.same("on ways", found.on_ways[0], sum(position in leads for position in reached))
            self.same("ways", found.ways, sum(ways.get(goal, 0) for goal in goals))
            from_start = symmetry.symmetries(replace(steps, start=None, goals=(Goal.exactly(start),)))
            if found.reached[1] is not None:
                self.same("classes of reached", found.reached[1], len(from_start.orbits(reached)))
            both = symmetry.symmetries(replace(steps, goals=tuple(map(Goal.exactly, goals))), start=True)
            if found.on_ways[1] is not None:
                on_ways = [position for position in reached if position in leads]
                self.same("classes on ways", found.on_ways[1], len(both.orbits(on_ways)))
        with self.asking("way to each goal"):
            depth = {p: d for d, layer in enumerate(self.reached) for p in layer}
            each = pegs.shortest_to_each(self.model, goals, Watch(TRICKLE))
            self.same("goals with a way", sorted(each), sorted(goal for goal in goals if goal in depth))
            for goal, path in each.items():
                self.same("length", (path[0], path[-1], len(path) - 1), (start, goal, depth.get(goal)))
                for before, after in zip(path, path[1:], strict=False):
                    if after not in self.judge.moves(before):
                        self.wrong("way to each goal", f"{list(before)} does not lead to {list(after)}")

    def listed(self) -> None:
        """Search listed moves below the bound of adjacent pairs, however weak it is, and hold the bound alone."""
        self.engine, self.bound = "idastar/listed", "adjacent pairs"
        start, goals = self.model.start, self.goals
        if not is_listed(self.model) or start is None or not goals:
            return
        with self.asking("search"):
            every = self.random.random() < 0.5
            limits = replace(TRICKLE, positions=20_000)
            watch = Watch(limits, thresholds=self.random.choice(list(VARIANTS.values())))
            found = listed_search.search(Search(self.model, start, goals, every), watch, strong=0)
            self.solved_or_stopped(found, every)
            read = listed.read(self.model, goals, 0)
            if isinstance(read, str):
                raise UnsupportedError
            for position, depth in self.left.items():
                if read.bound.bound(position) > depth:
                    self.wrong("bound", f"{read.bound.bound(position)} of {list(position)}, {depth} moves away")
                    break

    def solved_or_stopped(self, found: Geodesics, every: bool) -> None:
        """Compare the answer to a search that a limit may have stopped with the right one."""
        if found.stopped is None:
            self.solved(found, every)
        elif self.moves is not None and found.bound is not None and found.bound > self.moves:
            self.wrong("bound when stopped", f"expected at most {self.moves}, found {found.bound}")

    def pieces(self) -> None:
        """Search listed moves below tables of their pieces, and hold the tables alone."""
        self.engine, self.bound = "idastar/pieces", "pattern"
        start, goals = self.model.start, self.goals
        if not is_listed(self.model) or start is None or not goals:
            return
        with self.asking("search"):
            every = self.random.random() < 0.5
            by = self.random.choice(list(VARIANTS.values())) | FEW_PIECES
            watch = Watch(replace(TRICKLE, positions=20_000), thresholds=by)
            asked = self.random.choice(("", "pattern", "pattern:1"))
            found = piece_search.search(Search(self.model, start, goals, every, asked), watch)
            self.solved_or_stopped(found, every)
            given = listed.pieces_of(self.model, goals[0])
            ends = [] if isinstance(given, str) else [each for each in map(given.of, goals) if each is not None]
            if isinstance(given, str):
                raise UnsupportedError
            groups = piece_tables.choose(given, 2000, len(ends) == 1)
            made = piece_tables.tables(given, ends, groups, lambda _: None, 1 << 40)
            arrays = piece_search.PieceArrays(given, made, ends, every)
            for position, depth in self.left.items():
                states = given.of(position)
                if states is not None and arrays.bound(states) > depth:
                    self.wrong("bound", f"{arrays.bound(states)} of {list(position)}, {depth} moves away")
                    break

    def cosets(self) -> None:
        """Search listed moves below coset tables of any size, and hold the tables alone."""
        self.engine, self.bound = "idastar/cosets", "cosets"
        start, goals = self.model.start, self.goals
        if not is_listed(self.model) or start is None or not goals:
            return
        with self.asking("search"):
            given, goal, every = listed.pieces_of(self.model, goals[0]), goals[0], self.random.random() < 0.5
            if isinstance(given, str) or given.of(start) is None or len(goals) > 1:
                raise UnsupportedError
            ends = given.of(goal)
            chosen = cosets.choose(given, ends, self.random.choice((1, 12, 60, 300, 2000)), 1)
            made = None if chosen is None else coset_tables.CosetTable.of(given, ends, chosen)
            if made is None or marked_cosets.word_of(given) is None:
                raise UnsupportedError
            table, marks = marked_cosets.MarkedCosets(made), self.random.random() < 0.5
            made.build(1)
            made.ready = True
            if marks:
                table.build(1)
                table.ready = True
            by = self.random.choice(list(VARIANTS.values()))
            watch = Watch(replace(TRICKLE, positions=20_000), thresholds=by)
            question = Search(self.model, start, goals, every)
            finer = finer_cosets.table(made, 40 << self.random.randrange(10)) if self.random.random() < 0.5 else None
            if start != goal:
                self.solved_or_stopped(coset_search.search(question, table, marks, watch, finer), every)
            arrays = coset_search.CosetArrays(table if marks else made, every, finer if finer and finer.ready else None)
            for position, depth in self.left.items():
                states = given.of(position)
                if states is not None and arrays.bound(states) > depth:
                    self.wrong("bound", f"{arrays.bound(states)} of {list(position)}, {depth} moves away")
                    break

    def webs(self) -> None:
        """Ask for all positions and moves as a graph, for its distances, and for its layout in space."""
        self.engine, self.bound = "graph", ""
        assert self.model.start is not None
        with self.asking("graph"):
            graph = explored(self.model, (self.model.start,), MOST, Watch(TRICKLE))
            depth = {p: d for d, layer in enumerate(self.reached) for p in layer}
            self.same("depths", {graph.position(n): int(graph.layers[n]) for n in range(len(graph))}, depth)
            for number in self.random.sample(range(len(graph)), min(20, len(graph))):
                ends = graph.targets[graph.starts[number] : graph.starts[number + 1]].tolist()
                others = sorted(set(self.judge.moves(graph.position(number))) - {graph.position(number)})
                self.same("ends", sorted({graph.position(end) for end in ends} - {graph.position(number)}), others)
            near = graph.distances(graph.goals(self.model)).tolist()
            self.same("distances", {graph.position(n): d for n, d in enumerate(near) if d >= 0}, self.left)
            shown = lay_out(graph, graph.layers)
            for space in (shown.space, shown.layers):
                self.same("shape", (space.shape, bool(np.isfinite(space).all())), ((len(graph), 3), True))

    def kept(self) -> None:
        """Save a table, stop and resume it, and compare every distance."""
        from puzzlespace.api import saved

        origin = self.random.choice(("start", "goal"))
        if (origin == "start" and self.model.start is None) or (origin == "goal" and not self.model.goals):
            return
        for name in ("table", "frontier"):
            self.engine = f"kept {name}"
            with self.asking("kept"), tempfile.TemporaryDirectory() as folder:
                self.keep_one(saved, name, origin, folder)

    def keep_one(self, saved: Any, name: str, origin: str, folder: str) -> None:
        """Save a table in a folder."""
        ask = partial(questions.depths, self.puzzle, origin=origin, metric=self.metric)
        make = partial(saved.saving, self.puzzle, Path(folder) / "t", engine=name, metric=self.metric, every=0)
        if self.random.random() < 0.5:
            found = ask(engine=make(), limits=Limits(positions=self.random.randint(1, 60)))
            if found.stopped is not None:
                found = ask(
                    engine=make(resume=saved.started(Path(folder) / "t") if hasattr(saved, "started") else True)
                )
        else:
            found = ask(engine=make())
        if found.stopped is not None:
            raise found.stopped
        plain = ask(engine="plain")
        self.same("kept counts", found.counts, plain.counts)
        at_once = self.random.choice((0, AT_ONCE))
        opened = table_of(Path(folder) / "t", self.puzzle.model(self.metric), at_once)
        self.same("kept counts when opened", opened.counts, plain.counts)
        if name == "table":
            exported = export.depths_of(BitTable(Path(folder) / "t", opened.model))
            shown = np.bincount(exported[exported != export.UNREACHED])
            self.same("exported depths", tuple(map(int, shown)), tuple(found.counts))
        if origin == "start":
            for depth, layer in enumerate(self.reached):
                for position in self.random.sample(sorted(layer), min(5, len(layer))):
                    self.same("kept distance", opened.distance(position), depth)
            depths = {position: depth for depth, layer in enumerate(self.reached) for position in layer}
            mixed = [bytes(self.random.sample(list(p), len(p))) for p in self.random.sample(sorted(depths), 1) * 20]
            asked = [*depths, *mixed]
            found = dict(zip(asked, opened.distances(asked), strict=True))
            self.same("kept distances", found, {position: depths.get(position) for position in asked})
            self.same("kept holds", opened.holds(asked), [position in depths for position in asked])
        elif self.model.start is not None and self.model.reversible:
            for position in self.random.sample(sorted(self.left), min(20, len(self.left))):
                self.same("kept distance", opened.distance(position), self.left[position])
                best = self.judge.best(position, self.left)
                self.same("kept best", sorted(opened.best(position)), sorted(best))
            asked = [position for layer in self.reached for position in layer]
            self.same("kept distances", opened.distances(asked), [self.left.get(position) for position in asked])

    def components(self) -> None:
        """Ask for the components of all placements."""
        self.engine = "components"
        with self.asking("components"):
            ref = reference.components(reference.read(self.text), PLACED)
            if ref is None:
                return
            found, _ = spaces.components(self.puzzle, limits=TRICKLE)
            self.same("placements", found.positions, ref.positions)
            if found.sizes:
                self.same("components", list(found.sizes), list(map(tuple, ref.sizes)))
            self.same("fixed", found.fixed, ref.fixed)
            if found.solvable is not None:
                self.same("solvable", found.solvable, ref.solvable)


@contextmanager
def _quiet(*errors: type[Exception]) -> Iterator[None]:
    with suppress(errors):
        yield


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 400 else text[:400] + " …"
