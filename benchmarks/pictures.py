"""How long pictures take and how large they are, beside what they must reach.

    python benchmarks/pictures.py     a few seconds; needs the extras `pictures` and `plot`

The solutions are searched before the clock starts; every row is the best of three.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import puzzlespace
from puzzlespace.api.loader import load
from puzzlespace.puzzle.letters import Frame
from puzzlespace.puzzle.puzzle import Puzzle
from puzzlespace.render import animation, card, plot, raster, svg
from puzzlespace.render.theme import style


def solved(name: str) -> tuple[Puzzle, tuple[Frame, ...]]:
    """Return a puzzle and the frames of its solution."""
    puzzle = load(name)
    return puzzle, puzzle.frames(puzzlespace.solve(puzzle).path, puzzle.model())


def row(what: str, make: Callable[[], str | bytes], seconds: float, size: int) -> None:
    """Print the best time of three and the size, with the most that each may be (0: no limit)."""
    times, made = [], set()
    for _ in range(3):
        began = time.perf_counter()
        data = make()
        times.append(time.perf_counter() - began)
        made.add(data if isinstance(data, bytes) else data.encode())
    limits = f"{seconds or '-':>8} {f'{size // 1000:,} KB' if size else '-':>8}"
    same = "" if len(made) == 1 else "  NOT the same bytes each time"
    print(f"{what:<44} {min(times):>8.3f} {len(next(iter(made))) / 1000:>8,.0f} KB {limits}{same}", flush=True)


def main() -> None:
    goat, klotski, eight = solved("goat"), solved("klotski"), load("eight")
    still, moving = style(), style(arrows="next")
    strip = svg.solution_svg(*klotski, "Klotski", still)
    table = puzzlespace.depths(eight)
    print(f"{'picture':<44} {'seconds':>8} {'size':>11} {'at most':>8} {'at most':>8}")
    row("GIF of Goat's 20 moves", lambda: animation.animation(*goat, "Goat", moving), 2.0, 500_000)
    row("WebP of Goat's 20 moves", lambda: animation.animation(*goat, "Goat", moving, "webp"), 0, 0)
    row("GIF of 81 Klotski moves", lambda: animation.animation(*klotski, "Klotski", moving), 0, 0)
    row("SVG strip of 81 Klotski moves", lambda: svg.solution_svg(*klotski, "Klotski", still), 0.3, 0)
    row("PNG of that strip, 1600 pixels wide", lambda: raster.png(strip, 1600), 0, 0)
    row("SVG of the 8-puzzle's position", lambda: svg.position_svg(eight, eight.start or b""), 0, 0)
    row("plot of the 8-puzzle's depths (SVG)", lambda: plot.plot([plot.Curve("8", table)], plot.Axes(), "svg"), 0, 0)
    row("card of Goat (PDF)", lambda: card.pdf(card.Card(*goat[:1], "", goat[1], "puzzlespace show goat")), 0, 0)


if __name__ == "__main__":
    main()
