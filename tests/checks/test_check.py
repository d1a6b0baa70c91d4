"""`check`: what is doubtful, its effect, its fix, and the repaired copy."""

import json
import warnings

import numpy as np
import pytest

from pyramidion import check, compare
from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Preferences, Scores
from pyramidion.demo import load_demo
from pyramidion.errors import DataNote, InputError

COLUMNS = ("topic", "system", "kind", "measure", "assessor")


def judged(change=lambda topic, system, judge, value: value, *, systems=None, topics=30):
    """Return judgments of three systems by three people on a scale of 1 to 5; z is best."""
    rng = np.random.default_rng(7)
    rows, values = [], []
    for topic in range(topics):
        for system, quality in (systems or {"x": 2.4, "y": 2.9, "z": 3.6}).items():
            true = rng.normal(quality, 0.8)
            for judge in "KLM":
                value = float(np.clip(np.round(true + rng.normal(0, 0.5)), 1, 5))
                rows.append((f"T{topic}", system, "machine", "quality", judge))
                values.append(change(topic, system, judge, value))
    columns = {name: [row[n] for row in rows] for n, name in enumerate(COLUMNS)}
    return Collection("judged", scores=Scores(columns, values))


def written(collection, path):
    collection.save(path)
    return path


def answer(capsys, *command):
    code = run(list(map(str, command)))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_sound_data_has_no_findings():
    assert [finding.code for finding in check(judged()) if finding.severity != "note"] == []
    assert check(judged()).ok


def test_the_demo_is_sound():
    assert check(load_demo()).ok


def test_a_finding_names_its_rows_its_effect_and_its_fix():
    def upside_down(topic, system, judge, value):
        return 6 - value if judge == "M" else value

    result = check(judged(upside_down))
    (finding,) = [f for f in result if f.severity == "severe"]
    assert finding.subject == "assessor M"
    assert finding.fix == "--reverse M"
    record = next(r for r in result.to_dict()["results"] if r["fix"] == "--reverse M")
    assert len(record["affected"]) == 90
    assert record["affected"][0] == "T0, x by M, quality"
    assert not result.ok


def test_the_effect_says_who_leads_after_the_repair():
    def placeholder(topic, system, judge, value):
        return -999.0 if system == "z" and topic == 3 else value

    result = check(judged(placeholder))
    (finding,) = [f for f in result if f.repairs and f.repairs[0].option == "missing"]
    assert "z leads by quality instead of y" in finding.effect


def test_the_repair_options_silence_what_they_fix(tmp_path):
    def upside_down(topic, system, judge, value):
        return 6 - value if judge == "M" else value

    file = written(judged(upside_down), tmp_path / "scores.csv")
    with pytest.warns(DataNote, match="assessor M"):
        compare(file)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*repaired", DataNote)
        repaired = compare(file, reverse="M")
    with pytest.warns(DataNote):
        assert str(repaired.signature) != str(compare(file).signature)
    assert repaired.only.systems[0].system == "z"


