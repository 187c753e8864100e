"""When and where a table was measured, and tables that scripts write into the documents."""

from __future__ import annotations

import datetime
import os
import platform
from importlib.metadata import version
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
END = "<!-- end -->"


def described() -> str:
    """Return date, versions, processor, cores and load in one line."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "llvmlite"))
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{datetime.date.today()}, Python {platform.python_version()}, {versions}; "
        f"{os.cpu_count()} cores ({processor()}){load}"
    )


def processor() -> str:
    """Return the name of the processor if the system tells it."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text().splitlines() if listed.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


def kept(page: str, command: str) -> list[list[str]]:
    """Return the rows, without the heads, of the table that a page of docs/ has between the marks of a command."""
    text = (DOCS / page).read_text().partition(f"<!-- written by {command} -->\n")[2].partition(END)[0]
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]


def write(page: str, command: str, text: str) -> None:
    """Replace what a page of docs/ has between the marks of a command."""
    path, begin = DOCS / page, f"<!-- written by {command} -->\n"
    before, found, rest = path.read_text().partition(begin)
    if not found or END not in rest:
        raise SystemExit(f"expected the marks {begin.strip()} and {END} in docs/{page}")
    path.write_text(f"{before}{begin}{text.strip()}\n\n{END}{rest.partition(END)[2]}")
