"""A board to play on in Jupyter, VS Code and marimo; Python reads and sets its position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .api.loader import load
from .errors import UnsupportedError
from .limits.watch import Limits
from .puzzle.puzzle import Puzzle
from .web import standalone
from .web.modules import joined
from .web.shown import ShownPosition

try:
    import anywidget
    import traitlets
except ImportError:
    raise UnsupportedError(
        "the player in notebooks needs the extra `notebook`: pip install 'puzzlespace[notebook]'"
    ) from None

RENDER = """
export default {
  async render({ model, el }) {
    const space = document.createElement("puzzle-space");
    const paint = () => { space.theme = model.get("theme"); space.lang = model.get("lang"); };
    const go = () => {
      if (model.get("shown") !== space.position) space.place(model.get("shown"), model.get("words") ?? undefined);
    };
    paint();
    space.addEventListener("position", ({ detail }) => {
      model.set("shown", detail.at);
      model.set("words", space.at.words);
      model.set("moves", detail.count);
      model.save_changes();
    });
    const [wanted, words] = [model.get("shown"), model.get("words")];
    space.model = await LocalModel.open(model.get("kept"));
    await space.ready;
    if (wanted && (wanted !== space.position || words)) space.place(wanted, words ?? undefined);
    model.on("change:shown", go);
    model.on("change:theme", paint);
    model.on("change:lang", paint);
    el.append(space);
    return () => { model.off("change:shown", go); space.pause(); };
  },
};
"""


class Player(ShownPosition, anywidget.AnyWidget):
    """A board in a notebook cell. `player.position` is the position shown; it can be read and set.

    theme  'light', 'dark' or 'grey'
    lang   'en' or 'ja'
    moves  the number of moves made since the board was set up
    words  the word of each cell as the board shows it; None for the puzzle's own letters
    """

    _esm = joined(standalone.PLAYER + RENDER)
    kept = traitlets.Dict().tag(sync=True)
    shown = traitlets.Unicode().tag(sync=True)
    words = traitlets.List(traitlets.Unicode(), None, allow_none=True).tag(sync=True)
    moves = traitlets.Int().tag(sync=True)
    theme = traitlets.Enum(("light", "dark", "grey"), "light").tag(sync=True)
    lang = traitlets.Enum(("en", "ja"), "en").tag(sync=True)

    def __init__(
        self, puzzle: Puzzle | str | Path, *, metric: str = "", limits: Limits = Limits(seconds=60), **options: Any
    ) -> None:
        """Set up the board of a puzzle, with distances if it has few positions.

        options  theme, lang
        Raises InputError if the puzzle has no position to show, or no such metric.
        """
        self.puzzle = puzzle if isinstance(puzzle, Puzzle) else load(str(puzzle))
        kept = standalone.puzzle_data(self.puzzle, metric, limits)
        super().__init__(kept=kept, shown=kept["about"]["start"] or kept["about"]["goals"][0], **options)

    def show(self, position: str, words: list[str] | None) -> None:
        with self.hold_sync():
            self.words = words
            self.shown = position
