"""Figures known from elsewhere: a sample in the suite, all of them with `pytest -m long`."""

import pytest

from boards import blocks, klotski, rows, rush
from puzzlespace.api import questions


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
    found = questions.depths(f"slide:{width}x{height}", metric={"single": "step"}.get(metric, metric), keep=1)
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
    found = questions.depths(spec, metric=metric, keep=1)
    assert list(found.counts) == [int(word) for word in row["counts"].split()]


def check_rush(row):
    puzzle = rush(row["board"])
    assert questions.solve(puzzle).moves == int(row["opt_moves"])
    assert questions.solve(puzzle, metric="step").moves == int(row["opt_single_steps"])
    for metric, column in (("run", "hardest_in_cluster_moves"), ("step", "hardest_in_cluster_steps")):
        table = questions.depths(puzzle, metric=metric, keep=0)
        assert (table.states, table.counts[0]) == (int(row["cluster_size"]), int(row["solved_states"]))
        assert table.depth == int(row[column])


RUSH = rows("rush")


@pytest.mark.parametrize("row", [row for row in RUSH if int(row["cluster_size"]) < 3000][:6], ids=lambda r: r["board"])
def test_some_rush_hour_boards(row):
    check_rush(row)


@pytest.mark.long
@pytest.mark.parametrize("row", RUSH, ids=lambda r: r["board"])
def test_all_rush_hour_boards(row):
    check_rush(row)


OPTIMA = (("step", "opt_single_steps"), ("run", "opt_straight_moves"), ("piece", "opt_path_moves"))


def optima(puzzle, row):
    """{metric: (moves found, moves known)} for the metrics of which the row knows the optimum; -1 for unsolvable."""
    found = {}
    for metric, column in OPTIMA:
        if row[column]:
            moves = questions.solve(puzzle, metric=metric).moves
            known = -1 if row[column] == "unsolvable" else int(row[column])
            found[metric] = (-1 if moves is None else moves), known
    return found


def check_klotski(row):
    puzzle = klotski(row["board"])
    assert all(moves == known for moves, known in optima(puzzle, row).values())
    for metric, column in (("step", "ecc_steps"), ("piece", "ecc_path")):
        table = questions.depths(puzzle, origin="start", metric=metric, keep=0)
        assert (table.states, table.depth) == (int(row["component_size"]), int(row[column]))


def check_blocks(row):
    puzzle = blocks(row["board"], row["goal"])
    found = optima(puzzle, row)
    assert found
    assert all(moves == known for moves, known in found.values())
    for metric, ending in (("step", "steps"), ("piece", "path")):
        for origin, name in (("start", "ecc_from_start_"), ("goal", "hardest_in_component_")):
            if row[name + ending]:
                table = questions.depths(puzzle, origin=origin, metric=metric, keep=0)
                assert (table.states, table.depth) == (int(row["component_size"]), int(row[name + ending]))
                assert origin == "start" or not row["goal_states"] or table.counts[0] == int(row["goal_states"])


BLOCKS = rows("blocks")
SAMPLE = ("Dad's puzzler", "Quzzle", "Entanglement", "Ten-Step")


@pytest.mark.parametrize(
    "row", [row for row in BLOCKS if any(n in row["name"] for n in SAMPLE)], ids=lambda r: r["name"]
)
def test_some_blocks(row):
    check_blocks(row)


@pytest.mark.long
@pytest.mark.parametrize("row", BLOCKS, ids=lambda r: r["name"])
def test_all_blocks(row):
    check_blocks(row)


@pytest.mark.long
@pytest.mark.parametrize("row", rows("blocks_open"), ids=lambda r: r["name"])
def test_blocks_that_were_open(row):
    assert questions.solve(blocks(row["board"], row["goal"])).moves == int(row["opt_path_moves"])


KLOTSKI = rows("blocks_4x5")


@pytest.mark.parametrize("row", KLOTSKI[27:28] + KLOTSKI[47:48], ids=lambda r: r["board"])
def test_some_klotski_boards(row):
    check_klotski(row)


@pytest.mark.long
@pytest.mark.parametrize("row", KLOTSKI, ids=lambda r: r["board"])
def test_all_klotski_boards(row):
    check_klotski(row)
