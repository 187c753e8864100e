"""Letters that the built-in font lacks: chosen fonts, subsets in PDF files, pixels, a warning if no font has them."""

import re
import zlib

import pytest

pytest.importorskip("fpdf", reason="the extra `pictures` is not installed")
pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from commands import run
from puzzlespace import PuzzleWarning
from puzzlespace.api.loader import from_text
from puzzlespace.render import lettering, raster
from puzzlespace.render.card import Card, pdf
from puzzlespace.render.paper import Paper

TITLE = "箱入り娘"
TEXT = f"title: {TITLE}\nnote: 娘を外へ\nrule: slide\ncount: step\nstart: 娘 . a\ngoal: . 娘 a\n"


def font(path, letters):
    """A font file in which each letter is a square."""
    names = [".notdef", *(f"g{number}" for number in range(len(letters)))]
    pen = TTGlyphPen(None)
    for number, point in enumerate([(0, 0), (0, 900), (900, 900), (900, 0)]):
        (pen.lineTo if number else pen.moveTo)(point)
    pen.closePath()
    square = pen.glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(map(ord, letters), names[1:], strict=True)))
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    builder.setupHorizontalHeader(ascent=900, descent=-100)
    builder.setupNameTable({"familyName": path.stem, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return path


@pytest.fixture
def fonts(tmp_path, monkeypatch):
    """Set the fonts of this machine: each a word with its letters."""

    def there(*words):
        made = tuple(font(tmp_path / f"font{number}.ttf", word) for number, word in enumerate(words))
        monkeypatch.setattr(lettering, "candidates", lambda: made)
        return made

    return there


def texts(data):
    """All letters that the fonts of a PDF file map to text, for copying and for search."""
    found = set()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            words = zlib.decompress(stream)
        except zlib.error:
            words = stream
        if b"beginbfchar" in words:
            pairs = re.findall(rb"<[0-9A-Fa-f]+> <([0-9A-Fa-f]+)>", words.partition(b"beginbfchar")[2])
            found |= {bytes.fromhex(code.decode()).decode("utf-16-be") for code in pairs}
    return found


def card(text=TEXT):
    """A card without its solution."""
    return Card(from_text(text, "card.pzl"))


def test_a_title_in_japanese_is_text_in_an_embedded_subset(fonts):
    fonts("".join(sorted({*TITLE, *"娘を外へ"})) + "".join(map(chr, range(0x5000, 0x5400))))
    data = pdf(card())
    assert {*TITLE, *"娘を外へ", "R"} <= texts(data)
    assert "倀" not in texts(data)
    assert data == pdf(card())


def test_the_fonts_that_are_needed_are_chosen_in_order(fonts):
    first, second, _ = fonts("箱", "箱入", "箱入り娘")
    assert lettering.fonts_for("箱") == ((first,), frozenset())
    assert lettering.fonts_for("箱入x") == ((first, second), {"x"})
    assert lettering.fonts_for("") == ((), frozenset())


def test_letters_in_no_font_are_told_with_the_extra(fonts):
    fonts("箱入")
    with pytest.warns(PuzzleWarning, match=r"letters [^ ]*娘[^ ]*; they are left out"):
        data = pdf(card())
    assert {"箱", "入"} <= texts(data)
    assert not {"娘", "?"} & texts(data)


def test_pixels_use_the_same_fonts(fonts):
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><title>外</title>'
    svg = head + '<text x="5" y="25" font-family="system-ui, sans-serif">{}</text></svg>'
    fonts("箱")
    blank, drawn = (raster.image(svg.format(word), 1) for word in ("", "箱"))
    assert blank.getbbox() is None
    assert drawn.getbbox() is not None
    with pytest.warns(PuzzleWarning, match="letters 娘"):
        raster.image(svg.format("箱&lt;娘"), 1)


def test_the_command_line_warns_and_strict_is_an_error(fonts, tmp_path):
    fonts()
    file = tmp_path / "card.pzl"
    file.write_text(TEXT, encoding="utf-8")
    code, _, err = run("card", str(file), "--pdf", str(tmp_path / "card.pdf"))
    assert code == 0
    assert "warning" in err
    assert "puzzlespace[japanese]" in err
    assert run("card", str(file), "--pdf", str(tmp_path / "card.pdf"), "--strict")[0] == 30


def test_damaged_fonts_and_fonts_of_unknown_places_are_passed_over(tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/ipaexg.ttf").write_bytes(b"no font")
    font(tmp_path / "deep/zz.ttf", "箱")
    monkeypatch.setattr(lettering, "folders", lambda: (tmp_path, tmp_path / "nowhere"))
    monkeypatch.setattr(lettering, "SHIPPED", ("no_such_package", "x.ttf"))
    lettering.candidates.cache_clear()
    try:
        assert [path.name for path in lettering.candidates()] == ["ipaexg.ttf", "zz.ttf"]
        assert lettering.fonts_for("箱") == ((tmp_path / "deep/zz.ttf",), frozenset())
    finally:
        lettering.candidates.cache_clear()


def test_the_font_of_the_extra_comes_first(tmp_path, monkeypatch):
    (tmp_path / "matplotlib_fontja/fonts").mkdir(parents=True)
    (tmp_path / "matplotlib_fontja/__init__.py").write_text("raise RuntimeError('read, never imported')")
    shipped = font(tmp_path / "matplotlib_fontja/fonts/ipaexg.ttf", "箱")
    monkeypatch.syspath_prepend(str(tmp_path))
    lettering.candidates.cache_clear()
    try:
        assert lettering.candidates()[0] == shipped
    finally:
        lettering.candidates.cache_clear()


def test_words_are_measured_with_the_fonts_that_draw_them(fonts):
    fonts("箱")
    paper = Paper("a4", "boxes")
    paper.page()
    assert paper.height_of("箱" * 30, 20, 10) > paper.height_of("箱", 20, 10)
