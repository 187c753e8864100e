"""Equal pieces matched to goal places at the least cost that a parity allows (docs/methods/lower-bounds.md)."""

from ..heuristics.assignment import Assignment
from ..heuristics.named import single
from .of_slides import slide_bound

BOUND = slide_bound("assignment", lambda aim: Assignment(aim.slides, single(aim.goals, "assignment")))
