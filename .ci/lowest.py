"""Print, one a line, the lowest versions that pyproject.toml promises: constraints for pip.

`name>=X.Y` becomes `name==X.Y.*`; `name>=X` becomes `name==X.0.*`; an extra in brackets is left out.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def lowest(requirement: str) -> str | None:
    """Return the constraint for a requirement; None for the package itself, which has extras and no version."""
    found = re.fullmatch(r"([A-Za-z0-9_.-]+)(?:\[[a-z,]+\])?>=([0-9.]+)(,<[0-9.]+)?", requirement)
    if found is None:
        if requirement.startswith("puzzlespace["):
            return None
        sys.exit(f"pyproject.toml: expected name>=version or name>=version,<version, found {requirement!r}")
    name, version = found[1], found[2]
    return f"{name}=={version}{'' if '.' in version else '.0'}.*"


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    every = [*project["dependencies"], *(each for extra in project["optional-dependencies"].values() for each in extra)]
    print("\n".join(sorted({found for each in every if (found := lowest(each))})))
