"""Plots of depth tables: bars for one, curves for several, what is written on them, the same bytes each time."""

from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from puzzlespace.api import questions
from puzzlespace.api.loader import load
from puzzlespace.cli.app import app
from puzzlespace.errors import InputError, UnsupportedError
from puzzlespace.render import plot

SVG = "{http://www.w3.org/2000/svg}"


def table(name, metric=""):
    puzzle = load(name)
    return puzzle, questions.depths(puzzle, metric=metric)


@cache
def one():
    return plot.curves([table("no-off-b")])


@cache
def several():
    return plot.curves([table("klotski"), table("klotski", "run"), table("eight")])


def groups(data, begin):
    root = ElementTree.fromstring(data)
    return [group for group in root.iter(SVG + "g") if group.get("id", "").startswith(begin)]


def test_one_table_is_drawn_as_bars():
    data = plot.plot(one(), plot.Axes(), "svg")
    clipped = [path for path in ElementTree.fromstring(data).iter(SVG + "path") if path.get("clip-path")]
    assert len(clipped) >= len(one()[0].table.counts)


def test_several_tables_have_a_legend_and_a_dash_each():
    data = plot.plot(several(), plot.Axes("log"), "svg")
    assert len(groups(data, "legend")) == 1
    assert data.count(b"stroke-dasharray") > 2


@pytest.mark.parametrize("axes", [plot.Axes(), plot.Axes("log"), plot.Axes(share=True), plot.Axes(theme="dark")])
def test_the_same_tables_give_the_same_bytes(axes):
    assert plot.plot(several(), axes, "svg") == plot.plot(several(), axes, "svg")
    assert plot.plot(one(), axes, "pdf") == plot.plot(one(), axes, "pdf")


def test_the_scale_shows_most_layers():
    steep = replace(one()[0], table=replace(one()[0].table, counts=(1, 10**6, 5, 6, 7, 8)))
    assert plot.plot([steep], plot.Axes(), "svg") == plot.plot([steep], plot.Axes("log"), "svg")
    assert plot.plot([steep], plot.Axes(), "svg") != plot.plot([steep], plot.Axes("linear"), "svg")
    assert plot.plot(one(), plot.Axes(), "svg") == plot.plot(one(), plot.Axes("linear"), "svg")


def test_kinds_and_sizes():
    assert plot.plot(one(), plot.Axes(), "png").startswith(b"\x89PNG")
    assert plot.plot(one(), plot.Axes(), "pdf").startswith(b"%PDF")
    data = plot.plot(one(), plot.Axes(size=1600), "png")
    assert int.from_bytes(data[16:20]) == 1600


def test_curves_say_what_they_count():
    labels = [curve.label for curve in several()]
    assert labels[0] == "Klotski (count: piece): 25,955 positions"
    assert len(set(labels)) == 3


@pytest.mark.parametrize("words", [("cubic",), ("linear", False, "pink")])
def test_unknown_words_are_errors(words):
    with pytest.raises(InputError, match="expected"):
        plot.Axes(*words)


def test_the_file_must_be_of_a_kind_that_can_be_drawn(tmp_path):
    with pytest.raises(InputError, match=r"\.svg, \.png, \.pdf"):
        plot.check(tmp_path / "a.xls", plot.Axes())
    assert plot.check(None, plot.Axes()) == plot.Axes()


def test_a_missing_library_is_named(monkeypatch, tmp_path):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(UnsupportedError, match=r"puzzlespace\[plot\]"):
        plot.check(tmp_path / "a.svg", plot.Axes())


def test_the_command_line_overlays_metrics_and_puzzles(tmp_path, capsys):
    file = tmp_path / "a.svg"
    words = ["--with", "run", "--with", "eight", "--share", "-q"]
    app(["depths", "klotski", "--plot", str(file), *words], standalone_mode=False)
    assert "25,955" in capsys.readouterr().out
    assert len(groups(file.read_bytes(), "legend")) == 1
