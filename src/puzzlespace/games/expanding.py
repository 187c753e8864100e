"""From lines with rules to concrete rules: one for each direction, movement and object that a line stands for.

The order of what comes out decides the order in which rules are applied, so each step keeps the order that the original
has: copies of a line stand together, and copies that replace a rule are appended at the end of the list in work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..errors import FormatError
from ..limits.watch import checkpoint
from .faults import Faults
from .names import Names
from .rule_lines import AMBIGUOUS, ELLIPSIS, RELATIVE, Brackets, Content, RuleLine

MOST = 100_000
"""The most concrete rules of one line."""

TURNED = {
    "right": ("up", "down", "left", "right", "vertical_perp", "horizontal_par"),
    "up": ("left", "right", "down", "up", "horizontal_perp", "vertical_par"),
    "down": ("right", "left", "up", "down", "horizontal_perp", "vertical_par"),
    "left": ("down", "up", "right", "left", "vertical_perp", "horizontal_par"),
}
"""What the relative movements `RELATIVE` mean in a rule of each direction."""

SEVERAL = {
    **AMBIGUOUS,
    **{f"{word}_{suffix}": AMBIGUOUS[word] for word in ("horizontal", "vertical") for suffix in ("par", "perp")},
}
"""Movements that stand for several; those of 'parallel' and 'perpendicular' have names of their own."""

MIRRORED = {"up": "down", "left": "right"}
Place = tuple[int, int]
"""A cell of a rule: its bracket, and its number there."""

Turn = tuple[str, int, Place]


@dataclass(frozen=True)
class Concrete:
    """A rule on the way to a concrete one.

    turns   for each pair (movement, name) that was replaced: by what, in how many cells, and where first
    words   the same for each movement: by what, how often
    chosen  the same for each property
    """

    line: RuleLine
    direction: str
    left: Brackets
    right: Brackets
    turns: dict[tuple[str, str], Turn] = field(default_factory=dict[tuple[str, str], Turn])
    words: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    chosen: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])


def expand(lines: list[RuleLine], names: Names, faults: Faults) -> list[Concrete]:
    """Return the concrete rules of all lines, in their order."""
    found: list[Concrete] = []
    for line in lines:
        known = _known(line, names, faults)
        moved = [each for direction in known.directions for each in _movements(_directed(known, direction, names))]
        for rule in moved:
            found += _properties(rule, names, faults)
    found = [each if each.line.late else _spawned_at_rest(each, names) for each in found]
    last = {_printed(each): number for number, each in enumerate(found)}
    return [each for number, each in enumerate(found) if last[_printed(each)] == number]


def _mapped(brackets: Brackets, function: Callable[[Content], Content]) -> Brackets:
    return tuple(tuple(map(function, bracket)) for bracket in brackets)


def _at(brackets: Brackets, place: Place, function: Callable[[Content], Content]) -> Brackets:
    """Return brackets with one cell changed."""
    if not brackets:
        return brackets
    bracket, number = place
    row = brackets[bracket]
    row = (*row[:number], function(row[number]), *row[number + 1 :])
    return (*brackets[:bracket], row, *brackets[bracket + 1 :])


def _known(line: RuleLine, names: Names, faults: Faults) -> RuleLine:
    """Return a line without unknown names."""

    def known(cell: Content) -> Content:
        unknown = [name for _, name in cell if name != "..." and not names.has(name)]
        for name in unknown:
            faults.skip(name, f"expected a name that is declared above, found {str(name)!r}; it is skipped")
        return tuple(pair for pair in cell if pair[1] not in unknown)

    return replace(line, left=_mapped(line.left, known), right=line.right and _mapped(line.right, known))


def _directed(line: RuleLine, direction: str, names: Names) -> Concrete:
    """Return the copy of a line for a direction, its relative movements, aggregates and synonyms replaced."""
    turned: dict[str, str] = dict(zip(RELATIVE, TURNED[direction], strict=True))

    def plain(cell: Content) -> Content:
        first: list[tuple[str, str]] = []
        others: list[tuple[str, str]] = []
        for move, name in cell:
            target = names.target(name)
            here = turned.get(move, move)
            if target in names.aggregates:
                if move == "no":
                    raise FormatError.at(name, "expected no 'no' before a name joined by 'and', found one")
                members = names.aggregates[target]
                first.append((here, members[0]))
                others += [(here, member) for member in members[1:]]
            else:
                first.append((here, target))
        return (*first, *others)

    left, right = _mapped(line.left, plain), _mapped(line.right or (), plain)
    gaps = any(ELLIPSIS in cell for bracket in left for cell in bracket)
    if not gaps and direction in MIRRORED:
        direction = MIRRORED[direction]
        left, right = (tuple(bracket[::-1] for bracket in side) for side in (left, right))
    return Concrete(line, direction, left, right)


def _movements(rule: Concrete) -> list[Concrete]:
    """Return the copies of a rule for each movement that its ambiguous ones stand for."""
    queue, found = [rule], list[Concrete]()
    for each in queue:
        checkpoint()
        copies = [copy for place, pair in _ambiguous(each) for copy in _copies(each, place, *pair)]
        if not copies:
            found.append(_resolved(each))
        queue += copies
        _few(queue, rule.line)
    return found


def _few(queue: list[Concrete], line: RuleLine) -> None:
    if len(queue) > MOST:
        raise FormatError.at(line.at, f"expected a rule that stands for at most {MOST:,} rules, found more")


def _ambiguous(rule: Concrete) -> list[tuple[Place, tuple[str, str]]]:
    """Return the first ambiguous pair of each cell on the left that has one."""
    found = [
        ((number, at), next((pair for pair in cell if pair[0] in SEVERAL), None))
        for number, bracket in enumerate(rule.left)
        for at, cell in enumerate(bracket)
    ]
    return [(place, pair) for place, pair in found if pair is not None]


def _copies(rule: Concrete, place: Place, move: str, name: str) -> list[Concrete]:
    """Return a rule once for each movement that `move` stands for, in a cell and in the same one on the right."""
    found: list[Concrete] = []
    for way in SEVERAL[move]:

        def turned(cell: Content, way: str = way) -> Content:
            return tuple((way, each) if (old, each) == (move, name) else (old, each) for old, each in cell)

        known = rule.turns.get((move, name))
        turn = (way, 1, place) if known is None else (known[0], known[1] + (known[2] != place), known[2])
        word = rule.words.get(move)
        found.append(
            replace(
                rule,
                left=_at(rule.left, place, turned),
                right=_at(rule.right, place, turned),
                turns={**rule.turns, (move, name): turn},
                words={**rule.words, move: (way, 1) if word is None else (word[0], word[1] + 1)},
            )
        )
    return found


def _resolved(rule: Concrete) -> Concrete:
    """Let the ambiguous movements on the right follow those on the left that were replaced only once."""
    pairs = {pair: way for pair, (way, count, _) in rule.turns.items() if count == 1}
    words = {move: way for move, (way, count) in rule.words.items() if count == 1}

    def follow(cell: Content) -> Content:
        return tuple((pairs.get((move, name), words.get(move, move)), name) for move, name in cell)

    right = _mapped(rule.right, follow)
    for bracket in right:
        for cell in bracket:
            for move, name in cell:
                if move in SEVERAL:
                    said = move.split("_")[0]
                    raise FormatError.at(
                        rule.line.at, f"expected to know which way {said!r} {name!r} on the right goes"
                    )
    return replace(rule, right=right)


def _properties(rule: Concrete, names: Names, faults: Faults) -> list[Concrete]:
    """Return the copies of a rule for each object that its properties stand for; [] if one is left on the right."""

    def without(cell: Content) -> Content:
        pairs = [
            [("no", member) for member in names.properties[name]] if move == "no" and name in names.properties
            else [(move, name)]
            for move, name in cell
        ]  # fmt: skip
        return tuple(pair for each in pairs for pair in each)

    rule = replace(rule, left=_mapped(rule.left, without), right=_mapped(rule.right, without))
    new = {
        name
        for number, bracket in enumerate(rule.right)
        for at, cell in enumerate(bracket)
        for _, name in cell
        if name in names.properties and all(other != name for _, other in rule.left[number][at])
    }
    queue, found = [rule], list[Concrete]()
    for each in queue:
        checkpoint()
        first = _first_property(each, names, new)
        if first is None:
            found.append(_chosen(each))
        else:
            queue += [_with(each, first[0], first[1], member) for member in names.properties[first[1]]]
        _few(queue, rule.line)
    if any(name in new for each in found for bracket in each.right for cell in bracket for _, name in cell):
        text = f"expected to know which object {sorted(new)[0]!r} on the right is; the rule is skipped"
        faults.skip(rule.line.at, text)
        return []
    return found


def _first_property(rule: Concrete, names: Names, new: set[str]) -> tuple[Place, str] | None:
    """Return the first property on the left that does not stay one, and its place."""
    for number, bracket in enumerate(rule.left):
        for at, cell in enumerate(bracket):
            for _, name in cell:
                if name in names.properties and (name not in names.single or name in new):
                    return (number, at), name
    return None


def _with(rule: Concrete, place: Place, name: str, member: str) -> Concrete:
    """Return a rule with an object instead of a property in one cell of both sides."""

    def named(cell: Content) -> Content:
        return tuple((move, member if each == name else each) for move, each in cell)

    before = rule.chosen.get(name)
    chosen = (member, 1) if before is None else (before[0], before[1] + 1)
    left, right = _at(rule.left, place, named), _at(rule.right, place, named)
    return replace(rule, left=left, right=right, chosen={**rule.chosen, name: chosen})


def _chosen(rule: Concrete) -> Concrete:
    """Let the properties on the right follow those on the left that were replaced only once."""
    once = {name: member for name, (member, count) in rule.chosen.items() if count == 1}
    if not once:
        return rule
    return replace(rule, right=_mapped(rule.right, lambda cell: tuple((m, once.get(name, name)) for m, name in cell)))


def _spawned_at_rest(rule: Concrete, names: Names) -> Concrete:
    """Let an object that appears in a layer of which the left cell says nothing be stationary."""

    def rested(here: Content, there: Content) -> Content:
        possible = {member for _, name in here if name != "..." for member in names.members(name)}
        layers = {names.layer[member] for member in possible}
        return tuple(
            ("stationary", name)
            if not move and name in names.objects and name not in possible and names.layer[name] not in layers
            else (move, name)
            for move, name in there
        )

    pairs = zip(rule.left, rule.right, strict=False)
    right = tuple(tuple(map(rested, here, there)) for here, there in pairs)
    return replace(rule, right=right)


def _printed(rule: Concrete) -> object:
    """Return what equal rules of a line have in common."""
    direction = rule.direction if any(len(bracket) > 1 for bracket in rule.left) else ""
    return rule.line.at.line, direction, rule.left, rule.right
