"""Which planted faults the tests find: `python benchmarks/faults.py FOLDER [--count N] [--seed N] [--minutes N]`.

A fault is one change in a copy of the package: a comparison, a sum, a number, `and` or `or`. They are drawn at random
among all such places of the rooms of engines, tables, bounds and encodings. The copy, the compiled loops and what each
test runs are kept in FOLDER; a second run uses them.

First all tests of TESTS run once without a fault, and note which of the drawn places each one runs, or which compiled
loops that depend on one. For each fault, those tests run, the quickest first, until one fails that passes without the
fault. A test that does not end in MANY times its usual processor time also finds it. If none fails, others run, those
first that are nearest by name, because results kept in memory may hide what a test runs. A fault counts as not found
after `--seconds` of processor time; a second run with more seconds tries it again. `--record` writes the table into
docs/reliability.md.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from machine import described, write

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("bounds", "engines", "heuristics", "kernels", "ranking", "search", "tables")
"""Where faults are planted: engines, encodings, bounds, tables and their compiled loops."""

TESTS = (
    "search", "bounds", "heuristics", "engines", "kernels", "tables", "analysis", "structure", "model", "fuzz", "games",
    "api", "cluster",
)  # fmt: skip
"""The folders whose tests run."""

MANY, MORE, COMPILING = 10, 10, 40
"""A test may take so many times its usual processor time, so many seconds more, and these if loops are compiled."""

NEAR = 0.25
"""The share of the seconds for tests that are nearest by name."""

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
SUMS = {ast.Add: "-", ast.Sub: "+", ast.LShift: ">>", ast.RShift: "<<", ast.BitAnd: "|", ast.BitOr: "&"}

HITS = '''
import os
_path, _seen = os.environ.get("FAULT_HITS"), set()
os.register_at_fork(after_in_child=_seen.clear)

def hit(place):
    """Note once a test that a place is reached."""
    if place not in _seen and _path:
        _seen.add(place)
        with open(_path, "a") as file:
            file.write(f"{place}\\n")
'''

NOTED = """
# appended for a run with planted faults: loops that do not depend on the fault stay compiled
sources = lambda: "{sources}"
if os.environ.get("FAULT_HITS"):
    import faulthits
    _called = CompiledFunction.__call__

    def _noted(self, *arguments):
        faulthits.hit(self.__name__)
        return _called(self, *arguments)

    CompiledFunction.__call__ = _noted
