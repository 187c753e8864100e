"""Random games, turn by turn, against an interpreter that was written independently from the same description."""

import json
import subprocess
from random import Random

import pytest

from places import DATA
from puzzlespace.errors import FormatError, LimitError
from puzzlespace.games.reading import read_game
from puzzlespace.limits.watch import Limits, watched
from random_games import random_game
from recorded_play import Play, recorded

SECOND = DATA / "puzzlescript" / "second_reading.js"
TURNS = 8
DRIVER = """
const {compileGame, prep, Sim} = require(process.argv[1]);
const games = JSON.parse(require('fs').readFileSync(0));
console.log(JSON.stringify(games.map(({source, inputs}) => {
  const sim = new Sim(prep(compileGame(source)), 0), found = [];
  sim.settle(); found.push(sim.out());
  for (const key of inputs) { sim.input(key); found.push(sim.out()); }
  return found;
})));
"""


class Bounded(Play):
    """A play that gives up if turns follow by themselves for long."""

    def settle(self):
        for _ in range(40):
            if not self.again:
                return
            self._turn(0)
        raise LimitError("positions", "turns follow for long")


def played(draw):
    """A random game, its inputs, and the boards after each; None if it is none, or takes long."""
    source = random_game(draw)
    inputs = [draw.choice([0, 1, 2, 3, 3, 4, "undo"]) for _ in range(TURNS)]
    try:
        with watched(Limits(seconds=0.5)):
            play = Bounded(read_game(source), 0)
            boards = [recorded(play.game, play.cells, play.turns.width)]
            for key in inputs:
                play.press(key)
                boards.append(recorded(play.game, play.cells, play.turns.width))
    except (FormatError, LimitError):
        return None
    return {"source": source, "inputs": inputs, "boards": boards} if not play.game.diagnostics else None


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.long
def test_random_games_turn_by_turn(seed):
    draw, games = Random(seed), []
    while len(games) * TURNS < 1000:
        found = played(draw)
        games += [found] if found is not None else []
    asked = json.dumps([{key: game[key] for key in ("source", "inputs")} for game in games])
    ran = subprocess.run(["node", "-e", DRIVER, str(SECOND)], input=asked, capture_output=True, text=True, check=True)
    pairs = zip(games, json.loads(ran.stdout), strict=True)
    wrong = [game["source"] for game, boards in pairs if game["boards"] != boards]
    assert wrong == []
