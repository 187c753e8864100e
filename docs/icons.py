"""Draw the page's icons in several sizes from `static/icon.svg`: `python docs/icons.py`."""

from pathlib import Path

from puzzlespace.render.raster import render

STATIC = Path(__file__).parents[1] / "src" / "puzzlespace" / "web" / "static"
PAPER = '<rect width="40" height="40" fill="#efe9dc"/>'


def main() -> None:
    """Write the icons; the full one has room to be cut to a circle."""
    icon = (STATIC / "icon.svg").read_text(encoding="utf-8").strip()
    for size in (192, 512):
        sized = icon.replace("<svg ", '<svg width="32" height="32" ', 1)
        (STATIC / f"icon-{size}.png").write_bytes(render(sized, size / 32))
    inside = icon[icon.index(">") + 1 : icon.index("</svg>")]
    small = f'<g transform="translate(6 6) scale(0.875)">{inside}</g>'
    full = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{PAPER}{small}</svg>'
    (STATIC / "icon-full-512.png").write_bytes(render(full, 512 / 40))


if __name__ == "__main__":
    main()
