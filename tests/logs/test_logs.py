"""Logs of other tools, read from the samples that the tools wrote, and from small invented ones."""

import csv
import json
import math
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from pyramidion import Collection, compare
from pyramidion.checks import describe
from pyramidion.cli.runtime import run
from pyramidion.collection.formats import detect, read_collection
from pyramidion.errors import InputError, PyramidionError
from support import shared_file

pytestmark = pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")


@pytest.fixture(scope="module")
def logs() -> Path:
    return shared_file("data/eval_logs")


def rows_of(collection, *columns):
    scores = collection.scores
    keys = zip(*(scores.columns[name] for name in columns), strict=True)
    return dict(zip(keys, scores.value.tolist(), strict=True))


def expected(path: Path, *columns):
    with path.open(newline="") as file:
        return {
            tuple(row[name] for name in columns): float(row["value"])
            for row in csv.DictReader(file)
            if row["value"]
        }


@pytest.mark.parametrize(
    ("source", "table", "columns"),
    [
        ("inspect/logs", "inspect_logs", ("topic", "system", "run", "measure")),
        ("lm_eval/logs", "lm_eval", ("task", "topic", "system", "measure")),
        ("promptfoo/output.json", "promptfoo", ("topic", "system", "run", "measure")),
        ("promptfoo/output.jsonl", "promptfoo", ("topic", "system", "run", "measure")),
        ("promptfoo", "promptfoo", ("topic", "system", "run", "measure")),
    ],
)
def test_scores_are_those_of_the_tools_own_readers(logs, source, table, columns):
    ours = rows_of(read_collection(logs / source), *columns)
    theirs = expected(logs / "expected" / f"{table}.csv", *columns)
    assert ours.keys() == theirs.keys()
    assert all(math.isclose(ours[key], theirs[key], abs_tol=1e-9) for key in theirs)


def test_a_comparison_of_logs_gives_the_figures_of_a_comparison_of_the_table(logs):
    result = compare(logs / "inspect" / "logs", measures=["overlap.recall"])
    data = result.to_dict()["results"][0]
    means = {row["system"]: round(row["mean"], 4) for row in data["systems"]}
    assert means == {"mockllm/alpha": 0.3903, "mockllm/beta": 0.7917, "mockllm/gamma": 0.2771}
    by_pair = {(row["a"], row["b"]): row for row in data["comparisons"]}
    assert by_pair["mockllm/beta", "mockllm/alpha"]["p_adjusted"] <= 0.002
    undecided = by_pair["mockllm/alpha", "mockllm/gamma"]
    assert undecided["n"] == 12
    assert 0.19 < undecided["p_adjusted"] < 0.21


def test_clusters_come_from_metadata(logs):
    result = compare(logs / "inspect" / "logs", measures=["overlap.recall"], cluster="source")
    pairs = result.to_dict()["results"][0]["comparisons"]
    beta_alpha = next(p for p in pairs if {p["a"], p["b"]} == {"mockllm/beta", "mockllm/alpha"})
    assert beta_alpha["p"] == pytest.approx(0.125)


def codes(*sources, **options):
    collection = read_sources(*sources, **options)
    return {finding.code: finding for finding in collection.findings or ()}


def read_sources(*sources, **options):
    """Read sources as the commands do."""
    from pyramidion.collection.formats.base import LogSettings
    from pyramidion.collection.sources import read_source

    return read_source(list(sources), logs=LogSettings(**options))


@pytest.mark.parametrize(
    ("trap", "code", "words"),
    [
        ("limit_shuffle", "different-items", "limit_shuffle 8 (limit 8)"),
        ("limit_shuffle", "renumbered-items", "matched by text"),
        ("other_prompt", "different-prompts", "cannot be attributed to the model alone"),
        ("one_epoch", "different-numbers-of-epochs", "one_epoch 1"),
    ],
)
def test_differences_between_runs_are_reported(logs, trap, code, words):
    found = codes(logs / "inspect" / "logs", logs / "inspect" / "traps" / trap)
    assert words in found[code].message


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("inspect/logs", "inspect/traps/same_ids_other_text", "item bridge-00 has one text"),
        ("inspect/logs", "inspect/traps/failed", "did not succeed (status: error)"),
        ("inspect/logs", "inspect/traps/crashed", "did not succeed (status: started)"),
        ("lm_eval/logs/alpha", "lm_eval/traps/samples_option", "only 4 items are in all runs"),
    ],
)
def test_runs_that_cannot_be_paired_are_refused(logs, first, second, words):
    with pytest.raises(PyramidionError) as error:
        read_sources(logs / first, logs / second)
    assert words in str(error.value)


def test_options_override_refusals(logs):
    both = (logs / "lm_eval/logs/alpha", logs / "lm_eval/traps/samples_option")
    shared = read_sources(*both, shared=True).scores.select(task="news_choice")
    assert len(shared.distinct("topic")) == 4
    crashed = read_sources(logs / "inspect/traps/crashed", partial=True)
    assert len(crashed.scores.distinct("topic")) == 8


