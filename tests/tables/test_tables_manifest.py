"""Manifests that are whole but wrong: fields that miss, are null or of another type, counts that are not the bits'."""

from __future__ import annotations

import copy
import json

import pytest

from array_puzzles import pancakes
from kept import command, copied, saved_table
from puzzlespace import load
from puzzlespace.api import questions
from puzzlespace.api.saved import kept, open_table, saving
from puzzlespace.errors import TableError
from puzzlespace.limits.watch import Limits
from puzzlespace.storage import cache, files
from puzzlespace.tables.kinds import table_of

SMALL, STAR = "slide:2x3", "star13"
GONE = object()
WRONG = [GONE, None, True, -1, 0, 10**30, 0.5, "", "x", "..", [], [None], ["zz"], [[]], {}, {"kind": 3}]
FREE = {"puzzle.name", "puzzle.text", "made.by", "made.when", "made.seconds"}
"""Fields that may also hold another text or number: words for people, or the name by which to find the text."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A table of bits and one of runs, both small."""
    top = tmp_path_factory.mktemp("manifests")
    saved_table(SMALL, top / "bits")
    saved_table(STAR, top / "runs", engine="frontier")
    questions.depths(pancakes(6), engine=saving(pancakes(6), top / "own"))
    return {kind: top / kind for kind in ("bits", "runs", "own")}


def paths(value, before=()):
    """Every field of an object, those of objects within it too; of lists the first item."""
    for key, item in value.items():
        yield (*before, key)
        if isinstance(item, dict):
            yield from paths(item, (*before, key))
        elif isinstance(item, list) and item:
            yield (*before, key, 0)
            if isinstance(item[0], dict):
                yield from paths(item[0], (*before, key, 0))


def changed(manifest, path, value):
    """The manifest with another value in one place, or without it."""
    found = copy.deepcopy(manifest)
    *way, last = path
    here = found
    for key in way:
        here = here[key]
    if value is GONE:
        del here[last]
    else:
        here[last] = value
    return found


def asked(spec, folder):
    """What everything that reads a table answers."""
    found = kept(folder)
    table = open_table(spec, folder)
    owner = load(spec)
    goal = owner.model().goals[0].position
    return (
        found.puzzle.model().fingerprint,
        table.counts,
        table.distance(goal),
        table.distance(table.hardest[0]),
        questions.depths(owner, origin="goal", engine=saving_of(spec, folder)).counts,
    )


def saving_of(spec, folder):
    from puzzlespace.api.saved import asking

    return asking(load(spec), folder)


@pytest.mark.parametrize("kind", ["bits", "runs"])
def test_every_field_that_is_wrong_is_a_damaged_table(kind, folders, tmp_path):
    folder = copied(folders[kind], tmp_path / "copy")
    spec = SMALL if kind == "bits" else STAR
    manifest = files.read_json(folder / "manifest.json")
    right = asked(spec, folder)
    refused = 0
    for path in paths(manifest):
        for value in WRONG:
            files.write_json(folder / "manifest.json", changed(manifest, path, value))
            try:
                found = asked(spec, folder)
            except TableError:
                refused += 1
                continue
            assert found == right, (path, value)
            assert ".".join(map(str, path)) in FREE, (path, value)
    assert refused > 400


@pytest.mark.parametrize("kind", ["bits", "runs", "own"])
@pytest.mark.parametrize("words", [("info",), ("verify",), ("export", "--oeis")])
def test_commands_say_which_field_is_damaged(kind, words, folders, tmp_path, capsys):
    folder = copied(folders[kind], tmp_path / "copy")
    manifest = files.read_json(folder / "manifest.json")
    for path in paths(manifest):
        for value in (GONE, None, [None]):
            files.write_json(folder / "manifest.json", changed(manifest, path, value))
            assert command("table", words[0], folder, *words[1:]) == 30, (path, value)
            assert "puzzlespace: " in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["bits", "runs"])
@pytest.mark.parametrize("depth", [0, 3, -1])
def test_counts_are_held_against_the_bits_before_any_answer(kind, depth, folders, tmp_path, capsys):
    folder = copied(folders[kind], tmp_path / "copy")
    spec = SMALL if kind == "bits" else STAR
    manifest = files.read_json(folder / "manifest.json")
    manifest["counts"][depth] += 1
    if kind == "runs":
        manifest["layers"][depth]["positions"] += 1
    files.write_json(folder / "manifest.json", manifest)
    line = load(spec).line(load(spec).model().goals[0].position)
    for words in (
        ("table", "info", folder),
        ("table", "verify", folder),
        ("table", "export", folder, "--oeis"),
        ("depths", spec, "--from", "goal", "--table", folder),
        ("hardest", spec, "--from", "goal", "--table", folder),
        ("distance", spec, line, "--table", folder),
    ):
        assert command(*words) == 30, words
        assert "damaged" in capsys.readouterr().err
    with pytest.raises(TableError, match="damaged"):
        open_table(spec, folder)


