"""Printed results of the papers next to ours."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Document, ScoreMatrix, Scores, Summary, Task, Topic
from pyramidion.collection._scores import Judgment
from pyramidion.collection.formats import read_collection, write_collection
from pyramidion.comparison import compare
from pyramidion.demo import load_demo, load_evaluation
from pyramidion.errors import InputError
from pyramidion.judges import assessors
from pyramidion.meta_evaluation import verdicts
from pyramidion.rewriting import published_chain
from pyramidion.studies import (
    composition,
    likelihood,
    reproduce,
    stability,
    status,
    word_classes,
)
from pyramidion.text._spacy import SpacyParser
from support import shared_file

# Invented data look doubtful.
pytestmark = pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")

RNG = np.random.default_rng(5)
PEOPLE = "ABCDEFGH"
HUMANS = ("readability", "responsiveness", "pyramid-modified")
PYRAMID = "pyramid-modified+pyramid-modified-3"
VARIANTS = [f"rouge-{name}-r" for name in ("1", "2", "3", "4", "l", "su4", "w-1.2", "be-hm")]


@pytest.fixture(scope="module", autouse=True)
def sentences_are_parsed_once():
    """Studies and `reproduce` parse the same sentences of the demonstration again and again."""
    parse, results = SpacyParser.parse, {}

    def parse_once(parser, sentences):
        key = (parser.name, *sentences)
        if key not in results:
            results[key] = parse(parser, sentences)
        return [[*words] for words in results[key]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SpacyParser, "parse", parse_once)
        yield


@pytest.fixture(scope="module")
def every_entry():
    return reproduce(every=True)


def values(result, number=0):
    return result[number].computed.values


def test_every_entry_is_answered(every_entry):
    assert len(every_entry) == 160
    assert sum(row.counts["values"] for row in every_entry) >= 2538
    assert all(row.verdict for row in every_entry)
    assert sum(number for _, number, *_ in every_entry.tables[0].rows) == 320


def test_a_misprint_is_explained():
    (row,) = reproduce("nenkova-3.1")
    # A narrow terminal gets parts of the table, each with the names of the rows only.
    assert row.table().to_text(width=60).count("p1") == 1
    assert row.status == "off"
    # 3 x C(10, 2) x C(8, 4) is 9450; 9550 is printed.
    assert row.computed.values[3, 4] == 9450
    assert "9450" in row.verdict
    assert "9550 ≠ 9450" in str(row.table().to_text())


def test_the_average_is_compared_with_the_average():
    (row,) = reproduce("nenkova-s4.2.1-length")
    # Table 4.5 has 224 sentences in 50 summaries.
    assert (row.computed.values[0, 0], row.matches[0, 0]) == (224 / 50, "off")


def test_limits_of_chains_are_those_of_the_study():
    names = {"name": "name form", "modification": "modification", "premodifiers": "premodifiers"}
    for entry, feature in (names | {"postmodifiers": "postmodification"}).items():
        (row,) = reproduce(f"nenkova-s5.1.5-{entry}")
        expected = published_chain(feature).limit().probabilities
        ours = [row.computed.values[0, column] for column in range(len(row.printed.columns))]
        assert ours == pytest.approx(expected[: len(ours)])
    assert reproduce("nenkova-s5.1.5-modification")[0].status == "exact"


def test_only_what_truncation_gives_is_cut_off():
    shares, coverage = reproduce(["rankel-s5.3.1-ratios", "nenkova-s2.2.2-coverage"])
    # 40.58 is printed as 40%, 13.59 as 14%.
    assert [*shares.matches.values()] == ["cut off", "exact", "exact"]
    assert "but not the others" in shares.verdict
    # 0.24 - 0.23 is a little less than 0.01 as a binary fraction.
    (at,) = (at for at, (a, b) in coverage.numbers.items() if (a, b) == (0.23, 0.24))
    assert coverage.matches[at] == "off"
    # 15 of 59 are printed as 0.2, which loses a fifth.
    (major,) = reproduce("nenkova-s5.2.5-major")
    assert [m for m in major.matches.values() if m != "exact"] == ["off"]


@pytest.mark.parametrize(("ours", "expected"), [(1.24e-05, "exact"), (1.6e-05, "off")])
def test_a_small_number_is_compared_up_to_its_last_digit(ours, expected):
    (row,) = reproduce("nenkova-s5.2.5-major")
    assert row.computed is not None
    cells = (("1.2e-05",), *row.printed.cells[1:])
    printed, computed = (
        replace(row.printed, cells=cells),
        replace(row.computed, values={(0, 0): ours}),
    )
    assert replace(row, printed=printed, computed=computed).matches == {(0, 0): expected}


def test_what_needs_figures_is_not_nothing():
    unused, never, setting = reproduce(
        ["nenkova-s4.2-unused", "nenkova-s4.2-never", "nenkova-s4.5-cutoff"]
    )
    assert unused.verdict == never.verdict == "needs the texts of Figures 4.2 and 4.3"
    assert "17, 18 and 20" in never.table().note
    assert (unused.status, setting.status) == ("needs", "nothing")


def test_verdicts_are_sentences(every_entry):
    rows = list(every_entry)
    notes = [line for row in rows for line in row.table().note.splitlines()]
    assert not [line for line in notes if ".." in line or "1 of 1 values" in line]
    assert not [row.verdict for row in rows if "by up to a word" in row.verdict]
    repeated = [row for row in rows for line in row.printed.misprints
                if row.table().note.count(line.removesuffix(".")) > 1]  # fmt: skip
    assert repeated == []
    (only,) = (row for row in rows if row.id == "nenkova-s6-rule")
    assert only.verdict.startswith("off: the value differs, by ")


def test_the_page_has_every_printed_table(every_entry, tmp_path):
    every_entry.save("output", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "<details><summary>rankel-4.1: " in page
    assert page.count("<td>1416") == 2, "of Table 4.1 and of EMNLP's Table 1"
    assert "Misprint: Section 4.4 says" in page
    assert "<p class=soft>Printed values and ours" not in page


def test_too_few_topics_are_named(tmp_path):
    head = "topic,system,kind,measure,value\n"
    for year, topics in (("08", 1), ("09", 5)):
        rows = [
            f"D{year}{topic:02d}-A,{system},machine,responsiveness,{1 + (topic * system) % 5}\n"
            for topic in range(1, topics + 1) for system in range(1, 7)
        ]  # fmt: skip
        (tmp_path / f"tac20{year}.csv").write_text(head + "".join(rows))
    pairs, variants = reproduce(["rankel-4.1", "rankel-7.3"], data=tmp_path)
    assert "a second topic of responsiveness in tac2008" in pairs.verdict
    assert "the measure rouge-2-r in tac2008" in variants.verdict


def test_pairs_of_a_person_and_a_machine_need_people(tmp_path):
    rows = [
        f"D08{topic:02d}-A,{system},machine,responsiveness,{1 + (topic * system) % 5}\n"
        for topic in range(1, 9) for system in range(1, 5)
    ]  # fmt: skip
    (tmp_path / "tac2008.csv").write_text("topic,system,kind,measure,value\n" + "".join(rows))
    everyone, people = reproduce(["rankel-4.1", "rankel-4.2"], data=tmp_path)
    assert values([everyone])
    assert people.computed is None
    assert "scores of people by responsiveness in tac2008" in people.verdict


def test_swapped_blocks_of_table_7_5():
    (row,) = reproduce("rankel-7.5")
    # The counts of pairs were searched for, so that nothing counts as reproduced.
    assert (row.status, row.counts["exact"], row.counts["open"]) == ("fitted", 0, 160)
    assert "156 of 160 printed values fit together" in row.verdict
    assert "swapped" in row.verdict


def test_wrong_names_and_data_are_one_line(tmp_path, capsys):
    with pytest.raises(InputError, match=r"did you mean rankel-4\.1"):
        reproduce("rankel-41")
    (tmp_path / "tac2008.csv").write_text("topic,system\n1,2\n")
    (tmp_path / "empty").mkdir()
    for data in ("nowhere", tmp_path / "empty", tmp_path):
        assert run(["reproduce", "rankel-4.1", "--data", str(data)]) == 2
        message = capsys.readouterr().err.strip()
        assert "\n" not in message, message
    (tmp_path / "tac2009.csv").write_text("topic,system,measure,value\nD0801A,2,responsiveness,3\n")
    with pytest.raises(InputError, match="the topics are of 2008"):
        reproduce("rankel-2.1", data=tmp_path / "tac2009.csv")


def test_the_list_fits_a_terminal(capsys):
    assert run(["reproduce", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    assert any(
        line.split()[:1] == ["rankel-4.1"] and "needs TAC 2008-2010" in line for line in lines
    )


def test_columns_share_the_lines_of_a_terminal():
    text = reproduce("rankel-4.1").tables[0].to_text(width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "Linguistic   1234              1416            1410            1000" in text


# Releases and tables of TAC


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A folder with tables of 2009 as NIST lays them out: 33 machines and 8 people, 12 topics."""
    folder = tmp_path_factory.mktemp("data")
    nist = folder / "UpdateSumm09_eval"
    nist.mkdir()
    for task in "AB":
        topics = [f"D09{n:02d}-{task}" for n in range(1, 13)]
        peers = [
            f"{t} {n} {RNG.uniform(0, 0.3) + n / 60:.3f} 5 0 C C {RNG.uniform(0, 0.3):.3f} "
            f"{RNG.integers(1, 6)} {min(10, RNG.integers(1, 6) + n // 8)}"
            for t in topics for n in range(1, 34)
        ]  # fmt: skip
        models = [
            f"{t} {p} 9 C C {RNG.uniform(0.6, 0.9):.3f} 9 9"
            for number, t in enumerate(topics) for p in PEOPLE[number % 2 :: 2]
        ]  # fmt: skip
        (nist / f"manual.peer.{task}").write_text("\n".join(peers) + "\n")
        (nist / f"manual.model.{task}").write_text("\n".join(models) + "\n")
    return folder


