"""How much work makes something faster worth its start, and how much of it is done at a time.

Answers do not depend on these numbers. Engines read them from `Watch.thresholds`; tests set them so low that every fast
path runs on tiny puzzles.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """From which size on each kind of table pays, and up to which size it is made.

    listed         a part of a ranking with at most so many contents is a list of them
    worth          a fast kind may number so many times more positions than are reached
    pieces         `perm`: the least number of pieces, at least 6
    orders         `frame`: the least number of orders, at least 2
    written        `frame`: at most so many positions are written out one by one, without a list of all orders
    frames         `frame`: frames are found one by one in plain Python up to so many …
    tried          … and rules are tried on frames no more often than this to find them
    again          `frame`: rules are tried on frames about so often to find the best way of reading
    ways           `frame`: with more rules than this, orders are not tried to be read along each of them
    alike          `frame`: orders of which some are alike, or of one sign, are tabulated up to so many
    different      `frame`: orders of different pieces are tabulated up to so many
    tables         `frame`: bytes of the tables of orders at most
    block          `frame`: a table of a block goes through the orders of at least so many places
    columns        `product`: about how many columns a row gets; its bits and tables stay in the fastest cache
    least_columns  `product`: with fewer columns it does not pay
    values         `product`: a coordinate with more values is not tabulated
    rows           `slide`: sets of cells for the blanks at most; with more of them other engines do better
    loose          `slide`: numbers at most where many may stand for positions out of reach
    """

    listed: int = 4096
    worth: int = 40
    pieces: int = 7
    orders: int = 64
    written: int = 1000
    frames: int = 20_000
    tried: int = 1_000_000
    again: int = 200_000
    ways: int = 24
    alike: int = 1 << 22
    different: int = 1 << 26
    tables: int = 1 << 30
    block: int = 7
    columns: int = 1 << 11
    least_columns: int = 32
    values: int = 1_000_000
    rows: int = 5000
    loose: int = 10_000_000


USUAL = Sizes()
"""What pays on today's machines."""

TINY = Sizes(listed=0, pieces=6, orders=2, written=0, columns=16, least_columns=1, worth=1 << 62)
"""Every kind takes all that it can number, whether that pays or not; nothing is listed."""


@dataclass(frozen=True)
class Thresholds:
    """What engines go by; each number with where it comes from is explained in the module that reads it.

    plain Python
        glance             positions generated between two looks at the limits
    choice
        few_placements     up to so many placements plain Python answers before anything faster is even imported
        some_placements    up to so many placements layers on NumPy answer before the compiler would have been loaded
        attempt_both       positions that the search from both ends in plain Python may generate before a compiled
                           engine takes over …
        attempt_blocks     … and where pieces of several cells slide: there the compiled one is a hundred times as fast
    frontier
        compile_frontier   so much work (positions generated, see `Front.work`) is worth loading compiled loops
        spill_from         layers of at least so many positions go on on disk; None: only if the memory is too small
        least_at_once      positions of runs on disk that are handled at once at least …
        most_at_once       … and at most
        run_block          positions of a block of a run that goes with the question
    idastar
        plain_orders       up to so many arrangements of the pieces plain Python answers
        attempt            positions that layers in plain Python may generate before the compiled search takes over
        many_orders        from so many arrangements on, pattern tables pay for themselves
        quick_positions    positions that a search below bounds that are quickly made may generate
        divided_from       positions generated from which on the next round is divided among threads
        parts              positions that a divided round begins from, at least
        stride             moves tried between two looks at the limits
        slots              slots of the table of positions that each thread keeps, a power of two
        rows               rows of the stack to begin with, at least two
        handed_over        positions on shortest solutions that are handed over at once
        exhaust_after      positions generated before layers from both ends are grown beside the search …
        exhaust_share      … one for each so many
        exhaust_rounds     rounds before layers from both ends are grown beside the search …
        exhaust_each       … so many positions for each further round
        few_words          words of links looked through for such as need not be followed …
        many_words         … and in a large round
        large_round        positions generated in a round from which on more words are looked through in the next
        small_tables       bytes of pattern tables that are quickly made …
        below_small        … and positions that a search below them may generate; None: as many as larger ones take
        coloured_tables    bytes of all tables of coloured pieces, and of making them, without a limit of memory
        kept_bytes         tables of so many bytes are kept in the user's cache folder
    blocks
        kept_whole         positions that stay in the table before the first are forgotten
        kept_every         one layer of so many is kept aside from then on
        expanded           positions expanded between two looks at the limits
        layers_at_once     layers grown at most before anything is reported
        codes              codes that the first buffer fits
        backward_goals     up to so many goal positions a search goes backwards too
    pegs
        beam_widths        positions of a layer that a beam keeps, from try to try
        beam_back          a beam takes layers back from the goals while they are at most so large
        beam_bits          classes of at least two to this power of positions are searched by a beam first
        listed_ways        positions on shortest solutions are listed up to so many
        peg_blocks         blocks of a set looked at between two looks at the limits
        peg_rows           positions of a layer that are pushed on between two looks at the limits
    table
        sizes              of `table` without the name of a kind
        unseen_first       `perm`: unseen bits are looked at where there are fewer than so many times the layer's
        slide_block        `slide`: words of a block at least, where the table has so many
        slide_notes        `slide`: new words of a layer that a part of the work notes; more are found by a second count
        slide_threads      `slide`: from so many words on more threads than one count
        slide_listed       `slide`: words of each row that are listed at once in a second count
        slide_written      `slide`: words whose positions are written out at once
        listed_bits        the other kinds: bits that are listed at once, a multiple of 64
    """

    glance: int = 1 << 12
    few_placements: int = 20_000
    some_placements: int = 400_000
    attempt_both: int = 150_000
    attempt_blocks: int = 5_000
    compile_frontier: int | None = 500_000
    spill_from: int | None = None
    least_at_once: int = 1 << 14
    most_at_once: int = 1 << 25
    run_block: int = 512
    plain_orders: int = 20_000
    attempt: int = 30_000
    many_orders: int = 1_000_000
    quick_positions: int = 20_000_000
    divided_from: int = 20_000_000
    parts: int = 96
    stride: int = 1 << 21
    slots: int = 1 << 21
    rows: int = 1 << 12
    handed_over: int = 1 << 12
    exhaust_after: int = 20_000_000
    exhaust_share: int = 200
    exhaust_rounds: int = 50
    exhaust_each: int = 200
    few_words: int = 30_000
    many_words: int = 100_000
    large_round: int = 5_000_000
    small_tables: int = 4 << 20
    below_small: int | None = None
    coloured_tables: int = 1 << 28
    kept_bytes: int = 1 << 17
    kept_whole: int = 1 << 21
    kept_every: int = 8
    expanded: int = 1 << 15
    layers_at_once: int = 1 << 8
    codes: int = 1 << 14
    backward_goals: int = 64
    beam_bits: int = 24
    beam_widths: tuple[int, ...] = (2_000, 20_000, 200_000, 2_000_000)
    beam_back: int = 400_000
    listed_ways: int = 100_000
    peg_blocks: int = 1 << 19
    peg_rows: int = 1 << 17
    sizes: Sizes = USUAL
    unseen_first: int = 3
    slide_block: int = 1024
    slide_notes: int = 1 << 13
    slide_threads: int = 1 << 14
    slide_listed: int = 1 << 18
    slide_written: int = 1 << 13
    listed_bits: int = 1 << 18
