"""A puzzle written with NumPy: moves of many positions at once, positions as rows of an array of integers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .custom import Custom

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Arrays(Custom):
    """A puzzle given by a function of arrays.

    following  gets positions, one in each row, and returns all positions one move after any of them, one in each row,
               in any order. Rows may be equal
    start      the start: a row of integers
    goal       a row, or a function that gets rows and returns for each whether it is a goal, bool [n]
    back       as `following`, for the positions one move *before*, so that searches can also begin from the goal. If
               every move can be undone by a move, pass the same function: then searches take less memory
    width      the type of the integers, such as 'uint8'; all positions must fit it
    below      None, or a number above all integers of positions, none of which is negative: then a position takes fewer
               bits, and searches are several times as fast

    In answers, positions are tuples of integers. Raises InputError if an argument has another form.

    >>> import numpy as np
    >>> from puzzlespace import Arrays, solve
    >>> solve(Arrays(following=lambda rows: np.concatenate([2 * rows, rows - 1]), start=[3], goal=[8])).path
    ((3,), (2,), (4,), (8,))
    """

    moves: Callable[[Any], Any] = field(init=False, repr=False)
    following: Callable[[Any], Any] = field(kw_only=True)
    width: str = field(default="int64", kw_only=True)
    below: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        import numpy as np

        try:
            kind = np.dtype(self.width)
        except TypeError:
            kind = np.dtype(object)
        if kind.kind not in "iu":
            raise InputError(
                f"{self.name}: expected a type of integers as width, such as 'uint8', found {self.width!r}"
            )
        if self.below is not None and not (isinstance(self.below, int) and 0 < self.below <= 1 << 32):
            raise InputError(f"{self.name}: expected below to be a number from 1 to 2^32, found {self.below!r}")
        if not callable(self.following):
            raise InputError(f"{self.name}: expected following to be a function, found {self.following!r}")
        object.__setattr__(self, "start", self._row("start", self.start, kind))
        if not callable(self.goal):
            object.__setattr__(self, "goal", self._row("goal", self.goal, kind))
        object.__setattr__(self, "moves", self._after)
        super().__post_init__()

    def _row(self, what: str, given: Any, kind: np.dtype) -> tuple[int, ...]:
        import numpy as np

        try:
            row = np.asarray(given)
            held = row.astype(kind)
        except (TypeError, ValueError, OverflowError):
            row = held = np.zeros((0, 0))
        if row.ndim != 1 or row.dtype.kind not in "iu" or not len(row) or (held != row).any():
            raise InputError(
                f"{self.name}: expected {what} to be a row of integers of the width {kind}, found {given!r}"
            )
        self._check_range(held)
        return tuple(map(int, held))

    def _check_range(self, rows: np.ndarray) -> None:
        if self.below is not None and rows.size and not 0 <= rows.min() <= rows.max() < self.below:
            least, most = int(rows.min()), int(rows.max())
            raise InputError(f"{self.name}: expected integers from 0 to {self.below - 1}, found {least} to {most}")

    def check(self, position: Any, most: int | None = None) -> None:
        """Raise InputError unless `following`, `back` and `goal` return arrays of the right shape for a position."""
        rows = self.rows([position])
        self.children(rows)
        if self.backward is not None:
            self.backward.children(rows)
        self.met(rows)

    def rows(self, positions: Sequence[Hashable]) -> np.ndarray:
        """Return positions as rows."""
        import numpy as np

        return np.array(positions, self.width).reshape(len(positions), -1)

    def children(self, rows: np.ndarray) -> np.ndarray:
        """Return the positions one move after some positions. Raises InputError if they have another form."""
        import numpy as np

        found = self.following(rows)
        usual = isinstance(found, np.ndarray) and found.ndim == 2 and found.shape[1] == rows.shape[1]
        if not usual or found.dtype.kind not in "iu":
            what = f"{found.dtype} {found.shape}" if isinstance(found, np.ndarray) else repr(found)
            raise InputError(
                f"{self.name}: expected the function of the moves to return an array of integers "
                f"with the shape (n, {rows.shape[1]}), found {what:.200}"
            )
        self._check_range(found)
        return np.ascontiguousarray(found, self.width)

    def met(self, rows: np.ndarray) -> np.ndarray:
        """Return for each position whether it is a goal, bool [n]. Raises InputError if `goal` returns another form."""
        import numpy as np

        if not callable(self.goal):
            return (rows == self.rows([self.goal])).all(axis=1)
        found: Any = self.goal(rows)
        if not isinstance(found, np.ndarray) or found.shape != (len(rows),) or found.dtype != np.bool_:
            raise InputError(
                f"{self.name}: expected goal to return an array of bool ({len(rows)},), found {found!r:.200}"
            )
        return found

    def _after(self, position: Hashable) -> list[tuple[int, ...]]:
        return list(map(tuple, self.children(self.rows([position])).tolist()))

    def is_goal(self, position: Any) -> bool:
        return bool(self.met(self.rows([position]))[0])

    @property
    def backward(self) -> Arrays | None:
        if self.back is None:
            return None
        return Arrays(
            self.start, self.goal, self.following, self.name, following=self.back, width=self.width,
            below=self.below, encoding=self.encoding,
        )  # fmt: skip
