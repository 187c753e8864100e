"""The memory of a position of PuzzleScript games, beside the bits of the objects that its changing layers have.

    python benchmarks/puzzlescript_memory.py FOLDER [--record]

FOLDER has games as .txt files. For each level that is compiled: `needed` are the bits of all objects of the layers in
which something may change, one for each object and cell; `key` are those of a stored position; `whole` are those with
the moves from it and its share of the hash table, which has between 4/3 and 5/3 slots a position: 5/3 are counted.

--record  write the table into docs/methods/games.md
"""

from __future__ import annotations

import argparse
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple, cast

from machine import write
from puzzlespace.errors import PuzzlespaceError
from puzzlespace.games.compiled import PackedPositions
from puzzlespace.games.level import GameLevel
from puzzlespace.games.reading import read_game

PAGE, MARK = "methods/games.md", "benchmarks/puzzlescript_memory.py"
HEADS = ("game", "levels", "needed", "key", "whole", "most key", "most whole", "above twice")
SLOTS = 5 / 3


class Bits(NamedTuple):
    """The bits of a position of a level."""

    needed: int
    key: int
    whole: float


def bits_of(level: GameLevel) -> Bits:
    moves, start = cast(Any, level.moves), cast(Any, level.start)
    store = PackedPositions(moves, [start], [])
    mask = reduce(or_, store.changing, 0)
    named = sum(layer.bit_count() for layer in level.game.layers if layer & mask)
    key, links = 64 * store.keys.shape[1], 32 * store.links.shape[1]
    return Bits(len(level.board.cells) * named, key, key + links + 64 * SLOTS)


def levels_of(file: Path) -> list[Bits]:
    """Return the bits of the levels in which something changes."""
    try:
        game = read_game(file.read_text(), file.stem)
        levels = [GameLevel.of(game, number, file.stem) for number in range(1, len(game.boards) + 1)]
    except PuzzlespaceError:
        return []
    found = list(map(bits_of, levels))
    return [each for each in found if each.needed]


def row(name: str, found: list[Bits]) -> list[str]:
    means = [sum(each[part] for each in found) / len(found) for part in range(3)]
    most = [max(each[part] / each.needed for each in found) for part in (1, 2)]
    above = sum(each.whole > 2 * each.needed for each in found)
    return [name, f"{len(found)}", *(f"{each:,.0f}" for each in means), *(f"{each:.2f}" for each in most), f"{above}"]


def main() -> None:
    """Print the table."""
    words = argparse.ArgumentParser(description="The memory of a position of games.")
    words.add_argument("folder", type=Path)
    words.add_argument("--record", action="store_true")
    asked = words.parse_args()
    games = {file.stem: levels_of(file) for file in sorted(asked.folder.glob("*.txt"))}
    lines = [list(HEADS), ["---"] * len(HEADS)]
    lines += [row(name, found) for name, found in games.items() if found]
    lines.append(row("all", [each for found in games.values() for each in found]))
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    print(text)
    if asked.record:
        write(PAGE, MARK, text)


if __name__ == "__main__":
    main()
