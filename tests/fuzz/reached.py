"""`python -m tests.fuzz.reached --count N --seed S`: which lines of the fast paths random puzzles reach.

Needs the package `coverage`. Compiled loops are run uncompiled; what compiles them is left out. Prints the lines
that nothing reached, function by function.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[2] / "src" / "puzzlespace"

ROOMS = ("engines", "kernels", "ranking", "heuristics")

REASONS = {
    "reports of wrong answers and numbers (planted in tests/engines/test_audit.py and test_selfcheck.py)": (
        "engines/shared/audit.py Audit._check_numbers", "engines/shared/audit.py Audit._check_shown",
        "engines/shared/audit.py Audit._number", "engines/shared/audit.py Audit._check_depths",
        "engines/shared/audit.py Audit._check_moves", "engines/shared/audit.py _wrong",
        "engines/shared/audit.py check_total", "engines/shared/selfcheck.py wrong_counts",
        "engines/shared/selfcheck.py hold", "engines/shared/selfcheck.py _wrong_deepest",
        "engines/shared/selfcheck.py wrong_solution", "engines/shared/selfcheck.py _wrong_parity",
    ),
    "damaged files, and errors of the operating system (tests/tables/test_runs.py, tests/heuristics)": (
        "kernels/packed/runs.py decode", "heuristics/kept.py _read",
    ),
    "too little memory or disk, which depends on the machine (tests/tables/test_tables_memory.py, test_runs.py)": (
        "engines/frontier/__init__.py onward",
        "engines/table/__init__.py Chosen.within", "engines/table/__init__.py oversize",
        "engines/table/__init__.py worthwhile",
    ),
    "tables larger than the memory, and 10^9 numbers or more (tests/cli/test_cli.py)": (
        "engines/table/__init__.py worth", "engines/table/__init__.py _count",
    ),
    "an empty part of a layer, which a random draw seldom leaves (tests/cli/test_generate.py)": (
        "engines/shared/draws.py rows_of",
    ),
    "positions too wide to pack, of puzzles without a solution (tests/engines/test_deepening.py)": (
        "engines/deepening/unsolvable.py Exhaust",
    ),
    "a full arena of positions of several words (tests/engines/test_frontier.py)": (
        "kernels/packed/expand_wide.py followw",
    ),
    "a bound of lines that is greater than that of patterns (tests/engines/test_deepening.py)": (
        "kernels/deepening/idastar_patterns.py attempt_below_lines",
    ),
    "the parts of the one loop, of which each bound has its own": (
        "kernels/deepening/search_loop.py arrived", "kernels/deepening/search_loop.py open_up",
        "kernels/deepening/search_loop.py attempt", "kernels/deepening/search_loop.py leave",
    ),
    "counts of pegs that a limit stops (tests/engines/test_pegs.py)": (
        "engines/pegs/layer_counts.py by_jumps", "engines/pegs/layer_counts.py by_chains",
    ),
    "2^128 paths of pegs or more (tests/engines/test_pegs.py)": ("kernels/pegs/layers.py push",),
    "moves that go on without end, in puzzles written in Python (tests/heuristics/test_heuristics.py)": (
        "structure/slides.py Slides.joint", "kernels/deepening/idastar_bounds.py bound_of",
    ),
    "rules of blocks written in Python that do more than move them (tests/engines/test_blocks.py)": (
        "engines/blocks/recognise.py _shifts",
    ),
    "trays and pieces for new puzzles, which are not puzzles yet (tests/api/test_designing.py)": (
        "kernels/packings/",
    ),
    "what compiles and reports, and nothing is compiled (tests/kernels/test_loop.py)": (
        "kernels/calls.py", "kernels/compiling.py", "kernels/pipeline.py", "kernels/intrinsics.py", "kernels/loop.py",
    ),
    "questions that the API refuses before, and puzzles written in Python (tests/api, tests/engines)": (
        "engines/blocks/__init__.py refuses", "engines/deepening/__init__.py refuses",
        "engines/pegs/__init__.py refuses", "engines/table/__init__.py _refusal",
    ),
    "lower bounds that are spelt wrong (tests/heuristics/test_heuristics.py)": ("heuristics/spelling.py",),
    "larger tables of slides: words of five chunks, runs of whole states (tests/engines/test_table_slide.py)": (
        "kernels/table/windows.py", "kernels/table/windows_build.py Builder._runs",
    ),
    "more than 16 different pieces (tests/engines/test_table.py)": ("kernels/table/ranks.py unrank_different",),
    "more positions of blocks than random boards have (tests/engines/test_blocks.py)": (
        "engines/blocks/code_set.py", "engines/blocks/__init__.py", "engines/blocks/reach.py BlockReach._loop",
        "kernels/blocks/",
    ),
    "pegs for a beam, goals of several numbers of pegs, and great symmetry (tests/engines/test_pegs.py)": (
        "engines/pegs/beam.py", "engines/pegs/ways.py together", "engines/pegs/__init__.py _joined",
        "engines/pegs/__init__.py field_of", "engines/pegs/ways.py Ways._on_ways",
        "kernels/pegs/bits.py join_opposites",
    ),
    "tables that another process left in the cache folder (tests/heuristics/test_colours.py, test_tracks.py)": (
        "heuristics/kept.py fetch", "heuristics/colours.py ColourTable.identity", "heuristics/tracks.py Tracks._view",
    ),
    "the template of an engine, which is asked by name (tests/api/test_choice.py)": ("engines/template.py worth",),
    "a table that was stopped after certain layers, and distances in it (tests/tables/test_tables.py)": (
        "engines/table/mod3.py Keeper.last", "engines/table/one_bit.py count_layers", "kernels/table/walk_down.py",
    ),
    "rounds with nothing left to search, keys of several words, little memory (tests/heuristics/test_pieces.py)": (
        "engines/deepening/piece_search.py", "engines/deepening/listed_search.py ListedDescent",
        "engines/deepening/iterations.py _Round._look", "kernels/deepening/idastar_pieces.py pack",
        "heuristics/piece_tables.py PieceTable.build", "heuristics/pieces.py _differ",
    ),
    "pieces that stand still, in questions asked in Python (tests/engines/test_deepening.py)": (
        "engines/deepening/known.py KnownFacts.cut_off",
    ),
    "more shortest solutions of added moves than are listed (tests/engines/test_linear.py)": (
        "engines/linear/solutions.py",
    ),
    "what a count takes, which only plans ask (tests/api/test_planning.py)": (
        "engines/table/needs.py", "engines/table/slide/needs.py", "engines/frontier/needs.py",
        "engines/blocks/needs.py", "engines/linear/needs.py", "engines/plain.py needs",
        "engines/table/mod3.py saved_bytes",
    ),
    "tables of rows and columns with different room for colours (tests/heuristics/test_colours.py)": (
        "heuristics/colours.py Colours",
    ),
}  # fmt: skip
"""Why random puzzles do not reach every line of some functions, and which tests do: file and beginning of the name."""


def functions(file: Path) -> dict[int, str]:
    """Return the name of the function around each line of a file; methods are named after their class too."""
    found: dict[int, str] = {}

    def walk(node: ast.AST, name: str) -> Iterator[tuple[ast.AST, str]]:
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}".lstrip(".")
                yield child, inner
            yield from walk(child, inner)

    for node, name in walk(ast.parse(file.read_text()), ""):
        for line in range(node.body[0].lineno, node.end_lineno + 1):  # type: ignore[attr-defined]
            found[line] = name
    return found


REFUSAL = (
    "refusals: blocks of an `if`, an `except` or the end of a loop, that end with `raise`, or `return` None or a text"
)


def refusals(file: Path) -> set[int]:
    """Return the lines of a file that only refuse."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        body = node.body if isinstance(node, ast.If | ast.ExceptHandler) else []
        if isinstance(node, ast.For | ast.While):
            body = node.orelse
        if body and _refuses(body[-1]):
            first = node.lineno if isinstance(node, ast.ExceptHandler) else body[0].lineno
            found.update(range(first, (body[-1].end_lineno or 0) + 1))
    return found


