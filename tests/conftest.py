import os

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

# How long an example takes depends on the machine, and no test asks for it. The examples are the
# same in every run, so that one run is as good as another; `make test-long` tries more and others.
settings.register_profile("house", deadline=None, max_examples=15, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=300)
settings.load_profile("house")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Look for doctests in the package only: tests have none, and looking for them takes long."""
    collectors = yield
    in_tests = file_path.is_relative_to(parent.config.rootpath / "tests")
    return [
        collector
        for collector in collectors
        if not (in_tests and isinstance(collector, DoctestModule))
    ]


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk():
    """Leave it to the system when files reach the disk: no test pulls the plug."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield
