"""Random small Sokoban levels as text: half of them made by pulls from a solved one, so that they have a solution."""

from __future__ import annotations

from random import Random

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def level(random: Random) -> str:
    while True:
        wide, high = random.randint(3, 5), random.randint(3, 4)
        walls = random.choice((0.05, 0.15, 0.25))
        free = {(x, y) for x in range(1, wide + 1) for y in range(1, high + 1) if random.random() > walls}
        count = random.choice((1, 2, 2, 2, 3, 3))
        if len(free) < count + 3:
            continue
        player, *boxes = random.sample(sorted(free), count + 1)
        goals = set(boxes) if random.random() < 0.6 else set(random.sample(sorted(free), count))
        if goals == set(boxes):
            player, boxes = pulled(random, free, player, boxes)
        elif random.random() < 0.3:
            goals = set(random.sample(sorted(goals), random.randint(1, count)))
        if not any((player[0] + dx, player[1] + dy) in free - {*boxes} for dx, dy in SIDES):
            continue
        rows = [["#"] * (wide + 2) for _ in range(high + 2)]
        for x, y in free:
            signs = "+@" if (x, y) == player else "*$" if (x, y) in boxes else ". "
            rows[y][x] = signs[(x, y) not in goals]
        return "\n".join(map("".join, rows)) + "\n"


def passage(random: Random) -> str:
    """Return a room with boxes and a room with goals, and a passage of one or two cells between them."""
    while True:
        wide, high, long, deep = random.randint(3, 5), random.randint(4, 5), random.randint(1, 2), random.randint(2, 3)
        free = {(x, y) for x in range(1, wide + 1) for y in range(1, high + 1) if random.random() > 0.06}
        row = random.randint(1, high)
        there = [(wide + long + x, y) for x in range(1, deep + 1) for y in range(1, high + 1) if random.random() > 0.15]
        inner = sorted((x, y) for x, y in free if 1 < y < high and x > 1)
        count = random.choice((2, 2, 3))
        if len(there) < count or len(inner) < count:
            continue
        free |= {(wide + k, row) for k in range(1, long + 1)} | {*there}
        boxes, goals = random.sample(inner, count), random.sample(there, count)
        player = random.choice(sorted(free - {*boxes}))
        rows = [["#"] * (wide + long + deep + 2) for _ in range(high + 2)]
        for x, y in free:
            signs = "+@" if (x, y) == player else "*$" if (x, y) in boxes else ". "
            rows[y][x] = signs[(x, y) not in goals]
        return "\n".join(map("".join, rows)) + "\n"


def pulled(random: Random, free: set, player: tuple, boxes: list) -> tuple[tuple, list]:
    """Return a player and boxes after random steps, half of which pull the box behind the player along."""
    boxes = list(boxes)
    for _ in range(random.choice((20, 60, 150))):
        dx, dy = random.choice(SIDES)
        (x, y), ahead, behind = player, (player[0] + dx, player[1] + dy), (player[0] - dx, player[1] - dy)
        if ahead in free and ahead not in boxes:
            if behind in boxes and random.random() < 0.8:
                boxes[boxes.index(behind)] = (x, y)
            player = ahead
    return player, boxes


def kinds(random: Random) -> str:
    """Return the puzzle file of a level with boxes of two kinds; half of them are made by pulls from a solved one."""
    while True:
        text = level(random)
        boxes = sum(map(text.count, "$*"))
        if boxes > 1:
            break
    letters = ["A", "B", *random.choices("AB", k=boxes - 2)]
    random.shuffle(letters)
    wanted = random.sample(letters, boxes)
    start = "".join(letters.pop() if sign in "$*" else {" ": ".", "+": "@"}.get(sign, sign) for sign in swept(text))
    goal = "".join(wanted.pop() if sign in ".*+" else "#" if sign == "#" else "*" for sign in text if sign != "\n")
    wide = text.index("\n")
    rows = ["".join(f"  {drawn[at : at + wide]}\n" for at in range(0, len(drawn), wide)) for drawn in (start, goal)]
    return f"rule: push\nstart:\n{rows[0]}goal:\n{rows[1]}"


def swept(text: str) -> str:
    """Return the signs of a level without goals."""
    return text.replace(".", " ").replace("\n", "")
