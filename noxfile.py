"""The checks as sessions: `nox` runs style, types and tests; `nox -l` lists all. `.ci/run` runs everything."""

import nox

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "uv|virtualenv"


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and layout."""
    session.install("ruff>=0.9,<1")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types; needs Node.js."""
    session.install(".[test]", "pyright>=1.1.380,<2")
    session.run("pyright", "--warnings")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; arguments after `--` go to pytest."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session(default=False)
def versions(session: nox.Session) -> None:
    """Run tests on the lowest versions, and on a second Python."""
    session.run(".ci/versions", *session.posargs, external=True)


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the documentation as a site; a warning fails it."""
    session.install(".[docs]")
    session.run("sphinx-build", "-W", "docs", "site")


@nox.session(default=False)
def review(session: nox.Session) -> None:
    """Look at the repository and its metadata as others do."""
    session.install("sp-repo-review[cli]>=2025.5", "pyroma>=5")
    session.run("repo-review", ".")
    session.run("pyroma", "--min", "8", ".")


@nox.session(default=False)
def release(session: nox.Session) -> None:
    """Build the files of a release twice and compare them; refuse an unclean state."""
    session.install("build>=1.2")
    session.run("python", ".ci/release.py", *session.posargs)