@pytest.mark.parametrize("kind", ["bits", "runs"])
def test_one_layer_more_or_less_is_found(kind, folders, tmp_path):
    folder = copied(folders[kind], tmp_path / "copy")
    manifest = files.read_json(folder / "manifest.json")
    shorter = copy.deepcopy(manifest)
    shorter["counts"] = [*manifest["counts"][:-4], sum(manifest["counts"][-4::3]), *manifest["counts"][-3:-1]]
    files.write_json(folder / "manifest.json", shorter)
    with pytest.raises(TableError, match="damaged"):
        open_table(SMALL if kind == "bits" else STAR, folder)


@pytest.mark.parametrize("kind", ["bits", "runs"])
def test_of_large_tables_counts_are_checked_when_asked_for(kind, folders, tmp_path):
    folder = copied(folders[kind], tmp_path / "copy")
    model = load(SMALL if kind == "bits" else STAR).model()
    manifest = files.read_json(folder / "manifest.json")
    right = table_of(folder, model, at_once=0)
    goal = right.sources[0]
    assert right.distance(goal) == 0
    for depth, more in ((3, 1), (4, -1)):
        manifest["counts"][depth] += more
        if kind == "runs":
            manifest["layers"][depth]["positions"] += more
    files.write_json(folder / "manifest.json", manifest)
    table = table_of(folder, model, at_once=0)
    if kind == "bits":
        assert table.distance(goal) == 0
    with pytest.raises(TableError, match="damaged"):
        _ = table.counts


def test_what_a_run_goes_on_from_is_checked_field_by_field(tmp_path):
    for kind, spec in (("table", "slide:3x3"), ("frontier", STAR)):
        folder, owner = tmp_path / kind, load(spec)
        limits = Limits(positions=90_000 if kind == "table" else 300)
        questions.depths(owner, origin="goal", engine=saving(owner, folder, every=0, engine=kind), limits=limits)
        manifest = files.read_json(folder / "progress.json")
        for path in paths(manifest):
            for value in (GONE, None, -1, "../../etc/passwd", [None], {}):
                if path[0] in ("puzzle", "model", "format", "origin") and value == "../../etc/passwd":
                    continue
                files.write_json(folder / "progress.json", changed(manifest, path, value))
                with pytest.raises(TableError, match=r"damaged|expected|again|other positions|metric|another puzzle"):
                    saved_table(spec, folder, resume=True)
        files.write_json(folder / "progress.json", manifest)
        assert saved_table(spec, folder, resume=True).complete


def test_counts_to_go_on_from_are_held_against_the_bits(tmp_path):
    owner = load("slide:3x3")
    questions.depths(owner, engine=saving(owner, tmp_path / "part", every=0), limits=Limits(positions=90_000))
    manifest = files.read_json(tmp_path / "part" / "progress.json")
    manifest["counts"][4] += 1
    files.write_json(tmp_path / "part" / "progress.json", manifest)
    with pytest.raises(TableError, match="do not match its counts"):
        saved_table("slide:3x3", tmp_path / "part", resume=True)


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000, "a\0b", "a\ud800b"])
def test_a_folder_that_cannot_be_is_an_error_of_ours(name, tmp_path):
    for work in (kept, lambda folder: open_table(SMALL, folder), lambda folder: saved_table(SMALL, folder)):
        with pytest.raises(TableError):
            work(tmp_path / name)


def test_the_cache_answers_or_makes_anew_whatever_is_in_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv(cache.FOLDER, str(tmp_path))
    line = "8 6 7 / 2 5 4 / 3 . 1"
    owner = load("eight")
    from puzzlespace.api import cached, table_making

    wanted = cached.CachedTable(owner, owner.model(), "goal")
    monkeypatch.setattr(table_making, "_small", lambda model: False)
    assert command("distance", "eight", line) == 0
    manifest_path = wanted.place / cached.TABLE / "manifest.json"
    manifest = files.read_json(manifest_path)
    capsys.readouterr()
    for path, value in [(("counts",), None), (("hardest",), [3]), (("numbering",), GONE), (("data", "bytes"), "x")]:
        files.write_json(manifest_path, changed(manifest, path, value))
        assert command("distance", "eight", line, "--json") == 0
        shown = capsys.readouterr()
        assert "made anew" in shown.err
        assert json.loads(shown.out)["distance"] == 31
    for wrong in ("x" * 5000, "/dev/null/x", "9" * 5000):
        monkeypatch.setenv(cache.FOLDER, wrong)
        assert command("distance", "eight", line, "--json", "-q") in (0, 30)
        assert command("cache") in (0, 30)
        assert "bug of ours" not in capsys.readouterr().err
    monkeypatch.setenv(cache.FOLDER, str(tmp_path))
    for size in ("9" * 5000, "x", "-1", "1e999"):
        monkeypatch.setenv(cache.SIZE, size)
        assert command("cache") in (0, 30)
        assert command("distance", "eight", line, "-q") in (0, 30)
        assert "bug of ours" not in capsys.readouterr().err
