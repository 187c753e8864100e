"""One turn of a game, in plain Python: the reference for the compiled turn.

A cell is a number whose bits are its objects; the movements of a cell are five bits for each collision layer. Cells are
numbered down the first column, then down the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from ..limits.watch import checkpoint, paced
from .game import ACTION, ANY, DOWN, STEPS, UP, Cell, ConcreteRule, Condition, Game, Rewrite, RuleList

PASSES = 200
"""The most passes over a group, and the most repetitions of loops in a list of groups."""

TRIES = 50
"""The most tries of a turn whose rigid groups fail."""

Cells = tuple[int, ...]
Match = tuple[int, ...]
"""The first cell of each part of a bracket."""


@dataclass(frozen=True)
class TurnResult:
    """What a turn leaves.

    cells     the board
    restart   the board of the last checkpoint, or of the beginning of the level
    won       whether the level is won
    again     whether a turn without input follows
    changed   whether the board changed; of a trial whether it would do anything
    undo      the boards that the undo key brings back, the last one first to be taken
    message   the text that a rule shows, or ''
    """

    cells: Cells
    restart: Cells
    won: bool = False
    again: bool = False
    changed: bool = False
    undo: tuple[Cells, ...] = ()
    message: str = ""


def holds(condition: Condition, cells: Sequence[int]) -> bool:
    """Return whether a win condition is met."""

    def has(cell: int, mask: int, all_of: bool) -> bool:
        return cell & mask == mask if all_of else bool(cell & mask)

    kind, what, on = condition.kind, condition.what, condition.on
    here = [cell for cell in cells if has(cell, what, condition.all_of)]
    both = [cell for cell in here if not on or has(cell, on, condition.on_all)]
    if kind == "all":
        return len(both) == len(here)
    return bool(both) == (kind == "some")


class Turns:
    """The turns of a game on boards of one size."""

    def __init__(self, game: Game, width: int, height: int) -> None:
        self.game, self.width, self.height = game, width, height
        self.layers = game.layers
        self.starts_at_once = "run_rules_on_level_start" in game.prelude
        self.must_move = "require_player_movement" in game.prelude
        self.all_cells: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.bits = [(layer, ANY << 5 * layer) for layer in range(len(self.layers))]
        self.cells: list[int] = []
        self.moving: list[int] = []
        self.marks: list[int] = []
        self.queue: list[str] = []
        self.message = ""
        self.any_object = self.any_moving = 0  # a superset of all bits on the board

    # the turn

    def turn(self, cells: Cells, restart: Cells, pressed: int = 0, wins: bool = True) -> TurnResult:
        """Return what an input makes of a board; 0 is a turn without input."""
        return self._turn(cells, restart, pressed, wins, False, False)

    def _turn(
        self, before: Cells, restart: Cells, pressed: int, wins: bool, trial: bool, restarting: bool
    ) -> TurnResult:
        checkpoint()
        self._set(before)
        players = self._press(pressed) if pressed else []
        self._rules()
        if self.must_move and players and all(self.cells[cell] & self.game.players for cell in players):
            return TurnResult(before, restart)
        message = self.message
        found = self._commands(before, restart, pressed, wins, trial, restarting)
        return replace(found, message=message) if message and not trial else found

    def _set(self, cells: Cells) -> None:
        self.cells, self.moving, self.marks = list(cells), [0] * len(cells), [0] * len(cells)
        self.queue, self.message = [], ""
        self.any_object = self.any_moving = 0
        for cell in set(cells):
            self.any_object |= cell

    def _press(self, pressed: int) -> list[int]:
        """Let the players move; return where they are."""
        players, every = self.game.players, self.game.all_players
        found = [
            number for number, cell in enumerate(self.cells)
            if (cell & players == players if every else cell & players)
        ]  # fmt: skip
        for number in found:
            for layer, bits in enumerate(self.layers):
                if self.cells[number] & players & bits:
                    self.moving[number] |= pressed << 5 * layer
            self.any_moving |= self.moving[number]
        return found

    def _rules(self) -> None:
        """Apply all rules and move; again without the rigid groups whose movement fails."""
        cells, moving, banned = list(self.cells), list(self.moving), set[int]()
        any_object, any_moving = self.any_object, self.any_moving
        for _ in range(TRIES):
            self._apply(self.game.program, banned)
            if not self._move(banned):
                self._apply(self.game.late, set())
                return
            self.cells, self.moving, self.queue, self.message = list(cells), list(moving), [], ""
            self.any_object, self.any_moving = any_object, any_moving

    def _commands(
        self, before: Cells, restart: Cells, pressed: int, wins: bool, trial: bool, restarting: bool
    ) -> TurnResult:
        """Obey the commands of the turn, in their order."""
        cells, queue, undo, again = tuple(self.cells), self.queue, (), False
        if "cancel" in queue:
            return TurnResult(before, restart, changed=len(queue) > 1)
        if "restart" in queue:
            undo = (before,)
            if not trial and not restarting:
                begun = self.begin(restart, True)
                cells, queue, again, undo = begun.cells, [], begun.again, (before, *begun.undo)
        changed = cells != before
        if trial and (changed or "win" in queue or "restart" in queue):
            return TurnResult(before, restart, changed=True, undo=undo)
        if changed and pressed:
            undo = (*undo, before)
        if wins and self._won(cells, queue):
            return TurnResult(cells, restart, True, False, changed, undo)
        if "checkpoint" in queue:
            restart = cells
        if "again" in queue and changed:
            tried = self._turn(cells, restart, 0, False, True, restarting)
            again, restart, undo = tried.changed, tried.restart, (*undo, *tried.undo)
        return TurnResult(cells, restart, False, again, changed, undo)

    def begin(self, restart: Cells, restarting: bool = False) -> TurnResult:
        """Return the board with which a level starts or starts again, after its rules, if they run then."""
        if not self.starts_at_once:
            return TurnResult(restart, restart)
        return self._turn(restart, restart, 0, False, False, restarting)

    def _won(self, cells: Cells, queue: list[str]) -> bool:
        if "win" in queue:
            return True
        conditions = self.game.conditions
        return bool(conditions) and all(holds(condition, cells) for condition in conditions)

    # rules

    def _apply(self, program: RuleList, banned: set[int]) -> None:
        """Apply all groups in order, and those of loops again."""
        group = jumps = 0
        changed = False
        while group < len(program.groups):
            if group not in banned:
                changed = self._group(program.groups[group]) or changed
            if changed and group in program.loops:
                group, changed = program.loops[group], False
                jumps += 1
                if jumps > PASSES:
                    return
                continue
            group += 1

    def _group(self, rules: tuple[ConcreteRule, ...]) -> bool:
        """Apply the rules of a group until none changes anything; return whether any did."""
        for number in range(PASSES):
            checkpoint()
            changed = False
            for rule in rules:
                changed = self._rule(rule) or changed
            if not changed:
                return number > 0
        return True

    def _rule(self, rule: ConcreteRule) -> bool:
        """Apply a rule to all its matches; return whether anything changed."""
        if rule.need & ~self.any_object or rule.moving & ~self.any_moving:
            return False
        found: list[list[Match]] = []
        for bracket in rule.brackets:
            matches = self._matches(bracket, rule.direction)
            if not matches:
                return False
            found.append(matches)
        changed = self._applied(rule, found) if rule.rewrites else False
        self._queue(rule)
        return changed

    def _applied(self, rule: ConcreteRule, found: list[list[Match]]) -> bool:
        """Apply a rule to all combinations of matches that still match, the first bracket varying fastest."""
        step = self._step(rule.direction)
        changed, first = False, True
        for combined in paced(product(*reversed(found))):
            match = combined[::-1]
            if not first and not all(map(self._still, rule.brackets, match, [step] * len(match))):
                continue
            first = False
            for bracket, starts in zip(rule.brackets, match, strict=True):
                for part, start in zip(bracket, starts, strict=True):
                    for number, cell in enumerate(part):
                        if cell.change is not None and self._change(cell.change, start + number * step, rule.rigid):
                            changed = True
        return changed

    def _queue(self, rule: ConcreteRule) -> None:
        """Add the commands of a rule that matched."""
        commands = rule.commands
        if not commands or "cancel" in self.queue or ("restart" in self.queue and "cancel" not in commands):
            return
        if "cancel" in commands or "restart" in commands:
            self.queue, self.message = [], ""
        self.message = self.message or rule.message
        self.queue += [each for each in commands if each not in self.queue]

    def _step(self, direction: int) -> int:
        dx, dy = STEPS[direction]
        return dx * self.height + dy

    def _starts(self, direction: int, length: int) -> list[tuple[int, int]]:
        """Return the cells from which `length` cells lie on the board, and how many more there are behind them."""
        known = self.all_cells.get((direction, length))
        if known is not None:
            return known
        width, height = self.width, self.height
        dx, dy = STEPS[direction]
        rows = [(x, y) for x in range(width) for y in range(height)]
        if direction not in (UP, DOWN):
            rows.sort(key=lambda place: place[1])
        found: list[tuple[int, int]] = []
        for x, y in rows:
            end_x, end_y = x + dx * (length - 1), y + dy * (length - 1)
            if 0 <= end_x < width and 0 <= end_y < height:
                room = end_x if dx < 0 else width - 1 - end_x if dx > 0 else end_y if dy < 0 else height - 1 - end_y
                found.append((x * height + y, room))
        self.all_cells[direction, length] = found
        return found

    def _matches(self, bracket: tuple[tuple[Cell, ...], ...], direction: int) -> list[Match]:
        """Return all matches of a bracket, in the order of scanning."""
        step = self._step(direction)
        length = sum(map(len, bracket))
        first, behind = bracket[0], bracket[1:]
        found: list[Match] = []
        for start, room in self._starts(direction, length):
            if self._fits(first, start, step):
                found += [(start, *more) for more in self._behind(behind, start + len(first) * step, room, step)]
        return found

    def _behind(self, parts: tuple[tuple[Cell, ...], ...], start: int, room: int, step: int) -> list[Match]:
        """Return where the parts after an ellipsis match: smaller gaps first, the first gap varying slowest."""
        if not parts:
            return [()]
        found: list[Match] = []
        for gap in range(room + 1):
            here = start + gap * step
            if self._fits(parts[0], here, step):
                after = self._behind(parts[1:], here + len(parts[0]) * step, room - gap, step)
                found += [(here, *more) for more in after]
        return found

    def _still(self, bracket: tuple[tuple[Cell, ...], ...], starts: Match, step: int) -> bool:
        return all(self._fits(part, start, step) for part, start in zip(bracket, starts, strict=True))

    def _fits(self, part: tuple[Cell, ...], start: int, step: int) -> bool:
        for cell in part:
            objects, moving = self.cells[start], self.moving[start]
            if objects & cell.need != cell.need or objects & cell.without:
                return False
            if moving & cell.moving != cell.moving or moving & cell.resting:
                return False
            if not all(objects & mask for mask in cell.some):
                return False
            start += step
        return True

    def _change(self, change: Rewrite, at: int, rigid: int) -> bool:
        """Change a cell; return whether it differs, or was newly marked as rigid."""
        objects = self.cells[at] & ~change.clear | change.set
        moving = self.moving[at] & ~(change.still | change.renewed) | change.moved
        marked = rigid > 0 and change.renewed > 0 and self._mark(change.renewed, at, rigid)
        if objects == self.cells[at] and moving == self.moving[at]:
            return marked
        self.cells[at], self.moving[at] = objects, moving
        self.any_object |= objects
        self.any_moving |= moving
        return True

    def _mark(self, renewed: int, at: int, rigid: int) -> bool:
        """Mark the layers of a cell as moved by a rigid group, unless all are marked; return whether that is new."""
        layers = [(layer, bits) for layer, bits in self.bits if renewed & bits]
        marks = self.marks[at]
        mine = sum(rigid << 5 * layer for layer, _ in layers)
        if marks & mine == mine or all(marks & bits for _, bits in layers):
            return False
        self.marks[at] = marks | mine
        return True

    # movement

    def _move(self, banned: set[int]) -> bool:
        """Move what can move, until nothing more does; return whether a further rigid group failed."""
        moved = True
        while moved:
            moved = False
            for at, moving in enumerate(self.moving):
                if moving:
                    for layer, bits in self.bits:
                        if self.moving[at] & bits:
                            moved = self._moved(at, layer, bits) or moved
        failed = False
        for at, moving in enumerate(self.moving):
            if moving and self.marks[at]:
                layer = next((each for each, bits in self.bits if moving & bits and self.marks[at] & bits), None)
                if layer is not None:
                    number = (self.marks[at] >> 5 * layer & ANY) - 1
                    group = self.game.rigid[number] if number < len(self.game.rigid) else -1
                    failed = failed or group not in banned
                    banned.add(group)
        self.moving = [0] * len(self.cells)
        self.marks = [0] * len(self.cells)
        self.any_moving = 0
        return failed

    def _moved(self, at: int, layer: int, bits: int) -> bool:
        """Move the object of a layer one cell if that is empty; return whether its movement is done."""
        way = self.moving[at] >> 5 * layer & ANY
        if way != ACTION:
            step = STEPS.get(way)
            if step is None:
                return False
            x, y = at // self.height + step[0], at % self.height + step[1]
            if not (0 <= x < self.width and 0 <= y < self.height):
                return False
            there, mask = x * self.height + y, self.layers[layer]
            if self.cells[there] & mask:
                return False
            self.cells[there] |= self.cells[at] & mask
            self.cells[at] &= ~mask
        self.moving[at] &= ~bits
        return True
