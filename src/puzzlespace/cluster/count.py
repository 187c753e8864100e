"""A count on a cluster, layer by layer: the manifest, resuming, and the finished table.

The manifest (`cluster.json`) names the files of the last finished layer. It is written at most every two seconds, and
files that it does not need any more are deleted afterwards. So a count can be continued from it at any time.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ..contract.answers import Layers
from ..contract.questions import Depths
from ..engines.packed.hashed_layers import BITS
from ..engines.shared import selfcheck
from ..engines.shared.audit import check_total
from ..errors import LimitError, TableError, UnsupportedError
from ..limits.watch import Watch
from ..model.model import Model
from ..storage.files import (
    HOLDER,
    LOCK,
    MANIFEST,
    TEMPORARY,
    locked,
    need_room,
    read_json,
    there,
    usable,
    write_json,
)
from ..tables.identity import check_model, describe, numbering_of, sources_of
from ..tables.manifests import HARDEST
from ..tables.runs import Keys
from ..tables.save import SHARE, refusal
from . import jobs
from .desk import Counting, Desk
from .places import Folder, Storage, place_of
from .run_layers import Runs
from .table_layers import Windows
from .workers import LateWorkers, Workers, hired_late

NOTE = "cluster.json"
FILES = "cluster"
"""The manifest of an unfinished count, and the folder of its files unless another place is given."""

FORMAT, VERSION = "puzzlespace cluster count", 2

PARTITIONS = 4
"""Partitions of a layer for each slot at the beginning of a count."""


def depths(question: Depths, watch: Watch, counting: Counting) -> Layers:
    """Count the positions at each distance from the nearest source, and save the table if depths are kept.

    Raises TableError if the folder cannot be used, a file is damaged, or the cluster is lost; the count can then be
    resumed. Raises UnsupportedError if positions can be neither ranked by windows nor packed.
    """
    model = question.space
    if not isinstance(model, Model):
        raise UnsupportedError("its moves are Python functions, not rules: it cannot be counted on a cluster")
    saving, sources = counting.saving, tuple(sorted(set(question.sources)))
    with usable(saving.folder):
        saving.folder.mkdir(parents=True, exist_ok=True)
    with locked(saving.folder):
        begun = _begun(model, sources, counting)
        facts = begun["facts"] if begun else _facts(model, sources, counting, watch)

        def tell(workers: Workers) -> None:
            if workers.dashboard:
                watch.say(f"dashboard: {workers.dashboard}")

        with hired_late(counting.where, counting.memory or watch.limits.memory, tell) as workers:
            return _counted(question, watch, counting, begun, facts, workers)


def tidy(folder: Path) -> None:
    """Delete what a count that ended just after its table was finished left in the folder of the table."""
    if there(folder / MANIFEST) and there(folder / NOTE):
        with locked(folder), usable(folder):
            place_of(read_json(folder / NOTE)["url"]).remove()
            (folder / NOTE).unlink()


def _begun(model: Model, sources: tuple[bytes, ...], counting: Counting) -> dict[str, Any] | None:
    """Return the manifest of the count to resume, or None for a new one; raise TableError as `found_begun` does."""
    saving = counting.saving
    folder = saving.folder
    if there(folder / MANIFEST):
        raise TableError(f"{folder}: a finished depth table is there already")
    if not there(folder / NOTE):
        with usable(folder):
            names = [each.name for each in folder.iterdir()]
        ours = (LOCK, HOLDER, FILES)
        other = next((name for name in names if name not in ours and not name.endswith(TEMPORARY)), None)
        if other is not None:
            raise TableError(f"{folder}: expected an empty folder, found {other}")
        return None
    if not saving.resume:
        raise TableError(f"{folder}: an unfinished count on a cluster is there; continue it with resume=True")
    found = read_json(folder / NOTE)
    if found.get("format") != FORMAT or found.get("version") != VERSION:
        raise TableError(f"{folder / NOTE}: expected the manifest of a count on a cluster, found something else")
    identity = found["facts"]["identity"]
    check_model(identity, model, folder)
    if sources_of(identity) != sources:
        raise TableError(f"{folder}: the unfinished count there measures from other positions")
    if found["facts"]["depths"] != counting.keep:
        raise TableError(f"{folder}: the unfinished count there {'keeps' if not counting.keep else 'keeps no'} depths")
    return found


def _facts(model: Model, sources: tuple[bytes, ...], counting: Counting, watch: Watch) -> dict[str, Any]:
    """Return the facts of a new job."""
    from ..engines.table.bit_index import kinds, places_of

    saving = counting.saving
    own = {"version": saving.program, "depths": counting.keep}
    chosen = None
    if counting.engine in ("auto", "table") and refusal(model) is None:
        try:
            chosen = kinds(model, sources)[0]
        except UnsupportedError:
            chosen = None
    if chosen is not None and chosen.kind == "slide":
        identity = describe(model, sources, numbering_of(places_of(chosen, sources)), saving.note)
        more = {"method": "windows", "block": watch.thresholds.slide_block, "piece": counting.piece}
    elif counting.engine == "table":
        raise UnsupportedError("only tables of sliding puzzles are counted on a cluster; use engine='frontier'")
    else:
        keys = Keys.of(model, sources)
        identity = describe(model, sources, keys.numbering(), saving.note)
        more = {"method": "runs", "words": keys.words, "partitions": counting.partitions}
    return {"identity": identity, **own, **more}


class Counter:
    """A running count: its manifest, its layers, its end."""

    def __init__(self, desk: Desk, way: Windows | Runs, before: float) -> None:
        self.desk, self.way, self.before = desk, way, before
        self.saving = desk.counting.saving
        self.began = self.written = time.perf_counter()
        self.noted, self.cost = -1, 0.0
        self.kept: set[str] = set()
        self.waiting: set[str] = set()

    @property
    def seconds(self) -> float:
        """The seconds spent on the count, including earlier runs."""
        return self.before + time.perf_counter() - self.began

    def clean(self) -> None:
        """Delete the files that neither the last layer nor the manifest needs."""
        self.waiting |= self.way.superseded(len(self.way.counts) - 1)
        self.desk.place.delete(self.waiting - self.kept)
        self.waiting &= self.kept

    def note(self) -> None:
        """Flush the files of the last layer, write the manifest that names them, and delete older ones."""
        way, began = self.way, time.perf_counter()
        kept = way.names()
        self.desk.place.flush(kept | {self.desk.job[0]})
        note = {
            "format": FORMAT, "version": VERSION, "facts": self.desk.facts, "url": self.desk.place.url,
            "job": self.desk.job, "counts": way.counts, "state": way.noted(), "seconds": self.seconds,
        }  # fmt: skip
        write_json(self.saving.folder / NOTE, note)
        self.noted, self.kept = len(way.counts) - 1, kept
        self.clean()
        self.written = time.perf_counter()
        self.cost = self.written - began

    def run(self) -> LimitError | None:
        """Compute all layers; return the limit that stopped the count, or None at its end."""
        watch, way = self.desk.watch, self.way
        told = len(way.counts) - 1
        watch.known.count_anew(tuple(way.counts[:-1]))
        try:
            while True:
                for depth in range(told, len(way.counts)):
                    self.desk.depth, self.desk.found = depth, sum(way.counts[: depth + 1])
                    watch.layer(depth, way.counts[depth], self.desk.found)
                    watch.tick(way.counts[depth] if way.method == "windows" else 0, depth)
                told = len(way.counts)
                wait = max(self.saving.every, SHARE * self.cost) if self.saving.every else 0.0
                if time.perf_counter() - self.written >= wait:
                    self.note()
                self.clean()
                if not way.step():
                    if not way.lost:
                        return None
                    watch.say("a damaged file is needed for the hardest positions; all layers are counted again")
                    way.begin()
                    self.note()
                    self.tidy()
                    told = 0
                    watch.known.count_anew()
        except LimitError as error:
            return error
        except KeyboardInterrupt:
            watch.say(f"puzzlespace: stopped; resume=True continues the count in {self.saving.folder}")
            raise
        finally:
            if self.noted < len(way.counts) - 1:
                self.note()

    def tidy(self) -> None:
        """Delete the files that the manifest does not name: those of tasks whose answer was not awaited."""
        needed = self.way.names() | {self.desk.job[0]}
        self.desk.place.delete(name for name in self.desk.place.names() if name not in needed)


def _check_room(place: Storage, way: Windows, keep: bool) -> None:
    """Raise RoomError if the disk of a folder has less room than the layers in the middle of the count take.

    They are two copies of all bits, and with depths the bits of two more.
    """
    if isinstance(place, Folder):
        whole = 8 * way.shape["rows"] * way.shape["words"]
        held = sum((place.path / name).stat().st_size for name in place.names())
        need_room(place.path, (4 if keep else 2) * whole - held, way.shape["positions"])


def _counted(
    question: Depths,
    watch: Watch,
    counting: Counting,
    begun: dict[str, Any] | None,
    facts: dict[str, Any],
    workers: Workers | LateWorkers,
) -> Layers:
    model, saving = question.space, counting.saving
    assert isinstance(model, Model)
    url = begun["url"] if begun else counting.storage or str((saving.folder / FILES).resolve())
    place = place_of(url)
    place.create()
    desk = Desk(place, workers, counting, watch, facts)
    if facts["method"] == "runs" and not facts["partitions"]:
        slots = max(2, workers.slots())
        facts["partitions"] = min(1 << BITS, 1 << (PARTITIONS * slots - 1).bit_length())
    if begun:
        desk.job = begun["job"]
    else:
        desk.job = jobs.put_json(place, "job", facts)
    way = (Windows if facts["method"] == "windows" else Runs)(desk, facts, model)
    counter = Counter(desk, way, begun["seconds"] if begun else 0.0)
    if begun and begun["counts"]:
        way.take(begun["state"], begun["counts"])
        said = way.repair()
        if said:
            watch.say(said)
    else:
        way.begin()
    if isinstance(way, Windows):
        _check_room(place, way, counting.keep)
    counter.note()
    counter.tidy()
    desk.whole = way.shape["positions"] if isinstance(way, Windows) else 0
    stopped = counter.run()
    deepest: tuple[bytes, ...] = ()
    if stopped is None:
        try:
            deepest = way.deepest(max(question.keep, HARDEST) if counting.keep else question.keep)
        except LimitError as error:
            stopped = error
    answer = Layers(tuple(way.counts), deepest, stopped is None, watch.generated, watch.seconds, (), stopped=stopped)
    if stopped is None:
        asked = Depths(model, question.sources, len(deepest) or question.keep)
        selfcheck.hold(asked, answer)
        check_total(model, question.sources, sum(way.counts), counter.seconds)
        if counting.keep:
            way.save(saving, deepest[:HARDEST], counter.seconds)
        place.remove()
        (saving.folder / NOTE).unlink(missing_ok=True)
        jobs.closed(place.url)
    return answer
