"""Symmetries of a model: renamings of cells and symbols that keep the rules, the metric and the goals."""

from .classes import MOST_CLASSED, classes
from .find import symmetries
from .group import Group, Symmetry, cycles

__all__ = ["MOST_CLASSED", "Group", "Symmetry", "classes", "cycles", "symmetries"]
