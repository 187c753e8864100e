"""Random tiny puzzles of every kind, compared with a second implementation of the format."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "support"))  # for commands; pytest does it itself
