"""Random puzzles of thousands of positions at the usual thresholds: the answers of every engine, compared.

    python -m tests.fuzz.large 1000000 100

examines the puzzles of 100 seeds, from 1,000,000 onwards: every engine by name in every metric with every bound, and
the automatic choice, which also goes from one engine to another. Tiny puzzles use fast paths only if thresholds are
lowered; these puzzles use them as users do.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from puzzlespace.api import crosscheck, questions
from puzzlespace.errors import PuzzlespaceError, SelfCheckError, SelfCheckWarning
from puzzlespace.limits.watch import Limits
from puzzlespace.puzzle.puzzle import Puzzle
from puzzlespace.render import text as pictures

from .generators import accepted

FEWEST, MOST = 3_000, 90_000
"""The positions that the start reaches."""

EACH = Limits(seconds=6, memory=2 << 30)
"""The limits of one answer; one that they stop is not compared."""

LETTERS = "ABCDEFGH"

BLOCKS = (
    ((0, 0),), ((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (1, 0), (2, 0)), ((0, 0), (0, 1), (0, 2)),
    ((0, 0), (1, 0), (0, 1)), ((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 0), (0, 1), (1, 1)),
)  # fmt: skip
"""Blocks as (column, row) of their cells."""


def drawing(words: Sequence[str], width: int) -> str:
    """Return one word for each cell as the indented rows of a drawing."""
    rows = [words[first : first + width] for first in range(0, len(words), width)]
    return "\n" + "".join(f"  {' '.join(row)}\n" for row in rows)


def sometimes(random: Random, line: str) -> str:
    """Return a line of the file once in four times."""
    return f"{line}\n" if random.random() < 0.25 else ""


def slide(random: Random) -> str:
    """Return pieces of one cell, like or different, with walls and several blanks."""
    width, height = random.choice(((3, 3), (4, 2), (4, 3), (5, 2), (6, 2), (4, 4)))
    cells, blanks, walls = width * height, random.randint(1, 5), random.choice((0, 0, 1, 2, 3))
    count = max(1, cells - blanks - walls)
    kinds = LETTERS[: random.randint(1, min(count, len(LETTERS)))]
    words = [random.choice(kinds) for _ in range(count)] + ["."] * blanks
    words += ["#"] * (cells - len(words))
    random.shuffle(words)
    keys = f"rule: slide\ncount: {random.choice(('step', 'run', 'piece', 'multi'))}\n"
    return f"{keys}{sometimes(random, 'diagonals: yes')}start:{drawing(words, width)}"


def blocks(random: Random) -> str:
    """Return blocks of up to four cells on a board with few blanks."""
    width, height = random.choice(((4, 4), (4, 5), (5, 4), (5, 5), (6, 4), (3, 5)))
    words = ["."] * (width * height)
    for _ in range(random.choice((0, 0, 1, 2))):
        words[random.randrange(len(words))] = "#"
    names, blanks = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), random.randint(2, 5)
    for _ in range(random.randint(8, 26)):
        x, y, shape = random.randrange(width), random.randrange(height), random.choice(BLOCKS)
        cells = [(y + down) * width + x + right for right, down in shape if x + right < width and y + down < height]
        if words.count(".") > blanks and len(cells) == len(shape) and all(words[cell] == "." for cell in cells):
            name = next(names)
            for cell in cells:
                words[cell] = name
    rule = random.choice(("slide", "slide", "slide along"))
    count = random.choice(("step", "run", "piece") + (() if "along" in rule else ("multi",)))
    return f"rule: {rule}\nblocks: all\ncount: {count}\nstart:{drawing(words, width)}"


def jump(random: Random) -> str:
    """Return pegs of one or two kinds."""
    width, height = random.choice(((4, 4), (5, 4), (4, 5), (5, 5), (6, 3)))
    words = [random.choice("ooooo.") for _ in range(width * height)]
    if random.random() < 0.2:
        words = ["x" if word == "o" and random.random() < 0.3 else word for word in words]
    keys = f"rule: jump\ncount: {random.choice(('step', 'chain'))}\n"
    return f"{keys}{sometimes(random, 'diagonals: yes')}start:{drawing(words, width)}"


def carried(random: Random) -> str:
    """Return listed moves that carry like or different pieces in circles."""
    width, height = random.choice(((8, 1), (7, 1), (4, 2), (3, 3), (5, 2), (6, 2), (12, 1)))
    names = [f"c{cell}" for cell in range(width * height)]
    different = len(names) <= len(LETTERS) and random.random() < 0.6
    words = list(LETTERS[: len(names)]) if different else [random.choice(LETTERS[:3]) for _ in names]
    moves = ""
    for number in range(random.randint(2, 6)):
        free = random.sample(names, len(names))
        length = random.randint(2, min(5, len(free)))
        circles = [free[:length], free[length : length + 2]][: random.randint(1, 2)]
        written = " ".join(f"({' '.join(circle)})" for circle in circles if len(circle) > 1)
        moves += f"  m{number}: {written}\n"
    keys = f"rule: apply\ncount: {random.choice(('step', 'run'))}\n{sometimes(random, 'one-way: yes')}"
    return f"{keys}board:{drawing(names, width)}moves:\n{moves}start:{drawing(words, width)}"


def lamps(random: Random) -> str:
    """Return lamps of two or three states, sometimes with a move that exchanges two of them."""
    width, height, states = random.choice(((4, 4, 2), (5, 3, 2), (4, 3, 2), (10, 1, 3), (9, 1, 3), (11, 1, 2)))
    names, words = [f"c{cell}" for cell in range(width * height)], "xyz"[:states]
    presses = [random.sample(names, random.randint(1, 6)) for _ in range(random.randint(len(names) // 2, len(names)))]
    moves = "".join(f"  m{number}: {' '.join(f'~{name}' for name in press)}\n" for number, press in enumerate(presses))
    if random.random() < 0.3:
        moves += f"  s: ({' '.join(random.sample(names, 2))})\n"
    circle = " <-> ".join(words) if states == 2 else " -> ".join((*words, words[0]))
    start = [random.choice(words) for _ in names]
    keys = f"rule: apply\ncount: {random.choice(('step', 'run'))}\nswap: {circle}\n"
    return f"{keys}board:{drawing(names, width)}moves:\n{moves}start:{drawing(start, width)}"


def push(random: Random) -> str:
    """Return boxes that a player pushes, or also pulls."""
    width, height = random.choice(((5, 5), (6, 5), (6, 6), (7, 5)))
    words = ["#" if random.random() < 0.15 else "." for _ in range(width * height)]
    player, *boxes = random.sample(range(len(words)), random.randint(2, 5))
    for cell in boxes:
        words[cell] = "$"
    words[player] = "@"
    keys = f"rule: push\ncount: {random.choice(('push', 'move', 'run'))}\n{sometimes(random, 'pull: yes')}"
    return f"{keys}start:{drawing(words, width)}"


def glide(random: Random) -> str:
    """Return pieces that glide until something stops them."""
    width, height = random.choice(((5, 5), (6, 5), (6, 6), (4, 4), (7, 7)))
    words = ["#" if random.random() < 0.12 else "." for _ in range(width * height)]
    pieces = random.choice((LETTERS, "A" * 8))[: random.randint(2, 4)]
    for cell, piece in zip(random.sample(range(len(words)), len(pieces)), pieces, strict=True):
        words[cell] = piece
    return f"rule: glide\ncount: piece\nstart:{drawing(words, width)}"


KINDS = (slide, blocks, jump, carried, lamps, push, glide)
"""The kinds of puzzles; consecutive seeds take them in turn."""

OPENED = (blocks, push, glide)
"""The kinds whose goals always leave cells open, as in most puzzles that people write."""


def draw(seed: int) -> str:
    """Return the puzzle of a seed: its goal is the end of a random walk, sometimes with cells left open."""
    random = Random(seed)
    kind = KINDS[seed % len(KINDS)]
    while True:
        text = kind(random)
        puzzle = accepted(text)
        if puzzle is None or not FEWEST <= reached(puzzle) <= MOST:
            continue
        whole = f"{text}goal:\n{goal(random, puzzle, opened=kind in OPENED or random.random() < 0.3)}\n"
        if accepted(whole) is not None:
            return whole


def reached(puzzle: Puzzle) -> int:
    """Return how many positions the start reaches, or MOST + 1 if they are more."""
    model = puzzle.model(puzzle.metrics[0])
    assert model.start is not None
    seen, pending = {model.start}, [model.start]
    while pending and len(seen) <= MOST:
        more = [position for _, position in model.steps(pending.pop()) if position not in seen]
        seen.update(more)
        pending += more
    return min(len(seen), MOST + 1)


def goal(random: Random, puzzle: Puzzle, *, opened: bool) -> str:
    """Return a goal that a random walk reaches; if `opened`, all cells but those of one sign may show anything."""
    model = puzzle.model(puzzle.metrics[0])
    position = model.start
    assert position is not None
    for _ in range(random.randint(5, 80)):
        position = random.choice([*model.moves(position), position])
    rows = [f"  {line}" for line in pictures.board(puzzle, puzzle.view.decode(position))]
    signs = sorted(set("".join(rows)) - set(" .#@"))
    if opened:
        kept = random.choice(signs)
        rows = ["".join(sign if sign in f" #{kept}" else "*" for sign in row) for row in rows]
    return "\n".join(rows)


def compare(seed: int) -> tuple[Counter[str], list[str]]:
    """Return how many answers each engine gave about the puzzle of a seed, and the questions with different ones."""
    puzzle = accepted(draw(seed))
    assert puzzle is not None
    found = [*crosscheck.answers(puzzle, EACH), *automatic(puzzle)]
    return Counter(each.engine for each in found if each.found), list(map(str, crosscheck.differences(found)))


def automatic(puzzle: Puzzle) -> Iterator[crosscheck.Answer]:
    """Yield the answers of the automatic choice without saved tables; an engine found wrong is a difference."""
    origins = {"depths from start": "start", "depths to goal": "goal"}
    for metric, question in product(puzzle.metrics, ("solve", *origins)):
        found, problem, began = "", "", time.perf_counter()
        try:
            with warnings.catch_warnings(action="error", category=SelfCheckWarning):
                if question == "solve":
                    answer = questions.solve(puzzle, metric=metric, limits=EACH, cache="off")
                    words = crosscheck.solution_words(answer)
                else:
                    origin = origins[question]
                    answer = questions.depths(puzzle, origin=origin, metric=metric, limits=EACH, cache="off")
                    words = crosscheck.table_words(answer)
            found = words if answer.stopped is None else ""
        except (SelfCheckWarning, SelfCheckError) as error:
            problem = f"wrong: {error}"
        except PuzzlespaceError as error:
            problem = f"refused: {error}"
        yield crosscheck.Answer(question, metric, "auto", "", found, problem, time.perf_counter() - began)


def main() -> int:
    """Compare the puzzles of many seeds; return 1 if answers differ."""
    first, count = int(sys.argv[1]), int(sys.argv[2])
    answers, faults, began = Counter[str](), 0, time.process_time()
    for number in range(count):
        more, differing = compare(first + number)
        answers += more
        faults += len(differing)
        if differing:
            print(f"seed {first + number}\n{draw(first + number)}", *differing, sep="\n", flush=True)
        spent = time.process_time() - began
        print(f"{number + 1:,} puzzles, {answers.total():,} answers, {faults} differences, {spent:.0f} s", flush=True)
    print(dict(answers))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
