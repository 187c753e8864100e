"""Symmetries of a model: renamings of cells and symbols that preserve the rules, the metric and the goals."""

from .classes import classes
from .find import symmetries
from .group import Symmetry, SymmetryGroup, cycles

__all__ = ["Symmetry", "SymmetryGroup", "classes", "cycles", "symmetries"]
