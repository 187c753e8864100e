"""Peg boards from rows of text, with any directions of jumps, for the tests."""

from dataclasses import replace

from puzzlespace.api.loader import from_text
from puzzlespace.model.goal import Goal

ORTHOGONAL = ((1, 0), (0, 1))
LATTICE = (*ORTHOGONAL, (1, 1))
DIAGONAL = (*LATTICE, (1, -1))


def board(rows, ways=ORTHOGONAL, count="chain"):
    """The puzzle on the cells that are 'o' in `rows`, with lines along `ways`, full except for its first cell."""
    cells = {(x, y): f"{chr(97 + x)}{y + 1}" for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "o"}
    lines = []
    for dx, dy in ways:
        for x, y in cells:
            if (x - dx, y - dy) not in cells:
                line = [cells[x, y]]
                while (x + dx * len(line), y + dy * len(line)) in cells:
                    line.append(cells[x + dx * len(line), y + dy * len(line)])
                if len(line) > 1:
                    lines.append("-".join(line))
    width = max(map(len, rows))

    def drawn(word):
        return "\n".join(
            ("  " + "".join(word(x, y).ljust(4) if (x, y) in cells else "    " for x in range(width))).rstrip()
            for y in range(len(rows))
        )

    first = next(iter(cells))
    start = drawn(lambda x, y: "." if (x, y) == first else "o")
    names = drawn(lambda x, y: cells[x, y])
    text = (
        f"rule: jump\ncount: {count}\nboard:\n{names}\nlines: {' '.join(lines)}\nstart:\n{start}\ngoal: any one peg\n"
    )
    return from_text(text, "board.pzl")


def problem(puzzle, hole, last):
    """The puzzle from one hole to one last peg, with cells by name."""
    names = puzzle.board.names
    start = bytes(int(name != hole) for name in names)
    return replace(puzzle, start=start, goals=(Goal.exactly(bytes(int(name == last) for name in names)),))
