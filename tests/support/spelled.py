"""Sokoban levels in many spellings, and a tiny reader of plain levels that shares no code with the format."""

from __future__ import annotations

import re
from itertools import groupby
from random import Random

PLAIN = {"p": "@", "P": "+", "b": "$", "B": "*", "-": " ", "_": " "}
LETTERS = {sign: letter for letter, sign in PLAIN.items() if letter.isalpha()}


def drawn(rows):
    """What a drawing means: (wall-free cells that matter, player, boxes, goals), relative to the first such cell.

    None if it is no level: not one player, open walls, no goals, or more goals than boxes.
    """
    at = {(x, y): PLAIN.get(sign, sign) for y, row in enumerate(rows) for x, sign in enumerate(row)}
    if sum(sign in "@+" for sign in at.values()) != 1:
        return None
    inside, pending = set(), [place for place, sign in at.items() if sign in "@+$."]
    while pending:
        x, y = place = pending.pop()
        if place in inside or at.get(place) == "#":
            continue
        if not (0 <= y < len(rows) and 0 <= x < max(map(len, rows))):
            return None
        inside.add(place)
        pending += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    left, top = min(x for x, _ in inside), min(y for _, y in inside)

    def places(signs):
        return frozenset((x - left, y - top) for x, y in inside if at.get((x, y), " ") in signs)

    if not 0 < len(places(".+*")) <= len(places("$*")):
        return None
    return places(" @+$*."), places("@+"), places("$*"), places(".+*")


def read(draft):
    """The same of a draft."""
    cells = [(x, y) for y, row in enumerate(draft.start.rows) for x, word in enumerate(row) if word != "#"]
    start = {place: draft.start.rows[place[1]][place[0]] for place in cells}
    return (
        frozenset(cells),
        frozenset(place for place in cells if start[place] == "@"),
        frozenset(place for place in cells if start[place] == "$"),
        frozenset((x, y) for x, y in cells if draft.goals[0].rows[y][x] == "$"),
    )


def floor(random: Random, rows):
    sign = random.choice("-_ ")
    return [row.replace(" ", sign) for row in rows]


def outside(random: Random, rows):
    """Floor around the walls, as a filled rectangle."""
    wide, sign = max(map(len, rows)), random.choice("-_")
    filled = [sign + row.ljust(wide).replace(" ", sign) + sign for row in rows]
    return filled if random.random() < 0.5 else [sign * (wide + 2), *filled, sign * (wide + 2)]


def trailing(random: Random, rows):
    return [row + random.choice(("", "  ", "\t", " \t ")) for row in rows]


def letters(random: Random, rows):
    """Letters for the player and boxes, or only for some of them."""
    most = random.choice((0.5, 1.0))
    return ["".join(LETTERS.get(s, s) if random.random() < most else s for s in row) for row in rows]


def coded(random: Random, rows):
    """Run lengths, one row a line or `|` between rows, perhaps with a group in parentheses."""
    sign = random.choice("-_")
    lines = []
    for row in rows:
        runs = [(key, len(list(group))) for key, group in groupby(row.replace(" ", sign))]
        lines.append("".join(f"{count}{key}" if count > random.choice((1, 2)) else key * count for key, count in runs))
    lines[1] = re.sub(r"^(.)(.*)$", r"1(\1)\2" if not lines[1][0].isdigit() else r"\1\2", lines[1])
    return lines if random.random() < 0.5 else ["|".join(lines) + random.choice(("", "|"))]


SPELLINGS = (floor, outside, letters, coded, trailing)


def moves(random: Random):
    return "".join(random.choices("lurd", k=random.randint(1, 40)))


def between(random: Random, number: int) -> list[str]:
    """Lines that divide two levels."""
    title = random.choice((
        f"; {number}", f"Level {number}", f"'Title {number}'", f"; J\xe9r\xf4me {number}", f"{number}", f"#{number}",
        "", f"; {number} 'The lake'",
    ))  # fmt: skip
    below = random.choice(([], [moves(random)], ["Solution", moves(random), ""], ["Title: T", "Author: A. Person"]))
    return [*below, "", title, *random.choice(([], [""]))]
