"""For a paper: a standard set, each length proved twice, a table beside the published lengths, and what to cite.

    python examples/researcher.py                 prints the table and the citation
    python examples/researcher.py proofs.jsonl    also writes the proofs, and goes on from that file after a stop

The set is eight of Korf's hundred 15-puzzles (Artificial Intelligence 27, 1985), the ones with the fewest nodes. Name
another file with the same columns, another goal or other bounds to prove a set of your own.
"""

import csv
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import puzzlespace
from puzzlespace import Limits, Status

SET = Path(__file__).with_name("korf8.csv")
PUZZLE = "slide:4x4"
GOAL = "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15"
BOUNDS = ("distance", "walking")
SECONDS = 60.0


@dataclass(frozen=True)
class Row:
    """A position of the set: what was published, and what is proved.

    proved     the length if all searches proved the same one, else None
    generated  positions generated below each bound; path: a shortest solution, position by position
    """

    number: str
    claimed: int
    proved: int | None
    generated: tuple[int, ...]
    seconds: float
    path: tuple[str, ...]


def proved(number: str, position: str, claimed: int) -> Row:
    """Return a row after a search below each bound; puzzlespace replays every solution."""
    puzzle = puzzlespace.with_goal(puzzlespace.load(PUZZLE), GOAL)
    answers = [
        puzzlespace.solve(puzzle, start=position, engine="idastar", heuristic=bound, limits=Limits(seconds=SECONDS))
        for bound in BOUNDS
    ]
    lengths = {answer.moves if answer.status is Status.OPTIMAL else None for answer in answers}
    length = lengths.pop() if len(lengths) == 1 else None
    path = tuple(puzzle.line(each) for each in answers[0].path) if length is not None else ()
    work = tuple(answer.generated for answer in answers)
    return Row(number, claimed, length, work, sum(answer.seconds for answer in answers), path)


def rows_of(file: Path, proofs: Path | None) -> list[Row]:
    """Return the rows of a set; those in the file of proofs are not searched for again, new ones are appended."""
    known: dict[str, Row] = {}
    if proofs is not None and proofs.exists():
        for line in proofs.read_text().splitlines():
            row = Row(**json.loads(line))
            known[row.number] = row
    found: list[Row] = []
    with file.open(newline="") as lines:
        for each in csv.DictReader(lines):
            row = known.get(each["id"])
            if row is None:
                row = proved(each["id"], each["position"], int(each["claimed"]))
                if proofs is not None:
                    with proofs.open("a") as out:
                        out.write(json.dumps(asdict(row)) + "\n")
            found.append(row)
    return found


def table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table with a sentence below."""
    head = ["no.", "published", "proved", *(f"generated, `{bound}`" for bound in BOUNDS), "seconds"]
    lines = [head, ["---:"] * len(head)]
    for row in rows:
        length = "-" if row.proved is None else str(row.proved)
        lines.append([row.number, str(row.claimed), length, *(f"{n:,}" for n in row.generated), f"{row.seconds:.2f}"])
    equal = sum(row.proved == row.claimed for row in rows)
    text = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{text}\n\n{equal} of {len(rows)} published lengths are proved, each by {len(BOUNDS)} searches."


def citation() -> str:
    """Return the entry for a bibliography."""
    return (
        "@software{puzzlespace,\n  title = {Puzzlespace},\n  author = {{The Puzzlespace authors}},\n"
        f"  version = {{{puzzlespace.__version__}}},\n  license = {{MIT}},\n}}"
    )


def main(files: list[str]) -> None:
    """Print the table and the citation; write the proofs into a file if one is named."""
    print(table(rows_of(SET, Path(files[0]) if files else None)))
    print(f"\n{citation()}")


if __name__ == "__main__":
    main(sys.argv[1:])
