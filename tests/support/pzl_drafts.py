"""Hypothesis strategies for Drafts with every key of a puzzle file."""

from hypothesis import strategies as st

from puzzlespace.formats.pzl_columns import columns, width
from puzzlespace.formats.pzl_values import KNOWN
from puzzlespace.puzzle.draft import CountGoal, Draft, Drawing, Known, ListedMove, Look
from puzzlespace.rules import counts

LETTERS = "abXY019_+=&%$!?\u0301'\"|\\^[]{}┌─箱○é"
SIGNS = ".*#@:()~<>-"


def words(letters, most=3):
    return st.text(st.sampled_from(letters), min_size=1, max_size=most)


SYMBOL = words(LETTERS + SIGNS)
NAME = words(LETTERS + "#.")
MOVE = words(LETTERS + "()~-.'")
CELLS = st.lists(NAME, min_size=1, max_size=4).map(tuple)
PAIRS = st.lists(NAME, min_size=2, max_size=4).map(tuple)
LISTS = st.lists(SYMBOL, max_size=3).filter(lambda found: found != ["all"]).map(tuple)
VISIBLE = st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"])
TEXT = st.text(VISIBLE, max_size=30).map(str.strip)
ITEM = st.text(VISIBLE, max_size=8).map(lambda text: text.replace(",", "").replace(";", "").strip())


@st.composite
def drawings(draw, letters=LETTERS + SIGNS):
    """A drawing of ragged rows, word by word or letter by letter."""
    spaced = draw(st.booleans())
    word = words(letters, 3 if spaced else 1)
    rows = draw(st.lists(st.lists(word, min_size=1, max_size=5).map(tuple), min_size=1, max_size=4))
    if spaced and all(len(row) == 2 and row[1] == "#" for row in rows):
        rows = [row[:1] for row in rows]  # such a drawing is one cell wide
    return Drawing(tuple(rows), spaced)


@st.composite
def boards(draw):
    """A drawing of cell names with their text columns."""
    drawing = draw(drawings(LETTERS + "#."))
    begins = []
    for row in drawing.rows:
        column = draw(st.integers(0, 9))
        begins.append([])
        for word in row:
            begins[-1].append(column)
            column += width(word) + (draw(st.integers(1, 4)) if drawing.spaced else 0)
    return Drawing(drawing.rows, drawing.spaced, columns(begins, drawing))


KNOWN_BOARDS = st.sampled_from([("english33",), ("star13",), ("grid", "4x3"), ("hex", "3"), ("triangle", "5")])
LINES = st.lists(PAIRS, max_size=3).map(tuple)
LINKS = st.lists(st.tuples(NAME, CELLS), max_size=3).map(tuple)
GOALS = st.one_of(
    drawings(),
    st.just("start"),
    st.just(CountGoal(None, 1)),
    st.builds(CountGoal, words(LETTERS.replace("=", "") + SIGNS), st.integers(0, 10**18 - 1)),
)
MOVES = st.one_of(
    st.builds(lambda name, cells: ListedMove(name, "flip", (cells,)), MOVE, CELLS),
    st.builds(lambda name, cells: ListedMove(name, "reverse", (cells,)), MOVE, CELLS),
    st.builds(
        lambda name, cycles, swaps: ListedMove(name, "cycles", tuple(cycles), swaps),
        MOVE,
        st.lists(PAIRS, max_size=3),
        CELLS,
    ),
    st.builds(lambda name, cycle: ListedMove(name, "cycles", (cycle,)), MOVE, PAIRS),
)
SWAPS = st.lists(SYMBOL.filter(lambda symbol: "->" not in symbol), min_size=2, max_size=4).map(tuple)
LOOKS = st.builds(
    Look, SYMBOL, st.sampled_from(["", "navy", "#0af", "#00AAFF"]), ITEM, ITEM, ITEM
).filter(lambda look: look.colour or look.mark or look.glyph or look.name)  # fmt: skip
NUMBERS = st.builds(
    Known,
    st.sampled_from(KNOWN),
    st.integers(0, 10**18 - 1),
    st.booleans(),
    st.sampled_from(["", *counts()]),
    st.sampled_from(["", "article", "A; B, C"]) | TEXT,
)
TAGS = st.sampled_from(["", "ja", "pt-BR", "zh-Hant"])

DRAFTS = st.builds(
    lambda rule, **fields: Draft(rule=rule[0], along=rule[1], **fields),
    st.sampled_from([("slide", False), ("slide", True), ("jump", False), ("apply", False)]),
    titles=st.lists(st.tuples(TAGS, TEXT.filter(bool)), max_size=3, unique_by=lambda title: title[0]).map(tuple),
    by=TEXT,
    source=TEXT,
    note=TEXT,
    count=st.sampled_from(["", *counts()]),
    board=st.none() | KNOWN_BOARDS | boards(),
    lines=LINES,
    links=LINKS,
    diagonals=st.booleans(),
    blocks=st.just("all") | LISTS,
    apart=st.just("all") | LISTS,
    fixed=st.lists(SYMBOL, max_size=3).map(tuple),
    gates=st.none() | drawings(),
    start=st.none() | drawings(),
    goals=st.lists(GOALS, max_size=3).map(tuple),
    moves=st.lists(MOVES, max_size=3).map(tuple),
    swap=st.lists(SWAPS, max_size=3).map(tuple),
    one_way=st.booleans(),
    distinct=st.just("all") | LISTS,
    picture=st.lists(LOOKS, max_size=3, unique_by=lambda look: look.symbol).map(tuple),
    known=st.lists(NUMBERS, max_size=5).map(tuple),
)
