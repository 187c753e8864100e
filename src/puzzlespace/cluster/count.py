"""A count on a cluster, layer by layer: the manifest, resuming, and the finished table.

The manifest (`cluster.json`) names the files of the last finished layer. It is written at most every two seconds, and
files that it does not need any more are deleted afterwards. So a count can be continued from it at any time.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..contract.answers import Layers
from ..contract.questions import Depths
from ..engines import table
from ..engines.packed.hashed_layers import LAYER_BITS
from ..engines.shared import selfcheck
from ..engines.shared.audit import check_total
from ..engines.table.bit_index import Places, kinds, places_of
from ..engines.table.slide.counting import SLIDE_BLOCK
from ..errors import LimitError, TableError, UnsupportedError
from ..limits.watch import Watch
from ..model.model import Model
from ..storage.files import HOLDER, LOCK, MANIFEST, TEMPORARY, locked, read_json, there, usable, write_json
from ..tables.identity import check_model, describe, numbering_of, sources_of
from ..tables.manifests import HARDEST
from ..tables.runs import Keys
from ..tables.save import SHARE, refusal, saving_engine
from . import jobs
from .desk import Counting, Desk
from .places import Storage
from .run_layers import Runs
from .table_layers import Windows
from .workers import Workers, hired

NOTE = "cluster.json"
FILES = "cluster"
"""The manifest of an unfinished count, and the folder of its files unless another place is given."""

FORMAT, VERSION = "puzzlespace cluster count", 3

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
    places = _places(model, sources, counting)
    memory = counting.memory or watch.limits.memory
    with hired(counting.where, memory, lambda link: watch.say(f"dashboard: {link}")) as workers:
        if places is not None and not there(saving.folder / NOTE) and _is_small(places, counting):
            counted = saving_engine(saving).depths if counting.keep else table.depths
            assert counted is not None
            return counted(question, watch)
        with locked(saving.folder):
            begun = _begun(model, sources, counting)
            facts = begun["facts"] if begun else _facts(model, sources, counting, watch, places)
            return Counter(question, model, watch, counting, workers, facts).answer(begun)


def tidy(folder: Path) -> None:
    """Delete what a count that ended just after its table was finished left in the folder of the table."""
    if there(folder / MANIFEST) and there(folder / NOTE):
        with locked(folder), usable(folder):
            Storage(read_json(folder / NOTE)["url"]).remove()
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


def _places(model: Model, sources: tuple[bytes, ...], counting: Counting) -> Places | None:
    """Return the bit indices of a table by windows; None if the count is by runs."""
    chosen = None
    if counting.engine in ("auto", "table") and refusal(model) is None:
        with suppress(UnsupportedError):
            chosen = kinds(model, sources)[0]
    if chosen is not None and chosen.kind == "slide":
        return places_of(chosen, sources)
    if counting.engine == "table":
        raise UnsupportedError("only tables of sliding puzzles are counted on a cluster; use engine='frontier'")
    return None


def _is_small(places: Places, counting: Counting) -> bool:
    """Return whether a table is counted here, which takes a few times the memory of its bits."""
    size = 8 * places.words
    return size <= counting.small and (counting.memory is None or 6 * size <= counting.memory)


def _facts(
    model: Model, sources: tuple[bytes, ...], counting: Counting, watch: Watch, places: Places | None
) -> dict[str, Any]:
    """Return the facts of a new job."""
    own = {"version": counting.saving.program, "depths": counting.keep}
    if places is not None:
        identity = describe(model, sources, numbering_of(places), counting.saving.note)
        more = {"method": "windows", "block": watch.thresholds[SLIDE_BLOCK], "piece": counting.piece}
    else:
        keys = Keys.of(model, sources)
        identity = describe(model, sources, keys.numbering(), counting.saving.note)
        more = {"method": "runs", "words": keys.words, "partitions": counting.partitions}
    return {"identity": identity, **own, **more}


class Counter:
    """A running count: its manifest, its layers, its end.

    kept     the files that the manifest names, or named before
    there    these, and the files that were needed since
    """

    def __init__(
        self,
        question: Depths,
        model: Model,
        watch: Watch,
        counting: Counting,
        workers: Workers,
        facts: dict[str, Any],
    ) -> None:
        self.question, self.model, self.watch, self.counting = question, model, watch, counting
        self.saving, self.workers, self.facts = counting.saving, workers, facts
        self.before, self.cost, self.noted = 0.0, 0.0, -1
        self.began = self.written = time.perf_counter()
        self.kept: set[str] = set()
        self.there: set[str] = set()

    @property
    def seconds(self) -> float:
        """The seconds spent on the count, including earlier runs."""
        return self.before + time.perf_counter() - self.began

    def answer(self, begun: dict[str, Any] | None) -> Layers:
        """Count all layers, or those after the ones of a manifest; save the table at the end."""
        place = Storage(begun["url"] if begun else self.counting.storage or str((self.saving.folder / FILES).resolve()))
        place.create()
        if self.facts["method"] == "runs" and not self.facts["partitions"]:
            slots = max(2, self.workers.slots())
            self.facts["partitions"] = min(1 << LAYER_BITS.usual, 1 << (PARTITIONS * slots - 1).bit_length())
        job = begun["job"] if begun else place.put_json("job", self.facts)
        self.desk = Desk(place, self.workers, self.counting, self.watch, self.facts, job)
        self.way = (Windows if self.facts["method"] == "windows" else Runs)(self.desk, self.model)
        if begun:
            self.before = begun["seconds"]
        if begun and begun["counts"]:
            self.way.take(begun["state"], begun["counts"])
            said = self.way.repair()
            if said:
                self.watch.say(said)
        else:
            self.way.begin()
        self.way.check_room(self.counting.keep)
        self.note()
        self.tidy()
        self.desk.whole = self.way.positions
        stopped, deepest, keep = self.run(), (), self.question.keep
        try:
            if stopped is None:
                deepest = self.way.deepest(max(keep, HARDEST) if self.counting.keep else keep)
        except LimitError as error:
            stopped = error
        watch, counts = self.watch, self.way.counts
        layers = Layers(tuple(counts), deepest, stopped is None, watch.generated, watch.seconds, (), stopped=stopped)
        if stopped is None:
            selfcheck.hold(Depths(self.model, self.question.sources, len(deepest) or keep), layers)
            check_total(self.model, self.question.sources, sum(counts), self.seconds)
            if self.counting.keep:
                self.way.save(self.saving, deepest[:HARDEST], self.seconds)
            place.remove()
            (self.saving.folder / NOTE).unlink(missing_ok=True)
            jobs.closed(place.url)
        return layers

    def needed(self) -> set[str]:
        """Return the files that the last layer needs."""
        return self.way.names() | {self.desk.job[0]}

    def clean(self) -> None:
        """Delete the files that neither the last layer nor the manifest needs."""
        needed = self.needed()
        self.desk.place.delete(self.there - needed - self.kept)
        self.there = self.there & self.kept | needed

    def tidy(self) -> None:
        """Delete the files that the manifest does not name: those of tasks whose answer was not awaited."""
        self.desk.place.delete(set(self.desk.place.names()) - self.needed())

    def note(self) -> None:
        """Flush the files of the last layer, write the manifest that names them, and delete older ones."""
        way, began, kept = self.way, time.perf_counter(), self.needed()
        self.desk.place.flush(kept)
        note = {
            "format": FORMAT, "version": VERSION, "facts": self.facts, "url": self.desk.place.url,
            "job": self.desk.job, "counts": way.counts, "state": way.noted(), "seconds": self.seconds,
        }  # fmt: skip
        write_json(self.saving.folder / NOTE, note)
        self.noted, self.kept = len(way.counts) - 1, kept
        self.clean()
        self.written = time.perf_counter()
        self.cost = self.written - began

    def run(self) -> LimitError | None:
        """Compute all layers; return the limit that stopped the count, or None at its end."""
        watch, way, desk = self.watch, self.way, self.desk
        told = len(way.counts) - 1
        watch.known.count_anew(tuple(way.counts[:-1]))
        try:
            while True:
                for depth in range(told, len(way.counts)):
                    desk.depth, desk.found = depth, sum(way.counts[: depth + 1])
                    watch.layer(depth, way.counts[depth], desk.found)
                    watch.tick(way.counts[depth] if self.facts["method"] == "windows" else 0, depth)
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
