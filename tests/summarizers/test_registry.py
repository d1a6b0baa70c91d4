"""What holds for every method."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import Rouge
from pyramidion.collection import Collection, Document, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.questions import _plugins, question
from pyramidion.questions.options import option_specs
from pyramidion.summarizers import (
    BUILT_IN,
    CandidateRules,
    Limit,
    Source,
    _graphs,
    all_summarizers,
    parse_summarizer,
    summarize,
    summarize_collection,
    summarizer_names,
)
from pyramidion.text import split_sentences
from summarizers.inputs import SENTENCES, TEXTS, source_of
from support import shared_file

FROZEN = Path(__file__).parent / "registry_names.txt"
NAMES = summarizer_names()
VARIANTS = ("lexrank(continuous)", "sum-avr(context=off)", "signature(compose=sum)")
METHODS = (*(name for name in NAMES if name != "llm"), *VARIANTS)
REFERENCES = ("Rain closed roads in Ardel.", "Goats were sold.")
FITS = ("fill", "stop", "truncate")


def test_the_list_is_what_it_was():
    """A method that goes away breaks people's scripts: change the file on purpose only."""
    assert list(NAMES) == FROZEN.read_text(encoding="utf-8").split()


@pytest.mark.parametrize("name", METHODS)
def test_names_read_back(name):
    method = parse_summarizer(name)
    assert parse_summarizer(str(method)) == method
    assert hash(parse_summarizer(str(method))) == hash(method)


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.name)
def test_methods_say_what_they_are(kind):
    assert kind.title
    assert kind.summary
    assert "\n" not in kind.summary
    assert kind.citation or kind.name == "random"
    assert kind.uses <= {"query", "known", "references", "model"}
    assert all(spec.help for spec in option_specs(kind))


def test_a_near_name_is_proposed():
    with pytest.raises(NotFoundError, match="there is no method 'lexrnk'; did you mean lexrank"):
        parse_summarizer("lexrnk")
    with pytest.raises(InputError, match="lexrank has no option 'n'"):
        parse_summarizer("lexrank(n=2)")


def test_a_method_of_another_package(monkeypatch):
    entry = EntryPoint("plugin", "summarizers.plugin_example:Longest", "pyramidion.methods")
    groups = []
    monkeypatch.setattr(_plugins, "entry_points", lambda group: groups.append(group) or [entry])
    all_summarizers.cache_clear()
    try:
        assert "longest" in summarizer_names()
        assert groups == ["pyramidion.methods"]
        source = source_of("Heavy rain fell on Ardel and on Orban. Goats were sold there, too.")
        chosen = parse_summarizer("longest").summarize(source, Limit(10))
        assert chosen.text == "Heavy rain fell on Ardel and on Orban."
    finally:
        monkeypatch.undo()
        all_summarizers.cache_clear()


RAIN = "Heavy rain fell."


def declare_rewriters(monkeypatch, *names):
    group = "pyramidion.rewriters"
    entries = [EntryPoint(name, f"summarizers.plugin_example:{name}", group) for name in names]
    listed = {group: entries}
    monkeypatch.setattr(_plugins, "entry_points", lambda group: listed.get(group, []))


def test_a_rewriter_of_another_package(monkeypatch):
    declare_rewriters(monkeypatch, "Loud")
    assert summarize("Heavy rain fell.", rewrite="all").text == "HEAVY RAIN FELL."
    declared: Any = summarize_collection  # the front declares a plain function
    ask = question(declared.run)
    collection = Collection("mine", topics=(Topic("T1", documents=(Document("d1", RAIN),)),))
    result = ask(collection, method="lead", words=4, rewrite="all")
    [record] = result.to_dict()["results"]
    assert (record["system"], record["text"]) == ("lead+all", RAIN.upper())
    assert record["shouted"] == [{"word": "HEAVY"}, {"word": "RAIN"}, {"word": "FELL."}]
    assert "what was shouted" in result.render("table")


def test_nothing_is_rewritten_without_such_a_package(monkeypatch):
    declare_rewriters(monkeypatch)
    assert summarize(RAIN).text == RAIN
    with pytest.raises(InputError, match="no installed package rewrites summaries"):
        summarize(RAIN, rewrite="people")


