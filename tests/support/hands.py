"""A person at the player of a page, by mouse, by touch or by keyboard."""

SPACE = "document.querySelector('puzzle-space')"

NEXT = (
    f"{SPACE}.at.moves.filter((move) => move.best || {SPACE}.about.goals.includes(move.to))"
    ".sort((one, other) => one.steps.length - other.steps.length)[0]"
)
"""A move of a shortest solution, in few steps: the one that a drag straight to its end means."""


class Hand:
    """A person at a page: presses and drags by mouse or by touch, or presses keys."""

    def __init__(self, page, how):
        self.page, self.how = page, how
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind, *spots):
        points = [{"x": x, "y": y} for x, y in spots]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def tap(self, spot):
        if self.how == "mouse":
            self.page.mouse.click(*spot)
        else:
            self.page.touchscreen.tap(*spot)

    def drag(self, start, end):
        way = [(start[0] + k * (end[0] - start[0]) / 4, start[1] + k * (end[1] - start[1]) / 4) for k in range(1, 5)]
        if self.how == "mouse":
            self.page.mouse.move(*start)
            self.page.mouse.down()
            for spot in way:
                self.page.mouse.move(*spot)
            self.page.mouse.up()
        else:
            self.touch("touchStart", start)
            for spot in way:
                self.touch("touchMove", spot)
            self.touch("touchEnd")

    def middle(self, selector):
        box = self.page.locator(f"puzzle-space {selector}").first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def cell(self, number):
        return self.middle(f".cells button[data-cell='{number}']")

    def enter(self, selector):
        self.page.locator(f"puzzle-space {selector}").first.focus()
        self.page.keyboard.press("Enter")

    def peg(self, number):
        box = self.page.locator("puzzle-space .board").bounding_box()
        return box["x"] + box["width"] * (number + 0.5) / 3, box["y"] + box["height"] / 3
