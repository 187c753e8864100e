"""Every spelling of a level is the same puzzle; no damage makes another level in silence; FILE#n is the n-th level."""

import csv
from random import Random

import pytest

import random_levels
import spelled
from places import DATA
from puzzlespace.api.loader import from_text, load
from puzzlespace.errors import FormatError
from puzzlespace.formats import format_of
from puzzlespace.formats.sokoban import FORMAT, levels_of, numbered

with open(DATA / "sokoban.csv") as file:
    MICROBAN = [line["level"].replace("-", " ").split("/") for line in csv.DictReader(file)]
"""Microban by David W. Skinner."""


def parse(text):
    return FORMAT.parse(text, "x.xsb")


def test_microban_has_155_levels():
    assert len(MICROBAN) == 155


@pytest.mark.parametrize("spelling", spelled.SPELLINGS, ids=lambda each: each.__name__)
def test_every_spelling_of_microban_is_the_same_puzzle(spelling):
    random = Random(1)
    for rows in MICROBAN:
        plain, other = parse("\n".join(rows)), spelling(random, rows)
        assert spelled.read(plain) == spelled.drawn(rows)
        assert parse("\n".join(other)) == plain, other


def test_spellings_together_and_texts_around_them(tmp_path):
    random = Random(2)
    for number, rows in enumerate(random.sample(MICROBAN, 40)):
        plain, other = parse("\n".join(rows)), rows
        for spelling in spelled.SPELLINGS:
            other = spelling(random, other) if random.random() < 0.5 else other
        before = random.choice(([], ["; J\xe9r\xf4me"], ["'A title'"], ["Level 3", ""], ["7", ""], ["Title: One"]))
        after = random.choice(([], ["rrdd"], ["lurd" * 9, "RR"], ["", "dull"], ["'A title'"], ["Title: One"]))
        file = tmp_path / f"{number}.xsb"
        file.write_bytes("\n".join([*before, *other, *after]).encode("latin-1"))
        found = load(str(file)).draft
        assert (found.start, found.goals) == (plain.start, plain.goals), file.read_bytes()
        assert not {found.by, *(title for _, title in found.titles)} & {"rrdd", "dull", "RR"}
        assert format_of("x.txt", "\n".join([*before, *other, *after])) is FORMAT


def answer(form, text):
    """The level that is read, or the error."""
    try:
        return spelled.read(form.parse(text, "x.sok"))
    except FormatError as error:
        return error


def damaged(random, rows):
    """A level with one line or one sign changed."""
    rows = list(rows)
    row = random.randrange(len(rows))
    column = random.randrange(len(rows[row]))
    kind = random.choice(("sign", "sign", "sign", "drop", "insert", "blank", "text", "cut", "lose", "swap", "twice"))
    if kind == "sign":
        sign = random.choice("#@$.*+ -_pPbBx?\t|5")
        rows[row] = rows[row][:column] + sign + rows[row][column + 1 :]
    elif kind == "drop":
        rows[row] = rows[row][:column] + rows[row][column + 1 :]
    elif kind == "insert":
        rows[row] = rows[row][:column] + random.choice("#@$. ") + rows[row][column:]
    elif kind in ("blank", "text"):
        rows.insert(row, "" if kind == "blank" else random.choice(("; hello", "Level 2", "rrdd", "3", "---", "B")))
    elif kind == "cut":
        rows[row] = rows[row][:column]
    elif kind == "lose":
        del rows[row]
    elif kind == "twice":
        rows.insert(row, rows[row])
    else:
        rows[row], rows[row - 1] = rows[row - 1], rows[row]
    return rows


def meant(rows):
    """The levels that damaged rows can mean: that of all lines; without lines at its ends that are no rows."""
    while rows and not set(rows[0]) & {"#"}:
        rows = rows[1:]
    while rows and not set(rows[-1]) & {"#"}:
        rows = rows[:-1]
    return spelled.drawn(rows)


def test_a_damaged_level_is_the_level_as_drawn_or_an_error_with_its_line():
    random = Random(3)
    read = refused = 0
    for seed in range(3000):
        rows = random_levels.level(Random(seed % 300)).splitlines() if seed % 2 else random.choice(MICROBAN)
        rows = damaged(random, rows)
        text = "\n".join(rows)
        found = answer(FORMAT, text)
        if isinstance(found, FormatError):
            assert found.line, text
            refused += 1
        else:
            assert found == meant(rows), text
            read += 1
    assert read > 600
    assert refused > 600


def small(random):
    """A random level in which the player can come to a goal."""
    while True:
        rows = random_levels.level(random).splitlines()
        if spelled.drawn(rows) is not None:
            return rows


