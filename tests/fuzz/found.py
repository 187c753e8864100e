"""Shrunk puzzles on which random tests found faults, by the class of the fault."""

PUZZLES: dict[str, str] = {
    "pieces that come to a place along several lines": """\
board:
  c4
  c1
  c2 c0
  c3
rule: slide
lines:  c3-c0-c2-c1-c4-c3 c3-c2-c1-c4 c3-c2-c0 c1-c0-c4-c2-c3
count: run
start:
  .
  1
  . 2
  .
goal:
  2
  .
  .1
  .
""",
    "the stack of a search grows while the last move of a frame is tried": """\
rule: slide
count: piece
board:
  c0 c2
  c3 c1
lines:
  c3-c1
  c3-c1-c2-c0
start:
  . 1
  2 .
goal:
  1 .
  2 .
""",
    "patterns of a puzzle in which nothing moves that a group can have": """\
rule: slide
blocks: A
count: step
start:
  A
  A
  A
  .
goal: start
""",
    "a piece that cannot come to its place in the goal": """\
rule: slide
board:
  a d b c e
lines: e-c-b-a
count: step
start: . C A C B
goal: A . C B C
""",
    "no goal position, and goals that are not listed": """\
rule: slide along
blocks: all
count: run
start: . . / . E / C B / F F / F A / F D
goal: count F = 5
""",
    "no pegs": """\
rule: jump
count: chain
start: . . . .
""",
    "a count of a block's cells": """\
rule: slide
blocks: A B C D
count: piece
start:
  C B . D
  C B . A
goal: count B = 2
""",
    "like pieces of one cell, some of them letters of their own": """\
rule: slide
blocks: A B
count: step
start:
  . E A
  E B B
goal:
  * * *
  * B B
""",
    "more symmetries than are gone through": """\
rule: slide
count: step
board:
  a b c d e f g h i
links:
  a: b
start: 1 . 2 3 4 5 6 7 8
goal: . 1 * * * * * * *
""",
    "fewer orders of the pieces than there might be": """\
rule: slide
count: step
board:
  a b c d
lines: a-b-c-d
start: 1 . 2 .
goal: . 1 . 2
""",
    "two pegs, either of which jumps over the other into one hole": """\
rule: jump
count: step
board:
  b a c
lines: a-c-b-a a-c
start: o . o
goal: any one peg
""",
    "many kinds of pegs, and one peg as the goal": """\
rule: jump
count: step
board: triangle 4
start:
  x
  . y
  y y x
  o . . o
goal: any one peg
""",
}
