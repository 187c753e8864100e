"""Commands from functions: a parameter annotated with an `Option` or an `Argument` becomes one of the command line."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from inspect import Parameter, cleandoc, signature
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, cast, get_args, get_origin

import click

from ..errors import InputError

HELP = ["-h", "--help"]
WIDTH = 100

WORDS = "puzzlespace.words"
"""Where a context keeps the words of the command line."""


class Option:
    """An option with its names, such as `--seed` or `--count/--no-count`; without names, that of the parameter.

    needs    options of which one must be given beside it, because it has no effect without; those that a command does
             not have are left out
    without  options beside which it would have no effect: both are an error
    """

    def __init__(
        self,
        *names: str,
        help: str = "",
        metavar: str | None = None,
        min: int | None = None,
        max: int | None = None,
        needs: Sequence[str] = (),
        without: Sequence[str] = (),
    ) -> None:
        self.names, self.help, self.metavar = names, help, metavar
        self.min, self.max = min, max
        self.needs, self.without = tuple(needs), tuple(without)


@dataclass(frozen=True)
class Argument:
    """A word of the command line without a name before it; a list takes one or more."""

    metavar: str
    help: str


class _Positional(click.Argument):
    """An argument with a help text; Click 8.4 and earlier have none."""

    about = ""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.make_metavar(ctx), self.about + ("  [required]" if self.required else "")


class _Option(click.Option):
    """An option with the options that it needs, and those beside which it has no effect."""

    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class _Command(click.Command):
    """A command whose help lists its arguments before its options, and whose options all have an effect."""

    def invoke(self, ctx: click.Context) -> Any:
        _check_given(ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, kind in (("Arguments", click.Argument), ("Options", click.Option)):
            records = [each.get_help_record(ctx) for each in self.get_params(ctx) if isinstance(each, kind)]
            if records:
                with formatter.section(title):
                    formatter.write_dl([record for record in records if record is not None])


def _check_given(ctx: click.Context) -> None:
    """Raise InputError for an option with an empty text, and for one that has no effect beside the others."""
    options = {each.opts[0]: each for each in ctx.command.params if isinstance(each, _Option)}
    source = click.core.ParameterSource.COMMANDLINE
    given = [name for name, each in options.items() if ctx.get_parameter_source(each.name or "") is source]
    for name in given:
        values = ctx.params[options[name].name or ""]
        for value in values if isinstance(values, tuple | list) else [values]:
            if isinstance(value, str) and not value.strip():
                raise InputError(f"{name}: expected a value, found an empty text")
    for name in given:
        needs = [_shown(options[each]) for each in options[name].needs if each in options]
        if needs and not any(each in given for each in options[name].needs):
            raise InputError(f"{name}: expected {' or '.join(needs)} beside it, found none")
        other = next((each for each in options[name].without if each in given), None)
        if other is not None:
            raise InputError(f"{name}: expected no {other} beside it: {other} leaves it without effect")


def _shown(option: click.Option) -> str:
    """Return an option as messages name it, such as `--save DIR`."""
    return f"{option.opts[0]} {option.metavar}" if option.metavar else option.opts[0]


class CommandGroup(click.Group):
    """A group of commands; `main` returns the exit code and raises every error."""

    def __init__(self, name: str, help: str, epilog: str | None = None, **more: Any) -> None:
        settings = {"help_option_names": HELP, "max_content_width": WIDTH}
        super().__init__(name, help=help, epilog=epilog, no_args_is_help=True, context_settings=settings, **more)

    def main(self, args: Iterable[str] | None = None, prog_name: str | None = None, **_: Any) -> Any:
        try:
            words = list(sys.argv[1:] if args is None else args)
            with self.make_context(prog_name or "puzzlespace", [*words]) as context:
                context.meta[WORDS] = words
                return self.invoke(context)
        except click.exceptions.Exit as over:
            return over.exit_code

    def add(self, function: Callable[..., int]) -> Callable[..., int]:
        """Add the command that a function is, under its name."""
        self.add_command(command_of(function.__name__, function))
        return function


def command_line() -> str:
    """Return the command that is running, as it can be typed again."""
    return shlex.join(["puzzlespace", *click.get_current_context().meta[WORDS]])


def command_of(name: str, function: Callable[..., int]) -> click.Command:
    """Return the command that a function is: its docstring is the help, its parameters the options and arguments."""
    parameters = [_made(each) for each in signature(function, eval_str=True).parameters.values()]
    lists = {each.name for each in parameters if each.multiple}

    def run(**given: Any) -> int:
        for each in lists:
            given[each] = list(given[each]) or None
        return function(**given)

    settings = {"help_option_names": HELP, "max_content_width": WIDTH}
    help = cleandoc(function.__doc__ or "")
    return _Command(name, callback=run, params=parameters, help=help, context_settings=settings)


def _made(parameter: Parameter) -> Any:
    """Return the option or argument of a parameter."""
    if get_origin(parameter.annotation) is not Annotated:
        raise TypeError(f"{parameter.name}: expected an Option or an Argument, found {parameter.annotation}")
    kind, about = get_args(parameter.annotation)
    if get_origin(kind) is UnionType:
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    several = get_origin(kind) is list
    if several:
        (kind,) = get_args(kind)
    required = parameter.default is Parameter.empty
    given: dict[str, Any] = {} if required or several else {"default": parameter.default}
    if isinstance(about, Argument):
        kinds = {"type": _type(kind), "nargs": -1 if several else 1}
        made = _Positional([parameter.name], required=required, metavar=about.metavar, **kinds, **given)
        made.about = about.help
        return made
    names = about.names or (f"--{parameter.name.replace('_', '-')}",)
    if kind is bool:
        given["is_flag"] = True
    else:
        given |= {"type": _type(kind, about), "multiple": several}
    shown = not (required or parameter.default in (None, "") or parameter.default is False)
    made = _Option(
        [parameter.name, *names], required=required, metavar=about.metavar, help=about.help, show_default=shown, **given
    )
    made.needs, made.without = about.needs, about.without
    return made


class _File(click.Path):
    """The name of a file; an empty one would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail("expected the name of a file, found an empty text.", param, ctx)
        return super().convert(value, param, ctx)


class _AsciiWhole(click.ParamType):
    """A whole number in ASCII digits; `int` reads the digits of all scripts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not value.isascii():
            self.fail(f"{value!r} is not a valid integer.", param, ctx)
        return super().convert(cast(Any, value), param, ctx)


class _Whole(_AsciiWhole, type(click.INT)):
    """Any whole number."""


class _WholeBetween(_AsciiWhole, click.IntRange):
    """A whole number in a range."""


class _Finite(type(click.FLOAT)):
    """A number in ASCII digits, neither nan nor infinite."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not isfinite(found) or (isinstance(value, str) and not value.isascii()):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return found


def _type(kind: type, about: Option | None = None) -> click.ParamType:
    """Return the parser of a value; whole numbers are within the least and the greatest one, if the option has them."""
    if kind is Path:
        return _File(path_type=Path)
    if kind is str:
        return click.STRING
    if kind is float:
        return _Finite()
    if about is None or (about.min is None and about.max is None):
        return _Whole()
    return _WholeBetween(about.min, about.max)