"""

# ---------------------------------------------------------------- the faults


@dataclass(frozen=True)
class Fault:
    """A change of one file: what stands at an offset is replaced by something else.

    place     line and column of the changed expression, for the probe
    compiled  whether it is in a module of compiled loops
    """

    file: str
    line: int
    offset: int
    old: str
    new: str
    place: tuple[int, int]
    compiled: bool

    def planted(self, text: bytes) -> bytes:
        """Return the file with the fault."""
        end = self.offset + len(self.old.encode())
        return text[: self.offset] + self.new.encode() + text[end:]


def changes(text: bytes) -> Iterator[tuple[int, int, str, str, tuple[int, int]]]:
    """Yield the places of a file where a fault can be planted: line, offset, what stands there, what comes there."""
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))

    def place(node: ast.AST, at_end: bool = False) -> int:
        where = (node.end_lineno, node.end_col_offset) if at_end else (node.lineno, node.col_offset)
        return begins[where[0] - 1] + where[1]

    def between(node: ast.AST, left: ast.AST, right: ast.AST, new: str) -> Iterator[tuple]:
        first, last = place(left, at_end=True), place(right)
        found = re.fullmatch(r"[\s()]*?([^\s()]+(?: in| not)?)[\s()]*", text[first:last].decode())
        if found:
            yield left.end_lineno, first + found.start(1), found[1], new, (node.lineno, node.col_offset)

    for node in expressions(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
            yield from between(node, node.left, node.comparators[0], COMPARISONS[type(node.ops[0])])
        elif isinstance(node, ast.BinOp) and type(node.op) in SUMS and not is_type(node):
            yield from between(node, node.left, node.right, SUMS[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            yield from between(node, *node.values[:2], "or" if isinstance(node.op, ast.And) else "and")
        elif isinstance(node, ast.Constant) and type(node.value) is int and node.value < 1000:
            old = text[place(node) : place(node, at_end=True)].decode()
            yield node.lineno, place(node), old, str(node.value + 1), (node.lineno, node.col_offset)


def expressions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a module without annotations, patterns, and texts with expressions: their places are wrong."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "pattern"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from expressions(child)


def is_type(node: ast.BinOp) -> bool:
    """Whether `X | None` is meant."""
    return isinstance(node.right, ast.Constant) and node.right.value is None


def drawn(tree: Path, count: int, seed: int) -> list[Fault]:
    """Return faults, drawn at random."""
    package, found = tree / "src" / "puzzlespace", list[Fault]()
    for file in sorted(file for room in ROOMS for file in (package / room).rglob("*.py")):
        text = file.read_bytes()
        compiled = "kernels" in file.parts and b"loop import " in text
        found += [Fault(str(file.relative_to(tree)), *each, compiled) for each in changes(text)]
    return random.Random(seed).sample(found, count)


# ---------------------------------------------------------------- which tests reach them


class Probes(ast.NodeTransformer):
    """Note that certain expressions are reached."""

    def __init__(self, faults: list[tuple[int, Fault]]) -> None:
        self.numbers = {fault.place: number for number, fault in faults}

    def visit(self, node: ast.AST) -> ast.AST:
        number = self.numbers.get((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
        self.generic_visit(node)
        wanted = isinstance(node, (ast.Compare, ast.BinOp, ast.BoolOp, ast.Constant))
        if isinstance(node, ast.JoinedStr | ast.Match) or number is None or not wanted:
            return node
        call = ast.Call(ast.Name("_fault_hit", ast.Load()), [ast.Constant(number)], [])
        return ast.BoolOp(ast.Or(), [call, node])


def probed(text: str, faults: list[tuple[int, Fault]]) -> str:
    """Return a module with probes at the faults."""
    module = Probes(faults).visit(ast.parse(text))
    after = next(
        (n + 1 for n, each in reversed(list(enumerate(module.body)))
         if isinstance(each, ast.ImportFrom) and each.module == "__future__"), 0,
    )  # fmt: skip
    module.body.insert(after, ast.parse("from faulthits import hit as _fault_hit").body[0])
    return ast.unparse(ast.fix_missing_locations(module))


def dependents(tree: Path, fault: Fault) -> set[str]:
    """Return the names of all functions and constants of the kernels that depend on the place of a fault."""
    kernels = tree / "src/puzzlespace/kernels"
    needs: dict[tuple[Path, str], set[tuple[Path, str]]] = {}
    found: set[tuple[Path, str]] = set()
    for path in sorted(kernels.rglob("*.py")):
        imported: dict[str, tuple[Path, str]] = {}
        module = ast.parse(path.read_bytes())
        for node in ast.walk(module):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                for each in node.names:
                    inner = base / f"{each.name}.py"
                    here = (inner, "") if inner.exists() else (base.with_suffix(".py"), each.name)
                    imported[each.asname or each.name] = here
        for node in module.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names = {node.name}
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
                texts = [each.value for each in ast.walk(node.value or node) if isinstance(each, ast.Constant)]
                names |= {text for text in texts if isinstance(text, str) and text.isidentifier()}  # of copies
            else:
                continue
            used: set[tuple[Path, str]] = set()
            for each in ast.walk(node):
                if isinstance(each, ast.Name):
                    used.add(imported.get(each.id, (path, each.id)))
                elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                    used.add((imported.get(each.value.id, (path, ""))[0], each.attr))
            for name in names:
                needs.setdefault((path, name), set()).update(used)
            if path == tree / fault.file and node.lineno <= fault.line <= (node.end_lineno or 0):
                found |= {(path, name) for name in names}
    more = found
    while more:
        more = {name for name, used in needs.items() if name not in found and used & found}
        found |= more
    return {name for _, name in found}


def nearest(file: str, tests: dict[str, float]) -> list[str]:
    """Return the tests, those first whose files share most words with the path of a file."""
    words = set(re.split(r"[/_.]", file)) - {"py", "test", "tests", "src", "puzzlespace"}
    return sorted(tests, key=lambda test: (-len(words & set(re.split(r"[/_.]", test.partition("::")[0]))), tests[test]))


# ---------------------------------------------------------------- one run of pytest: this file is its plugin


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session, config, items) -> None:
    """Run only the wanted tests, in their order."""
    if os.environ.get("FAULT_TESTS"):
        wanted = json.loads(Path(os.environ["FAULT_TESTS"]).read_text())["tests"]
        order = {name: n for n, name in enumerate(wanted)}
        items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


def _spent() -> float:
    return sum(os.times()[:4])


_state: dict = {"tests": {}, "outcome": {}, "begun": _spent()}


def pytest_runtest_logstart(nodeid, location) -> None:
    """Limit the processor time of a test."""
    _state["begun"] = _spent()
    if os.environ.get("FAULT_TESTS"):
        order = json.loads(Path(os.environ["FAULT_TESTS"]).read_text())
        Path(os.environ["FAULT_TESTS"] + ".now").write_text(nodeid)
        signal.setitimer(signal.ITIMER_PROF, order["more"] + MANY * order["tests"].get(nodeid, 0))


def pytest_runtest_logreport(report) -> None:
    """Note whether a test failed."""
    if report.outcome != "passed":
        _state["outcome"][report.nodeid] = report.outcome
    if report.failed and os.environ.get("FAULT_TESTS"):
        Path(os.environ["FAULT_TESTS"] + ".now").write_text(f"{report.nodeid}\nfailed")


pytest_collectreport = pytest_runtest_logreport


def pytest_runtest_logfinish(nodeid, location) -> None:
    """Note what a test took and reached."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    if os.environ.get("FAULT_HITS"):
        import faulthits

        hits = Path(os.environ["FAULT_HITS"])
        reached = sorted(set(hits.read_text().split())) if hits.exists() else []
        hits.write_text("")
        faulthits._seen.clear()
        outcome = _state["outcome"].get(nodeid, "passed")
        _state["tests"][nodeid] = (round(_spent() - _state["begun"], 3), outcome, reached)


