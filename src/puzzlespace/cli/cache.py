"""The command `cache`: list or clear the user's cache folder."""

from __future__ import annotations

import time
from typing import Annotated

from ..storage import cache as store
from .exit_codes import ExitCode
from .options import Json
from .parser import Option
from .terminal import print_json


def cache(
    clear: Annotated[bool, Option("--clear", help="remove all of it")] = False,
    as_json: Json = False,
) -> int:
    """List the tables in your cache folder, the last used first, or remove them.

    PUZZLESPACE_CACHE names another folder, PUZZLESPACE_CACHE_SIZE its greatest size (4G; 0: nothing is saved).
    Examples: puzzlespace cache · puzzlespace cache --clear
    """
    gone = store.clear() if clear else (0, 0)
    there = store.entries()[::-1]
    size, folder = sum(entry.size for entry in there), store.root()
    if as_json:
        listed = [_shown(entry) for entry in there]
        print_json({"schema": 1, "folder": str(folder), "limit": store.limit(), "bytes": size, "entries": listed}
                   | ({"removed": gone[0], "freed": gone[1]} if clear else {}))  # fmt: skip
        return ExitCode.ANSWERED.number
    if clear:
        print(f"{folder}: {gone[0]:,} removed, {gone[1]:,} bytes")
    for entry in there:
        words = entry.about if entry.whole else f"{entry.about} (not finished)"
        print(f"{entry.size:>15,}  {_when(entry)}  {entry.kind:<9} {words}")
    print(f"{size:>15,}  bytes in {folder} (at most {store.limit():,})")
    return ExitCode.ANSWERED.number


def _when(entry: store.CacheEntry) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))


def _shown(entry: store.CacheEntry) -> dict[str, object]:
    return {
        "kind": entry.kind, "key": entry.key, "about": entry.about, "bytes": entry.size, "used": _when(entry),
        "whole": entry.whole, "folder": str(entry.folder),
    }  # fmt: skip
