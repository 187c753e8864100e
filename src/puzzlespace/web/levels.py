"""Levels of PuzzleScript games on the page: the questions of `tasks`, with inputs as moves.

A position is a word of letters and digits: the cells that differ from the level as it is written (`Ids`).
"""

from __future__ import annotations

import base64
import json
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..api import games
from ..api.questions import distance, solve
from ..errors import EndlessError, InputError, LimitError, UnsupportedError
from ..games.game import LETTERS, GameBoard
from ..games.level import GameLevel
from ..games.lines import is_begun
from ..games.moves import GamePosition, InputEffect
from ..games.sprites import ground, sprites
from ..games.survey import Survey, survey
from ..games.turn import Cells
from ..graph.listed import ListedGraph
from ..limits.machine import has_arrays
from ..limits.watch import Limits, Watch
from ..render.theme import THEMES, Style, theme
from ..render.words import plural
from .bounds import LISTED
from .japanese import japanese_lines, with_japanese
from .questions import Object, WorkerState, brief, reporter, word, written_text
from .wire import COLOURS, UNKNOWN, Say

NAMES = ("up", "left", "down", "right", "action")
"""The name of each input, in the order of LETTERS."""

KNOWN = 20_000
"""Up to so many positions the page gets the distance of each."""

BOARDS = 40
"""The most boards of turns that follow by themselves that are shown after an input."""

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
HALF = 31
"""A number is written in digits of this base, the lowest first; all but the last have HALF added."""

LONGEST = 100_000
"""The most letters of a position."""


class Ids:
    """The words for the positions of a level.

    A word is '~' and numbers: 1 if the position is won, plus 2 if it has a checkpoint; then the cells of the board, and
    those of the checkpoint, if there is one. Of cells: how many differ from those of the level, and for each of these
    how many cells are between it and the one before, how many objects it has, and their bits.
    """

    def __init__(self, board: GameBoard, layers: tuple[int, ...]) -> None:
        self.cells, self.layers = board.cells, layers
        self.objects = sum(layers).bit_length()

    def written(self, position: GamePosition) -> str:
        """Return the word of a position."""
        parts = [position.cells, *([position.restart] if position.restart else [])]
        numbers = [position.won + 2 * bool(position.restart)]
        return "~" + "".join(map(_digits, [*numbers, *(each for cells in parts for each in self._numbers(cells))]))

    def _numbers(self, cells: Cells) -> Iterator[int]:
        changed = [at for at, (old, new) in enumerate(zip(self.cells, cells, strict=True)) if old != new]
        yield len(changed)
        for before, at in zip([-1, *changed], changed, strict=False):
            bits = [bit for bit in range(self.objects) if cells[at] >> bit & 1]
            yield from (at - before - 1, len(bits), *bits)

    def read(self, word: str) -> GamePosition:
        """Return the position of a word. Raises InputError if it is none of the level."""
        numbers = _numbers_of(word)
        try:
            kind = next(numbers)
            cells = self._cells(numbers)
            restart = self._cells(numbers) if kind & 2 else ()
        except StopIteration:
            raise _wrong(word) from None
        if cells is None or restart is None or kind > 3 or next(numbers, None) is not None:
            raise _wrong(word)
        return GamePosition(cells, restart, bool(kind & 1))

    def _cells(self, numbers: Iterator[int]) -> Cells | None:
        found, at = list(self.cells), -1
        for _ in range(next(numbers)):
            at += next(numbers) + 1
            bits = [next(numbers) for _ in range(min(next(numbers), self.objects + 1))]
            cell = sum(1 << bit for bit in bits if bit < self.objects)
            fits = at < len(found) and all((cell & layer).bit_count() < 2 for layer in self.layers)
            if not fits or cell.bit_count() != len(bits):
                return None
            found[at] = cell
        return tuple(found)