def pack(random, count):
    """The text of a collection, and its levels as rows."""
    levels = [random.choice(MICROBAN) if random.random() < 0.5 else small(random) for _ in range(count)]
    lines = random.choice(([], ["A collection", ""], ["; J\xe9r\xf4me", ""], ["Title: Some", ""]))
    for number, rows in enumerate(levels, 1):
        shown = rows
        for spelling in spelled.SPELLINGS:
            shown = spelling(random, shown) if random.random() < 0.3 else shown
        lines = [*lines, *shown, *spelled.between(random, number + 1)]
    return lines, levels


def test_each_number_is_the_level_that_was_drawn_there(tmp_path):
    random = Random(4)
    for number in range(25):
        lines, levels = pack(random, random.randint(2, 9))
        file = tmp_path / f"{number}.sok"
        file.write_bytes("\n".join(lines).encode("latin-1"))
        text = "\n".join(lines)
        assert len(levels_of(text)) == len(levels), text
        for at, rows in enumerate(levels, 1):
            assert spelled.read(load(f"{file}#{at}").draft) == spelled.drawn(rows), text
        with pytest.raises(FormatError, match=f"expected the number of a level from 1 to {len(levels)}, found"):
            load(f"{file}#{len(levels) + 1}")


def test_a_damaged_level_of_a_collection_leaves_the_numbers_of_the_others():
    random = Random(5)
    wrong = 0
    for _ in range(400):
        levels = [small(random) for _ in range(4)]
        hurt = random.randrange(4)
        broken = damaged(random, levels[hurt])
        gap = random.choice(([""], ["", "; x"], ["; x"], ["", "Level 1", ""]))
        lines = []
        for number, rows in enumerate(levels):
            lines += [*(broken if number == hurt else rows), *gap]
        text = "\n".join(lines)
        for number, rows in enumerate(levels):
            found = answer(numbered(number + 1), text)
            if isinstance(found, FormatError):
                assert (number, bool(found.line)) == (hurt, True), text
                assert found.problem.startswith(f"level {number + 1}: "), text
                wrong += 1
            else:
                assert found == (meant(broken) if number == hurt else spelled.drawn(rows)), text
    assert wrong > 100


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("'One'\n{0}\n'Two'\n{1}", ["One", "Two"]),
        ("{0}'One'\n\n{1}'Two'\n", ["One", "Two"]),
        ("{0}\n; One\n\n{1}\n; Two\n", ["One", "Two"]),
        ("Level 1\n\n{0}\nLevel 2\n\n{1}", ["Level 1", "Level 2"]),
        ("; 1\n'One'\n{0}rrdd\n\n; 2\n'Two'\n{1}lluu\n", ["One", "Two"]),
        ("Level 1\n'One'\n\n{0}Level 2\n'Two'\n\n{1}", ["One", "Two"]),
        ("Title: All\n\n{0}Title: One\n\n{1}Title: Two\n", ["One", "Two"]),
        ("Title: One\n{0}\nTitle: Two\n{1}", ["One", "Two"]),
        ("Title: All\nAuthor: A\n\n; 1\n{0}\n; 2\n{1}", ["1", "2"]),
        ("{0}Title: One\nComment:\nnot a title\nComment-End:\n\n{1}Title: Two\nDifficulty: 3\n", ["One", "Two"]),
        ("{0}\nrrdd\n\n{1}\nSolution\ndull\n", ["", ""]),
        ("1\n{0}\n#2\n{1}", ["1", "#2"]),
        ("------\n{0}------\n{1}", ["", ""]),
    ],
)
def test_titles_belong_to_their_levels(text, titles):
    levels = ["#####\n#@$.#\n#####\n", "####\n#@+#\n####\n".replace("@+", "+$")]
    assert [level.said.title for level in levels_of(text.format(*levels))] == titles


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("5#|0#|#@$.#|5#", "x.xsb:1:5: expected a number from 1 before '#', found 0"),
        ("5#|()|#@$.#|5#", "x.xsb:1:5: expected a sign between '(' and ')', found none"),
        ("9999(9999#)|#@$.#|5#", "x.xsb:1:11: expected at most 16,384 signs after repetition, found more"),
        ("|".join(["9999#"] * 9000), "x.xsb:1:7: expected at most 16,384 places, found more"),
        ("9999#(" * 9000, "x.xsb:1:11: expected at most 16,384 signs after repetition, found more"),
        ("\n\n".join(["8000#|#@$.#"] * 4000), "x.xsb:33:1: expected at most 262,144 places in all levels, found more"),
        ("\n\n".join(["9999#|#@$.#"] * 4000), "x.xsb:53:1: expected at most 262,144 places in all levels, found more"),
        ("#####\n#@$\t.#\n#####", "x.xsb:2:4: expected a cell of a level, found a tab"),
        ("#####\n#@$x.#\n#####", "x.xsb:2:4: expected a cell of a level, found 'x'"),
        ("x####\n#@$.#\n#####", "x.xsb:1:1: expected a cell of a level, found 'x'"),
        ("#####\n#@$.#\n\n#####", "x.xsb:3:1: expected the next row of a level, found an empty line"),
        ("#####\n\n#@$.#\n\n#####", "x.xsb:2:1: expected the next row of a level, found an empty line"),
        ("#####\n#@$.#\n; two\n#   #\n#####", "x.xsb:3:1: expected the next row of a level, found '; two'"),
        ("#####\n#@$2.#\n#####", "x.xsb:2:4: expected a cell of a level, found '2'"),
        ("##|###\n#@$. #\n######", "x.xsb:1:3: expected a cell of a level, found '|'"),
        ("$####\n#@$.#\n#####", "x.xsb:1:1: expected walls '#' all around, found an opening"),
    ],
)
def test_mistakes_have_a_place(text, error):
    with pytest.raises(FormatError) as found:
        parse(text)
    assert str(found.value).split("\n")[0] == error


