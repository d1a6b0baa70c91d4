"""`tools/mutants.py`: a mutant of every package, without running the tests on it."""

import ast
from random import Random

import pytest
from coverage import CoverageData

import mutants


@pytest.fixture(scope="module")
def sample():
    return mutants.sample_mutants(mutants.PACKAGES, len(mutants.PACKAGES), seed=0)


def test_every_package_has_a_mutant(sample):
    assert {"engine", "kernels", "studio"} <= set(mutants.PACKAGES)
    assert [mutant.package for mutant in sample] == list(mutants.PACKAGES)


def test_a_mutant_is_another_program(sample):
    for mutant in sample:
        original = mutant.file.read_text(encoding="utf-8")
        compile(mutant.text(), mutant.file, "exec")
        assert ast.dump(ast.parse(mutant.text())) != ast.dump(ast.parse(original))
        changed = zip(original.splitlines(), mutant.text().splitlines(), strict=False)
        assert next(n for n, (a, b) in enumerate(changed, 1) if a != b) >= mutant.line


def test_the_tests_of_a_mutant_run_its_lines_quickest_files_first(tmp_path, monkeypatch):
    """Those of lines that run on import, or for few tests, are the tests of the whole file."""
    file = mutants.SOURCE / "pyramidion" / "kernels" / "resampling.py"
    at = {mutant.line: mutant for mutant in mutants.mutants_of("kernels/resampling.py", Random(0))}
    inside = [line for line, mutant in at.items() if mutants.runs_in_call(mutant)]
    outside = min(at.keys() - inside, default=None)
    data = CoverageData(str(tmp_path / "lines"))
    for test, line in (
        ("tests/a/test_slow.py::one", inside[0]),
        ("tests/a/test_quick.py::two (call)", inside[0]),
        ("tests/a/test_quick.py::three", inside[1]),
        ("tests/a/test_failed.py::four", inside[0]),
    ):
        data.set_context(test)
        data.add_lines({str(file): [line]})
    data.write()
    quick, more, slow = (
        f"tests/a/test_{n}" for n in ("quick.py::two", "quick.py::three", "slow.py::one")
    )
    record = mutants.Record(
        tmp_path, {}, {quick: 1, more: 1, slow: 3, "tests/kernels/test_x.py::x": 1}
    )
    assert record.tests_of(at[inside[0]]) == [more, quick, slow]
    monkeypatch.setattr(mutants, "FEW_TESTS", 1)
    assert record.tests_of(at[inside[0]]) == [quick, slow]
    assert record.tests_of(at[inside[1]]) == [more]
    assert sorted(record.tests_of(at[inside[2]])) == sorted([quick, more, slow])
    if outside is not None:
        everything = [quick, more, slow, "tests/kernels/test_x.py::x"]
        assert sorted(record.tests_of(at[outside])) == sorted(everything)
    [other] = mutants.sample_mutants(["kernels/porter.py"], 1, seed=0)
    assert record.tests_of(other) == ["tests/kernels/test_x.py::x"]


@pytest.mark.long
def test_a_test_is_recorded_with_the_programs_that_it_starts(tmp_path):
    """The Python kernels run only in programs, in which nothing was compiled."""
    copy = mutants.make_copy(tmp_path / "copy")
    (tmp_path / "record").mkdir()
    seconds = mutants.record_tests(copy, ["tests/kernels/test_choice.py"], tmp_path / "record", 1)
    record = mutants.Record(tmp_path / "record", {}, seconds)
    by_line = record.tests_by_line(mutants.SOURCE / "pyramidion" / "kernels" / "overlap.py")
    name = "tests/kernels/test_choice.py::test_every_kernel_announces_that_nothing_was_compiled"
    assert any(test.startswith(name) for tests in by_line.values() for test in tests)


def test_a_seed_draws_the_same_sample_again():
    first, second, other = (
        [
            mutants.line_of(mutant, "", "")
            for mutant in mutants.sample_mutants(["engine", "stats"], 6, seed)
        ]
        for seed in (3, 3, 4)
    )
    assert first == second
    assert first != other
    assert sum(line.strip().startswith("engine/") for line in first) == 3


def test_a_place_that_does_not_exist():
    with pytest.raises(mutants.ToolError, match="there is no src/pyramidion/nowhere"):
        mutants.sample_mutants(["nowhere"], 1, seed=0)


def test_what_changes_no_result_is_not_drawn():
    """Sizes of caches and blocks of work, the times a first part is split, names of exports."""
    for line, number in (
        ("_AT_ONCE = 20", 0),
        ("_CACHE_SIZE: int = 20", 0),
        ("BLOCK, LARGE_BLOCK = 1 << 16, 1 << 20", 0),
        ("_MOST = 20", 1),
        ("_MOST, _BLOCK = 20, 30", 2),
        ("cached = lru_cache(maxsize=8)(stem)", 0),
        ("gc.set_threshold(100, 50)", 0),
        ("first = text.split(',', 1)[0]", 1),
        ("last = text.rsplit(',', 1)[-1]", 1),
        ("second = text.split(',', 1)[1]", 2),
        ("__all__ = names[1:]", 0),
    ):
        assert len(list(mutants.sites(ast.parse(line)))) == number, line