def _digits(number: int) -> str:
    found = ""
    while number >= HALF:
        found += DIGITS[HALF + number % HALF]
        number //= HALF
    return found + DIGITS[number]


def _numbers_of(word: str) -> Iterator[int]:
    """Yield the numbers of a word. Raises InputError for other letters."""
    if not word.startswith("~") or len(word) > LONGEST:
        raise _wrong(word)
    number, unit = 0, 1
    for letter in word[1:]:
        digit = DIGITS.find(letter)
        if digit < 0 or unit > HALF**8:
            raise _wrong(word)
        number, unit = number + digit % HALF * unit, unit * HALF
        if digit < HALF:
            yield number
            number, unit = 0, 1
    if unit > 1:
        raise _wrong(word)


def _wrong(word: str) -> InputError:
    return InputError(f"expected a position of this level, found {word[:80]!r}")


def is_game(question: Object) -> bool:
    """Return whether the text of a question is that of a game."""
    return is_begun(word(question, "text"))


def asked_of(state: WorkerState, question: Object) -> tuple[GameLevel, GamePosition]:
    """Return the level of a question and its position, the start if it has none; the last level for a number too large.

    Raises InputError, and FormatError with the place of a mistake in the game.
    """
    number = question.get("level") or 1
    if not isinstance(number, int) or number < 1:
        raise InputError(f"level: expected a number from 1, found {number!r}")
    level = games.level_in(written_text(question), number)
    written = word(question, "position")
    start: Any = level.start
    return level, ids(level).read(written) if written else start


def ids(level: GameLevel) -> Ids:
    """Return the words for the positions of a level."""
    return Ids(level.board, level.game.layers)


def open_(state: WorkerState, question: Object, say: Say) -> Object:
    """Return the level and one position, the start if the question has none."""
    level, position = asked_of(state, question)
    return {"about": about(level, written_text(question)), "at": shown(level, position), "known": None}


def at(state: WorkerState, question: Object, say: Say) -> Object:
    """Return one position and what each input does."""
    return shown(*asked_of(state, question))


def about(level: GameLevel, text: str) -> Object:
    """Return the data of a level that the player needs."""
    game, board = level.game, level.board
    remarks = {
        severity: [
            {key: value for key, value in each.fields.items() if key != "file"}
            for each in game.diagnostics
            if each.severity == severity
        ]
        for severity in ("warning", "note")
    }
    conditions = " and ".join(each.words for each in game.conditions) or "a rule gives the command win"
    rules = [f"the level is won: {conditions}", "one move is one input; inputs that change nothing are no moves"]
    middle = board.width / 2, board.height / 2
    return {
        "name": level.name,
        "titles": {"": game.title} if game.title else {},
        "note": "",
        "kind": "game",
        "named": "direction",
        "ground": "board",
        "metric": "input",
        "joins": False,
        "exhausts": False,
        "players": False,
        "metrics": ["input"],
        "text": text,
        "rules": rules,
        "ja": {
            "rules": japanese_lines(rules), "note": "", "warnings": remarks["warning"], "notes": remarks["note"],
        },
        "warnings": remarks["warning"],
        "notes": remarks["note"],
        "cells": 1,
        "symbols": 1,
        "board": {"shape": "game", "grid": True, "names": [""], "middles": [middle], "edges": [], "rows": [],
                  "box": [0, 0, board.width, board.height]},
        "gesture": "game",
        "letters": None,
        "body": None,
        "covers": None,
        "looks": {name: {} for name in THEMES},
        "colours": {
            name: {key: getattr(each, key) for key in COLOURS} | {"tints": {}} for name, each in THEMES.items()
        },
        "start": ids(level).written(level.start),  # pyright: ignore[reportArgumentType]
        "words": None,
        "goals": [],
        "pictures": [],
        "reversible": False,
        "dealt": False,
        "listed": [],
        "game": _game(level),
    }  # fmt: skip


