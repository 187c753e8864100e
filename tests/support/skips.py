"""Fail the session if a test is skipped for a reason that is not in tests/skips.toml.

It does so only if the environment variable PUZZLESPACE_STRICT_SKIPS is set, as in .ci/run.
"""

import os
import tomllib
from dataclasses import dataclass

import pytest

from places import TESTS

LIST = TESTS / "skips.toml"


@dataclass(frozen=True)
class AllowedSkip:
    """A row of tests/skips.toml."""

    reason: str
    why: str
    where: str

    def __post_init__(self):
        assert self.why
        assert self.where in ("anywhere", "without root"), self.where

    def allows(self, reason, root):
        return reason.startswith(self.reason) and not (root and self.where == "without root")


def allowed_skips():
    return [AllowedSkip(**row) for row in tomllib.loads(LIST.read_text(encoding="utf-8"))["allowed"]]


def is_root():
    return getattr(os, "geteuid", lambda: 1)() == 0


def unlisted(config):
    """The skips of a session that the list does not allow: lines 'place: reason'. Workers of xdist have none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("PUZZLESPACE_STRICT_SKIPS") or hasattr(config, "workerinput") or reporter is None:
        return []
    allowed, root, found = allowed_skips(), is_root(), []
    for report in reporter.stats.get("skipped", ()):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not any(each.allows(reason, root) for each in allowed):
            found.append(f"{report.nodeid}: {reason}")
    return found


def pytest_sessionfinish(session):
    if unlisted(session.config) and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    found = unlisted(config)
    if found:
        terminalreporter.section("skipped for a reason that is not in tests/skips.toml", red=True)
        for line in found:
            terminalreporter.line(line)
