"""People's labels and a model: which topics to label, and what both together show."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

from judges.test_judge import server  # noqa: F401
from pyramidion import assessors, compare, judge
from pyramidion.collection import Collection, Scores, Summary
from pyramidion.comparison import power
from pyramidion.errors import DataNote, InputError, NotFoundError

SYSTEMS = ("A", "B", "C", "D")


def table(topics, *, model, seed=1, noise=0.4, measure="relevance"):
    """Return scores of people (the truth) or of a model that is too kind."""
    rng = np.random.default_rng(seed)
    truth = 2.5 + rng.normal(size=(topics, 1)) + 0.5 * np.arange(4) + rng.normal(size=(topics, 4))
    values = truth if not model else truth + 0.8 + noise * rng.normal(size=truth.shape)
    rows = [
        {"topic": f"T{topic}", "system": system, "measure": measure, "value": value,
         "assessor": "big-model" if model else "K", "assessor_kind": "model" if model else "person"}
        for topic, line in enumerate(values) for system, value in zip(SYSTEMS, line, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows)


MODEL, PEOPLE = table(60, model=True), table(60, model=False)


def labels_of(result, **changes):
    """Fill in the sheet of a result as people would."""
    chosen = {row.topic: row.inclusion for row in result.chosen}
    labeled = PEOPLE[PEOPLE.topic.isin(chosen)]
    return labeled.assign(inclusion=[chosen[topic] for topic in labeled.topic], **changes)


class TestChoosing:
    def test_a_table_of_scores_is_enough(self, tmp_path):
        result = judge(MODEL, choose=15)
        assert len(result.chosen) == 15
        assert {row.inclusion for row in result} == {0.25}
        assert result.chosen[0].systems == SYSTEMS
        assert judge(MODEL, choose=15).chosen == result.chosen
        assert judge(MODEL, choose=15, seed=1).chosen != result.chosen
        result.save("sheet", tmp_path / "sheet.csv")
        rows = list(csv.DictReader((tmp_path / "sheet.csv").read_text().splitlines()))
        assert len(rows) == 60
        assert {row["value"] for row in rows} == {""}
        with pytest.raises(InputError, match="no summary has a label yet; fill in the column"):
            judge(MODEL, labels=tmp_path / "sheet.csv")

    def test_spread_prefers_topics_on_which_systems_differ(self):
        chosen = judge(MODEL, choose=15, choose_by="spread").chosen
        by_spread = sorted(chosen, key=lambda row: row.spread)
        assert [row.inclusion for row in by_spread] == sorted(row.inclusion for row in chosen)
        assert len({row.inclusion for row in chosen}) > 1

    def test_labeled_topics_are_not_chosen_again(self):
        first = judge(MODEL, choose=15)
        both = pd.concat([MODEL, labels_of(first)])
        again = judge(both, choose=20)
        assert not {row.topic for row in first.chosen} & {row.topic for row in again.chosen}
        assert "15 topics that people judged already" in again.left_out
        with pytest.raises(InputError, match="cannot choose 50 of 45 topics without labels"):
            judge(both, choose=50)

    def test_power_names_the_topics_to_label_next(self):
        both = pd.concat([MODEL, PEOPLE[PEOPLE.topic.isin([f"T{n}" for n in range(10)])]])
        plan = power(both, measures="relevance", judge="big-model", difference=0.8)[0]
        alone, unlimited = plan.plan.typical.topics, plan.judged[-1].topics
        assert unlimited < 10 + len(plan.next_topics) < alone
        assert not {f"T{n}" for n in range(10)} & {row.topic for row in plan.next_topics}


class TestLabels:
    def test_one_call_gives_the_verdict_and_the_ranking(self):
        result = judge(MODEL, labels=labels_of(judge(MODEL, choose=20)))
        (check,), (comparisons,) = result.checks, result.compared
        assert (check.judge, check.n) == ("big-model", 80)
        assert check.answers()["single summaries"] == "yes"
        assert check.answers()["absolute scores"] == "no"
        assert [row.system for row in comparisons.systems] == ["D", "C", "B", "A"]
        assert comparisons.only.judge[0].effective > 25
        assert result.table_names[:2] == ("use", "thresholds")
        assert [record.get("use_for") is not None for record in result.to_dict()["results"]] == [
            True,
            False,
        ]
        page = result.to_page()
        assert "What the model may be used for" in page
        assert "Systems by people and the model" in page
        assert result.to_scores().by_model.all()

    def test_it_is_what_assessors_and_compare_say(self):
        labels = labels_of(judge(MODEL, choose=20))
        result = judge(MODEL, labels=labels)
        joined = assessors(MODEL, labels)
        assert joined.judges[0].uses() == result.checks[0].uses()
        assert assessors([labels, MODEL]).judges[0].within_topics == joined.judges[0].within_topics
        compared = compare([MODEL, labels], human="relevance", judge="big-model")
        assert compared.comparisons == result.compared[0].comparisons

    def test_different_probabilities_are_weights(self):
        labels = labels_of(judge(MODEL, choose=20, choose_by="spread"))
        weighted = judge(MODEL, labels=labels)
        plain = judge(MODEL, labels=labels.drop(columns="inclusion"))
        means = [r.compared[0].only.judge[0].mean for r in (weighted, plain)]
        assert means[0] != means[1]
        assert any("are weighted by their inverse" in note for note in weighted.compared[0].notes)
        # Judged topics without a probability cannot be weighted.
        rest = PEOPLE[~PEOPLE.topic.isin(labels.topic)].head(4)
        with pytest.raises(InputError, match="has no inclusion; fill it in"):
            judge(MODEL, labels=pd.concat([labels, rest]))
        with pytest.raises(InputError, match=r"the inclusion of topic T\d+ is '7'; write"):
            judge(MODEL, labels=labels.assign(inclusion=[7.0] * 4 + [0.5] * 76))

    def test_a_short_table_of_labels_is_completed(self):
        model = MODEL.assign(task="A", kind=["human" if s == "D" else "machine"
                                             for s in MODEL.system])  # fmt: skip
        wide = PEOPLE.head(80)[["topic", "system", "value"]].rename(columns={"value": "grade"})
        result = judge(model, labels=wide)
        assert "people's grade is used as the labels of relevance" in result.left_out
        assert result.checks[0].n == 80
        with pytest.raises(InputError, match="the model judged relevance, people labeled fl"):
            judge(
                model, labels=wide.rename(columns={"grade": "fluency"}).assign(focus=wide.grade + 1)
            )

    def test_blank_rows_of_a_sheet_are_counted(self, tmp_path):
        labels = labels_of(judge(MODEL, choose=20))
        labels.loc[labels.index[:8], "value"] = None
        labels.to_csv(tmp_path / "labels.csv", index=False)
        result = judge(MODEL, labels=tmp_path / "labels.csv")
        assert "8 of 80 summaries without a label" in result.left_out
        assert result.checks[0].n == 72

    @pytest.mark.parametrize(
        ("source", "options", "message"),
        [
            (MODEL, {"labels": PEOPLE, "choose": 3}, "--choose comes before --labels"),
            (PEOPLE, {"choose": 3}, "there are no scores of a language model; ask one with"),
            (MODEL, {}, "no rubric is named"),
        ],
    )
    def test_refusals(self, source, options, message):
        with pytest.raises(InputError, match=message):
            judge(source, **options)


def test_a_model_is_asked_and_compared(server, tmp_path):  # noqa: F811
    """A second run with labels asks nothing again."""

    def behave(handler, number, body):
        text = body["messages"][1]["content"]
        answer = 1 + (text.index("</summary>") - text.index("<summary>")) % 5
        content = {"message": {"content": json.dumps({"answer": answer})}, "finish_reason": "stop"}
        return handler.send(200, {"choices": [content], "usage": {}})

    server.behave = behave
    texts = [(f"T{n}", s, f"Rain fell, {'so ' * ((n * 7 + k * 3) % 5)}it did.")
             for n in range(12) for k, s in enumerate("AB")]  # fmt: skip
    collection = Collection("", summaries=tuple(Summary(*text) for text in texts))
    options = {"model": server.url, "rubric": "relevance", "answers": tmp_path / "a.jsonl"}
    result = judge(collection, choose=9, **options)
    asked = len(server.asked)
    judged = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    judged.sort(key=lambda record: (record["topic"], record["system"]))  # threads store at will
    refused = {"answer": "I'm sorry, I can't.", "outcome": "unreadable", "value": None}
    changed = [record | refused if record["system"] == "A" else record for record in judged[:20]]
    path = tmp_path / "b.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in changed + judged[20:]))
    partly = judge(collection, choose=9, **options | {"answers": path})
    assert partly.tallies[0].refused == 10
    partly.save("sheet", tmp_path / "sheet.csv")
    assert len((tmp_path / "sheet.csv").read_text().splitlines()) == 1 + 2 * 9
    labels = Scores({name: [getattr(row, name) for row in result.to_scores()]
                     for name in ("task", "topic", "system", "kind", "measure")},
                    result.to_scores().value)  # fmt: skip
    labels = labels.rows(np.isin(labels.columns["topic"], [row.topic for row in result.chosen]))
    labeled = judge(collection, labels=labels, **options)
    assert asked == len(server.asked) == 24
    assert labeled.checks[0].n == 18
    assert labeled.tallies[0].answered == 24
    assert "A language model as judge" in labeled.to_page()
    higher = Scores(labels.columns, labels.value + 2)
    with pytest.raises(InputError, match="is 7, which is outside the scale from 1 to 5: T0, A"):
        judge(collection, labels=higher, **options)
    # Labels that do not fit are refused before anything is paid for.
    measure = np.repeat(np.array(["tone"], dtype=object), len(labels))
    other = Scores({**labels.columns, "measure": measure}, labels.value)
    unasked = options | {"answers": tmp_path / "none.jsonl"}
    for wrong, rubric, message in [
        (higher, ["relevance", "fluency"], "is 7, which is outside the scale from 1 to 5: T0, A"),
        (other, ["relevance", "fluency"], "the model judged fluency, relevance, people labeled to"),
        (labels.rows(slice(2)), "relevance", "people must label at least three of the summaries"),
        (labels, "preference", "people's labels are scores, and no rubric asks for scores"),
    ]:
        with pytest.raises(InputError, match=message):
            judge(collection, labels=wrong, **unasked | {"rubric": rubric})
    assert len(server.asked) == 24
    elsewhere = labels.columns["topic"] + "x"
    unknown = Scores({**labels.columns, "topic": elsewhere}, labels.value)
    with pytest.raises(InputError, match=r"judges 0 of 18 labeled summaries, and not T\d+x, A;"):
        judge(collection, labels=unknown, **unasked | {"rubric": "relevance"})
    path = tmp_path / "labels.csv"
    rows = [f"{row.topic},{row.system},{row.value:g}" for row in labels]
    path.write_text("\n".join(["topic,system,relevance", *rows]))
    with pytest.warns(DataNote, match="read as --columns"):
        codes = {finding.kind for finding in judge(collection, labels=path, **options).findings}
    assert "human measure mistaken for a metric" not in codes
    single = labels.select(topic=labels.columns["topic"][0])
    with pytest.raises(InputError, match=r"fewer than two shared|people must label"):
        judge(collection, labels=single, **options)


def test_two_years_remain_two_years():
    years = [table(8, model=False, seed=seed) for seed in (1, 2)]
    result = assessors(years, n_resamples=20)
    assert {row.collection for row in result} == {"source 1", "source 2", None}
    with pytest.raises(NotFoundError, match="there is no measure"):
        assessors(*years, measures="focus")
