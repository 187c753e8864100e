"""Save the layers of a puzzle written in Python while they are counted, so that this can be interrupted and resumed.

The folder is that of a table of runs (`tables.runs_save`), but positions are rows of words as the puzzle's encoding has
them. Functions cannot be compared, so the first layers stand for the puzzle, with its rules if the encoding says what
they are (`Encoding.rules`): a folder of another one is refused.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine, Space
from ..engines import encoded
from ..errors import TableError
from ..kernels.packed.numpy_marks import marks
from ..limits.watch import Watch, unwatched
from ..search.encoding import Encoding, Layer
from ..search.ends import begun as first_layer
from ..search.merge import KeptLayers
from ..storage.files import MANIFEST, locked, there, usable
from . import manifests
from .identity import origin_of
from .manifests import FORMAT, HARDEST, PREFIX, RUNS, VERSION, is_runs
from .runs_save import FolderStore
from .save import Saving, unfinished

FIRST = 1000
"""Layers with at least so many positions together stand for a puzzle."""


def refuses(space: Space, question: str) -> str | None:
    """Return why the layers of a puzzle cannot be saved, or None."""
    reason = encoded.refuses(space, question)
    if reason is None and not encoded.encoding_of(space).has("given_up"):
        return "its encoding does not say how its layers are kept in files"
    return reason


def saving_engine(saving: Saving) -> Engine:
    """Return the engine `encoded` that saves the layers that it counts to a folder.

    Its `depths` raises TableError if the folder cannot be used or contains something else, and SelfCheckError if a
    check of the layers fails. With `resume` a finished count is answered from its folder.
    """

    def depths(question: Depths, watch: Watch) -> Layers:
        return encoded.depths(question, watch) if question.collect else _save(question, watch, saving)

    return Engine("encoded", refuses, depths=depths, lawful=True)


def _save(question: Depths, watch: Watch, saving: Saving) -> Layers:
    folder = saving.folder
    with usable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        identity = _identity(question, saving)
        found = manifests.finished(folder) if saving.resume and there(folder / MANIFEST) else _unfinished(saving)
        store = FolderStore(saving, identity, 0.0 if found is None else found.get("seconds", 0.0))
        if found is None:
            store.note()
        else:
            _check(found, identity, saving)
            store.open(found)
        asked = KeptLayers(question.space, question.sources, question.keep, store=store)
        layers = store.count(encoded.depths, asked, watch)
        if layers.stopped is None:
            last = store.layers[len(store.layers) - 1]
            rows = last.rows(0, -(-min(last.size, HARDEST) // last.block))[:HARDEST]
            store.finish(tuple(_hex(rows)))
        return layers


def _unfinished(saving: Saving) -> dict[str, Any] | None:
    if there(saving.folder / MANIFEST):
        raise TableError(f"{saving.folder}: a finished count is there already; resume=True answers from it")
    return unfinished(saving)


def check_same(found: dict[str, Any], question: Depths, saving: Saving) -> None:
    """Raise TableError if a folder has the layers of another puzzle, or from other positions."""
    _check(found, _identity(question, saving), saving)


def _check(found: dict[str, Any], identity: dict[str, Any], saving: Saving) -> None:
    """Raise TableError if a folder has the layers of another puzzle."""
    if not is_runs(found) or any(found[key] != identity[key] for key in ("model", "sources", "numbering")):
        name = found["puzzle"]["name"] or "no name"
        raise TableError(f"{saving.folder}: the first layers there are others; they are of another puzzle ({name})")


def _identity(question: Depths, saving: Saving) -> dict[str, Any]:
    """Return the first fields of the manifests of a question, whatever the limits of its count are."""
    with unwatched():
        return _described(question, saving)


def _described(question: Depths, saving: Saving) -> dict[str, Any]:
    encoding = encoded.encoding_of(question.space)
    encoding.file()
    end = first_layer(encoding, question.sources)
    hashed = hashlib.sha256(encoding.rules())
    sources = _sorted(encoding, end.layer)
    while not end.over and end.found < FIRST:
        hashed.update(_sorted(encoding, end.layer).astype("<u8").tobytes() + b"|")
        end.grow(Watch())
    encoding.end()
    known = hashed.hexdigest()[:32]
    return {
        "format": FORMAT,
        "version": VERSION,
        "puzzle": saving.note.fields,
        "model": known,
        "metric": "step",
        "origin": origin_of(question.space, question.sources),
        "sources": [row.hex() for row in _hex(sources)],
        "numbering": {"kind": RUNS, "words": encoding.row_words, "fingerprint": known[:PREFIX]},
    }


def _sorted(encoding: Encoding, layer: Layer) -> np.ndarray:
    """Return the positions of a small layer as sorted rows."""
    rows = np.concatenate(list(encoding.as_rows(layer, max(1, encoding.size(layer)))))
    return rows[np.argsort(marks(rows))]


def _hex(rows: np.ndarray) -> list[bytes]:
    """Return the bytes of each row, the most significant first."""
    return [row.tobytes() for row in rows.astype(">u8")]
