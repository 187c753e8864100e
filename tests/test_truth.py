"""Figures known from elsewhere: a sample in the suite, all of them with `pytest -m long`."""

import csv
from pathlib import Path

import pytest

from puzzlespace import api
from puzzlespace.loader import from_text

DATA = Path(__file__).parent / "data"


def rows(name):
    with (DATA / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def tile_tables():
    """{(rows, columns, metric): counts} with the blank in a corner."""
    tables = {}
    for row in rows("tiles_depths"):
        if row["blank_in_goal"] == "corner":
            height, width = map(int, row["board_rows_x_cols"].split("x"))
            tables.setdefault((height, width, row["metric"]), []).append(int(row["positions"]))
    return tables


TILES = tile_tables()


def size_of(table):
    return sum(TILES[table])


@pytest.mark.parametrize("table", [t for t in TILES if size_of(t) < 200_000], ids=lambda t: "{}x{}-{}".format(*t))
def test_small_tile_tables(table):
    check_tiles(table)


@pytest.mark.long
@pytest.mark.parametrize(
    "table", [t for t in TILES if 200_000 <= size_of(t) < 10**9], ids=lambda t: "{}x{}-{}".format(*t)
)
def test_large_tile_tables(table):
    check_tiles(table)


def check_tiles(table):
    height, width, metric = table
    found = api.depths(f"slide:{width}x{height}", metric={"single": "step"}.get(metric, metric), keep=1)
    assert list(found.counts) == TILES[table]


SPECS = {
    "pyraminx without tips": None,
    "skewb diamond": None,
    "hanoi:4,5 (from a perfect state)": "hanoi:4,5",
    "lrx:7 (shift left, shift right, exchange the first two)": "lrx:7",
    "cube:2 (one corner fixed)": "cube:2",
}
LISTED = [
    (SPECS.get(row["puzzle"], row["puzzle"]), "run" if row["metric"].startswith("half") else "step", row)
    for row in rows("permutations")
    if SPECS.get(row["puzzle"], "") is not None
]


@pytest.mark.parametrize(("spec", "metric", "row"), [each for each in LISTED if int(each[2]["states"]) < 50_000])
def test_small_listed_move_tables(spec, metric, row):
    check_listed(spec, metric, row)


@pytest.mark.long
@pytest.mark.parametrize(("spec", "metric", "row"), [each for each in LISTED if int(each[2]["states"]) >= 50_000])
def test_large_listed_move_tables(spec, metric, row):
    check_listed(spec, metric, row)


def check_listed(spec, metric, row):
    found = api.depths(spec, metric=metric, keep=1)
    assert list(found.counts) == [int(word) for word in row["counts"].split()]


def rush(board):
    """The puzzle of a Rush Hour string: A drives to the right edge of its row."""
    lines = [board[i : i + 6].replace("o", ".").replace("x", "#") for i in range(0, 36, 6)]
    goal = ["".join("#" if c == "#" else "*" for c in line) for line in lines]
    row = next(y for y, line in enumerate(lines) if "A" in line)
    goal[row] = goal[row][:4] + "AA"
    text = "rule: slide along\nblocks: all\ncount: run\nstart:\n  {}\ngoal:\n  {}\n"
    return from_text(text.format("\n  ".join(lines), "\n  ".join(goal)), "rush.pzl")


def check_rush(row):
    puzzle = rush(row["board"])
    assert api.solve(puzzle).moves == int(row["opt_moves"])
    assert api.solve(puzzle, metric="step").moves == int(row["opt_single_steps"])
    table = api.depths(puzzle, keep=1)
    assert table.states == int(row["cluster_size"])
    assert table.depth == int(row["hardest_in_cluster_moves"])


RUSH = rows("rush")


@pytest.mark.parametrize("row", [row for row in RUSH if int(row["cluster_size"]) < 3000][:6], ids=lambda r: r["board"])
def test_some_rush_hour_boards(row):
    check_rush(row)


@pytest.mark.long
@pytest.mark.parametrize("row", RUSH, ids=lambda r: r["board"])
def test_all_rush_hour_boards(row):
    check_rush(row)


def klotski(board):
    """The puzzle of a 4x5 board: the square A goes to the middle of the bottom."""
    text = "rule: slide\nblocks: all\ncount: piece\nstart:\n  {}\ngoal:\n  ****\n  ****\n  ****\n  *AA*\n  *AA*\n"
    return from_text(text.format(board.replace("/", "\n  ")), "klotski.pzl")


def check_klotski(row):
    puzzle = klotski(row["board"])
    for metric, column in (("step", "opt_single_steps"), ("run", "opt_straight_moves"), ("piece", "opt_path_moves")):
        moves = api.solve(puzzle, metric=metric).moves
        assert (-1 if moves is None else moves) == int(row[column])
    table = api.depths(puzzle, origin="start", keep=1)
    assert (table.states, table.depth) == (int(row["component_size"]), int(row["ecc_path"]))


KLOTSKI = rows("blocks_4x5")


@pytest.mark.parametrize("row", KLOTSKI[23:28:2] + KLOTSKI[47:48], ids=lambda r: r["board"])
def test_some_klotski_boards(row):
    check_klotski(row)


@pytest.mark.long
@pytest.mark.parametrize("row", KLOTSKI, ids=lambda r: r["board"])
def test_all_klotski_boards(row):
    check_klotski(row)