def test_pairs_of_a_release(release):
    rows = reproduce(["rankel-4.1", "rankel-4.2", "emnlp-1"], data=release)
    nist = read_collection(release / "UpdateSumm09_eval", format="duc")
    options = {"test": ("unpaired-t", "paired-t", "wilcoxon"), "correction": "none"}
    for row, measure in enumerate(("readability", "responsiveness", PYRAMID)):
        direct = compare(
            nist, tasks="A", measures=measure, continuity=True, exclude=("2", "3"), **options
        )
        for test, result in enumerate(direct):
            assert values(rows)[row, 3 + test] == result.counts.significant_uncorrected
            assert values(rows, 1)[row, 3 + test] == result.human_machine.significant_uncorrected
            assert result.human_machine.pairs == 31 * 8
    assert values(rows, 2) == values(rows)
    # ROUGE and two years are missing.
    assert len(values(rows)) == 9
    assert (
        "36 other values: needs more data: tac2008.csv, or the release tac2008" in rows[0].verdict
    )
    assert "measure rouge-2-r in tac2009" in rows[0].verdict
    assert "as printed, with continuity" in rows[0].verdict
    plain = reproduce(["rankel-4.1", "rankel-4.2", "emnlp-1"], data=release, as_printed=False)
    assert not any("printed, with" in row.verdict or "2 and 3" in row.verdict for row in plain)
    direct = compare(nist, tasks="A", measures="readability", **options)
    assert values(plain)[0, 5] == direct[2].counts.significant_uncorrected != values(rows)[0, 5]