@pytest.mark.parametrize(
    ("trap", "code", "words"),
    [
        ("limit", "different-items", "beta 8 (limit 8)"),
        ("fewshot", "different-prompts", "n-shot"),
        ("reordered", "renumbered-items", "12 items"),
    ],
)
def test_lm_eval_is_paired_by_the_hash_of_the_document(logs, trap, code, words):
    found = codes(logs / "lm_eval/logs/alpha", logs / f"lm_eval/traps/{trap}")
    assert words in found[code].message


def test_lm_eval_names_the_documents_that_a_run_left_out(logs, tmp_path):
    for name in ("alpha", "beta"):
        source = logs / "lm_eval" / ("logs/alpha" if name == "alpha" else "traps/limit")
        shutil.copytree(source, tmp_path / name)
    for path in (tmp_path / "beta").rglob("results*.json"):
        results = json.loads(path.read_text())
        results["config"].pop("limit")
        results["n-samples"] = {
            task: {"original": 12, "effective": 8} for task in results["n-samples"]
        }
        path.write_text(json.dumps(results))
    found = codes(tmp_path / "alpha", tmp_path / "beta")["different-items"]
    assert "alpha 12, beta 8 (8 of 12 documents)" in found.message


def test_a_metric_that_needs_the_whole_corpus_is_listed(logs):
    collection = read_collection(logs / "lm_eval/logs")
    assert "bleu" not in " ".join(collection.scores.measures)
    assert any("bleu" in line for line in collection.left_out)
    assert collection.measures["length"].lower_is_better


def test_errors_are_missing_or_zero(logs):
    path = logs / "inspect" / "logs"
    zero = rows_of(read_sources(path, errors="zero"), "topic", "system", "run", "measure")
    missing = rows_of(read_sources(path), "topic", "system", "run", "measure")
    added = zero.keys() - missing.keys()
    assert len(added) == 6
    assert all(zero[key] == 0 and key[1] == "mockllm/gamma" for key in added)


@pytest.mark.parametrize(
    ("failed", "errors", "code", "message"),
    [
        (
            ([1], [], []),
            "missing",
            "different-numbers-of-errors",
            "a: 1 error (errors are left",
        ),
        (([1], [2], [3]), "missing", "missing-scores-in-the-log", "a: 1 error; b: 1 error; c: 1"),
        (([1], [], []), "zero", "missing-scores-in-the-log", "counted as 0 where higher is"),
    ],
)
def test_errors_are_doubtful_only_if_systems_differ_and_they_are_left_out(
    tmp_path, failed, errors, code, message
):
    for model, numbers in zip("abc", failed, strict=True):
        path = inspect_log(tmp_path / f"{model}.json", [1, 0, 1, 0], model=model)
        data = json.loads(path.read_text())
        for number in numbers:
            data["samples"][number] |= {"error": "x", "scores": {}}
        path.write_text(json.dumps(data))
    found = codes(tmp_path, errors=errors)
    assert message in found[code].message
    assert not found.keys() & (
        {"different-numbers-of-errors", "missing-scores-in-the-log"} - {code}
    )


def test_the_same_run_counts_once(logs, tmp_path):
    first, second, _ = sorted((logs / "inspect" / "logs").iterdir())
    copy = tmp_path / "copied.eval"
    copy.write_bytes(first.read_bytes())
    collection = read_sources(first, copy, second)
    assert any("the same run as" in line for line in collection.left_out)
    assert len(collection.scores) == len(read_sources(first, second).scores)
    with pytest.raises(InputError, match=r"have the same runs: .*copied\.eval: the same run as"):
        read_sources(first, copy)


@pytest.mark.parametrize("both", [True, False])
def test_items_that_one_log_lists_twice(logs, tmp_path, both):
    alpha, gamma = (tmp_path / f"ragas_{name}.csv" for name in ("alpha", "gamma"))
    for path in (alpha, gamma):
        header, *rows = (logs / "ragas" / path.name).read_text().splitlines()
        path.write_text("\n".join([header, *rows, *rows[: len(rows) * (both or path is alpha)]]))
    found = [f for f in read_sources(alpha, gamma).doubts if f.kind == "items listed twice"]
    assert [f.subject for f in found] == ([] if both else ["ragas_alpha"])
    assert both or found[0].message.startswith("5 of its 10 items are listed again")


def test_documents_that_a_file_of_samples_lists_twice(logs, tmp_path):
    for name in ("alpha", "beta"):
        shutil.copytree(logs / "lm_eval" / "logs" / name, tmp_path / name)
    assert "items listed twice" not in {f.kind for f in read_sources(*tmp_path.iterdir()).doubts}
    path = next((tmp_path / "beta").rglob("samples_news_headline*"))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, *lines[:4]]))
    doubts = read_sources(*tmp_path.iterdir()).doubts
    assert [f.subject for f in doubts if f.kind == "items listed twice"] == ["beta"]


def test_a_run_and_its_copy_have_one_system(logs, tmp_path):
    for name in ("a", "b"):
        shutil.copytree(logs / "lm_eval" / "logs" / "alpha", tmp_path / name)
    with pytest.raises(InputError, match="the sources have the same runs: "):
        compare([tmp_path / "a", tmp_path / "b"])


