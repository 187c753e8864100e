"""Files with several `rule:` lines: a move is one of any of the rules.

Each rule is built for itself from the common drawings. One of them, the speaker, says what goals and sentences mean and
what happens by itself; the rules of the others are written in its symbols. No rule has a motion: moves have names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import combinations

from ..errors import FormatError, InputError
from ..limits.watch import paced
from ..model.domain import inside
from ..model.effects import canonical
from ..model.goal import Goal
from ..model.metric import Stage
from ..model.rule import ANY, Rule, only
from ..model.sentence import Shows
from ..puzzle.draft import BLANK, PART_KEYS, PLAYER, Draft
from ..puzzle.letters import Letters
from ..puzzle.puzzle import COST, Puzzle, RuleKind
from ..puzzle.walking import unmanned
from . import checks

KindOf = Callable[[str], RuleKind | None]
"""Returns the rule kind of a name."""

OWN = ("rule", "along", "single", *(key.replace("-", "_") for key in PART_KEYS if key != "moves"), "moves")
"""The fields of a draft that each rule has for itself."""

REFUSED = ("passing", "anywhere", "tilt")
"""Fields of a draft that have no meaning beside other rules."""

COUNTS = ("step", COST)


@dataclass(frozen=True)
class RulePart:
    """One of the rules: its kind, the draft that has only this rule, and the puzzle of this draft."""

    kind: RuleKind
    draft: Draft
    puzzle: Puzzle

    @property
    def letters(self) -> list[str]:
        """The letter of each symbol."""
        assert isinstance(self.puzzle.view, Letters)
        return [letters[0] for letters in self.puzzle.view.letters]


@dataclass
class Joined:
    """The moves of several rules, in the symbols of one of them.

    shown    the symbols that cells with numbers may show
    numbers  the number of each rule of each part; rules that would always leave a range are left out
    """

    letters: Sequence[str]
    shown: Mapping[int, int]
    rules: list[Rule] = field(default_factory=list[Rule])
    costs: list[int] = field(default_factory=list[int])
    numbers: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])

    def add(self, at: int, part: RulePart) -> None:
        """Add the moves of a part; of moves with the same effect only the cheapest is kept, unless pieces may go on."""
        alone = at if part.puzzle.followers else -1
        found = {(canonical(rule, len(self.letters)), -1): number for number, rule in enumerate(self.rules)}
        by_itself = {number for stage in part.puzzle.automatic for number in stage.rules}
        for number, rule in enumerate(paced(part.puzzle.rules)):
            if number in by_itself:
                continue
            made = inside(converted(rule, part, self.letters), self.shown, len(self.letters))
            if made is None:
                continue
            cost = part.puzzle.costs[number] if part.puzzle.costs else 1
            place = found.setdefault((canonical(made, len(self.letters)), alone), len(self.rules))
            if place == len(self.rules):
                self.rules.append(made)
                self.costs.append(cost)
            elif cost < self.costs[place]:
                self.rules[place], self.costs[place] = made, cost
            self.numbers[at, number] = place

    def followers(self, parts: Sequence[RulePart]) -> tuple[tuple[int, ...], ...]:
        """Return for each rule those that may follow it within a move; () if none may."""
        if not any(part.puzzle.followers for part in parts):
            return ()
        found: list[tuple[int, ...]] = [()] * len(self.rules)
        for (at, number), place in self.numbers.items():
            after = parts[at].puzzle.followers
            if after:
                found[place] = tuple([self.numbers[at, each] for each in after[number] if (at, each) in self.numbers])
        return tuple(found)

    def stages(self, part: RulePart) -> tuple[Stage, ...]:
        """Add the rules of what happens by itself, and return its stages."""
        found: list[Stage] = []
        for stage in part.puzzle.automatic:
            first = len(self.rules)
            self.rules += [converted(part.puzzle.rules[number], part, self.letters) for number in stage.rules]
            found.append(Stage(tuple(range(first, len(self.rules))), stage.once))
        self.costs += [1] * (len(self.rules) - len(self.costs))
        return tuple(found)


def converted(rule: Rule, part: RulePart, letters: Sequence[str]) -> Rule:
    """Return a rule of a part in the symbols of some letters, without its motion, with the name of its moves."""
    to, size = [letters.index(letter) for letter in part.letters], len(letters)
    motion, names = rule.motion, part.puzzle.board.names
    tables: list[tuple[int, ...] | None] = []
    for table in rule.table:
        row = list(range(size))
        for symbol, new in enumerate(table or ()):
            row[to[symbol]] = to[new]
        tables.append(None if table is None else tuple(row))
    return Rule(
        rule.name if motion is None else f"{names[motion.origin]}-{names[motion.target]} {motion.how}".rstrip(),
        rule.cells,
        tuple(
            [need if need == ANY else sum(only(to[s]) for s in range(len(to)) if need >> s & 1) for need in rule.need]
        ),
        rule.source,
        tuple(tables),
        listed=rule.listed and motion is None,
    )


def build(kind_of: KindOf, draft: Draft, name: str) -> Puzzle:
    """Return the puzzle of a draft with several rules; raise FormatError at the word that is wrong."""
    parts = parts_of(kind_of, draft, name)
    speaker = _speaker([part.kind for part in parts])
    said = parts[speaker].puzzle
    shown = {sentence.cell: sentence.need for sentence in said.domain if isinstance(sentence, Shows)}
    joined = Joined(parts[speaker].letters, shown)
    for at, part in enumerate(parts):
        joined.add(at, part)
    followers = joined.followers(parts)
    stages = joined.stages(parts[speaker])
    priced = draft.count == COST or any(part.puzzle.costs for part in parts)
    if followers and (stages or said.laws or priced):
        raise FormatError("moves: expected no 'again' beside after:, forbid: or costs, found one")
    names = COUNTS if priced else COUNTS[:1]
    return Puzzle(
        name, kind(kind_of), said.board, said.view, said.symbols, tuple(joined.rules),
        tuple(sorted(names, key=lambda each: each != (draft.count or names[0]))), said.start,
        tuple([_without_player(goal, parts) for goal in said.goals]),
        diagnostics=tuple(dict.fromkeys(each for part in parts for each in part.puzzle.diagnostics)),
        automatic=stages, laws=said.laws, floor=said.floor, costs=tuple(joined.costs) if priced else (),
        followers=followers, domain=said.domain,
    )  # fmt: skip


def _without_player(goal: Goal, parts: Sequence[RulePart]) -> Goal:
    """Return a goal; if a drawing of it has no player, one may be in any cell that it wants blank."""
    letters = parts[_speaker([part.kind for part in parts])].letters
    walks = any(part.kind.play == "walk" for part in parts)
    if not walks or goal.sentence is not None or only(letters.index(PLAYER)) in goal.need:
        return goal
    return unmanned(goal, letters.index(BLANK), letters.index(PLAYER))


def parts_of(kind_of: KindOf, draft: Draft, name: str) -> list[RulePart]:
    """Return the rules of a draft with several. Raises FormatError at the word that is wrong."""
    drafts = (draft, *draft.parts)
    kinds = [_known(kind_of, each) for each in drafts]
    _check(draft, kinds)
    speaker = _speaker(kinds)
    letters: dict[str, None] = {}
    for at in sorted(range(len(kinds)), key=lambda at: kinds[at].patterns):
        alone = _alone(draft, drafts[at], kinds[at], tuple(letters), speaks=False)
        letters |= dict.fromkeys(_part(kinds[at], alone, name).letters)
    return [
        _part(kind, _alone(draft, each, kind, tuple(letters), speaks=at == speaker), name)
        for at, (kind, each) in enumerate(zip(kinds, drafts, strict=True))
    ]


def _known(kind_of: KindOf, draft: Draft) -> RuleKind:
    found = kind_of(draft.rule)
    if found is None:
        raise FormatError.at(draft.rule, f"rule: expected a known rule, found {str(draft.rule)!r}")
    if found.named == "rows":
        raise FormatError.at(draft.rule, f"rule: expected a rule that can stand beside others, found {draft.rule}")
    return found


def _check(draft: Draft, kinds: Sequence[RuleKind]) -> None:
    """Raise FormatError for what has no meaning, or no clear one, in a file with several rules."""
    if draft.start is None:
        raise FormatError("start: expected a drawing of the start for several rules, found none")
    if draft.distinct:
        raise FormatError.at(draft.place("distinct"), "distinct: has no meaning beside other rules: all letters differ")
    if draft.count and draft.count not in COUNTS:
        raise FormatError.at(
            draft.count, f"count: expected {' or '.join(COUNTS)} for several rules, found {str(draft.count)!r}",
            "one move is then one step, push, jump, glide, listed move or change",
        )  # fmt: skip
    drafts = (draft, *draft.parts)
    for each, kind in zip(drafts, kinds, strict=True):
        for key in REFUSED:
            if getattr(each, key):
                raise FormatError.at(each.place(key), f"{key}: has no meaning beside other rules")
        if "moves" in each.changes and "moves" not in kind.keys:
            raise FormatError.at(each.place("moves"), f"moves: has no meaning for rule {each.rule}")
    for one, other in combinations(drafts, 2):
        if _own(one) == _own(other):
            raise FormatError.at(
                other.rule, f"expected another rule, or other keys below it, found {other.rule} again",
                "the keys below each 'rule:' are about this rule; drawings and other keys about all",
            )  # fmt: skip


def _own(draft: Draft) -> tuple[object, ...]:
    return (*(getattr(draft, name) for name in OWN), draft.changes.get("moves"))


def _speaker(kinds: Sequence[RuleKind]) -> int:
    """Return the rule that says what goals and sentences mean: one with patterns, else with a player, else pieces."""
    order = [(kind.patterns, kind.play == "walk", "moves" not in kind.keys) for kind in kinds]
    return order.index(max(order))


def _alone(main: Draft, own: Draft, kind: RuleKind, shared: tuple[str, ...], *, speaks: bool) -> Draft:
    """Return the draft that has only one of the rules.

    speaks  whether it has goals and sentences, too
    """
    about = {key: rows for key, rows in main.changes.items() if key != "moves" and (speaks or key != "forbid")}
    changes = about if speaks or kind.patterns else {}
    if "moves" in own.changes:
        changes = {**changes, "moves": own.changes["moves"]}
    count = ("" if main.count != COST else COST) if kind.patterns else "step" if "step" in kind.counts else "move"
    return replace(
        main,
        **{name: getattr(own, name) for name in OWN},
        changes=changes,
        count=count,
        goals=main.goals if speaks else (),
        distinct="all" if "distinct" in kind.keys else (),
        diagonals=main.diagonals and (speaks or "diagonals" in kind.keys),
        ground=main.ground if speaks or ("ground" in kind.keys and "moves" not in kind.keys) or kind.patterns else (),
        picture=(),
        known=(),
        parts=(),
        shared=shared,
        places={**main.places, **own.places},
        diagnostics=(),
    )


def _part(kind: RuleKind, draft: Draft, name: str) -> RulePart:
    try:
        checks.check_keys(draft, kind.keys)
        puzzle = kind.build(draft, name)
        if puzzle.shapes is not None:
            key = "apart" if draft.apart and not draft.blocks else "blocks"
            raise FormatError.at(
                draft.place(key), f"{key}: expected pieces of one cell beside other rules, found larger"
            )
    except InputError as error:
        raise checks.placed(error, draft) from None
    return RulePart(kind, draft, puzzle)


def in_words(kind_of: KindOf, puzzle: Puzzle) -> list[str]:
    """Return what each of the rules says."""
    if puzzle.draft is None:
        return []
    lines = dict.fromkeys(["Rule: a move is one of any of these rules."])
    for part in parts_of(kind_of, puzzle.draft, puzzle.name):
        lines |= dict.fromkeys(part.kind.words(replace(part.puzzle, draft=part.draft)))
    return [*lines]


@cache
def kind(kind_of: KindOf) -> RuleKind:
    """Return the kind of puzzles with several rules."""
    return RuleKind(
        "several", partial(build, kind_of), partial(in_words, kind_of), counts=COUNTS, named="cells", ground="squares",
        play="alter", sentences=True,
        metrics={"step": "one move of one of the rules", COST: "one move of one of the rules, which counts its cost"},
    )  # fmt: skip