def test_the_best_thirty_of_a_release(release):
    result = reproduce("rankel-7.1", data=release)
    nist = read_collection(release / "UpdateSumm09_eval", format="duc")
    for column, (measure, task) in enumerate(
        (measure, task) for measure in (PYRAMID, "responsiveness") for task in "AB"
    ):
        direct = compare(
            nist, tasks=task, measures=measure, test="wilcoxon", correction="none", top=30,
            exactly=True, peers="machines",
        )  # fmt: skip
        assert direct.counts.pairs == 435
        assert values(result)[1, column] == direct.counts.significant_uncorrected


def test_tasks_in_the_names_of_topics(tmp_path):
    """A score table may name tasks as NIST's docsets do, and be split into several files."""
    head = "task,topic,system,kind,measure,assessor,value"
    first, second = [head], [head]
    for topic in range(1, 11):
        for system, base in (("1", 1), ("2", 1), ("3", 5)):
            value = base + (topic % 3) * 0.01 * int(system)
            first.append(f",D08{topic:02d}-A,{system},machine,responsiveness,,{value}")
            first.append(f",D08{topic:02d}-B,{system},machine,responsiveness,,{6 - value}")
            second.append(f",D08{topic:02d}-A,{system},machine,rouge-2-r,,{value / 10}")
    (tmp_path / "tac2008.csv").write_text("\n".join(first))
    (tmp_path / "tac2008-rouge.csv").write_text("\n".join(second))
    (tmp_path / "tac2008.pdf").write_text("a picture")
    result = reproduce(["rankel-2.1", "rankel-4.1"], data=tmp_path)
    assert result[0].basis == "data"
    assert [values(result)[0, column] for column in range(3)] == [10, 3, 0]
    # Machines 1 and 2 differ by multiples of 0.01, in eight topics of ten.
    assert values(result, 1)[1, 2] == 3
    assert (3, 2) in values(result, 1)
    assert "tac2008.pdf, which is not a table" in result.left_out