@pytest.mark.parametrize(
    ("source", "measure", "means"),
    [
        ("deepeval", "Recall", {"alpha": 0.9167, "gamma": 0.4167}),
        ("ragas", "exact_match", {"ragas_alpha": 0.0, "ragas_gamma": 0.2}),
        ("helm", "exact_match", {"simple/model1": None}),
    ],
)
def test_other_tools(logs, source, measure, means):
    paths = sorted((logs / source).glob("*.csv")) or [logs / source]
    scores = read_sources(*paths).scores.select(measure=measure)
    for system, mean in means.items():
        values = scores.select(system=system).value
        assert len(values)
        if mean is not None:
            assert values.mean() == pytest.approx(mean, abs=1e-4)


def chosen(path):
    preferences = Collection.load(path).preferences
    columns = (preferences.columns[name] for name in ("topic", "first", "second", "choice"))
    return sorted(zip(*columns, strict=True))


def test_arena_leaves_out_judges_who_knew_the_models(logs):
    path = logs / "preferences" / "arena_battles.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    blind = sum(record["anony"] for record in records)
    collection = Collection.load(path)
    assert len(collection.preferences) == blind < len(records)
    [left_out] = collection.left_out
    assert left_out.startswith(f"{len(records) - blind} battles in which the judge knew")


def test_arena_with_a_column_for_each_winner(logs):
    choices = chosen(logs / "preferences" / "arena_onehot.csv")
    assert choices[:3] == [
        ("1000", "alpha", "beta", "first"),
        ("1001", "alpha", "beta", "second"),
        ("1002", "beta", "alpha", "tie"),
    ]


def test_alpaca_eval_is_a_preference_and_a_score_of_a_model_as_judge(logs):
    collection = Collection.load(logs / "preferences" / "alpaca_eval_annotations.json")
    choices = collection.preferences.columns["choice"]
    expected = ["first" if v < 0.5 else "second" for v in collection.scores.value]
    assert list(choices[:3]) == ["first", "second", "tie"]
    assert list(choices[3:]) == expected[3:]
    assert len(choices) == 7
    assert {*collection.scores.columns["assessor_kind"]} == {"model"}
    assert collection.scores.value.max() == 1
    assert "1 instructions that the judge failed on" in collection.left_out


@pytest.mark.parametrize("name", ["labelstudio.json", "labelstudio_min.json", "labelstudio.csv"])
def test_label_studio(logs, name):
    collection = Collection.load(logs / "label_studio" / name)
    choices = collection.preferences
    better = [c for c, m in zip(choices.columns["choice"], choices.columns["measure"], strict=True)
              if m == "better"]  # fmt: skip
    assert sorted(better) == ["first", "first", "second"]
    ratings = rows_of(collection, "topic", "system", "assessor")
    assert ratings == {
        ("bridge-00", "alpha", "1"): 4,
        ("school-01", "beta", "1"): 2,
        ("school-01", "beta", "2"): 5,
    }


def test_label_studio_counts_the_answer_key_and_reads_single_choices(tmp_path):
    def annotation(*choices, **more):
        value = {"from_name": "tone", "to_name": "text", "value": {"choices": list(choices)}}
        return {"completed_by": 1, "result": [value], **more}

    annotations = [
        annotation("3"), annotation("1", "2"), annotation("2", ground_truth=True),
        annotation("2", was_cancelled=True),
    ]  # fmt: skip
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{"id": 7, "data": {"text": "x"}, "annotations": annotations}]))
    collection = Collection.load(path)
    assert collection.scores.value.tolist() == [3]
    assert {"1 annotations that are the answer key", "1 skipped annotations"} <= {
        *collection.left_out
    }


def test_argilla_counts_drafts_only_if_the_export_has_no_status(logs):
    flat = Collection.load(logs / "argilla" / "argilla_flat.json")
    assert flat.left_out == (
        "1 answers with the status draft", "1 answers with the status discarded"
    )  # fmt: skip
    assert len(flat.scores) == 3
    nested = Collection.load(logs / "argilla" / "argilla_records.json")
    assert len(nested.scores) == 4
    assert "answers-without-a-status" in {finding.code for finding in nested.findings}


@pytest.mark.parametrize("name", ["annotations.jsonl", "annotations.csv", "annotation_output"])
def test_potato(logs, name):
    collection = Collection.load(logs / "potato" / name)
    assert sorted(collection.scores.value) == [2, 3, 4, 5]
    choices = chosen(logs / "potato" / name)
    assert ("bridge-00", "alpha", "beta", "first") in choices
    assert ("school-01", "beta", "alpha", "second") in choices


