"""Build the files of a release, or say why the state is not one to release.

    python .ci/release.py            refuse an unclean state; build wheel and sdist twice, compare them byte by byte
    python .ci/release.py --check    only say what is missing

Nothing is published: the last lines say what to do next.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def git(*words: str, root: Path = ROOT) -> str:
    """Return what git prints."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def version_of(root: Path) -> str:
    """Return the version of the program."""
    text = (root / "src/puzzlespace/contract/version.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "(.+)"', text)
    assert found is not None
    return found[1]


def faults(root: Path = ROOT) -> Iterator[str]:
    """Yield why the state is not one to release."""
    version = version_of(root)
    if git("status", "--porcelain", root=root):
        yield "there are changes that are not committed"
    if git("tag", "--list", f"v{version}", root=root):
        yield f"there is a tag v{version} already"
    heading = re.search(r"^## (.+)$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if heading is None or not re.fullmatch(rf"{re.escape(version)}, \d{{4}}-\d\d-\d\d", heading[1]):
        yield f"CHANGELOG.md: expected '## {version}, YEAR-MONTH-DAY' on top, found {heading and heading[1]!r}"
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        yield f"CITATION.cff: expected version {version}, found {cited and cited[1]}"
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    for name, address in settings["tool"]["puzzlespace"]["addresses"].items():
        if not address.startswith("https://"):
            yield f"pyproject.toml: [tool.puzzlespace.addresses] {name}: expected an address, found {address!r}"


def built(folder: Path) -> dict[str, str]:
    """Return the names and hashes of wheel and sdist, built from a copy of the last commit."""
    copy, files = folder / "copy", folder / "files"
    copy.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x"], cwd=copy, input=archive, check=True)
    dated = {**os.environ, "SOURCE_DATE_EPOCH": git("log", "-1", "--format=%ct")}
    command = [sys.executable, "-m", "build", "--outdir", str(files), str(copy)]
    subprocess.run(command, env=dated, check=True, stdout=subprocess.DEVNULL)
    return {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in sorted(files.iterdir())}


def main() -> int:
    """Return the exit code."""
    wrong = list(faults())
    for each in wrong:
        print(f"release: {each}", file=sys.stderr)
    if wrong or "--check" in sys.argv[1:]:
        return 1 if wrong else 0
    with tempfile.TemporaryDirectory() as folder:
        first, second = built(Path(folder) / "first"), built(Path(folder) / "second")
        if first != second:
            print(f"release: two builds of one commit differ: {first} {second}", file=sys.stderr)
            return 1
        (ROOT / "dist").mkdir(exist_ok=True)
        for name, digest in first.items():
            (Path(folder) / "first/files" / name).replace(ROOT / "dist" / name)
            print(f"{digest}  dist/{name}")
    print(f"Next: git tag v{version_of(ROOT)}, push it, and upload the files of dist/.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
