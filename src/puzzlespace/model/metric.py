"""What counts as one move; `metrics` has the metrics by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .sentence import Law


@dataclass(frozen=True, slots=True)
class Stage:
    """Rules that are made as long as one of them changes the position: always the first that does.

    After the last stage, all stages begin again if one of them has changed something. A stage that is `once` makes at
    most one rule after each move, as soon as one of its rules changes the position.
    """

    rules: tuple[int, ...]
    once: bool = False


@dataclass(frozen=True, slots=True)
class Metric:
    """What counts as one move: `after[r]` are the rules that may follow rule r within the same move.

    With an empty `after`, as in the metric `step`, every rule is a move.

    free  rules that cost nothing before and after a move; each is undone by one of them. Positions that they lead to
          from each other count as one, and the least of them stands for all (`Model.settled`)
    costs    what each rule counts, if `after` is empty and they differ; () if every move counts one
    exhausts  whether a move goes on until none of the rules that may follow it applies; `after` then parts the rules
             into groups, and the rules of a group are tried in order, again and again
    automatic  what happens by itself after each rule: stages, one after the other (see `Stage`). Their rules are no
             moves. A rule that changes nothing is a move if what happens by itself changes something
    laws     positions that no move may lead to, after everything has happened by itself; moves lead out of them
    With stages or laws, every other rule is a move: `after`, `free` and `exhausts` are not used.
    """

    name: str = "step"
    after: tuple[tuple[int, ...], ...] = ()
    free: tuple[int, ...] = ()
    costs: tuple[int, ...] = ()
    exhausts: bool = False
    automatic: tuple[Stage, ...] = ()
    laws: tuple[Law, ...] = ()

    @property
    def single(self) -> bool:
        """Whether every rule is a move, each of which counts one."""
        return not (self.after or self.free or self.costs or self.exhausts or self.lawful)

    @property
    def lawful(self) -> bool:
        """Whether positions are forbidden, or something happens by itself: rules alone do not determine the moves."""
        return bool(self.automatic or self.laws)

    @property
    def beyond_rules(self) -> str | None:
        """Why rules alone do not determine the moves, in words; None if they do."""
        if self.automatic:
            return "something happens by itself after its moves"
        return "some of its positions are forbidden" if self.laws else None


STEP = Metric()
"""Every rule is a move."""
