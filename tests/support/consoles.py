"""Pages that show commands with their outputs: the commands are run, and the outputs are written anew.

Blocks of a page, in order: `puzzlescript` is a file FILE, or its text from the first message or level on; `console` has
commands after '$ ', each with its output. Write the outputs of a page: PYTHONPATH=src:tests/support
python tests/support/consoles.py docs/tutorials/game.md ford.ps
"""

import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from commands import run

BLOCK = re.compile(r"```(puzzlescript|console)\n(.*?)```", re.DOTALL)


def played(page: str, file: str) -> str:
    """Return a page with the outputs of its commands, which are run in the current folder."""

    def block(found: re.Match[str]) -> str:
        kind, text = found.groups()
        if kind == "puzzlescript":
            path = Path(file)
            begun = "" if text.startswith("title") else path.read_text().partition("message")[0]
            path.write_text(begun + text)
            return found.group()
        commands = re.findall(r"^\$ puzzlespace (.*)$", text, re.MULTILINE)
        outputs = [run(*shlex.split(words))[1:] for words in commands]
        shown = [f"$ puzzlespace {words}\n{out}{err}" for words, (out, err) in zip(commands, outputs, strict=True)]
        return f"```console\n{''.join(shown)}```"

    return BLOCK.sub(block, page)


if __name__ == "__main__":
    here = Path(sys.argv[1]).resolve()
    os.chdir(tempfile.mkdtemp())
    here.write_text(played(here.read_text(), sys.argv[2]))