def test_mqm_sums_weights_of_errors(tmp_path):
    table = tmp_path / "errors.tsv"
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    lines = [
        'A\td\t1\t1\tr1\ts\tt "\tAccuracy/Mistranslation\tMajor',
        "A\td\t1\t1\tr1\ts\tt\tFluency/Punctuation\tMinor",
        "A\td\t1\t1\tr2\ts\tt\tNo-error\tNo-error",
        "refA\td\t1\t1\tr1\ts\tt\tNon-translation!\tMajor",
        "refA\td\t1\t1\tr2\ts\tt\tStyle\tMinor",
    ]
    table.write_text("\n".join([header, *lines]) + "\n")
    collection = read_collection(table)
    assert rows_of(collection, "system", "assessor") == {
        ("A", "r1"): 5.1, ("A", "r2"): 0, ("refA", "r1"): 25, ("refA", "r2"): 1,
    }  # fmt: skip
    assert collection.systems == {"A": "machine", "refA": "human"}
    assert collection.measures["mqm"].lower_is_better
    assert set(collection.scores.extra["doc"]) == {"d"}


def test_mqm_refuses_an_unknown_severity(tmp_path):
    table = tmp_path / "errors.tsv"
    table.write_text("system\tdoc\tseg_id\trater\tcategory\tseverity\nA\td\t1\tr\tx\tAwful\n")
    with pytest.raises(InputError, match="line 2: the severity is 'Awful'"):
        read_collection(table)


def test_mt_metrics_eval(logs):
    collection = read_collection(logs / "mt" / "mtme")
    assert {*collection.scores.measures} == {"mqm", "chrF-refA"}
    assert not collection.measures["mqm"].lower_is_better
    assert collection.left_out == ("2 segments without mqm",)


def inspect_log(path, values, *, ids=None, model="m", texts=None, **evaluation):
    """Write a small log of inspect_ai as JSON."""
    samples = [
        {"id": (ids or {}).get(n, n), "epoch": 1, "input": (texts or {}).get(n, f"question {n}"),
         "target": "x", "scores": {"right": {"value": value}}}
        for n, value in enumerate(values, start=1)
    ]  # fmt: skip
    data = {"version": 2, "status": "success", "samples": samples, "plan": {},
            "eval": {"task": "t", "model": model, **evaluation}}  # fmt: skip
    path.write_text(json.dumps(data))
    return path


def test_grades_can_be_given(tmp_path):
    values = ["good", "bad", "C", "0.25", True, "maybe", "yes", "no", "True", "False", [1]]
    path = inspect_log(tmp_path / "log.json", values)
    scores = read_sources(path, grades=("good=1", "bad=0")).scores
    assert scores.value.tolist() == [1, 0, 1, 0.25, 1, 1, 0, 1, 0]
    left_out = read_sources(path).left_out
    assert any("'good'" in line and "--grades" in line for line in left_out)
    assert any("1 values of right that are neither numbers nor grades" in x for x in left_out)


def test_scorers_that_differ_are_refused(tmp_path):
    def scorer(threshold):
        return {"scorers": [{"name": "right", "options": {"threshold": threshold}}]}

    first = inspect_log(tmp_path / "a.json", [1, 0], model="a", **scorer(1))
    second = inspect_log(tmp_path / "b.json", [1, 0], model="b", **scorer(2))
    with pytest.raises(InputError, match=r'score right differently .*"threshold": 1.* and .*: 2'):
        read_sources(first, second)


def test_systems_are_named_after_the_setting_that_is_shortest_everywhere(tmp_path):
    for number, (prompt, style) in enumerate([("a", "brief"), ("a long prompt", "wordy")]):
        arguments = {"prompt": prompt, "style": style}
        folder_log(tmp_path, [1, 0, 1], f"{number}.json", task_args=arguments)
    assert [*read_sources(tmp_path).systems] == ["m style=brief", "m style=wordy"]


def test_a_mean_that_the_log_contradicts_is_reported(tmp_path):
    path = inspect_log(tmp_path / "log.json", [1, 0, 1, 1])
    data = json.loads(path.read_text())
    metrics = {"mean": {"value": 0.25}}
    data["results"] = {"scores": [{"name": "right", "scorer": "right", "metrics": metrics}]}
    path.write_text(json.dumps(data))
    finding = codes(path)["different-mean-in-the-log"]
    assert finding.message == "the mean of its items is 0.75, but the log states 0.25"
    metrics["mean"]["value"] = 0.75
    path.write_text(json.dumps(data))
    assert "different-mean-in-the-log" not in codes(path)


def test_the_same_model_in_two_folders_is_named_after_the_folders(tmp_path):
    for folder, values in (("baseline", [1, 0, 0]), ("candidate", [1, 1, 0])):
        (tmp_path / folder).mkdir()
        inspect_log(tmp_path / folder / "log.json", values)
    collection = read_sources(tmp_path / "baseline", tmp_path / "candidate")
    assert [*collection.systems] == ["baseline", "candidate"]


def test_runs_of_the_same_system_in_a_folder_continue_the_numbering(tmp_path):
    for number in (1, 2):
        inspect_log(tmp_path / f"{number}.json", [1, 0, number % 2])
    assert read_sources(tmp_path).scores.distinct("run") == ("1", "2")


