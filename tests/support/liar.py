"""An engine with wrong answers, to test that the checks find them."""

from dataclasses import replace

from puzzlespace.contract.questions import Engine
from puzzlespace.engines import frontier


def wrong_depths(asked, watch):
    layers = frontier.ENGINE.depths(asked, watch)
    return replace(layers, counts=(*layers.counts[:3], layers.counts[3] + 1, *layers.counts[4:]))


def wrong_search(asked, watch):
    found = frontier.ENGINE.search(asked, watch)
    return replace(found, layers=())


LIAR = Engine("frontier", lambda space, question: None, depths=wrong_depths, search=wrong_search)
