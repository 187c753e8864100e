"""The command line: `puzzlespace COMMAND PUZZLE …`. Answers go to stdout, progress and errors to stderr."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

import click

from ..contract.version import __version__
from ..limits.machine import bound_process
from ..limits.memory import guard_libraries
from ..limits.watch import process_begins
from .exit_codes import ExitCode
from .guard import CommandGuard, end, leave
from .parser import CommandGroup, command_of
from .terminal import guarded

STOPPED = {20, 21, 22, 130}
"""Exit codes after which threads may still be at work: the process does not wait for them."""

EXIT_CODES = "Exit codes: " + " · ".join(f"{code.number} {code.meaning}" for code in ExitCode)

COMMANDS = {
    "compare": "compare.compare",
    "serve": "serve.serve",
    "site": "site.site",
    "cache": "cache.cache",
    "list": "catalogue.list_",
    "convert": "catalogue.convert",
    "show": "show.show",
    "solve": "solve.solve",
    "depths": "depths.depths",
    "hardest": "depths.hardest",
    "oeis": "oeis.oeis",
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


class Commands(CommandGroup):
    """The commands; the module of a command is imported when the command is asked for, since most need few others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            self.commands.update({name: _made(name) for name in COMMANDS})  # the error names one that is spelled alike
        elif cmd_name not in self.commands:
            self.commands[cmd_name] = _made(cmd_name)
        return self.commands.get(cmd_name)


def _made(name: str) -> click.Command:
    """Return the command or group of commands of that name."""
    module, _, function = COMMANDS[name].partition(".")
    found = getattr(import_module(f".{module}", __package__), function)
    return found if isinstance(found, CommandGroup) else command_of(name, found)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        print(f"puzzlespace {__version__}")
        ctx.exit()


app = Commands(
    "puzzlespace",
    "Shortest solutions, depth tables and hardest positions of any puzzle of moves.",
    f"Try: puzzlespace solve goat · puzzlespace depths eight · puzzlespace list.  {EXIT_CODES}",
    params=[
        click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version, help="print the version"
        )
    ],
)


def main() -> None:
    """Run the command line as the program of this process; exit with one of the codes of `ExitCode`."""
    process_begins()
    guard = CommandGuard()
    try:
        guard.start()
        bound_process()
        guard_libraries()
        code = guarded(app)
        if code in STOPPED:
            leave(code)
        guard.over()
        gc.freeze()  # what was loaded is not searched for cycles at the end, which takes a quarter of a second
    except KeyboardInterrupt:  # while an error was printed, or between two of the lines above
        end("interrupted", ExitCode.INTERRUPTED.number)
    sys.exit(code)
