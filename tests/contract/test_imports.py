"""Who may import whom, read from the syntax tree and held against the table of docs/architecture.md."""

import ast
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from places import DOCS, PACKAGE

ROOMS = DOCS / "architecture.md"
MAY_IMPORT = {
    row[1].strip(): set(row[3].split())
    for row in (line.split("|") for line in ROOMS.read_text().split("| room |")[1].split("\n\n")[0].splitlines()[2:])
}
AT_THE_ROOT = {"__init__", "__main__", "environment", "errors", "notebook", "plugins", "registry"}
SHARED = {"packed": {"shared"}, "shared": set()}
"""The parts of `engines` that every engine may use, and which of them they use themselves."""


def name_of(path):
    """The dotted name of a file within the package; that of the package itself is empty."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imported(name):
    """The modules of the package that a module imports, anywhere in the file, for types too."""
    path = MODULES[name]
    here = list(path.relative_to(PACKAGE).parts)[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - (node.level - 1)] + (node.module.split(".") if node.module else [])
            targets = (".".join([*base, alias.name]) for alias in node.names)
            found |= {target if target in MODULES else ".".join(base) for target in targets}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not any(each.split(".")[0] == "puzzlespace" for each in names), f"{name}: import relatively"
    return found


def room(name):
    return name.split(".")[0]


def part(name):
    """The room of a module; within `engines` and `kernels` the engine or sub-package it belongs to."""
    words = name.split(".")
    return ".".join(words[:2]) if words[0] in ("engines", "kernels") else words[0]


def circle(graph):
    """Some circle of a graph, or None."""
    done, way = set(), []

    def visit(node):
        if node in way:
            return [*way[way.index(node) :], node]
        if node in done:
            return None
        way.append(node)
        found = next((each for each in map(visit, sorted(graph.get(node, ()))) if each), None)
        way.pop()
        done.add(node)
        return found

    return next((found for found in map(visit, sorted(graph)) if found), None)


def test_every_module_imports_only_what_its_room_may():
    pairs = [(name, room(each)) for name in MODULES if name for each in imported(name) if room(each) != room(name)]
    assert [(name, other) for name, other in pairs if other not in MAY_IMPORT[room(name)]] == []


def test_the_table_is_short_and_says_what_is_there():
    assert len(MAY_IMPORT) <= 33
    assert set(MAY_IMPORT) == {room(name) for name in MODULES if name}
    used = {(room(name), room(each)) for name in MODULES for each in imported(name)}
    assert [(one, other) for one in MAY_IMPORT for other in MAY_IMPORT[one] if (one, other) not in used] == []


def test_only_seven_modules_are_at_the_root():
    assert {path.stem for path in PACKAGE.glob("*.py")} == AT_THE_ROOT
    assert all((folder / "__init__.py").exists() for folder in {path.parent for path in MODULES.values()})


def test_nothing_imports_in_a_circle():
    assert circle({name: imported(name) for name in MODULES}) is None
    parts = {}
    for name in MODULES:
        parts.setdefault(part(name), set()).update({part(each) for each in imported(name)} - {part(name)})
    assert circle(parts) is None


def test_the_cluster_is_a_guest():
    hosts = {name for name in MODULES if room(name) != "cluster" and "cluster" in map(room, imported(name))}
    assert hosts == {"api.clusters", "api.planning.resident"}
    assert not hosts & {each for name in ("", "api", "cli", "registry") for each in imported(name)}


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_an_engine_imports_no_part_of_another():
    wrong = []
    for name in [name for name in MODULES if name.startswith("engines.")]:
        own = name.split(".")[1]
        others = {each.split(".")[1] for each in imported(name) if each.startswith("engines.")} - {own}
        wrong += [(name, other) for other in others - SHARED.get(own, set(SHARED))]
    assert wrong == []


def packages(path):
    """The packages that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
            yield from (each.split(".")[0] for each in names)


def test_only_kernels_know_the_compiler():
    assert {room(name) for name, path in MODULES.items() if "numba" in packages(path)} == {"kernels"}


def test_one_class_name_is_one_thing():
    names = Counter(
        node.name
        for path in MODULES.values()
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []


COMMAND = """
from puzzlespace.__main__ import main
sys.argv = ["puzzlespace", "solve", "goat", "--json"]
try:
    main()
except SystemExit as ended:
    assert not ended.code
print()"""


UNASKED = {
    f"puzzlespace.{name}"
    for name in (
        "contract.plans",
        "families.facelets",
        "games.lines",
        "model.sentence",
        "rules.several",
        "rules.worded",
    )
}
"""What is loaded for the puzzles and questions that need it: each of a hundred modules takes a millisecond."""


@pytest.mark.parametrize("what", ["pass", "puzzlespace.solve('goat')", "puzzlespace.depths('hanoi:3,3')", COMMAND])
def test_small_questions_load_neither_arrays_nor_the_compiler_nor_locks(what):
    symmetries = {"puzzlespace.model.sentence"} if "depths" in what else set()
    heavy = {"numpy", "numba", "filelock", "platformdirs", *UNASKED} - symmetries
    script = f"import sys, puzzlespace\n{what}\nprint('loaded', *({heavy} & sys.modules.keys()))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "loaded"
