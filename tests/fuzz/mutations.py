"""Damaged input of every kind. It must be read as a puzzle, or raise a PuzzlespaceError; anything else is a fault.

    python -m tests.fuzz.mutations --count 1000000 --seed 1
    python -m tests.fuzz.mutations --seed 1 --only 4711        show one mutant again

The seed and the number determine a mutant. Puzzle files of all formats, positions, puzzle words, command lines and
manifests of tables are damaged in letters, words and rows, and in ways that are typical for their grammar: repeated
keys, huge numbers, deep brackets, long rows, invisible letters. Accepted input is shown, written, read again and
sometimes searched a little.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import os
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from puzzlespace import catalogue
from puzzlespace.api import questions
from puzzlespace.api.loader import from_text, load, written
from puzzlespace.api.saved import kept, open_table, saving
from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.errors import FormatError, LimitError, PuzzlespaceError, SelfCheckWarning, UnsupportedError
from puzzlespace.formats import format_of, typed
from puzzlespace.formats.base import LIMIT, decode
from puzzlespace.limits.watch import Limits
from puzzlespace.registry import FAMILIES
from puzzlespace.render import json_output
from puzzlespace.render import text as drawn
from puzzlespace.storage import files
from puzzlespace.tables import manifests
from pzl_examples import ARTICLES, EVERY_KEY

SECONDS = 2.0
"""A mutant that takes longer is slow."""

CODES = {0, 10, 20, 21, 22, 30, 31}
"""All exit codes except those for bugs and interruption."""

TINY = Limits(positions=300, seconds=1.0)
CELLS = 30
"""Puzzles of up to so many cells and 400 rules are searched."""

SEARCHED, SHOWN = 12, 3
"""One of so many accepted mutants is searched, or shown in all ways."""


class Slow(BaseException):
    """A mutant took too long; nothing in the package catches it."""


class FaultError(Exception):
    """The result is neither a puzzle nor a valid error."""


# What is damaged ------------------------------------------------------------------------------------------------------

TWS = """\
Name Little
Set C 4 2
Solved
C
1 2 3 4
0 0 0 0
End
Move A
C
2 3 1 4
1 1 1 0
End
Move B
C
1 3 4 2
0 0 0 0
End
"""
CUBELET = {
    "name": "little",
    "orbits": [{"orbitName": "C", "numPieces": 3, "numOrientations": 2}],
    "defaultPattern": {"C": {"pieces": [0, 1, 2], "orientation": [0, 0, 0]}},
    "moves": {"A": {"C": {"permutation": [1, 2, 0], "orientationDelta": [1, 0, 1]}}},
}
OTHERS = [
    ("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", "x.rush"),
    ("AAoo oooo oxxo oooo", "x.rush"),
    ("1A9BF0C", "x.hrd"),
    ("o_g_p_____y_________b___R", "x.lunar"),
    ("HAAI/HAAI/JBBK/JNOK/P..Q", "x.hrd"),
    ("######\n#abcd#\n#**ee#\n#f*g #\n#fh i-\n####--\n    ..\n     .\n", "x.klotski"),
    ("#**a#\n#..-#\n#...#", "x.klotski"),
    ("% Start $ a board\nA A . $ one piece\n# . .\n% Goal\n. . .\n# A A\n", "x.boards"),
    ("start:\n+AA+\n+BB+\n+__+\nfinish:\n+..+\n+BB+\n+..+\n", "x.boards"),
    ("A.\n\n.A", "x.boards"),
    (TWS, "x.tws"),
    (TWS + "MoveSequence S (A B)3 [A, B']\n", "x.tws"),
    (json.dumps(CUBELET, indent=1), "x.json"),
    (json.dumps(CUBELET), "x.kpuzzle.json"),
]
KEYS = """\
title: Words; and "quotes"
title[ja]: 箱
by: "a; b"
note: x
rule: slide
rule: slide along
rule: jump
rule: apply
count: step
count: run
count: piece
count: chain
count: multi
board: grid 3x3
board: english33
board: hex 2
lines: a1-b1-c1
links: a1: b1 c1
diagonals: yes
blocks: all
blocks: A
apart: all
apart: A
fixed: A
distinct: all
distinct: A
gates: *A* / ***
start: a b . / c d .
start: AAB / A.C
goal: start
goal: any one peg
goal: count o = 1
goal 2: * * . / * * *
goal 999999: start
moves: m: (a1 b1) ~c1
moves: m: flip a1 b1
moves: m: reverse a1 b1 c1
swap: x <-> o
swap: a -> b -> c -> a
one-way: yes
picture: A: colour navy, mark x, glyph ●, name black
known: states 4, from start depth 3 in run ; me
""".splitlines()
SMALL = [
    *map(catalogue.text, ("eight", "goat", "star13", "flip3", "line", "ring", "no-off-a", "hexagram", "theta")),
    *(text for name, text in ARTICLES.items() if name != "klotski"),
    EVERY_KEY,
    "rule: slide\nstart: ab.\n",
    "rule: slide\ncount: piece\nblocks: all\nstart:\n  AAB\n  C.B\n  ..#\ngoal:\n  ***\n  *AA\n  **#\n",
    "rule: slide along\ncount: run\napart: A\nfixed: X\nstart:\n  A.AX\n  B...\ngoal:\n  *A*X\n  ****\n",
    "rule: jump\ncount: chain\nboard: triangle 4\nstart:\n  .\n  o o\n  o o o\n  o o o o\ngoal: any one peg\n",
    "rule: jump\ncount: step\ndiagonals: yes\nfixed: X\nstart:\n  oo.\n  oXo\n  ..a\n"
    "goal: count o = 1\ngoal 2: count . = 7\n",
    "rule: apply\ncount: run\nboard:\n    a\n  b   c\nswap: x -> y -> z -> x\nmoves:\n  m: (a b c)\n  n: ~a\n"
    "goal:\n    x\n  y   z\n",
    "rule: apply\none-way: yes\nswap: 0 <-> 1, 2 <-> 3\nmoves:\n  m: (a1 b1)(b1 c1) ~a1 ~a1\n  f: flip a1 b1\n"
    "start: 0 2 1\n"
    "goal: 1 2 0\ngoal 2: 0 * *\n",
    "rule: slide\ncount: multi\nlinks:\n  a1: b1 a2\n  b2: a2 b1\nstart: 1 2 / 3 .\ngoal: 2 1 / * *\n",
    "rule: slide\ncount: step\nstart:\n  10 #\n  9 #\n  . #\ngoal:\n  9 #\n  . #\n  10 #\n",
]
LARGE = [catalogue.text(name) for name in ("klotski", "dads", "english", "rush60", "cube2", "lights5", "french37")]
POSITIONS = [
    ("eight", "8 6 7 / 2 5 4 / 3 . 1"),
    ("goat", None),
    ("star13", None),
    ("slide:1x12", None),
    ("burnt:3", "-1 2 -3"),
    ("flip3", None),
    ("rush60", None),
    ("cube2", None),
    ("hanoi:3,4", "A B C A"),
    ("eight", "~1bCdEf"),
    ("lights:2x2", "xo/ox"),
]
WORDS = [
    *catalogue.names(""),
    *catalogue.ALIASES,
    *(f"{each.name}:{size}" for each in FAMILIES for size in each.examples),
    "x.pzl",
    "https://no.example/rush/#IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM/60",
    "1A9BF0C",
    "4WVE1",
    "slide:",
    ":",
    "a/b/c",
]
COMMANDS = [
    ["show", "eight", "--json"],
    ["show", "klotski", "--glyphs", "ja"],
    ["list", "--json"],
    ["list", "blocks"],
    ["solve", "goat", "--positions", "50", "--metric", "run"],
    ["convert", "rush60", "--to", "rushhour"],
    ["solve", "eight", "--start", "8 6 7 / 2 5 4 / 3 . 1", "--positions", "40", "--seconds", "1", "--json"],
    ["distance", "goat", "r - A A / I . D G / L - J W", "--positions", "50"],
    ["depths", "flip3", "--positions", "90", "-q"],
    ["hardest", "lights:2x2", "--positions", "200", "--json", "--memory", "500M"],
    ["symmetries", "ring", "--seconds", "1"],
    ["components", "flip:2x2", "--positions", "100", "--seconds", "1"],
    ["table", "info", "nowhere"],
    ["depths", "slide:2x2", "--from", "start", "--oeis"],
    ["solve", "eight", "--engine", "idastar", "--heuristic", "manhattan"],
]
ODD = [
    "\0",
    "\x1b[31m",
    "\r",
    "\t",
    "\x7f",
    "\x85",
    "\xad",
    "\u200b",
    "\u200d",
    "\u202e",
    "\u2028",
    "\u3000",
    "\ufeff",
    "\ud800",
    "\udcff",
    "\U0010ffff",
    "\U0001f600",
    "\U0001f468\u200d\U0001f469",
    "箱",
    "ﬁ",
    "İ",
    "ß",
    "e\u0301",
    "\u0301" * 30,
    "٣",
    "９",
    "²",
    "½",
    "𝟙",
    "א",
    "ｱ",
    "㍿",
    "\ue000",
    "\ufffe",
]
NUMBERS = [
    "0",
    "-1",
    "1",
    "2",
    "7",
    "12",
    "255",
    "256",
    "999",
    "1024",
    "65536",
    "4294967296",
    "9" * 18,
    "1" + "0" * 18,
    "9" * 40,
    "9" * 5000,
    "1e9",
    "0x10",
    "1.5",
    "NaN",
    "Infinity",
    "-0",
    "007",
    "1_000",
    "٣",
    "²",
]
SIGNS = "\n\n  .*#/;:\"~()[]{}<>-=,+|\\'`$%&!?@^_aAbBoOxX019"
PIECES = 6_000
"""The most letters that a mutation adds, except those that make a text too large on purpose."""


# How it is damaged ----------------------------------------------------------------------------------------------------


def _at(text: str, random: Random) -> int:
    return random.randrange(len(text) + 1)


def drop(text: str, random: Random) -> str:
    at = _at(text, random)
    return text[:at] + text[at + random.choice((1, 1, 1, 2, 5, 30)) :]


def double(text: str, random: Random) -> str:
    at = _at(text, random)
    size = random.choice((1, 1, 2, 5, 40))
    return text[: at + size] + text[at : at + size] * random.choice((1, 1, 1, 9, PIECES // 40)) + text[at + size :]


def insert(text: str, random: Random) -> str:
    at = _at(text, random)
    return (
        text[:at]
        + random.choice(ODD if random.random() < 0.3 else SIGNS) * random.choice((1, 1, 1, 1, 3, 50))
        + text[at:]
    )


def change(text: str, random: Random) -> str:
    at = _at(text, random)
    return text[:at] + random.choice(ODD if random.random() < 0.2 else SIGNS) + text[at + 1 :]


def exchange(text: str, random: Random) -> str:
    letters = list(text or " ")
    a, b = random.randrange(len(letters)), random.randrange(len(letters))
    letters[a], letters[b] = letters[b], letters[a]
    return "".join(letters)


def cut(text: str, random: Random) -> str:
    return text[: _at(text, random)] if random.random() < 0.7 else text[_at(text, random) :]


def bytewise(text: str, random: Random) -> str:
    """Change a byte; the text is decoded like a file, and invalid bytes are kept as surrogates."""
    data = bytearray(text.encode("utf-8", "surrogatepass") or b" ")
    data[random.randrange(len(data))] = random.choice((random.randrange(256), 10, 13, 59, 255))
    return bytes(data).decode("utf-8", "surrogateescape")


def _words(text: str) -> list[str]:
    """The words of a text and the spaces between them."""
    found: list[str] = []
    for letter in text:
        if found and found[-1][-1].isalnum() == letter.isalnum() and letter not in "\n:/()":
            found[-1] += letter
        else:
            found.append(letter)
    return found


def word(text: str, random: Random) -> str:
    """Change, drop, repeat or exchange a word."""
    words = _words(text) or [""]
    a, b = random.randrange(len(words)), random.randrange(len(words))
    way = random.randrange(6)
    if way == 0:
        words[a] = words[b]
    elif way == 1:
        words[a], words[b] = words[b], words[a]
    elif way == 2:
        words[a] = random.choice(_words(random.choice(KEYS)))
    elif way == 3:
        words[a] = ""
    elif way == 4:
        words.insert(a, words[b])
    else:
        numbers = [index for index, each in enumerate(words) if each.isdecimal()]
        words[random.choice(numbers) if numbers else a] = random.choice(NUMBERS)
    return "".join(words)


def rows(text: str, random: Random) -> str:
    """Change, drop, repeat, exchange, indent or join rows."""
    lines = text.split("\n")
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    way = random.randrange(8)
    if way == 0:
        lines[a], lines[b] = lines[b], lines[a]
    elif way == 1:
        del lines[a : a + random.randint(1, 3)]
    elif way == 2:
        lines.insert(b, lines[a])
    elif way == 3:
        lines[a] = random.choice(("  ", "\t", "\u3000")) + lines[a] if random.random() < 0.5 else lines[a].lstrip()
    elif way == 4:
        lines[a : a + 2] = ["".join(lines[a : a + 2])]
    elif way == 5:
        lines.insert(a, random.choice(random.choice(SMALL).split("\n")))
    elif way == 6:
        lines[a] = lines[a][::-1]
    else:
        lines[a] = lines[a].swapcase()
    return "\n".join(lines)


def key(text: str, random: Random) -> str:
    """Add a row with a key, or replace the row with the same key."""
    lines, added = text.split("\n"), random.choice(KEYS)
    name = added.split(":")[0]
    same = [index for index, line in enumerate(lines) if line.startswith(name)]
    if same and random.random() < 0.8:
        end = same[0] + 1
        while end < len(lines) and lines[end][:1].isspace():
            end += 1
        lines[same[0] : end] = [added]
    else:
        lines.insert(random.randrange(len(lines) + 1), added)
    return "\n".join(lines)


def symbol(text: str, random: Random) -> str:
    """Replace one letter by another everywhere."""
    letters = [letter for letter in set(text) if letter.isalnum()]
    old = random.choice(sorted(letters)) if letters else "a"
    return text.replace(old, random.choice(SIGNS + "éß箱²"))


def deep(text: str, random: Random) -> str:
    """Nest brackets."""
    at, count = _at(text, random), random.choice((3, 30, 3000))
    opened, closed = random.choice(("()", "[]", "{}", '""', ("[x: ", "]"), ('{"a":', "}")))
    return text[:at] + opened * count + text[at : at + 3] + closed * random.choice((count, count, 0)) + text[at + 3 :]


def long(text: str, random: Random) -> str:
    """Make a row long, or the text larger than a file may be."""
    at = _at(text, random)
    return (
        text[:at]
        + random.choice(("x", "x ", ". ", "#", "a b / ", "\n", "1-", "~", ";")) * random.choice((99, 700, 20_000))
        + text[at:]
    )


def splice(text: str, random: Random) -> str:
    """Replace the end by the end of another text."""
    other = random.choice(SMALL)
    return text[: _at(text, random)] + other[_at(other, random) :]


COMMON = (drop, double, insert, change, exchange, cut, bytewise, word, word, rows, rows, symbol)
FILES = (*COMMON, key, key, key, deep, long, splice, word, rows)


def damaged(text: str, random: Random, ways: tuple[Callable[[str, Random], str], ...], most: int = 4) -> str:
    """Return a text with one mutation or a few."""
    for _ in range(random.choice((1, 1, 2, random.randint(1, most)))):
        text = random.choice(ways if random.random() < 0.97 else FILES)(text, random)
    return text[:LIMIT]


# What must come out ---------------------------------------------------------------------------------------------------


def explained(error: PuzzlespaceError) -> None:
    """Check that an error's message has only printable characters."""
    message = str(error)
    if not message.strip():
        raise FaultError(f"{type(error).__name__} without words")
    odd = next((letter for letter in message if not (letter.isprintable() or letter in "\n\u3000")), None)
    if odd is not None:
        raise FaultError(f"{type(error).__name__} shows U+{ord(odd):04X}")


