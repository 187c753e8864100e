"""Thresholds: from which amount of work on a fast method is used, and how much is processed at a time.

Answers do not depend on these numbers. Engines read them from `Watch.thresholds`. Tests set them so low that every fast
path runs on tiny puzzles. The classes have so many fields that functions to compare and print them would take 2 ms
of every command.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class Sizes:
    """The least and the greatest sizes for each kind of table.

    listed         the most contents of a part of a ranking that is a list of them
    worth          a fast kind may have this many times as many ranks as there are reachable positions
    words          `words`: the least number of pieces
    orders         `frame`: the least number of orders, at least 2
    written        `frame`: the most positions that are unranked one by one, without a list of all orders
    frames         `frame`: the most frames, which are found one by one in plain Python
    tried          `frame`: the most times that rules are tried on frames to find them
    again          `frame`: about how often rules are tried on frames to find the best reading of orders
    ways           `frame`: the most rules of which each is tried as the rule that a reading follows
    alike          `frame`: the most orders in a table if pieces are alike or orders have one parity
    different      `frame`: the most orders in a table if all pieces differ
    tables         `frame`: the most bytes of the tables of orders
    block          `frame`: the least number of places whose orders a table covers
    columns        `product`: about how many columns a row has, so that its bits and tables fit the fastest cache
    least_columns  `product`: the least number of columns for which it is worthwhile
    task           `frame`, `product`: the fewest words of a task. 2^14 take 0.1 to 0.3 ms, handing a task over 0.03 ms
    values         `product`: the most values of a coordinate
    turns          `turn`: the least number of positions for which it is worthwhile
    digits         `digits`: the least number of positions for which it is worthwhile
    rows           `slide`: the most sets of cells of the blanks; with more, other engines are faster
    loose          `slide`: table limit if many ranks may be unreachable
    """

    listed: int = 4096
    worth: int = 40
    words: int = 9
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
    task: int = 1 << 14
    values: int = 1_000_000
    turns: int = 1 << 22
    digits: int = 1 << 12
    rows: int = 5000
    loose: int = 10_000_000


USUAL = Sizes()
"""The sizes that were measured to be worthwhile."""

TINY = Sizes(
    listed=0,
    words=0,
    orders=2,
    written=0,
    columns=16,
    least_columns=1,
    task=1,
    turns=0,
    digits=0,
    worth=1 << 62,
)
"""Sizes for tests: every kind accepts all models that it can rank, and nothing is listed."""


@dataclass(frozen=True, eq=False, repr=False)
class Thresholds:
    """The thresholds of engines; the module that uses a number explains where it comes from.

    plain Python
        glance             positions generated between two checks of the limits
    choice
        few_placements     up to this many placements, plain Python answers and nothing faster is loaded
        some_placements    up to this many placements, layers with NumPy are faster than loading compiled kernels
        attempt_both       positions that the bidirectional search in plain Python may generate before layers with NumPy
                           take over: about as many as it generates in the time of loading these (0.1 s)
        attempt_blocks     positions that layers with NumPy may generate before the compiled engine for sliding blocks
                           takes over; loading it takes as long
        block_rules        … with more rules than this, NumPy is slow, and the compiled engine takes over after …
        attempt_block_rules  … this many positions
        attempt_algebra    positions generated before a faster engine takes over: for moves that add, which are solved
                           by linear algebra …
        attempt_pairs      … for listed moves with a bound of adjacent pairs, which is there at once …
        attempt_digits     … and for moves that change one digit of a number
        attempt_boxes      … for a player who pushes boxes …
        uncompiled_boxes   … before the loop of this search is compiled …
        attempt_box_layers   … before the loop that counts their positions is compiled …
        attempt_gliders    … and for few pieces that go on until something stops them
    frontier
        compile_frontier   the work (positions generated, see `Front.work`) from which on kernels are compiled
        spill_from         layers of at least this many positions are put on disk; None: only if memory is too small
        least_at_once      the least positions of runs on disk that are processed at once …
        most_at_once       … and the most
        run_block          positions per block of a temporary run
        run_encoded        positions of a run that are encoded at once
        parents_at_once    positions that are expanded at once to find those on a solution, if moves cannot be undone
        cells_at_once      pairs of position and rule that NumPy compares at once
        layer_bits         compiled layers: there are 2 to this power parts and buckets, at least 2
        arena_block        compiled layers: words in a block of the arena, a power of two, at least 8
        arena_extra        compiled layers: blocks of the arena, at least, besides those of the buckets
    astar
        digit_tables       the most entries of a pattern table
    idastar
        plain_orders       up to this many arrangements of the pieces, plain Python answers
        attempt            positions that layers in plain Python may generate before the compiled search takes over
        many_orders        the least number of arrangements for which pattern databases are worthwhile
        quick_positions    positions that a search with quickly computed bounds may generate
        divided_from       positions generated from which on the next round is divided among threads
        parts              the least number of positions from which a divided round starts
        stride             moves tried between two checks of the limits
        slots              slots of each thread's transposition table, a power of two
        rows               initial rows of the stack, at least two
        many_pieces        the most arrangements of pieces for which no tables of pieces of listed moves are worthwhile
        piece_tables       bytes of the tables of pieces of listed moves …
        small_piece_tables … of those that are computed first …
        below_small_pieces … and the positions that a search with the first ones may generate …
        large_piece_tables … bytes of those that are computed last, and of a coset table …
        below_pieces       … and the positions that a search below the tables before them may generate
        entries_marked     a search below the depths of a coset table may generate one position for this many entries,
                           before marks of moves are computed
        visited_slack      below tables of pieces: moves that must be left beyond the bound of a position to record it
        looked_up          listed moves are looked up instead of tried if at most one of this many is tried then
        handed_over        positions on shortest solutions that are returned at once
        exhaust_after      positions generated before layers from both ends are computed along with the search …
        exhaust_share      … then one position for this many positions of the search
        exhaust_rounds     rounds before layers from both ends are computed along with the search …
        exhaust_each       … then this many positions for each further round
        first_words        sequences of links that are tested for redundancy in the first rounds …
        few_words          … in the rounds after an ample one …
        many_words         … and after a large one
        ample_round        positions generated in a round from which on it is ample
        large_round        positions generated in a round from which on it is large
        small_tables       bytes of pattern databases that are quickly computed
        below_small        positions that a search with small tables may generate; None: as many as with larger ones
        attempt_colours    positions that layers may generate before tables of coloured pieces are computed …
        coloured_tables    … bytes of all tables of coloured pieces, and of computing them, without a limit of memory
        kept_bytes         the least size in bytes of tables that are saved in the cache folder
    blocks
        kept_whole         positions up to which the table stores all positions
        kept_every         after that, one of this many layers is stored separately
        expanded           positions expanded between two checks of the limits
        layers_at_once     the most layers computed between two reports
        codes              initial length of the buffer of codes
        backward_goals     the most goal positions for a search from both ends
        decoded            positions of a layer that are decoded at once
    linear
        compared           numbers of presses that are compared at once
        listed_presses     the most positions that are listed to find those that are wanted
    pegs
        beam_widths        positions that a beam keeps of each layer, one number for each attempt
        beam_back          the most positions of a layer from the goals that is expanded further
        beam_bits          the logarithm (base 2) of the size of a class from which on the beam search is tried first
        listed_ways        the most positions on shortest solutions that are listed
        peg_blocks         blocks of a set processed between two checks of the limits
        peg_rows           positions of a layer processed between two checks of the limits
        peg_room           room for positions of the next layer, besides the expected number
    table
        sizes              sizes of tables that are chosen without the name of a kind
        attempt_bytes      plain Python first generates up to one position for this many bytes of the table
        single_bits        `words`: single bits are moved if that takes less than so many times the time of whole words
        slide_block        `slide`: the least number of words of a block, unless the table has fewer
        slide_notes        `slide`: the most new words of a layer that a task notes; with more, a second count finds
                           them
        slide_threads      `slide`: the least number of words for several threads
        slide_listed       `slide`: words of each row that are listed at once in a second count
        slide_written      `slide`: words whose positions are unranked at once
        device_positions   `slide`: the least number of positions that are counted on a graphics card unless it is
                           asked for
        turn_notes         `turn`: positions of a layer that a task notes; with more, a second count finds those of the
                           last layer
        listed_bits        the other kinds: bits that are listed at once, a multiple of 64
    """

    glance: int = 1 << 12
    few_placements: int = 20_000
    some_placements: int = 400_000
    attempt_both: int = 10_000
    attempt_blocks: int = 200_000
    block_rules: int = 256
    attempt_block_rules: int = 5_000
    attempt_algebra: int = 2_000
    attempt_pairs: int = 200
    attempt_digits: int = 5_000
    attempt_boxes: int = 300
    uncompiled_boxes: int = 100_000
    attempt_box_layers: int = 20_000
    attempt_gliders: int = 20_000
    compared: int = 1 << 22
    listed_presses: int = 1 << 14
    compile_frontier: int | None = 500_000
    spill_from: int | None = None
    least_at_once: int = 1 << 14
    most_at_once: int = 1 << 25
    run_block: int = 512
    run_encoded: int = 1 << 16
    parents_at_once: int = 1 << 12
    cells_at_once: int = 1 << 21
    layer_bits: int = 10
    arena_block: int = 512
    arena_extra: int = 64
    digit_tables: int = 1 << 26
    plain_orders: int = 20_000
    attempt: int = 30_000
    many_orders: int = 1_000_000
    quick_positions: int = 20_000_000
    divided_from: int = 20_000_000
    parts: int = 96
    stride: int = 1 << 21
    slots: int = 1 << 21
    rows: int = 1 << 12
    many_pieces: int = 10**13
    piece_tables: int = 1 << 27
    small_piece_tables: int = 1 << 22
    below_small_pieces: int = 3_000_000
    large_piece_tables: int = 1 << 30
    below_pieces: int = 20_000_000
    entries_marked: int = 16
    visited_slack: int = 4
    looked_up: int = 2
    handed_over: int = 1 << 12
    exhaust_after: int = 20_000_000
    exhaust_share: int = 200
    exhaust_rounds: int = 50
    exhaust_each: int = 200
    first_words: int = 3_000
    few_words: int = 30_000
    many_words: int = 100_000
    ample_round: int = 1_000_000
    large_round: int = 5_000_000
    small_tables: int = 4 << 20
    below_small: int | None = None
    attempt_colours: int = 5_000_000
    coloured_tables: int = 1 << 28
    kept_bytes: int = 1 << 17
    kept_whole: int = 1 << 21
    kept_every: int = 8
    expanded: int = 1 << 15
    layers_at_once: int = 1 << 8
    codes: int = 1 << 14
    backward_goals: int = 64
    decoded: int = 1 << 16
    beam_bits: int = 24
    beam_widths: tuple[int, ...] = (2_000, 20_000, 200_000, 2_000_000)
    beam_back: int = 400_000
    listed_ways: int = 100_000
    peg_blocks: int = 1 << 19
    peg_rows: int = 1 << 17
    peg_room: int = 64
    sizes: Sizes = USUAL
    attempt_bytes: int = 1 << 13
    single_bits: float = 1
    slide_block: int = 1024
    slide_notes: int = 1 << 13
    slide_threads: int = 1 << 14
    slide_listed: int = 1 << 18
    slide_written: int = 1 << 13
    device_positions: int = 2_000_000_000
    turn_notes: int = 1 << 16
    listed_bits: int = 1 << 18
