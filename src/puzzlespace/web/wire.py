"""Puzzles and positions as the plain data that the page, exported files and notebooks get; see docs/page.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..api.loader import written
from ..model.effects import outcomes
from ..model.goal import Goal
from ..model.metrics import RELATIONS
from ..model.model import Model
from ..model.rule import ANY, Rule, single_symbol
from ..model.sentence import Every, Not, Sentence, Shows, Some
from ..puzzle.draft import BLANK
from ..puzzle.letters import Letters
from ..puzzle.puzzle import Puzzle
from ..render.exits import exit_of
from ..render.floor import tints
from ..render.looks import paints
from ..render.text import goals_shown
from ..render.theme import THEMES, Theme
from ..render.words import rules_in_words
from . import gestures
from .japanese import japanese, japanese_lines

Object = dict[str, Any]

UNKNOWN = -1
"""A distance that is not known."""

Say = Callable[..., None]
"""Writes a line of an answer, and raw bytes after it, before the answer is complete."""

Distances = Callable[[Sequence[bytes]], Sequence[int | None]]
"""Returns the distances of positions to the goal; None if it cannot be reached, UNKNOWN if that is not known."""

POWERS = 12
"""A move of the list is repeated fewer times than this within one move of the player."""

COLOURS = ("paper", "ink", "ground", "rim", "empty", "hole", "line", "edge", "disc", "water", "hues")


def played(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle as it is played: without goals if one of them is every position, so that nothing is solved."""

    def is_open(goal: Goal) -> bool:
        return all(need == ANY for need in goal.need) and not goal.counts and goal.sentence is None

    return replace(puzzle, goals=()) if any(map(is_open, puzzle.goals)) else puzzle


def about(puzzle: Puzzle, metric: str = "") -> Object:
    """Return the data of a puzzle that the player needs. Raises InputError for an unknown metric."""
    model = puzzle.model(metric)
    draft, view = puzzle.draft, puzzle.view
    board = gestures.board(puzzle)
    way_out = exit_of(puzzle)
    rules, note = rules_in_words(puzzle).split("\n"), draft.note if draft is not None else ""
    return {
        "name": puzzle.name,
        "titles": titles(puzzle),
        "note": note,
        "kind": puzzle.kind.name,
        "named": puzzle.kind.named,
        "ground": puzzle.kind.ground,
        "metric": model.metric.name,
        "joins": _joins(model),
        "exhausts": model.metric.exhausts,
        "players": puzzle.several_players,
        "metrics": list(puzzle.metrics),
        "text": written(puzzle),
        "rules": rules,
        "ja": {
            "rules": japanese_lines(rules),
            "note": japanese(note) or note,
            "warnings": _remarks_in_japanese(puzzle, "warning"),
            "notes": _remarks_in_japanese(puzzle, "note"),
        },
        "warnings": remarks(puzzle, "warning"),
        "notes": remarks(puzzle, "note"),
        "cells": model.cells,
        "symbols": model.symbols,
        "board": board,
        "gesture": gestures.gesture(puzzle, board, model),
        "actor": gestures.actor(puzzle),
        "tilts": gestures.tilts(puzzle),
        "gates": sorted(puzzle.gates.items()),
        "floor": sorted(puzzle.ground.letters.items()),
        "vessels": puzzle.vessels,
        "walls": puzzle.ground.segments,
        "stops": sorted(puzzle.ground.stops),
        "deflectors": sorted(puzzle.ground.deflectors.items()),
        "letters": [list(letters) for letters in view.letters] if isinstance(view, Letters) else None,
        "body": puzzle.shapes.body if puzzle.shapes is not None else None,
        "covers": puzzle.shapes.covers if puzzle.shapes is not None else None,
        "looks": {name: _looks(puzzle, theme) for name, theme in THEMES.items()},
        "colours": {name: _colours(puzzle, theme) for name, theme in THEMES.items()},
        "start": puzzle.id(puzzle.start) if puzzle.start is not None else None,
        "words": puzzle.shown(puzzle.start) if puzzle.start is not None else None,
        "goals": [puzzle.id(goal.position) for goal in puzzle.goals if goal.position is not None],
        "pictures": [list(words) for words in goals_shown(puzzle)],
        "places": places(puzzle),
        "exit": way_out.arrow if way_out is not None else [],
        "reversible": model.reversible,
        "dealt": model.reversible or bool(model.goals and model.backward is not None),
        "listed": _listed(model) if puzzle.listed else [],
    }


