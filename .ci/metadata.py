"""The addresses of the project, from [tool.puzzlespace.addresses] of pyproject.toml, for the metadata of a build."""

import tomllib
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    """Writes the addresses that are set."""

    def update(self, metadata: dict) -> None:
        """Set `urls`."""
        settings = tomllib.loads((Path(self.root) / "pyproject.toml").read_text(encoding="utf-8"))
        addresses = settings["tool"]["puzzlespace"]["addresses"]
        metadata["urls"] = {name: address for name, address in addresses.items() if address}
