"""Where the numbers of a rule program are, without NumPy: what packs a program and what runs it import this."""

CELLS, BITS, PER_WORD, WIDTH, SETS, SPANS, SPANS_END, BEGINS, CLASSES, FIXED, NEXT = range(11)
"""Fields at the begin of a program.

CELLS             of the model
BITS, PER_WORD    of the symbol of a cell, and the cells in a word
WIDTH             words of a position
SETS              words of a set of rules
SPANS, SPANS_END  where the spans begin that the rules test, and where they end
BEGINS            where the begins are: for each rule of what it carries, then of its entries; a last one is their end
CLASSES           where the class of each rule is: the number of the set of rules that may follow it, -1 for none
FIXED             where it is said of each rule where in `sets` the bits are that it changes, -1: it depends
NEXT              where the number of the set of rules is that lead on from a position that each rule has found
"""

HEAD = 11
"""The number of these fields."""

PLACE, RIGHT, MASK_OF, LISTED, SPAN = range(5)
"""Fields of a span, some cells beside each other in a word: the word, the bits to the right of them, a mask of their
bits, and where in `sets` the sets are that these select. SPAN is their number."""

TO_WORD, WRITTEN, CARRIES = range(3)
"""Fields of a word in which a rule writes what it carries unchanged: the word, a mask of the bits that are written, and
where its carries end. They follow: CARRY numbers each, 64 times a word plus the bits by which it is turned to the left,
and a mask of the bits that come from there."""

CARRY = 2

CELL_WORD, CELL_SHIFT, SOURCE_WORD, SOURCE_SHIFT, TABLE, ENTRY = range(6)
"""Fields of an entry: the place of a cell that a rule writes, that of the cell whose symbol decides, and where the
table of new symbols is. ENTRY is their number."""

COUNT, ROOM, MASK, AT, END, BUDGET, GENERATED, STATUS, WAITING, MARKING, MARKED, KEYED, STATE = range(13)
"""Fields of the state.

COUNT      positions found
ROOM       positions for which there is room
MASK       the slots of the hash table, less one
AT, END    the next position to expand, and that after the last one
BUDGET     positions that a call generates, about
GENERATED  positions generated so far
STATUS     why a call ended
WAITING    the parts of moves of one position for which there is room
MARKING    whether positions are marked, and none is new
MARKED     the position that the first mark is for
KEYED      whether slots have whole hashes instead of numbers: positions are words below 2 to the power of 63
STATE      the number of these fields
"""

DONE, PAUSED, FULL, CROWDED = range(4)
"""Status: all positions are expanded, the budget is spent, there is no room for positions, or for parts of moves."""

BATCH = 64
"""Positions that are looked up together, at least, if there are so many."""
