"""What all tests share: nothing is kept in the cache folder of whoever runs them."""

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory):
    """Keep tables in a folder of this run; the commands that tests start see it too."""
    before = os.environ.get("PUZZLESPACE_CACHE")
    os.environ["PUZZLESPACE_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    os.environ.pop("PUZZLESPACE_CACHE")
    if before is not None:
        os.environ["PUZZLESPACE_CACHE"] = before
