"""An order of cells in which the windows of a slide table are short and cheap."""

from __future__ import annotations

from ....structure.slides import SlideBoard

BEAM = 64
"""The beam width of the search for a cell order."""


def cell_order(slides: SlideBoard, head: int) -> tuple[int, ...]:
    """Return the live cells in an order with many adjacent neighbours and otherwise short, cheap windows.

    head  the number of leading places that select the word, see `kernels.table.windows_orders`
    By beam search: orders are extended cell by cell along links. The result is deterministic.
    """
    pairs = {(min(link), max(link)) for link in slides.links}
    near: dict[int, list[int]] = {cell: [] for cell in slides.live}
    for a, b in sorted(pairs):
        near[a].append(b)
        near[b].append(a)
    beam: list[tuple[float, tuple[int, ...]]] = [(0.0, (cell,)) for cell in slides.live]
    for length in range(1, len(slides.live)):
        grown: list[tuple[float, tuple[int, ...]]] = []
        for cost, order in beam:
            placed = {cell: place for place, cell in enumerate(order)}
            ahead = [cell for cell in near[order[-1]] if cell not in placed]
            ahead = ahead or sorted({cell for known in order for cell in near[known] if cell not in placed})
            for cell in ahead:
                joined = [placed[other] for other in near[cell] if other in placed]
                grown.append((cost + sum(_window_cost(place, length, head) for place in joined), (*order, cell)))
        beam = sorted(grown, key=lambda item: (item[0] + _pending(item[1], near), item[1]))[:BEAM]
    return min(beam)[1]


def _pending(order: tuple[int, ...], near: dict[int, list[int]]) -> float:
    """Return the estimated cost of neighbours that are not placed yet: it grows with the length of the window."""
    placed = set(order)
    late = len(order)
    return sum(2.0 * (late - place) for place, cell in enumerate(order) for other in near[cell] if other not in placed)


def _window_cost(first: int, last: int, head: int) -> float:
    """Return the estimated cost of a window per word, in units of copying a word; measured on grids."""
    if last - first == 1:
        return 1.0
    if last <= head:
        return 2.0 + 3.0 / (1 + head - last) + 0.1 * (last - first)
    if first >= head:
        return 4.0
    return 8.0 + 0.5 * (head - first) + (4.0 if last - head > 1 else 0.0)
