"""Options that would have no effect, empty texts, numbers, pictures: refused before the work, with the reason."""

import inspect
import re
from pathlib import Path

import click
import pytest

import puzzlespace
from commands import run_json
from puzzlespace import generate
from puzzlespace.cli.app import COMMANDS, app
from puzzlespace.cli.parser import _Option
from puzzlespace.cli.terminal import guarded, parse_size
from puzzlespace.errors import InputError

ROOT = Path(__file__).parents[2]


def run(capsys, *words):
    code = guarded(lambda: app(list(words), standalone_mode=False))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def commands(group=app, names=()):
    """Every command with its words, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*names, name))
        else:
            yield (*names, name), command


ALL = dict(commands())
PARTS = {
    words: {each.opts[0]: each for each in command.params if isinstance(each, _Option)}
    for words, command in ALL.items()
}
NEEDS = [(words, name) for words, options in PARTS.items() for name, each in options.items()
         if any(need in options for need in each.needs)]  # fmt: skip
WITHOUT = [(words, name, other) for words, options in PARTS.items() for name, each in options.items()
           for other in each.without if other in options]  # fmt: skip
TEXTS = [(words, name) for words, options in PARTS.items() for name, each in options.items()
         if not each.is_flag and isinstance(each.type, click.types.StringParamType | click.Path)]  # fmt: skip
NUMBERS = [(words, name) for words, options in PARTS.items() for name, each in options.items()
           if isinstance(each.type, click.types.IntParamType | click.types.FloatParamType)]  # fmt: skip


def given(option):
    """The option with a value."""
    if option.is_flag:
        return [option.opts[0]]
    return [
        option.opts[0],
        "1" if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType) else "x",
    ]


def asked(words, *options):
    """A command line with the arguments and options that the command must have."""
    command = ALL[words]
    arguments = ["no-such-puzzle" for each in command.params if isinstance(each, click.Argument)]
    names = {each.opts[0] for each in options}
    must = [each for each in PARTS[words].values() if each.required and each.opts[0] not in names]
    return [*words, *arguments, *(word for each in [*must, *options] for word in given(each))]


def test_every_command_and_option_is_looked_at():
    assert len(ALL) > len(COMMANDS) - 2
    assert min(map(len, (NEEDS, WITHOUT, TEXTS, NUMBERS))) > 20


@pytest.mark.parametrize(("words", "name"), NEEDS)
def test_an_option_that_needs_another_is_refused_alone(words, name, capsys):
    code, out, err = run(capsys, *asked(words, PARTS[words][name]))
    if any(PARTS[words][need].required for need in PARTS[words][name].needs if need in PARTS[words]):
        assert "no-such-puzzle" in err or "expected one of" in err
        return
    assert (code, out) == (30, "")
    assert err.startswith(f"puzzlespace: {name}: expected --")


@pytest.mark.parametrize(("words", "name", "other"), WITHOUT)
def test_an_option_without_effect_is_refused_beside_the_other(words, name, other, capsys):
    options = [PARTS[words][name], PARTS[words][other]]
    for each in list(options):
        options += [PARTS[words][need] for need in each.needs if need in PARTS[words]][:1]
    code, out, err = run(capsys, *asked(words, *dict.fromkeys(options)))
    assert (code, out) == (30, "")
    assert f"{name}: expected no {other} beside it" in err


@pytest.mark.parametrize(("words", "name"), TEXTS)
def test_no_text_may_be_empty(words, name, capsys):
    for empty in ("", " "):
        line = asked(words, PARTS[words][name])
        line[line.index(name) + 1] = empty
        code, out, err = run(capsys, *line)
        assert (code, out) == (30, "")
        assert name in err
        assert "found an empty text" in err


@pytest.mark.parametrize(("words", "name"), NUMBERS)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "５", "٣", "1e400"])
def test_numbers_are_finite_and_in_plain_digits(words, name, value, capsys):
    line = asked(words, PARTS[words][name])
    line[line.index(name) + 1] = value
    code, out, err = run(capsys, *line)
    assert (code, out) == (30, "")
    assert "Invalid value" in err


@pytest.mark.parametrize("size", ["５M", "nan", "inf", "-1", "0", "1e999G", "٣", ""])
def test_sizes_are_finite_and_in_plain_digits(size):
    with pytest.raises(InputError, match="expected a size"):
        parse_size(size)


def test_a_depth_is_not_shortened(capsys):
    code, _, err = run(capsys, "generate", "eight", "--depth", "99999999999999999999")
    assert (code, "found '99999999999999999999'" in err) == (30, True)


PICTURES = [(words, name) for words, options in PARTS.items() for name in options
            if name in ("--svg", "--png", "--gif", "--webp", "--sheet", "--plot", "--pdf", "--map")]  # fmt: skip


@pytest.mark.parametrize(("words", "name"), PICTURES)
def test_pictures_are_checked_before_the_work(words, name, tmp_path, capsys):
    """The puzzle does not exist: an error about the picture shows that it is checked first."""
    kind = {"--sheet": "svg", "--plot": "png", "--map": "svg"}.get(name, name.strip("-"))
    must = ["--depth", "3"] if words == ("generate",) else []
    folder = tmp_path / f"a.{kind}"
    folder.mkdir()
    for file, problem in ((tmp_path / "none" / f"x.{kind}", "there is no folder"), (folder, "it is a folder")):
        code, _, err = run(capsys, *words, "goat", name, str(file), *must, "--theme", "light")
        assert (code, problem in err) == (30, True)
        assert name in err
        assert "generated" not in err
    if "--size" not in PARTS[words] or name == "--pdf":
        return
    for size in ("1", "0", "-5", "99999999"):
        code, _, err = run(capsys, *words, "goat", name, str(tmp_path / f"x.{kind}"), *must, "--size", size)
        assert (code, "--size: expected 100 to 10,000 pixels" in err) == (30, True)
    assert sorted(tmp_path.iterdir()) == [folder]


OTHERS = re.compile(r"\b(pip|ruff|pytest|npx|git|dask|srun|sbatch|docker|kubectl|benchmarks/|tests\.fuzz)|#SBATCH")
"""Lines about other programs, with options of their own."""


def test_the_documentation_names_only_options_that_exist():
    known = {
        word for options in PARTS.values() for each in options.values() for word in (*each.opts, *each.secondary_opts)
    }
    known |= {"--version", "--help"}
    wrong: dict[str, set[str]] = {}
    for file in [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("README*.md"))]:
        for line in file.read_text().splitlines():
            if OTHERS.search(line):
                continue
            wrong.setdefault(file.name, set()).update(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", line)) - known)
    assert {name: words for name, words in wrong.items() if words} == {}


def test_a_bound_needs_an_engine_that_uses_it(capsys):
    code, _, err = run(capsys, "solve", "eight", "--engine", "plain", "--heuristic", "walking")
    assert (code, "expected the engine astar or idastar beside 'walking', found plain" in err) == (30, True)
    code, _, err = run(capsys, "compare", "eight", "--engines", "plain", "--heuristics", "walking")
    assert (code, "--bounds: expected an engine with lower bounds" in err) == (30, True)


def test_every_title_and_every_count_can_be_plotted(tmp_path, capsys):
    for number, title in enumerate([r"a $x_{$ and $\frac{1}{$", "_under", r"$\alpha$", r"\(x\)", "100 %"]):
        file = tmp_path / f"{number}.pzl"
        file.write_text(f"title: {title}\nrule: slide\nstart: 1 .\ngoal: . 1\n")
        for more in ([], ["--with", "slide:2x2"]):
            shown = tmp_path / "plot.svg"
            assert run(capsys, "depths", str(file), "--plot", str(shown), "-q", *more)[0] == 0
            assert shown.read_bytes().startswith(b"<?xml")
    many = tmp_path / "many.pzl"
    moves = "\n".join(f"  m{k}: ~c{k}" for k in range(70))
    cells = " ".join(f"c{k}" for k in range(70))
    many.write_text(
        f"rule: apply\nboard:\n  {cells}\nmoves:\n{moves}\nswap: x <-> o\nstart: {'x ' * 70}\ngoal: {'o ' * 70}\n"
    )
    for more in ([], ["--share"], ["--scale", "linear", "--with", "eight"]):
        code, _, err = run(capsys, "depths", str(many), "--plot", str(tmp_path / "many.png"), "-q", *more)
        assert (code, err) == (0, "")


@pytest.mark.parametrize(
    ("word", "board"),
    [("---AAOBBB", True), ("-B.A/..C", True), ("-ooAAo", True), ("--plott", False), ("--no-plot", False)],
)
def test_a_board_that_begins_like_an_option_is_told_how_to_be_written(capsys, word, board):
    code, _, err = run(capsys, "solve", word)
    assert (code, "write '--' before it: puzzlespace solve -- BOARD" in err) == (30, board)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("generate ring --depth 3 --method walk --engine plain", "--engine: expected the method layer or auto"),
        ("generate ring --depth 3 --method walk --table x", "--table: expected the method layer or auto"),
        ("design x.pzl --method climb --no-components", "--no-components: expected the method union or auto"),
        ("plan ring --layers --json", "--layers: expected no --json beside it"),
    ],
)
def test_an_option_that_a_method_does_not_use_is_refused(line, words, capsys):
    code, out, err = run(capsys, *line.split())
    assert (code, out) == (30, "")
    assert words in err


def test_a_method_that_uses_no_engine_takes_none():
    with pytest.raises(InputError, match="engine: expected 'auto' beside the method 'walk'"):
        generate("ring", 3, method="walk", engine="plain")


@pytest.mark.parametrize("line", ["solve ring --svg {}", "hardest ring --sheet {}"])
def test_a_cube_that_is_none_is_refused_before_the_work(line, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("puzzlespace.api.dispatch.search", None)
    monkeypatch.setattr("puzzlespace.api.dispatch.depths", None)
    code, out, err = run(capsys, *line.format(tmp_path / "a.svg").split(), "--solid")
    assert (code, out) == (31, "")
    assert "expected a cube" in err


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_shows_only_ranges_that_there_are(words, capsys):
    assert "None" not in run(capsys, *words, "--help")[1]


@pytest.mark.parametrize(
    "line", ["generate ring --depth 3 --method walk -n 1", "random ring", "depths ring --positions 99"]
)
def test_force_beside_what_never_asks_changes_nothing(line, capsys):
    assert run(capsys, *line.split(), "--force", "-q")[0] == run(capsys, *line.split(), "-q")[0]


ASKED_BY = {
    "solve": ("solve", "solutions", "near_solutions", "best_solutions"), "compare": ("compare",), "depths": ("depths",),
    "hardest": ("depths",), "distance": ("distance",), "generate": ("generate",), "random": ("random_positions",),
    "targets": ("targets",), "components": ("components",), "symmetries": ("symmetries",), "plan": ("plan",),
}  # fmt: skip
"""The functions that commands ask."""

SAME = (
    "start",
    "goal",
    "only",
    "origin",
    "metric",
    "within",
    "at_most",
    "pattern",
    "one_solution",
    "distinct",
    "method",
)
"""Parameters of commands that say what is asked, not how it is shown; functions have them by the same names."""

ELSEWHERE = {(name, each) for name in ("solve", "solutions", "best_solutions") for each in ("within", "at_most")}
"""What another function of the command takes: `near_solutions`."""


@pytest.mark.parametrize("command", ASKED_BY)
def test_functions_take_the_positions_that_their_command_takes(command):
    taken = {each.name for each in ALL[(command,)].params} & set(SAME)
    for name in ASKED_BY[command]:
        function = inspect.signature(inspect.unwrap(getattr(puzzlespace, name))).parameters
        assert {each for each in taken - set(function) if (name, each) not in ELSEWHERE} == set(), name


def test_positions_given_to_functions_are_those_of_the_command():
    named = {words[0] for words, options in PARTS.items() if {"--start", "--goal"} & set(options)}
    assert named - {"convert"} <= set(ASKED_BY)  # it writes a file of `with_start` and `with_goal`
    start, goal = "1 2 3 / 4 5 . ", "4 1 2 / . 5 3"
    by_command = [run_json("solve", "slide:3x2", "--start", start, "--goal", goal)[1]["moves"]]
    placed = puzzlespace.with_goal(puzzlespace.with_start(puzzlespace.load("slide:3x2"), start), goal)
    asked = {"start": start, "goal": goal}
    by_command += [puzzlespace.solve(placed).moves, puzzlespace.depths(placed, only=start, origin="goal").fitting.least]
    by_function = [
        puzzlespace.solve("slide:3x2", **asked).moves,
        next(puzzlespace.solutions("slide:3x2", **asked)).moves,
    ]
    by_function.append(puzzlespace.near_solutions("slide:3x2", **asked).shortest)
    assert len({*by_command, *by_function}) == 1
