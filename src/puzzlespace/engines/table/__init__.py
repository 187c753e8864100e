"""Depth tables with one bit per position: positions are ranked, and layers are sets of bits.

Most kinds of table compute the bits of the next layer without ranking positions one by one. If no such kind fits a
model, the kind `rank` unranks each position, moves it and ranks the result. Sources with different content, such as
positions of both parities, are counted separately and added up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib import import_module
from itertools import groupby, zip_longest
from typing import Any, NamedTuple, Protocol

from ...contract.answers import Layers
from ...contract.questions import SOME_PLACEMENTS, Depths, Engine, Prospect, Search, Space, Worth, model_of
from ...errors import InputError, UnsupportedError
from ...limits.machine import has_arrays, machine_memory, spare_memory
from ...limits.memory import counted, disk_room, sized
from ...limits.thresholds import USUAL, Threshold, Thresholds
from ...limits.watch import Watch, paced
from ...model.metric import Metric
from ...model.model import Model
from ..shared import loops

MODULES = {
    "slide": "slide", "turn": "turns", "frame": "frames", "words": "words",
    "product": "products", "xor": "toggles", "digits": "digits", "rank": "unranked",
}  # fmt: skip
"""The module of each kind of table; it is loaded when the kind is tried."""

KINDS = tuple(MODULES)
"""The kinds of tables. Of those that are worthwhile for a model, `slide` is preferred, then the last before `rank`."""

UNCONDITIONAL = ("turn", "words", "product", "xor")
"""The kinds for rules that apply to every position and permute what cells show (`structure.permutations`)."""

LEAN = 2**26
"""Frames are not tried if a faster kind takes at most this many bytes: listing them would take longer than counting."""

ATTEMPT_BYTES = Threshold(1 << 13)
"""Plain Python first generates up to one position for this many bytes of the table: a small share of its time.

Measured: an eighth and eight times as many changed `depths` of slide:2x5 and flip:5x5 by at most 13 %.
"""

WORTH = Threshold(40)
"""A fast kind may have this many times as many ranks as there are reachable positions (docs/methods/choice.md)."""


class OneBit(NamedTuple):
    """What a count with one bit a position takes: bytes of memory, and bytes of temporary files."""

    memory: int
    files: int


class TablePlan(Protocol):
    """How one kind of table ranks a model's positions.

    positions  the number of ranks
    bytes      memory for counting
    """

    @property
    def positions(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    def rank(self, position: bytes) -> int:
        """Return the rank of a position; raise InputError if it has none."""
        ...

    def unrank(self, number: int) -> bytes:
        """Return the position with this rank."""
        ...


MOST_ATTEMPTED = 200_000
"""The most positions that plain Python generates before a table is made."""

NOT_ON_DEVICE = "only tables of sliding puzzles by windows are counted on graphics cards"

LARGEST_CARD = 10**12
"""The memory of a graphics card is looked up for tables of at most so many bytes: no card has more."""

MANY = 10**9
"""Tables of at least this many positions announce their size before they are counted."""


@dataclass(frozen=True)
class Chosen:
    """A kind of table with its plan for a model.

    fast    whether it counts without ranking each position
    leaner  the kind to take if memory is too small for this one, or None
    """

    kind: str
    plan: TablePlan
    count: Callable[[TablePlan, Depths, Watch, int | None], Layers]
    fast: bool
    leaner: Chosen | None = None

    def within(self, memory: int | None) -> Chosen:
        """Return the first of this kind and its leaner ones that fits `memory` bytes, or the last."""
        if memory is None or self.least(memory) <= memory or self.leaner is None:
            return self
        return self.leaner.within(memory)

    def leanest(self) -> Chosen:
        """Return the one that takes the least memory."""
        if self.leaner is None:
            return self
        return min(self, self.leaner.leanest(), key=lambda each: each.least(0))

    def one_bit(self, memory: int) -> OneBit | None:
        """Return what a count takes that has one bit a position in memory, because two do not fit; None if it has two.

        memory  what there is, in bytes
        """
        found: OneBit | None = getattr(self.plan, "one_bit", None)
        return found if self.plan.bytes > memory and found is not None and found.files <= disk_room() else None

    def narrowed(self, question: Depths, by: Thresholds = USUAL) -> Chosen:
        """Return this kind with the plan for a question, if it takes less for some questions."""
        narrow = getattr(self.plan, "narrowed", None)
        return self if narrow is None else replace(self, plan=narrow(question, by))

    def least(self, memory: int) -> int:
        """Return the bytes of memory that a count takes if there are so many."""
        found = self.one_bit(memory)
        return self.plan.bytes if found is None else found.memory

    def keeping(self) -> Chosen | None:
        """Return this kind and its leaner ones without `turn`, which cannot keep layers or hand them over."""
        leaner = None if self.leaner is None else self.leaner.keeping()
        return leaner if self.kind == "turn" else replace(self, leaner=leaner)


@lru_cache(maxsize=16)
def choose(model: Model, by: Thresholds = USUAL) -> Chosen | None:
    """Return the kind of table for the positions with the pieces of the model's anchor, or None if no kind fits."""
    anchored = _anchored(model)
    if anchored is None:
        return None
    slide = _made("slide", anchored, by)
    if slide is not None:
        return slide
    single = simple(anchored)
    return None if single is None else _choose_simple(single, by)


