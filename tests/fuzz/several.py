"""Puzzles of several rules: random ones, and what the second readings of the single rules say of them together."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from . import changes_reference, reference
from .worded import Reading, joined, numbers_of

Letters = tuple[str, ...]

CHANGES = (
    "turn: A B / C . -> C A / . B  right", "A . -> . B  right down", "swap: A B -> B A  straight",
    "A -> C  if count A = 2",
    "hop: any . . -> . . any  row", "knight: B . -> . B  knight", "make: a1 . -> D",
    "crate ., crate . -> . crate, . crate  right",
    "count: A any -> A any  right", "gone: B C -> B .  around", "B ... A -> A ... B  row",
)  # fmt: skip
AFTER = ("fall: A . -> . A  down", "melt: C D -> C C  row", "step: B . -> . B  right  once")
LISTED = ("ring: (a1 b1 b2 a2)", "swap: (a1 c1)", "over: reverse a1 b1 c1", "cycle: (a1 b1 c1)")
PIECES = {
    "slide": ("", "fixed: A\n", "fixed: B\n"), "slide along": ("",), "jump": ("", "fixed: C\n"),
    "glide": ("", "edge: forbidden\n", "edge: lost\n", "fixed: A\n"), "push": ("", "pull: yes\n", "fixed: B C\n"),
}  # fmt: skip


def sketched(seed: int) -> tuple[str, list[str]]:
    """A random puzzle, and the text of each of its rules."""
    random = Random(seed)
    width, height = random.choice(((3, 2), (3, 2), (4, 2), (3, 3)))
    rows = [[random.choice("..ABC") for _ in range(width)] for _ in range(height)]
    rows[1][1] = "."
    others = [_pieces(random) for _ in range(random.choice((1, 1, 2)))]
    if random.random() < 0.7:
        moves = random.sample(CHANGES, random.randint(1, 3))
        others.append("rule: change\nmoves:\n  " + "\n  ".join(moves) + "\n")
    elif random.random() < 0.7:
        others.append("rule: apply\nmoves:\n  " + "\n  ".join(random.sample(LISTED, 2)) + "\n"
                      + random.choice(("", "one-way: yes\n")))  # fmt: skip
    parts = list(dict.fromkeys(others))
    random.shuffle(parts)
    if any("push" in part for part in parts):
        rows[0][0] = "@"
    about = _about(random, rows, parts)
    drawing = "start:\n  " + "\n  ".join(" ".join(row) for row in rows) + "\n"
    return "".join(parts) + drawing + about, parts


def _pieces(random: Random) -> str:
    rule = random.choice(list(PIECES))
    return f"rule: {rule}\n{random.choice(PIECES[rule])}"


def _about(random: Random, rows: list[list[str]], parts: list[str]) -> str:
    """The keys about the whole puzzle."""
    names = [reference.grid_name(y, x) for y, row in enumerate(rows) for x in range(len(row))]
    words = ["A", "B", "C", "crate"]
    text = f"kinds: crate = A B C\nplaces: yard = {' '.join(random.sample(names, 2))}\n"
    plain = True, True, True  # no pattern and no 'start' in sentences
    if random.random() < 0.3:
        text += f"forbid: law: {joined(random, words, names, plain)}\n"
    if any("rule: change" in part for part in parts) and random.random() < 0.3:
        text += f"after:\n  {random.choice(AFTER)}\n"
    if random.random() < 0.5:
        return text + f"goal: {joined(random, words, names, plain)}\n"
    goal = [[random.choice("*****.ABC@" if "rule: push" in parts else "*****.ABC") for _ in row] for row in rows]
    return text + "goal:\n  " + "\n  ".join(" ".join(row) for row in goal) + "\n"


class Together:
    """The second readings of all rules. A position is the letter in each cell."""

    def __init__(self, text: str, parts: list[str]) -> None:
        keys = reference.sections(text)
        self.names = reference.make_board(keys).names
        self.drawn = reference.drawn(keys["start"])
        about = "".join(f"{key}: {keys[key][0]}\n" for key in ("kinds", "places"))
        drawing = "start:\n  " + "\n  ".join(keys["start"]) + "\n"
        letters = "every = A B C D" + (" @" if "@" in drawing else "")
        self.others = [part for part in parts if "rule: change" not in part]
        changing = [part for part in parts if "rule: change" in part]
        after = "after:\n  " + "\n  ".join(keys["after"]) + "\n" if "after" in keys else ""
        about = about.replace("kinds: ", f"kinds:\n  {letters}\n  ") if changing else about
        self.changes = [changes_reference.read(part + drawing + about + after) for part in changing]
        said = [f"{key}: {keys[key][0]}\n" for key in ("goal", "forbid") if key in keys and len(keys[key]) == 1]
        plain = about if not changing else "".join(f"{key}: {keys[key][0]}\n" for key in ("kinds", "places"))
        self.words = Reading("rule: slide\ncount: step\n" + drawing.replace("@", "Q") + plain + "".join(said))
        self.words.world.symbols |= {"A", "B", "C", "D"}
        self.goal = reference.symbols(keys["goal"]) if len(keys["goal"]) > 1 else []
        self.pushed = any("rule: push" in part for part in parts)
        start = tuple(reference.symbols(keys["start"]))
        self.start = self.changes[0].start if self.changes else start

    def rows(self, letters: Letters) -> str:
        width = len(self.drawn[0])
        return "\n  ".join(" ".join(letters[at : at + width]) for at in range(0, len(letters), width))

    def moves(self, letters: Letters) -> set[Letters]:
        found: set[Letters] = set()
        for part in self.others:
            found |= {tuple(child) for child in self._moved(part, letters)}
        if self.changes:
            found = {self.changes[0].settled(child) for child in found}
        for change in self.changes:
            found |= {*change.moves(letters)}
        return {child for child in found if child != letters and not any(law(child, {}) for law in self.words.laws)}

    def _moved(self, part: str, letters: Letters) -> Iterator[list[str]]:
        reading = reference.read(f"{part}count: step\nstart:\n  {self.rows(letters)}\n")
        metric = "move" if "rule: push" in part else "piece" if "rule: glide" in part else "step"
        for position in reading.moves(reading.place(letters), metric):
            shown = list(reading.shown(position))
            if "rule: push" in part:
                for player in position[0]:
                    shown[player] = "@"
            yield shown

    def is_goal(self, letters: Letters) -> bool:
        if not self.goal:
            return any(goal(letters, {}) for goal in self.words.goals)
        free = (".", "@") if self.pushed and "@" not in self.goal else (".",)
        return all(want in ("*", has) or (want == "." and has in free)
                   for want, has in zip(self.goal, letters, strict=True))  # fmt: skip

    def numbers(self, most: int) -> dict[str, int | None] | None:
        return numbers_of(self.start, self.moves, self.is_goal, most)