def test_identical_items_are_numbered_by_occurrence(tmp_path):
    same = {1: "same", 2: "same", 3: "other"}
    first = inspect_log(tmp_path / "a.json", [1, 0, 1], model="a", texts=same)
    second = inspect_log(tmp_path / "b.json", [0, 1, 1], model="b", texts=same)
    scores = read_sources(first, second).scores
    assert len(scores.distinct("topic")) == 3
    assert len(scores) == 6


def test_items_with_other_ids_count_once_however_often_they_were_run(tmp_path):
    inspect_log(tmp_path / "a.json", [1, 0, 1], model="a")
    path = inspect_log(tmp_path / "b.json", [0, 1, 1], model="b", ids={1: 2, 2: 1})
    data = json.loads(path.read_text())
    data["samples"] += [{**sample, "epoch": 2} for sample in data["samples"]]
    path.write_text(json.dumps(data))
    assert codes(tmp_path)["renumbered-items"].message.startswith("2 items have different ids")


def test_tasks_must_be_shared(tmp_path):
    first = inspect_log(tmp_path / "a.json", [1], task="one")
    second = inspect_log(tmp_path / "b.json", [1], task="two")
    with pytest.raises(
        InputError, match=r"a\.json and \S*b\.json have no task in common: one, two"
    ):
        read_sources(first, second)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"status": "success", "eval": {"task": "t", "model": ', "not JSON"),
        (b'{"status": "success", "eval": {"task": "t"}}', "`model` is missing"),
        (b'{"evalId": "x", "results": {"results": [{"vars": {}}]}}', "`provider` is missing"),
        (
            b'{"doc_id": 1, "doc_hash": "x", "filter": "none", "metrics": ["a"]}\n{"doc_id"',
            "line 2",
        ),
        (b'{"testCases": [{"name": "x"}]}', "`metricsData` is missing"),
    ],
)
def test_damaged_logs_give_one_line(tmp_path, content, words):
    path = tmp_path / "log.json"
    path.write_bytes(content)
    with pytest.raises(PyramidionError) as error:
        read_sources(path)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_an_archive_that_is_cut_off_is_refused(logs, tmp_path):
    whole = next((logs / "inspect" / "logs").iterdir()).read_bytes()
    path = tmp_path / "cut.eval"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PyramidionError, match="the archive is damaged"):
        read_sources(path)


def test_an_archive_that_unpacks_to_far_too_much_is_refused(tmp_path):
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("header.json", " " * (70 * 2**20))
    with pytest.raises(PyramidionError, match="unpacks to more than"):
        read_sources(path)


def test_scores_that_are_not_numbers_are_missing(tmp_path):
    path = inspect_log(tmp_path / "log.json", [float("nan"), float("inf"), 0.5])
    scores = read_sources(path).scores
    assert np.array_equal(scores.value, [0.5])


def folder_log(folder, values, name="log.json", **evaluation):
    folder.mkdir(parents=True, exist_ok=True)
    return inspect_log(folder / name, values, **evaluation)


def test_folders_of_the_same_name_are_told_apart(tmp_path):
    for parent, values in (("exp1", [1, 0, 0]), ("exp2", [1, 1, 0])):
        folder_log(tmp_path / parent / "logs", values)
    collection = read_sources(tmp_path / "exp1" / "logs", tmp_path / "exp2" / "logs")
    assert [*collection.systems] == ["exp1/logs", "exp2/logs"]


def test_versions_in_names_of_folders_stay(tmp_path):
    for version in ("v1.0", "v1.1"):
        folder_log(tmp_path / version, [1, 0, 1])
    systems = read_sources(tmp_path / "v1.0", tmp_path / "v1.1").systems
    assert [*systems] == ["v1.0", "v1.1"]


def test_long_prompts_that_begin_alike_are_two_systems(tmp_path):
    for number in (1, 2):
        arguments = {"prompt": f"{'Write a good headline. ' * 4}{number}"}
        folder_log(tmp_path, [1, 0, 1], f"{number}.json", task_args=arguments)
    assert len(read_sources(tmp_path).systems) == 2


def test_only_the_last_successful_attempt_counts(tmp_path):
    for number, status in enumerate(("error", "success", "error")):
        path = folder_log(tmp_path, [number, 0, 1], f"{number}.json", task_id="x")
        data = json.loads(path.read_text())
        path.write_text(json.dumps({**data, "status": status}))
    collection = read_sources(tmp_path)
    assert collection.scores.value.tolist() == [1, 0, 1]
    assert sum("another attempt" in line for line in collection.left_out) == 2


def test_names_of_files_do_not_make_them_attempts(tmp_path):
    for name in ("base_math_v1", "new_math_v1"):
        folder_log(tmp_path, [1, 0, 1], f"{name}.json", model=name)
    assert len(read_sources(tmp_path).systems) == 2


def test_an_empty_archive_is_listed(tmp_path):
    folder_log(tmp_path, [1, 0, 1])
    (tmp_path / "empty.eval").write_bytes(b"")
    assert any("empty.eval: not a log" in line for line in read_sources(tmp_path).left_out)


