"""Rule kinds, formats, families, encodings of other installed packages; tests/bounds has bounds of other packages."""

import pytest

import packages
import puzzlespace
from puzzlespace.api.loader import converted
from puzzlespace.errors import InputError

MODULE = """
from dataclasses import replace
from puzzlespace.engines import frontier
from puzzlespace.families import template as families
from puzzlespace.formats import template as formats
from puzzlespace.rules import template as rules

KIND = rules.KIND
FORMAT = formats.FORMAT
FAMILY = families.FAMILY
ENGINE = replace(frontier.ENGINE, name="mine")
"""
ENTRIES = """[puzzlespace.rules]
{kind} = others_own:KIND

[puzzlespace.formats]
{form} = others_own:FORMAT

[puzzlespace.families]
{family} = others_own:FAMILY

[puzzlespace.encodings]
mine = others_own:ENGINE
"""
FROGS = "title: Frogs\nrule: hop\ncount: step\nstart: F F . T T\ngoal: T T . F F\n"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package with entry points for the templates of this package, none of which is registered."""
    from puzzlespace.families import template as families
    from puzzlespace.formats import template as formats
    from puzzlespace.rules import template as rules

    names = {"kind": rules.KIND.name, "form": formats.FORMAT.name, "family": families.FAMILY.name}
    with packages.installed(tmp_path, monkeypatch, "others_own", MODULE, ENTRIES.format(**names)):
        yield formats.FORMAT


def test_a_rule_kind_of_another_package_is_read(installed, tmp_path):
    (tmp_path / "frogs.pzl").write_text(FROGS)
    assert puzzlespace.solve(tmp_path / "frogs.pzl").moves == 8
    (tmp_path / "frogs.pzl").write_text(FROGS.replace("hop", "hopp"))
    with pytest.raises(InputError, match="expected slide, slide along"):
        puzzlespace.load(str(tmp_path / "frogs.pzl"))


def test_a_family_of_another_package_is_found_by_its_name(installed):
    counted = puzzlespace.depths("bits:5")
    assert (counted.states, counted.depth, len(counted.hardest)) == (32, 5, 1)


def test_a_format_of_another_package_is_found_by_its_ending(installed, tmp_path):
    form = installed
    eight = puzzlespace.load("eight")
    path = tmp_path / f"eight{form.suffixes[0]}"
    path.write_text(form.write(eight.draft))
    assert puzzlespace.solve(path).moves == puzzlespace.solve(eight).moves


def test_an_engine_of_another_package_answers_by_its_name(installed):
    answer = puzzlespace.solve("goat", engine="mine")
    assert (answer.engine, answer.moves) == ("mine", puzzlespace.solve("goat").moves)
    with pytest.raises(InputError, match=r"engine: expected one of auto, .*, mine, found 'other'"):
        puzzlespace.solve("goat", engine="other")


@pytest.mark.parametrize(
    ("group", "what", "ask"),
    [
        ("rules", "KIND", lambda folder: puzzlespace.load(str(folder / "frogs.pzl"))),
        ("formats", "FORMAT", lambda _: converted(puzzlespace.load("eight"), "other")),
        ("families", "FAMILY", lambda _: puzzlespace.load("other:5")),
        ("encodings", "ENGINE", lambda _: puzzlespace.solve("goat", engine="other")),
        ("bounds", "BOUND", lambda _: puzzlespace.solve("goat", bound="other")),
    ],
)
def test_an_entry_point_has_the_name_of_what_it_offers(group, what, ask, tmp_path, monkeypatch):
    (tmp_path / "frogs.pzl").write_text(FROGS.replace("hop", "other"))
    module = MODULE + "from puzzlespace.bounds.template import BOUND\n"
    entries = f"[puzzlespace.{group}]\nother = others_named:{what}\n"
    with packages.installed(tmp_path, monkeypatch, "others_named", module, entries):
        wanted = (
            rf"entry point other of puzzlespace\.{group}: expected the name of what it offers, '\w+', found 'other'"
        )
        with pytest.raises(InputError, match=wanted):
            ask(tmp_path)


def test_entry_points_are_not_read_for_our_names(monkeypatch):
    def wrong(*_):
        raise AssertionError("entry points are read")

    monkeypatch.setattr("importlib.metadata.entry_points", wrong)
    assert puzzlespace.solve("goat", engine="plain").moves == puzzlespace.solve("goat").moves
    assert puzzlespace.load("slide:2x2").board.cells == 4
