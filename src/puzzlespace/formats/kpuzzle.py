"""Permutation puzzles as JSON objects, KPuzzle: orbits, the solved pattern, moves.

Places and pieces count from 0. `permutation` is the source place of each place's piece, `orientationDelta` how far the
piece is turned. `orientationMod` of a piece: it looks the same again after so many turns (0: only after all).
`derivedMoves` are sequences of moves that count as moves. Any other key is an error, because it could change which
positions can be reached.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..errors import FormatError, Word
from ..limits.watch import checkpoint, paced
from ..puzzle.draft import Draft
from .algs import worked_out
from .base import Format, parser
from .orbits import Orbit, Turn, check_sizes, checked, draft_of

MOST = (255, 127)
"""The most places and orientations of an orbit."""

PUZZLE = ("name", "orbits", "defaultPattern", "moves", "derivedMoves", "$schema", "experimentalPuzzleDescription")
ORBIT = ("orbitName", "numPieces", "numOrientations")
PATTERN = ("pieces", "orientation", "orientationMod")
MOVED = ("permutation", "orientationDelta", "orientation")
"""Keys of the whole object, of an orbit, of an orbit's solved pattern, and of a move in an orbit."""

MOST_DERIVED = 20
"""The deepest nesting of derived moves."""


def fits(text: str) -> bool:
    """Return whether the text is a JSON object with orbits and moves."""
    return text.lstrip().startswith("{") and '"orbits"' in text and '"moves"' in text