def accepted(puzzle, random: Random) -> None:
    """Show a puzzle, write it, read it again, and sometimes search a little."""
    for position in filter(None, (puzzle.start, puzzle.anchor)):
        if puzzle.read(puzzle.line(position)) != position:
            raise FaultError("a position is read back as another")
    text = written(puzzle)
    if text and len(text.encode()) <= LIMIT:
        again = from_text(text, "again.pzl", puzzle.name)
        for name in ("rules", "start", "goals", "metrics", "titles", "known", "picture", "shapes"):
            if getattr(again, name) != getattr(puzzle, name):
                raise FaultError(f"written and read back: other {name}")
    if random.randrange(SHOWN) == 0:
        shown = drawn.description(puzzle)
        if any(not (letter.isprintable() or letter in "\n\u3000") for letter in shown):
            raise FaultError("description with letters that cannot be seen")
        json.dumps(json_output.puzzle(puzzle))
    if random.randrange(SEARCHED) == 0 and puzzle.board.cells <= CELLS and len(puzzle.rules) <= 400:
        searched(puzzle, random)


def searched(puzzle, random: Random) -> None:
    """Ask questions with tiny limits; each must end with an answer or a PuzzlespaceError."""
    metric = random.choice(puzzle.metrics)
    if from_text(written(puzzle), "x.pzl").model(metric).fingerprint != puzzle.model(metric).fingerprint:
        raise FaultError("written and read back: other rules")
    way = random.randrange(3)
    with contextlib.suppress(PuzzlespaceError):
        if way == 0:
            solution = questions.solve(puzzle, metric=metric, limits=TINY)
            json.dumps(json_output.solution(puzzle, puzzle.model(metric), solution))
        elif way == 1:
            table = questions.depths(puzzle, metric=metric, limits=TINY)
            json.dumps(json_output.table(puzzle, table))
            drawn.hardest(puzzle, table)
        elif puzzle.anchor is not None:
            json.dumps(
                json_output.distance(puzzle, questions.distance(puzzle, puzzle.anchor, metric=metric, limits=TINY))
            )


