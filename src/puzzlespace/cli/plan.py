"""The command `plan`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from ..api.games import level_of
from ..api.planning.plan import plan as planned
from ..contract.plans import Cluster
from ..errors import InputError
from ..render import planned as shown
from .exit_codes import ExitCode
from .options import Avoid, CommonOptions, EngineName, Json, Metric, Moves, Origin, PuzzleArgument, limited, loaded
from .parser import Option
from .terminal import parse_size, print_json


@limited
def plan(
    puzzle: PuzzleArgument,
    origin: Origin = "",
    moves: Moves = None,
    avoid: Avoid = None,
    metric: Metric = "",
    engine: EngineName = "auto",
    layers: Annotated[bool, Option("--layers", help="print each layer", without=("--json",))] = False,
    workers: Annotated[int | None, Option(help="also simulate a cluster of so many machines like this one")] = None,
    worker_memory: Annotated[str, Option(help="memory of each machine", needs=("--workers",))] = "32G",
    disk: Annotated[str, Option(help="room in the folder that all machines see", needs=("--workers",))] = "1T",
    network: Annotated[str, Option(help="bits per second of each link, such as 10G", needs=("--workers",))] = "10G",
    *,
    asked: CommonOptions,
    as_json: Json = False,
) -> int:
    """Print what counting all depths takes, before it is counted: positions, memory, disk, time here, or on a cluster.

    Examples: puzzlespace plan slide:3x5 · puzzlespace plan slide:3x5 --workers 8 --worker-memory 32G --disk 1T
    --network 10G · puzzlespace plan klotski --json
    """
    cluster = None
    if workers is not None:
        if workers < 1:
            raise InputError(f"--workers: expected at least 1, found {workers}")
        sizes = parse_size(worker_memory, "--worker-memory"), parse_size(disk, "--disk")
        cluster = Cluster(workers, *sizes, parse_size(network, "--network", 1000))
    level = level_of(puzzle)
    if level is not None:
        from . import games  # most puzzles are no games

        games.refuse(**{"from": origin == "goal"}, moves=moves, avoid=avoid, metric=metric, workers=workers)
    found = planned(
        level or loaded(puzzle, moves, avoid), metric=metric, origin=origin, engine=engine, cluster=cluster,
        limits=asked.limits, progress=asked.report,
    )  # fmt: skip
    asked.done()
    found = found if level is None else replace(found, metric="input")
    if as_json:
        print_json(shown.json_object(found))
    else:
        print(shown.text(found, layers))
    return ExitCode.ANSWERED.number
