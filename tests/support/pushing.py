"""A small game of pushing, and parts of it that tests exchange."""

GAME = """title Two crates
author A tester
{prelude}
OBJECTS
Background .
black

Wall #
brown

Player p
blue

Crate *
orange
.000.
0...0
0...0
0...0
.000.

Target o
yellow

LEGEND
@ = Crate and Target
q = Player and Target
Solid = Wall or Crate

SOUNDS

COLLISIONLAYERS
Background
Target
Wall, Player, Crate

RULES
{rules}

WINCONDITIONS
{wins}

LEVELS
{levels}
"""

LEVELS = """#######
#p*.o.#
#.....#
#######

message well done

######
#p.*o#
######

#####
#p*##
#..o#
#####
"""


def game(rules="[ > Player | Crate ] -> [ > Player | > Crate ]", wins="all Crate on Target", levels=LEVELS, prelude=""):
    return GAME.format(rules=rules, wins=wins, levels=levels, prelude=prelude)