def pytest_runtest_protocol(item, nextitem) -> None:
    """Stop after the most seconds of a fault."""
    if os.environ.get("FAULT_TESTS") and _spent() > json.loads(Path(os.environ["FAULT_TESTS"]).read_text())["most"]:
        item.session.shouldstop = "long enough"


def pytest_collection_finish(session) -> None:
    """Forget what is reached by importing modules: it says nothing about tests."""
    if os.environ.get("FAULT_HITS"):
        Path(os.environ["FAULT_HITS"]).write_text("")


def pytest_sessionfinish(session, exitstatus) -> None:
    """Keep what was noted."""
    if os.environ.get("FAULT_HITS"):
        Path(os.environ["FAULT_HITS"] + ".json").write_text(json.dumps(_state["tests"]))


# ---------------------------------------------------------------- the copy


class Copy:
    """A copy of the tree at a fixed path, with compiled loops of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tree, self.loops = folder, folder / "tree", folder / "loops"
        if not self.tree.exists():
            shutil.copytree(ROOT, self.tree, ignore=shutil.ignore_patterns(".git", "__pycache__", ".*_cache"))
            sys.path.insert(0, str(ROOT / "src"))
            from puzzlespace.kernels.loop import sources

            with (self.tree / "src/puzzlespace/kernels/loop.py").open("a") as file:
                file.write(NOTED.format(sources=sources()))
            (self.tree / "src/faulthits.py").write_text(HITS)

    def pytest(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        """Run tests in the copy."""
        path = os.pathsep.join([str(self.tree / "src"), str(Path(__file__).parent)])
        environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(self.loops), **environment}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "faults"]
        return subprocess.run([*command, *arguments], cwd=self.tree, env=environment, capture_output=True, text=True)

    def failing(self, tests: list[str], usual: dict[str, float], most: float, more: float) -> tuple[str, str]:
        """Return which of the tests fails first and how, ('', '') for none."""
        order = self.folder / "order.json"
        order.write_text(
            json.dumps({"tests": {name: usual.get(name, 0) for name in tests}, "most": most, "more": more})
        )
        files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
        noted = Path(f"{order}.now")
        noted.write_text("")
        process = self.pytest("-x", *files, FAULT_TESTS=str(order))
        if process.returncode in (0, 2) and "failed" not in noted.read_text():
            return "", ""
        (self.folder / "found.txt").write_text(process.stdout + process.stderr)
        last, _, how = noted.read_text().partition("\n")
        return last or tests[0], "" if how else "does not end" if process.returncode < 0 else "cannot be read"

    def change(self, file: str, text: bytes) -> None:
        """Write a file of the copy."""
        (self.tree / file).write_bytes(text)

    def restore(self, file: str) -> None:
        """Take a change back, with the time of the file."""
        shutil.copy2(self.folder / "kept" / file, self.tree / file)

    def keep(self, file: str) -> bytes:
        """Keep a file before it is changed, and return it."""
        kept = self.folder / "kept" / file
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.tree / file, kept)
        return kept.read_bytes()

    def cached(self, names: set[str]) -> list[Path]:
        """Return the files of compiled loops of these names."""
        found = re.compile(r"[^.]+\.(\w+)_[0-9a-f]{16}-\d+\.")
        return [p for p in self.loops.rglob("*.nb?") if (m := found.match(p.name)) is not None and m[1] in names]

    def put_aside(self, names: set[str]) -> None:
        """Move compiled loops of these names elsewhere."""
        aside = self.folder / "aside"
        for path in self.cached(names):
            to = aside / path.relative_to(self.loops)
            to.parent.mkdir(parents=True, exist_ok=True)
            path.rename(to)

    def put_back(self, names: set[str]) -> None:
        """Delete loops compiled with the fault, and put those without it back."""
        aside = self.folder / "aside"
        for path in self.cached(names):
            path.unlink()
        for path in list(aside.rglob("*.nb?")):
            path.rename(self.loops / path.relative_to(aside))


def spent() -> float:
    """Return the processor seconds of all commands so far."""
    return sum(os.times()[2:4])


def reached(copy: Copy, faults: list[Fault]) -> dict[str, tuple[float, str, list[str]]]:
    """Return seconds, outcome and reached places of each test."""
    noted = copy.folder / "hits.json"
    if not noted.exists():
        files = {fault.file for fault in faults if not fault.compiled}
        for file in sorted(files):
            here = [(n, fault) for n, fault in enumerate(faults) if fault.file == file]
            copy.change(file, probed(copy.keep(file).decode(), here).encode())
        rooms = [f"tests/{room}" for room in TESTS]
        process = copy.pytest(*rooms, FAULT_HITS=str(copy.folder / "hits"), FAULT_TESTS="")
        shown = process.stdout + process.stderr
        for file in files:
            copy.restore(file)
        (copy.folder / "first.txt").write_text(shown)
        print(shown[-3000:])
    return json.loads(noted.read_text())


def tested(copy: Copy, number: int, fault: Fault, tests: dict, most: float) -> tuple[str, float, int]:
    """Return which test finds a fault ('' for none), the processor seconds of the tests, and how many reach it."""
    usual = {name: seconds for name, (seconds, outcome, _) in tests.items() if outcome == "passed"}
    names = dependents(copy.tree, fault) if fault.compiled else set()
    wanted = names if fault.compiled else {str(number)}
    reach = sorted((name for name in usual if wanted & set(tests[name][2])), key=usual.__getitem__)
    near = [name for name in nearest(fault.file, usual) if name not in set(reach)]
    text, begun, found = copy.keep(fault.file), spent(), ""
    for order, share in ((reach, 1), (near, NEAR)):
        ends = min(most, spent() - begun + share * most)
        while order and not found and (left := ends - (spent() - begun)) > 0:
            copy.put_aside(names)
            copy.change(fault.file, fault.planted(text))
            try:
                found, how = copy.failing(order, usual, left, MORE + COMPILING * fault.compiled)
            finally:
                copy.restore(fault.file)
                copy.put_back(names)
            if not found or not copy.failing([found], usual, most, COMPILING)[0]:
                found += f" ({how})" * bool(how)
                break
            order, found = order[order.index(found) + 1 :], ""  # it fails without the fault, too
    return found, spent() - begun, len(reach)


def table(faults: list[Fault], rows: dict[str, list]) -> str:
    """Return what was found as a table for the documents."""
    lines = ["| where | change | tests that reach it | found by | seconds |", "|---|---|---|---|---|"]
    for number in sorted(rows, key=int):
        (found, seconds, reach), fault = rows[number], faults[int(number)]
        where = f"`{fault.file.removeprefix('src/puzzlespace/')}:{fault.line}`"
        change = f"`{fault.old}` to `{fault.new}`".replace("|", "\\|")
        by = f"`{found.partition('::')[0].removeprefix('tests/')}`" if found else "none"
        lines.append(
            f"| {where} | {change} | {reach:,} | {by}{' (does not end)' * found.endswith('end)')} | {seconds} |"
        )
    caught = sum(bool(found) for found, _, _ in rows.values())
    return "\n".join([f"{described()}. {len(rows)} of {len(faults)} faults planted, {caught} found.", "", *lines])


def main() -> None:
    """Plant faults one by one, and print a table of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=math.inf, help="plant no further fault after so many")
    parser.add_argument("--seconds", type=float, default=600, help="the most processor time of the tests of a fault")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # changes are taken back
    begun, copy = time.monotonic(), Copy(options.folder.resolve())
    faults = drawn(copy.tree, options.count, options.seed)
    tests = reached(copy, faults)
    results = copy.folder / "results.json"
    rows = json.loads(results.read_text()) if results.exists() else {}
    for number, fault in enumerate(faults):
        found, seconds, reach = rows.get(str(number), ("", 0, 0))
        if found or seconds >= options.seconds:
            continue
        if time.monotonic() - begun > 60 * options.minutes:
            break
        found, seconds, reach = tested(copy, number, fault, tests, options.seconds)
        rows[str(number)] = [found, round(seconds), reach]
        results.write_text(json.dumps(rows))
        print(number, fault.file, fault.line, fault.old, "to", fault.new, *rows[str(number)], sep="\t", flush=True)
    print(table(faults, rows))
    if options.record:
        write("reliability.md", "benchmarks/faults.py", table(faults, rows))


if __name__ == "__main__":
    main()
