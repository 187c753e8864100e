"""How many parts the package has, and how large they are, beside an older commit: a table in the documents.

    python benchmarks/parts.py --before REV          both columns, printed
    python benchmarks/parts.py --before REV --write  the table of docs/benchmarks.md
    python benchmarks/parts.py --before REV --suite  the tests of both, too: minutes each

Everything is counted in the syntax trees, so that a reader can count again:

- a *loop over layers* is a function with a loop that reports layers (`watch.layer` without `bound`) or extends a list
  of their sizes; the plain engine, its template and what models, bounds and kernels do inside are not counted, nor
  are loops over sizes that are known already
- an *IDA\\* loop* is a compiled function `deepen`
- a *reader of rules* is a module of an engine, a bound, a table or the page that asks rules what they need and write;
  those of TRANSLATORS write the rules down in another form, whatever they mean, and are counted apart
- a *threshold* is a number that tests set: a field of the class of all of them, or a `Threshold`

`solve goat` runs in a process of its own. Functions are those of the package that were called, each once. The
seconds of commands are those of processors, the least of ROUNDS whole processes, in turns with the other commit.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from machine import described, write

ROOT = Path(__file__).resolve().parents[1]
PAGE, COMMAND = "benchmarks.md", "python benchmarks/parts.py"

LARGE_FUNCTION, LARGE_FILE = 80, 450

GROUPS = (
    ("what searches", ("kernels", "engines", "search", "heuristics", "bounds", "ranking", "structure", "symmetry")),
    ("tables and clusters", ("tables", "cluster", "storage")),
    ("what puzzles are", ("model", "puzzle", "rules", "families", "catalogue", "contract", "limits", "analysis")),
    ("games", ("games",)),
    ("files", ("formats", "pddl")),
    ("page, pictures, graphs", ("web", "render", "graph")),
    ("Python and commands", ("api", "cli")),
)  # fmt: skip
"""Rooms that are counted together; modules outside of all folders are with the last group."""

TRACED = """
import json, sys
called = set()
def note(frame, event, _):
    if event == "call" and "puzzlespace" in frame.f_code.co_filename and not frame.f_code.co_name.startswith("<"):
        called.add(frame.f_code)
sys.setprofile(note)
import runpy
sys.argv[1:] = ["solve", "goat"]
try:
    runpy.run_module("puzzlespace", run_name="__main__")
except SystemExit:
    pass
sys.setprofile(None)
mine = [name for name in sys.modules if name.split(".")[0] == "puzzlespace"]
print(json.dumps([len(called), len(mine), len(sys.modules)]), file=sys.stderr)
"""


TRANSLATORS = (
    "engines/deepening/blank_links.py", "engines/deepening/moves.py", "engines/frontier/whole_moves.py",
    "engines/packed/positions.py", "engines/packed/programs.py", "engines/packed/whole_moves.py",
    "engines/program/packing.py", "engines/shared/plain_arrays.py", "engines/table/unranked.py",
    "heuristics/assignment.py", "heuristics/labels.py", "heuristics/projection_rules.py", "web/standalone.py",
    "web/wire.py",
)  # fmt: skip
"""Modules that make words, byte code, arrays, JSON or smaller rules of any rules."""

COMMANDS = ("--version", "show hexagram", "solve goat", "solve eight")
ROUNDS = 7


class Tree:
    """The Python files of a checkout, parsed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.package = root / "src" / "puzzlespace"
        self.files = {
            path.relative_to(self.package): path.read_text(encoding="utf-8") for path in self.package.rglob("*.py")
        }
        self.parsed = {path: ast.parse(text) for path, text in self.files.items()}

    def lines(self, suffix: str) -> int:
        """Return the lines of all files with an ending."""
        return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in self.package.rglob(f"*{suffix}"))

    def kinds_of_lines(self) -> Counter[str]:
        """Return the lines of Python by kind: code, documentation (docstrings and comments), blank, translations."""
        found: Counter[str] = Counter()
        for path, text in self.files.items():
            total = len(text.splitlines())
            if path.name.startswith("japanese"):
                found["translations"] += total
                continue
            coded, told = _coded(text)
            found["code"] += len(coded)
            found["documentation"] += len(told - coded)
            found["blank"] += total - len(coded | told)
        return found

    def group(self, path: Path) -> str:
        """Return the group of rooms of a module."""
        for name, rooms in GROUPS:
            if path.parts[0] in rooms:
                return name
        return GROUPS[-1][0]

    def functions(self) -> Iterator[tuple[Path, ast.FunctionDef]]:
        """Yield all functions with their files."""
        for path, tree in self.parsed.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    yield path, node


