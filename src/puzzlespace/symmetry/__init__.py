"""Symmetries of a model: renamings of cells and symbols that keep the rules, the metric and the goals."""

from .classes import classes
from .find import symmetries
from .group import Group, Symmetry, cycles

__all__ = ["Group", "Symmetry", "classes", "cycles", "symmetries"]
