"""The names of a game: objects, synonyms, names of several objects joined by 'and' or by 'or', collision layers."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import FormatError, Word


@dataclass
class ObjectSprite:
    """How an object is drawn: names of colours or '#rrggbb', and five rows of '.' and digits, if it has them."""

    colours: list[str] = field(default_factory=list[str])
    rows: list[str] = field(default_factory=list[str])


@dataclass
class Names:
    """All names, in small letters.

    objects     each with its sprite, in the order of the text
    synonyms    another name of one thing
    aggregates  several objects at once: 'and'
    properties  any of several objects: 'or'
    layers      the objects of each collision layer, once `settle` was called
    number      the bit of each object; bits are dealt out in the order of the layers
    layer       the collision layer of each object
    """

    objects: dict[str, ObjectSprite] = field(default_factory=dict[str, ObjectSprite])
    synonyms: dict[str, str] = field(default_factory=dict[str, str])
    aggregates: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    properties: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    layers: list[list[str]] = field(default_factory=list[list[str]])
    number: dict[str, int] = field(default_factory=dict[str, int])
    layer: dict[str, int] = field(default_factory=dict[str, int])
    single: dict[str, int] = field(default_factory=dict[str, int])

    def has(self, name: str) -> bool:
        """Return whether a name is declared."""
        return any(name in each for each in (self.objects, self.synonyms, self.aggregates, self.properties))

    def target(self, name: str) -> str:
        """Return what a name is a synonym of, or the name itself."""
        while name in self.synonyms:
            name = self.synonyms[name]
        return name

    def members(self, name: str) -> list[str]:
        """Return the objects that a name stands for: one, all of an aggregate, or all that a property may be."""
        name = self.target(name)
        return [name] if name in self.objects else self.aggregates.get(name) or self.properties.get(name) or []

    def mask(self, name: str) -> int:
        """Return the bits of the objects that a name stands for."""
        return sum(1 << number for number in {self.number[each] for each in self.members(name)})

    def add_legend(self, name: Word, words: list[Word], joined: str) -> None:
        """Add a name of the legend. Raises FormatError if a word is unknown, or of a kind that cannot be joined."""
        for word in words:
            if not self.has(word):
                raise FormatError.at(word, f"expected a name that is declared above, found {str(word)!r}")
        if not joined:
            self.synonyms[name] = str(words[0])
            return
        known, other = (self.aggregates, self.properties) if joined == "and" else (self.properties, self.aggregates)
        found: list[str] = []
        for word in words:
            target = self.target(word)
            if target in other:
                wrong = "properties (or)" if joined == "and" else "aggregates (and)"
                raise FormatError.at(word, f"expected no {wrong} among names joined by {joined!r}, found {str(word)!r}")
            found += known.get(target, [target])
        known[name] = list(dict.fromkeys(found))

    def settle(self) -> None:
        """Give each object its layer and its bit: those of the last layer that names it."""
        self.layer = {name: number for number, names in enumerate(self.layers) for name in names}
        for number, names in enumerate(self.layers):
            for name in names:
                if self.layer[name] == number and name not in self.number:
                    self.number[name] = len(self.number)
        for name, members in self.properties.items():
            layers = {self.layer[each] for each in members}
            if len(layers) == 1:
                self.single[name] = layers.pop()

    def of_layer(self, layer: int) -> int:
        """Return the bits of the objects of a layer."""
        return sum(1 << self.number[name] for name, number in self.layer.items() if number == layer)
