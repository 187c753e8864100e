"""The text formats for puzzles, one module each; MODULES lists them. All but the puzzle file are loaded when needed."""

import re
from functools import cache
from importlib import import_module
from urllib.parse import unquote

from ..errors import FormatError, InputError
from ..limits.watch import paced
from ..plugins import plugins
from ..puzzle.diagnostics import Diagnostic
from ..puzzle.draft import Draft
from .base import LIMIT, UTF_16, Format, decode, latin_1, read_bytes
from .pzl import FORMAT as PZL

MODULES = ("pzl", "rushhour", "hrd", "lunar", "tws", "kpuzzle", "sokoban", "gnome", "atomix", "boards")
"""The modules of the formats, in the order in which a text is compared with them."""

LONGEST = 2000
"""The most letters of a puzzle that a person types instead of a file name."""


@cache
def formats() -> tuple[Format, ...]:
    """Return all formats."""
    return tuple(import_module(f".{name}", __name__).FORMAT for name in MODULES)


def format_of(file: str, text: str = "") -> Format:
    """Return the format of a file by its name's ending; if that is unknown, by its text, else the puzzle file.

    Formats of other installed packages are found by the ending.
    """
    ending = file.lower()
    if ending.endswith(PZL.suffixes):
        return PZL
    by_name = next((each for each in formats() if ending.endswith(each.suffixes)), None)
    others = plugins("formats", Format) if ending and by_name is None else ()
    return by_name or next((each for each in others if ending.endswith(each.suffixes)), None) or recognised(text) or PZL


def read_text(path: str, limit: int = LIMIT) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return the text of a file, or of standard input for '-', and notes on its encoding.

    Raises FormatError as `base.load` does; a format with `latin` may be in Latin-1.
    """
    data = read_bytes(path, limit)
    try:
        return decode(data, path), ()
    except FormatError:
        if b"\0" in data or data.startswith(UTF_16):
            raise
        text, note = latin_1(data)
        if not format_of(path, text).latin:
            raise
        return text, (note.located(path, text),)


def recognised(text: str) -> Format | None:
    """Return the first format that a text looks like and can be read in, else the first one it looks like, or None."""
    found = _fitting(text)
    if len(found) < 2:
        return found[0] if found else None
    return next((each for each in found if _read(each, text) is not None), found[0])


def doubts(form: Format, text: str) -> tuple[Diagnostic, ...]:
    """Return a warning for each format that a text read in `form` looks like too, unless it means the same there.

    A format that comes after `form` counts only if the text can be read in it.
    """
    found = _fitting(text)
    if len(found) < 2:
        return ()
    said: list[Diagnostic] = []
    draft, before = _read(form, text), True
    for each in found:
        if each is form:
            before = False
            continue
        other = _read(each, text)
        if (other is None and not before) or (other is not None and other == draft):
            continue
        fault = "" if other is not None else ", but has a mistake there"
        said.append(
            Diagnostic(
                "two-formats",
                f"read as {form.name} ({form.title}); the text fits {each.name} ({each.title}) too{fault}",
                hint=f"a file name that ends in {form.suffixes[0]} or {each.suffixes[0]} says which is meant",
            )
        )
    return tuple(said)


def _fitting(text: str) -> list[Format]:
    """Return the formats that a text looks like, in order; the puzzle file alone if it is one."""
    if PZL.fits(text):
        return [PZL]
    return [each for each in paced(formats()) if each.fits(text)]


def _read(form: Format, text: str) -> Draft | None:
    """Return what a text means in a format; None if it has a mistake."""
    try:
        return form.parse(text, "")
    except InputError:
        return None


def typed(text: str) -> tuple[Format, str] | None:
    """Return the format and the text of a puzzle that a person typed instead of a file name, or None if it is none.

    It may be the address of a page with a board in one of its parts; nothing is fetched.
    """
    if len(text) > LONGEST:
        return None
    for part in [text, *(_parts_of(unquote(text)) if "://" in text else ())]:
        found = recognised(part)
        if found is not None:
            return found, part
    return None


def _parts_of(address: str) -> list[str]:
    """Return the parts of an address, also those whose rows are separated by '/'."""
    return [*re.split(r"[/#?&=]", address), *re.split(r"[#?&=]", address)]
