"""The ranks of many orders at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

import numpy as np


def rank_rows(shown: np.ndarray, pieces: Sequence[int]) -> np.ndarray:
    """Return the ranks of orders, one row of pieces each; -1 for those that have not all of `pieces`, sorted."""
    number = np.zeros(len(shown), np.int64)
    for place in range(1, shown.shape[1]):
        number += factorial(place) * (shown[:, :place] < shown[:, place, None]).sum(axis=1)
    return np.where((np.sort(shown, axis=1) == np.array(pieces)).all(axis=1), number, -1)
