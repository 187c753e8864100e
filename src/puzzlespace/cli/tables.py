"""The commands for saved depth tables, `puzzlespace table info|verify|export DIR`, and the options that use a table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..api import saved
from ..contract.questions import Engine
from ..errors import InputError
from ..puzzle.puzzle import Puzzle
from ..render.extras import check_file
from .exit_codes import ExitCode
from .options import CommonOptions, Json, limited
from .parser import Argument, CommandGroup, Option
from .terminal import print_json

if TYPE_CHECKING:
    from ..games.level import GameLevel

Folder = Annotated[Path, Argument(metavar="DIR", help="the folder that `depths --save` made")]
TableFolder = Annotated[
    Path | None,
    Option("--table", metavar="DIR", help="answer from the table saved there", without=("--save", "--batch")),
]
SaveFolder = Annotated[Path | None, Option("--save", metavar="DIR", help="save the whole table there")]
Resume = Annotated[bool, Option("--resume", help="continue the unfinished table of --save", needs=("--save",))]
ClusterName = Annotated[
    str,
    Option(
        "--cluster", metavar="WHERE", help="count on workers: local:4, or tcp://HOST:PORT; needs --save",
        needs=("--save",),
    ),
]  # fmt: skip
Storage = Annotated[
    str,
    Option("--storage", metavar="URL", help="with --cluster: keep the files of the count there", needs=("--cluster",)),
]
OnlyCounts = Annotated[
    bool, Option("--counts-only", help="with --save: do not keep the depths, only the counts", needs=("--save",))
]

app = CommandGroup("table", "Show, verify and export saved depth tables.")


def engine_of(engine: str, puzzle: Puzzle | GameLevel, folder: Path | None, metric: str) -> str | Engine:
    """Return the engine that answers: the table in the folder if there is one. Raises InputError, TableError."""
    if folder is None:
        return engine
    if engine != "auto":
        raise InputError(f"--table: expected no --engine beside it, found {engine!r}")
    return saved.asking(puzzle, folder, metric=metric)


@dataclass(frozen=True)
class Where:
    """How depths are counted and where they are saved: options of `depths` by their names."""

    engine: str
    table: Path | None
    save: Path | None
    resume: bool
    keep: bool
    cluster: str
    storage: str

    def engine_of(self, puzzle: Puzzle, metric: str, memory: int | None) -> str | Engine:
        """Return the engine that counts. Raises InputError, TableError."""
        if self.save is None:
            return engine_of(self.engine, puzzle, self.table, metric)
        if not self.cluster:
            if self.resume and saved.finished(self.save):
                return saved.asking(puzzle, self.save, metric=metric)
            return saved.saving(
                puzzle, self.save, resume=self.resume, engine=self.engine, metric=metric, counts_only=not self.keep
            )
        from ..api import clusters

        counting = clusters.counting(
            puzzle, self.cluster, self.save, resume=self.resume, metric=metric, keep=self.keep, storage=self.storage,
            engine=self.engine, memory=memory,
        )  # fmt: skip
        return saved.asking(puzzle, self.save, metric=metric) if self.resume and saved.finished(self.save) else counting


@contextmanager
def resumable(folder: Path | None) -> Iterator[None]:
    """Print how to continue the table in a folder if Ctrl-C stops the block."""
    try:
        yield
    except KeyboardInterrupt:
        unfinished(folder)
        raise


def unfinished(folder: Path | None) -> None:
    """Print how to continue the stopped table in a folder."""
    if folder is not None:
        print(f"puzzlespace: stopped; to continue, run the command with --save {folder} --resume", file=sys.stderr)


@app.add
@limited
def info(folder: Folder, *, asked: CommonOptions, as_json: Json = False) -> int:
    """Print a table's puzzle, metric, size and counts. Example: puzzlespace table info goat-table"""
    found = saved.kept(folder)
    table, counts = found.manifest, found.counts
    facts = {
        "puzzle": found.name,
        "metric": table["metric"],
        "origin": found.origin,
        "states": sum(counts),
        "depth": len(counts) - 1,
        "hardest": counts[-1],
        "kind": table["numbering"]["kind"],
        **({"numbered": numbered} if (numbered := table["numbering"].get("positions")) else {}),
        "bytes": table["data"]["bytes"],
        **table["made"],
    }
    if as_json:
        print_json({"schema": 1, **facts, "counts": list(counts)})
    else:
        for word, fact in facts.items():
            print(f"{word:<9} {fact:,}" if isinstance(fact, int) else f"{word:<9} {fact}")
    return ExitCode.ANSWERED.number


@app.add
@limited
def verify(
    folder: Folder,
    full: Annotated[bool, Option("--full", help="count again, and compare every position")] = False,
    sample: Annotated[int, Option(min=0, help="positions whose neighbours are checked")] = 1000,
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Check a table: checksums, counts, and the depths of the neighbours of a sample of positions.

    Example: puzzlespace table verify goat-table --full
    """
    found = saved.kept(folder)
    seen = found.verify(sample, full)
    if as_json:
        print_json({"schema": 1, "puzzle": found.name, "verified": True, **seen})
    else:
        print(f"{folder}: {seen['bytes']:,} bytes match their checksums, {seen['states']:,} positions match the counts")
        if found.rebuilt is None:
            print(f"no position was checked: the table does not contain its puzzle {found.name!r}")
        else:
            print(f"{seen['sampled']:,} positions have the neighbours they should have")
        if full:
            print("counted again: every position is the same")
    return ExitCode.ANSWERED.number


@app.add
@limited
def export(
    folder: Folder,
    csv: Annotated[Path | None, Option(metavar="FILE", help="depth,count lines")] = None,
    b_file: Annotated[Path | None, Option("--b-file", metavar="FILE", help="'n a(n)' lines, as OEIS has")] = None,
    oeis: Annotated[bool, Option("--oeis", help="print the counts as one comma list")] = False,
    parquet: Annotated[Path | None, Option(metavar="FILE", help="the depth of every position")] = None,
    *,
    asked: CommonOptions,
) -> int:
    """Write a table in other formats; --parquet needs the extra `tables`.

    Example: puzzlespace table export goat-table --csv goat.csv --parquet goat.parquet
    """
    from ..tables import export as exports
    from ..tables import kinds

    found = saved.kept(folder)
    for file, option in ((csv, "--csv"), (b_file, "--b-file"), (parquet, "--parquet")):
        check_file(file, option)
    if csv is None and b_file is None and parquet is None and not oeis:
        raise InputError("export: expected --csv, --b-file, --oeis or --parquet")
    counts = found.counts
    if parquet is not None:  # first, because it can be refused
        kinds.write_parquet(folder, found.puzzle.model(found.manifest["metric"]), parquet)
    if oeis:
        print(", ".join(map(str, counts)))
    if csv is not None:
        exports.write_lines(csv, exports.csv_lines(counts))
    if b_file is not None:
        exports.write_lines(b_file, exports.b_lines(counts))
    return ExitCode.ANSWERED.number
