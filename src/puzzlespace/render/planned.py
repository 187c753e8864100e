"""The answer of `plan` as text and as a JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import inf
from typing import Any

from ..contract.plans import MOST_BYTES, MOST_SECONDS, Between, ClusterPlan, LayerPlan, Plan
from ..limits.memory import counted, sized
from .json_output import SCHEMA

UNITS = ((86400 * 365.25, "years"), (86400, "days"), (3600, "h"), (60, "min"), (1, "s"), (0.001, "ms"))


def text(plan: Plan, layers: bool = False) -> str:
    """Return the plan as lines; `layers` adds a table with every layer."""
    about = "" if plan.counted > plan.depth else "about "
    estimated = "" if plan.vague else f"{about}{plan.depth + 1}; "
    lines = [
        f"{plan.puzzle}, metric {plan.metric}, {'to the goal' if plan.origin == 'goal' else 'from the start'}",
        "",
        f"positions  {_positions(plan.positions)}: {plan.reason}",
        f"layers     {estimated}the first {plan.counted} were counted",
    ]
    lines += [] if plan.beyond else _costs(plan)
    if plan.advice:
        lines += ["", f"{plan.advice}."]
    lines += ["", *(f"Note: {note}." for note in plan.notes)] if plan.notes else []
    if layers:
        lines += ["", *_table(plan)]
    return "\n".join(lines)


def _costs(plan: Plan) -> list[str]:
    """Return the lines for what a count takes that is possible."""
    lines = [
        f"engine     {plan.engine}: {plan.numbering}, {plan.each}",
        f"memory     {_bytes(plan.memory)}; {sized(plan.free)} are {'given' if plan.limited else 'free here'}",
    ]
    if 0 < plan.snapshots <= MOST_BYTES:
        lines.append(f"--save     {sized(plan.saved)} on the disk, {sized(plan.snapshots)} while it is written")
    if plan.written and not plan.vague:
        lines.append(f"files      {sized(int(plan.read))} read, {sized(int(plan.written))} written")
    where = " with enough disk" if plan.where == "nowhere" else ""
    lines.append(f"time here  {_time(plan.seconds)}{where}; {_time(plan.processor)} of processor time")
    return lines + (_cluster(plan.cluster) if plan.cluster is not None else [])


def refusal(plan: Plan) -> str:
    """Return what a count that was refused takes, in one line; '' if the plan says that it fits."""
    if plan.where == "memory" or not plan.advice or (plan.where == "files" and plan.limited):
        return ""
    if plan.beyond or plan.vague:
        return plan.advice
    saved = f"; --save takes {sized(plan.snapshots)} of disk while it is written" if plan.saved else ""
    return f"{plan.advice} ({_time(plan.seconds)} here){saved}; --cluster counts on several machines"


def hopeless(plan: Plan, last: int | None = None) -> str:
    """Return in one line what a hopeless count takes; `last` is the last layer that is wanted, if not all are."""
    if last is not None:
        listed = counted(int(sum(layer.positions for layer in plan.layers[: last + 1])))
        return f"the layers up to depth {last} have about {listed} positions, which are too many to list"
    if plan.beyond:
        return plan.advice
    number, seconds = _positions(plan.positions), _time(plan.seconds)
    free = f"{sized(plan.free)} are free here, and {sized(plan.room)} on the disk"
    return f"{number} positions need {_bytes(plan.memory)} of memory ({free}) and {seconds}"


def saving(plan: Plan, keep: bool = True) -> str:
    """Return what saving all depths takes, in one line; without `keep` only what counting takes."""
    if plan.beyond:
        return plan.advice
    time = f"counting takes {_time(plan.seconds)} here"
    if not keep or plan.files > MOST_BYTES:
        return time
    if 0 < plan.snapshots <= MOST_BYTES:
        return f"a saved table takes {sized(plan.saved)}, and {sized(plan.snapshots)} while it is written; {time}"
    return f"saved layers of {_positions(plan.positions)} positions take about {sized(plan.files)}; {time}"


def _cluster(found: ClusterPlan) -> list[str]:
    described = found.cluster
    read, written, sent = (
        sized(int(sum(getattr(layer, name) for layer in found.layers))) for name in ("read", "written", "sent")
    )
    what = "pieces of the table" if found.method == "windows" else "partitions"
    fits = "" if found.fits else f"; it does not fit: {_too_small(found)}"
    if found.seconds > MOST_SECONDS or found.storage > MOST_BYTES:
        return ["", f"simulated  {described.workers:,} machines like this one cannot count the most positions"]
    return [
        "",
        f"simulated  {described.workers:,} machines like this one, {sized(described.memory)} each, a shared folder of "
        f"{sized(described.disk)}, {described.network / 1e9:g} Gbit/s",
        f"           {_seconds(found.seconds)}, limited by the {found.limited}{fits}; {_seconds(found.processor)} of "
        "processor time",
        f"           {found.pieces:,} {what}, up to {sized(int(found.piece))} each; {sized(int(found.storage))} in the "
        f"shared folder; {sized(int(found.resident))} of memory in a worker process",
        f"           {read} read, {written} written, {sent} sent",
    ]


def _too_small(found: ClusterPlan) -> str:
    if found.storage > found.cluster.disk:
        return f"the shared folder needs {sized(int(found.storage))}"
    return f"each machine needs {sized(int(found.memory))} of memory"


def _table(plan: Plan) -> list[str]:
    layers = _told(plan.cluster.layers if plan.cluster is not None else plan.layers, plan)
    rows: list[tuple[str, ...]] = [("layer", "positions", "read", "written", "sent", "time")]
    for depth, each in enumerate(layers):
        sizes = ["-" if size > MOST_BYTES else sized(int(size)) for size in (each.read, each.written, each.sent)]
        time = "-" if each.seconds > MOST_SECONDS else _seconds(each.seconds)
        rows.append((str(depth), counted(round(each.positions)), *sizes, time))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(word.rjust(width) for word, width in zip(row, widths, strict=True)) for row in rows]


def _positions(bounds: Between) -> str:
    if bounds.exact:
        return f"{int(bounds.least):,}"
    least = counted(int(bounds.least))
    return f"at least {least}" if bounds.most is None else f"{least} to {counted(int(bounds.most))}"


def _bytes(bounds: Between) -> str:
    if bounds.most is None or bounds.most > MOST_BYTES:
        return f"at least {sized(min(int(bounds.least), MOST_BYTES))}"
    least, most = sized(int(bounds.least)), sized(int(bounds.most))
    return least if least == most else f"{least} to {most}"


def _time(bounds: Between) -> str:
    if bounds.most is None or bounds.most > MOST_SECONDS:
        return f"at least {_seconds(min(bounds.least, MOST_SECONDS))}"
    least, most = _seconds(bounds.least), _seconds(bounds.most)
    return f"about {least}" if least == most else f"{least} to {most}"


def _seconds(seconds: float) -> str:
    """Return a time in words with two digits: '43 s', '5.2 h'."""
    size, unit = next((each for each in UNITS if seconds >= each[0]), UNITS[-1])
    number = seconds / size
    return f"{number:,.0f} {unit}" if number >= 10 or unit == "ms" else f"{number:.1f} {unit}"


def _told(layers: Sequence[LayerPlan], plan: Plan) -> Sequence[LayerPlan]:
    """Return the layers that are told: only those that were counted if the number of the others is of no use."""
    return layers[: plan.counted] if plan.beyond or plan.vague else layers


def json_object(plan: Plan) -> dict[str, Any]:
    """Return the object of `plan`; figures that no machine could have are null, and `beyond` says so."""
    found = asdict(plan)
    for name, most in (("memory", MOST_BYTES), ("seconds", MOST_SECONDS), ("processor", MOST_SECONDS)):
        found[name] = _rounded(getattr(plan, name), 0 if name == "memory" else 3, most)
    found["positions"] = _rounded(plan.positions, 0, inf)
    found["layers"] = [_layer(layer) for layer in _told(plan.layers, plan)]
    sizes = {name: getattr(plan, name) for name in ("read", "written", "files", "saved", "snapshots")}
    found |= {name: _size(size) for name, size in sizes.items()}
    found["beyond"] = plan.beyond
    if plan.vague:
        found["depth"] = found["read"] = found["written"] = None
    if plan.cluster is not None:
        found["cluster"] = _cluster_object(plan.cluster, plan)
    return {"schema": SCHEMA, **found}


def _cluster_object(found: ClusterPlan, plan: Plan) -> dict[str, Any]:
    layers = [_layer(layer) for layer in _told(found.layers, plan)]
    sums = {name: sum(getattr(layer, name) for layer in found.layers) for name in ("read", "written", "sent")}
    sizes = {name: getattr(found, name) for name in ("piece", "storage", "memory", "resident")} | sums
    times = {name: getattr(found, name) for name in ("seconds", "processor")}
    return asdict(found) | {"layers": layers} | {name: _size(size) for name, size in sizes.items()} | {
        name: None if time > MOST_SECONDS else round(time, 3) for name, time in times.items()
    }  # fmt: skip


def _size(size: float) -> int | None:
    return None if size > MOST_BYTES else round(size)


def _rounded(bounds: Between, digits: int, limit: float) -> dict[str, float | None]:
    both = {"least": bounds.least, "most": bounds.most}
    return {name: None if each is None or each > limit else round(each, digits or None) for name, each in both.items()}


def _layer(layer: LayerPlan) -> dict[str, float | None]:
    return {
        "positions": round(layer.positions), "read": _size(layer.read), "written": _size(layer.written),
        "sent": _size(layer.sent), "seconds": None if layer.seconds > MOST_SECONDS else round(layer.seconds, 3),
    }  # fmt: skip
