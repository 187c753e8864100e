"""The documentation as a site: `pip install '.[docs]' && sphinx-build docs site`."""

import os
import sys
from importlib.metadata import version as installed

sys.path.insert(0, os.path.dirname(__file__))

import catalogue_pages
import reference_pages

project = "Puzzlespace"
author = "The Puzzlespace authors"
copyright = f"2026, {author}"
release = version = installed("puzzlespace")

extensions = ["myst_nb", "sphinx.ext.autodoc"]
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = os.environ.get("TUTORIALS", "auto")
nb_execution_timeout = 600
suppress_warnings = ["misc.highlighting_failure"]  # there is no lexer for puzzle files
exclude_patterns = ["images/*.md"]
language = "en"

html_theme = "furo"
html_title = "Puzzlespace"
html_static_path = []
html_show_sourcelink = False


def setup(app):
    """Write the pages of the catalogue and of the public names before anything is read."""
    app.connect("builder-inited", lambda app: catalogue_pages.write(app.srcdir))
    app.connect("builder-inited", lambda app: reference_pages.write(app.srcdir))
    app.connect("autodoc-process-docstring", mark_up)


def mark_up(app, what, name, found, options, lines):
    """Replace the lines of a docstring by their markup."""
    lines[:] = reference_pages.as_markup(list(lines))
