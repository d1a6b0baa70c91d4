"""A question as a command: its command-line options and the files it can save."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_origin, get_type_hints

from pyramidion.questions import CommandSpec, Options, OptionSpec, Question, load_object
from pyramidion.questions.options import option_specs
from pyramidion.rendering.saving import Savable

# Suffixes that always mean the printed answer; a .json file may also be a saved model.
_PRINTED_SUFFIXES = (".md", ".tex", ".txt")


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A file to write, checked before the work starts."""

    savable: Savable
    path: Path
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Command:
    """A question as a command.

    The question is a function decorated with `question`. It returns a `Result`, another object that
    lists the files that it `saves`, or None if it printed or wrote everything itself.
    """

    question: "Question[Any] | Callable[..., Any]"

    @property
    def groups(self) -> dict[str, type[Options]]:
        """The question's groups of options, by the name of its parameter."""
        return dict(getattr(self.question, "groups", {}))

    @property
    def saves(self) -> tuple[Savable, ...]:
        """The files that the question's result can save."""
        result_class = get_type_hints(getattr(self.question, "run", self.question)).get("return")
        return getattr(get_origin(result_class) or result_class, "saves", ())

    @property
    def options(self) -> dict[OptionSpec, str]:
        """The command-line options, each with its heading in the help."""
        groups = self.groups.values()
        specs = {
            spec.name: (spec, spec.rules.get("panel") or kind.panel)
            for kind in groups
            for spec in option_specs(kind)
        }
        specs |= {spec.name: (spec, "") for savable in self.saves for spec in savable.options}
        return {spec: panel for spec, panel in specs.values() if spec.rules.get("on_command_line")}

    def choose_files(self, options: dict[str, Any]) -> tuple[list[ChosenFile], Path | None]:
        """Return the requested files, and the file for the answer if they share an option.

        Files that cannot be written are refused.
        """
        files: list[ChosenFile] = []
        answer_file = None
        if not any(savable.name == "output" for savable in self.saves):
            # The question has its own file, unless the name is that of a printed answer.
            own_file = Path(options.get("output") or "")
            if own_file.suffix in _PRINTED_SUFFIXES:
                answer_file, options["output"] = own_file, None
        for savable in self.saves:
            group = savable.settings.of(options)
            settings = {spec.name: getattr(group, spec.name) for spec in option_specs(type(group))}
            name = options[savable.name]
            path = None if name is None else Path(name)
            if path and savable.means_answer(name):
                answer_file = path
                continue
            if path is not None or group != type(group)():
                savable.check(path, **settings)
            if path is not None:
                files.append(ChosenFile(savable, path, settings))
        return files, answer_file


def save_files(files: Sequence[ChosenFile], result: Any) -> Iterator[str]:
    """Prepare all files, then write them; yield a message about each."""
    if getattr(result, "in_parts", False):
        for file in files:
            if not file.savable.for_parts:
                yield f"did not write {file.path}: the scores are in the folder of parts"
        return
    writers = [file.savable.writer(result, **file.settings) for file in files]
    for file, save in zip(files, writers, strict=True):
        save(file.path)
        yield from filter(None, [file.savable.message(result, file.path)])


def load_command(spec: CommandSpec) -> Command:
    """Load the question of a command."""
    return Command(load_object(spec.question))
