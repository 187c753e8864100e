"""Shrink a puzzle with a fault: leave out rows, cells, symbols and keys while the fault remains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

HEAD = re.compile(r"^([a-z-]+(?: \d+)?):(.*)$")


def entries(text: str) -> list[tuple[str, list[str]]]:
    """Return the keys of a puzzle file, each with its rows."""
    found: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        match = HEAD.match(line)
        if match:
            found.append((match[1], [match[2].strip()] if match[2].strip() else []))
        elif line.strip():
            found[-1][1].append(line.strip())
    return [(key, _rows(key, rows)) for key, rows in found]


def _rows(key: str, rows: list[str]) -> list[str]:
    """Return the rows of a drawing one by one, its words with spaces between."""
    if key.split()[0] not in ("start", "goal", "board", "gates") or any("=" in row or "peg" in row for row in rows):
        return rows
    rows = [part.strip() for row in rows for part in row.split("/") if part.strip()]
    if rows == ["start"] or (key == "board" and len(rows) == 1 and re.search(r"\d$", rows[0]) and len(rows[0]) > 4):
        return rows
    if any(len(row.split()) > 1 for row in rows):
        return rows
    return [" ".join(row) for row in rows]


def written(kept: list[tuple[str, list[str]]]) -> str:
    """Return the puzzle file."""
    text = ""
    goals = 0
    for key, rows in kept:
        if key.startswith("goal"):
            goals += 1
            key = "goal" if goals == 1 else f"goal {goals}"
        one = len(rows) == 1 and not key.startswith(("board", "lines", "links", "moves", "gates"))
        one = one or (key == "board" and re.fullmatch(r"(grid|hex|triangle) \S+", rows[0]) is not None)
        text += f"{key}: {rows[0]}\n" if one else f"{key}:\n" + "".join(f"  {row}\n" for row in rows)
    return text


def smaller(kept: list[tuple[str, list[str]]]) -> Iterator[list[tuple[str, list[str]]]]:
    """Yield puzzles with something left out, large parts first."""
    for at, (key, _) in enumerate(kept):
        if key != "rule":
            yield kept[:at] + kept[at + 1 :]
    drawings = [key for key, rows in kept if _drawing(key, rows)]
    sizes = {(len(rows), *(len(row.split()) for row in rows)) for key, rows in kept if key in drawings}
    if len(sizes) == 1:  # the same row or place of all drawings
        height = next(iter(sizes))[0]
        for row in range(height):
            yield [(k, r[:row] + r[row + 1 :] if k in drawings else r) for k, r in kept]
        for column in range(max(max(size[1:]) for size in sizes)):
            yield [(k, [_without(row, column) for row in r] if k in drawings else r) for k, r in kept]
        for row in range(height):
            for column in range(next(iter(sizes))[1 + row]):
                yield [
                    (k, [_without(x, column) if y == row else x for y, x in enumerate(r)] if k in drawings else r)
                    for k, r in kept
                ]
    for at, (key, rows) in enumerate(kept):
        if key in drawings:
            continue
        for row in range(len(rows) if len(rows) > 1 else 0):
            yield [*kept[:at], (key, rows[:row] + rows[row + 1 :]), *kept[at + 1 :]]
        for row, text in enumerate(rows):
            for less in _shorter(key, text):
                yield [*kept[:at], (key, [*rows[:row], less, *rows[row + 1 :]]), *kept[at + 1 :]]
    symbols = sorted(
        {word for key, rows in kept if key in drawings and key != "board" for r in rows for word in r.split()}
    )
    for symbol in symbols:
        for other in (".", *symbols):
            if other < symbol and other not in "#*" and symbol not in "#*":
                yield [
                    (k, [" ".join(other if w == symbol else w for w in row.split()) for row in r])
                    if k in drawings and k != "board" else (k, r)
                    for k, r in kept
                ]  # fmt: skip


def _drawing(key: str, rows: list[str]) -> bool:
    if key == "board":
        return not (len(rows) == 1 and re.fullmatch(r"(grid|hex|triangle) \S+", rows[0]))
    return (
        key.split()[0] in ("start", "goal", "gates")
        and not any("=" in r or "peg" in r for r in rows)
        and rows != ["start"]
    )


def _without(row: str, column: int) -> str:
    words = row.split()
    return " ".join(words[:column] + words[column + 1 :])


def _shorter(key: str, text: str) -> Iterator[str]:
    """Yield a row of lines, links, moves or a list with one thing left out."""
    if key == "lines":
        for chain in text.split():
            cells = chain.split("-")
            for at in range(len(cells)):
                yield text.replace(chain, "-".join(cells[:at] + cells[at + 1 :]), 1)
    elif key in ("links", "fixed", "blocks", "apart", "distinct"):
        words = text.split()
        for at in range(1 if key == "links" else 0, len(words)):
            yield " ".join(words[:at] + words[at + 1 :])
    elif key == "moves":
        name, _, made = text.partition(":")
        parts = re.findall(r"\([^)]*\)|~\S+|flip.*|reverse.*", made)
        for at in range(len(parts)):
            yield f"{name}: {' '.join(parts[:at] + parts[at + 1 :])}"


def shrink(text: str, fails: Callable[[str], bool], most: int = 400) -> str:
    """Return the smallest puzzle found for which `fails` holds, after at most so many tries."""
    best = entries(text)
    if not fails(written(best)):
        return text
    tried: set[str] = set()
    going = True
    while going and len(tried) < most:
        going = False
        for less in smaller(best):
            made = written([(key, rows) for key, rows in less if rows and all(rows)])
            if made in tried or len(tried) >= most:
                continue
            tried.add(made)
            try:
                failing = fails(made)
            except (KeyError, IndexError, ValueError, StopIteration):
                failing = False
            if failing:
                best, going = entries(made), True
                break
    return written(best)