def test_the_command_writes_a_copy_a_log_and_a_page(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def placeholder(topic, system, judge, value):
        return -999.0 if (topic, system, judge) == (3, "z", "K") else value

    file = written(judged(placeholder), tmp_path / "scores.csv")
    before = file.read_bytes()
    code, out, err = answer(capsys, "check", file, "--fix", "--html", "page.html")
    assert code == 1, err
    assert "--missing" in out
    assert file.read_bytes() == before
    copy, log = tmp_path / "scores-repaired.csv", tmp_path / "scores-repaired.csv.log"
    assert copy.exists()
    assert "1 scores of -999 were read as missing" in log.read_text()
    assert "judged" in (tmp_path / "page.html").read_text() or "scores" in err + out
    assert answer(capsys, "check", copy)[0] == 0
    # Neither the source nor an earlier copy is ever replaced.
    code, _, err = answer(capsys, "check", file, "--fix")
    assert code == 2
    assert "name a new one with --repaired" in err
    code, _, err = answer(capsys, "check", file, "--repaired", file)
    assert code == 2
    assert file.read_bytes() == before


def test_findings_are_in_json_and_on_report_pages(tmp_path, capsys):
    def upside_down(topic, system, judge, value):
        return 6 - value if judge == "M" else value

    file = written(judged(upside_down), tmp_path / "scores.csv")
    _, out, err = answer(capsys, "compare", file, "--format", "json")
    assert "assessor M" in err
    assert "--reverse M" in [finding["fix"] for finding in json.loads(out)["findings"]]
    page = tmp_path / "page.html"
    assert answer(capsys, "report", file, "-o", page)[0] == 0
    text = page.read_text()
    assert text.index("Before you believe this") < text.index("<main>")
    assert "assessor M" in text


def test_sound_pages_have_no_box(tmp_path, capsys):
    page = tmp_path / "page.html"
    file = written(judged(), tmp_path / "scores.csv")
    assert answer(capsys, "report", file, "-o", page)[0] == 0
    assert "Before you believe this" not in page.read_text()


class TestDirections:
    def scored(self, name, tmp_path):
        file = tmp_path / "table.csv"
        lines = [f"T{n},{s},{v + n / 50}" for n in range(9) for s, v in (("a", 0.1), ("b", 0.4))]
        file.write_text("\n".join([f"topic,system,{name}", *lines]) + "\n")
        return file

    @pytest.mark.parametrize("name", ["WER", "perplexity", "hallucination rate", "loss"])
    def test_names_of_errors_mean_that_lower_is_better(self, name, tmp_path, capsys):
        file = self.scored(name, tmp_path)
        _, out, err = answer(capsys, "compare", file, "--format", "json")
        assert json.loads(out)["results"][0]["systems"][0]["system"] == "a"
        assert "lower is taken to be better" in err
        _, out, _ = answer(capsys, "compare", file, "--format", "json", "--higher-is-better", name)
        assert json.loads(out)["results"][0]["systems"][0]["system"] == "b"

    @pytest.mark.parametrize("name", ["errorless", "lossless", "quality", "overtime", "q7"])
    def test_only_whole_words_count(self, name, tmp_path, capsys):
        _, out, err = answer(capsys, "compare", self.scored(name, tmp_path), "--format", "json")
        assert json.loads(out)["results"][0]["systems"][0]["system"] == "b"
        assert ("higher is taken to be better" in err) == (name not in ("quality",))

    def test_meta_asks_about_a_metric_that_runs_against_people(self):
        rng = np.random.default_rng(1)
        rows = {name: [] for name in COLUMNS}
        values = []
        for topic in range(12):
            for system in range(12):
                quality = system / 3 + rng.normal()
                for measure, value in (("responsiveness", quality), ("zork", -quality)):
                    cells = (f"T{topic}", f"s{system}", "machine", measure, "")
                    for name, cell in zip(COLUMNS, cells, strict=True):
                        rows[name].append(cell)
                    values.append(value)
        from pyramidion import meta_evaluate

        match = r"zork: it correlates -.*\(system level\).*--lower-is-better zork"
        with pytest.warns(DataNote, match=match):
            meta_evaluate(Scores(rows, values), human="responsiveness", n_resamples=20)


def preferences(choice, *, number=60, seed=0):
    """Return choices between three systems by three people who mostly agree that a is best."""
    rng = np.random.default_rng(seed)
    columns = {name: [] for name in ("topic", "first", "second", "choice", "assessor")}
    for topic in range(number):
        first, second = rng.permutation(["a", "b", "c"])[:2]
        better = "first" if first < second else "second"
        better = {"first": "second", "second": "first"}[better] if rng.random() < 0.15 else better
        for judge in "KLM":
            cells = (f"T{topic}", first, second, choice(judge, better), judge)
            for name, cell in zip(columns, cells, strict=True):
                columns[name].append(cell)
    return columns


def kinds(columns):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(f.kind, f.subject) for f in check(Preferences(columns))]


