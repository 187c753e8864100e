"""Manifests of depth tables, checked field by field when they are read, so that all other code can rely on them.

A file with the right checksum can still lack a field or have one of another type, if another program wrote it or
somebody changed it. Each such fault is a TableError that names the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..errors import TableError
from ..storage.files import BLOCK, MANIFEST, PROGRESS, read_json, there

FORMAT = "puzzlespace depth table"
VERSION = 2

RUNS = "runs"
"""The kind of numbering of a table whose layers are sorted runs."""

HARDEST = 20_000
"""The most positions of the last layer that a manifest lists."""

PREFIX = 16
"""Hex digits that stand for the packing of positions."""

SNAPSHOT = "layers-"
"""The prefix of the names of snapshots."""

HEX = re.compile("([0-9a-f]{2})+")
NAME = re.compile(SNAPSHOT + r"\d{5,}\.bits")

Check = Callable[[Any], bool]
Fields = Mapping[str, Any]
"""For each field a pair (what is expected, check), or the fields of a nested object."""


MOST = 1 << 63
"""All numbers in a manifest are less than this."""


def _number(least: int) -> Check:
    """Return the check for a whole number of at least `least`; true and false are not numbers."""
    return lambda value: type(value) is int and least <= value < MOST


def _listed(check: Check, least: int) -> Check:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(check, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_position(value: Any) -> bool:
    return isinstance(value, str) and HEX.fullmatch(value) is not None


def _is_layer(value: Any) -> bool:
    return not isinstance(_wrong(value, LAYER), str)


TEXT = ("a text", _is_text)
COUNT = ("a whole number from 1", _number(1))
SECONDS = ("a number of seconds", lambda value: type(value) in (int, float) and 0 <= value < float("inf"))
LAYER = {"positions": COUNT, "bytes": COUNT, "sums": TEXT}
SOURCES = ("a list of positions in hexadecimal digits", _listed(_is_position, 1))
LAYERS = ("a list of layers, each with positions, bytes and sums", lambda value: _listed(_is_layer, 0)(value))

IDENTITY = {
    "puzzle": {"name": TEXT, "text": TEXT},
    "model": TEXT,
    "metric": TEXT,
    "origin": ("goal or start", lambda value: value in ("goal", "start")),
    "sources": SOURCES,
}
NUMBERED = {"kind": TEXT, "positions": COUNT, "words": COUNT, "fingerprint": TEXT}
PACKED = {"kind": TEXT, "words": COUNT, "fingerprint": TEXT}
WHOLE = {
    "counts": ("a list of whole numbers from 1", _listed(_number(1), 1)),
    "hardest": SOURCES,
    "made": {"by": TEXT, "when": TEXT, "seconds": SECONDS},
}
PART = {"counts": ("a list of whole numbers from 1", _listed(_number(1), 0)), "seconds": SECONDS}

BITS_WHOLE = {
    **IDENTITY,
    "numbering": NUMBERED,
    **WHOLE,
    "data": {"bytes": COUNT, "block": (f"{BLOCK}", lambda value: type(value) is int and value == BLOCK), "sums": TEXT},
}
RUNS_WHOLE = {**IDENTITY, "numbering": PACKED, **WHOLE, "data": {"bytes": COUNT}, "layers": LAYERS}
BITS_PART = {
    **IDENTITY,
    "numbering": NUMBERED,
    **PART,
    "file": ("the name of a snapshot", lambda value: value == "" or (_is_text(value) and NAME.fullmatch(value))),
    "sums": TEXT,
}
RUNS_PART = {**IDENTITY, "numbering": PACKED, **PART, "layers": LAYERS}


def is_runs(found: Mapping[str, Any]) -> bool:
    """Return whether a manifest is of a table of runs."""
    numbering = found.get("numbering")
    return isinstance(numbering, dict) and numbering.get("kind") == RUNS


def is_own(found: Mapping[str, Any]) -> bool:
    """Return whether a checked manifest is of a puzzle written in Python or of a level of a game (`own_layers`).

    One fingerprint stands for both the puzzle and its rows, which are as its encoding makes them.
    """
    return is_runs(found) and "" != found["numbering"]["fingerprint"] == found["model"][:PREFIX]


def finished(folder: Path) -> dict[str, Any]:
    """Return the manifest of a finished table; raise TableError if there is none, or it is damaged."""
    path = folder / MANIFEST
    if not there(path):
        if there(folder / PROGRESS):
            raise TableError(f"{folder}: its depth table is unfinished; depths continues it with resume=True")
        raise TableError(f"{folder}: no depth table is there")
    found = _read(path, RUNS_WHOLE, BITS_WHOLE)
    counts = found["counts"]
    for key, count in (("sources", counts[0]), ("hardest", min(counts[-1], HARDEST))):
        if not len(found[key]) == len(set(found[key])) == count:
            raise TableError(f"{path}: damaged: expected {count:,} different positions in {key!r}, found others")
    if is_runs(found):
        if [noted["positions"] for noted in found["layers"]] != counts:
            raise TableError(f"{path}: damaged: its layers do not match its counts")
    elif sum(counts) > found["numbering"]["positions"]:
        raise TableError(f"{path}: damaged: it counts more positions than it numbers")
    return found


def begun(folder: Path) -> dict[str, Any]:
    """Return the manifest of an unfinished table, with which to continue; raise TableError if it is damaged."""
    path = folder / PROGRESS
    found = _read(path, RUNS_PART, BITS_PART)
    if is_runs(found) and [noted["positions"] for noted in found["layers"]] != found["counts"]:
        raise TableError(f"{path}: damaged: its layers do not match its counts")
    return found


def _read(path: Path, runs: Fields, bits: Fields) -> dict[str, Any]:
    found = read_json(path)
    if found.get("format") != FORMAT:
        raise TableError(f"{path}: expected the manifest of a depth table, found something else")
    if found.get("version") != VERSION:
        raise TableError(f"{path}: expected version {VERSION}, found {found.get('version')!r}")
    wrong = _wrong(found, runs if is_runs(found) else bits)
    if wrong is not None:
        raise TableError(f"{path}: damaged: {wrong}")
    return found


def _wrong(value: Any, fields: Fields, name: str = "") -> str | None:
    """Return what is wrong with the first wrong field of an object, or None."""
    if not isinstance(value, dict):
        return f"expected an object in {name or 'it'!r}, found {_kind(value)}"
    for key, wanted in fields.items():
        here = f"{name}.{key}" if name else key
        if key not in value:
            return f"expected the field {here!r}, found none"
        if isinstance(wanted, dict):
            wrong = _wrong(value[key], wanted, here)
            if wrong is not None:
                return wrong
        elif not wanted[1](value[key]):
            return f"expected {wanted[0]} in {here!r}, found {_kind(value[key])}"
    return None


def _kind(value: Any) -> str:
    """Return a value for an error message: short values as they are written."""
    names = {dict: "an object", list: "a list with something else", type(None): "null"}
    shown = names.get(type(value)) or repr(value)
    return shown if len(shown) <= 40 else shown[:36] + " ..."