@dataclass
class Bench:
    """The inputs that are damaged, and a folder for the files."""

    folder: Path
    puzzles: dict[str, object] = field(default_factory=dict)
    tables: list[tuple[str, Path, dict]] = field(default_factory=list)
    command: Any = app

    def __post_init__(self) -> None:
        for spec, _ in POSITIONS:
            self.puzzles[spec] = load(spec)
        for number, (spec, engine) in enumerate((("slide:2x3", "table"), ("star13", "frontier"))):
            place = self.folder / f"table{number}"
            questions.depths(load(spec), origin="goal", engine=saving(load(spec), place, engine=engine))
            self.tables.append((spec, place, files.read_json(place / "manifest.json")))

    def mutant(self, seed: int, number: int) -> tuple[str, tuple, Random]:
        """Return the mutant's kind, its input, and the random numbers for the tests of it."""
        random = Random(f"{seed}:{number}")
        kind = random.choices(("puzzle", "position", "word", "manifest", "bytes", "command"), (76, 12, 5, 4, 2, 1))[0]
        return kind, getattr(self, f"_{kind}")(random), random

    def _puzzle(self, random: Random) -> tuple:
        which = random.random()
        if which < 0.72:
            text, file = random.choice(SMALL), "x.pzl"
        elif which < 0.75:
            text, file = random.choice(LARGE), "x.pzl"
        else:
            text, file = random.choice(OTHERS)
        file = random.choice(("x.txt", "x.pzl", "-")) if random.random() < 0.03 else file
        return damaged(text, random, FILES), file

    def _bytes(self, random: Random) -> tuple:
        data = bytearray(random.choice(SMALL).encode())
        for _ in range(random.randint(1, 5)):
            data[random.randrange(len(data))] = random.choice((random.randrange(256), 10, 13, 59, 255, 0xEF, 0xC0))
        return (bytes(data[random.choice((0, 0, 0, 1)) :]),)

    def _position(self, random: Random) -> tuple:
        spec, text = random.choice(POSITIONS)
        puzzle = self.puzzles[spec]
        line = text or puzzle.line(puzzle.anchor)
        if random.random() < 0.2:
            line = puzzle.id(puzzle.anchor)
        return spec, damaged(line, random, COMMON)

    def _word(self, random: Random) -> tuple:
        return (damaged(random.choice(WORDS), random, COMMON),)

    def _command(self, random: Random) -> tuple:
        words = list(random.choice(COMMANDS))
        for _ in range(random.randint(1, 2)):
            at, way = random.randrange(len(words)), random.randrange(5)
            if way == 0:
                words[at] = damaged(words[at], random, COMMON, 2)
            elif way == 1:
                words[at] = random.choice(NUMBERS)
            elif way == 2:
                words.insert(at, words[random.randrange(len(words))])
            elif way == 3 and len(words) > 1:
                del words[at]
            else:
                others = random.choice(COMMANDS)
                words[at] = random.choice(others)
        return (words,)

    def _manifest(self, random: Random) -> tuple:
        number = random.randrange(len(self.tables))
        manifest = copy.deepcopy(self.tables[number][2])
        if random.random() < 0.2:
            text = json.dumps(manifest | {"checksum": files.checksum(files._canonical(manifest))})
            return number, damaged(text, random, COMMON)
        for _ in range(random.choice((1, 1, 2))):
            _damage(manifest, random)
        return number, json.dumps(manifest | {"checksum": files.checksum(files._canonical(manifest))})

    # Testing each kind ------------------------------------------------------------------------------------------------

    def tried(self, kind: str, given: tuple, random: Random) -> bool:
        """Return whether a mutant was accepted; raise FaultError, or the unexpected error."""
        try:
            return getattr(self, f"_try_{kind}")(*given, random)
        except LimitError:
            raise
        except PuzzlespaceError as error:
            explained(error)
            return False

    def _try_puzzle(self, text: str, file: str, random: Random) -> bool:
        try:
            puzzle = from_text(text, file)
        except PuzzlespaceError as error:
            if not isinstance(error, FormatError) or not str(error).startswith(f"{file}:"):
                raise FaultError(f"{type(error).__name__} without a place: {str(error)[:60]}") from error
            raise
        form = format_of(file, text)
        if form.write is not None and form.name != "pzl":
            draft = form.parse(text, file)
            if form.parse(form.write(draft), file) != draft:
                raise FaultError(f"format {form.name}: written and read back: another draft")
        accepted(puzzle, random)
        return True

    def _try_bytes(self, data: bytes, random: Random) -> bool:
        return self._try_puzzle(decode(data, "x.pzl"), "x.pzl", random)

    def _try_position(self, spec: str, text: str, random: Random) -> bool:
        puzzle = self.puzzles[spec]
        position = questions.read_position(puzzle, text)
        line = puzzle.line(position)
        if puzzle.read(line) != position or puzzle.read(puzzle.id(position)) != position:
            raise FaultError("a position is read back as another")
        if random.randrange(SEARCHED) == 0:
            with contextlib.suppress(LimitError, UnsupportedError):
                questions.distance(puzzle, position, limits=TINY)
        return True

    def _try_word(self, word: str, random: Random) -> bool:
        size = word.partition(":")[2]
        digits = [int(part) for part in size.replace("x", ",").split(",") if part.isdecimal() and len(part) < 5]
        if digits and (max(digits) > 6 or len(digits) > 2) and random.randrange(1000):
            return False  # large puzzles are built only sometimes
        if os.path.exists(word.strip() or ".") and not typed(word):
            return False
        puzzle = load(word)
        if puzzle.board.cells <= CELLS:
            accepted(puzzle, random)
        return True

    def _try_command(self, words: list[str], random: Random) -> bool:
        if {"serve", "--save", "--output", "--csv"} & {*words} or any(word.startswith("/") for word in words):
            return False  # nothing is served or written
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in "12")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = guarded(lambda: self.command.main(words, "puzzlespace", standalone_mode=False))
            except SystemExit as error:
                code = error.code
        if code not in CODES:
            err.flush()
            told = err.buffer.getvalue().decode().strip().splitlines()  # type: ignore[attr-defined]
            raise FaultError(f"exit code {code}: {' | '.join(told[-5:])[:300]}")
        return code == 0

    def _try_manifest(self, number: int, text: str, random: Random) -> bool:
        spec, place, right = self.tables[number]
        path = place / manifests.MANIFEST
        path.write_text(text, "utf-8", "surrogatepass")
        found = kept(place)
        table = open_table(spec, place)
        if list(table.counts) != right["counts"] or table.distance(table.hardest[0]) != len(right["counts"]) - 1:
            raise FaultError("a damaged manifest is answered from")
        return found.puzzle is not None