@pytest.mark.parametrize("name", METHODS)
@given(
    texts=st.lists(TEXTS.map(" ".join), min_size=1, max_size=4),
    words=st.integers(1, 30),
    fit=st.sampled_from(FITS),
)
def test_extracts_are_sentences_of_the_source_within_the_limit(name, texts, words, fit):
    source = source_of(*texts, references=REFERENCES)
    method, limit = parse_summarizer(name), Limit(words, fit)
    extract = method.summarize(source, limit)
    assert 1 <= extract.words <= words
    places = {(sentence.document, sentence.index): sentence.text for sentence in source.sentences}
    for sentence in extract.sentences:
        whole = places[sentence.document, sentence.index]
        assert whole == sentence.text or (sentence.rewritten and whole.startswith(sentence.text))
    assert sum(sentence.rewritten for sentence in extract.sentences) <= 1
    ranks = [sentence.rank for sentence in extract.sentences]
    assert sorted(ranks) == list(range(1, len(ranks) + 1))
    assert method.summarize(source_of(*texts, references=REFERENCES), limit) == extract


# Where extracts of equal worth exist the solver may find another one.
ORDERLESS = tuple(
    name for name in METHODS if name not in ("lead", "first", "random", "coverage", "oracle")
)


@pytest.mark.parametrize("name", ORDERLESS)
@given(data=st.data())
def test_the_order_of_documents_changes_nothing(name, data):
    texts = data.draw(st.lists(TEXTS.map(" ".join), min_size=2, max_size=4, unique=True))
    if name == "hmm-qr":
        # What a sentence is worth depends on those around it: it may stand in one document only.
        sentences = data.draw(st.lists(SENTENCES, min_size=2, max_size=9, unique=True))
        texts = [" ".join(sentences[::2]), " ".join(sentences[1::2])]
    turned = data.draw(st.permutations(texts))
    # Of sentences that stand in several documents the first counts, and what stands before it.
    observed = [sentence for text in texts for sentence in split_sentences(text)]
    twice = len(set(observed)) < len(observed)
    rules = CandidateRules(least_words=0, headlines=twice, quotations=twice, dangling=twice)
    method, limit = parse_summarizer(name), Limit(12)
    one, other = (
        method.summarize(source_of(*own, rules=rules, references=REFERENCES), limit, order="chosen")
        for own in (texts, turned)
    )
    assert one.text == other.text


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("fit", FITS)
def test_a_limit_below_the_shortest_sentence_cuts_the_best(name, fit):
    source = source_of("Rain closed most roads in Ardel. Goats.", references=REFERENCES, rules=None)
    extract = parse_summarizer(name).summarize(source, Limit(3, fit))
    assert extract.text == "Rain closed most"
    assert extract.sentences[0].rewritten
    message = "no sentence fits in 3 words, so the best is cut off"
    assert (message in extract.notes) == (fit != "truncate")


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("text", ["Rain fell.", "It was what it was.", "?!", "..."])
def test_one_sentence_is_its_own_summary(name, text):
    extract = parse_summarizer(name).summarize(source_of(text, "", references=REFERENCES))
    assert extract.text == text


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    "text",
    [
        "Шёл сильный дождь. Дороги в Арделе были закрыты. Коз продали. Дождь и дороги.",
        "Une pluie très forte est tombée. Les routes étaient fermées à Ardèle. Été.",
        "东京的夏天很热。下雨了。道路关闭了。",
        "😀 😀. 😀!",
    ],
)
def test_other_languages_are_summarized(name, text):
    source = Source.of_texts([text], references=[text])
    extract = parse_summarizer(name).summarize(source, Limit(9))
    assert 1 <= extract.words <= 9


@pytest.mark.parametrize("name", METHODS)
def test_what_is_ignored_is_said(name):
    method = parse_summarizer(name)
    source = source_of(
        "Rain fell. Goats sold.", query="Goats?", known=["Rain."], references=REFERENCES
    )
    notes = " ".join(method.summarize(source).notes)
    # Whoever sees the references needs no task.
    uses = method.uses | ({"query", "known"} if "references" in method.uses else set())
    assert ("ignores the query" in notes) == ("query" not in uses)
    assert ("ignores what the reader already knows" in notes) == ("known" not in uses)
    plain = method.summarize(source_of("Goats were sold.", references=REFERENCES)).notes
    assert plain == (
        () if name != "auto" else ("auto: lead for one document of up to 2,000 words",)
    )


@pytest.mark.parametrize("name", METHODS)
def test_every_task_of_the_demo(name):
    demo = load_demo()
    method = parse_summarizer(name)
    for task in ("A", "B"):
        for focus in ("generic", "guided"):
            source = Source.of_topic(demo, demo.topics[0], task, focus=focus)
            extract = method.summarize(source, Limit(100))
            assert 60 < extract.words <= 100
            assert len(extract.weights) <= 100
            assert extract.method == str(method.suited_to(source))


OPINIONS = "data/opinosis_topics.jsonl.gz"