def test_errors_are_not_zero_where_lower_is_better(tmp_path):
    path = folder_log(tmp_path, [1, 2, 3])
    data = json.loads(path.read_text())
    data["samples"][0] |= {"error": "x", "scores": {}}
    for sample in data["samples"][1:]:
        sample["scores"] = {"latency": {"value": 3.0}, "recall": {"value": 0.5}}
    path.write_text(json.dumps(data))
    scores = read_sources(path, errors="zero").scores
    assert scores.select(measure="latency").value.tolist() == [3, 3]
    assert sorted(scores.select(measure="recall").value) == [0, 0.5, 0.5]


def test_directions_that_contradict_each_other_are_refused(tmp_path):
    for name, success in (("a", True), ("b", False)):
        metric = {"name": "Bias", "score": 0.2, "threshold": 0.5, "success": success}
        case = {"name": "x", "input": "i", "metricsData": [metric]}
        run = {"testCases": [case], "hyperparameters": {"model": name}}
        (tmp_path / f"test_run_{name}.json").write_text(json.dumps(run))
    with pytest.raises(InputError, match="lower Bias is better in"):
        read_sources(tmp_path)
    metric.pop("threshold")
    (tmp_path / "test_run_a.json").unlink()
    (tmp_path / "test_run_b.json").write_text(json.dumps(run))
    with pytest.raises(InputError, match="--lower-is-better 'Bias'"):
        read_sources(tmp_path)
    assert len(read_sources(tmp_path, directed=("Bias",)).scores) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"eval": {"task": "t", "model": "m", "config": [1]}},
        {"samples": [{"id": 1, "scores": [1]}]},
        {"samples": [{"id": 1, "scores": {"a": {"value": 10**400}}}]},
        {"results": {"scores": [1]}},
        {"plan": {"steps": [1]}},
    ],
)
def test_fields_of_other_types_give_one_line(tmp_path, change):
    path = folder_log(tmp_path, [1, 0])
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(PyramidionError, match="does not have the form of inspect"):
        read_sources(path)


def test_a_large_folder_of_something_else_is_not_refused_as_logs(tmp_path, monkeypatch):
    monkeypatch.setattr("pyramidion.logs._files._MAX_ENTRIES", 3)
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text("x")
    with pytest.raises(PyramidionError, match="the format is not recognized"):
        read_collection(tmp_path)


@pytest.mark.parametrize(
    "content",
    ['[{"annotations": ["x"], "data": {}}]', '[{"id": "1", "fields": {}, "responses": null}]'],
)
def test_annotations_of_other_types_give_one_line(tmp_path, content):
    path = tmp_path / "export.json"
    path.write_text(content)
    with pytest.raises(PyramidionError, match="does not have the form of"):
        read_sources(path)


LABELED = {
    "label-studio": [
        {"id": 1, "data": {"ref": "T1", "meta": {"llm": "alpha"}}, "annotations": [
            {"completed_by": 7, "result": [
                {"from_name": "fluency", "to_name": "t", "value": {"rating": 4}}]}]},
    ],
    "argilla": [
        {"id": "x", "ref": "T1", "meta": {"llm": "alpha"}, "fluency.responses": [4],
         "fluency.responses.users": [7], "fluency.responses.status": ["submitted"]},
    ],
}  # fmt: skip


@pytest.mark.parametrize("tool", LABELED)
def test_fields_of_annotation_exports_can_be_named(tmp_path, tool, capsys):
    source = tmp_path / "export.json"
    source.write_text(json.dumps(LABELED[tool]))
    columns = ["topic=data.ref", "system=meta.llm"]
    arguments = ["convert", str(source), str(tmp_path / "out"), "--dry-run"]
    assert run([*arguments, "--columns", ",".join(columns)]) == 0
    shown = capsys.readouterr().out
    assert [line.split()[-1] for line in shown.splitlines() if " 1 " in line][:2] == ["T1", "alpha"]
    from pyramidion.collection.sources import read_source

    [score] = read_source(source, columns=columns).scores
    assert (score.topic, score.system, score.value, score.assessor) == ("T1", "alpha", 4, "7")
    with pytest.raises(InputError, match="no item has the field 'reff'; did you mean ref"):
        read_source(source, columns=["topic=reff"])


def test_systems_of_potato_can_be_named(tmp_path):
    (tmp_path / "items.jsonl").write_text('{"id": "i", "left_llm": "alpha", "right_llm": "beta"}\n')
    source = tmp_path / "annotations.jsonl"
    labels = {"instance_id": "i", "user_id": "7", "labels": {"better": {"selection": "A"}}}
    source.write_text(json.dumps(labels) + "\n")
    from pyramidion.collection.sources import read_source

    [choice] = read_source(source, columns=["first=left_llm", "second=right_llm"]).preferences
    assert (choice.first, choice.second, choice.choice) == ("alpha", "beta", "first")