@lru_cache(maxsize=16)
def choose_kind(model: Model, kind: str, by: Thresholds | None = None) -> Chosen | None:
    """Return one kind of table (a name of `KINDS`) for the same positions, or None if it does not fit.

    Without thresholds, no model is too small: those of the kind's `ASKED` are used.
    """
    anchored = _anchored(model)
    if anchored is None or kind == "slide":
        return None if anchored is None else _made(kind, anchored, by)
    single = simple(anchored)
    return None if single is None else _made(kind, single, by)


def _anchored(model: Model) -> Model | None:
    """Return the model with its anchor as start and without goals; None if it has no anchor or has free rules."""
    return None if model.anchor is None or model.metric.free else replace(model, start=model.anchor, goals=())


def _made(kind: str, model: Model, by: Thresholds | None) -> Chosen | None:
    """Return a kind of table, or None. Every move of the model must be one rule, except for the kind `slide`."""
    module = import_module(f".{MODULES[kind]}", __package__)
    plan = module.plan(model, module.ASKED if by is None else by)
    return None if plan is None else Chosen(kind, plan, module.depths, kind != "rank")


def simple(model: Model) -> Model | None:
    """Return the model with every move as one rule; None if the metric joins different rules."""
    from ...structure.permutations import as_rule, generators

    if not model.metric.after:
        return model
    moves = generators(model)
    if moves is None:
        return None
    rules = tuple(as_rule(str(number), move) for number, move in enumerate(moves))
    return replace(model, rules=rules, metric=Metric())


def _choose_simple(model: Model, by: Thresholds) -> Chosen | None:
    """Return the fastest kind of which few ranks are unreachable.

    It may have `by[WORTH]` times as many ranks as there are reachable positions; if their number is not known, as
    the kind `rank` has.
    """
    from ...ranking.reach import reached
    from ...structure.permutations import actions

    conditional = actions(model) is None

    best = _made("rank", model, by)
    ranked: Any = None if best is None else best.plan
    tight = None if ranked is None else reached(ranked.ranking) or ranked.positions

    def worth(kind: str) -> Chosen | None:
        made = None if conditional and kind in UNCONDITIONAL else _made(kind, model, by)
        few = made is not None and (tight is None or made.plan.positions <= by[WORTH] * tight)
        return made if few else None

    found = {kind: worth(kind) for kind in KINDS[1:-1] if kind != "frame"}
    later = (found[kind] for kind in KINDS[KINDS.index("frame") + 1 : -1])
    if not any(made is not None and made.plan.bytes <= LEAN for made in later):
        found["frame"] = worth("frame")
    for made in (found.get(kind) for kind in KINDS[1:-1]):
        if made is not None:
            lean = made.kind == "turn" or (best is not None and best.plan.bytes < made.plan.bytes)
            leaner = best if lean else None  # `turn` cannot be put in files, `rank` can
            best = replace(made, leaner=leaner)
    return best


def refuses(space: Space, question: str) -> str | None:
    """Return why the engine cannot answer (no rules, no kind of table that fits, too little memory), or None."""
    browser = _browser()
    return browser.refuses(space, question) if browser else _refusal(choose, space, question)


def _browser() -> Engine | None:
    """Return the engine that takes the place of this one if a browser has given its loops, else None."""
    if not loops.given():
        return None
    from .slide.in_browser import ENGINE

    return ENGINE


Choice = Callable[[Model], Chosen | None]


