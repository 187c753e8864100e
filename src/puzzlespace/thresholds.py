"""How much work makes something faster worth its start, and how much of it is done at a time.

Answers do not depend on these numbers. Engines read them from `Watch.thresholds`; tests set them so low that every fast
path runs on tiny puzzles.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Thresholds:
    """What engines go by; each number with where it comes from is explained in the module that reads it.

    frontier
        compile_frontier   so much work (positions generated, see `Front.work`) is worth loading compiled loops
        spill_from         layers of at least so many positions go on on disk; None: only if the memory is too small
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
    blocks
        kept_whole         positions that stay in the table before the first are forgotten
        kept_every         one layer of so many is kept aside from then on
        expanded           positions expanded between two looks at the limits
        layers_at_once     layers grown at most before anything is reported
        codes              codes that the first buffer fits
        backward_goals     up to so many goal positions a search goes backwards too
    pegs
        beam_bits          classes of at least two to this power of positions are searched by a beam first
        listed_ways        positions on shortest solutions are listed up to so many
    """

    compile_frontier: int | None = 500_000
    spill_from: int | None = None
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
    kept_whole: int = 1 << 21
    kept_every: int = 8
    expanded: int = 1 << 15
    layers_at_once: int = 1 << 8
    codes: int = 1 << 14
    backward_goals: int = 64
    beam_bits: int = 24
    listed_ways: int = 100_000
