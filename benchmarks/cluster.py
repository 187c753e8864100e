"""Counts on a local cluster, held against one process: equal counts and bytes, processor time, and kills.

    python benchmarks/cluster.py equal                       named puzzles with 1, 2 and 4 workers
    python benchmarks/cluster.py cost                        processor time of the cluster and of one process
    python benchmarks/cluster.py memory                      resident memory of workers, beside the plan (Linux)
    python benchmarks/cluster.py patches                     first layers in whole pieces, and in patches
    python benchmarks/cluster.py kills --kills 60            kill workers, the scheduler, the client; damage a file
    python benchmarks/cluster.py storage                     files in an object store, with moto[server] and s3fs
    python benchmarks/cluster.py limits                      simulated clusters, written to docs/cluster.md

`equal`, `cost` and `kills` need the extra `cluster`. `--puzzles` chooses the puzzles, as spec, spec@metric or
spec@metric@engine. `kills` also takes spec@metric@engine@layers: several tasks for each layer, as in a large table
(`layers` counts one so).
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from machine import DOCS, described, write

NAMED = (
    "slide:3x4", "slide:2x6", "slide:3x4@multi", "cube:2@@frontier", "topspin:10,4@@frontier", "klotski@piece",
    "star13",
)  # fmt: skip
NOT_COMPARED = {"manifest.json", "lock", "holder"}


def command(puzzle: str, *more: str) -> list[str]:
    spec, metric, engine = [*puzzle.removesuffix("@layers").split("@"), "", ""][:3]
    options = (["--metric", metric] if metric else []) + (["--engine", engine] if engine else [])
    return [sys.executable, "-m", "puzzlespace", "depths", spec, *options, "--json", "--quiet", *more]


def timed(arguments: list[str], orphans: bool = False) -> tuple[dict[str, Any], float, float]:
    """Run a command; return its answer, wall seconds and processor seconds with all children.

    orphans  whether to wait for all processes that it leaves, see `adopt`; no others may run
    """
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - began
    with suppress(ChildProcessError):
        while orphans:
            os.waitpid(-1, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr[-2000:]}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout), wall, spent


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in NOT_COMPARED}


def same_files(one: Path, other: Path) -> bool:
    """Return whether two tables have the same bytes, apart from times."""
    return files_of(one) == files_of(other)


def equal(puzzles: list[str], workers: list[int], base: Path) -> None:
    for puzzle in puzzles:
        expected, _, spent = timed(command(puzzle, "--save", str(base / "alone")))
        print(
            f"{puzzle}: {expected['states']:,} positions, depth {expected['depth']}; one process {spent:.1f} s of CPU"
        )
        for count in workers:
            found, wall, spent = timed(
                command(puzzle, "--cluster", f"local:{count}", "--save", str(base / "spread")), orphans=True
            )
            alike = {key: expected[key] == found[key] for key in ("counts", "hardest", "measured")}
            alike["bytes"] = same_files(base / "alone", base / "spread")
            if not all(alike.values()):
                raise SystemExit(f"{puzzle} with {count} workers: different: {alike}")
            print(
                f"  {count} workers: same counts, hardest positions and bytes; {wall:.1f} s, {spent:.1f} s of CPU",
                flush=True,
            )
            shutil.rmtree(base / "spread")
        shutil.rmtree(base / "alone")


LITTLE = {
    "slide:2x6": ["--memory", "40M"],
    "topspin:11,4@@frontier": ["--memory", "100M"],
    "klotski@piece@frontier": ["--memory", "80M"],
}
"""Memory with which one process keeps its table or layers in files."""


SUBREAPER = 36
"""The option of prctl(2) that makes this process the parent of processes whose parent has ended."""


def adopt() -> None:
    """Become the parent of orphans, so that the processor time of a fork server and its workers is counted (Linux)."""
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0):
        raise SystemExit("prctl: the processor time of workers cannot be counted")


def cost(puzzles: list[str], rounds: int, base: Path) -> None:
    """Print the processor time of one process and of two workers: medians of rounds in turn."""
    for puzzle in puzzles:
        alone = LITTLE.get(puzzle, [])
        runs = {
            "one": command(puzzle, *alone, "--save", str(base / "one")),
            "two": command(puzzle, "--cluster", "local:2", "--save", str(base / "two")),
            "dask": [sys.executable, __file__, "dask", "--puzzles", puzzle, "--at", "local:2", str(base / "dask")],
            "start": [
                sys.executable,
                __file__,
                "dask",
                "--puzzles",
                "slide:2x2",
                "--at",
                "local:2",
                str(base / "start"),
            ],
        }
        spent: dict[str, list[float]] = {name: [] for name in runs}
        for number in range(rounds + 1):
            for name, arguments in runs.items():
                seconds = timed(arguments, orphans=True)[2]
                if number:  # the first round may compile loops
                    spent[name].append(seconds)
                shutil.rmtree(base / name)
        again = [sys.executable, __file__, "running", "--puzzles", puzzle, "--at", "local:2", str(base / "again")]
        second = timed(again)[0]["seconds"]
        one, two, dask, start = (median(spent[name]) for name in runs)
        print(
            f"{puzzle}: processor time, medians of {rounds} rounds: one process, {' '.join(alone)}: {one:.1f} s; "
            f"local:2: {two:.1f} s ({ratios(spent['two'], spent['one'])}); "
            f"Dask started at once: {dask:.1f} s ({ratios(spent['dask'], spent['one'])}), {start:.1f} s for a count of "
            f"12 positions; workers that run already: {second:.1f} s ({second / one:.2f} times)",
            flush=True,
        )


def ratios(some: list[float], others: list[float]) -> str:
    found = [one / other for one, other in zip(some, others, strict=True)]
    return f"{median(found):.2f} times, from {min(found):.2f} to {max(found):.2f}"


def dask(puzzle: str, where: str, folder: Path) -> None:
    """Count with workers that are started at once, whatever there is to do; print the number of positions."""
    from puzzlespace.cluster.workers import hired

    with hired(where) as workers:
        workers.begin()
        print(json.dumps({"states": count_with(workers, puzzle, folder)}))


def count_with(workers: object, puzzle: str, folder: Path, limits: Any = None) -> int:
    """Count and save a table with workers that run; return the number of positions."""
    from puzzlespace.api import clusters, questions
    from puzzlespace.limits.watch import Limits

    spec, metric, engine = [*puzzle.split("@"), "", ""][:3]
    counting = clusters.counting(questions.load(spec), workers, folder, metric=metric, engine=engine or "auto", small=0)
    found = questions.depths(spec, metric=metric, engine=counting, cache="off", limits=limits or Limits())
    return sum(found.counts)


def running(puzzle: str, where: str, folder: Path) -> None:
    """Print the processor time of the second count with the same workers, with that of the client."""
    from puzzlespace.cluster.workers import hired

    with hired(where) as workers:
        for _ in range(2):
            before = family_seconds()
            count_with(workers, puzzle, folder)
            spent = family_seconds() - before
            shutil.rmtree(folder)
    print(json.dumps({"seconds": spent}))


MEASURED = (
    "topspin:11,4@@frontier", "burnt:8@@frontier", "pancake:10@@frontier",
    "cube:2@run@frontier", "slide:2x7",
)  # fmt: skip
FIRST = {"slide:2x7": 3_000_000}
"""Positions after which a count is ended: then all blocks were read, and the memory of a task is full."""
WORKER = 10**9
"""Bytes of memory of a worker."""


def memory(puzzles: list[str], base: Path) -> None:
    """Print the memory that the plan says for a worker, and the most that a worker of two took."""
    from puzzlespace import plan
    from puzzlespace.cluster.workers import hired
    from puzzlespace.contract.plans import Cluster as Machines
    from puzzlespace.limits.watch import Limits

    for puzzle in puzzles:
        spec, metric, _ = [*puzzle.split("@"), "", ""][:3]
        planned = plan(spec, metric=metric, cluster=Machines(2, WORKER)).cluster
        assert planned is not None
        with hired("local:2", 2 * WORKER) as workers, Peaks() as peaks:
            count_with(workers, puzzle, base / "table", Limits(positions=FIRST.get(puzzle)))
        shutil.rmtree(base / "table")
        taken = max(peaks.bytes.values())
        ratio = planned.resident / taken
        print(
            f"{puzzle}: planned {planned.resident / 1e6:.0f} MB, taken {taken / 1e6:.0f} MB ({ratio:.2f})", flush=True
        )


class Peaks:
    """The most resident memory of each process that this one and its children started, as the system says."""

    def __enter__(self) -> Peaks:
        self.bytes: dict[int, int] = {}
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.set()
        self.thread.join()

    def look(self) -> None:
        import psutil

        while not self.ended.wait(0.1):
            for each in psutil.Process().children(recursive=True):
                with suppress(OSError, IndexError):
                    text = Path(f"/proc/{each.pid}/status").read_text()
                    self.bytes[each.pid] = 1024 * int(text.split("VmHWM:")[1].split()[0])


def patches(puzzles: list[str], most: int, base: Path) -> None:
    """Print bytes and processor time of the first layers, one task at a time, in whole pieces and in patches."""
    from concurrent.futures import ThreadPoolExecutor

    from puzzlespace.cluster import copies, count, desk
    from puzzlespace.cluster.workers import of_executor
    from puzzlespace.limits.watch import Limits

    class Desk(desk.Desk):
        """Adds up what is read and written."""

        total = 0, 0

        def ask(self, *given: Any, **more: Any) -> Any:
            before = self.read, self.written
            answers = super().ask(*given, **more)
            Desk.total = Desk.total[0] + self.read - before[0], Desk.total[1] + self.written - before[1]
            return answers

    count.Desk = Desk  # type: ignore[misc]
    usual = copies.PATCHED, copies.SPARSE
    for puzzle in puzzles:
        for words, (patched, sparse) in (("whole pieces", (1 << 40, 1 << 40)), ("patches", usual)):
            copies.PATCHED, copies.SPARSE, Desk.total = patched, sparse, (0, 0)
            with ThreadPoolExecutor(1) as executor:
                began = time.process_time()
                found = count_with(of_executor(executor, 1, WORKER), puzzle, base / "first", Limits(positions=most))
            spent = time.process_time() - began
            read, written = (size / 1e6 for size in Desk.total)
            shutil.rmtree(base / "first")
            print(
                f"{puzzle}, {found:,} positions, {words}: {spent:.1f} s, {read:,.0f} MB read, {written:,.0f} MB written"
            )


def family_seconds() -> float:
    """Return the processor time of this process and of those that it started and that run."""
    import psutil

    here = psutil.Process()
    times = [each.cpu_times() for each in (here, *here.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def storage(base: Path) -> None:
    """Count with the files in a bucket of a local S3 server; compare the tables with those of one process."""
    os.environ.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none", AWS_DEFAULT_REGION="us-east-1")
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ["AWS_ENDPOINT_URL"] = f"http://{host}:{port}"
    boto3.client("s3").create_bucket(Bucket="counts")
    for puzzle in ("slide:2x3@@table", "slide:2x3@@frontier", "slide:2x3@multi@table"):
        timed(command(puzzle, "--save", str(base / "alone")))
        bucket = ["--cluster", "threads:2", "--storage", "s3://counts/files"]
        timed(command(puzzle, *bucket, "--save", str(base / "spread")))
        left = boto3.client("s3").list_objects_v2(Bucket="counts")["KeyCount"]
        if left or not same_files(base / "alone", base / "spread"):
            raise SystemExit(f"{puzzle}: the tables differ, or {left} files are left")
        print(f"{puzzle}: the same bytes, and the bucket is empty", flush=True)
        for name in ("alone", "spread"):
            shutil.rmtree(base / name)
    server.stop()


PICTURE = DOCS / "images" / "cluster.svg"
SIMULATED = (1, 4, 16, 64, 256, 1000)
SHOWN = (1, 16)
"""Of these numbers of workers the table has rows; the plot has all."""
NETWORKS = ((10**10, "10 Gbit/s"), (10**11, "100 Gbit/s"))


def limits() -> None:
    """Simulate counts on clusters; write the plot and the table of docs/cluster.md."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "puzzlespace"
    from matplotlib import pyplot as plot

    from puzzlespace import plan
    from puzzlespace.contract.plans import Cluster as Machines

    figure, axes = plot.subplots(figsize=(7, 4))
    rows = ["| puzzle | network | workers | hours | processor hours | read | written | files at most | limited by |"]
    rows.append("|---|---|---|---|---|---|---|---|---|")
    for spec, mark in (("slide:3x5", "o"), ("slide:4x4", "s")):
        for network, words in NETWORKS:
            hours = []
            for workers in SIMULATED:
                found = plan(spec, cluster=Machines(workers, 16 << 30, 4 << 40, network)).cluster
                assert found is not None
                hours.append(found.seconds / 3600)
                read, written = (sum(getattr(layer, kind) for layer in found.layers) for kind in ("read", "written"))
                size = f"{read / 1e12:,.1f} TB | {written / 1e12:,.1f} TB | {found.storage / 1e9:,.0f} GB"
                times = f"{hours[-1]:,.1f} | {found.processor / 3600:,.1f}"
                row = f"| `{spec}` | {words} | {workers:,} | {times} | {size} | {found.limited} |"
                print(row, flush=True)
                rows += [row] * (workers in SHOWN)
            axes.plot(
                SIMULATED, hours, marker=mark, linestyle="-" if network > 10**10 else "--", label=f"{spec}, {words}"
            )
    axes.set(xscale="log", yscale="log", xlabel="workers", ylabel="hours (simulated)")
    axes.grid(alpha=0.3)
    axes.set_ylim(top=1000)
    axes.legend(loc="upper right", ncols=2, fontsize=8)
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})
    write("cluster.md", "benchmarks/cluster.py", "\n".join([described(), "", *rows]))


