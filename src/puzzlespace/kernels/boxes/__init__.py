"""Pushed boxes: docs/methods/boxes.md describes the methods and proves what is pruned."""

from .astar import before, before_work, search, search_work
from .counted import MOVE, PUSH, RUN, counted_work, search_counted, walking
from .deadlocks import solvable
from .floor import FAR, box_distances, flood, parts_without
from .matching import matched
from .nodes import (
    DIVES,
    ENTRIES,
    EXHAUSTED,
    EXPANDED,
    FIELDS,
    FRONT,
    FULL,
    GENERATED,
    LINKS,
    LONG,
    NARROW,
    NODES,
    SOLVED,
    STATUS,
    rehash,
    slot_of,
)
from .order import REGIONS, class_of, order_work
from .pairs import NEVER
from .passages import costs_to_go, gather, gather_behind, matched_behind, passage, passage_distances
from .walls import walled

__all__ = [
    "DIVES",
    "ENTRIES",
    "EXHAUSTED",
    "EXPANDED",
    "FAR",
    "FIELDS",
    "FRONT",
    "FULL",
    "GENERATED",
    "LINKS",
    "LONG",
    "MOVE",
    "NARROW",
    "NEVER",
    "NODES",
    "PUSH",
    "REGIONS",
    "RUN",
    "SOLVED",
    "STATUS",
    "before",
    "before_work",
    "box_distances",
    "class_of",
    "costs_to_go",
    "counted_work",
    "flood",
    "gather",
    "gather_behind",
    "matched",
    "matched_behind",
    "order_work",
    "parts_without",
    "passage",
    "passage_distances",
    "rehash",
    "search",
    "search_counted",
    "search_work",
    "slot_of",
    "solvable",
    "walking",
    "walled",
]