def _coded(text: str) -> tuple[set[int], set[int]]:
    """Return the numbers of the lines with code, and of those with docstrings or comments."""
    coded: set[int] = set()
    told: set[int] = set()
    fresh = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        span = set(range(token.start[0], token.end[0] + 1))
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and fresh):
            told |= span
        elif token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            fresh = True
            continue
        elif token.type not in (tokenize.NL, tokenize.ENDMARKER):
            coded |= span
            fresh = False
    return coded, told


def _calls(node: ast.AST) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield what is called in a node: the object's name, the method, the call."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            yield ast.unparse(call.func.value).split(".")[-1], call.func.attr, call


def _loops(function: ast.FunctionDef) -> Iterator[ast.For | ast.While]:
    yield from (node for node in ast.walk(function) if isinstance(node, ast.For | ast.While))


def layer_loops(tree: Tree) -> list[str]:
    """Return the functions with a loop over breadth-first layers."""

    def drives(loop: ast.For | ast.While) -> bool:
        known = isinstance(loop, ast.For) and ast.unparse(loop.iter).startswith("enumerate(")
        return not known and any(
            (owner == "watch" and name == "layer" and not any(word.arg == "bound" for word in call.keywords))
            or (owner in ("sizes", "counts") and name == "append" and isinstance(loop, ast.While))
            for owner, name, call in _calls(loop)
        )

    rooms = ("model", "kernels", "heuristics", "bounds")
    return [
        f"{path}:{function.name}"
        for path, function in tree.functions()
        if path.parts[0] not in rooms and path.name not in ("plain.py", "template.py")
        if any(map(drives, _loops(function)))
    ]


def deepening_loops(tree: Tree) -> list[str]:
    """Return the compiled loops of iterative deepening."""
    return [
        f"{path}:{function.name}"
        for path, function in tree.functions()
        if path.parts[:2] == ("kernels", "deepening") and function.name == "deepen"
    ]


def asking(tree: Tree) -> list[str]:
    """Return the modules of engines, bounds, tables and the page that ask rules what they need and what they write."""
    rooms = ("engines", "heuristics", "bounds", "ranking", "search", "tables", "cluster", "web")
    asked = {
        path: {node.attr for node in ast.walk(parsed) if isinstance(node, ast.Attribute)}
        for path, parsed in tree.parsed.items()
        if path.parts[0] in rooms
    }
    return [str(path) for path, names in asked.items() if "need" in names and names & {"source", "table"}]


def readers(tree: Tree) -> list[str]:
    """Return those that read from rules what they mean."""
    return [path for path in asking(tree) if path not in TRANSLATORS]


def translators(tree: Tree) -> list[str]:
    """Return those that write rules down in another form."""
    return [path for path in asking(tree) if path in TRANSLATORS]


def table_kinds(tree: Tree) -> list[str]:
    """Return the kinds of depth tables."""
    for node in ast.walk(tree.parsed[Path("engines/table/__init__.py")]):
        named = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("MODULES", "KINDS")
        if named and isinstance(node.value, ast.Dict | ast.Tuple):
            words = node.value.keys if isinstance(node.value, ast.Dict) else node.value.elts
            return [str(ast.literal_eval(word)) for word in words if word is not None]
    return []