def test_describe_and_convert_take_the_options_of_logs(logs, tmp_path):
    crashed = logs / "inspect" / "traps" / "crashed"
    [run_of_log] = describe(crashed, partial=True)[0].logs
    assert (run_of_log["system"], run_of_log["items"]) == ("mockllm/gamma", 8)
    assert run(["convert", str(crashed), str(tmp_path / "scores.csv"), "--partial"]) == 0
    numbers = {
        log["system"]: (log["items"], log["epochs"], log["errors"], log["unscored"])
        for log in describe(logs / "inspect" / "logs")[0].logs
    }
    assert numbers == {
        "mockllm/alpha": (12, 2, 0, 1), "mockllm/beta": (12, 2, 0, 2),
        "mockllm/gamma": (12, 2, 2, 3),
    }  # fmt: skip


def test_the_pairing_of_logs_is_in_json(tmp_path):
    grader = {"model_roles": {"grader": {"model": "judge/1"}}, "task_version": 1}
    first = inspect_log(tmp_path / "a.json", [1, 0, 1, 1], model="a", **grader)
    grader = {"model_roles": {"grader": {"model": "judge/2"}}, "task_version": 2}
    second = inspect_log(tmp_path / "b.json", [1, 0, 1], model="b", **grader)
    found = codes(first, second)
    assert "versions of the task 1 and 2" in found["different-versions-of-the-task"].message
    assert found["different-models-as-grader"].message.startswith("judge/1 and judge/2;")
    [pairing] = compare([first, second]).to_dict()["pairing"].values()
    assert pairing["common"] == 3
    assert [(log["items"], log["dropped"]) for log in pairing["logs"]] == [(4, 1), (3, 0)]
    assert pairing["differing"]["task_version"] == {"a": "1", "b": "2"}
    assert "scorers" not in pairing["differing"]


def test_all_parts_of_a_graded_score_are_the_models(tmp_path):
    path = inspect_log(tmp_path / "a.json", [{"tone": 1, "facts": 0}, {"tone": 0, "facts": 1}])
    data = json.loads(path.read_text().replace('"right"', '"model_graded_qa"'))
    data["eval"] |= {
        "model_roles": {"grader": {"model": "judge/1"}}, "scorers": [{"name": "model_graded_qa"}]
    }  # fmt: skip
    path.write_text(json.dumps(data))
    scores = read_sources(path).scores
    assert {*scores.measures} == {"model_graded_qa.tone", "model_graded_qa.facts"}
    assert {*scores.columns["assessor"]} == {"judge/1"}


def test_a_scorer_that_asks_the_grader_is_refused_if_graders_differ(tmp_path):
    def log(name, judge):
        path = inspect_log(tmp_path / f"{name}.json", [1, 0, 1], model=name)
        data = json.loads(path.read_text().replace('"right"', '"model_graded_qa"'))
        data["eval"]["model_roles"] = {"grader": {"model": judge}}
        data["eval"]["scorers"] = [{"name": "model_graded_qa"}]
        path.write_text(json.dumps(data))
        return path

    with pytest.raises(InputError, match=r"score model_graded_qa differently \(x and y\)"):
        read_sources(log("a", "x"), log("b", "y"))


def test_a_long_first_line_is_recognized(tmp_path):
    padding = "x" * (2**20 + 10)
    line = {"doc": {"text": padding}, "doc_id": 0, "doc_hash": "h", "filter": "none", "metrics": []}
    (tmp_path / "samples_a.jsonl").write_text(json.dumps(line) + "\n")
    assert detect(tmp_path / "samples_a.jsonl").name == "logs"
    stream = {"references": [padding], "topic": "T1", "system": "a", "peer": "It rained."}
    (tmp_path / "items.jsonl").write_text(json.dumps(stream) + "\n")
    assert detect(tmp_path / "items.jsonl").name == "stream"


def promptfoo(path, model, tests):
    results = [
        {"promptIdx": 0, "testIdx": number, "vars": {"text": "same"}, "provider": {"id": model},
         "prompt": {"raw": "p"}, "testCase": {"assert": [{"type": kind}], "description": kind},
         "score": value, "success": value > 0.5, "failureReason": 0}
        for number, (kind, value) in enumerate(tests)
    ]  # fmt: skip
    path.write_text(json.dumps({"evalId": model, "results": {"version": 3, "results": results}}))
    return path


def test_scores_that_are_equal_within_systems_are_in_order_by_chance(logs):
    assert "measure-with-sorted-scores" not in codes(logs / "promptfoo/output.json")


def test_promptfoo_tests_with_other_assertions_are_other_items(tmp_path):
    first = promptfoo(tmp_path / "a.json", "a", [("contains", 1), ("rubric", 0)])
    second = promptfoo(tmp_path / "b.json", "b", [("rubric", 1), ("contains", 1)])
    scores = rows_of(read_sources(first, second), "topic", "system", "measure")
    assert scores["rubric", "a", "score"] == 0
    assert scores["contains", "a", "score"] == scores["rubric", "b", "score"] == 1


