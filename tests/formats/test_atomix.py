"""Levels of the desktop game Atomix."""

import pytest

import puzzlespace
from puzzlespace.api.loader import from_text
from puzzlespace.errors import FormatError
from puzzlespace.formats import recognised
from puzzlespace.formats.atomix import FORMAT


def level(walls, atoms, goal, size=(7, 4)):
    """A level of 7 by 4 places; atoms are (column, row, element, link)."""

    def tiles(kind, places):
        for x, y, *what in places:
            base, links = (what[0], what[1:]) if what else ("wall-single", [])
            under = "".join(f"<underlay>link-{link}</underlay>\n" for link in links)
            tile = f'<tile type="TILE_TYPE_{kind}" base="{base}">\n{under}</tile>'
            yield f'<position row="{y}" col="{x}">\n{tile}</position>\n'

    wide, high = size
    return (
        f'<?xml version="1.0"?>\n<level _name="Small &amp; easy">\n'
        f'<environment n_columns="{wide}" n_rows="{high}">\n{"".join(tiles("WALL", walls))}</environment>\n'
        f'<scenario n_columns="{wide}" n_rows="{high}">\n{"".join(tiles("ATOM", atoms))}</scenario>\n'
        f'<goal n_columns="3" n_rows="1">\n{"".join(tiles("ATOM", goal))}</goal>\n</level>\n'
    )


RING = [(x, y) for x in range(7) for y in range(4) if x in (0, 6) or y in (0, 3)]
ATOMS = [(1, 1, "atom-h", "left"), (5, 1, "atom-o", "left", "right"), (1, 2, "atom-h", "right")]
WATER = [(0, 0, "atom-h", "right"), (1, 0, "atom-o", "left", "right"), (2, 0, "atom-h", "left")]


def test_a_level_is_read_without_the_places_outside_its_walls():
    text = level(RING, ATOMS, WATER)
    assert recognised(text) is FORMAT
    draft = FORMAT.parse(text, "x.atomix.xml")
    assert draft.titles == (("", "Small & easy"),)
    assert draft.start is not None
    assert draft.start.rows == (("H1", ".", ".", ".", "O"), ("H2", ".", ".", ".", "."))
    assert [goal.rows for goal in draft.goals] == [(("H2", "O", "H1"),)]
    puzzle = from_text(text, "x.atomix.xml")
    assert len(puzzle.goals) == 6
    assert puzzlespace.solve(puzzle).moves == 5


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<goal", "<aim", "expected <position> in a part of the level, found it outside"),
        ('n_columns="7"', 'n_columns="700"', "expected n_columns from 1 to 64, found '700'"),
        (
            '<position row="1" col="5">',
            '<position row="1" col="9">',
            "within 7 columns and 4 rows, found column 9, row 1",
        ),
        ('<position row="1" col="5">', '<position row="0" col="5">', "expected the atom on a free place of the level"),
        ("TILE_TYPE_ATOM", "TILE_TYPE_NONE", "1:1: expected an atom in <scenario>, found none"),
    ],
)
def test_mistakes_have_their_place(old, new, message):
    text = level(RING, ATOMS, WATER)
    wrong = text.replace(old, new) if old != '<position row="1" col="5">' else text.replace(old, new, 1)
    with pytest.raises(FormatError) as error:
        FORMAT.parse(wrong, "x.atomix.xml")
    assert message in str(error.value)