def thresholds(tree: Tree) -> int:
    """Return how many numbers tests can set."""
    found = 0
    for path, parsed in tree.parsed.items():
        for node in ast.walk(parsed):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Threshold":
                found += 1
            if path.name == "thresholds.py" and isinstance(node, ast.ClassDef):
                numbers = [each for each in node.body if isinstance(each, ast.AnnAssign) and each.value is not None]
                found += sum("int" in ast.unparse(each.annotation) for each in numbers)
    return found


def suite_seconds(root: Path) -> float:
    """Return how long the tests take."""
    before = time.perf_counter()
    subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=root, env=_environment(root), check=False)
    return time.perf_counter() - before


def _environment(root: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(root / "src")}


def command_seconds(roots: Sequence[Path]) -> list[dict[str, float]]:
    """Return for each checkout the processor seconds of COMMANDS; the first round fills the caches."""
    found: list[dict[str, float]] = [{} for _ in roots]
    for command in COMMANDS:
        for turn in range(ROUNDS + 1):
            for root, least in zip(roots, found, strict=True):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                words = [sys.executable, "-m", "puzzlespace", *command.split()]
                subprocess.run(words, env=_environment(root), capture_output=True, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                if turn:
                    name = f"seconds of `{command}`"
                    least[name] = round(min(spent, least.get(name, spent)), 3)
    return found


def measured(root: Path, suite: bool) -> dict[str, float]:
    """Return the figures of a checkout by name."""
    tree = Tree(root)
    lines = tree.kinds_of_lines()
    grouped: Counter[str] = Counter()
    for path, text in tree.files.items():
        grouped[tree.group(path)] += len(text.splitlines())
    sizes = [function.end_lineno - function.lineno + 1 for _, function in tree.functions() if function.end_lineno]
    asked = subprocess.run(
        [sys.executable, "-c", TRACED], env=_environment(root), capture_output=True, text=True, check=True
    )
    called, mine, modules = json.loads(asked.stderr.splitlines()[-1])
    found: dict[str, float] = {
        "Python files": len(tree.files),
        "lines of Python": sum(lines.values()),
        **{f"— {kind}": lines[kind] for kind in ("code", "documentation", "blank", "translations")},
        **{f"— {name}": grouped[name] for name, _ in GROUPS},
        "lines of JavaScript": tree.lines(".js"),
        f"files over {LARGE_FILE} lines": sum(len(text.splitlines()) > LARGE_FILE for text in tree.files.values()),
        f"functions over {LARGE_FUNCTION} lines": sum(size > LARGE_FUNCTION for size in sizes),
        "loops over layers": len(layer_loops(tree)),
        "IDA\\* loops": len(deepening_loops(tree)),
        "readers of rules": len(readers(tree)),
        "translators of rules": len(translators(tree)),
        "kinds of table": len(table_kinds(tree)),
        "thresholds": thresholds(tree),
        "functions called by `solve goat`": called,
        "modules of the package loaded by it": mine,
        "modules loaded by it": modules,
    }
    if suite:
        found["seconds of the suite"] = round(suite_seconds(root))
    return found


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, metavar="REV", help="the commit of the first column")
    parser.add_argument("--suite", action="store_true", help="run the tests of both, too")
    parser.add_argument("--write", action="store_true", help=f"write the table into docs/{PAGE}")
    parser.add_argument("--list", action="store_true", help="print the loops, readers and kinds that are counted")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", given.before], cwd=ROOT, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        trees = Path(folder), ROOT
        if given.list:
            for root in trees:
                tree = Tree(root)
                for count in (layer_loops, deepening_loops, readers, translators, table_kinds):
                    print(count.__name__, *sorted(count(tree)), sep="\n  ")
            return
        seconds = command_seconds(trees)
        before, after = ({**measured(root, given.suite), **spent} for root, spent in zip(trees, seconds, strict=True))
    rows = [f"| {name} | {before[name]:,} | {after[name]:,} |" for name in after]
    shown = "\n".join((f"| | {given.before} | now |", "|---|---|---|", *rows, "", described()))
    if given.write:
        write(PAGE, COMMAND, shown)
    else:
        print(shown)


if __name__ == "__main__":
    main()