def places(puzzle: Puzzle) -> list[tuple[int, str]]:
    """Return the places that the goal names, if it is a sentence, each with the word that should be there.

    Parts that say what is where, or in which of some cells. A goal that names half of the cells or more has no places
    to look for.
    """
    view, goals = puzzle.view, puzzle.goals
    if len(goals) != 1 or goals[0].sentence is None or not isinstance(view, Letters) or puzzle.shapes is not None:
        return []
    found: dict[int, str] = {}
    for cell, symbol in _named_places(goals[0].sentence):
        if symbol < len(view.letters) and view.letters[symbol] and view.letters[symbol][0] != BLANK:
            found.setdefault(cell, view.letters[symbol][0])
    return sorted(found.items()) if 2 * len(found) < puzzle.board.cells else []


PLACED = Shows, Some, Not
"""Parts of a goal beside which others may name places; of what cells have in common, one place alone says nothing."""


def _named_places(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Yield cells with the symbol that should be there, or in one of them; the first of several symbols of a cell."""
    parts = list(sentence.flat) if isinstance(sentence, Every | Some) else [sentence]
    shown = [part for part in parts if isinstance(part, Shows)]
    if len(shown) < len(parts) and not (
        isinstance(sentence, Every) and all(isinstance(each, PLACED) for each in parts)
    ):
        return
    for part in parts:
        if isinstance(part, Shows):
            symbol = single_symbol(part.need)
            if symbol is None and isinstance(sentence, Some):
                symbol = (part.need & -part.need).bit_length() - 1
            if symbol is not None:
                yield part.cell, symbol
        elif isinstance(part, Some):
            yield from _named_places(part)


def _joins(model: Model) -> bool:
    """Return whether a move may go on: then the parts that a player makes one by one count as one move."""
    whole = any(rule.motion is not None and rule.motion.whole for rule in model.rules)
    return model.metric.name in RELATIONS and not whole


def remarks(puzzle: Puzzle, severity: str) -> list[Object]:
    """Return the diagnostics of a severity, without the name of the file."""
    found = [each.fields for each in puzzle.diagnostics if each.severity == severity]
    return [{key: value for key, value in each.items() if key != "file"} for each in found]


def _remarks_in_japanese(puzzle: Puzzle, severity: str) -> list[Object]:
    """Return the texts and hints of `remarks` in Japanese, in English if there is none."""
    return [
        {key: japanese(each[key]) or each[key] for key in ("text", "hint")} for each in remarks(puzzle, severity)
    ]  # fmt: skip


def titles(puzzle: Puzzle) -> dict[str, str]:
    """Return the titles by language; a title of ours has its Japanese even if no file says it."""
    found = dict(puzzle.titles)
    said = japanese(found.get("", ""))
    return {**found, "ja": said} if said is not None and "ja" not in found else found


def _listed(model: Model) -> list[str]:
    """Return the names of all listed moves: of the rules, each followed by its powers if they are single moves."""
    names: dict[str, None] = {}
    for number, rule in enumerate(model.rules):
        names[rule.name] = None
        if number not in model.followers[number]:
            continue
        order = _order(rule, model.symbols)
        twins = [other for other, one in enumerate(model.generators) if one == model.generators[number]]
        last = order - 1 if len(twins) == 1 else order // 2 if number == min(twins) else (order - 1) // 2
        names |= dict.fromkeys(f"{rule.name}{power}" for power in range(2, last + 1))
    return list(names)


def _order(rule: Rule, symbols: int) -> int:
    """Return after how many times a listed move has changed nothing; POWERS if it takes more."""
    same = [(cell, tuple(range(symbols))) for cell in range(len(rule.cells))]
    now = same
    for power in range(1, POWERS):
        before = [(now[source], table) for source, table in zip(rule.source, rule.table, strict=True)]
        now = [(cell, old if table is None else tuple(table[s] for s in old)) for (cell, old), table in before]
        if now == same:
            return power
    return POWERS


def _colours(puzzle: Puzzle, theme: Theme) -> Object:
    """Return the colours of a theme, and those of the letters of the ground."""
    keys = ("fill", "rim", "ink")
    found = {letter: dict(zip(keys, colours, strict=True)) for letter, colours in tints(puzzle, theme).items()}
    return {key: getattr(theme, key) for key in COLOURS} | {"tints": found}


def _looks(puzzle: Puzzle, theme: Theme) -> Object:
    """Return how each word is painted, including words of pieces that no drawing of the file shows."""
    letters = puzzle.view.letters if isinstance(puzzle.view, Letters) else ()
    words = [letter for each in letters for letter in each if letter != BLANK]
    return {
        word: {
            "fill": paint.fill, "ink": paint.ink, "mark": paint.mark, "kind": paint.kind, "name": paint.name,
            "wide": paint.wide, "ja": {"name": japanese(paint.name) or paint.name},
        }
        for word, paint in paints(puzzle, words, theme).items()
    }  # fmt: skip


def at(puzzle: Puzzle, model: Model, position: bytes, distances: Distances | None = None) -> Object:
    """Return one position with every move from it; without `distances` all of them are unknown.

    Moves of different names in the list of moves are all told, even if they lead to the same position.
    """
    every = model.ways(position) if puzzle.listed else {to: (path,) for to, path in model.moves(position).items()}
    children = sorted(every)
    asked = [model.settled(position), *children]
    told = [UNKNOWN] * len(asked) if distances is None else list(distances(asked))
    here = told[0]
    return {
        "position": puzzle.id(position),
        "line": puzzle.line(position),
        "symbols": list(position),
        "words": puzzle.shown(position),
        "pieces": puzzle.view.pieces(position),
        "goal": model.is_goal(position),
        **_distance(puzzle, here),
        "moves": [
            {
                "to": puzzle.id(child),
                **_move(puzzle, model, position, child, path),
                **_distance(puzzle, distance),
                "best": bool(here) and here != UNKNOWN and distance == here - model.cost(path),
            }
            for child, distance in zip(children, told[1:], strict=True)
            for path in every[child]
        ],
    }


def moves(puzzle: Puzzle, model: Model, way: Sequence[bytes]) -> list[Object]:
    """Return the moves of a path of positions, as `at` tells them."""
    return [
        {"to": puzzle.id(after), **_move(puzzle, model, before, after, model.moves(before)[after])}
        for before, after in zip(way, way[1:], strict=False)
    ]


def _distance(puzzle: Puzzle, distance: int | None) -> Object:
    if not puzzle.goals:
        return {"distance": None, "state": "none"}
    if distance == UNKNOWN:
        return {"distance": None, "state": "unknown"}
    return {"distance": distance, "state": "lost" if distance is None else "known"}


def _move(puzzle: Puzzle, model: Model, position: bytes, child: bytes, numbers: Sequence[int]) -> Object:
    rules = [model.rules[number] for number in numbers]
    motions = [rule.motion for rule in rules if rule.motion is not None]
    motions = [motion for motion in motions if not motion.free] or motions
    if model.metric.exhausts:
        motions = []
    pushed = len(motions) > 1 and motions[1].target == motions[0].origin
    first, last = (motions[-1], motions[-1]) if pushed else (motions[0], motions[-1]) if motions else (None, None)
    movers, way = puzzle.naming(rules)
    return {
        "name": puzzle.frames((position, child), model, [numbers])[1].name,
        "movers": movers,
        "way": way,
        "steps": [step(puzzle, rule) for rule in rules],
        "cost": model.cost(numbers),
        "piece": first.origin if first is not None else None,
        "target": last.target if last is not None else None,
    }


def step(puzzle: Puzzle, rule: Rule) -> Object:
    """Return one rule's carried contents as [from, to] pairs, and the other cells that it changes."""
    carried = puzzle.carried(rule)
    told = zip(rule.cells, rule.table, outcomes(rule, puzzle.symbols), strict=True)
    changed = [cell for k, (cell, table, (source, pairs)) in enumerate(told)
               if table is not None and (source != k or any(old != new for old, new in pairs))]  # fmt: skip
    if rule.motion is not None:
        ends = {cell for pair in carried for cell in pair}
        block = rule.motion.shape >= 0  # its cells are written one by one, and it does not change
        changed = [] if block else [cell for cell in changed if cell not in ends]
    return {"carry": [list(pair) for pair in carried], "change": changed, "name": rule.name}
