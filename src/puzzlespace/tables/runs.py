"""The packing of positions in tables of runs, and the layers of such tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..engines.packed.positions import WORD, Packing, too_wide
from ..errors import TableError, UnsupportedError
from ..model.model import Model
from ..search.runs import Run, opened
from .identity import sources_of
from .manifests import RUNS


@dataclass(frozen=True)
class Keys:
    """The numbers of the positions that some sources can reach: packed words, the most significant first."""

    packing: Packing

    @classmethod
    def of(cls, model: Model, sources: Sequence[bytes]) -> Keys:
        """Return the numbering; raise UnsupportedError if positions cannot be packed."""
        reason = too_wide(model, sources)
        if reason:
            raise UnsupportedError(f"layers in files: {reason}")
        return cls(Packing.of(model, sources))

    @property
    def words(self) -> int:
        """The number of words per position."""
        return self.packing.words

    def fingerprint(self) -> str:
        """Return sixteen hex digits that depend on how positions are packed."""
        packing = self.packing
        fixed = [s for s, place in zip(packing.fixed, packing.places, strict=True) if place is None]
        what = [packing.symbols, packing.width, packing.words, packing.places, fixed]
        return hashlib.sha256(repr(what).encode()).hexdigest()[:16]

    @cached_property
    def fixed(self) -> tuple[tuple[int, int], ...]:
        """(cell, symbol) of the cells that never change."""
        places = enumerate(self.packing.places)
        return tuple((cell, self.packing.fixed[cell]) for cell, place in places if place is None)

    def words_of(self, position: bytes) -> tuple[int, ...] | None:
        """Return the words of a position, or None if cells that never change show that it cannot be reached."""
        if len(position) != len(self.packing.places) or max(position, default=0) >= self.packing.symbols:
            return None
        if any(position[cell] != symbol for cell, symbol in self.fixed):
            return None
        return self.packing.pack(position)

    def numbering(self) -> dict[str, Any]:
        """Return the fields of a manifest that identify the packing."""
        return {"kind": RUNS, "words": self.words, "fingerprint": self.fingerprint()}

    def position(self, number: int) -> bytes:
        """Return the position with this number."""
        words = range(self.words - 1, -1, -1)
        return self.packing.unpack(number >> WORD * word & ((1 << WORD) - 1) for word in words)


def rebuilt(found: dict[str, Any], model: Model, folder: Path) -> Keys:
    """Return the numbering of a table; raise TableError if this program packs positions differently."""
    wanted = found["numbering"]
    try:
        keys = Keys.of(model, sources_of(found))
    except UnsupportedError:
        keys = None
    if keys is None or (keys.words, keys.fingerprint()) != (wanted["words"], wanted["fingerprint"]):
        raise TableError(f"{folder}: this version of the program packs the positions differently; save the table again")
    return keys


def path_of(folder: Path, depth: int) -> Path:
    """Return the path of a layer."""
    return folder / f"layer-{depth:05}.run"


def layer_note(run: Run) -> dict[str, Any]:
    """Return the entry of a layer in a manifest."""
    return {"positions": run.size, "bytes": run.bytes, "sums": run.sums}


def layer_opened(folder: Path, depth: int, words: int, noted: dict[str, Any]) -> Run:
    """Return the run of a layer; raise TableError if it does not match its entry in the manifest."""
    return opened(path_of(folder, depth), words, noted["positions"], noted["sums"])


def layers_opened(folder: Path, found: dict[str, Any]) -> Iterator[Run]:
    """Yield the runs of all layers that a manifest lists; raise TableError as `layer_opened` does."""
    for depth, noted in enumerate(found["layers"]):
        yield layer_opened(folder, depth, found["numbering"]["words"], noted)
