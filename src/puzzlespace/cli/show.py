"""The command `show`."""

from __future__ import annotations

from ..api.games import level_of
from ..api.loader import load
from ..render import files, json_output, text
from .options import CommonOptions, Glyphs, Json, Names, PngFile, PuzzleArgument, Size, Solid, SvgFile, Theme, limited
from .terminal import print_json


@limited
def show(
    puzzle: PuzzleArgument,
    as_json: Json = False,
    glyphs: Glyphs = "ascii",
    svg_file: SvgFile = None,
    png_file: PngFile = None,
    theme: Theme = "light",
    size: Size = None,
    solid: Solid = False,
    names: Names = False,
    *,
    asked: CommonOptions,
) -> int:
    """Print the board, the rules in words, start and goal. Example: puzzlespace show hexagram --svg hexagram.svg"""
    level = level_of(puzzle)
    if level is not None:
        from . import games  # most puzzles are no games

        games.refuse(solid=solid, names=names, glyphs=glyphs != "ascii")
        return games.show(level, as_json, files.WantedPicture(svg_file, png_file, theme=theme, size=size))
    shown = load(puzzle)
    wanted = files.WantedPicture(svg=svg_file, png=png_file, theme=theme, size=size, solid=solid, names=names)
    if wanted:
        files.write_position(shown, wanted)
    if as_json:
        print_json(json_output.puzzle(shown))
    else:
        print(text.description(shown, text.glyph_set(glyphs)))
    return 0