def words(number=30):
    return " ".join(
        RNG.choice(["rain", "roads", "bridge", "city", "river", "fell", "closed"], number)
    )


def tac_2011(machines=32, topics=16):
    """Texts and scores of machines, of which three are identical, and people."""
    topic_list, summaries, rows = [], [], []
    for n in range(1, topics + 1):
        who = PEOPLE[n % 4]
        documents = tuple(Document(f"d{n}.{k}", words(60), "base") for k in range(10))
        topic = Topic(f"D11{n + 10:02d}{who}", category=str(n % 5 + 1), assessor=who,
                      documents=documents)  # fmt: skip
        topic_list.append(topic)
        same = words()
        for task in "AB":
            for name in (*map(str, range(1, machines + 1)), *PEOPLE[n % 2 :: 2]):
                kind = "human" if name.isalpha() else "machine"
                text = same if name in ("4", "5", "6") else words()
                level = 4.0 if kind == "human" else 1 + 2.5 * int(name) / machines
                summaries.append(Summary(topic.id, name, text, task=task, kind=kind))
                noise = RNG.normal(size=len(VARIANTS) + 6)
                scores = {
                    "readability": round(level + noise[0]),
                    "responsiveness": round(level + noise[1]),
                    "pyramid-modified": level / 8 + noise[2] / 20,
                }
                scores |= {
                    name: level / 10 + x / 30 for name, x in zip(VARIANTS, noise[6:], strict=True)
                }
                scores |= {f"CLASSY{k}": level + noise[2 + k] / 2 for k in (1, 2, 3)}
                scores["CLASSY4"] = level
                rows += [
                    Judgment(topic.id, name, measure, float(np.clip(value, low, 5)),
                             task=task, kind=kind, assessor=who if measure in HUMANS else "")
                    for measure, value in scores.items()
                    for low in (1 if measure in HUMANS[:2] else 0,)
                ]  # fmt: skip
    tasks = (Task("A", documents="base"), Task("B", documents="base"))
    return Collection("tac2011", tasks=tasks, topics=tuple(topic_list), summaries=tuple(summaries),
                      scores=Scores.from_judgments(rows))  # fmt: skip


