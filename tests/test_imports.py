"""Who may import whom, read from the syntax tree and held against the table of docs/architecture.md."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "puzzlespace"

ROOMS = Path(__file__).parent.parent / "docs" / "architecture.md"
MAY_IMPORT = {
    row[1].strip(): set(row[3].split())
    for row in (line.split("|") for line in ROOMS.read_text().split("| room |")[1].splitlines()[2:] if line[:1] == "|")
}
OUTSIDE_KERNELS = {"numba"}


def room(path: Path) -> str:
    """The row of the table that a file falls under."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    name = ".".join(part for part in parts if part != "__init__") or "__init__"
    return name if name in MAY_IMPORT else parts[0]


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, as dotted names within the package."""
    here = list(path.relative_to(PACKAGE).with_suffix("").parts)[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) - (node.level - 1)]
            module = [*base, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                target = [*module, alias.name]
                is_module = (PACKAGE.joinpath(*target).with_suffix(".py")).exists() or PACKAGE.joinpath(
                    *target
                ).is_dir()
                found.add(".".join(target if is_module else module))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not any(name.split(".")[0] == "puzzlespace" for name in names), f"{path.name}: import relatively"
    return found


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_file_imports_only_what_its_room_may(path):
    allowed = MAY_IMPORT[room(path)]
    for module in imported(path) - {""}:
        assert module.split(".")[0] in allowed or module in allowed, f"{room(path)} may not import {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_kernels_know_the_compiler(path):
    if room(path) != "kernels":
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
                assert not OUTSIDE_KERNELS & {name.split(".")[0] for name in names}


def test_no_room_escapes():
    rooms = {room(path) for path in FILES}
    assert rooms <= set(MAY_IMPORT)


@pytest.mark.parametrize("what", ["pass", "puzzlespace.solve('goat')", "puzzlespace.depths('hanoi:3,3')"])
def test_small_questions_load_neither_arrays_nor_the_compiler(what):
    script = f"import sys, puzzlespace; {what}; print(*({{'numpy', 'numba'}} & sys.modules.keys()))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
