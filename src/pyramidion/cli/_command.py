"""A question as a command: the options that can be typed, and the files that can be saved."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_origin, get_type_hints

from pyramidion.questions import CommandSpec, Options, OptionSpec, Question, load_object
from pyramidion.questions.options import option_specs
from pyramidion.rendering.saving import Savable


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A file that a call asks for, checked before the work."""

    savable: Savable
    path: Path
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Command:
    """A question as a command.

    The question is a function made by `question`. It returns a `Result`, or something else that
    lists the files that it `saves`, or None where it printed or wrote everything itself.
    """

    question: "Question[Any] | Callable[..., Any]"

    @property
    def groups(self) -> dict[str, type[Options]]:
        """The question's groups of options, by the name of its parameter."""
        return dict(getattr(self.question, "groups", {}))

    @property
    def saves(self) -> tuple[Savable, ...]:
        """The files that can be saved of what the question returns."""
        kind = get_type_hints(getattr(self.question, "run", self.question)).get("return")
        return getattr(get_origin(kind) or kind, "saves", ())

    @property
    def options(self) -> dict[OptionSpec, str]:
        """The options that can be typed, each with its heading in the help."""
        kinds = self.groups.values()
        specs = {spec.name: (spec, kind.panel) for kind in kinds for spec in option_specs(kind)}
        specs |= {spec.name: (spec, "") for savable in self.saves for spec in savable.options}
        return {spec: panel for spec, panel in specs.values() if spec.rules.get("on_command_line")}

    def choose_files(self, options: Mapping[str, Any]) -> tuple[list[ChosenFile], Path | None]:
        """Return the files that are asked for, and the one for the answer if they share an option.

        What cannot be written is refused.
        """
        files: list[ChosenFile] = []
        answer_file = None
        for savable in self.saves:
            group = savable.settings.of(options)
            settings = {spec.name: getattr(group, spec.name) for spec in option_specs(type(group))}
            name = options[savable.name]
            path = None if name is None else Path(name)
            if savable.instead_of_answer and path and not savable.instead_of_answer(name):
                answer_file = path
                continue
            if path is not None or group != type(group)():
                savable.check(path, **settings)
            if path is not None:
                files.append(ChosenFile(savable, path, settings))
        return files, answer_file


def save_files(files: Sequence[ChosenFile], result: Any) -> Iterator[str]:
    """Write the files, after all of them were prepared, and report which."""
    if getattr(result, "in_parts", False):
        for file in files:
            if not file.savable.for_parts:
                yield f"did not write {file.path}: the scores are in the folder of parts"
        return
    writers = [file.savable.writer(result, **file.settings) for file in files]
    for file, write in zip(files, writers, strict=True):
        write(file.path)
        yield from filter(None, [file.savable.message(result, file.path)])


def load_command(spec: CommandSpec) -> Command:
    """Load the question of a command."""
    return Command(load_object(spec.question))
