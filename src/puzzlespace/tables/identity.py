"""The identity of a saved table: what is needed to rebuild its ranking, and to refuse another puzzle with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..contract.questions import Space
from ..contract.version import __version__
from ..engines.table import KINDS, choose_kind
from ..engines.table.bit_index import Places, kinds, places_of
from ..errors import InputError, TableError, UnsupportedError
from ..limits.thresholds import USUAL
from ..model.model import Model
from .manifests import FORMAT, VERSION

REMOVED = ("perm",)
"""Kinds of numbering that earlier versions had."""


@dataclass(frozen=True)
class Note:
    """What the puzzle is, with which the table can be opened.

    text         of a puzzle file; '' if it has none
    only, avoid  names of the moves that may be made, and of those that are never made; () if all may
    """

    name: str = ""
    text: str = ""
    only: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the manifest."""
        chosen = {"moves": [*self.only], "avoid": [*self.avoid]}
        return {"name": self.name, "text": self.text} | {key: names for key, names in chosen.items() if names}


NO_NOTE = Note()


def describe(model: Model, sources: Sequence[bytes], numbering: dict[str, Any], note: Note) -> dict[str, Any]:
    """Return the identity of a table: the first fields of its manifests.

    numbering  identifies the ranking or packing of positions
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "puzzle": note.fields,
        "model": model.fingerprint,
        "metric": model.metric.name,
        "origin": origin_of(model, sources),
        "sources": [source.hex() for source in sources],
        "numbering": numbering,
    }


def numbering_of(places: Places) -> dict[str, Any]:
    """Return the fields that identify the ranking of a table of bits."""
    fingerprint = places.fingerprint()
    return {"kind": places.kind, "positions": places.positions, "words": places.words, "fingerprint": fingerprint}


def origin_of(space: Space, sources: Sequence[Any]) -> str:
    """Return 'goal' if all these positions are goals of the puzzle, else 'start'."""
    return "goal" if all(map(space.is_goal, sources)) else "start"


def check_model(found: dict[str, Any], model: Model, folder: Path) -> None:
    """Raise TableError if a table is not of this model, or lists anything but positions of it."""
    if found["metric"] != model.metric.name:
        what = f"this table counts moves in the metric {found['metric']}, not {model.metric.name}"
        raise TableError(f"{folder}: {what}")
    if found["model"] != model.fingerprint:
        raise TableError(f"{folder}: this table is of another puzzle ({found['puzzle']['name'] or 'no name'})")
    for key in ("sources", "hardest"):
        for position in map(bytes.fromhex, found.get(key, ())):
            if len(position) != model.cells or max(position) >= model.symbols:
                raise TableError(f"{folder}: damaged: expected positions of the puzzle in {key!r}, found another")


def sources_of(found: dict[str, Any]) -> tuple[bytes, ...]:
    """Return the positions from which a table measures."""
    return tuple(map(bytes.fromhex, found["sources"]))


def rebuilt(found: dict[str, Any], model: Model, folder: Path) -> Places:
    """Return the bit indices of a table of this model; raise TableError if this program ranks positions differently."""
    sources, wanted = sources_of(found), found["numbering"]
    if wanted["kind"] in REMOVED:
        by = found.get("made", {}).get("by") or "an earlier version"
        what = f"this table was saved by {by} as the kind {wanted['kind']}, which puzzlespace {__version__} cannot read"
        raise TableError(f"{folder}: {what}; save the table again")
    try:
        chosen = next((each for each in kinds(model, sources) if each.kind == wanted["kind"]), None)
        if chosen is None and wanted["kind"] in KINDS:  # an earlier version preferred another kind
            chosen = choose_kind(replace(model, start=sources[0], goals=()), wanted["kind"], USUAL)
        places = places_of(chosen, sources) if chosen else None
    except (InputError, UnsupportedError):
        places = None
    if (
        places is None
        or (places.positions, places.words) != (wanted["positions"], wanted["words"])
        or places.fingerprint() != wanted["fingerprint"]
    ):
        raise TableError(f"{folder}: this version of the program ranks the positions differently; save the table again")
    return places
