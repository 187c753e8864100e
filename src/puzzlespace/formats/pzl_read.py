"""From the keys and rows of a puzzle file to a Draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Any, NoReturn

from .. import rules
from ..errors import FormatError, InputError, Word
from ..puzzle import board
from ..puzzle.draft import CHANGES, NOTHING, PART_KEYS, CountGoal, Draft, Drawing
from ..puzzle.full_width import told
from ..puzzle.puzzle import RuleKind
from ..puzzle.words import did_you_mean, shown, words
from .pzl_columns import begins, columns
from .pzl_doubts import check_no_key, check_no_sentence, is_sentence, keys_in_comments, keys_in_text
from .pzl_plain import plain_forms
from .pzl_rows import QUOTED, TEXTS, Entry, Row, entries
from .pzl_stacks import BY_ROW, SYMBOL_LISTS, by_row
from .pzl_values import blanks, known, links, moves, number, picture, pieces, swap

EDGES = ("stops", "forbidden", "lost")
COUNT = r"count\s+(\S+?)\s*=\s*([^\s=]+)"
GOAL_FORM = re.compile(rf"any\s+\S|any\s+one\s+peg|{COUNT}")
"""Goals in words that are no sentences."""
IN_NAMES = "-:/()~"
"""Characters that a cell's name may not have, because they have a meaning in the keys that use names."""


def read(text: str) -> Draft:
    """Return the Draft of a puzzle file's text. Raises FormatError with line and column."""
    plain = plain_forms(text)
    found = entries(text, plain)
    if not found:
        raise FormatError("expected a puzzle, found an empty file")
    groups = _by_rule(found)
    kinds = [_kind(group) for group in groups]
    said = next((kind for kind in kinds if kind is not None and kind.patterns), kinds[0])
    main, *others = [_values(group, kind, said) for group, kind in zip(groups, kinds, strict=True)]
    symbols = {*(main["start"].words if "start" in main else ())}
    symbols |= {word for each in (main, *others) for word in chain(*each.get("swap", ()))}
    moves = (row for each in (main, *others) for row in each.get("changes", {}).get("moves", ()))
    symbols.update(word for row in moves for word in _after_arrow(row))
    goals = sorted((entry for entry in found if entry.key == "goal"), key=lambda each: int(each.tag))
    main["goals"] = tuple([_goal_of(entry, symbols, said, "start" in main) for entry in goals])
    if "rule" not in main:
        wanted = _either([f"'rule: {kind.name}'" for kind in rules.RULES])
        raise FormatError.at(found[0].key, f"expected a line {wanted}, found none")
    parts = tuple([Draft(**each, places=_places(group, ())) for each, group in zip(others, groups[1:], strict=True)])
    in_texts = (doubt for entry in found for doubt in keys_in_text(entry))
    doubts = (*told(text, plain), *in_texts, *keys_in_comments(plain, found))
    return Draft(**main, parts=parts, places=_places(groups[0], goals), diagnostics=doubts)


def _by_rule(found: Sequence[Entry]) -> list[list[Entry]]:
    """Return the entries of each rule; those that are about the whole puzzle are with the first one."""
    groups: list[list[Entry]] = [[]]
    for entry in found:
        if entry.key == "rule" and any(each.key == "rule" for each in groups[0]):
            groups.append([])
        groups[-1 if entry.key in PART_KEYS or entry.key == "rule" else 0].append(entry)
    return groups


def _kind(entries: Sequence[Entry]) -> RuleKind | None:
    return next((rules.kind_of(entry.words[0]) for entry in entries if entry.key == "rule"), None)


