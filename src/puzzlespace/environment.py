"""A Gymnasium environment: positions of an exact depth, the moves of the puzzle as actions, exact distances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .api.action_list import action_list
from .api.exact import exact_distances
from .api.levels import ProvedLevel, read_levels
from .api.loader import puzzle_of
from .errors import InputError, UnsupportedError
from .limits.watch import Limits
from .puzzle.puzzle import Position, Puzzle
from .render import raster, svg, text

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise UnsupportedError("the environment needs the extra `env`: pip install 'puzzlespace[env]'") from None

REWARDS = ("distance", "moves", "goal")
OPTIONS = ("depth", "level", "position")
ID = "puzzlespace/Puzzle-v0"

Step = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


class PuzzleEnvironment(gymnasium.Env[np.ndarray, np.int64]):
    """A puzzle as an environment: `PuzzleEnvironment("eight")`, or `gymnasium.make` with "puzzlespace/Puzzle-v0".

    Observations are the symbols of the cells (`MultiDiscrete`). Action n is the move `moves[n]` of the puzzle; which
    ones are possible is `info["action_mask"]`. An action that is not possible leaves the position as it is and counts
    as a move; `info["moved"]` is False. An episode ends at a goal, and at a position from which no goal can be reached.
    `info["distance"]` is the exact number of moves to the goal, -1 if it cannot be reached.

    puzzle   the puzzle; positions: all from which a goal can be reached, if every move can be undone, else those of
             them that the start reaches
    model    its rules and metric
    moves    the names of the moves, with cells
    depths   the number of positions at each distance
    levels   those of the file that was given
    metadata, spaces, render_mode  as for every environment
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012  Gymnasium's own attribute

    def __init__(
        self,
        puzzle: Puzzle | str | Path,
        *,
        metric: str = "",
        reward: str = "distance",
        table: str | Path | None = None,
        levels: str | Path | None = None,
        render_mode: str | None = None,
        limits: Limits = Limits(),
    ) -> None:
        """Make the environment; the distances of all positions are counted now.

        metric  what counts as one move; default: the first of the puzzle's metrics whose moves can be listed
        reward  'distance': by how much a move shortens the exact distance, -1 for an action that is not possible;
                'moves': minus what the move counts; 'goal': 1 at the goal, else 0. A move after which no goal can be
                reached counts, for 'distance', as one to beyond the farthest position
        table   a folder with a finished depth table to the goal (`saving`), which is used instead of counting
        levels  a file of `generate --levels`; without other options `reset` draws from it
        limits  of the count
        Raises UnsupportedError if the moves cannot be listed, or the distances cannot be counted, LimitError at a
        limit, InputError for other invalid values.
        """
        self.puzzle = puzzle_of(puzzle, "PuzzleEnvironment")
        if reward not in REWARDS:
            raise InputError(f"reward: expected one of {', '.join(REWARDS)}, found {reward!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"render_mode: expected None, ansi or rgb_array, found {render_mode!r}")
        if render_mode == "rgb_array":
            raster.ready()
        self.render_mode, self.reward = render_mode, reward
        self.model, self._actions = action_list(self.puzzle, metric)
        self.moves = self._actions.names
        self._exact = exact_distances(self.puzzle, self.model, table, limits)
        self.depths = self._exact.counts
        self.levels: tuple[ProvedLevel, ...] = self._proved(levels) if levels is not None else ()
        self.action_space = spaces.Discrete(len(self.moves))
        self.observation_space = spaces.MultiDiscrete(np.full(self.model.cells, self.model.symbols))
        self._position: bytes | None = None
        self._distance: int | None = None
        self._following: dict[int, bytes] = {}

    def _proved(self, file: str | Path) -> tuple[ProvedLevel, ...]:
        """Return the levels of a file after a comparison with the exact distances."""
        found = read_levels(self.puzzle, file)
        for number, level in enumerate(found, 1):
            distance = self._exact.distance(bytes(level.position))
            if distance != level.depth:
                raise InputError(f"{file}: level {number}: expected depth {distance}, found {level.depth}")
        if not found:
            raise InputError(f"{file}: expected levels, found none")
        return found

    @property
    def position(self) -> Position:
        """The position now. Raises InputError before the first `reset`."""
        if self._position is None:
            raise InputError("the environment: expected a call of reset() first")
        return self.puzzle.at(self._position)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode at a position drawn uniformly, which the seed determines.

        options  {"depth": d}: at exactly this distance (of the levels, if a file was given); {"level": n}: level n of
                 the file, from 0; {"position": p}: there. Without options: any level, else any position but goals
        Raises InputError for others.
        """
        super().reset(seed=seed)
        self._place(self._chosen(dict(options or {})))
        return self._observation(), self._info(True)

    def _chosen(self, options: dict[str, Any]) -> bytes:
        """Return the position at which an episode begins."""
        if len(options) > 1 or not options.keys() <= set(OPTIONS):
            raise InputError(f"options: expected one of {', '.join(OPTIONS)}, found {', '.join(map(str, options))}")
        if "position" in options:
            return bytes(self.model.check(self.puzzle.at(options["position"])))
        if "level" in options:
            number = options["level"]
            if number not in range(len(self.levels)):
                raise InputError(f"level: expected a number below {len(self.levels)}, found {number!r:.40}")
            return bytes(self.levels[number].position)
        depth = options.get("depth")
        there = [level for level in self.levels if depth in (None, level.depth)]
        if self.levels and there:
            return bytes(there[int(self.np_random.integers(len(there)))].position)
        known = {level.depth for level in self.levels} or self.depths.keys() - {0}
        if depth is not None and depth not in known:
            raise InputError(
                f"depth: expected a distance that occurs, {min(known)} to {max(known)}, found {depth!r:.40}"
            )
        if depth is None:
            number = int(self.np_random.integers(sum(self.depths[each] for each in known)))
            for depth in sorted(known):
                number -= self.depths[depth]
                if number < 0:
                    break
        assert depth is not None
        return self._exact.draw(depth, self.np_random)

    def _place(self, position: bytes) -> None:
        self._position, self._distance = position, self._exact.distance(position)
        self._following = self._actions.following(position)

    def step(self, action: Any) -> Step:
        """Make a move. Raises InputError for a number that is no action, or before the first `reset`."""
        if self._position is None:
            raise InputError("the environment: expected a call of reset() first")
        if not self.action_space.contains(action):
            raise InputError(f"action: expected a number below {len(self.moves)}, found {action!r:.40}")
        number, before = int(action), self._distance
        child = self._following.get(number)
        if child is not None:
            self._place(child)
        solved = self._distance == 0
        over = solved or self._distance is None
        return (
            self._observation(),
            self._reward(number, before, child is not None),
            over,
            False,
            self._info(child is not None),
        )

    def _reward(self, number: int, before: int | None, moved: bool) -> float:
        if self.reward == "goal":
            return float(self._distance == 0)
        if self.reward == "moves" or not moved:
            return -float(self._actions.costs[number] if self.reward == "moves" else 1)
        beyond = max(self.depths) + 1
        first, last = (beyond if each is None else each for each in (before, self._distance))
        return float(first - last)

    def best_actions(self) -> list[int]:
        """Return the actions that begin a shortest solution; [] at a goal, and if no goal can be reached."""
        if not self._distance:
            return []
        wanted = {number: self._distance - self._actions.costs[number] for number in self._following}
        return [n for n, child in sorted(self._following.items()) if self._exact.distance(child) == wanted[n]]

    def action_mask(self) -> np.ndarray:
        """Return 1 for each action that is possible, else 0, as `action_space.sample(mask)` takes it."""
        mask = np.zeros(len(self.moves), np.int8)
        mask[list(self._following)] = 1
        return mask

    def _observation(self) -> np.ndarray:
        return np.frombuffer(self._position or b"", np.uint8).astype(np.int64)

    def _info(self, moved: bool) -> dict[str, Any]:
        distance = -1 if self._distance is None else self._distance
        return {"distance": distance, "action_mask": self.action_mask(), "moved": moved}

    def render(self) -> Any:
        """Return the position as text ('ansi') or as pixels, uint8 [height, width, 3] ('rgb_array'); else None."""
        if self.render_mode == "ansi":
            return "\n".join(text.board(self.puzzle, self.puzzle.shown(self.position)))
        if self.render_mode == "rgb_array":
            return np.asarray(raster.image(svg.position_svg(self.puzzle, self.position), 1.0).convert("RGB"))
        return None


gymnasium.register(id=ID, entry_point=f"{__name__}:PuzzleEnvironment")
