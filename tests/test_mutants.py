"""`tools/mutants.py`: a mutant of every package, without running the tests on it."""

import ast

import pytest

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


def test_a_mutant_has_tests(sample):
    for mutant in sample:
        files = mutants.tests_of(mutant)
        assert files, mutant.file
        assert all(file.is_file() for file in files)


def test_tests_that_import_a_module_come_first():
    [mutant] = mutants.sample_mutants(["kernels/resampling.py"], 1, seed=0)
    nearest, *rest = [file.name for file in mutants.tests_of(mutant)]
    assert nearest == "test_resampling.py"
    assert rest


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