def test_boxes_on_goals_outside_the_walls_are_decoration():
    assert parse("*###*\n#@$.#\n*###*") == parse("#####\n#@$.#\n#####")
    assert parse("B###B\n#pb.#\nB###B") == parse("#####\n#@$.#\n#####")


def test_latin_1_is_read_with_a_note_in_levels_only(tmp_path):
    (tmp_path / "a.xsb").write_bytes(b"; J\xe9r\xf4me\x92s \x81\n#####\n#@$.#\n#####\n")
    puzzle = load(str(tmp_path / "a.xsb"))
    assert puzzle.title == "J\xe9r\xf4me\u2019s ?"
    assert [(each.code, each.severity, each.line, each.column) for each in puzzle.diagnostics] == [
        ("latin-1", "note", 1, 4)
    ]
    (tmp_path / "b.txt").write_bytes((tmp_path / "a.xsb").read_bytes())
    assert load(str(tmp_path / "b.txt")).draft == puzzle.draft
    for name, data in (("a.pzl", b"title: \xe9\nrule: slide\n"), ("a.xsb", b"\xff\xfe#\0"), ("a.xsb", b"\xff\xfe##")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FormatError, match="expected text in UTF-8"):
            load(str(tmp_path / name))


@pytest.mark.parametrize("number", range(0, 155, 8))
def test_full_width_rows_are_the_same_level_with_a_warning(number):
    rows = MICROBAN[number]
    wide = "\n".join("".join("\u3000" if sign == " " else chr(ord(sign) + 0xFEE0) for sign in row) for row in rows)
    plain, read = parse("\n".join(rows)), parse(wide)
    assert (read.start, read.goals) == (plain.start, plain.goals)
    assert [(each.code, each.line) for each in read.diagnostics] == [("full-width", 1)]
    assert FORMAT.fits(wide)
    titled = parse(f"Ｔｉｔｌｅ: ＃１\n\n{wide}")
    assert (titled.titles[0][1], titled.start) == ("Ｔｉｔｌｅ: ＃１", plain.start)


CARRIED = {
    "quotes": lambda rows: "\n".join(f'"{row}",' for row in rows),
    "numbers": lambda rows: "\n".join(f"{number}: {row}" for number, row in enumerate(rows, 1)),
    "mail": lambda rows: "\n".join(f"> {row}" for row in rows),
    "commas": lambda rows: ",".join(rows),
    "exclamations": lambda rows: "!".join(rows),
    "escapes": lambda rows: "\\n".join(rows),
}


@pytest.mark.parametrize("name", CARRIED)
@pytest.mark.parametrize("file", ["x.xsb", "x.txt"])
def test_rows_with_something_else_on_their_lines_are_refused_with_its_place(name, file):
    for rows in MICROBAN[::15]:
        text = CARRIED[name](rows)
        with pytest.raises(FormatError) as caught:
            from_text(text, file)
        error = caught.value
        assert error.problem.startswith("expected the row of a level, found"), text
        assert text.split("\n")[error.line - 1][error.column - 1] not in "#@$.*+-_ "
        assert "remove quotes, numbers and separators" in error.hint
