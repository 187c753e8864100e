"""Games as text: what is read, with which mistakes a game still runs, and errors with their place."""

import pytest

from pushing import game
from puzzlespace.errors import FormatError
from puzzlespace.games.lines import fits
from puzzlespace.games.reading import read_game


def test_the_parts_of_a_game():
    found = read_game(game())
    assert (found.title, len(found.boards), found.levels[1]) == ("Two crates", 3, "well done")
    assert [each.words for each in found.conditions] == ["all crate on target"]
    assert found.object_names == ("background", "target", "wall", "player", "crate")
    assert found.names.objects["crate"].rows[1] == "0...0"
    assert len(found.program.groups) == 1
    assert len(found.program.groups[0]) == 4


def test_a_short_row_repeats_its_last_letter_and_a_long_one_is_cut():
    board = read_game(game(levels="p*o\n#\n...#")).boards[0]
    wall = 1 << 2
    assert (board.width, board.height) == (3, 3)
    assert [bool(cell & wall) for cell in board.cells] == [False, True, False] * 3


@pytest.mark.parametrize(
    ("change", "words", "place"),
    [
        ({"rules": "random [ Crate ] -> []"}, "without chance", "random"),
        ({"rules": "[ Crate ] -> [ randomdir Crate ]"}, "without chance", "randomdir"),
        ({"prelude": "realtime_interval 1"}, "game of turns", "realtime_interval"),
        ({"prelude": "mouse_left lclick"}, "game of turns", "mouse_left"),
        ({"wins": "all Crate upon Target"}, "expected 'all'", "all"),
        ({"wins": "all Crate on Tarket"}, "declared above", "tarket"),
        ({"rules": "[ Crate | ] -> [ Crate ]"}, "expected 2 cells", "[ crate | ]"),
        ({"rules": "[ > Crate ] -> [ moving Crate ]"}, "which way 'moving'", "[ > crate ]"),
        ({"levels": "p*x"}, "letter of the legend", "x"),
        ({"rules": "startloop\n[ Crate ] -> []"}, "expected 'endloop'", "startloop"),
    ],
)
def test_errors_have_a_place(change, words, place):
    text = game(**change)
    with pytest.raises(FormatError, match=words) as caught:
        read_game(text, "game.txt")
    error = caught.value
    row = text.split("\n")[error.line - 1]
    assert (error.file, error.row) == ("game.txt", row)
    assert row[error.column - 1 :].lower().startswith(place)


def test_mistakes_are_skipped_up_to_a_number():
    mistaken = "[ Crate Krate ] -> [ Crate ]\n"
    found = read_game(game(rules=mistaken * 5), "game.txt")
    assert [each.code for each in found.diagnostics] == ["game-mistake"] * 5
    assert all("Krate" in each.row for each in found.diagnostics)
    with pytest.raises(FormatError, match="declared above"):
        read_game(game(rules=mistaken * 6))


def test_sections_must_come_in_order():
    with pytest.raises(FormatError, match="expected the section SOUNDS next, found COLLISIONLAYERS"):
        read_game(game().replace("SOUNDS\n", ""))
    with pytest.raises(FormatError, match="expected the section LEVELS, found the end"):
        read_game(game().partition("LEVELS")[0])


def test_a_game_is_told_by_its_headings():
    assert fits(game())
    assert not fits("#####\n#@$.#\n#####\n")


def test_colours_that_are_drawn_otherwise_are_noted():
    found = read_game(game(prelude="color_palette c64").replace("orange", "orangy #fa0 Transparent"), "g.txt")
    notes = [(each.code, each.severity, each.line, each.column) for each in found.diagnostics]
    assert notes == [("game-odd", "note", 3, 15), ("game-odd", "note", 15, 1)]
    assert read_game(game()).diagnostics == ()