def _game(level: GameLevel) -> Object:
    """Return what only levels of games have: objects, board, messages, keys."""
    game, board = level.game, level.board
    kinds = list(dict.fromkeys(board.cells))
    number = game.levels.index(board)
    before = next((at for at in range(number, 0, -1) if isinstance(game.levels[at - 1], GameBoard)), 0)
    after = game.levels[number + 1 :] if level.number == len(game.boards) else ()
    moves: Any = level.moves
    return {
        "level": level.number,
        "levels": len(game.boards),
        "author": game.prelude.get("author", ""),
        "goal": [each.words for each in game.conditions],
        "before": [each for each in game.levels[before:number] if isinstance(each, str)],
        "begun": list(moves.begun().messages),
        "after": [each for each in after if isinstance(each, str)],
        "inputs": LETTERS[: len(moves.inputs)],
        "undo": "noundo" not in game.prelude,
        "restart": "norestart" not in game.prelude,
        "width": board.width,
        "height": board.height,
        "objects": list(game.object_names),
        "layers": [game.names.layer[name] for name in game.object_names],
        "sprites": [["".join(pixel or "." for pixel in row) for row in sprite] for sprite in sprites(game)],
        "ground": ground(game),
        "kinds": [[bit for bit in range(len(game.object_names)) if cell >> bit & 1] for cell in kinds],
        "board": [kinds.index(cell) for cell in board.cells],
    }


Distances = Mapping[GamePosition, int | None]
"""The moves from positions to a win; None if there is none."""


def shown(level: GameLevel, position: GamePosition, distances: Distances | None = None) -> Object:
    """Return a position with its moves, and what each input does: its move, its messages, or turns that never end."""
    moves: Any = level.moves
    inputs: dict[str, Object] = {}
    made: list[Object] = []
    here = 0 if position.won else _away(position, distances)
    known: dict[GamePosition, int | None] = {position: None}  # the number of the move that leads there
    for letter, name, pressed in zip(LETTERS, NAMES, moves.inputs if not position.won else (), strict=False):
        try:
            found = moves.after(position, pressed)
        except EndlessError as error:
            inputs[letter] = {"endless": len(error.positions)}
            continue
        if found.position not in known:
            known[found.position] = len(made)
            made.append(_move(level, name, found, _away(found.position, distances), here))
        inputs[letter] = {"move": known[found.position], "messages": list(found.messages)}
    return {
        "position": ids(level).written(position), "line": "/".join(level.rows(position)), "symbols": [0], "words": [""],
        "pieces": [], "goal": position.won, **_told(here), "moves": made, "inputs": inputs,
    }  # fmt: skip


def _move(level: GameLevel, name: str, found: InputEffect, away: int | None, here: int | None) -> Object:
    """Return a move as `wire.at` tells it, with the boards on its way."""
    written = ids(level).written
    return {
        "to": written(found.position), "name": name, "movers": [], "way": name, "steps": [], "cost": 1, "piece": None,
        "target": None, "boards": [written(GamePosition(cells)) for cells in found.boards[:BOARDS]], **_told(away),
        "best": bool(here) and here != UNKNOWN and away == here - 1,
    }  # fmt: skip


def _away(position: GamePosition, distances: Distances | None) -> int | None:
    if position.won:
        return 0
    return UNKNOWN if distances is None else distances.get(position, UNKNOWN)


def _told(away: int | None) -> Object:
    if away == UNKNOWN:
        return {"distance": None, "state": "unknown"}
    return {"distance": away, "state": "lost" if away is None else "known"}


