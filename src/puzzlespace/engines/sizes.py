"""From which size on each kind of table pays, and how it divides its work.

All are parameters of a plan. So every kind, and every way through it, also runs on puzzles of a few positions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Bounds that decide what is built, and never what comes out.

    listed         a part of a ranking with at most so many contents is a list of them
    pieces         `perm`: the least number of pieces, at least 6
    orders         `frame`: the least number of orders, at least 2
    written        `frame`: at most so many positions are written out one by one, without a list of all orders
    columns        `product`: about how many columns a row gets; its bits and tables stay in the fastest cache
    least_columns  `product`: with fewer columns it does not pay
    worth          a fast kind may number so many times more positions than are reached
    """

    listed: int = 4096
    pieces: int = 7
    orders: int = 64
    written: int = 1000
    columns: int = 1 << 11
    least_columns: int = 32
    worth: int = 40


USUAL = Sizes()
"""What pays on today's machines."""

TINY = Sizes(listed=0, pieces=6, orders=2, written=0, columns=16, least_columns=1, worth=1 << 62)
"""Every kind takes all that it can number, whether that pays or not; nothing is listed."""