@pytest.fixture(scope="module")
def year(tmp_path_factory):
    folder = tmp_path_factory.mktemp("year")
    tac_2011().save(folder / "TAC2011")
    return folder


def test_assessors_of_2011(year):
    rows = reproduce(
        ["rankel-6.1", "rankel-6.2", "rankel-6.3", "rankel-6.4", "rankel-3.1"], data=year
    )
    collection = read_collection(year / "TAC2011")
    options = {"measures": HUMANS, "level": "interval", "n_resamples": 100}
    direct = assessors(collection, **options)
    alphas = {(row.assessor, row.measure): row.alpha.value for row in direct.study.consistency}
    printed = rows[0].printed.rows
    for who in "ACD":
        for column, measure in enumerate(HUMANS):
            assert values(rows)[printed.index(who), column] == alphas[who, measure]
    impacts = assessors(
        collection, impact=True, max_excluded=2, peers="machines", metrics="rouge-2-r", **options
    ).impacts
    impact = next(i for i in impacts if i.task is None and i.measure == "responsiveness")
    assert [values(rows, 1)[1, c] for c in range(4)] == [
        *(step.pearson for step in impact.steps[1:3]),
        *(step.spearman for step in impact.steps[1:3]),
    ]
    assert [values(rows, 2)[n, 1] for n in range(3)] == [
        step.metrics[0].pearson for step in impact.steps
    ]
    assert values(rows, 3)[0, 1] == impact.steps[0].metrics[0].summary_level
    assert sum(values(rows, 4).values()) == 16


def test_verdicts_of_2011(year):
    names = ["rankel-7.3", "rankel-7.4", "rankel-7.5", "rankel-s5.6-ranks", "rankel-s5.3.1-counts"]
    rows = reproduce(names, data=year)
    scores = read_collection(year / "TAC2011").scores.select(kind="machine")
    direct = verdicts(
        scores, human="pyramid-modified", metrics="rouge-2-r,CLASSY1", top="30", exactly=True,
        n_resamples=0,
    )  # fmt: skip
    by_task = {(row.metrics, row.study.task): row.agreement for row in direct if row.study}
    both = [by_task[("rouge-2-r",), task].accuracy for task in "AB"]
    assert values(rows)[1, 5] == pytest.approx(np.mean(both))
    # Table 7.4 needs the years before.
    assert rows[1].basis == "documents"
    assert [values(rows, 2)[0, c] for c in (0, 2, 4, 6)] == [
        getattr(by_task[("CLASSY1",), task], ratio)
        for task in "AB" for ratio in ("accuracy", "recall")
    ]  # fmt: skip
    assert values(rows, 3)[0, 0] == 4 + len(VARIANTS)
    assert values(rows, 4) == {(0, 0): 10, (1, 0): 4, (2, 0): 32}


def test_shares_of_one_topic_are_those_of_its_scores(tmp_path):
    """The printed scores as data give the printed table, and the shares read off it."""
    names = ["rankel-5.1", "rankel-s5.3.1-ratios"]
    printed, shares = reproduce(names)
    kinds = {
        name.split()[-1]: "human" if name.startswith("human") else "machine"
        for name in printed.printed.rows
    }
    measures = ("pyramid", "responsiveness", "linguistic", "rouge-2-r")
    rows = [
        Judgment("D1113", system, measure, float(cell), kind=kind)
        for (system, kind), cells in zip(kinds.items(), printed.printed.cells, strict=True)
        for measure, cell in zip(measures, cells, strict=True)
    ]  # fmt: skip
    scores = Scores.from_judgments(rows)
    write_collection(Collection("x", scores=scores), tmp_path / "tac2011.csv", format="scores")
    from_data = reproduce(names, data=tmp_path)
    assert {row.basis for row in from_data} == {"data"}
    assert set(from_data[0].matches.values()) == {"exact"}
    assert values(from_data, 1) == values([shares])


