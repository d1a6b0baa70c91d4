"""Summaries judged by language models: prompts, answers, and the result."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import sha256
from itertools import combinations, compress
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from pyramidion.collection import (
    Collection,
    Judgment,
    Preference,
    Preferences,
    Scores,
    Summary,
)
from pyramidion.collection.formats import write_preferences
from pyramidion.collection.formats.scores import require_scores_file
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.sources import Source, read_source
from pyramidion.comparison import Comparisons
from pyramidion.comparison.common import known_mean
from pyramidion.comparison.topic_choice import ChosenTopic
from pyramidion.errors import InputError, NotFoundError, known_names
from pyramidion.judges._checks import JudgeCheck
from pyramidion.judges._judge_page import judge_page
from pyramidion.judges._labels import (
    SHEET_FILE,
    LabelOptions,
    read_fitting_labels,
    stored_judgments,
    with_labels,
)
from pyramidion.judges._rubrics import Rubric, read_examples, read_rubric, rubric_names
from pyramidion.language_models import (
    CHARACTERS_PER_TOKEN,
    Endpoint,
    ModelOptions,
    Prompt,
    Reply,
    Retries,
    StoredAnswers,
    ask_all,
    expected_score,
    score_probabilities,
    tagged,
)
from pyramidion.pyramid.content_units import TopicUnits, listed_units
from pyramidion.questions import Options, Progress, argument, option, question
from pyramidion.questions.common import source_format_option
from pyramidion.rendering.dry_run import UNPRICED
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import LazySequence, Result, signed
from pyramidion.rendering.saving import PAGE_FILE, SCORE_FILE, Savable
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns

#: The end of a document that was trimmed.
_TRIM_MARK = " [... trimmed]"
# Maximum number of prompts that a dry run lists, and of characters of an example of an answer.
_MAX_LISTED, _MAX_EXAMPLE_LENGTH = 5, 100


def documents_tokens_option() -> Any:
    """Declare the option that trims documents."""
    return option(
        None, "Trim the documents of a prompt to about this many tokens in total, the longest "
        "first.", min=1,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class JudgeOptions(Options):
    """What to judge."""

    source: Source = argument(
        "Collection with summaries, in any format; with --choose or --labels also a table of a "
        "model's scores."
    )
    rubric: tuple[str, ...] = option(
        (), "What to ask, comma-separated: responsiveness, grammaticality, non-redundancy, "
        "referential-clarity, focus, coherence, consistency, fluency, relevance (scores from 1 to "
        "5), checklist (yes or no for each content unit), preference (which of two is better, in "
        "both orders), or a text file whose first line gives the scale.", metavar="NAME|FILE",
    )  # fmt: skip
    task: tuple[str, ...] = option((), "Tasks to include, comma-separated; all by default.")
    systems: tuple[str, ...] = option((), "Systems to include, comma-separated; all by default.")
    topics: tuple[str, ...] = option((), "Topics to include, comma-separated; all by default.")
    pairs: int | None = option(
        None, "Number of pairs of systems drawn for each topic; all by default.", min=1
    )
    documents_tokens: int | None = documents_tokens_option()
    examples: Path | None = option(
        None, "File with examples, shown to the model before each question: JSON lines with "
        "`summary` (or `first` and `second`, and `statement` for checklists) and `answer`, and "
        "optionally `reason`, `documents`, `references` and `rubric`.", metavar="FILE.jsonl",
    )  # fmt: skip
    expected: bool = option(
        False, "Use the mean of the scale, weighted by the probabilities of the score tokens, as "
        "the score, if the server reports them.", flags=("--expected",),
    )  # fmt: skip
    strict_answers: bool = option(
        False, "Accept only the required JSON object, without text around it or numbers in quotes.",
        flags=("--strict-answers",),
    )  # fmt: skip
    again: bool = option(
        False, "Ask again if the stored answer gave no judgment (cut off, refused or "
        "unreadable). This is automatic if --max-tokens was raised.", flags=("--again",),
    )  # fmt: skip
    dry_run: bool = option(
        False, "Do not ask anything; show the prompts, the longest of them and the estimated cost.",
        flags=("--dry-run",),
    )  # fmt: skip
    source_format: str | None = source_format_option("source")
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)


@dataclass(frozen=True, slots=True)
class JudgeModelOptions(ModelOptions):
    """The language models to ask, and how."""

    model: tuple[str, ...] = option(  # type: ignore[assignment]
        (), "Model to ask: its name at the address in the environment variable OPENAI_BASE_URL, "
        "or an address such as http://127.0.0.1:8080/v1 (then #NAME chooses one of several). "
        "Several models (comma-separated) act as separate judges. A key is taken from "
        "OPENAI_API_KEY and never stored.", metavar="URL|NAME",
    )  # fmt: skip

    def check(self) -> None:
        """Check every model; stored scores need none."""
        if self.model:
            self.each()

    def each(self) -> list[ModelOptions]:
        """Return the options of each model."""
        common_options = {spec.name: getattr(self, spec.name) for spec in fields(ModelOptions)}
        names = dict.fromkeys(self.model or ("",))
        return [ModelOptions(**(common_options | {"model": name})) for name in names]


def select_peers(collection: Collection, options: JudgeOptions) -> list[Summary]:
    """Select the summaries to judge."""
    summaries = [summary for summary in collection.summaries if summary.is_peer]
    for name, values in (
        ("task", options.task),
        ("system", options.systems),
        ("topic", options.topics),
    ):
        available_names = sorted(
            {getattr(summary, name) for summary in summaries}, key=natural_order
        )
        for value in values:
            if value not in available_names:
                raise NotFoundError(
                    f"there is no {name} {value!r}", known_names(value, available_names)
                )
        summaries = [
            summary for summary in summaries if not values or getattr(summary, name) in values
        ]
    if not summaries:
        raise InputError("there are no summaries to judge", hint="name a source with summaries")
    return sorted(
        summaries, key=lambda summary: natural_orders((summary.task, summary.topic, summary.system))
    )


def _topic_material(
    collection: Collection, rubric: Rubric, task: str, topic: str, limit: int | None
) -> Iterator[str]:
    """Yield the information need, and documents or references if there are any."""
    topic_record = next(
        (candidate for candidate in collection.topics if candidate.id == topic), None
    )
    if topic_record is not None:
        descriptions = (topic_record.title, topic_record.narrative, topic_record.extra.get("query"))
        needs = [text for text in descriptions if isinstance(text, str) and text.strip()]
        if needs:
            yield tagged("information_need", "\n".join(needs))
    for kind in rubric.show:
        if kind == "documents":
            documents = collection.documents(topic, task) if topic_record else ()
            texts = _trim_texts([document.text for document in documents], limit)
        else:
            texts = [reference.plain for reference in collection.references(topic, task)]
        if texts:
            yield from (tagged(kind[:-1], text) for text in texts)
            return


def _trim_texts(texts: list[str], tokens: int | None) -> list[str]:
    """Trim texts to a total number of tokens; unused tokens of short texts go to longer ones."""
    remaining_characters = math.inf if tokens is None else tokens * CHARACTERS_PER_TOKEN
    trimmed_texts = texts.copy()
    for n_shorter, index in enumerate(
        sorted(range(len(texts)), key=lambda index: len(texts[index]))
    ):
        share = remaining_characters / (len(texts) - n_shorter)
        if len(texts[index]) > share:
            # The last word may be incomplete.
            trimmed_texts[index] = texts[index][: int(share)].rpartition(" ")[0] + _TRIM_MARK
        remaining_characters -= min(len(texts[index]), share)
    return trimmed_texts


def write_prompts(
    collection: Collection,
    peers: Sequence[Summary],
    rubrics: Sequence[Rubric],
    options: JudgeOptions,
    model: ModelOptions,
) -> Iterator[Prompt]:
    """Write every prompt: by rubric, topic and sample."""
    examples = read_examples(options.examples) if options.examples else []
    summaries_by_topic = grouped(((summary.task, summary.topic), summary) for summary in peers)
    for rubric in rubrics:
        instructions, schema = rubric.instructions(model.reason), rubric.schema(model.reason)
        turns = tuple(
            example.turn(rubric, model.reason)
            for example in examples
            if example.rubric in ("", rubric.name)
        )
        logprobs = options.expected and rubric.scale is not None and bool(rubric.scale.step)
        for (task, topic), summaries in summaries_by_topic.items():
            texts = _topic_material(collection, rubric, task, topic, options.documents_tokens)
            material = (rubric.text, *texts)
            prompt_fields = {"rubric": rubric.name, "task": task, "topic": topic}
            if rubric.asks == "preference":
                cases = _pair_cases(summaries, options.pairs, model.seed)
            else:
                is_checklist = rubric.asks == "checklist"
                units = listed_units(collection, task, topic) if is_checklist else None
                cases = _single_cases(summaries, units)
            for case, case_parts in cases:
                parts = (*material, *case_parts)
                for sample in range(model.samples):
                    yield Prompt(
                        instructions,
                        parts,
                        schema,
                        {**prompt_fields, **case},
                        sample,
                        turns,
                        logprobs,
                    )


_Cases = Iterator[tuple[dict[str, str], list[str]]]


def _single_cases(summaries: Sequence[Summary], units: TopicUnits | None) -> _Cases:
    """Show one summary at a time, with each statement of a checklist if there is one."""
    statements = [
        (uid, tagged("statement", label))
        for uid, label in (zip(units.uids, units.labels, strict=True) if units else ())
        if label
    ]
    for peer in summaries:
        prompt_fields = {"system": peer.system, "kind": str(peer.kind)}
        summary = tagged("summary", peer.plain)
        if units is None:
            yield prompt_fields, [summary]
        for uid, statement in statements:
            yield {**prompt_fields, "unit": uid}, [summary, statement]


def _pair_cases(summaries: Sequence[Summary], number: int | None, seed: int) -> _Cases:
    """Show two summaries of a topic at a time: all pairs, or a sample."""
    tagged_summaries = [
        (summary.system, *(tagged(side, summary.plain) for side in ("first", "second")))
        for summary in summaries
    ]
    pairs = list(combinations(tagged_summaries, 2))
    if number is not None and number < len(pairs):
        # Each topic draws different pairs, so that together they link all systems.
        topic_seed = crc32(f"{summaries[0].task}\0{summaries[0].topic}".encode())
        indices = np.random.default_rng([seed, topic_seed]).choice(
            len(pairs), number, replace=False
        )
        pairs = [pairs[index] for index in sorted(indices.tolist())]
    for (first_system, first_shown_first, first_shown_second), (
        second_system,
        second_shown_first,
        second_shown_second,
    ) in pairs:
        # Always both orders, because models often prefer the first.
        yield (
            {"first": first_system, "second": second_system, "sides": ""},
            [first_shown_first, second_shown_second],
        )
        yield (
            {"first": first_system, "second": second_system, "sides": "swapped"},
            [second_shown_first, first_shown_second],
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of answers to a rubric, and their cost."""

    rubric: str
    questions: int
    answered: int
    refused: int
    unreadable: int
    tokens_in: int
    tokens_out: int
    cost: float | None = None
    lenient: int = 0
    cut: int = 0
    too_long: int = 0
    model: str = ""

    @property
    def missing(self) -> int:
        """Questions without a judgment."""
        return self.questions - self.answered


