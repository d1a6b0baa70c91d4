"""Match the items of several logs by their content, and report all differences between runs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Collection as Collection_
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from pyramidion.collection import Collection, Finding, Measure, Scores
from pyramidion.collection.formats.base import ERRORS_DIFFER, LogSettings
from pyramidion.collection.ids import grouped
from pyramidion.collection.measures import find_measure
from pyramidion.errors import InputError, Where
from pyramidion.logs._files import expecting_format, find_logs, unrecognized_archives
from pyramidion.logs._inspect import read_inspect
from pyramidion.logs._lm_eval import read_lm_eval
from pyramidion.logs._promptfoo import read_promptfoo
from pyramidion.logs._test_runs import read_deepeval, read_helm, read_ragas
from pyramidion.logs.run_log import ERROR, UNSCORED, LoggedItem, RunLog, content_hash
from pyramidion.rendering.labels import counted

_READERS: Mapping[str, Callable[[Path, LogSettings], Iterator[RunLog]]] = {
    "inspect": read_inspect, "lm-eval": read_lm_eval, "promptfoo": read_promptfoo,
    "deepeval": read_deepeval, "ragas": read_ragas, "helm": read_helm,
}  # fmt: skip

# If a mean in the log differs from ours by more than this share, the log was misread.
_MEAN_TOLERANCE = 1e-4

# Groups are suggested as clusters if their number is at most this share of the items.
_MAX_GROUP_SHARE = 0.5


class Run(NamedTuple):
    """A log, the source the user named, and the name of its system."""

    log: RunLog
    source: Path
    system: str = ""


def read_logs(sources: Path | Sequence[Path], settings: LogSettings | None = None) -> Collection:
    """Read the logs of files and folders as one collection."""
    settings = settings or LogSettings()
    paths = [sources] if isinstance(sources, Path) else list(sources)
    all_runs = [
        run for path, source in _path_sources(paths) for run in _read_runs(path, source, settings)
    ]
    runs, left_out = _drop_copies(all_runs)
    if len({run.source for run in runs}) == 1 < len({run.source for run in all_runs}):
        raise InputError(f"the sources have the same runs: {left_out[0]}", "name another run")
    runs, attempt_notes = _keep_last_attempts(runs, settings)
    _require_directions([run.log for run in runs], settings)
    runs = _name_runs(runs)
    runs_by_task = grouped((run.log.task, run) for run in runs)
    if len(runs_by_task) > 1 and len({run.source for run in runs}) > 1:
        _require_shared_task(runs, runs_by_task)
    tasks = [_Task(task, task_runs, settings) for task, task_runs in runs_by_task.items()]
    skipped_notes = [f"{file}: not a log" for path in paths for file in unrecognized_archives(path)]
    notes = [line for run in runs for line in run.log.left_out]
    return Collection(
        name=paths[0].name,
        scores=Scores.concatenate(part.scores() for part in tasks),
        measures=_measures(run.log for run in runs),
        left_out=tuple(dict.fromkeys([*left_out, *attempt_notes, *skipped_notes, *notes])),
        doubts=tuple(finding for part in tasks for finding in part.findings()),
        source_systems=_systems_by_source(runs),
        pairing={part.task: part.pairing() for part in tasks},
    )


def _path_sources(paths: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Return each path with its source: more than two files of a folder are one source."""
    folders = Counter(path.parent for path in paths if path.is_file())
    return [
        (path, path.parent if path.is_file() and folders[path.parent] > 2 else path)
        for path in paths
    ]


def _systems_by_source(runs: Sequence[Run]) -> tuple[tuple[str, ...], ...]:
    systems_of_sources = grouped((run.source, run.system) for run in runs)
    return tuple(tuple(dict.fromkeys(systems)) for systems in systems_of_sources.values())


def _read_runs(path: Path, source: Path, settings: LogSettings) -> Iterator[Run]:
    """Read all logs of a file or folder."""
    logs = {file: kind for kind, file in find_logs(path)}
    if not logs:
        raise Where(path).error("there is no log in it", "name a log or a folder of logs")
    for file, kind in logs.items():
        # Of several exports of an evaluation, one counts; promptfoo's JSON is exact and complete.
        preferred_file = file.with_suffix({"promptfoo": ".json", "ragas": ".jsonl"}.get(kind, ""))
        if file not in (path, preferred_file) and preferred_file in logs:
            continue
        for log in _read_logs(kind, file, settings):
            yield Run(log, source)


