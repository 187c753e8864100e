"""Commands from functions: a parameter annotated with an `Option` or an `Argument` becomes one of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

import click

HELP = ["-h", "--help"]
WIDTH = 100


class Option:
    """An option with its names, such as `--seed` or `--count/--no-count`; without names, that of the parameter."""

    def __init__(
        self, *names: str, help: str = "", metavar: str | None = None, min: int | None = None, max: int | None = None
    ) -> None:
        self.names, self.help, self.metavar = names, help, metavar
        self.min, self.max = min, max


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


class _Command(click.Command):
    """A command whose help lists its arguments before its options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, kind in (("Arguments", click.Argument), ("Options", click.Option)):
            records = [each.get_help_record(ctx) for each in self.get_params(ctx) if isinstance(each, kind)]
            if records:
                with formatter.section(title):
                    formatter.write_dl([record for record in records if record is not None])


class CommandGroup(click.Group):
    """A group of commands; `main` returns the exit code and raises every error."""

    def __init__(self, name: str, help: str, epilog: str | None = None, **more: Any) -> None:
        settings = {"help_option_names": HELP, "max_content_width": WIDTH}
        super().__init__(name, help=help, epilog=epilog, no_args_is_help=True, context_settings=settings, **more)

    def main(self, args: Iterable[str] | None = None, prog_name: str | None = None, **_: Any) -> Any:
        try:
            with self.make_context(prog_name or "puzzlespace", list(sys.argv[1:] if args is None else args)) as context:
                return self.invoke(context)
        except click.exceptions.Exit as over:
            return over.exit_code

    def add(self, function: Callable[..., int]) -> Callable[..., int]:
        """Add the command that a function is, under its name."""
        self.add_command(command_of(function.__name__, function))
        return function


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
    return click.Option(
        [parameter.name, *names], required=required, metavar=about.metavar, help=about.help, show_default=shown, **given
    )


def _type(kind: type, about: Option | None = None) -> click.ParamType:
    """Return the parser of a value: within the least and the greatest one, if the option has them."""
    if kind is Path:
        return click.Path(path_type=Path)
    if about is None or (about.min is None and about.max is None):
        return {str: click.STRING, int: click.INT, float: click.FLOAT}[kind]
    return {int: click.IntRange, float: click.FloatRange}[kind](about.min, about.max)
