"""The engines whose layers are saved as runs. They write the same files, so that one continues what another began."""

from __future__ import annotations

from ..contract.answers import Layers
from ..contract.questions import Depths, Engine, Space, special
from ..engines import blocks, boxes, frontier, gliders
from ..engines.packed.positions import too_wide
from ..limits.watch import Watch
from ..model.model import Model

ENGINES = (frontier.ENGINE, blocks.ENGINE, boxes.ENGINE, gliders.ENGINE)
"""In the order of the automatic choice."""


def refuses(engine: Engine, space: Space, question: str = "depths") -> str | None:
    """Return why an engine cannot save the layers of a space, or None."""
    return special(space) or engine.refuses(space, question) or (too_wide(space) if isinstance(space, Model) else None)


def engine_for(model: Model) -> Engine:
    """Return the first engine that saves the layers of a model; `frontier`, which says why not, if there is none."""
    return next((each for each in ENGINES if refuses(each, model) is None), ENGINES[0])


def counted(question: Depths, watch: Watch, engine: Engine | None = None) -> Layers:
    """Answer `Depths` with an engine, or with the first one that saves the layers of the model."""
    depths = (engine or engine_for(question.model)).depths
    assert depths is not None
    return depths(question, watch)
