"""The pages of the static site: one for each puzzle, with a preview and a text that search engines read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ..errors import plural
from ..render.glyphs import printable

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The content security policy of every page: nothing is loaded from another host."""

TAGS = re.compile(r'<meta (?:name="description"|property="og:\w+")[^>]*>\n')
"""What the page says of itself, for links to it; the pages of a site say it of their puzzle."""


@dataclass(frozen=True)
class Shell:
    """What all pages of a site share.

    page     the text of `index.html`, which names its files below `/static/`
    version  the files are below `static/VERSION/`
    title    of the site
    address  where the site will be, with a slash at the end; '' if that is not known
    links    for each puzzle its name and its titles by language
    books    for each notebook its name and its title
    """

    page: str
    version: str
    title: str
    address: str
    links: Sequence[tuple[str, dict[str, str]]]
    books: Sequence[tuple[str, str]] = ()

    def written(self, data: dict[str, Any], file: str, folder: str, preview: str, front: bool = False) -> str:
        """Return the page of a puzzle.

        data     as in `site_data.Kept`
        file     the name of the puzzle's data below `static/VERSION/puzzles/`
        folder   where the page is, below the site's folder
        preview  the picture of the puzzle, below the site's folder; '' without one
        front    whether the page has the title of the site
        """
        root = "../" * folder.count("/")
        name, about = data["about"]["name"], data["about"]
        title = self.title if front else f"{_title(about)} — {self.title}"
        said = _said(data)
        tags = [
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            f'<meta name="description" content="{escape(said)}">',
            *self._shared(title, said, folder, preview, root),
            f'<link rel="preload" as="fetch" crossorigin href="/static/puzzles/{file}">',
        ]
        page = TAGS.sub("", self.page)
        page = page.replace("<title>Puzzlespace</title>", f"<title>{escape(title)}</title>\n" + "\n".join(tags))
        page = page.replace("<h1>Puzzlespace</h1>", f"<h1>{escape(self.title)}</h1>")
        page = page.replace('<body class="empty">', f'<body class="empty" data-puzzle="{escape(name)}">')
        page = page.replace("</main>", f"</main>\n{self._notebooks(root)}{self._text(data, root)}")
        return page.replace('="/static/', f'="{root or "./"}static/{self.version}/')

    def _shared(self, title: str, said: str, folder: str, preview: str, root: str) -> list[str]:
        """Return the tags of the preview that other sites show of a link."""
        found = {"og:type": "website", "og:site_name": self.title, "og:title": title, "og:description": said}
        if self.address:
            found["og:url"] = self.address + folder
        if preview:
            found["og:image"] = (self.address or root) + preview
        tags = [f'<meta property="{key}" content="{escape(value)}">' for key, value in found.items()]
        tags.append(f'<meta name="twitter:card" content="{"summary_large_image" if preview else "summary"}">')
        return [*tags, f'<link rel="canonical" href="{escape(self.address + folder)}">'] if self.address else tags

    def _notebooks(self, root: str) -> str:
        """Return links to the notebooks."""
        links = "".join(f'<a href="{root or "./"}notebooks/{name}/">{escape(title)}</a> ' for name, title in self.books)
        said = '<span id="books" data-t="notebooks"></span>'
        return links and f'<nav id="notebooks" aria-labelledby="books">{said} {links}</nav>\n'

    def _text(self, data: dict[str, Any], root: str) -> str:
        """Return the puzzle in words, in both languages, and links to all puzzles."""
        about, japanese = data["about"], data["about"]["ja"]
        english = "".join(f"<p>{_shown(line)}</p>" for line in [about["note"], *about["rules"], _numbers(data)] if line)
        other = "".join(f"<p>{_shown(line)}</p>" for line in [japanese["note"], *japanese["rules"]] if line)
        parts = [
            self._section("en", _title(about), english, root),
            self._section("ja", _title(about, "ja"), other, root),
        ]
        return '<footer id="told">\n' + "".join(parts) + "</footer>"

    def _section(self, language: str, title: str, text: str, root: str) -> str:
        links = "".join(
            f'<li><a href="{root or "./"}puzzles/{name}/">{_shown(titled(titles, name, language))}</a></li>'
            for name, titles in self.links
        )
        return f'<section lang="{language}"><h2>{_shown(title)}</h2>{text}<nav><ul>{links}</ul></nav></section>\n'


def titled(titles: dict[str, str], name: str, language: str = "en") -> str:
    """Return the title in a language, else the one without a language, else any, else the name."""
    return titles.get(language) or titles.get("") or next(iter(titles.values()), name)


def _title(about: dict[str, Any], language: str = "en") -> str:
    return titled(about["titles"], about["name"], language)


def _shown(text: str) -> str:
    return escape(printable(text.strip()))


def _numbers(data: dict[str, Any]) -> str:
    """Return what is proved about a puzzle, in a sentence."""
    table, parts = data["summary"], []
    if table is not None and table["origin"] == "goal":
        parts.append(f"{table['states']:,} positions, at most {plural(table['depth'], 'move')} to the goal.")
    if data["moves"]:
        parts.append(f"The shortest solution has {plural(data['moves'], 'move')}.")
    return " ".join(parts)


def _said(data: dict[str, Any]) -> str:
    """Return a puzzle in two sentences, for a search engine or beside a link."""
    about = data["about"]
    texts = [about["note"] or (about["rules"][0].strip() if about["rules"] else ""), _numbers(data)]
    return printable(" ".join(filter(None, texts)))[:300]


def manifest(text: str, title: str) -> str:
    """Return the manifest of the site as an app."""
    found = json.loads(text)
    del found["id"]
    found |= {"name": title, "short_name": title, "start_url": "../../", "scope": "../../"}
    return json.dumps(found, ensure_ascii=False, indent=1)


def sitemap(address: str, folders: Sequence[str]) -> str:
    """Return the list of all pages for search engines."""
    rows = "".join(f"<url><loc>{escape(address + folder)}</loc></url>\n" for folder in folders)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
