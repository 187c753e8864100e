"""Sets of thresholds with which tiny puzzles take every fast path; a test checks that none is forgotten."""

from puzzlespace.contract.answers import LISTED_WAYS
from puzzlespace.contract.questions import (
    ATTEMPT_EASY,
    ATTEMPT_LOADED,
    FEW_PLACEMENTS,
    MANY_PLACEMENTS,
    SOME_PLACEMENTS,
)
from puzzlespace.engines.astar import ATTEMPT_DIGITS, DIGIT_TABLES
from puzzlespace.engines.blocks import ATTEMPT_BLOCK_RULES, ATTEMPT_BLOCKS, BACKWARD_GOALS, BLOCK_RULES
from puzzlespace.engines.blocks.code_set import KEPT_WHOLE
from puzzlespace.engines.blocks.reach import CODES, EXPANDED, KEPT_EVERY
from puzzlespace.engines.boxes import ATTEMPT_BOXES
from puzzlespace.engines.boxes.pushes import FIRST_SWEEP, SWEPT_AFTER
from puzzlespace.engines.deepening import ATTEMPT_COLOURS, ATTEMPT_PAIRS
from puzzlespace.engines.deepening.blank_links import AMPLE_ROUND, FEW_WORDS, FIRST_WORDS, LARGE_ROUND, MANY_WORDS
from puzzlespace.engines.deepening.coset_search import CHILDREN_AT_ONCE
from puzzlespace.engines.deepening.iterations import DIVIDED_FROM, PARTS, SLOTS
from puzzlespace.engines.deepening.listed import MANY_PIECES
from puzzlespace.engines.deepening.listed_search import LOOKED_UP
from puzzlespace.engines.deepening.methods import ATTEMPT_PLAIN, PLAIN_ORDERS, QUICK_POSITIONS
from puzzlespace.engines.deepening.moves import HANDED_OVER, ROWS
from puzzlespace.engines.deepening.patterns import BELOW_SMALL, SMALL_TABLES
from puzzlespace.engines.deepening.piece_search import (
    BELOW_PIECES,
    BELOW_SMALL_PIECES,
    ENTRIES_FINER,
    ENTRIES_MARKED,
    ENTRIES_READ,
    FINER_TABLES,
    LARGE_PIECE_TABLES,
    PIECE_TABLES,
    SMALL_PIECE_TABLES,
    VISITED_SLACK,
)
from puzzlespace.engines.deepening.unsolvable import EXHAUST_AFTER, EXHAUST_EACH, EXHAUST_ROUNDS, EXHAUST_SHARE
from puzzlespace.engines.frontier import ATTEMPT_BOTH
from puzzlespace.engines.linear.counts import LISTED_PRESSES
from puzzlespace.engines.linear.systems import COMPARED
from puzzlespace.engines.packed.arrays import NET_FROM
from puzzlespace.engines.packed.front import COMPILE_FRONTIER, PARENTS_AT_ONCE
from puzzlespace.engines.packed.hashed_layers import ARENA_BLOCK, ARENA_EXTRA, LAYER_BITS
from puzzlespace.engines.packed.numpy_layers import CELLS_AT_ONCE
from puzzlespace.engines.pegs import BEAM_BITS, BEAM_WIDTHS
from puzzlespace.engines.pegs.beam import BEAM_BACK
from puzzlespace.engines.pegs.layers import PEG_ROOM, PEG_ROWS
from puzzlespace.engines.pegs.reach import PEG_BLOCKS
from puzzlespace.engines.program.layers import FIRST_PARTS, FIRST_ROOM
from puzzlespace.engines.table import ATTEMPT_BYTES
from puzzlespace.engines.table.classes import LEAST_SLAB
from puzzlespace.engines.table.counting import LISTED_BITS
from puzzlespace.engines.table.frames import COVERED, MOST_FRAMES, TRIED_AGAIN, WAYS, WRITTEN
from puzzlespace.engines.table.one_bit import LISTED_WORDS, TWO_BITS
from puzzlespace.engines.table.products import MOST_VALUES
from puzzlespace.engines.table.slide.counting import (
    SLIDE_BLOCK,
    SLIDE_LISTED,
    SLIDE_NOTES,
    SLIDE_THREADS,
    SLIDE_WRITTEN,
)
from puzzlespace.engines.table.slide.numbering import MOST_ROWS
from puzzlespace.engines.table.slide.on_device import DEVICE_POSITIONS
from puzzlespace.engines.table.turns.counting import TURN_NOTES
from puzzlespace.engines.table.words import SINGLE_BITS
from puzzlespace.heuristics.colours import COLOURED_TABLES
from puzzlespace.heuristics.kept import KEPT_BYTES
from puzzlespace.heuristics.projection_choice import PROJECTION_NODES, PROJECTION_WORK
from puzzlespace.limits.thresholds import USUAL
from puzzlespace.limits.watch import GLANCE, STRIDE
from puzzlespace.search.best_first import STORED_POSITIONS, VISITED_POSITIONS
from puzzlespace.search.disk_layers import SPILL_FROM
from puzzlespace.search.layers import DECODED
from puzzlespace.search.merge import LEAST_AT_ONCE, MOST_AT_ONCE
from puzzlespace.search.runs import RUN_BLOCK, RUN_ENCODED
from tiny import TINY

