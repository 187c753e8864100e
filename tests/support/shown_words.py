"""The English words that a page shows: in texts, labels, titles and placeholders, also of shadow trees."""

import re

TEXTS = """() => {
  const found = [];
  const seen = (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true;
  const walk = (root) => {
    for (const each of root.children ?? []) {
      if (/^(SCRIPT|STYLE|TEXTAREA|NOSCRIPT|PRE)$/.test(each.tagName) || !seen(each)) continue;
      if (each.lang && each.lang !== "ja" || each.matches("[translate=no]")) continue;
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        if (each.getAttribute(name)) found.push(each.getAttribute(name));
      for (const node of each.childNodes) if (node.nodeType === 3 && node.data.trim()) found.push(node.data.trim());
      if (each.shadowRoot) walk(each.shadowRoot);
      walk(each);
    }
  };
  walk(document);
  return found;
}"""

KEPT = {
    "Puzzlespace",
    "SVG",
    "GIF",
    "JSON",
    "CSV",
    "PNG",
    "HTML",
    "Ctrl",
    "Enter",
    "Esc",
    "Shift",
    "OFF",
    "OEIS",
    "PuzzleScript",
}
KEPT |= {
    "step",
    "run",
    "piece",
    "chain",
    "multi",
    "count",
    "flip",
    "reverse",
    "turn",
    "slide",
    "along",
    "glide",
    "push",
    "tilt",
    "jump",
    "apply",
    "change",
    "stack",
    "key",
}  # words of the puzzle file
"""What is the same in Japanese."""


def english_words(page):
    """The English words in what the page shows, each with its text."""
    found = []
    for text in page.evaluate(TEXTS):
        bare = re.sub(r"'[^']*'|`[^`]*`", "", text)
        words = set(re.findall(r"\b[A-Za-z][A-Za-z]+\b", bare)) - KEPT
        found += [(word, text) for word in words if not (word.isupper() and len(word) < 4)]
    return found
