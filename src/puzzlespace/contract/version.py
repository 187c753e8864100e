"""The version of this program, which is part of saved tables and reports."""

__version__ = "0.1.0"