LOW = TINY | {
    GLANCE: 3,
    COMPILE_FRONTIER: 0,
    NET_FROM: -1,
    PROJECTION_WORK: 2_000,
    PROJECTION_NODES: 30,
    PLAIN_ORDERS: 0,
    ATTEMPT_PLAIN: 0,
    QUICK_POSITIONS: 40,
    DIVIDED_FROM: -1,
    PARTS: 4,
    STRIDE: 7,
    SWEPT_AFTER: 3,
    FIRST_SWEEP: 1,
    SLOTS: 64,
    ROWS: 2,
    HANDED_OVER: 3,
    EXHAUST_AFTER: 0,
    EXHAUST_SHARE: 1,
    EXHAUST_ROUNDS: 0,
    EXHAUST_EACH: 50,
    KEPT_WHOLE: 3,
    KEPT_EVERY: 2,
    EXPANDED: 4,
    CODES: 64,
    BACKWARD_GOALS: 3,
    BEAM_BITS: 0,
    LISTED_WAYS: 20,
    FEW_PLACEMENTS: 0,
    SOME_PLACEMENTS: 0,
    ATTEMPT_BOTH: 0,
    ATTEMPT_BLOCKS: 0,
    ATTEMPT_EASY: 0,
    ATTEMPT_BYTES: 1 << 60,
    ATTEMPT_PAIRS: 0,
    BLOCK_RULES: 0,
    ATTEMPT_BLOCK_RULES: 0,
    LEAST_AT_ONCE: 99,
    MOST_AT_ONCE: 99,
    RUN_BLOCK: 40,
    RUN_ENCODED: 50,
    PARENTS_AT_ONCE: 2,
    CHILDREN_AT_ONCE: 1,
    DECODED: 5,
    FIRST_WORDS: 2,
    FEW_WORDS: 3,
    AMPLE_ROUND: 2,
    MANY_WORDS: 50,
    LARGE_ROUND: 5,
    SMALL_TABLES: 200,
    BEAM_WIDTHS: (1, 3, 5000),
    BEAM_BACK: 2,
    BELOW_SMALL: 40,
    ATTEMPT_COLOURS: 0,
    COLOURED_TABLES: 1 << 27,
    KEPT_BYTES: 1 << 16,
    PEG_BLOCKS: 16,
    PEG_ROWS: 2,
    SLIDE_WRITTEN: 1,
    LISTED_BITS: 64,
    SINGLE_BITS: 0,
    LEAST_SLAB: 1,
    SLIDE_BLOCK: 1,
    SLIDE_NOTES: 1,
    SLIDE_THREADS: 0,
    SLIDE_LISTED: 2,
    TURN_NOTES: 2,
    DEVICE_POSITIONS: 0,
    COMPARED: 20,
    LOOKED_UP: 0,
    MANY_PIECES: 0,
    PIECE_TABLES: 2000,
    SMALL_PIECE_TABLES: 60,
    BELOW_SMALL_PIECES: 10,
    LARGE_PIECE_TABLES: 4000,
    BELOW_PIECES: 30,
    ENTRIES_MARKED: 4,
    ENTRIES_FINER: 4,
    ENTRIES_READ: 4,
    FINER_TABLES: 4000,
    VISITED_SLACK: 0,
    LISTED_PRESSES: 4,
    CELLS_AT_ONCE: 20,
    LAYER_BITS: 2,
    ARENA_BLOCK: 16,
    ARENA_EXTRA: 1,
    PEG_ROOM: 1,
    ATTEMPT_BOXES: 0,
    ATTEMPT_LOADED: 0,
    ATTEMPT_DIGITS: 0,
    DIGIT_TABLES: 30,
    MANY_PLACEMENTS: 0,
    FIRST_ROOM: 2,
    FIRST_PARTS: 2,
}
"""All fast paths at once."""

