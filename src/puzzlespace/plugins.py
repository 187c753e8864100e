"""What other installed packages add, by entry points: a bound, a format, a family, a rule kind, an encoding.

A package declares it in its `pyproject.toml`:

    [project.entry-points."puzzlespace.bounds"]
    mine = "package.module:BOUND"

The name before `=` is the name of what is offered: the word after `rule:` or `--bound`, before the colon of a family.
Entry points are read only if a name is not one of ours, because reading them takes longer than a small question.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from .errors import InputError


class Offered(Protocol):
    """What an entry point offers has a name of its own: the name of the entry point."""

    @property
    def name(self) -> str: ...


Kind = TypeVar("Kind", bound=Offered)


def plugin(group: str, name: str, kind: type[Kind]) -> Kind | None:
    """Return what an installed package offers under this name, or None if there is no such package.

    group  the last word of the group of entry points, such as 'bounds'
    Raises InputError if it cannot be imported, is not of the kind that is expected, or has another name.
    """
    from importlib.metadata import entry_points

    for entry in entry_points(group=f"puzzlespace.{group}", name=name):
        where = f"entry point {entry.name} of puzzlespace.{group}"
        try:
            found = entry.load()
        except Exception as error:  # a package of somebody else may raise anything
            raise InputError(f"{where}: expected {entry.value}, found {type(error).__name__}: {error}") from error
        if not isinstance(found, kind):
            raise InputError(f"{where}: expected a {kind.__name__}, found {found!r:.100}")
        if found.name != name:
            raise InputError(f"{where}: expected the name of what it offers, {found.name!r}, found {name!r}")
        return found
    return None


def plugin_names(group: str) -> list[str]:
    """Return the names that installed packages offer, sorted."""
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=f"puzzlespace.{group}")})


def plugins(group: str, kind: type[Kind]) -> list[Kind]:
    """Return everything that installed packages offer, by name. Raises InputError as `plugin` does."""
    return [found for name in plugin_names(group) if (found := plugin(group, name, kind)) is not None]
