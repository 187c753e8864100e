"""What counts as one move; `metrics` has the metrics by name."""

from __future__ import annotations

from dataclasses import dataclass

from .sentence import Law


@dataclass(frozen=True, slots=True)
class Stage:
    """Rules that are made as long as one of them changes the position: always the first that does.

    After the last stage, all stages begin again if one of them has changed something, except those that are `once`:
    they make at most one rule after each move.
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
             moves
    laws     positions that no move may lead to, whatever happens by itself
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


STEP = Metric()
"""Every rule is a move."""
