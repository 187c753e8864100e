"""Random PuzzleScript games: all kinds of rules over a few objects, on small boards."""

from random import Random

HEAD = """title random
{prelude}
OBJECTS
Background
black

Player
blue

Crate
red

Wall
brown

Rock
gray

Dot
white

Mark
green

Gem
pink

LEGEND
. = Background
p = Player
c = Crate
# = Wall
r = Rock
d = Dot
m = Mark
g = Gem
x = Crate and Mark
y = Player and Gem
Both = Rock and Dot
Solid = Crate or Wall or Rock
Thing = Mark or Crate
Small = Mark or Gem

SOUNDS

COLLISIONLAYERS
Background
Dot
Mark, Gem
Player, Crate, Wall, Rock

RULES
{rules}

WINCONDITIONS
{wins}

LEVELS
{levels}
"""

NAMES = ["Player", "Crate", "Wall", "Rock", "Dot", "Mark", "Gem", "Solid", "Thing", "Small", "Both"]
MOVES = ["^", "v", "<", ">", "up", "down", "left", "right", "moving", "stationary", "no", "horizontal", "vertical",
         "perpendicular", "parallel", "orthogonal", "action"]  # fmt: skip
WINS = ["", "no Gem", "some Crate on Dot", "all Rock on Both", "all Dot on Solid", "some Thing\nno Mark"]
PREFIXES = ["up", "down", "left", "right", "horizontal", "vertical", "up right", "left down"]
COMMANDS = ["again", "again", "cancel", "restart", "win", "checkpoint", "sfx0"]


def random_game(draw: Random) -> str:
    rules = [_rule(draw) for _ in range(draw.randint(1, 4))]
    for number in range(1, len(rules)):
        if draw.random() < 0.25:
            rules[number] = f"+ {rules[number]}"
    if draw.random() < 0.2:
        rules = ["startloop", *rules, "endloop"]
    if draw.random() < 0.7:
        rules.insert(draw.randrange(len(rules) + 1), "[ > Player | Crate ] -> [ > Player | > Crate ]")
    prelude = [
        word for word in ("run_rules_on_level_start", "require_player_movement", "noaction") if draw.random() < 0.12
    ]
    wins = draw.choice(WINS)
    levels = "\n\n".join(_board(draw) for _ in range(draw.randint(1, 2)))
    return HEAD.format(prelude="\n".join(prelude), rules="\n".join(rules), wins=wins, levels=levels)


def _board(draw: Random) -> str:
    width, height = draw.randint(2, 6), draw.randint(2, 5)
    rows = [[draw.choice("....pcc#rdmgxy") for _ in range(width)] for _ in range(height)]
    rows[draw.randrange(height)][draw.randrange(width)] = "p"
    return "\n".join("".join(row) for row in rows)


def _rule(draw: Random) -> str:
    late = draw.random() < 0.2
    prefix = " ".join(
        word for word in (
            "late" * late, "rigid" * (not late and draw.random() < 0.15),
            draw.choice(PREFIXES) * (draw.random() < 0.4),
        ) if word
    )  # fmt: skip
    left: list[str] = []
    right: list[str] = []
    for _ in range(draw.choice([1, 1, 1, 2, 2, 3])):
        pairs = [_cells(draw, late) for _ in range(draw.choice([1, 2, 2, 3]))]
        if len(pairs) > 1 and draw.random() < 0.15:
            pairs.insert(draw.randint(1, len(pairs) - 1), ("...", "..."))
        left.append("[ " + " | ".join(each for each, _ in pairs) + " ]")
        right.append("[ " + " | ".join(each for _, each in pairs) + " ]")
    commands = draw.choice(COMMANDS) * (draw.random() < 0.3)
    if commands and draw.random() < 0.3:
        return f"{prefix} {' '.join(left)} -> {commands}".strip()
    return f"{prefix} {' '.join(left)} -> {' '.join(right)} {commands}".strip()


def _cells(draw: Random, late: bool) -> tuple[str, str]:
    """Return a cell of the left side, and what becomes of it: often nearly the same."""
    here = [(_move(draw, late), draw.choice(NAMES)) for _ in range(draw.choice([0, 1, 1, 1, 2]))]
    there = [(move if draw.random() < 0.6 else _move(draw, late), name) for move, name in here if draw.random() < 0.8]
    if draw.random() < 0.25:
        there.append((_move(draw, late), draw.choice(NAMES)))
    return tuple(" ".join(f"{move} {name}".strip() for move, name in side) for side in (here, there))


def _move(draw: Random, late: bool) -> str:
    if draw.random() < 0.5:
        return ""
    return "no" if late else draw.choice(MOVES)