def _read_logs(kind: str, path: Path, settings: LogSettings) -> list[RunLog]:
    """Read a log; fields of unexpected types are an error of the file."""
    with expecting_format(kind, path):
        return list(_READERS[kind](path, settings))


def _drop_copies(runs: Iterable[Run]) -> tuple[list[Run], list[str]]:
    """Drop logs of runs that an earlier log already contains."""
    unique_runs, left_out = dict[object, Run](), []
    for run in runs:
        log = run.log
        key = (log.tool, log.run_id, log.task, log.status) if log.run_id else id(run)
        if key in unique_runs:
            first_path = unique_runs[key].log.path
            left_out.append(f"{log.path}: the same run as {first_path}")
        else:
            unique_runs[key] = run
    return list(unique_runs.values()), left_out


def _keep_last_attempts(runs: Iterable[Run], settings: LogSettings) -> tuple[list[Run], list[str]]:
    """Keep the last successful attempt at each evaluation of a source."""
    latest_runs, left_out = dict[object, Run](), []
    for run in runs:
        log = run.log
        key = (run.source, log.tool, log.attempt_of, log.task) if log.attempt_of else id(run)
        latest_run = latest_runs.setdefault(key, run)
        if latest_run is not run:
            keeps_earlier = log.status != "success" and latest_run.log.status == "success"
            latest_runs[key], dropped_run = (
                (latest_run, run) if keeps_earlier else (run, latest_run)
            )
            left_out.append(
                f"{dropped_run.log.path}: another attempt at the same evaluation is used"
            )
    for run in latest_runs.values():
        if run.log.status != "success" and not settings.partial:
            n_samples = len(run.log.items)
            hint = f"it has {n_samples} samples; read them with --partial, or leave it out"
            problem = f"the evaluation did not succeed (status: {run.log.status})"
            raise Where(run.log.path).error(problem, hint)
    return list(latest_runs.values()), left_out


def _require_directions(logs: Sequence[RunLog], settings: LogSettings) -> None:
    """Refuse measures whose direction differs between logs, or is unknown because it changed."""
    lower_paths = {name: log.path for log in logs for name in log.lower_is_better}
    higher_paths = {name: log.path for log in logs for name in log.higher_is_better}
    for name in sorted((lower_paths.keys() & higher_paths.keys()) - {*settings.directed}):
        problem = (
            f"lower {name} is better in {lower_paths[name]}, and higher in {higher_paths[name]}"
        )
        raise InputError(problem, "compare runs of one version, or name the direction")
    for log in logs:
        for name in sorted(log.unclear_directions - {*settings.directed}):
            hint = f"add --lower-is-better {name!r} or --higher-is-better {name!r}"
            problem = f"whether higher {name} is better depends on the version of {log.tool}"
            raise Where(log.path).error(problem, hint)


def _require_shared_task(runs: Sequence[Run], runs_by_task: Mapping[str, Sequence[Run]]) -> None:
    """Refuse sources that have no task in common."""
    if any(len({run.source for run in task_runs}) > 1 for task_runs in runs_by_task.values()):
        return
    first_run, last_run = runs[0], runs[-1]
    answers = [
        {(run.log.model, item.content, item.run, *_rounded(item.scores)) for run in runs
         if run.source == source for item in run.log.items}
        for source in (first_run.source, last_run.source)
    ]  # fmt: skip
    if "" in runs_by_task and answers[0] and answers[0] == answers[1]:
        problem = f"{first_run.source} and {last_run.source} are the same evaluation in two formats"
        raise InputError(problem, "name one of them")
    tasks = ", ".join(filter(None, runs_by_task))
    problem = f"{first_run.source} and {last_run.source} have no task in common: {tasks}"
    raise InputError(problem, "compare runs of the same task")


