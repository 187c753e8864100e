"""Rankings: one-to-one maps from the positions of a puzzle to 0 … size-1, derived from its rules."""

from .find import find, usable
from .numbering import Arrangement, Listed, Part, Pivot, Ranking
from .reach import orbit_draw, orbit_size, reached

__all__ = ["Arrangement", "Listed", "Part", "Pivot", "Ranking", "find", "orbit_draw", "orbit_size", "reached", "usable"]
