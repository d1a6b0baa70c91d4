"""Defaults and bounds of the numbers that commands, metrics and methods take: their contract.

`declared_numbers.txt` lists them by the class that declares them. A new option need not be there;
one that changes is a change that users notice, and belongs into `CHANGELOG.md` as well.
"""

from pathlib import Path

from pyramidion.cli._command import load_command
from pyramidion.cli._list import command_specs
from pyramidion.metrics import all_metrics
from pyramidion.questions.options import option_specs
from pyramidion.summarizers import BUILT_IN as SUMMARIZERS

FROZEN = Path(__file__).with_name("declared_numbers.txt")


def declared():
    """Say of each option that is a number what it is by default and what it may be."""
    commands = map(load_command, command_specs())
    groups = (group for command in commands for group in command.groups.values())
    return {
        f"{declaring(group, spec.name)}.{spec.name}": f"{spec.default}; {spec.range}"
        for group in (*groups, *all_metrics(), *SUMMARIZERS)
        for spec in option_specs(group)
        if spec.inner in (int, float)
    }


def declaring(group, name):
    """Return the name of the class that declares an option."""
    classes = [kind for kind in group.__mro__ if name in vars(kind).get("__annotations__", ())]
    return classes[-1].__name__


def test_defaults_and_bounds_of_numbers_stay():
    numbers = declared()
    frozen = dict(line.split(": ", 1) for line in FROZEN.read_text("utf-8").splitlines())
    assert len(frozen) > 100
    assert {name: numbers.get(name) for name in frozen} == frozen