class TestChoices:
    def test_sound_choices_are_quiet(self):
        assert kinds(preferences(lambda judge, better: better)) == []

    def test_a_reversed_assessor_is_named(self):
        turned = {"first": "second", "second": "first"}
        columns = preferences(lambda judge, better: turned[better] if judge == "M" else better)
        assert ("reversed assessor", "assessor M") in kinds(columns)
        (finding,) = [f for f in check(Preferences(columns)) if f.kind == "reversed assessor"]
        assert finding.fix == "--reverse M"

    def test_mostly_ties(self):
        rng = np.random.default_rng(2)
        columns = preferences(lambda judge, better: "tie" if rng.random() < 0.8 else better)
        assert ("unusual share of ties", "choices") in kinds(columns)

    def test_winners_listed_first(self):
        columns = preferences(lambda judge, better: better)
        for n, choice in enumerate(columns["choice"]):
            if choice == "second":
                first, second = columns["first"][n], columns["second"][n]
                columns["first"][n], columns["second"][n] = second, first
                columns["choice"][n] = "first"
        assert ("one side always preferred", "choice first") in kinds(columns)

    def test_ids_of_tasks_read_as_people(self):
        columns = preferences(lambda judge, better: better)
        columns["assessor"] = [f"hit{n}" for n in range(len(columns["choice"]))]
        assert kinds(columns)[0][0] == "one assessor per choice"

    @pytest.mark.parametrize("values", [("0", "1"), ("0", "1", "2")])
    def test_numbers_that_may_mean_several_things_are_refused(self, values, tmp_path, capsys):
        file = tmp_path / "choices.csv"
        rows = [f"T{n},a,b,{values[n % len(values)]}" for n in range(12)]
        file.write_text("\n".join(["topic,first,second,choice", *rows]))
        code, _, err = answer(capsys, "preferences", file)
        assert code == 2
        assert "--choices 0=" in err
        coding = ",".join(
            f"{v}={w}" for v, w in zip(values, ("tie", "first", "second"), strict=False)
        )
        coding = "0=first,1=second" if len(values) == 2 else coding
        assert answer(capsys, "preferences", file, "--choices", coding)[0] == 0

    @pytest.mark.parametrize("values", [("1", "2"), ("-1", "1", "0"), ("A", "B"), ("a", "b")])
    def test_clear_values_are_read(self, values, tmp_path, capsys):
        file = tmp_path / "choices.csv"
        rows = [f"T{n},a,b,{values[n % len(values)]}" for n in range(12)]
        file.write_text("\n".join(["topic,first,second,choice", *rows]))
        assert answer(capsys, "preferences", file)[0] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reverse": "N"}, "there is no assessor, measure or system 'N'"),
        ({"missing": "none"}, "--missing 'none' is not a number"),
        ({"missing": "77"}, "no score is 77"),
        ({"exclude": "w"}, "there is no system 'w'"),
    ],
)
def test_repairs_of_what_is_not_there_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        compare(judged(), **options)


def test_topics_assessors_and_measures_can_be_excluded():
    without = compare(judged(topics=10), exclude="T3,K,x")
    assert [system.system for system in without.only.systems] == ["z", "y"]
    assert without.only.systems[0].n == 9


def test_a_judge_who_reversed_one_measure_keeps_the_others(tmp_path):
    quality, style = judged(), judged(systems={"x": 2.0, "y": 3.1, "z": 3.8})
    measures = np.full(len(style.scores), "style", dtype=object)
    turned = style.scores.columns["assessor"] == "M"
    value = np.where(turned, 6 - style.scores.value, style.scores.value)
    renamed = Scores({**style.scores.columns, "measure": measures}, value)
    both = Collection("both", scores=Scores.concatenate([quality.scores, renamed]))
    result = check(both)
    (finding,) = [f for f in result if f.repairs and f.repairs[0].option == "reverse"]
    assert finding.fix == "--reverse M=style"
    repaired = tmp_path / "repaired.csv"
    check(both, fix=True, repaired=repaired)
    assert compare(repaired, measures="style").only.systems[0].system == "z"
    rows = Collection.load(repaired).scores.select(measure="quality", assessor="M")
    assert rows.value.mean() == quality.scores.select(assessor="M").value.mean()
