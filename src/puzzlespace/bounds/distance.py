"""The sum of the moves that each piece needs alone, on an otherwise empty board (docs/methods/lower-bounds.md)."""

from ..heuristics.distance import DistanceBound
from .of_slides import slide_bound

BOUND = slide_bound("distance", lambda aim: DistanceBound(aim.slides, aim.goals))
