"""The memory that a worker of a cluster takes while it counts, as the system says (resident, with the program)."""

from __future__ import annotations

from collections.abc import Sequence

from ...cluster.count import PARTITIONS
from ...cluster.desk import PIECE, SMALL
from ...cluster.workers import MEMORY_SHARE
from ...contract.needs import Needs
from ...contract.plans import Cluster

PROGRAM = 152 << 20
"""Bytes of the program with Dask and compiled loops: a worker that has counted 360 positions (slide:2x3)."""

FIXED, PER_POSITION, PER_CHILD = 4e6, 13.0, 1.35
"""Bytes of a task on runs of positions, and copies in memory of a word of each of its positions and children.

Fitted to pancake:10, burnt:8, topspin:11,4; rounded up, because planned layers are flatter than counted ones.
"""


def of_table(needs: Needs, cluster: Cluster) -> float:
    """Return the bytes for a table of windows whose depths are kept."""
    table = needs.pieces
    assert table is not None
    whole = 8.0 * table.rows * table.words
    colours = len(set(table.colours))
    fresh = 1 if colours == 1 else 0  # with two colours, the next layer takes the place of the last but one
    most = MEMORY_SHARE * cluster.memory
    if whole <= SMALL and 6 * whole <= cluster.memory:
        held = (3 + fresh) * whole  # the client counts it: known bits, both planes; the next layer
    else:
        fed = len(table.arcs) / table.rows
        held = min((3 + fresh) * whole, most + 8 * min(PIECE, table.words) * (2 + fresh + fed))
    return PROGRAM + needs.made + held


def of_runs(needs: Needs, sizes: Sequence[float], children: float, cluster: Cluster) -> float:
    """Return the bytes for layers of packed positions."""
    words = needs.work((1.0,), 1.0)[0][1]
    each = max(sizes, default=0.0) / (PARTITIONS * cluster.workers)
    task = FIXED + 8 * words * each * (PER_POSITION + PER_CHILD * children)
    return PROGRAM + min(task, MEMORY_SHARE * cluster.memory)
