"""The answer of `plan` as text and as a JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..contract.plans import Between, ClusterPlan, LayerPlan, Plan
from ..limits.memory import counted, sized
from .json_output import SCHEMA

UNITS = ((86400 * 365.25, "years"), (86400, "days"), (3600, "h"), (60, "min"), (1, "s"), (0.001, "ms"))


def text(plan: Plan, layers: bool = False) -> str:
    """Return the plan as lines; `layers` adds a table with every layer."""
    about = "" if plan.counted > plan.depth else "about "
    lines = [
        f"{plan.puzzle}, metric {plan.metric}, {'to the goal' if plan.origin == 'goal' else 'from the start'}",
        "",
        f"positions  {_positions(plan.positions)}: {plan.reason}",
        f"layers     {about}{plan.depth + 1}; the first {plan.counted} were counted",
        f"engine     {plan.engine}: {plan.numbering}, {plan.each}",
        f"memory     {_bytes(plan.memory)}; {sized(plan.free)} are {'given' if plan.limited else 'free here'}",
    ]
    if plan.saved:
        lines.append(f"--save     {sized(plan.saved)} on the disk, {sized(plan.snapshots)} while it is written")
    if plan.written:
        lines.append(f"files      {sized(int(plan.read))} read, {sized(int(plan.written))} written")
    where = " with enough disk" if plan.where == "nowhere" else ""
    lines.append(f"time here  {_time(plan.seconds)}{where}; {_time(plan.processor)} of processor time")
    if plan.cluster is not None:
        lines += _cluster(plan.cluster)
    if plan.advice:
        lines += ["", plan.advice]
    lines += ["", *(f"Note: {note}." for note in plan.notes)] if plan.notes else []
    if layers:
        lines += ["", *_table(plan.cluster.layers if plan.cluster is not None else plan.layers)]
    return "\n".join(lines)


def refusal(plan: Plan) -> str:
    """Return what a count that was refused takes, in one line; '' if the plan says that it fits."""
    if plan.where == "memory" or not plan.advice or (plan.where == "files" and plan.limited):
        return ""
    saved = f"; --save takes {sized(plan.snapshots)} of disk while it is written" if plan.saved else ""
    return f"{plan.advice} ({_time(plan.seconds)} here){saved}; --cluster counts on several machines"


def saving(plan: Plan, keep: bool = True) -> str:
    """Return what saving all depths takes, in one line; without `keep` only what counting takes."""
    time = f"counting takes {_time(plan.seconds)} here"
    if not keep:
        return time
    if plan.saved:
        return f"a saved table takes {sized(plan.saved)}, and {sized(plan.snapshots)} while it is written; {time}"
    return f"saved layers of {_positions(plan.positions)} positions take about {sized(plan.files)}; {time}"


def _cluster(found: ClusterPlan) -> list[str]:
    described = found.cluster
    read, written, sent = (
        sized(int(sum(getattr(layer, name) for layer in found.layers))) for name in ("read", "written", "sent")
    )
    what = "pieces of the table" if found.method == "windows" else "partitions"
    fits = "" if found.fits else f"; it does not fit: {_too_small(found)}"
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


def _table(layers: Sequence[LayerPlan]) -> list[str]:
    rows: list[tuple[str, ...]] = [("layer", "positions", "read", "written", "sent", "time")]
    for depth, each in enumerate(layers):
        sizes = [sized(int(size)) for size in (each.read, each.written, each.sent)]
        rows.append((str(depth), counted(round(each.positions)), *sizes, _seconds(each.seconds)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(word.rjust(width) for word, width in zip(row, widths, strict=True)) for row in rows]


def _positions(bounds: Between) -> str:
    least = counted(int(bounds.least))
    if bounds.exact:
        return least
    return f"at least {least}" if bounds.most is None else f"{least} to {counted(int(bounds.most))}"


def _bytes(bounds: Between) -> str:
    if bounds.most is None:
        return f"at least {sized(int(bounds.least))}"
    least, most = sized(int(bounds.least)), sized(int(bounds.most))
    return least if least == most else f"{least} to {most}"


def _time(bounds: Between) -> str:
    if bounds.most is None:
        return f"at least {_seconds(bounds.least)}"
    least, most = _seconds(bounds.least), _seconds(bounds.most)
    return f"about {least}" if least == most else f"{least} to {most}"


def _seconds(seconds: float) -> str:
    """Return a time in words with two digits: '43 s', '5.2 h'."""
    size, unit = next((each for each in UNITS if seconds >= each[0]), UNITS[-1])
    number = seconds / size
    return f"{number:,.0f} {unit}" if number >= 10 or unit == "ms" else f"{number:.1f} {unit}"


def json_object(plan: Plan) -> dict[str, Any]:
    """Return the object of `plan`."""
    found = asdict(plan)
    for name in ("memory", "seconds", "processor", "positions"):
        found[name] = _rounded(getattr(plan, name), name)
    found["layers"] = [_layer(layer) for layer in plan.layers]
    found["read"], found["written"] = round(plan.read), round(plan.written)
    if plan.cluster is not None:
        found["cluster"] |= {
            "layers": [_layer(layer) for layer in plan.cluster.layers],
            "seconds": round(plan.cluster.seconds, 3), "processor": round(plan.cluster.processor, 3),
            "piece": round(plan.cluster.piece), "storage": round(plan.cluster.storage),
            "memory": round(plan.cluster.memory), "resident": round(plan.cluster.resident),
        }  # fmt: skip
        found["cluster"] |= {
            name: sum(layer[name] for layer in found["cluster"]["layers"]) for name in ("read", "written", "sent")
        }
    return {"schema": SCHEMA, **found}


def _rounded(bounds: Between, name: str) -> dict[str, float | None]:
    digits = 3 if name in ("seconds", "processor") else None
    return {"least": round(bounds.least, digits), "most": None if bounds.most is None else round(bounds.most, digits)}


def _layer(layer: LayerPlan) -> dict[str, float]:
    return {
        "positions": round(layer.positions), "read": round(layer.read), "written": round(layer.written),
        "sent": round(layer.sent), "seconds": round(layer.seconds, 3),
    }  # fmt: skip