def test_promptfoo_tests_without_a_description_are_named_after_a_variable(tmp_path):
    """Equal names are no equal items: tests are paired by all of their variables."""

    def log(name, tests):
        results = [
            {"promptIdx": 0, "testIdx": number, "vars": {"language": "en", "text": text, "must": b},
             "provider": {"id": name}, "score": value, "success": True, "failureReason": 0}
            for number, (text, b, value) in enumerate(tests)
        ]  # fmt: skip
        content = {"evalId": name, "results": {"version": 3, "results": results}}
        (tmp_path / name).write_text(json.dumps(content))
        return tmp_path / name

    long = "a flood closed\nthe bridge " * 9
    first = log("a.json", [("rain", "r", 0.1), (long, "b", 0.2), ("snow", "s", 0.3)])
    second = log("b.json", [("snow", "s", 0.4), ("rain", "other", 0.5), (long, "b", 0.6)])
    collection = read_sources(first, second)
    scores = rows_of(collection, "topic", "system", "measure")
    name = "a flood closed the ... closed the bridge"
    assert {key: value for key, value in scores.items() if key[2] == "score"} == {
        (name, "a.json", "score"): 0.2, (name, "b.json", "score"): 0.6,
        ("snow", "a.json", "score"): 0.3, ("snow", "b.json", "score"): 0.4,
    }  # fmt: skip
    assert [finding.kind for finding in collection.doubts] == ["different items"]


def test_choices_are_read_from_samples_where_summaries_lack_them(tmp_path):
    def archive(name, choices):
        sample = {
            "id": 1, "epoch": 1, "input": "Which?", "target": "A", "metadata": {},
            "scores": {"exact": {"value": 1}},
        }  # fmt: skip
        header = {"eval": {"task": "t", "model": name}, "status": "success"}
        with zipfile.ZipFile(tmp_path / f"{name}.eval", "w") as file:
            file.writestr("_journal/start.json", json.dumps(header))
            file.writestr("samples/1_epoch_1.json", json.dumps(sample | {"choices": choices}))
            file.writestr("header.json", json.dumps(header))
            file.writestr("summaries.json", json.dumps([sample]))
        return tmp_path / f"{name}.eval"

    same, also, other = archive("a", ["x"]), archive("b", ["x"]), archive("c", ["y"])
    assert read_sources(same, also).pairing["t"]["common"] == 1
    with pytest.raises(InputError, match="has one text in"):
        read_sources(same, other)


def test_the_markdown_of_a_gate_repeats_the_findings(tmp_path, capsys):
    first = inspect_log(tmp_path / "a.json", [1, 0, 1, 1], model="a", task_version=1)
    second = inspect_log(tmp_path / "b.json", [1, 0, 1, 0], model="b", task_version=2)
    run(["compare", str(first), str(second), "--gate", "--format", "markdown"])
    shown = capsys.readouterr()
    assert "Only 4 items: intervals of fewer than 15 are rough" in shown.out
    for line in shown.err.splitlines():
        assert line.partition(": ")[2].split(";")[0] in shown.out


def test_a_csv_that_is_cut_off_is_an_error(tmp_path):
    path = tmp_path / "annotations.csv"
    text = "instance_id,user_id,relevance.4,better.selection\nbridge-00,ann1,4,A\nschool-0"
    for content in (text, text + '0,ann1,"4'):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match="the file may be cut off"):
            read_collection(path)


def test_a_row_of_ragas_that_is_cut_off_is_an_error(tmp_path):
    path = tmp_path / "ragas.csv"
    path.write_text("user_input,response,reference,recall\nWho?,Ada,Ada,1.0\nWho else?,A")
    with pytest.raises(InputError, match="line 3: not as many cells as the header has"):
        read_collection(path)


def samples(path, *ids):
    lines = [
        json.dumps({"doc_id": number, "doc_hash": f"h{number}", "filter": "none",
                    "metrics": ["acc"], "acc": 1.0})
        for number in ids
    ]  # fmt: skip
    path.write_text("\n".join(lines), encoding="utf-8")


def test_samples_without_results_are_named_after_their_folder(tmp_path, monkeypatch):
    (tmp_path / "alpha").mkdir()
    monkeypatch.chdir(tmp_path / "alpha")
    samples(Path("samples_t.jsonl"), 1, 2)
    assert read_collection("samples_t.jsonl").scores.columns["system"].tolist() == ["alpha"] * 2
    samples(Path("samples_t.jsonl"), 1, 2, 1)
    assert len(read_collection("samples_t.jsonl").scores) == 3  # as a further item


def test_json_in_utf_16_is_refused_as_such(tmp_path):
    path = tmp_path / "export.json"
    path.write_text('{"testCases": []}', encoding="utf-16")
    with pytest.raises(InputError, match="the text is UTF-16, not UTF-8"):
        detect(path)


def test_states_of_potato_deep_in_a_folder_do_not_hide_its_logs(logs):
    assert detect(logs / "potato").name == "annotations"
    assert detect(logs).name == "logs"


@pytest.mark.parametrize("name", ["evalId", "results"])
def test_an_object_with_one_of_the_names_of_a_log_is_none(tmp_path, name):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({name: "x", "topic": "T1"}))
    with pytest.raises(InputError, match="the format is not recognized; its fields are"):
        detect(path)
