"""Which kernels are used, and what is said about it."""

import os
import shutil
import subprocess
import sys

import pytest

from pyramidion import kernels

USE = "from pyramidion import kernels; print(kernels.BACKEND);"
NOT_BUILT = "import sys; sys.modules['pyramidion.kernels._native'] = None;"


def run(program, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "PYRAMIDION_KERNELS"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=clean | environment,
    )


def test_native_kernels_are_built_where_there_is_a_compiler():
    compilers = [name for name in ("c++", "g++", "clang++") if shutil.which(name)]
    if not compilers:
        pytest.skip("there is no C++ compiler on the path")
    assert run(USE).stdout == "native\n", f"{compilers[0]} is here, but nothing was compiled"


def test_every_kernel_that_was_compiled_is_used(native):
    if kernels.BACKEND != "native":
        pytest.skip("the environment chooses Python")
    compiled = [name for name in kernels.__all__ if hasattr(native, name)]
    assert {"Stops", "Vocabulary", "bootstrap_sums", "json_item", "lcs_hits"} <= {*compiled}
    for name in compiled:
        assert getattr(kernels, name) is getattr(native, name), name


@pytest.mark.usefixtures("native")
def test_native_kernels_say_nothing():
    used = run(USE + "lexicon = kernels.Lexicon({}, []); kernels.Vocabulary(lexicon).encode(['a'])")
    assert used.stdout == "native\n"
    assert used.stderr == ""


@pytest.mark.parametrize("value", ["python", " Python "])
def test_the_environment_chooses_python(value):
    program = USE + "print(kernels.rouge_tokens.__module__, kernels.Lexicon.__module__)"
    assert run(program, PYRAMIDION_KERNELS=value).stdout.split() == [
        "python",
        "pyramidion.kernels.tokens",
        "pyramidion.kernels.fallback",
    ]


def test_the_slow_path_is_announced_once_at_the_first_use():
    assert run(USE, PYRAMIDION_KERNELS="python").stderr == ""
    program = USE + (
        "kernels.porter_stem('geese'); kernels.porter_stem('geese'); kernels.rouge_tokens('a');"
        "kernels.Vocabulary(kernels.Lexicon({}, []))"
    )
    assert run(program, PYRAMIDION_KERNELS="python").stderr.splitlines() == [
        "pyramidion uses its slow Python kernels: PYRAMIDION_KERNELS=python selects them"
    ]


NUMBERS = "import numpy as np; ids, one = np.array([5], np.int32), np.array([0]);"
TEXTS = NUMBERS + "ends = np.array([0, 1]); texts = kernels.Summaries(ids, ends, ids, ends, ends);"


@pytest.mark.parametrize(
    "use",
    [
        "kernels.rouge_tokens('a')",
        "kernels.ascii_letters(['a'])",
        NUMBERS + "kernels.bootstrap_sums(np.eye(2), 3)",
        "kernels.porter_stem('a')",
        "kernels.Lexicon({}, [])",
        TEXTS + "kernels.ngram_hits(ids, ends, one, one, 1)",
        TEXTS + "kernels.skip_hits(ids, ends, one, one, 4, True)",
        TEXTS + "kernels.lcs_hits(texts, one, one)",
        TEXTS + "kernels.weighted_lcs_hits(texts, one, one, 1.2)",
    ],
)
def test_every_kernel_announces_that_nothing_was_compiled(use):
    used = run(NOT_BUILT + USE + use)
    assert used.stdout == "python\n"
    (line,) = used.stderr.splitlines()
    assert "without a working C++17 compiler; install one, then reinstall" in line


def test_kernels_that_cannot_be_loaded_are_named(tmp_path):
    (tmp_path / "broken.py").write_text(
        "import sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pyramidion.kernels._native':\n"
        "            raise ImportError('undefined symbol')\n"
        "sys.meta_path.insert(0, Broken())\n"
    )
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import broken;"
    used = run(program + USE + "kernels.porter_stem('geese')")
    assert used.stdout == "python\n"
    assert "cannot be loaded (undefined symbol); reinstall pyramidion" in used.stderr


def test_both_kinds_offer_the_same_names():
    from pyramidion.kernels import fallback

    own = ["BACKEND", "Encoding", "GivenTexts", "Summaries", "json_item"]
    assert sorted([*fallback.__all__, *own]) == sorted(kernels.__all__)
