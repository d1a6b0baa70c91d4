"""The Python interface in exact mode gives the script's numbers."""

from collections import defaultdict

import pytest

from metrics.scored import expanded
from pyramidion import Collection, Rouge, Summary
from pyramidion.metrics import score_collection
from rouge.gold import RUNS, averages, evaluations, printed, records, sentences

PARTS = {"R": "r", "P": "p", "F": "f"}


def rouge_of(options):
    gap = int(options["2"]) if "2" in options else None
    return Rouge(
        n=tuple(range(1, int(options.get("n", 0)) + 1)),
        l="x" not in options,
        w=float(options["w"]) if "w" in options else None,
        s=None if "u" in options else gap,
        su=gap if "u" in options or "U" in options else None,
        stem="m" in options,
        stop_words="s" in options,
        words=int(options["l"]) if "l" in options else None,
        bytes=int(options["b"]) if "b" in options else None,
        alpha=float(options.get("p", 0.5)),
        models="best" if options.get("f") == "B" else "average",
        exact=True,
    )


def is_for_the_api(run):
    """Return whether a run prints scores (not counts) that need no basic elements and no -M."""
    options = run.options if run.is_of_the_163 and "emptydb" not in run.name else {"t": "1"}
    return not run.rc and "3" not in options and "M" not in options and options.get("t", "0") == "0"


API_RUNS = [run for run in RUNS if is_for_the_api(run)]


def texts_by_peer(path):
    """Return each peer's texts and references by evaluation, as sentences in bytes."""
    peers, references = defaultdict(dict), defaultdict(dict)
    for evaluation, texts, models in evaluations(path):
        for peer, text in texts.items():
            peers[peer][evaluation] = text
            references[peer][evaluation] = models
    return peers, references


def test_most_runs_can_be_repeated():
    assert len(API_RUNS) == 117


@pytest.mark.parametrize("run", API_RUNS, ids=lambda run: run.name)
def test_records_and_averages(run, gold, monkeypatch):
    monkeypatch.chdir(gold)
    output, options = printed(gold, run.name), run.options
    peers, references = texts_by_peer(run.arguments[-1])
    rouge = rouge_of(options)
    ours, means = {}, {}
    for peer, texts in peers.items():
        scores = rouge.score(texts, references[peer])
        for variant in rouge.variants:
            name = variant.perl_name.removeprefix("ROUGE-")
            columns = [scores[f"{variant.measure}-{part}"].tolist() for part in "rpf"]
            for row, evaluation in enumerate(scores.ids):
                ours[peer, name, evaluation] = tuple(column[row] for column in columns)
            for letter, part in PARTS.items():
                mean = scores.mean(
                    f"{variant.measure}-{part}",
                    confidence_level=float(options.get("c", 95)) / 100,
                    n_resamples=int(options.get("r", 1000)),
                )
                assert mean.n == len(texts)
                shown = tuple(f"{value:.5f}" for value in (mean.mean, mean.low, mean.high))
                means[peer, name, letter] = shown
    assert ours == records(output)
    assert means == averages(output)


def test_lists_are_numbered_like_lines_of_a_list(gold, monkeypatch):
    """More than nine items: the script draws from 1, 10, 11, ..., 2, ..."""
    monkeypatch.chdir(gold)
    peers, references = texts_by_peer("xml/dev.stress.xml")
    peers, references = peers["X"], references["X"]
    rouge = Rouge(n=1, l=False, stem=True, exact=True)
    numbered = sorted(peers, key=int)
    by_list = rouge.score([peers[id] for id in numbered], [references[id] for id in numbered])
    by_id = rouge.score(peers, references)
    shuffled = rouge.score(dict(reversed(peers.items())), references)
    expected = averages(printed(gold, "stress_m"))["X", "1", "R"]
    for scores in (by_list, by_id, shuffled):
        mean = scores.mean("rouge-1-r")
        assert tuple(f"{x:.5f}" for x in (mean.mean, mean.low, mean.high)) == expected
    in_another_order = rouge.score({int(id) + 10**6: peers[id] for id in peers}, {
        int(id) + 10**6: references[id] for id in references
    })  # fmt: skip
    assert in_another_order.mean("rouge-1-r").mean != by_id.mean("rouge-1-r").mean


def as_summaries(gold):
    for topic in ("t1", "t2", "t3"):
        for path in sorted((gold / "inputs" / topic).iterdir()):
            role, system, _ = path.name.split(".")
            text = tuple(line.decode() for line in sentences(path))
            kind = "human" if role == "M" else "machine"
            yield Summary(topic, system, text or "", kind=kind)


@pytest.mark.parametrize(
    ("name", "models"), [("jackknife_m", "average"), ("jackknife_m_fB", "best")]
)
def test_jackknife_is_the_mean_over_folds(name, models, gold):
    folds = defaultdict(list)
    for (peer, variant, evaluation), scores in records(printed(gold, name)).items():
        topic = evaluation.split("-")[0]
        folds[topic, peer.removeprefix("H"), f"rouge-{variant.lower()}"].append(scores)
    assert {len(scores) for scores in folds.values()} == {1, 4}
    collection = Collection("gold", summaries=tuple(as_summaries(gold)))
    rouge = Rouge(n=(1, 2, 3, 4), w=1.2, s=4, su=4, stem=True, models=models, exact=True)
    metrics = {metric.measure: metric for metric in expanded(rouge)}
    result = score_collection(collection, metrics, jackknife=True)
    assert result.left_out == ()
    ours = {(row.topic, row.system, row.measure): row.value for row in result.scores}
    gold_means = {
        (topic, peer, f"{measure}-{part}"): sum(column) / len(column)
        for (topic, peer, measure), scores in folds.items()
        for part, column in zip("rpf", zip(*scores, strict=True), strict=True)
    }
    assert ours == pytest.approx(gold_means, abs=1e-12)


def test_an_empty_reference_and_rouge_w_name_the_item():
    with pytest.raises(Exception, match=r"^ROUGE-W-1.2 divides by zero: a reference of 'T2' has"):
        Rouge(w=1.2, exact=True).score({"T1": "a", "T2": "b"}, {"T1": ["a"], "T2": ["b", "!"]})
