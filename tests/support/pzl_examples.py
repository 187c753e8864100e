"""The articles' puzzles as puzzle files, one string each."""

HEXAGRAM = """\
title: Hexagram slide
title[ja]: スライドパズル「六芒星」
rule: slide
board:
            0
      1   2   3   4
        5   6   7
      8   9  10  11
           12
lines:
  0-2-5-8 0-3-7-11 1-2-3-4
  8-9-10-11 1-5-9-12 4-7-10-12
  5-6-7 2-6-10 3-6-9
start:
            B
      B   B   B   B
        B   .   W
      W   W   W   W
            W
goal:
            W
      W   W   W   W
        W   .   B
      B   B   B   B
            B
known: states 12012, depth 30, hardest 7,
       solution 30
"""

STAR = """\
title: 13-hole peg solitaire
rule: jump
count: chain
diagonals: yes
start:
  # # o # #
  # o o o #
  o o . o o
  # o o o #
  # # o # #
goal:
  # # . # #
  # . . . #
  . . o . .
  # . . . #
  # # . # #
known: solution 7
"""

EIGHT = """\
title: 8-puzzle
rule: slide
start:
  8 6 7
  2 5 4
  3 . 1
goal:
  1 2 3
  4 5 6
  7 8 .
known: states 181440, depth 31, hardest 2,
       solution 31
"""

LINE = """\
title: Line puzzle
rule: slide
start:
  J I L
  - . -
  7 I r
goal:
  r - 7
  I . I
  L - J
known: states 90720, depth 30, hardest 6, solution 30
"""

GOAT = """\
title: Goat
rule: slide
blocks: A            ; the two-cell piece
count: step
start:
  r - A A
  I . D G
  L - J W
goal:
  r - A A
  I G D .
  L - J W
known: states 5443200, depth 52, hardest 7, solution 20
"""

NO_OFF = """\
title: NO-OFF
rule: slide
blocks: @            ; the light bulb
count: step
start:
  @ @ O N
  O F F .
goal:
  @ @ N O
  O F F .
known: states 540, depth 56, hardest 3, solution 44
"""

FLIP = """\
title: Line flip 3x3
rule: apply
swap: x <-> o
board:
  a b c
  d e f
  g h i
moves:
  row1: flip a b c
  row2: flip d e f
  row3: flip g h i
  col1: flip a d g
  col2: flip b e h
  col3: flip c f i
start:
  x o x
  o x x
  x x x
goal:
  o o o
  o o o
  o o o
known: states 192, depth 7, hardest 8, solution 7
"""

KLOTSKI = """\
title: Klotski, 箱入り娘
rule: slide
blocks: all
count: piece     ; 81; run 90; step 116
start:
  ABBC
  ABBC
  DEEF
  DGHF
  I..J
goal:
  ****
  ****
  ****
  *BB*
  *BB*
known: states 25955, solution 81
"""

EVERY_KEY = """\
; a comment
title: "Quoted; ""with"" marks"
title[pt-BR]: Título
by: A. N. Author
source: somewhere ; not this
note: two rows
  are one text
rule: slide along
count: run
board: grid 4x1
links:
  a1: b1
  b1: c1 d1
diagonals: yes
blocks: A, B
apart: B
fixed: # W
gates: A * * *
start: A B . W
goal: count A = 1
goal 2: any one peg
goal 10: start
goal 3:
  A B * W
moves:
  turn: (a1 b1)(c1 d1) ~a1 ~b1
  over: flip a1 b1
  back: reverse a1 b1 c1
swap: A <-> B, c -> d -> e -> c
one-way: yes
distinct: all
picture:
  A: colour navy, mark x, glyph ●, name the first
  :: colour #0af
known:
  states 5, from start depth 3, hardest 2 in run ; one; two
  solution 3, solutions 4
pieces:
  A 2x1 | oo/o.: 2 or more
  any  connected up to 4 cells: 0 - 3
blanks: 2
walls: X ? . .
put: on next larger of another colour, on empty: A red
put 2: never on empty
take: several in reverse
take 12: none
between: 1-2, 2>3
order: A = B c
colours:
  red = A B
  black = c
"""

ARTICLES = {
    "hexagram": HEXAGRAM,
    "star": STAR,
    "eight": EIGHT,
    "line": LINE,
    "goat": GOAT,
    "no-off": NO_OFF,
    "flip": FLIP,
    "klotski": KLOTSKI,
}
