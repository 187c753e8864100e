"""Indices into a ranking as one flat array, which `engines/table/rank_program.py` writes and `ranks.py` reads."""

from enum import IntEnum


class Header(IntEnum):
    """The header: counts and offsets. MEMBERS [symbol]: offset of its class; SIZES [symbol]: size of its class."""

    PARTS = 0
    PART_AT = 1
    RELATIONS = 2
    RELATION_AT = 3
    CELLS = 4
    SYMBOLS = 5
    MEMBERS = 6
    SIZES = 7
    END = 8


class Part(IntEnum):
    """Columns of a part. FIRST_OF [item] and SPECIAL [kind]: symbols; COUNTS [item]: how many; KEYS: contents."""

    LISTED = 0
    CELL_AT = 1
    CELLS = 2
    SIZE = 3
    ORDERS = 4
    CHOICES = 5
    UNITS = 6
    HALVED = 7
    DIFFERENT = 8
    TAB = 9
    STATE = 10
    KINDS = 11
    COUNTS = 12
    ITEMS = 13
    FIRST_OF = 14
    SPECIAL = 15
    KEYS = 16
    END = 17


class RelationColumn(IntEnum):
    """Columns of a relation. WEIGHT [cell, symbol]; SIGN [cell]: its signed set, or -1; SETS: number of signed sets."""

    MODULUS = 0
    VALUE = 1
    CELL = 2
    PART = 3
    WEIGHT = 4
    SETS = 5
    SIGN = 6
    END = 7