def _refusal(choice: Choice, space: Space, question: str) -> str | None:
    model = model_of(space)
    if model is None:
        return "its moves are Python functions, not rules"
    if question != "depths":
        return "it counts depths only"
    if not has_arrays():
        return "it needs NumPy and Numba, which this Python does not have"
    chosen = choice(model)
    if chosen is None:
        return "no numbering of its positions was found: pieces or metric do not fit any kind of table"
    kind = chosen.within(machine_memory())
    if kind.least(machine_memory()) > _room(kind):
        kind = chosen.leanest()
        least = kind.least(0)
        exactly = f" ({least:,} bytes)" if least < 10**18 else ""
        return (
            f"{counted(kind.plan.positions)} numbered positions need {sized(least)}{exactly}, there "
            f"are {_free(kind)} here"
        )
    return None


def worthwhile(model: Model) -> bool:
    """Return whether a fast kind of table fits the model and the memory, so that it beats a search by positions."""
    return _fast(model) is not None


def _fast(model: Model) -> Chosen | None:
    chosen = choose(model)
    if chosen is None:
        return None
    chosen = chosen.within(machine_memory())
    return chosen if chosen.fast and chosen.least(machine_memory()) <= _room(chosen) else None


def worth(question: Depths | Search, prospect: Prospect) -> Worth:
    """Return how many positions plain Python generates before a table is made, or why none is worth making.

    Perhaps only few of the numbered positions are reachable. This attempt takes a small share of the table's time. If
    only memory is missing for a table, the user is told.
    """
    browser, model = _browser(), model_of(question.space)
    if browser is not None and browser.worth is not None:
        return browser.worth(question, prospect)
    few = prospect.few(SOME_PLACEMENTS)
    if model is None or few or not has_arrays():
        return Worth.unless(few or refuses(question.space, "depths"))
    refusal = refuses(model, "depths")
    fast = None if refusal else _fast(model)
    if fast is not None:
        return Worth(_attempt(question, fast.plan.bytes // prospect.watch.thresholds[ATTEMPT_BYTES]))
    too_large = oversize(model)
    if too_large is not None:
        prospect.watch.say(too_large)
    return Worth.unless(too_large or refusal or "it would have to number each position")


def _attempt(question: Depths | Search, share: int) -> int:
    """Return how many positions plain Python generates first: 0 if there are as many sources."""
    most = min(MOST_ATTEMPTED, share)
    return most if isinstance(question, Depths) and len(question.sources) < most else 0


def oversize(model: Model) -> str | None:
    """Return a message with the size of the table if it does not fit this machine; None if it fits or there is none."""
    chosen = choose(model)
    if chosen is None:
        return None
    chosen = chosen.within(machine_memory())
    if chosen.least(machine_memory()) <= _room(chosen):
        return None
    chosen = chosen.leanest()
    return (
        f"a table of all positions does not fit: {counted(chosen.plan.positions)} numbered positions need "
        f"{sized(chosen.least(0))}, there are {_free(chosen)} here; positions are listed one by one"
    )


def _free(kind: Chosen) -> str:
    """Return in words what this machine has for a kind of table."""
    disk = f" of memory and {sized(disk_room())} of disk" if kind.kind == "slide" else ""
    return f"{sized(machine_memory())}{disk}"


def _room(kind: Chosen) -> int:
    """Return the bytes that this machine has for a kind of table; `slide` reads its bits in order, so files will do.

    It also can be counted on a graphics card.
    """
    if kind.kind != "slide":
        return machine_memory()
    room = machine_memory() + disk_room()
    if not room < kind.plan.bytes <= LARGEST_CARD:
        return room
    from ..shared.device import card_memory

    return max(room, card_memory())


def depths(question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    """Count the positions at each distance from the nearest source.

    Raises UnsupportedError if a source cannot be numbered.
    """
    browser = _browser()
    if browser is not None and browser.depths is not None:
        return browser.depths(question, watch)
    return _count(partial(choose, by=watch.thresholds), question, watch, threads)


def of_kind(kind: str, by: Thresholds | None = None) -> Engine:
    """Return an engine that counts with one kind of table only (a name of `KINDS`).

    It refuses models that this kind does not fit. Without thresholds, no model is too small.
    """
    choice = partial(choose_kind, kind=kind, by=by)
    return Engine(f"table:{kind}", partial(_refusal, choice), depths=partial(_count, choice))


def _count(choice: Choice, question: Depths, watch: Watch, threads: int | None = None) -> Layers:
    model = question.model
    if asks_for_layers(question):
        choice = partial(_keeping, choice)
    answers: list[Layers] = []
    left = [position for position, _ in groupby(sorted(question.sources))]  # a set takes ten times the memory
    begun = 0
    chosen = choice(model)
    while left:
        mine = _numbered(chosen, left)
        if not mine:
            chosen = choice(replace(model, start=left[0], goals=()))
            mine = _numbered(chosen, left)
        if chosen is None or not mine:
            raise UnsupportedError("engine table: the positions to measure from do not fit any kind of table")
        part = replace(question, sources=tuple(mine))
        if part.wanted is not None and len(mine) < begun + len(left):
            part = replace(part, wanted=replace(part.wanted, most=None))  # each part would be thinned by its own size
        memory = memory_left(watch)
        kind = chosen.narrowed(part, watch.thresholds).within(memory)
        if question.device == "gpu":
            _check_kind(kind)
        if kind.plan.positions >= MANY:
            memory = min(memory, spare_memory())
            one = kind.one_bit(memory)
            files = "" if one is None else f" of memory, {sized(one.files)} of temporary files"
            watch.say(f"{counted(kind.plan.positions)} numbered positions, {sized(kind.least(memory))}{files}")
        answers.append(kind.count(kind.plan, part, watch, threads))
        begun += len(mine)
        known = set(mine) if len(mine) < len(left) else ()
        left = [position for position in left if position not in known] if known else []
        stopped = answers[-1].stopped
        if stopped is not None and left:  # of the other components only the sources are known
            only = tuple(sorted(left)[: question.keep])
            answers.append(Layers((len(left),), only, False, watch.generated, watch.seconds, stopped=stopped))
            break
    return answers[0] if len(answers) == 1 else _together(answers, question.keep, watch)


def _check_kind(chosen: Chosen) -> None:
    if chosen.kind != "slide":
        raise UnsupportedError(f"device gpu: {NOT_ON_DEVICE}")


def check_device(chosen: Chosen) -> None:
    """Raise UnsupportedError if a kind of table cannot be counted on a graphics card here."""
    _check_kind(chosen)
    from .slide import on_device

    on_device.check()


def asks_for_layers(question: Depths) -> bool:
    """Return whether whole layers are kept, handed over, or searched for goals that are not one position."""
    from .mod3 import keeper_of

    collects = any(goal.position is None for goal in question.collect)
    return keeper_of(question) is not None or question.wanted is not None or collects


def _keeping(choice: Choice, model: Model) -> Chosen | None:
    chosen = choice(model)
    kept = None if chosen is None else chosen.keeping()
    if chosen is not None and kept is None:
        raise UnsupportedError(f"the kind of table {chosen.kind} cannot keep layers or hand them over")
    return kept


def memory_left(watch: Watch) -> int:
    """Return the bytes of memory that a table may take."""
    from ...search import compiler_memory  # memory used for compiling is not charged to the search

    assert compiler_memory is not None
    left = watch.memory_left()
    return machine_memory() if left is None else left


def _numbered(chosen: Chosen | None, positions: Sequence[bytes]) -> list[bytes]:
    """Return the positions that the table can rank; no other position leads to one of these."""
    if chosen is None:
        return []
    plan: Any = chosen.plan
    if chosen.kind == "slide":  # the rows are computed from all sources, because links may be one-way
        from .slide.arrays import fitting

        return fitting(plan.slides, positions)
    ranks = getattr(plan, "ranks", None)
    if ranks is None:
        return [position for position in paced(positions) if _holds(plan, position)]
    from .counting import row_blocks

    held = (flag for rows in row_blocks(positions) for flag in (ranks(rows) >= 0).tolist())
    return [position for position, holds in zip(positions, held, strict=True) if holds]


def _holds(plan: Any, position: bytes) -> bool:
    try:
        plan.rank(position)
    except InputError:
        return False
    return True


def _together(answers: Sequence[Layers], keep: int, watch: Watch) -> Layers:
    """Return the answer for all sources from the answers for disjoint components."""
    stopped = next((each.stopped for each in answers if each.stopped is not None), None)
    counts = tuple(map(sum, zip_longest(*(each.counts for each in answers), fillvalue=0)))
    if stopped is not None:
        counts = counts[: min(len(each.counts) for each in answers if each.stopped is not None)]
    last = [position for each in answers if len(each.counts) == len(counts) for position in each.deepest]
    collected = sorted((pair for each in answers for pair in each.collected), key=lambda pair: (pair[1], pair[0]))
    complete = all(each.complete for each in answers)
    return Layers(
        counts, tuple(sorted(last)[:keep]), complete, watch.generated, watch.seconds, tuple(collected),
        exact=all(each.exact for each in answers), stopped=stopped,
    )  # fmt: skip


ENGINE = Engine("table", refuses, depths=depths, speed=1000, worth=worth, lists=True, devices=True, arrays=False)