def _damage(value: object, random: Random) -> None:
    """Change an item of an object or a list."""
    while True:
        if isinstance(value, dict):
            at = random.choice([*value, "new"])
        elif isinstance(value, list):
            at = random.randrange(len(value) + 1)
            value.extend([0] * (at == len(value)))
        inside = value.get(at) if isinstance(value, dict) else value[at]
        if isinstance(inside, dict | list) and random.random() < 0.75:
            value = inside
            continue
        way = random.randrange(5)
        if way == 0:
            value.pop(at, None) if isinstance(value, dict) else value.pop(at)
        elif way == 1 and type(inside) is int:
            value[at] = inside + random.choice((-1, 1, 512, 10**6, -(10**6)))
        elif way == 2 and isinstance(inside, str):
            value[at] = damaged(inside, random, COMMON, 1)
        else:
            value[at] = random.choice(
                (None, True, False, 0, -1, 10**30, 1.5, "", "x", "../x", "00", [], {}, [[]], [None], {"kind": "runs"})
            )
        return


# Running --------------------------------------------------------------------------------------------------------------


@dataclass
class Found:
    """The results of many mutants: how many of each kind were tried, accepted, slow; faults by class."""

    tried: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    slow: list[int] = field(default_factory=list)
    faults: dict[str, list[int]] = field(default_factory=dict)

    def words(self) -> str:
        """One line of text."""
        kinds = ", ".join(f"{kind} {self.accepted[kind]:,}/{count:,}" for kind, count in sorted(self.tried.items()))
        faults = sum(map(len, self.faults.values()))
        return f"{self.tried.total():,} mutants; accepted of each kind: {kinds}; {len(self.slow)} slow; {faults} faults"