def test_figure_3_3_is_drawn(year, tmp_path):
    result = reproduce("rankel-s3.7.1-settings", data=year)
    svg = result.plot("entry").to_svg()
    assert "Figure 3.3" in svg
    assert "share of human scores" in svg
    result.save("output", tmp_path / "page.html")
    assert "<svg" in (tmp_path / "page.html").read_text()


# Studies of texts


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The demonstration under the names of DUC's years."""
    folder = tmp_path_factory.mktemp("texts")
    for name in ("duc2003", "DUC_2004", "duc2001-2004"):
        load_demo().save(folder / name)
    return folder


def test_studies_of_texts(texts):
    demo = load_demo()
    names = [
        "nenkova-3.1",
        "nenkova-3.2",
        "nenkova-4.2",
        "nenkova-4.3",
        "nenkova-4.5",
        "nenkova-5.2",
    ]
    rows = reproduce(names, data=texts)
    assert {row.basis for row in rows} == {"data"}
    growth = stability(demo, which="references")[0]
    assert [values(rows)[0, c] for c in (0, 3, 4)] == [
        growth.errors[0].p1, growth.errors[0].p, growth.errors[0].points
    ]  # fmt: skip
    assert values(rows, 1)[0, 0] == growth.correlations[0].mean
    classes = word_classes(demo)[0]
    assert values(rows, 2)[0, 0] == classes.mean_sizes[4]
    assert values(rows, 2)[4, 1] == classes.mean_frequencies[0]
    assert values(rows, 3)[0, 0] == max(row.mean for row in likelihood(demo) if row.kind == "human")
    composed = [
        row.mean for row in composition(demo)
        if (row.summarizer, row.measure) == ("sum-avr, all sentences", "sentences")
    ]  # fmt: skip
    assert values(rows, 4)[1, 1] == composed[0]
    decisions = {(d.question, d.how): d.judged for d in status(demo)[0].decisions}
    assert values(rows, 5)[0, 0] == decisions["major", "trained here"].accuracy
    assert values(rows, 5)[1, 1] == decisions["hearer_old", "trained here"].majority


def test_quality_and_correlations_of_2005(tmp_path):
    topics, systems = [f"D{n}" for n in range(301, 306)], ["1", "2", "3", "4", "A"]
    rows = [
        Judgment(topic, system, measure, float(RNG.integers(1, 6)),
                 kind="human" if system == "A" else "machine", assessor=who)
        for topic in topics for system in systems
        for measure, judges in (("grammaticality", "K"), ("focus", "K"), ("responsiveness", "KL"))
        for who in judges
    ]  # fmt: skip
    rows += [
        replace(row, measure=measure, value=float(RNG.random()), assessor="")
        for row in rows if row.measure == "focus"
        for measure in ("pyramid", "pyramid-modified", "rouge-2-r")
    ]  # fmt: skip
    scores = Scores.from_judgments(rows)
    write_collection(Collection("x", scores=scores), tmp_path / "duc2005.csv", format="scores")
    entries = ["nenkova-2.3", "nenkova-2.4", "nenkova-3.5", "nenkova-s2.3-quality"]
    result = reproduce(entries, data=tmp_path)
    marks = scores.select(measure="focus", kind="machine").value
    assert values(result)[3, 1] == pytest.approx(np.mean(marks == 2))
    assert values(result, 1)[0, 4] == np.mean(
        scores.select(measure="grammaticality", kind="human").value == 5
    )
    matrices = [
        ScoreMatrix.from_scores(scores.select(kind="machine"), name).means()
        for name in ("pyramid", "pyramid-modified")
    ]
    assert values(result, 2)[0, 0] == pytest.approx(np.corrcoef(*matrices)[0, 1])
    second = scores.select(measure="responsiveness", kind="machine", assessor="L")
    means = ScoreMatrix.from_scores(second, "responsiveness").means()
    assert values(result, 2)[1, 2] == pytest.approx(np.corrcoef(matrices[1], means)[0, 1])
    assert len(values(result, 2)) == 10
    good = [
        100 * np.mean(scores.select(measure=name, kind="human").value >= 4)
        for name in ("grammaticality", "focus")
    ]
    below = 100 * np.mean(scores.select(measure="focus", kind="machine").value < 4)
    assert 0 < min(good) < 100
    expected = {(0, 0): 20, (1, 0): 5, (2, 0): min(good), (4, 0): below}
    assert values(result, 3) == pytest.approx(expected)


