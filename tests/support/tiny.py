"""Thresholds so low that every kind of table accepts all models that it can rank, and nothing is listed."""

from puzzlespace.engines import table
from puzzlespace.engines.table.digits import LEAST_DIGITS
from puzzlespace.engines.table.frames import LEAST_ORDERS, WRITTEN
from puzzlespace.engines.table.products import LEAST_COLUMNS, ROW_COLUMNS
from puzzlespace.engines.table.row_column import TASK_WORDS
from puzzlespace.engines.table.turns.numbering import LEAST_TURNS
from puzzlespace.engines.table.words import LEAST_PIECES
from puzzlespace.limits.thresholds import Thresholds
from puzzlespace.ranking.find import MOST_LISTED

TINY = Thresholds(
    {
        MOST_LISTED: 0,
        LEAST_PIECES: 0,
        LEAST_ORDERS: 2,
        WRITTEN: 0,
        ROW_COLUMNS: 16,
        LEAST_COLUMNS: 1,
        TASK_WORDS: 1,
        LEAST_TURNS: 0,
        LEAST_DIGITS: 0,
        table.WORTH: 1 << 62,
    }
)