VARIANTS = {
    "usual": USUAL,
    "low": LOW,
    "compiled": USUAL | {COMPILE_FRONTIER: 0, PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0, SLOTS: 1 << 10, EXHAUST_ROUNDS: 3},
    "many": USUAL | {PLAIN_ORDERS: 0, ATTEMPT_PLAIN: 0, SLOTS: 1 << 10, EXHAUST_ROUNDS: 3, MANY_PLACEMENTS: 0},
    "disk": LOW
    | {
        SPILL_FROM: 0,
        TWO_BITS: -1,
        LISTED_WORDS: 0,
        DIVIDED_FROM: 1 << 30,
        BACKWARD_GOALS: 0,
        MANY_PLACEMENTS: 1 << 30,
    },
    "middle": LOW
    | {
        SOME_PLACEMENTS: 1 << 60,
        ATTEMPT_BOTH: 30,
        ATTEMPT_DIGITS: 20,
        ATTEMPT_BLOCKS: 10,
        ATTEMPT_BLOCK_RULES: 10,
        RUN_BLOCK: 30,
        LEAST_AT_ONCE: 40,
        SPILL_FROM: 10,
        COVERED: 4,
        TRIED_AGAIN: 0,
        WAYS: 0,
        MOST_FRAMES: 50,
        MOST_VALUES: 30,
        MOST_ROWS: 20,
        WRITTEN: 1000,
        BEAM_WIDTHS: (5000,),
        COLOURED_TABLES: 3000,
        KEPT_BYTES: 0,
        SINGLE_BITS: 0.5,
        TWO_BITS: -1,
        LISTED_WORDS: 1,
        STORED_POSITIONS: 40,
        VISITED_POSITIONS: 60,
    },
    "few kept": LOW
    | {
        ATTEMPT_BYTES: 1 << 17,
        KEPT_WHOLE: 1,
        CODES: 8,
        LISTED_WAYS: 0,
        COLOURED_TABLES: 60,
        ARENA_EXTRA: 20,
        BEAM_WIDTHS: (1, 1, 5000),
    },
}
"""Sets of thresholds by name."""

FEW_PIECES = {
    SMALL_PIECE_TABLES: 60,
    BELOW_SMALL_PIECES: 10,
    PIECE_TABLES: 2000,
    BELOW_PIECES: 30,
    LARGE_PIECE_TABLES: 4000,
    KEPT_BYTES: 1 << 40,
}
"""All sizes of tables of pieces, one after the other."""

BY_NAME = TINY, TINY, VARIANTS["middle"]
"""Thresholds of kinds of tables by name."""