def test_the_default_is_better_than_the_best_of_sumy_on_opinosis():
    """`benchmarks/summarizers.py`: SumBasic is sumy's best, 0.086 of ROUGE-2 and 0.123 of SU4."""
    opinions = Collection.load(shared_file(OPINIONS))
    sources = [Source.of_topic(opinions, topic, "multi-doc-reviews") for topic in opinions.topics]
    extracts = [parse_summarizer("auto").summarize(source, Limit(20)).text for source in sources]
    scores = Rouge(n=2, l=False, su=4, stem=True).score(
        extracts, [source.references for source in sources]
    )
    assert scores["rouge-2-r"].mean() > 0.11
    assert scores["rouge-su4-r"].mean() > 0.13


def test_context_adjustment_repeats_less_on_opinosis():
    opinions = Collection.load(shared_file(OPINIONS))
    sources = [Source.of_topic(opinions, topic, "multi-doc-reviews") for topic in opinions.topics]

    def different(name):
        """Return the share of content words that are different from all others of a summary."""
        shares = []
        for source in sources:
            extract = parse_summarizer(name).summarize(source, Limit(20))
            read = Source.of_texts([extract.text]).wording
            shares.append(len(read.words) / len(read.ids))
        return sum(shares) / len(shares)

    assert different("sum-avr") > different("sum-avr(context=off)") + 0.1


def test_importing_the_room_is_light():
    code = "import pyramidion.summarizers, sys; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_options_can_be_typed_with_hyphens():
    now = parse_summarizer("coverage(min_documents=3)")
    assert parse_summarizer("coverage(min-documents=3)") == now


def test_more_sentences_than_can_be_compared_are_refused(monkeypatch):
    monkeypatch.setattr(_graphs, "_MAX_PAIRS", 8)
    texts = ("Rain fell on Ardel.", "Goats were sold.", "Mud came.")
    message = "3 sentences are too many to compare each of them with 3"
    for name in ("lexrank", "clusters"):
        with pytest.raises(InputError, match=message):
            parse_summarizer(name).summarize(source_of(*texts))
    for name in ("lexrank(continuous)", "mmr", "centroid", "sum-avr"):
        assert parse_summarizer(name).summarize(source_of(*texts)).words
    known = ["Rain. Mud. Goats."]
    with pytest.raises(InputError, match="too many to compare each of them with 3"):
        parse_summarizer("mmr").summarize(source_of(*texts, known=known))


RAIN_TEXT = "Rain fell on Ardel fields. Rain fell on Ardel. Goats were sold on Monday."
FLOODS = "Floods closed roads in Ardel. "


@pytest.mark.parametrize(
    ("name", "texts", "words", "numbers"),
    [
        ("first", ["Rain fell on Ardel all day.", "Roads were flooded on Monday."], 20, (0, 1)),
        ("lead", ["Rain fell on Ardel all day.", "Roads were flooded on Monday."], 6, (1,)),
        ("sum-avr", ["Heavy rain fell on Ardel. Rain flooded Ardel. Goats were sold."], 5, (0,)),
        (
            "kl-sum",
            ["Rain fell on Ardel today. Rain fell on Ardel fields. Goats sold well on Monday."],
            10,
            (0, 2),
        ),
        ("centroid", ["Floods closed roads in Ardel. It was late in the day."] * 2, 5, (0,)),
        ("submodular", [RAIN_TEXT], 12, (0, 2)),
        ("dpp", [RAIN_TEXT], 12, (0, 2)),
        (
            "occams",
            ["Heavy rain fell on Ardel. Goats were sold.", "Rain fell on Ardel on Monday."],
            6,
            (0,),
        ),
        ("hmm-qr", [f"{FLOODS}It was late by then. Mud lay in Ardel schools."] * 3, 10, (2, 0)),
        (
            "gistexter",
            [f"{FLOODS}Ardel floods were very bad. Mud lay in all schools."] * 3,
            12,
            (0, 2),
        ),
        (
            "signature",
            [f"{FLOODS}Floods came, and mud. It was late in the day then."] * 3,
            6,
            (0,),
        ),
    ],
)
def test_choices(name, texts, words, numbers):
    choice = parse_summarizer(name).choose(Source.of_texts(texts), Limit(words))
    assert choice.numbers == numbers


def test_a_seed_repeats_a_random_choice():
    source = Source.of_texts(["Rain fell on Ardel all day.", "Roads were flooded on Monday."])
    choices = [parse_summarizer("random(seed=1)").choose(source, Limit(6)) for _ in range(2)]
    assert choices[0] == choices[1]
    seeds = {
        parse_summarizer(f"random(seed={n})").choose(source, Limit(6)).numbers for n in range(9)
    }
    assert seeds == {(0,), (1,)}
