"""Defaults and bounds of the numbers that commands take: a part of their contract.

`declared_numbers.txt` lists them by the class that declares them. A new option need not be there;
one that changes is a change that users notice, and belongs into `CHANGELOG.md` as well.
"""

from pathlib import Path

from pyramidion.cli._command import load_command
from pyramidion.cli._list import command_specs
from pyramidion.questions.options import option_specs

FROZEN = Path(__file__).with_name("declared_numbers.txt")


def declared():
    """Say of each option that is a number what it is by default and what it may be."""
    numbers = {}
    for command in map(load_command, command_specs()):
        for group in command.groups.values():
            for spec in option_specs(group):
                if spec.inner in (int, float):
                    classes = (
                        k for k in group.__mro__ if spec.name in vars(k).get("__annotations__", ())
                    )
                    numbers[f"{[*classes][-1].__name__}.{spec.name}"] = (
                        f"{spec.default}; {spec.range}"
                    )
    return numbers


def test_defaults_and_bounds_of_numbers_stay():
    numbers = declared()
    frozen = dict(line.split(": ", 1) for line in FROZEN.read_text("utf-8").splitlines())
    assert len(frozen) > 100
    assert {name: numbers.get(name) for name in frozen} == frozen