def _values(entries: Sequence[Entry], kind: RuleKind | None, said: RuleKind | None) -> dict[str, Any]:
    """Return the fields of a draft for some entries, without its goals.

    kind  the kind of their rule
    said  the kind that says what is about the whole puzzle
    """
    values: dict[str, Any] = {}
    titles: list[tuple[str, str]] = []
    patterns, free = (each is not None and each.patterns for each in (kind, said))
    for entry in entries:
        if entry.key == "title":
            titles.append((entry.tag, _text(entry)))
        elif entry.key == "goal":
            continue
        elif entry.key == "rule":
            values["rule"], values["along"] = _rule(entry)
        elif entry.key in BY_ROW:
            values[entry.key] = (*values.get(entry.key, ()), by_row(entry))
        elif entry.key == "blocks":
            values["blocks"], values["single"] = _blocks(entry)
        elif entry.key in CHANGES and (patterns or entry.key != "moves"):
            values.setdefault("changes", {})[str(entry.key)] = tuple(row.text for row in entry.rows)
        elif entry.key == "board" and free:
            values["board"] = _free_board(entry)
        else:
            values[entry.key.replace("-", "_")] = READERS[entry.key](entry)
    return {**values, "titles": tuple(titles)}


def _goal_of(entry: Entry, symbols: Set[str], kind: RuleKind | None, begun: bool) -> Drawing | CountGoal | Word:
    """Return a goal; one in words is a sentence if the rule kind has sentences, or one of the forms of `_goal`.

    begun  whether the start is drawn: without it, only patterns say which pieces there are
    """
    sentences = kind is not None and kind.sentences
    said = kind is not None and sentences and (kind.patterns or begun) and is_sentence(entry, symbols)
    if kind is not None and said and (kind.patterns or not GOAL_FORM.fullmatch(entry.rows[0].text)):
        return entry.rows[0].text
    return _goal(entry, symbols, sentences)


def _places(found: Sequence[Entry], goals: Sequence[Entry]) -> dict[str, str]:
    """Return the place of the value of each key, as `Draft.places` has it; `goals` are in their order."""
    places: dict[str, str] = {entry.key.replace("-", "_"): entry.words[0] for entry in found if entry.key != "goal"}
    if "rule" in places:
        places["along"] = next(entry for entry in found if entry.key == "rule").words[-1]
    if "blocks" in places:
        places["single"] = places["blocks"]
    return places | {f"goal {number}" if number > 1 else "goal": goal.words[0] for number, goal in enumerate(goals, 1)}


def _text(entry: Entry) -> str:
    """Return a text for people, its rows joined by spaces, without quotes."""
    parts: list[str] = []
    for row in entry.rows:
        match = QUOTED.fullmatch(row.text)
        parts.append(match[1].replace('""', '"').strip() if match else str(row.text))
    text = " ".join(filter(None, parts))
    if not text:
        raise FormatError.at(entry.rows[0].text, f"expected a value after {entry.key}:, found {entry.rows[0].text}")
    return text


def _rule(entry: Entry) -> tuple[Word, bool]:
    kind, *rest = entry.words
    known_lines, written = rules.lines(), " ".join([kind, *rest])
    if written not in known_lines:
        other = rules.kind_of(kind)
        known_lines = (*known_lines, *(rules.lines_of(other) if other is not None else ()))
    if written not in known_lines:
        _wrong(_either(known_lines), kind, written, known_lines)
    return kind, bool(rest)


def _either(words: Sequence[str]) -> str:
    """Return 'a, b or c'."""
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _wrong(wanted: str, place: Word, found: str, known_words: tuple[str, ...]) -> NoReturn:
    """Raise the error for an unknown word, with the nearest known word as a hint if it is similar."""
    raise FormatError.at(place, f"expected {wanted}, found {shown(found)}", did_you_mean(found, known_words))


def _count(entry: Entry) -> Word:
    word, *rest = entry.words
    names = rules.counts()
    if rest or not rules.counted(word):
        _wrong(_either(names), word, " ".join([word, *rest]), names)
    return word


def _edge(entry: Entry) -> Word:
    word, *rest = entry.words
    if rest or word not in EDGES:
        _wrong(_either(EDGES), word, " ".join([word, *rest]), EDGES)
    return word


def _ground(entry: Entry) -> tuple[Word, ...]:
    """Return the rows as they are drawn, with their spaces."""
    if entry.inline:
        raise FormatError.at(
            entry.rows[0].text, f"expected the drawing in the rows below ground:, found {shown(entry.rows[0].text)}"
        )
    return tuple(row.text for row in entry.rows)


