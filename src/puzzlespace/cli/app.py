"""The command line: `puzzlespace COMMAND PUZZLE …`. Answers go to stdout, progress and errors to stderr."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from ..contract.version import __version__
from ..limits.watch import process_begins
from .exit_codes import ExitCode
from .guard import CommandGuard, end, leave
from .terminal import guarded

STOPPED = {20, 21, 22, 130}
"""Exit codes after which threads may still be at work: the process does not wait for them."""

EXIT_CODES = "Exit codes: " + " · ".join(f"{code.number} {code.meaning}" for code in ExitCode)

COMMANDS = {
    "compare": "compare.compare",
    "serve": "serve.serve",
    "cache": "cache.cache",
    "list": "catalogue.list_",
    "convert": "catalogue.convert",
    "show": "show.show",
    "solve": "solve.solve",
    "depths": "depths.depths",
    "hardest": "depths.hardest",
    "plan": "plan.plan",
    "generate": "generate.generate",
    "random": "generate.random",
    "distance": "solve.distance",
    "targets": "targets.targets",
    "pegs": "pegs.pegs",
    "components": "components.components",
    "symmetries": "symmetries.symmetries",
    "check": "check.check",
    "certify": "certify.certify",
    "design": "design.design",
    "card": "card.card",
    "table": "tables.app",
    "export": "export.app",
}
"""Each command in the order of the help, with the module of this package and the function, or the group of commands."""


class Commands(TyperGroup):
    """The commands; the module of a command is imported when the command is asked for, since most need few others."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            self.commands.update({name: _made(name) for name in COMMANDS})  # the error names one that is spelled alike
        elif cmd_name not in self.commands:
            self.commands[cmd_name] = _made(cmd_name)
        return self.commands.get(cmd_name)


def _made(name: str) -> Any:
    """Return the command or group of commands of that name."""
    module, _, function = COMMANDS[name].partition(".")
    found = getattr(import_module(f".{module}", __package__), function)
    around = typer.Typer(add_completion=False, rich_markup_mode=None, callback=lambda: None)
    if isinstance(found, typer.Typer):
        around.add_typer(found)
    else:
        around.command(name)(found)
    return get_group(around).commands[name]


app = typer.Typer(
    name="puzzlespace",
    cls=Commands,
    help="Shortest solutions, depth tables and hardest positions of any puzzle of moves.",
    epilog=f"Try: puzzlespace solve goat · puzzlespace depths eight · puzzlespace list.  {EXIT_CODES}",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"puzzlespace {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """Shortest solutions, depth tables and hardest positions of any puzzle of moves."""


def main() -> None:
    """Run the command line as the program of this process; exit with one of the codes of `ExitCode`."""
    process_begins()
    guard = CommandGuard()
    try:
        guard.start()
        code = guarded(lambda: app(standalone_mode=False))
        if code in STOPPED:
            leave(code)
        guard.over()
    except KeyboardInterrupt:  # while an error was printed, or between two of the lines above
        end("interrupted", ExitCode.INTERRUPTED.number)
    sys.exit(code)