def _rounded(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return scores with the decimals that any format has."""
    return sorted((name, round(value, 2)) for name, value in scores.items())


def _name_runs(runs: Sequence[Run]) -> list[Run]:
    """Name the system of each run: its model, and the settings that distinguish its runs."""
    runs_by_model = grouped((run.log.model, run) for run in runs)
    models_by_source = {
        run.source: {other_run.log.model for other_run in runs if other_run.source == run.source}
        for run in runs
    }
    folders = _short_names({run.source for run in runs})
    names: dict[int, str] = {}
    for model, model_runs in runs_by_model.items():
        settings_by_task = grouped((run.log.task, run.log.settings) for run in model_runs)
        setting_names = dict.fromkeys(
            name
            for settings in settings_by_task.values()
            for name in _distinguishing_settings(settings)
        )
        has_several_sources = len({run.source for run in model_runs}) > 1
        for run in model_runs:
            values = [
                f"{name}={_shorten_setting(value)}"
                for name in setting_names
                if (value := run.log.settings.get(name))
            ]
            name = " ".join([model, *values])
            if has_several_sources and (
                not setting_names or len({run.log.task for run in model_runs}) > 1
            ):
                folder = folders[run.source]
                name = folder if len(models_by_source[run.source]) == 1 else f"{model} ({folder})"
            names[id(run)] = name
    return [run._replace(system=names[id(run)]) for run in runs]


def _shorten_setting(value: str) -> str:
    """Shorten a long setting, so that two that differ remain different."""
    return value if len(value) <= 40 else f"{value[:32]}~{content_hash(value)[:4]}"


def _short_names(sources: Collection_[Path]) -> dict[Path, str]:
    """Name sources by their last parts, as many as needed to tell them apart."""
    parts = {source: source.absolute().parts for source in sources}
    names: dict[Path, str] = {}
    for source in sources:
        stem = source.stem if source.is_file() else source.name or source.absolute().name
        other_parts = [parts[other] for other in sources if other != source]
        depth = next(
            (
                length
                for length in range(1, 9)
                if all(
                    parts_of_other[-length:] != parts[source][-length:]
                    for parts_of_other in other_parts
                )
            ),
            8,
        )
        names[source] = "/".join((*parts[source][-depth:-1], stem))
    return names


def _differing_names(settings: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the names of settings that do not have the same value everywhere."""
    all_settings = list(settings)
    names = dict.fromkeys(name for settings_of_run in all_settings for name in settings_of_run)
    return [
        name
        for name in names
        if len({settings_of_run.get(name, "") for settings_of_run in all_settings}) > 1
    ]


def _distinguishing_settings(settings: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the settings that distinguish runs, short values first, as few as needed."""
    candidates = _differing_names(settings)
    candidates.sort(
        key=lambda name: max(len(settings_of_run.get(name, "")) for settings_of_run in settings)
    )

    def distinct(names: Sequence[str]) -> int:
        return len(
            {tuple(run_settings.get(name, "") for name in names) for run_settings in settings}
        )

    chosen_names: list[str] = []
    for name in candidates:
        if distinct([*chosen_names, name]) > distinct(chosen_names):
            chosen_names.append(name)
    return chosen_names


def _measures(logs: Iterable[RunLog]) -> dict[str, Measure]:
    """Return the directions that logs state."""
    measures: dict[str, Measure] = {}
    for log in logs:
        for names, is_lower in ((log.lower_is_better, True), (log.higher_is_better, False)):
            for name in names:
                declared_measure = find_measure(name, {}) or Measure()
                measures[name] = replace(declared_measure, lower_is_better=is_lower)
    return measures


@dataclass(frozen=True)
class _ItemRow:
    """An item of a system, with the topic under which its scores are compared."""

    topic: str
    system: str
    run: str
    item: LoggedItem
    log: RunLog


def _topic_name(name: str, item: LoggedItem, run: Run, runs_of_topics: dict[str, Run]) -> str:
    """Name the topic of an item after its id; refuse an id that means two items."""
    if name not in runs_of_topics:
        runs_of_topics[name] = run
        return name
    other_run = runs_of_topics[name]
    # A name that is not an id of the log, such as the start of a text, may occur twice.
    if (
        other_run is run
        or item.position
        or run.log.ids_are_positions
        or other_run.log.ids_are_positions
    ):
        return f"{name}~{item.content[:6]}"
    problem = f"item {item.id} has one text in {other_run.source} and another in {run.source}"
    raise InputError(problem, "compare runs on the same data; ids alone do not identify items")


def _is_among(scorers: Mapping[str, str], measure: str) -> bool:
    """Return whether a measure, or the scorer that it is a part of, is among scorers."""
    return measure in scorers or measure.partition(".")[0] in scorers


def _reason_text(reason: str, number: int) -> str:
    return counted(number, "error") if reason == ERROR else f"{number} {reason}"


def _is_lower_better(name: str, log: RunLog) -> bool:
    """Return whether lower values of a measure are better, so that 0 is no penalty."""
    measure = find_measure(name, {})
    is_lower = measure is not None and measure.lower_is_better
    return name in log.lower_is_better or (is_lower and name not in log.higher_is_better)


def _shared_contents(runs: Sequence[Run]) -> set[str]:
    """Return the contents that several items of a log share; ids tell these items apart."""
    shared_contents = set[str]()
    for run in runs:
        ids: dict[str, set[str]] = {}
        for item in run.log.items:
            ids.setdefault(item.content, set()).add(item.id)
        shared_contents.update(content for content, names in ids.items() if len(names) > 1)
    return shared_contents


class _Task:
    """The runs of one task, with their items matched."""

    def __init__(self, task: str, runs: Sequence[Run], settings: LogSettings) -> None:
        self.task, self.runs, self.settings = task, runs, settings
        self._n_renumbered: Counter[str] = Counter()
        self._n_repeated: Counter[str] = Counter()
        self._shared_contents = _shared_contents(runs)
        self._rows = self._match_items()
        self._topics = self._shared_topics()
        self._refused_measures = self._find_different_scorers()

    def _match_items(self) -> list[_ItemRow]:
        """Give items with the same content the same topic, regardless of their ids."""
        topics: dict[str, str] = {}
        first_ids: dict[str, str] = {}
        runs_of_topics: dict[str, Run] = {}
        offsets, rows = Counter[str](), []
        for run in self.runs:
            offset = offsets[run.system]
            for key, number, item in self._items_with_keys(run.log):
                self._n_repeated[run.system] += number > 1
                if key not in topics:
                    name = item.id if number == 1 else f"{item.id}#{number}"
                    topics[key] = _topic_name(name, item, run, runs_of_topics)
                    first_ids[key] = item.position or item.id
                elif first_ids[key] != (item.position or item.id) and item.run == "1":
                    self._n_renumbered[run.system] += 1
                run_name = str(int(item.run) + offset) if item.run.isdigit() else item.run
                rows.append(_ItemRow(topics[key], run.system, run_name, item, run.log))
            run_numbers = [int(item.run) for item in run.log.items if item.run.isdigit()]
            offsets[run.system] += max(run_numbers, default=1)
        return rows

    def _items_with_keys(self, log: RunLog) -> Iterator[tuple[str, int, LoggedItem]]:
        """Return items with a key: the content and, if several share it, the id or a number."""
        by_position = any(run.log.ids_are_positions for run in self.runs)
        occurrences = Counter[tuple[str, str]]()
        for item in log.items:
            key = item.content
            if key in self._shared_contents and not by_position:
                key = f"{key} {item.id}"
            occurrences[item.run, key] += 1
            number = occurrences[item.run, key]
            yield (key if number == 1 else f"{key}#{number}"), number, item

    def _topics_by_system(self) -> dict[str, set[str]]:
        topics: dict[str, set[str]] = {}
        for row in self._rows:
            topics.setdefault(row.system, set()).add(row.topic)
        return topics

    def _shared_topics(self) -> set[str]:
        """Return the topics that all systems have; refuse fewer than half unless allowed."""
        topics_by_system = self._topics_by_system()
        shared_topics = set.intersection(*topics_by_system.values()) if topics_by_system else set()
        max_topics = max(map(len, topics_by_system.values()), default=0)
        if 2 * len(shared_topics) < max_topics and not self.settings.shared:
            problem = (
                f"only {len(shared_topics)} items are in all runs of {self.task or 'the task'}"
            )
            hint = "compare runs on the same items, or use the shared ones with --shared"
            raise InputError(f"{problem}: {self._sizes()}", hint)
        if not shared_topics:
            raise InputError(f"the runs share no item: {self._sizes()}", "compare other runs")
        return shared_topics

    def _sizes(self) -> str:
        """Describe how many items each system has, and why."""
        limits = {run.system: run.log.limit for run in self.runs}
        return ", ".join(
            f"{system} {len(topics)}{f' ({limits[system]})' if limits[system] else ''}"
            for system, topics in self._topics_by_system().items()
        )

    def _used_rows(self) -> list[_ItemRow]:
        return [row for row in self._rows if row.topic in self._topics]

    def _find_different_scorers(self) -> dict[str, str]:
        """Return the measures that runs compute differently, and how they differ."""
        refused_measures = {}
        names = dict.fromkeys(name for run in self.runs for name in run.log.scorers)
        for name in names:
            texts = {run.log.scorers[name] for run in self.runs if name in run.log.scorers} - {""}
            logs_with_scorer = [run.log for run in self.runs if name in run.log.scorers]
            judges = {log.assessors.get(name, "") for log in logs_with_scorer}
            if len(texts) > 1 or len(judges) > 1:
                refused_measures[name] = " and ".join(
                    sorted(map(str, texts if len(texts) > 1 else judges))
                )
        scoring_by_topic = grouped(
            (row.topic, row.item.scoring) for row in self._used_rows() if row.item.scoring
        )
        if any(len(set(hashes)) > 1 for hashes in scoring_by_topic.values()):
            all_measures = sorted({name for row in self._used_rows() for name in row.item.scores})
            refused_measures |= dict.fromkeys(
                all_measures, "different assertions for the same item"
            )
        measures = {name for row in self._used_rows() for name in row.item.scores}
        if refused_measures and all(_is_among(refused_measures, name) for name in measures):
            name, difference = next(iter(refused_measures.items()))
            problem = f"the runs score {name} differently ({difference[:120]})"
            raise InputError(problem, "compare runs with the same scorers")
        return refused_measures

    def scores(self) -> Scores:
        """Return the scores of shared items; the groups of items are extra columns."""
        columns: dict[str, list[str]] = {
            name: []
            for name in ("task", "topic", "system", "measure", "run", "assessor", "assessor_kind")
        }
        values: list[float] = []
        used_rows = self._used_rows()
        group_names = self._group_names(used_rows)
        group_columns: dict[str, list[str]] = {name: [] for name in group_names}
        measures = dict.fromkeys(name for row in used_rows for name in row.item.scores)
        has_runs = len({row.run for row in used_rows}) > 1
        for row in used_rows:
            scores = dict(row.item.scores)
            if self.settings.errors == "zero":
                missing_measures = row.item.missing
                is_failed = missing_measures.get("") == ERROR
                scores |= {
                    name: 0.0
                    for name in measures
                    if (is_failed or missing_measures.get(name) == ERROR)
                    and not _is_lower_better(name, row.log)
                }
            for name, value in scores.items():
                if _is_among(self._refused_measures, name):
                    continue
                assessors = row.log.assessors
                judge = assessors.get(name, assessors.get(name.partition(".")[0], ""))
                cells = (self.task, row.topic, row.system, name, row.run * has_runs, judge)
                for column, cell in zip(columns, (*cells, "model" * bool(judge)), strict=True):
                    columns[column].append(cell)
                for group in group_names:
                    group_columns[group].append(row.item.groups[group])
                values.append(value)
        kinds = {"kind": ["machine"] * len(values)}
        return Scores({**columns, **kinds}, values, extra=group_columns)

    def _group_names(self, used_rows: Sequence[_ItemRow]) -> list[str]:
        """Return fields that all items have, with fewer values than there are items."""
        names = set.intersection(*({*row.item.groups} for row in used_rows)) if used_rows else set()
        values_by_name = {
            name: {row.topic: row.item.groups[name] for row in used_rows} for name in names
        }
        return sorted(
            name
            for name, value_by_topic in values_by_name.items()
            if 1 < len({*value_by_topic.values()}) <= _MAX_GROUP_SHARE * len(value_by_topic)
        )

    def findings(self) -> Iterator[Finding]:
        """Report how the runs differ, and what is missing from the logs."""
        task = self.task or "logs"
        topics_by_system = self._topics_by_system()
        if any(len(topics) > len(self._topics) for topics in topics_by_system.values()):
            message = f"only the {len(self._topics)} items in all runs are used: {self._sizes()}"
            yield Finding("different items", task, message)
        for system, count in self._n_repeated.items():
            n_items = sum(row.system == system for row in self._rows)
            if count > 1 and not all(self._n_repeated.values()):
                message = f"{count} of its {n_items} items are listed again with the same content, "
                message += "while those of other logs are not; was a copy added to the log?"
                yield Finding("items listed twice", system, message)
        for system, count in self._n_renumbered.items():
            message = (
                f"{counted(count, 'item')} have different ids than in the first log; "
                "matched by text"
            )
            yield Finding("renumbered items", system, message, severity="note")
        for name, difference in self._refused_measures.items():
            message = f"left out, because the runs compute it differently: {difference[:160]}"
            yield Finding("different scorers", name, message, severity="severe")
        yield from self._prompt_findings(task)
        yield from self._missing_findings(task)
        yield from self._stated_findings()
        notes = grouped(
            (note, f"{run.system} {group_count}")
            for run in self.runs
            for note, group_count in run.log.counts.items()
        )
        for note, systems in notes.items():
            yield Finding("how the log was read", note, ", ".join(systems), severity="note")
        used_rows = self._used_rows()
        sizes = {
            group_count: len({row.item.groups[group_count] for row in used_rows})
            for group_count in self._group_names(used_rows)
        }
        if sizes:
            values = ", ".join(f"{count} values of {name}" for name, count in sizes.items())
            message = f"{len(self._topics)} items share {values}; if items of a group belong "
            message += f"together, use --cluster {next(iter(sizes))}"
            yield Finding("groups of items", task, message, severity="note")

    def _prompt_findings(self, task: str) -> Iterator[Finding]:
        """Report prompts and numbers of epochs that differ."""
        differing_settings = _differing_names(run.log.settings for run in self.runs)
        prompts = grouped(
            (row.topic, row.item.prompt) for row in self._used_rows() if row.item.prompt
        )
        if not differing_settings and any(len(set(hashes)) > 1 for hashes in prompts.values()):
            differing_settings = ["prompt"]
        if differing_settings:
            message = f"systems also differ in {', '.join(differing_settings)}"
            if len({run.log.model for run in self.runs}) > 1:
                message += "; a difference in scores cannot be attributed to the model alone"
            yield Finding("different prompts", task, message)
        epochs = {
            system: len({row.run for row in self._used_rows() if row.system == system})
            for system in self._systems()
        }
        if len(set(epochs.values())) > 1:
            numbers = ", ".join(f"{system} {number}" for system, number in epochs.items())
            message = f"{numbers}; means are over the available epochs"
            yield Finding("different numbers of epochs", task, message, severity="note")
        stated_versions = {
            "versions of the tool": {
                f"{row.log.tool} {row.log.version}" for row in self.runs if row.log.version
            },
            "versions of the task": {
                row.log.task_version for row in self.runs if row.log.task_version
            },
        }
        for setting, versions in stated_versions.items():
            if len(versions) > 1:
                message = f"the logs are from {setting} {' and '.join(sorted(versions))}, "
                message += "which may ask or score differently"
                yield Finding(f"different {setting}", task, message, severity="note")
        for name in _differing_names(run.log.roles for run in self.runs):
            models = dict.fromkeys(run.log.roles.get(name) or "none" for run in self.runs)
            message = f"{' and '.join(models)}; a difference in scores may be due to these models"
            yield Finding(f"different models as {name}", task, message)

    def pairing(self) -> dict[str, Any]:
        """Return how items were matched and how the logs differ, for JSON."""
        texts: dict[str, dict[str, Any]] = {
            "scorers": {run.system: dict(run.log.scorers) for run in self.runs},
            "limit": {run.system: run.log.limit for run in self.runs},
            "task_version": {run.system: run.log.task_version for run in self.runs},
            "roles": {run.system: dict(run.log.roles) for run in self.runs},
        }
        rows = grouped((id(row.log), row) for row in self._rows)
        return {
            "common": len(self._topics),
            "matched_by": "content and id" if self._shared_contents else "content",
            "renumbered": dict(self._n_renumbered),
            "logs": [self._log_record(run, rows.get(id(run.log), [])) for run in self.runs],
            "left_out_measures": dict(self._refused_measures),
            "differing": {
                name: by_system
                for name, by_system in texts.items()
                if len({str(value) for value in by_system.values()}) > 1
            },
        }

    def _log_record(self, run: Run, rows: Sequence[_ItemRow]) -> dict[str, Any]:
        """Return what a log contributes: items, epochs, errors and unscored items."""
        topics = {row.topic for row in rows}
        reasons = Counter(reason for row in rows for reason in set(row.item.missing.values()))
        return {
            "path": str(run.log.path), "system": run.system, "tool": run.log.tool,
            "status": run.log.status, "items": len(topics),
            "dropped": len(topics - self._topics), "epochs": len({row.run for row in rows}),
            "errors": reasons[ERROR], "unscored": reasons[UNSCORED], "limit": run.log.limit,
            "task_version": run.log.task_version,
        }  # fmt: skip

    def _systems(self) -> list[str]:
        return list(dict.fromkeys(run.system for run in self.runs))

    def _missing_findings(self, task: str) -> Iterator[Finding]:
        """Report errors and unscored items of each system."""
        counts: dict[str, Counter[str]] = {system: Counter() for system in self._systems()}
        for row in self._used_rows():
            counts[row.system].update(set(row.item.missing.values()))
        lines = [
            f"{system}: {', '.join(_reason_text(*pair) for pair in sorted(reasons.items()))}"
            for system, reasons in counts.items()
            if reasons
        ]
        if not lines:
            return
        treatment = "counted as 0 where higher is better"
        treatment = treatment if self.settings.errors == "zero" else "left out"
        message = f"{'; '.join(lines)} (errors are {treatment}; unscored items are missing)"
        if (
            len({reasons[ERROR] for reasons in counts.values()}) > 1
            and self.settings.errors == "missing"
        ):
            order_changes = self._order_changes()
            message += "; --errors zero counts errors as 0"
            message += f", which changes the order by {order_changes}" if order_changes else ""
            yield Finding(ERRORS_DIFFER, task, message)
        else:
            yield Finding("missing scores in the log", task, message, severity="note")

    def _order_changes(self) -> str:
        """Return the first measure that ranks systems differently if errors count as 0."""
        zero_task = _Task(self.task, self.runs, replace(self.settings, errors="zero"))
        means, zero_means = self.means(), zero_task.means()
        for measure in means:
            orders = [
                sorted(measure_means[measure], key=measure_means[measure].__getitem__)
                for measure_means in (means, zero_means)
            ]
            if orders[0] != orders[1]:
                return measure
        return ""

    def means(self) -> dict[str, dict[str, float]]:
        """Return the mean over items of the mean over epochs, by measure and system."""
        scores = self.scores()
        columns = (scores.columns[name] for name in ("measure", "system", "topic"))
        cells = grouped(zip(zip(*columns, strict=True), scores.value.tolist(), strict=True))
        values_by_measure = grouped(
            ((measure, system), sum(values) / len(values))
            for (measure, system, _), values in cells.items()
        )
        means: dict[str, dict[str, float]] = {}
        for (measure, system), values in values_by_measure.items():
            means.setdefault(measure, {})[system] = sum(values) / len(values)
        return means

    def _stated_findings(self) -> Iterator[Finding]:
        """Report means that differ from those in the log, which shows that it was misread."""
        for run in self.runs:
            for name, stated_mean in run.log.stated.items():
                cells = grouped(
                    ((item.id, item.content), item.scores[name])
                    for item in run.log.items
                    if name in item.scores
                )
                if not cells:
                    continue
                item_mean = sum(sum(values) / len(values) for values in cells.values()) / len(cells)
                if abs(item_mean - stated_mean) > _MEAN_TOLERANCE * max(1.0, abs(stated_mean)):
                    message = f"the mean of its items is {item_mean:.4g}, but the log states "
                    message += f"{stated_mean:.4g}"
                    yield Finding("different mean in the log", f"{run.system}, {name}", message)
