"""What the editor of the page says and offers for a rule kind, in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Help:
    """The meaning of a key of puzzle files, with words of the file between backquotes, and an example of its rows."""

    meaning: str
    example: str


@dataclass(frozen=True)
class Tool:
    """A rule kind in the drawing tool and in the help of the editor.

    title    what moves, in a few words, for the list of rule kinds; '' for the word after `rule:`
    meaning  the rule in a sentence, for the help of `rule:`
    along    both for the rule with `along`, if the kind has this key
    peg      the symbol of the pegs, if pieces are pegs in holes, goals may be 'any one peg', and no piece is made
    help     for keys that the kind reads in its own way
    """

    title: str = ""
    meaning: str = ""
    along: tuple[str, str] = ("", "")
    peg: str = ""
    help: Mapping[str, Help] = field(default_factory=dict[str, Help], hash=False)


NO_TOOL = Tool()