def _yes(entry: Entry) -> bool:
    word, *rest = entry.words
    if rest or word not in ("yes", "no"):
        raise FormatError.at(word, f"expected yes or no, found {shown(' '.join([word, *rest]))}")
    return word == "yes"


def _blocks(entry: Entry) -> tuple[Word | tuple[Word, ...], bool]:
    """Return the symbols of `blocks:`, and whether the file says that there are none."""
    found = _all_or_symbols(entry)
    return ((), True) if found == ("none",) else (found, False)


def _symbols(entry: Entry) -> tuple[Word, ...]:
    """Return a list of symbols, separated by spaces or commas."""
    found = tuple(word for row in entry.rows for word in words(row.text, r"[^\s,]+"))
    if not found:
        raise FormatError.at(entry.rows[0].text, f"expected symbols after {entry.key}:, found {entry.rows[0].text!r}")
    return found


def _all_or_symbols(entry: Entry) -> Word | tuple[Word, ...]:
    found = _symbols(entry)
    return found[0] if found == ("all",) else found


def _drawing_rows(rows: tuple[Row, ...]) -> list[Word]:
    """Return the rows of a drawing; '/' ends a row. Raises FormatError if a row has a key instead of symbols."""
    found: list[Word] = []
    for row in rows:
        check_no_key(row.text)
        pieces = words(row.text, "[^/]*/|[^/]+$")
        for piece in pieces:
            line = words(piece, r"[^\s/](?:[^/]*[^\s/])?")
            if not line:
                raise FormatError.at(piece, f"expected symbols before '/', found {shown(piece)}")
            found.append(line[0])
        if row.text.endswith("/"):
            raise FormatError.at(pieces[-1], "expected symbols after '/', found the end of the row")
    return found


def _drawing(entry: Entry) -> Drawing:
    return _drawn(_drawing_rows(entry.rows))


def _drawn(rows: list[Word]) -> Drawing:
    """Return the drawing of rows; if every row is a word and '#', the drawing is one cell wide."""
    spaced = any(len(row.split()) > 1 for row in rows)
    found = tuple(tuple(words(row, _word(spaced))) for row in rows)
    if spaced and all(len(row) == 2 and row[1] == NOTHING for row in found):
        found = tuple(row[:1] for row in found)
    return Drawing(found, spaced)


def _after_arrow(row: str) -> set[str]:
    """Return the words of a row of moves that may be symbols which no drawing of the start has."""
    return {*row.partition("->")[2].partition(" if ")[0].split()} - {"any"}


def _goal(entry: Entry, symbols: Set[str], sentences: bool) -> Drawing | CountGoal | Word:
    """Return a drawing, or the meaning of one of the forms in words; `symbols` are known, and no words of sentences."""
    row = entry.rows[0].text
    if len(entry.rows) > 1:
        return _drawing(entry)
    if row == "start":
        return row
    if entry.inline and re.fullmatch(r"any\s+\S", row):
        return row  # any place of a piece, beside `pieces:`
    if row.split() == ["any", "one", "peg"]:
        return CountGoal(None, 1)
    if (entry.inline and row.split()[0] in ("count", "any")) or re.match(r"count\s.*=", row):
        return _count_goal(row)
    check_no_sentence(row, symbols, sentences)
    return _drawing(entry)


def _count_goal(row: Word) -> CountGoal:
    match = re.fullmatch(COUNT, row)
    if match is None:
        raise FormatError.at(row, f"expected 'count SYMBOL = NUMBER' or 'any one peg', found {shown(row)}")
    symbol, count = (Word(match[k], row.line, row.column + match.start(k)) for k in (1, 2))
    return CountGoal(symbol, number(count))


def _free_board(entry: Entry) -> Drawing | tuple[Word, ...]:
    """Return a board, which may also be one row of cells beside the key."""
    if len(entry.rows) == 1 and entry.words[0] not in board.KNOWN:
        return _board(replace(entry, inline=False))
    return _board(entry)


