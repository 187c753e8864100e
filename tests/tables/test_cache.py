"""The user's cache folder: where it is, how large it gets, what goes first, and what is never touched."""

from __future__ import annotations

import json
import os

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded
from puzzlespace.errors import InputError
from puzzlespace.storage import cache, files


@pytest.fixture(autouse=True)
def room(tmp_path, monkeypatch):
    """A cache of 1000 bytes in a folder of its own."""
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setenv(cache.SIZE, "1000")
    return tmp_path / "cache"


def make(key, size, used=None):
    """Make an entry of so many bytes; return its folder."""
    place = cache.folder("toys", key)
    with cache.making(place, size, f"toy {key}") as ready:
        assert ready
        (place / "data").write_bytes(bytes(size))
    if used is not None:
        os.utime(place / cache.MADE, (used, used))
    return place


def test_where_it_is(monkeypatch, tmp_path):
    assert cache.root() == tmp_path / "cache"
    monkeypatch.delenv(cache.FOLDER)
    monkeypatch.setattr(platformdirs, "PlatformDirs", Unix)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.root() == tmp_path / "xdg" / "puzzlespace"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.root() == tmp_path / ".cache" / "puzzlespace"
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.root() == tmp_path / "Library" / "Caches" / "puzzlespace"


@pytest.mark.parametrize(("text", "size"), [("", cache.MOST), ("0", 0), ("500m", 500 << 20), ("3G", 3 << 30)])
def test_how_large_it_gets(text, size, monkeypatch):
    monkeypatch.setenv(cache.SIZE, text)
    assert cache.limit() == size


@pytest.mark.parametrize("text", ["-1", "much", "3X", "1.5"])
def test_a_size_that_is_none(text, monkeypatch):
    monkeypatch.setenv(cache.SIZE, text)
    with pytest.raises(InputError, match=cache.SIZE):
        cache.limit()


def test_what_was_used_longest_ago_goes_first(room):
    old, older, fresh = make("old", 300, 2000.0), make("older", 300, 1000.0), make("fresh", 300)
    assert [entry.about for entry in cache.entries()] == ["toy older", "toy old", "toy fresh"]
    cache.touch(older)
    another = make("another", 350)
    assert [cache.found(place) for place in (old, older, fresh, another)] == [False, True, True, True]
    assert sum(entry.size for entry in cache.entries()) <= 1000
    assert (room / cache.TAG).read_bytes() == cache.SIGNATURE


def test_what_is_too_large_is_not_made():
    kept = make("kept", 600)
    with cache.making(cache.folder("toys", "huge"), 1001) as ready:
        assert not ready
    assert not cache.found(cache.folder("toys", "huge"))
    assert cache.found(kept)


def test_only_what_was_made_to_its_end_is_found():
    place = cache.folder("toys", "half")

    def fail():
        with cache.making(place, 100) as ready:
            assert ready
            assert not cache.found(place)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not place.exists()


def test_one_that_another_makes_is_left_to_it():
    place = cache.folder("toys", "busy")
    with cache.making(place, 100) as first:
        with cache.making(place, 100) as second:
            assert (first, second) == (True, False)
        assert not cache.drop(place)
        (place / "data").write_bytes(b"whole")
    assert cache.found(place)
    assert (place / "data").read_bytes() == b"whole"


def test_a_killed_maker_leaves_nothing_that_counts():
    place = cache.folder("toys", "killed")
    place.mkdir(parents=True)
    (place / cache.BEGUN).touch()
    (place / "data").write_bytes(bytes(700))
    assert not cache.found(place)
    assert [entry.whole for entry in cache.entries()] == [False]
    assert cache.found(make("killed", 300))


def test_clearing_takes_entries_and_nothing_else(room):
    make("one", 10)
    make("two", 20)
    letter = room / "toys" / "letter"
    letter.mkdir()
    (letter / "text").write_text("dear reader")
    assert cache.clear() == (2, 30 + 2 * len("toy one\n"))
    assert cache.entries() == []
    assert (letter / "text").read_text() == "dear reader"
    assert not cache.drop(letter)


def test_a_folder_that_cannot_be_written_is_no_cache(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "file"))
    with cache.making(cache.folder("toys", "x"), 10) as ready:
        assert not ready
    assert cache.entries() == []
    assert not cache.found(cache.folder("toys", "x"))


def test_an_entry_read_by_another_can_go():
    place = make("read", 10)
    with open(place / "data", "rb") as file:
        assert cache.drop(place)
        assert file.read() == bytes(10)
    with files.locked(make("written", 10)):
        assert cache.clear() == (0, 0)


def test_the_command_lists_and_clears(room, capsys):
    make("one", 10)
    assert guarded(lambda: app(["cache"], standalone_mode=False)) == 0
    told = capsys.readouterr().out
    assert "toy one" in told
    assert str(room) in told
    assert guarded(lambda: app(["cache", "--json"], standalone_mode=False)) == 0
    assert [each["about"] for each in json.loads(capsys.readouterr().out)["entries"]] == ["toy one"]
    assert guarded(lambda: app(["cache", "--clear"], standalone_mode=False)) == 0
    assert "1 removed" in capsys.readouterr().out
    assert cache.entries() == []
