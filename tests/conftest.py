import gc
import os
import signal
from functools import cache
from random import Random

import numpy as np
import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from pyramidion.checks import _texts

# How long an example takes depends on the machine, and no test asks for it. The examples are the
# same in every run, so that one run is as good as another; `make test-long` tries more and others.
settings.register_profile("house", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=300)
settings.load_profile("house")


def pytest_sessionstart():
    """Collect no garbage while tests are collected: hardly anything is thrown away then."""
    gc.disable()


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


def pytest_collection_finish():
    """Collect garbage less often, and do not search the tests themselves and what they import."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Let every test draw the same numbers, whichever tests of its module ran before."""
    for generator, state in _generators(getattr(item, "module", None)):
        if isinstance(generator, Random):
            generator.setstate(state)
        else:
            generator.bit_generator.state = state


# Fixtures shared by several tests draw for the first one only.
pytest_runtest_call = pytest_runtest_setup


@cache
def _generators(module):
    """List the random generators of a module, with their states when it was imported."""
    values = vars(module).values() if module else ()
    return [(value, value.getstate()) for value in values if isinstance(value, Random)] + [
        (value, value.bit_generator.state)
        for value in values
        if isinstance(value, np.random.Generator)
    ]


@pytest.fixture(scope="session", autouse=True)
def interrupts_are_heard():
    """A shell's background jobs ignore interrupts, and so would the commands that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk():
    """Leave it to the system when files reach the disk: no test pulls the plug."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def texts_are_checked_once():
    """Remember what was found in texts: most tests read the same few collections again."""
    check, findings = _texts.findings_of_texts, {}

    def check_once(texts):
        parts = (texts.summaries, texts.references, texts.documents, texts.word_limits)
        # Only the hash is kept, as some sets of texts are large.
        key = hash((*(tuple(part.items()) for part in parts), texts.consecutive, texts.order))
        if key not in findings:
            findings[key] = tuple(check(texts))
        return iter(findings[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_texts, "findings_of_texts", check_once)
        yield
