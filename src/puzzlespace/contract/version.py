"""The version of this program, which kept tables and reports name."""

__version__ = "0.1.0"