def _board(entry: Entry) -> Drawing | tuple[Word, ...]:
    """Return the names of a known board written beside the key, or the drawing below it with its text columns."""
    if entry.inline:
        return _named_board(entry)
    drawing = _drawn([row.text for row in entry.rows])
    for word in drawing.words:
        if bad := next((sign for sign in IN_NAMES if sign in word), ""):
            raise FormatError.at(word, f"expected a cell's name without {bad!r}, found {shown(word)}")
    pattern = _word(drawing.spaced)
    where = [begins(row.lead, row.drawn, pattern) for row in entry.rows]
    where = [here[: len(row)] for here, row in zip(where, drawing.rows, strict=True)]
    drawn = [tuple(re.findall(pattern, row.drawn))[: len(here)] for row, here in zip(entry.rows, where, strict=True)]
    return replace(drawing, columns=columns(where, Drawing(tuple(drawn), drawing.spaced)))


def _word(spaced: bool) -> str:
    """Return the pattern of a drawing's words."""
    return r"\S+" if spaced else "."


def _named_board(entry: Entry) -> tuple[Word, ...]:
    found = tuple(words(entry.rows[0].text))
    if len(entry.rows) > 1:
        below = entry.rows[1].text
        raise FormatError.at(below, f"expected nothing after the board {shown(' '.join(found))}, found {shown(below)}",
                             "a board that is drawn begins in the row below 'board:'")  # fmt: skip
    try:
        board.named(found)
    except InputError as error:
        raise FormatError.at(found[0], str(error).removeprefix("board: "),
                             "a board that is drawn begins in the row below 'board:'") from None  # fmt: skip
    return found


def _lines(entry: Entry) -> tuple[tuple[Word, ...], ...]:
    """Return the chains `0-2-5-8` as tuples of cell names."""
    chains: list[tuple[Word, ...]] = []
    for word in entry.words:
        cells = words(word, "[^-]+")
        if len(cells) < 2 or len(cells) != word.count("-") + 1:
            hint = "a chain is one word, without spaces" if word in ("-", "--", "->") else ""
            raise FormatError.at(word, f"expected a chain of cells such as 0-2-5, found {shown(word)}", hint)
        chains.append(tuple(cells))
    return tuple(chains)


READERS: dict[str, Callable[[Entry], Any]] = {
    **dict.fromkeys([key for key in TEXTS if key != "title"], _text),
    "count": _count,
    "board": _board,
    "lines": _lines,
    "links": links,
    "diagonals": _yes,
    "apart": _all_or_symbols,
    "fixed": _symbols,
    "gates": _drawing,
    "edge": _edge,
    "ground": _ground,
    "passing": _yes,
    "anywhere": _yes,
    "pull": _yes,
    "tilt": _yes,
    "start": _drawing,
    "moves": moves,
    "swap": swap,
    "one-way": _yes,
    "distinct": _all_or_symbols,
    "picture": picture,
    "known": known,
    "pieces": pieces,
    "blanks": blanks,
    "walls": _drawing,
    **SYMBOL_LISTS,
}


def choices() -> dict[str, tuple[str, ...]]:
    """Return for each key whose values are few what can be written after it, for boards and goals as examples."""
    yes = [key for key, reader in READERS.items() if reader is _yes]
    return {
        "rule": rules.lines(),
        "count": rules.counts(),
        "board": (*board.GRIDS, "triangle15", "grid 4x4", "hex 3", "triangle 5"),
        "edge": EDGES,
        "blocks": ("all", "none"),
        "goal": ("start", "any one peg", "count o = 1"),
        **dict.fromkeys(yes, ("yes", "no")),
        **dict.fromkeys([key for key, reader in READERS.items() if reader is _all_or_symbols], ("all",)),
    }


def symbol_keys() -> list[str]:
    """Return the keys whose values are lists of symbols."""
    return ["blocks", *(key for key, reader in READERS.items() if reader in (_symbols, _all_or_symbols))]
