"""Vector instructions on eight words (one cache line) at a time."""

from ..loop import UNCOMPILED, intrinsic
from ..widths import WORDS

if UNCOMPILED:

    def move_lanes(words, to, source, allowed, row, shifts):
        """Set words[to + (lane ^ turn)] |= (source[lane] & allowed[row + lane]) << up >> down, for all 8 lanes.

        to      a multiple of 8
        shifts  (up, down, turn)
        """
        up, down, turn = shifts
        for lane in range(WORDS):
            words[to + (lane ^ int(turn))] |= (source[lane] & allowed[row + lane]) << up >> down

else:
    move_lanes = intrinsic("move_lanes")