# Other data


def test_other_data_illustrate_but_do_not_compare(tmp_path):
    result = reproduce(["nenkova-4.2", "nenkova-5.4", "nenkova-4.9"], data="demo")
    first, second, third = result
    assert (first.status, first.basis, first.matches) == ("needs", "other", {})
    assert first.counts["open"] == first.counts["values"]
    assert "not comparable" in first.verdict
    assert re.search(r"C4 +7 \(\d", first.table().to_text())
    # What follows from other printed numbers is still compared.
    assert (second.status, second.basis) == ("off", "documents")
    assert third.computed is None
    load_demo().save(tmp_path / "mine")
    again = reproduce("nenkova-4.2", data=tmp_path / "mine")
    assert values(again) == values(reproduce("nenkova-4.2", data="demo"))


def test_the_word_demo_is_the_evaluation_with_machines():
    rows = reproduce(["rankel-7.1", "rankel-6.2", "rankel-2.1"], data="demo")
    machines = {s.system for s in load_evaluation().summaries if s.kind == "machine"}
    assert values(rows, 2)[0, 1] == len(machines) == 12
    assert 0 < values(rows)[0, 2] <= 66
    assert -1 <= values(rows, 1)[1, 0] <= 1


def test_an_answer_does_not_depend_on_other_entries():
    others = ["rankel-4.1", "rankel-7.3", "rankel-6.3"]
    entries = ["rankel-s5.6-ranks", "rankel-s7.3-best", "rankel-4.2"]
    together = reproduce([*others, *entries], data="demo")
    for entry, last in zip(entries, list(together)[len(others) :], strict=True):
        (alone,) = reproduce(entry, data="demo")
        assert (alone.id, alone.verdict, alone.computed) == (last.id, last.verdict, last.computed)


def test_open_sets_stand_in(tmp_path):
    path = shared_file("data/summeval_op.jsonl.gz")
    (row,) = reproduce("rankel-2.1", data=path)
    assert row.basis == "other"
    assert row.computed.values[0, 1] > 5


def test_pairs_of_a_person_and_a_machine_are_explained_on_the_demo():
    (answer,) = reproduce("rankel-4.2", data="demo")
    assert "96 pairs of a person and a machine, on at most 3 topics, too few" in answer.verdict


@pytest.mark.parametrize(("topics", "few"), [(5, ", too few for Wilcoxon's test"), (6, "; ")])
def test_six_topics_are_enough_for_a_test_of_signs(topics, few, tmp_path):
    """If all six differ in one direction, p is 1/32."""
    rows = [
        Judgment(f"T{topic}", system, "responsiveness", float(RNG.integers(1, 6)), kind=kind)
        for topic in range(topics)
        for system, kind in (("A", "human"), ("1", "machine"), ("2", "machine"))
    ]
    scores = Scores.from_judgments(rows)
    write_collection(Collection("x", scores=scores), tmp_path / "mine.csv", format="scores")
    (answer,) = reproduce("rankel-4.2", data=tmp_path / "mine.csv")
    explanation = f"2 pairs of a person and a machine, on at most {topics} topics{few}"
    assert explanation in answer.verdict
