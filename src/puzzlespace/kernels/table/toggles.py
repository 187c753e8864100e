"""One layer of a table in which every move is an exclusive or of the bit index with a mask.

The high bits of the mask select the word, the low six permute the bits of a word: each exchanges neighbouring blocks of
bits. Each thread gathers the bits for its own target words, so there are no locks.
"""

import numpy as np

from ..loop import kernel

U64 = np.uint64


@kernel
def pull_words(seen, edge, masks, span):
    """Add to words span[0] … span[1]-1 of the edge the unseen positions one move from seen ones; return the words read.

    masks  int64 [moves], sorted by their low six bits, so that the bits are permuted once for all moves that share them
    """
    swaps = np.array([0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                      0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF], np.uint64)  # fmt: skip
    moves = len(masks)
    for word in range(span[0], span[1]):
        total, move = U64(0), 0
        while move < moves:
            low = masks[move] & 63
            came = U64(0)
            while move < moves and masks[move] & 63 == low:
                came |= seen[word ^ (masks[move] >> 6)]
                move += 1
            for bit in range(6):
                if low >> bit & 1:
                    by = U64(1) << U64(bit)
                    came = (came & swaps[bit]) << by | came >> by & swaps[bit]
            total |= came
        total &= ~seen[word]
        if total:  # a word of a file that is not written takes no room
            edge[word] |= total
    return (span[1] - span[0]) * moves