_TALLY_VIEW: View[Tally] = View(
    "questions",
    columns(
        "model", "rubric", "questions", "answered", "lenient", "refused", cut="cut off",
        unreadable="unreadable", too_long="too long", tokens_in="tokens in",
        tokens_out="tokens out", cost="cost",
    ),
)  # fmt: skip
_TALLY_NOTE = (
    "Lenient: answered, but not exactly as required (text around the JSON, a number in quotes, "
    "another key). Refused: the model would not judge. Cut off: longer than --max-tokens. "
    "Unreadable: no JSON, or a value outside the scale. Too long: the prompt does not fit into the "
    "model's context. Only answered questions count as judgments."
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgeResult(Result[Any]):
    """The answers of a model.

    Iterating yields the stored answers: the question, the `value` (None if there is no judgment),
    the text and tokens.

    Parameters
    ----------
    rubrics
        The rubrics that were asked.
    tallies
        Counts of answers and their cost, by rubric.
    checks, compared
        With people's labels: what the model may be used for, and the systems compared by both.
    chosen
        Topics for people to label.
    judged
        With labels or chosen topics: the model's scores.
    """

    main: ClassVar[str] = "means"
    saves = (
        SCORE_FILE,
        PAGE_FILE,
        SHEET_FILE,
        Savable(
            "preferences", "Write preferences to this file (.csv, .tsv, .jsonl or .parquet), for "
            "`pyramidion preferences`.",
            lambda result: partial(write_preferences, result.to_preferences()),
            require_scores_file, metavar="FILE",
        ),
    )  # fmt: skip

    rubrics: tuple[Rubric, ...] = ()
    tallies: tuple[Tally, ...] = ()
    answers: Sequence[Any] = ()
    checks: tuple[JudgeCheck, ...] = ()
    compared: tuple[Comparisons, ...] = ()
    chosen: tuple[ChosenTopic, ...] = ()
    judged: Scores | None = None

    def to_scores(self) -> Scores:
        """Return scores and answers to checklists as a table, the model as assessor."""
        if self.judged is not None:
            return self.judged
        return Scores.from_judgments(_judgments(self.rubrics, self.answers))

    def to_preferences(self) -> Preferences:
        """Return preferences as a table, with the model as the assessor."""
        return Preferences.from_records(_preferences(self.rubrics, self.answers))


# Values of the answers to checklists, as `checklists` reads them.
ANSWER_VALUES = {"yes": 1.0, "no": 0.0, "cannot tell": 0.5}


def _judgments(rubrics: Sequence[Rubric], records: Sequence[Any]) -> Iterator[Judgment]:
    question_kinds = {rubric.name: rubric.asks for rubric in rubrics}
    has_samples = len({record["sample"] for record in records}) > 1
    for record in records:
        value = (
            ANSWER_VALUES.get(record["value"])
            if record["value"] in ANSWER_VALUES
            else record["value"]
        )
        if question_kinds[record["rubric"]] == "preference" or not isinstance(value, float):
            continue
        unit = record.get("unit", "")
        yield Judgment(
            record["topic"], record["system"], "scu-answer" if unit else record["rubric"], value,
            task=record["task"], kind=record["kind"], assessor=record["model"],
            assessor_kind="model", unit=unit, time=record["time"],
            occasion=str(record["sample"] + 1) if has_samples else "",
        )  # fmt: skip


def _preferences(rubrics: Sequence[Rubric], records: Sequence[Any]) -> Iterator[Preference]:
    has_several = sum(rubric.asks == "preference" for rubric in rubrics) > 1
    for record in records:
        if "sides" in record and record["value"] is not None:
            # If sides were swapped, the first text is the second of the pair.
            swapped_side = {"first": "second", "second": "first"} if record["sides"] else {}
            yield Preference(
                record["topic"], record["first"], record["second"],
                swapped_side.get(record["value"], record["value"]), task=record["task"],
                measure=record["rubric"] if has_several else "", assessor=record["model"],
                sides=record["sides"], time=record["time"],
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class AskedModel:
    """What one model answered: a record for each prompt."""

    name: str
    records: list[dict[str, Any]]
    new: int
    path: Path
    notes: tuple[str, ...]

    def failures(self) -> str:
        """Describe answers without a judgment, with an example; empty if there are none."""
        failed_records = [record for record in self.records if record["value"] is None]
        counts = Counter(record["outcome"] for record in failed_records)
        kinds = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        texts = (" ".join(str(record.get("answer") or "").split()) for record in failed_records)
        example = next(filter(None, texts), "").replace("`", "'")
        example_note = ", for example "
        example_note += (
            f"`{example[:_MAX_EXAMPLE_LENGTH]}{'...' * (len(example) > _MAX_EXAMPLE_LENGTH)}`"
        )
        message = (
            f"{len(failed_records)} of {len(self.records)} answers of {self.name} give no judgment"
        )
        return f"{message} ({kinds}){example_note * bool(example)}" * bool(failed_records)

    def advice(self) -> str:
        """Return what helps against the most frequent failure."""
        failed_outcomes = Counter(
            record["outcome"] for record in self.records if record["value"] is None
        )
        hints = {"cut off": "raise --max-tokens", "too long": "trim with --documents-tokens"}
        return hints.get(max(failed_outcomes, key=failed_outcomes.__getitem__), f"see {self.path}")


def ask_model(
    prompts: Sequence[Prompt],
    rubrics: Sequence[Rubric],
    options: JudgeOptions,
    model: ModelOptions,
    progress: Progress,
) -> AskedModel:
    """Ask a model the questions it has not answered yet, and read all its answers."""
    endpoint, retries = Endpoint(model), Retries(model)
    name = endpoint.name(retries)
    # File names have limited length.
    file_name = re.sub("[^A-Za-z0-9._-]+", "-", name)[:200]
    answers = StoredAnswers(model.answers or Path(f"judge-{file_name}.jsonl"))
    rubrics_by_name = {rubric.name: rubric for rubric in rubrics}
    digests = [prompt.digest(name, model) for prompt in prompts]
    rubric_by_digest = {
        digest: rubrics_by_name[prompt.about["rubric"]]
        for digest, prompt in zip(digests, prompts, strict=True)
    }

    def read(prompt: Prompt, reply: Reply) -> dict[str, Any]:
        rubric = rubrics_by_name[prompt.about["rubric"]]
        outcome = "refused" if reply.refused else ""
        record = {"answer": reply.text, "cut": reply.cut, "outcome": outcome, "value": None}
        record = _read_again(rubric, record, options, model)
        probabilities = score_probabilities(reply.tokens, rubric.values, record["value"])
        stored_fields = {"outcome": record["outcome"], "value": record["value"]}
        return stored_fields | ({"probabilities": probabilities} if probabilities else {})

    def again(record: dict[str, Any]) -> bool:
        limit = record.get("max_tokens")
        is_limit_raised = isinstance(limit, int) and limit < model.max_tokens
        rubric = rubric_by_digest[record["asked"]]
        has_no_value = _read_again(rubric, record, options, model)["value"] is None
        return has_no_value and (options.again or is_limit_raised)

    too_long: dict[str, str] = {}
    new_answers = ask_all(
        endpoint, retries, prompts, read, answers, progress, must_ask_again=again, too_long=too_long
    )
    records = []
    for digest, prompt in zip(digests, prompts, strict=True):
        # The question is not taken from the file, which may have been edited.
        record_fields = {**prompt.about, "sample": prompt.sample, "model": name}
        if digest in too_long:
            empty_record = {"outcome": "too long", "value": None, "tokens_in": 0, "tokens_out": 0}
            records.append(
                {"asked": digest, **empty_record, "answer": too_long[digest], **record_fields}
            )
            continue
        tokens_spent = answers.earlier.get(digest, (0, 0))
        record = (
            _read_again(rubric_by_digest[digest], answers.stored[digest], options, model)
            | record_fields
        )
        records.append(record | {"earlier_tokens": tokens_spent} if any(tokens_spent) else record)
    notes = [f"the endpoint does not accept {part}" for part in endpoint.dropped]
    return AskedModel(name, records, new_answers, answers.path, (*notes, *_versions_note(records)))


# The beginnings of refusals that the server does not mark as such.
_REFUSAL_PATTERN = re.compile(
    r"\W*(?:(?:i['’]m|i am) (?:sorry|unable|not able)|sorry\b|i (?:can['’]t|cannot|won['’]t)"
    r"|as an ai\b)", re.IGNORECASE,
)  # fmt: skip


def _read_again(
    rubric: Rubric, record: dict[str, Any], options: JudgeOptions, model: ModelOptions
) -> dict[str, Any]:
    """Read the text of an answer; answers without a text keep their judgment."""
    text, unread_record = record.get("answer"), {**record, "lenient": False, "reason": ""}
    if not isinstance(text, str) or (
        record["outcome"] == "refused" and not _REFUSAL_PATTERN.match(text)
    ):
        return unread_record
    if record.get("cut"):
        return unread_record | {"outcome": "cut off", "value": None}
    value, reason, is_lenient = rubric.read(text, model.reason, strict=options.strict_answers)
    if options.expected and isinstance(value, float):
        expected_value = expected_score(record.get("probabilities"))
        value = value if expected_value is None else expected_value
    outcome = "answered"
    if value is None:
        outcome = "refused" if _REFUSAL_PATTERN.match(text) else "unreadable"
    return unread_record | {
        "outcome": outcome,
        "value": value,
        "reason": reason,
        "lenient": is_lenient,
    }


@question
def judge(options: JudgeOptions, labeling: LabelOptions, model: JudgeModelOptions) -> JudgeResult:
    """Ask a language model to judge summaries: scores, checklists or preferences.

    Any OpenAI-compatible endpoint works. Answers are stored one by one, so an interrupted run
    continues where it ended. Refusals and unreadable answers are missing judgments, never scores.
    Check the judge with `assessors` before you trust it, or with --labels at once: that compares it
    with people's labels of some topics, which --choose selects. Both also work on a table of a
    model's scores, without asking.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = judge(load_demo(), model="http://localhost:1/v1", rubric="fluency", dry_run=True)
    >>> [tally.questions for tally in result.tallies]
    [48]
    """
    collection = read_source(options.source, format=options.source_format)
    if labeling.requested and not (options.rubric or model.model):
        signature = signed("judge", collection.data_hash, model.seed)
        stored_result = JudgeResult(command="judge", signature=signature, values=(), tables=())
        model_scores = stored_judgments(collection.scores, options)
        return with_labels(stored_result, collection, model_scores, labeling, model.seed)
    rubrics = read_rubrics(options.rubric)
    peers = select_peers(collection, options)
    prompts = list(write_prompts(collection, peers, rubrics, options, model))
    if not prompts:
        hint = "a checklist takes content units, a preference two summaries of a topic"
        raise InputError("there is nothing to ask", hint=hint)
    left_out = (*_missing_material(rubrics, prompts), *_unused_examples(rubrics, options))
    if labeling.labels is not None:
        default_columns = {"value": 0.0, "model": "", "sample": 0, "time": ""}
        unanswered_records = [{**prompt.about, **default_columns} for prompt in prompts]
        questions = Scores.from_judgments(_judgments(rubrics, unanswered_records))
        labeling = read_fitting_labels(labeling, rubrics, questions)
    models = model.each()
    if options.dry_run:
        return _dry_run_result(collection, rubrics, prompts, options, model, left_out)
    judges = ask_models(prompts, rubrics, options, models)
    records = [record for asked_model in judges for record in asked_model.records]
    tallies = tuple(
        _tally_answers(rubric.name, asked_model, model)
        for asked_model in judges
        for rubric in rubrics
    )
    note = f"{_TALLY_NOTE} Answers are kept in {' and '.join(map(_storage_note, judges))}."
    hidden_columns = ("model",) if len(judges) == 1 else ()
    notes = [
        note
        for asked_model in judges
        for note in (*asked_model.notes, asked_model.failures())
        if note
    ]
    notes += _expected_note(records) if options.expected else []
    result = JudgeResult(
        command="judge",
        signature=_signature(
            collection, "+".join(asked_model.name for asked_model in judges), rubrics, options,
            model
        ),
        values=records,
        tables=[
            *(table for asked_model in judges for table in _means_tables(rubrics, asked_model,
            len(judges) > 1)),
            _TALLY_VIEW.table(tallies, "Questions", note, exclude=hidden_columns),
        ],
        left_out=(*left_out, *notes),
        ok=not any(tally.too_long for tally in tallies) and all(map(_has_judgments, judges)),
        rubrics=rubrics,
        tallies=tallies,
        answers=records,
    )  # fmt: skip
    all_prompts = [prompt for _ in judges for prompt in prompts]
    result = replace(result, page=partial(judge_page, result, all_prompts))
    return with_labels(result, collection, result.to_scores(), labeling, model.seed)


def read_rubrics(names: Sequence[str]) -> tuple[Rubric, ...]:
    """Read rubrics; refuse rubrics of the same name, whose answers could not be distinguished."""
    if not names:
        hint = f"give --rubric with one of {', '.join(rubric_names())}"
        raise InputError("no rubric is named", hint=hint)
    rubrics = tuple(map(read_rubric, names))
    for name, count in Counter(rubric.name for rubric in rubrics).items():
        if count > 1:
            hint = "name it once, or give one a header line such as `measure: NAME`"
            raise InputError(f"{count} rubrics are called {name!r}", hint=hint)
    return rubrics


def ask_models(
    prompts: Sequence[Prompt],
    rubrics: Sequence[Rubric],
    options: JudgeOptions,
    models: Sequence[ModelOptions],
) -> list[AskedModel]:
    """Ask each model; refuse to go on if no answer gives a judgment."""
    judges: list[AskedModel] = []
    for index, model in enumerate(models):
        progress = options.progress.part(index, len(models))
        asked_model = ask_model(prompts, rubrics, options, model, progress)
        if any(asked_model.name == asked_before.name for asked_before in judges):
            hint = "name different models, as in URL#NAME"
            raise InputError(f"two models are called {asked_model.name}", hint=hint)
        judges.append(asked_model)
    if not any(map(_has_judgments, judges)):
        raise InputError(judges[-1].failures(), hint=judges[-1].advice())
    return judges


def _has_judgments(asked_model: AskedModel) -> bool:
    return any(record["value"] is not None for record in asked_model.records)


def _storage_note(asked_model: AskedModel) -> str:
    n_earlier = (
        sum(record["outcome"] != "too long" for record in asked_model.records) - asked_model.new
    )
    earlier_note = f" ({n_earlier} from earlier runs)" if n_earlier > 0 else ""
    return f"{asked_model.path}{earlier_note}"


def _expected_note(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Report scores without probabilities."""
    scores = [record for record in records if isinstance(record["value"], float)]
    n_plain = sum(expected_score(record.get("probabilities")) is None for record in scores)
    message = f"{n_plain} of {len(scores)} scores have no token probabilities and are plain answers"
    return [message] * bool(n_plain)


def _versions_note(records: Sequence[Any]) -> Iterator[str]:
    """Report replies of several versions of a model, whose judgments may not be comparable."""
    names = ("reply_model", "fingerprint")
    versions = Counter(
        tuple(str(record.get(name) or "") for name in names)
        for record in records
        if record["outcome"] != "too long"
    )
    if len(versions) > 1:
        version_texts = (
            f"{' '.join(filter(None, version)) or 'not stated'} ({count})"
            for version, count in versions.most_common()
        )
        yield f"replies come from {len(versions)} versions of the model: {', '.join(version_texts)}"


def _signature(
    collection: Collection,
    name: str,
    rubrics: Sequence[Rubric],
    options: JudgeOptions,
    model: ModelOptions,
) -> Any:
    changed_options = dict(options.changed("documents_tokens", "expected", "strict_answers"))
    if options.examples is not None:
        changed_options["examples"] = sha256(options.examples.read_bytes()).hexdigest()[:8]
    return signed(
        f"judge({name})", collection.data_hash, model.seed,
        rubric="+".join(rubric.name for rubric in rubrics), samples=model.samples,
        temperature=f"{model.used_temperature:g}", reason="yes" * model.reason, **changed_options,
    )  # fmt: skip


def _missing_material(rubrics: Sequence[Rubric], prompts: Sequence[Prompt]) -> Iterator[str]:
    """Report rubrics without prompts, or whose texts are missing."""
    missing_counts: Counter[str] = Counter(
        prompt.about["rubric"]
        for prompt in prompts
        if not any(part.startswith(("<document>\n", "<reference>\n")) for part in prompt.parts)
    )
    for rubric in rubrics:
        if not any(prompt.about["rubric"] == rubric.name for prompt in prompts):
            yield f"{rubric.name}: there is nothing to ask"
        if rubric.show and missing_counts[rubric.name]:
            material = " nor ".join(rubric.show)
            number = missing_counts[rubric.name]
            yield f"{rubric.name}: {number} prompts show no {material}, because there are none"
    trimmed_end = f"{_TRIM_MARK}\n</document>"
    if n_trimmed := sum(
        any(part.endswith(trimmed_end) for part in prompt.parts) for prompt in prompts
    ):
        yield f"documents are trimmed in {n_trimmed} of {len(prompts)} prompts"


def _unused_examples(rubrics: Sequence[Rubric], options: JudgeOptions) -> Iterator[str]:
    examples = read_examples(options.examples) if options.examples else []
    names = {"", *(rubric.name for rubric in rubrics)}
    if n_unused := sum(example.rubric not in names for example in examples):
        yield f"{n_unused} of {len(examples)} examples are for other rubrics"


def _tally_answers(rubric: str, asked_model: AskedModel, model: ModelOptions) -> Tally:
    matching = [record for record in asked_model.records if record["rubric"] == rubric]
    outcomes = Counter(record["outcome"] for record in matching)
    names = ("tokens_in", "tokens_out")
    tokens = [
        sum(record[name] + record.get("earlier_tokens", (0, 0))[index] for record in matching)
        for index, name in enumerate(names)
    ]
    return Tally(
        rubric, len(matching), outcomes["answered"], outcomes["refused"], outcomes["unreadable"],
        tokens_in=tokens[0], tokens_out=tokens[1], cost=model.cost(*tokens),
        lenient=sum(record.get("lenient", False) for record in matching),
        cut=outcomes["cut off"], too_long=outcomes["too long"], model=asked_model.name,
    )  # fmt: skip


def _means_tables(
    rubrics: Sequence[Rubric], asked_model: AskedModel, name_model: bool
) -> Iterator[Table]:
    """Return each system's mean by rubric, and its share of won comparisons."""
    records, suffix = asked_model.records, f": {asked_model.name}" * name_model
    key = (("model", asked_model.name),) if name_model else ()
    scores = list(_judgments(rubrics, records))
    if scores:
        groups = grouped(
            ((judgment.measure, judgment.system), (judgment.topic, judgment.value))
            for judgment in scores
        )
        rows = tuple(
            (measure, system, len(values), len({topic for topic, _ in values}),
             known_mean(value for _, value in values))
            for (measure, system), values in sorted(
                groups.items(), key=lambda item: natural_orders(item[0])
            )
        )  # fmt: skip
        headings = ("measure", "system", "judgments", "topics", "mean")
        note = "Means of the model's judgments; check them with `assessors`."
        yield Table(headings, rows, f"Means{suffix}", note, digits=3, name="means", key=key)
    preferences = list(_preferences(rubrics, records))
    if preferences:
        table = Preferences.from_records(preferences)
        win_scores_by_system = grouped((row.system, row.value) for row in table.to_scores())
        win_rates = tuple(
            (name, len(shares), known_mean(shares))
            for name, shares in sorted(win_scores_by_system.items())
        )
        first_win_rate = (table.coded.outcome.mean() + 1) / 2
        note = (
            "Share: the share of comparisons won, with ties counted as half. The summary "
            f"shown first won {first_win_rate:.1%} of {counted(len(table), 'comparison')}; without "
            "position bias, it would win 50%."
        )
        columns = ("system", "comparisons", "share")
        title = f"Preferences{suffix}"
        yield Table(columns, win_rates, title, note, digits=3, name="wins", key=key)


def _dry_run_result(
    collection: Collection,
    rubrics: tuple[Rubric, ...],
    prompts: Sequence[Prompt],
    options: JudgeOptions,
    model: JudgeModelOptions,
    left_out: tuple[str, ...],
) -> JudgeResult:
    """Return the prompts and their estimated cost; tables show the first of each rubric."""

    def record(prompt: Prompt) -> dict[str, Any]:
        return {**prompt.about, "sample": prompt.sample, "messages": prompt.messages()}

    tallies, prompt_tables, models = [], [], model.each()
    sizes = [prompt.estimated_tokens for prompt in prompts]
    for rubric in rubrics:
        is_of_rubric = [prompt.about["rubric"] == rubric.name for prompt in prompts]
        tokens = sum(compress(sizes, is_of_rubric)), model.max_tokens * sum(is_of_rubric)
        tallies += [
            Tally(
                rubric.name,
                sum(is_of_rubric),
                0,
                0,
                0,
                *tokens,
                model.cost(*tokens),
                model=single_model.model,
            )
            for single_model in models
        ]
        for prompt in compress(prompts, is_of_rubric):
            lines = "\n\n".join(turn["content"] for turn in prompt.messages()).splitlines()
            rows, title = tuple((line,) for line in lines), f"Prompt: {rubric.name}"
            prompt_tables.append(Table((rubric.name,), rows, title, name="prompts"))
            break
    note = f"An estimate: {CHARACTERS_PER_TOKEN} characters per token, answers of maximum length."
    note += UNPRICED * (model.cost(0, 0) is None)
    hidden_columns = ["answered", "lenient", "refused", "cut off", "unreadable", "too long"]
    hidden_columns += ["model"] * (len(models) == 1)
    return JudgeResult(
        command="judge",
        signature=_signature(collection, "dry run", rubrics, options, model),
        values=LazySequence(partial(record, prompt) for prompt in prompts),
        tables=[
            *prompt_tables, _longest_table(prompts, sizes),
            _TALLY_VIEW.table(tallies, "Questions", note, exclude=hidden_columns),
        ],
        left_out=left_out,
        rubrics=rubrics,
        tallies=tuple(tallies),
    )  # fmt: skip


def _longest_table(prompts: Sequence[Prompt], sizes: Sequence[int]) -> Table:
    """List the longest prompts, which may not fit into a model's context."""
    # Samples and swapped sides repeat a prompt.
    distinct_prompts = [
        (size, prompt)
        for size, prompt in zip(sizes, prompts, strict=True)
        if not (prompt.sample or prompt.about.get("sides"))
    ]
    longest_prompts = sorted(distinct_prompts, key=lambda pair: -pair[0])[:_MAX_LISTED]
    names = ("rubric", "task", "topic", "system", "first", "second", "unit")
    headings = [
        name for name in names if any(prompt.about.get(name) for _, prompt in longest_prompts)
    ]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*(prompt.about.get(name, "") for name in headings), size)
        for size, prompt in longest_prompts
    )
    note = "The model's context must hold a prompt and --max-tokens; --documents-tokens trims."
    return Table((*headings, "tokens"), rows, "Longest prompts", note, name="longest")