def _refuses(node: ast.stmt) -> bool:
    if isinstance(node, ast.Return):
        value = node.value
        return isinstance(value, ast.JoinedStr) or (
            isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, str))
        )
    return isinstance(node, ast.Raise)


def reason_for(function: str) -> str:
    """Return why not every line of a function is reached, or ''."""
    return next((why for why, begins in REASONS.items() if any(map(function.startswith, begins))), "")


def main() -> int:
    """Examine puzzles and print the figures."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz.reached", description=__doc__)
    options.add_argument("--count", type=int, default=300, help="how many puzzles")
    options.add_argument("--seed", type=int, default=0, help="the first seed; the others follow")
    options.add_argument("--seconds", type=float, default=1e9, help="end after so many seconds")
    options.add_argument("--keep", help="a file of lines reached, read before and written after")
    options.add_argument(
        "--thorough", type=int, default=0, help="ask everything of puzzles of at most so many positions"
    )
    given = options.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ["PUZZLESPACE_CACHE"] = tempfile.mkdtemp()
    import coverage

    measured = coverage.Coverage(include=[f"{SOURCE / room}/*" for room in ROOMS], data_file=given.keep)
    measured.exclude(r"if TYPE_CHECKING:")
    measured.exclude(r"^else:$")  # what writes machine code where loops are compiled
    if given.keep and Path(given.keep).exists():
        measured.load()
    measured.start()
    from .generators import accepted, draw, few
    from .harness import examine

    def small(text: str, most: int) -> bool:
        puzzle = accepted(text)
        return puzzle is not None and puzzle.model().start is not None and few(puzzle, most)

    began, done = time.perf_counter(), 0
    for seed in range(given.seed, given.seed + given.count):
        if time.perf_counter() - began > given.seconds:
            break
        text = draw(seed)
        everything = small(text, given.thorough)
        for fault in examine(text, seed, everything).faults[:1]:  # no alarm: while measuring it would never return
            print(f"seed {seed}: {fault}", file=sys.stderr, flush=True)
        done += 1
        if given.keep and done % 20 == 0:
            measured.save()
    measured.stop()
    if given.keep:
        measured.save()
    print(f"{done} puzzles reach {report(measured)}")
    return 0


def report(measured: Any) -> str:
    """Print the lines that were not reached, with their reasons; return how many of all lines were.

    measured  an object of the library coverage
    """
    total = missed = 0
    known: Counter[str] = Counter()
    for room in ROOMS:
        for file in sorted((SOURCE / room).rglob("*.py")):
            _, every, _, missing, _ = measured.analysis2(str(file))
            total, missed = total + len(every), missed + len(missing)
            if missing:
                name, refused = functions(file), refusals(file)
                share = 100 * (1 - len(missing) / len(every))
                print(f"{file.relative_to(SOURCE)}: {share:.0f} % of {len(every)} lines")
                for function in dict.fromkeys(name.get(line, "") for line in missing):
                    lines = [number for number in missing if name.get(number, "") == function]
                    reason = reason_for(f"{file.relative_to(SOURCE)} {function}")
                    for number in lines:
                        known[reason or REFUSAL * (number in refused)] += 1
                    shown = ", ".join(f"{number} (refusal)" if number in refused else str(number) for number in lines)
                    print(f"    {function}: {shown}{' (known)' * bool(reason)}")
    for reason, number in known.most_common():
        print(f"{number:6,} not reached: {reason or 'for no reason that is known'}")
    return f"{total - missed:,} of {total:,} lines, {100 * (1 - missed / total):.1f} %"


if __name__ == "__main__":
    sys.exit(main())