def _late(number: int, frame: object) -> None:
    raise Slow


@contextlib.contextmanager
def timed(seconds: float) -> Iterator[None]:
    """Raise Slow after so many seconds of processor time, or ten times as many of wall time."""
    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, 10 * seconds))
    before = [signal.signal(each, _late) for each, _, _ in timers]
    for _, timer, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (each, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(each, handler)


def name_of(error: BaseException) -> str:
    """The class of a fault: the error and the innermost place in the package."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "/puzzlespace/" in each.filename]
    place = (
        f"{Path(frames[-1].filename).stem}.{frames[-1].name}" if frames and not isinstance(error, FaultError) else ""
    )
    text = str(error).split("\n")[0][:160]
    return f"{type(error).__name__} {place} {text if isinstance(error, FaultError) else ''}".strip()


def run(bench: Bench, seed: int, numbers: Iterator[int], told: Callable[[int, str, tuple, str], None]) -> Found:
    """Test mutants; `told` is called for each fault and slow mutant with (number, kind, input, class)."""
    found = Found()
    for number in numbers:
        kind, given, random = bench.mutant(seed, number)
        found.tried[kind] += 1
        try:
            with timed(SECONDS):
                found.accepted[kind] += bench.tried(kind, given, random)
        except Slow as error:
            found.slow.append(number)
            told(number, kind, given, f"slow {name_of(error)}")
        except Exception as error:
            name = name_of(error)
            found.faults.setdefault(name, []).append(number)
            told(number, kind, given, name)
        if number % 10_000 == 9_999:
            told(number, "", (), found.words())
    return found


@contextlib.contextmanager
def bench() -> Iterator[Bench]:
    """A Bench in a temporary folder, with an empty standard input and an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        here, stdin, cached = Path.cwd(), sys.stdin, os.environ.get("PUZZLESPACE_CACHE")
        os.environ["PUZZLESPACE_CACHE"] = str(Path(folder) / "cache")
        (Path(folder) / "empty").mkdir()
        os.chdir(Path(folder) / "empty")
        sys.stdin = io.StringIO()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", SelfCheckWarning)
                yield Bench(Path(folder))
        finally:
            os.chdir(here)
            sys.stdin = stdin
            os.environ.pop("PUZZLESPACE_CACHE")
            if cached is not None:
                os.environ["PUZZLESPACE_CACHE"] = cached


def main() -> int:
    """Run the command line; return 1 if a fault was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number to begin with")
    parser.add_argument("--workers", type=int, default=1, help="processes; each takes every n-th number")
    parser.add_argument("--only", type=int, help="show this number only")
    parser.add_argument("--keep", type=Path, help="a folder for the first three mutants of each class of faults")
    given = parser.parse_args()
    keep = given.keep.absolute() if given.keep else None
    print(f"seed {given.seed}, numbers {given.first:,} to {given.first + given.count - 1:,}", flush=True)
    if given.only is not None:
        return only(given.seed, given.only)
    share = 0
    children = []
    for share in range(1, given.workers):  # noqa: B007
        child = os.fork()
        if child == 0:
            break
        children.append(child)
    else:
        share = 0
    seen: Counter[str] = Counter()
    began = time.monotonic()

    def told(number: int, kind: str, mutant: tuple, words: str) -> None:
        seen[words] += 1
        if not kind or seen[words] <= 3:
            print(f"[{time.monotonic() - began:8.0f} s] {number} {kind} {words}", flush=True)
        if kind and keep and seen[words] <= 3:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{given.seed}-{number}.txt").write_text(f"{words}\n{kind} {mutant!r}\n", errors="backslashreplace")

    with bench() as tools:
        found = run(tools, given.seed, iter(range(given.first + share, given.first + given.count, given.workers)), told)
    print(found.words(), flush=True)
    for name, numbers in sorted(found.faults.items(), key=lambda each: -len(each[1])):
        print(f"{len(numbers):7,} {name}: {numbers[:5]}", flush=True)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] if share == 0 else []
    return int(bool(found.faults) or any(codes))


def only(seed: int, number: int) -> int:
    """Show one mutant and whether it is accepted."""
    with bench() as tools:
        kind, given, random = tools.mutant(seed, number)
        print(kind, *map(repr, given), sep="\n")
        if kind == "puzzle":
            print(given[0].encode(errors="backslashreplace").decode())
        print("accepted" if tools.tried(kind, given, random) else "refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