class Cluster:
    """A Dask scheduler and two workers, as processes of their own."""

    def __init__(self, base: Path) -> None:
        self.base, self.scheduler, self.workers = base, None, []
        self.file = base / "scheduler.json"

    def begin(self) -> None:
        self.end()
        self.file.unlink(missing_ok=True)
        dask = [sys.executable, "-m", "dask"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
        place = ["--scheduler-file", str(self.file), "--no-dashboard"]
        self.scheduler = subprocess.Popen([*dask, "scheduler", "--port", "0", *place], **quiet)
        while not self.file.exists():
            time.sleep(0.1)
        self.add()
        self.add()

    def add(self) -> None:
        place = [
            "--scheduler-file",
            str(self.file),
            "--no-dashboard",
            "--nthreads",
            "1",
            "--local-directory",
            str(self.base),
        ]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
        self.workers.append(subprocess.Popen([sys.executable, "-m", "dask", "worker", *place], **quiet))

    @property
    def address(self) -> str:
        return json.loads(self.file.read_text())["address"]

    def end(self) -> None:
        for process in [*self.workers, self.scheduler]:
            if process is not None:
                kill(process)
        self.scheduler, self.workers = None, []


def kill(process: subprocess.Popen) -> None:
    """Kill a process with its children, which it started in a session of its own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def damage(folder: Path, chance: random.Random) -> bool:
    """Change a byte of a file of the count that its manifest names; return whether there was one."""
    note = folder / "cluster.json"
    if not note.exists():
        return False
    text = note.read_text()
    named = [path for path in (folder / "cluster").iterdir() if path.name in text and not path.name.startswith("job")]
    if not named:
        return False
    path = chance.choice(sorted(named))
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    return True


KILLED = "slide:3x3@@table@layers", "slide:2x6@@table@layers", "eight@@frontier", "hexagram@@frontier"


def kills(puzzles: list[str], number: int, seed: int, base: Path) -> None:
    """Kill workers, schedulers and clients at random moments; damage a file after every second kill of a client."""
    chance = random.Random(seed)
    what = [kind for kind in ("worker", "scheduler", "client") for _ in range(number // 3)]
    chance.shuffle(what)
    tally = {"finished": 0, "same": 0, "damaged": 0, "worker": 0, "scheduler": 0, "client": 0}
    cluster = Cluster(base)
    try:
        while what:
            for puzzle in puzzles:
                if not what:
                    break
                _, length, _ = timed(command(puzzle, "--save", str(base / "alone")))
                kill_one(puzzle, what, chance, base, cluster, tally, max(6.0, 3 * length))
                for name in ("alone", "spread"):
                    shutil.rmtree(base / name)
                print(tally, flush=True)
    finally:
        cluster.end()
    if tally["same"] != tally["finished"]:
        raise SystemExit("some tables differ")


def kill_one(
    puzzle: str,
    what: list[str],
    chance: random.Random,
    base: Path,
    cluster: Cluster,
    tally: dict[str, int],
    most: float,
) -> None:
    """Count one table to its end, with kills on the way; compare its bytes."""
    folder = base / "spread"
    if cluster.scheduler is None or cluster.scheduler.poll() is not None:
        cluster.begin()
    while True:
        begun = any((folder / name).exists() for name in ("cluster.json", "manifest.json"))
        resume = ["--resume"] if begun else []
        run = [*command(puzzle), "--cluster", cluster.address, "--save", str(folder), *resume]
        if puzzle.endswith("@layers"):
            run = [
                sys.executable,
                __file__,
                "layers",
                "--puzzles",
                puzzle,
                "--at",
                cluster.address,
                str(folder),
                *resume,
            ]
        with tempfile.TemporaryFile() as errors:
            client = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
            try:
                client.wait(chance.uniform(2.0, most) if what else 300)
            except subprocess.TimeoutExpired:
                if not what:
                    raise SystemExit("a count did not end") from None
                kind = what.pop()
                tally[kind] += 1
                if kind == "worker":
                    kill(cluster.workers.pop(0))
                    cluster.add()
                    client.wait(300)
                elif kind == "scheduler":
                    kill(cluster.scheduler)
                    client.wait(300)
                    cluster.begin()
                else:
                    kill(client)
                    if tally["client"] % 2 and damage(folder, chance):
                        tally["damaged"] += 1
            errors.seek(0)
            said = errors.read().decode()
        if client.returncode == 0:
            tally["finished"] += 1
            tally["same"] += same_files(base / "alone", folder)
            return
        if client.returncode not in (-signal.SIGKILL, 30) and "no scheduler answers" not in said:
            raise SystemExit(f"exit code {client.returncode}: {said[-2000:]}")


PIECES = {"slide:3x3": 256, "slide:2x6": 1 << 14}
"""Words of a piece, so that a small table has as many pieces as a large one."""


def layers(puzzle: str, where: str, folder: str, resume: bool) -> None:
    """Count a small table as a large one is counted: several tasks for each layer."""
    from puzzlespace.api import clusters, questions
    from puzzlespace.errors import TableError

    spec = puzzle.split("@")[0]
    piece = PIECES.get(spec, 1 << 22)
    counting = clusters.counting(questions.load(spec), where, folder, resume=resume, piece=piece, small=0)
    try:
        questions.depths(spec, engine=counting, cache="off")
    except TableError as error:
        print(error, file=sys.stderr)
        raise SystemExit(30) from None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "what",
        choices=["equal", "cost", "kills", "storage", "limits", "layers", "dask", "running", "memory", "patches"],
    )
    parser.add_argument("--puzzles", nargs="+")
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--positions", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--at", nargs=2, help="address of a scheduler, or local:2, and a folder")
    parser.add_argument("--resume", action="store_true")
    given = parser.parse_args()
    if given.what == "limits":
        return limits()
    if given.what in ("dask", "running"):
        return {"dask": dask, "running": running}[given.what](given.puzzles[0], given.at[0], Path(given.at[1]))
    if given.what == "layers":
        return layers(given.puzzles[0], *given.at, given.resume)
    with tempfile.TemporaryDirectory(prefix="cluster-") as name:
        base = Path(name)
        if given.what == "equal":
            adopt()
            equal(given.puzzles or list(NAMED), given.workers, base)
        elif given.what == "storage":
            storage(base)
        elif given.what == "memory":
            memory(given.puzzles or list(MEASURED), base)
        elif given.what == "patches":
            patches(given.puzzles or ["slide:2x7"], given.positions, base)
        elif given.what == "cost":
            adopt()
            cost(given.puzzles or list(LITTLE)[:2], given.rounds, base)
        else:
            kills(given.puzzles or list(KILLED), given.kills, given.seed, base)


if __name__ == "__main__":
    main()