class _Reader:
    """A reader of the object; an error is shown at the last known key of the path to it."""

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self.object = json.loads(text, object_pairs_hook=_unrepeated)
        except json.JSONDecodeError as error:
            raise FormatError(
                f"expected JSON, found a mistake: {error.msg}", line=error.lineno, column=error.colno
            ) from None
        except FormatError:
            key = _again(text)
            raise FormatError.at(key, f"expected every key once, found {key[:40]!r} again") from None
        except (ValueError, RecursionError):
            raise FormatError("expected JSON, found numbers too long or brackets too deep") from None

    def draft(self) -> Draft:
        """Return the Draft of the object."""
        whole = self.mapping(self.object, (), PUZZLE)
        title = whole.get("name", "")
        orbits = [self.orbit(entry, number) for number, entry in enumerate(self.entries(whole))]
        check_sizes(orbits)
        pattern = self.mapping(whole.get("defaultPattern"), ("defaultPattern",), [orbit.name for orbit in orbits])
        solved = [self.solved(orbit, pattern) for orbit in orbits]
        moves = self.mapping(whole.get("moves"), ("moves",))
        turns = {name: self.turn(name, move, solved) for name, move in moves.items()}
        turns |= self.derived(self.mapping(whole.get("derivedMoves", {}), ("derivedMoves",)), turns, solved)
        return draft_of(" ".join(title.split()) if isinstance(title, str) else "", solved, list(turns.values()))

    def derived(self, texts: Mapping[str, Any], turns: Mapping[str, Turn], orbits: list[Orbit]) -> dict[str, Turn]:
        """Return the moves that are sequences of other moves."""
        found: dict[str, Turn] = {}
        open_names: list[str] = []
        twice = next((name for name in texts if name in turns), None)
        if twice is not None:
            raise self.wrong(("derivedMoves", twice), "expected a new name", f"{twice[:40]!r} again")

        def move(name: Word) -> Turn:
            if name in turns or name in found:
                return found[name] if name in found else turns[name]
            if name not in texts or name in open_names or len(open_names) > MOST_DERIVED:
                hint = "itself" if name in open_names else repr(str(name)[:40])
                raise FormatError.at(name, f"expected the name of a move that is known, found {hint}")
            text = texts[name]
            if not isinstance(text, str):
                raise self.wrong(("derivedMoves", name), "expected a sequence of moves", _kind(text))
            open_names.append(str(name))
            done = worked_out(self.place(("derivedMoves", name), text), orbits, move, {*turns, *texts})
            found[str(name)] = Turn(self.place(("derivedMoves", name), str(name)), done.sources, done.deltas)
            open_names.pop()
            return found[str(name)]

        for name in texts:
            move(self.place(("derivedMoves", name), name))
        return found

    def entries(self, whole: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the orbits: a list of objects, or an object by their names."""
        found = whole.get("orbits")
        if isinstance(found, list):
            return [self.mapping(entry, ("orbits",), ORBIT) for entry in cast("list[Any]", found)]
        named = self.mapping(found, ("orbits",))
        return [
            {**self.mapping(entry, ("orbits", name), ORBIT[1:]), "orbitName": name} for name, entry in named.items()
        ]

    def orbit(self, entry: Mapping[str, Any], index: int) -> Orbit:
        name = entry.get("orbitName")
        if not isinstance(name, str) or not name:
            raise self.wrong(("orbits",), "expected an orbitName for every orbit", f"none in number {index + 1}")
        places, orientations = (
            self.number(entry.get(key), ("orbits", name, key), 1, most)
            for key, most in zip(("numPieces", "numOrientations"), MOST, strict=True)
        )
        return Orbit(self.place(("orbits", name), name), places, orientations)

    def solved(self, orbit: Orbit, pattern: Mapping[str, Any]) -> Orbit:
        """Return the orbit with its solved pattern."""
        way = ("defaultPattern", str(orbit.name))
        here = self.mapping(pattern.get(orbit.name), way, PATTERN)
        pieces = self.numbers(here.get("pieces"), (*way, "pieces"), orbit.places, 10**6)
        turned = self.numbers(here.get("orientation"), (*way, "orientation"), orbit.places, orbit.orientations - 1)
        seen: Sequence[int] = ()
        if "orientationMod" in here:
            seen = self.numbers(here["orientationMod"], (*way, "orientationMod"), orbit.places, orbit.orientations)
            if any(ways and orbit.orientations % ways for ways in seen):
                raise self.wrong(
                    (*way, "orientationMod"), f"expected divisors of {orbit.orientations}", "another number"
                )
        labels = tuple(piece + 1 for piece in pieces)
        return Orbit(orbit.name, orbit.places, orbit.orientations, labels, tuple(turned), tuple(seen))

    def turn(self, name: str, move: Any, orbits: Sequence[Orbit]) -> Turn:
        sources: dict[str, tuple[int, ...]] = {}
        deltas: dict[str, tuple[int, ...]] = {}
        whole = self.mapping(move, ("moves", name), [orbit.name for orbit in orbits])
        for orbit in orbits:
            if orbit.name not in whole:
                continue
            way = ("moves", name, str(orbit.name))
            here = self.mapping(whole[orbit.name], way, MOVED)
            if len(here) == len(MOVED):
                raise self.wrong((*way, MOVED[-1]), f"expected {MOVED[1]} or {MOVED[2]}", "both")
            came = self.numbers(here.get("permutation"), (*way, "permutation"), orbit.places, orbit.places - 1)
            sources[orbit.name] = checked(self.place((*way, "permutation"), "permutation"), orbit, came)
            key = "orientationDelta" if "orientationDelta" in here else "orientation"
            deltas[orbit.name] = self.numbers(here.get(key), (*way, key), orbit.places, orbit.orientations - 1)
        return Turn(self.place(("moves", name), name), sources, deltas)

    def place(self, way: Sequence[str], text: str) -> Word:
        """Return the text with the place of the last key of a path that is found, searching key after key."""
        at = 0
        for key in paced(way):
            found = re.compile(re.escape(json.dumps(key)) + r"(?=\s*[:,}])").search(self.text, at)
            at = found.start() if found else at
        return Word(text, self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at))

    def wrong(self, way: Sequence[str], wanted: str, found: str) -> FormatError:
        return FormatError.at(self.place(way, ""), f"{wanted} in {_way(way)}, found {found}")

    def mapping(self, value: Any, way: Sequence[str], keys: Sequence[str] | None = None) -> Mapping[str, Any]:
        """Return an object; raise FormatError if it is not one or has a key that is not in `keys`."""
        if not isinstance(value, dict):
            raise self.wrong(way, "expected an object", _kind(value))
        found = cast("dict[str, Any]", value)
        other = next((key for key in found if keys is not None and key not in keys), None)
        if other is not None:
            place = self.place((*way, other), "")
            raise FormatError.at(place, f"expected {', '.join(keys or ())} in {_way(way)}, found {other[:40]!r}")
        return found

    def number(self, value: Any, way: Sequence[str], least: int, most: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(way, f"expected a whole number from {least} to {most}", _kind(value))
        return value

    def numbers(self, value: Any, way: Sequence[str], count: int, most: int) -> tuple[int, ...]:
        if not isinstance(value, list):
            raise self.wrong(way, f"expected a list of {count} numbers", _kind(value))
        listed = cast("list[Any]", value)
        if len(listed) != count:
            raise self.wrong(way, f"expected a list of {count} numbers", f"{len(listed)}")
        return tuple(self.number(each, way, 0, most) for each in listed)


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise FormatError if a key occurs twice."""
    checkpoint()
    found = dict(pairs)
    if len(found) < len(pairs):
        raise FormatError("expected every key once, found one again")
    return found


def _again(text: str) -> Word:
    """Return the first repeated key of an object, with its place; the text must be valid JSON up to there."""
    objects: list[set[str]] = []
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"(\s*:)?|[{}]', text):
        if found.group() == "{":
            objects.append(set())
        elif found.group() == "}":
            objects.pop()
        elif found[1]:
            key = json.loads(found.group()[: -len(found[1])])
            if key in objects[-1]:
                at = found.start()
                return Word(key, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
            objects[-1].add(key)
    return Word("")


def _way(way: Sequence[str]) -> str:
    return ".".join(way) or "the object"


def _kind(value: Any) -> str:
    """Return a value as errors name it; short values as in JSON."""
    names = {dict: "an object", list: "a list", type(None): "none"}
    return names.get(type(cast("object", value)), json.dumps(value)[:40])


parse = parser(lambda text: _Reader(text).draft())

FORMAT = Format("kpuzzle", "permutation puzzle as JSON", (".kpuzzle.json", ".json"), parse, None, fits)