def search(state: WorkerState, question: Object, say: Say) -> Object:
    """Return one position with its distance to a win, by a search."""
    level, position = asked_of(state, question)
    limits = state.limits_of(question)
    if position.won:
        return shown(level, position)
    answer = distance(level, position, limits=limits, progress=reporter(say))
    if answer.solution.stopped is not None:
        raise answer.solution.stopped
    found: dict[GamePosition, int | None] = {position: answer.distance}
    found |= {there: (answer.distance or 0) - 1 for _, there in answer.next}
    reason = ""
    if answer.distance is None:
        moves: Any = level.moves
        found |= dict.fromkeys(moves(position))
        with suppress(LimitError):
            reason = games.why_unsolvable(replace(level, start=position), Watch(limits))
    return with_japanese({**shown(level, position, found), "reason": reason}, "reason")


def path(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a shortest solution from a position: its positions and its moves."""
    level, position = asked_of(state, question)
    way = _shortest(state, level, position, question, say)
    names = [NAMES[LETTERS.index(letter)] for letter in level.letters(way)]
    moves = [
        _move(level, name, InputEffect(place, (), ()), len(names) - at, len(names) - at + 1)
        for at, (name, place) in enumerate(zip(names, way[1:], strict=True), 1)
    ]
    return {"path": [ids(level).written(place) for place in way], "moves": moves}


def _shortest(
    state: WorkerState, level: GameLevel, position: GamePosition, question: Object, say: Say
) -> Sequence[GamePosition]:
    """Return the positions of a shortest solution; none if there is none. Raises LimitError."""
    answer = solve(replace(level, start=position), limits=state.limits_of(question), progress=reporter(say))
    if answer.stopped is not None:
        raise answer.stopped
    return answer.path


def measure(state: WorkerState, question: Object, say: Say) -> Object:
    """Return how many positions are at each number of moves, the dead ones, and ways to get stuck.

    If there are at most KNOWN, `distances` has the word of each position and its moves to a win, -1 for none.
    """
    level, _ = asked_of(state, question)
    found = survey(level, Watch(state.limits_of(question), reporter(say)))
    if found.stopped is not None and brief(question):
        return {"estimate": {"positions": None, "exact": False, "seconds": None}}
    if found.stopped is not None:
        raise found.stopped
    return {"table": _table(level, found)}


def _table(level: GameLevel, found: Survey) -> Object:
    written, places = ids(level).written, found.places
    assert places is not None
    firsts = [sum(found.counts[:depth]) for depth in range(len(found.counts))]
    total = sum(found.counts)
    told = {
        "origin": "start", "metric": "input", "states": total, "depth": len(found.counts) - 1,
        "counts": list(found.counts), "examples": [written(place) for place in places.listed(firsts)],
        "hardest": [written(place) for place in found.deepest[:LISTED]], "hardest_count": len(found.deepest),
        "classes": None, "lost": found.dead, "wins": found.wins, "stuck": len(found.traps),
        "traps": [{"letters": way.letters, "position": written(way.position)} for way in found.traps[:LISTED]],
        "distances": [
            [written(place) for place in places.listed(range(total))], found.to_win(),
        ] if total <= KNOWN else None,
        "reason": "" if found.wins else games.reason_of(level, found), "seconds": round(found.seconds, 3),
    }  # fmt: skip
    return with_japanese(told, "reason")


def map_(state: WorkerState, question: Object, say: Say) -> Object:
    """Send all positions of a level as `drawings.map_`, without symbols: `ids` has the word of each.

    Raises UnsupportedError if there are more than KNOWN, LimitError.
    """
    level, _ = asked_of(state, question)
    found = survey(level, Watch(state.limits_of(question), reporter(say)))
    if found.stopped is not None:
        raise found.stopped
    places, written, total = found.places, ids(level).written, sum(found.counts)
    assert places is not None
    if total > KNOWN:
        raise UnsupportedError(f"a map of a level has at most {KNOWN:,} positions, and this level has {total:,}")
    say({"progress": {"phase": "layout", "found": total}})
    layers = array("h", [depth for depth, count in enumerate(found.counts) for _ in range(count)])
    away = array("h", found.to_win())
    targets = [[target for target in row if target >= 0] for row in places.all_links()]
    pairs = ListedGraph([], array("i", layers), targets, True).pairs
    told = {
        "count": total, "moves": len(pairs) // 2, "cells": 0, "complete": True, "limit": KNOWN,
        "measured": "goal" if found.wins else "position",
        "ids": [written(place) for place in places.listed(range(total))],
    }  # fmt: skip
    say({"map": told}, *(_laid_out(places.all_links(), found, away) if has_arrays() else ()), away, layers, pairs)
    return {}


def _laid_out(links: Sequence[Sequence[int]], found: Survey, away: array[int]) -> Iterator[bytes]:
    """Yield the places of all positions in space and by layers."""
    import numpy as np

    from ..graph.kinds import joined
    from ..graph.layout import lay_out

    graph = joined(links, found.counts)
    layout = lay_out(graph, np.array(away, np.int32) if found.wins else graph.layers)
    yield from (each.astype("<f4").tobytes() for each in (layout.space, layout.layers))


def copy(state: WorkerState, question: Object, say: Say) -> Object:
    """Return a download: a position as text or SVG; a shortest solution from it as a strip, as GIF, or as inputs."""
    from ..render import game_pictures as pictures  # most questions draw nothing

    level, position = asked_of(state, question)
    what, style = word(question, "what"), Style(theme(word(question, "theme") or "light"))
    if what == "text":
        return {"type": "text/plain", "text": "\n".join(level.rows(position))}
    if what == "svg":
        return {"type": "image/svg+xml", "text": pictures.position_svg(level, position, style.theme)}
    if what not in ("json", "gif", "strip"):
        return unsupported(state, question, say)
    way = _shortest(state, level, position, question, say)
    if not way:
        raise InputError("there is no solution from here")
    letters = level.letters(way)
    title = f"{level.title}: {plural(len(letters), 'input')}"
    if what == "strip":
        return {"type": "image/svg+xml", "text": pictures.solution_svg(level, way, title, style)}
    if what == "gif":
        drawn = pictures.animated(level, way, title, style)
        return {"type": "image/gif", "base64": base64.b64encode(drawn).decode()}
    told = {
        "title": level.game.title, "level": level.number, "moves": len(letters), "letters": letters,
        "inputs": [LETTERS.index(letter) for letter in letters], "path": [level.rows(place) for place in way],
    }  # fmt: skip
    return {"type": "application/json", "text": json.dumps(told, ensure_ascii=False, indent=1)}


def kept(level: GameLevel, text: str, limits: Limits, most: int) -> tuple[Object, bytes]:
    """Return what a site keeps of a level, and its table as `measure` answers it, compressed; b'' if it is not known.

    limits  of the search for all positions, and of that for a solution if it was stopped
    most    the most positions of a table
    """
    found = survey(level, Watch(replace(limits, positions=min(most, KNOWN))))
    moves, table = None, b""
    if found.stopped is None:
        wins = found.to_win()[0]
        moves = None if wins < 0 else wins
        table = zlib.compress(json.dumps(_table(level, found), separators=(",", ":")).encode(), 9)
    elif found.stopped.kind == "interrupted":
        raise found.stopped
    else:
        moves = solve(level, limits=limits).moves
    start: Any = level.start
    data = {
        "about": about(level, text), "at": shown(level, start), "moves": moves, "summary": None, "lost": None,
        "counted": bool(table),
    }  # fmt: skip
    return data, table


def unsupported(state: WorkerState, question: Object, say: Say) -> Object:
    """Raise UnsupportedError: the question is about puzzles whose moves are rules of pieces."""
    raise UnsupportedError("a level of a PuzzleScript game does not have this")


TASKS: Mapping[str, Callable[[WorkerState, Object, Say], Object]] = {
    "open": open_, "at": at, "search": search, "path": path, "measure": measure, "map": map_,
    "copy": copy,
}  # fmt: skip
"""The questions that levels answer."""
