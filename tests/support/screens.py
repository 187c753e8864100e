"""What is true of every screen of the page, from a server or from files: nothing hidden is shown, a game fits."""

SEEN = """() => {
  const roots = [document, document.querySelector("puzzle-space").shadowRoot];
  const hidden = roots.flatMap((root) => [...root.querySelectorAll("[hidden]")]);
  const seen = (each) => getComputedStyle(each).display !== "none";
  return [hidden.length, hidden.filter(seen).map((each) => each.id || each.className || each.outerHTML)];
}"""


WIDTHS = (320, 360, 390, 768, 1024, 1366, 1440, 1920)


def hidden_stays_hidden(page):
    """Hold a page at all widths: the board, the editor, a solution, all tabs, the gallery."""

    def unseen():
        for wide in WIDTHS:
            page.set_viewport_size({"width": wide, "height": 800})
            count, seen = page.evaluate(SEEN)
            assert (count > 5, seen) == (True, []), wide

    unseen()
    for _ in range(2):
        page.locator("#edit").click()
        unseen()
    page.locator("puzzle-space [data-do=solve]").click()
    for tab in ("hardest", "make", "map", "rules"):
        page.locator(f"#tab-{tab}").click()
        unseen()
    page.locator("#browse").click()
    for typed in ("wolf", "no such puzzle"):
        page.locator("#search").fill(typed)
        unseen()
        assert page.locator("#front").evaluate("(front) => front.hidden && getComputedStyle(front).display === 'none'")


FIT = """() => {
  const { shadowRoot } = document.querySelector("puzzle-space");
  const parts = [".board", ".status", ".deal", ".tools", ".listed"].map((part) => shadowRoot.querySelector(part));
  const [board, status, deal, tools, listed] = parts.map((part) => part.getBoundingClientRect());
  const apart = (a, b) => a.bottom <= b.top || b.bottom <= a.top || a.right <= b.left || b.right <= a.left;
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    below: parts.filter((part) => part.getBoundingClientRect().bottom > innerHeight).map((part) => part.className),
    apart: [board, status, deal, listed].every((part) => apart(part, tools)),
  };
}"""


def fits(page):
    """Hold a game on phones: all of it is in sight, and nothing is under the tools."""
    page.locator("puzzle-space .deal button").first.wait_for()
    for wide, high in ((320, 640), (360, 740), (390, 844), (640, 360), (844, 390)):
        page.set_viewport_size({"width": wide, "height": high})
        found = page.evaluate(FIT)
        assert found == {"wide": 0, "below": [], "apart": True}, (wide, found)
