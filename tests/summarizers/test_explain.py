"""Why a sentence was chosen, in a method's own terms."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.demo import load_demo
from pyramidion.summarizers import Limit, Source, parse_summarizer, summarizer_names
from summarizers.inputs import ANY, SENTENCES, documents, source_of


def method(text) -> Any:
    """Return a method whose class has more than all have in common."""
    return parse_summarizer(text)


REFERENCES = ("Rain closed roads in Ardel. Rain closed roads.", "Goats were sold.")
#: Methods whose scores are sums of what they name.
ADDITIVE = (
    "sum-sum",
    "sum-sum(count=tokens)",
    "sum-sum(context=off)",
    "signature(compose=sum)",
    "gistexter",
    "coverage",
    "coverage(n=1,min_documents=1)",
    "oracle",
    "centroid(position=0.5)",
    "mmr",
)


def explained(name, source, words=25):
    """Return each choice with its score and its explanation."""
    method = parse_summarizer(name)
    choice = method.choose(source, Limit(words))
    return [
        (number, score, method.explain(source, number, choice.numbers[:place]))
        for place, (number, score) in enumerate(zip(choice.numbers, choice.scores, strict=True))
    ]


@pytest.mark.parametrize("name", ADDITIVE)
@given(st.lists(SENTENCES, min_size=2, max_size=8))
def test_terms_of_a_sum_add_up_to_the_score(name, texts):
    source = source_of(*texts, references=REFERENCES, known=["Mud closed schools."])
    for _, score, terms in explained(name, source):
        assert sum(weight for _, weight in terms) == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize("name", ["coverage", "oracle", "sum-sum", "mmr"])
def test_terms_add_up_on_the_demo(name):
    demo = load_demo()
    for task in ("A", "B"):
        source = Source.of_topic(demo, demo.topics[0], task)
        for _, score, terms in explained(name, source, 100):
            assert sum(weight for _, weight in terms) == pytest.approx(score)


@pytest.mark.parametrize("name", [name for name in summarizer_names() if name != "llm"])
def test_every_method_explains_every_choice(name):
    source = source_of(
        "Rain closed roads in Ardel. Goats were sold. Mud lay in schools.", references=REFERENCES
    )
    for _, _, terms in explained(name, source):
        assert terms
        assert all(isinstance(term, str) and isinstance(value, float) for term, value in terms)


def test_average_words_and_their_weights_at_the_moment():
    source = source_of("Rain, rain on roads. Mud on the roads.")
    method = parse_summarizer("sum-avr")
    assert method.explain(source, 0) == (("rain", 0.4), ("road", 0.4))
    assert method.explain(source, 1, [0]) == (("mud", 0.2), ("road", 1e-6))
    assert parse_summarizer("sum-avr(count=tokens)").explain(source, 0) == (
        ("rain", 0.4),
        ("rain", 0.4),
        ("road", 0.4),
    )
    pos = parse_summarizer("sum-sum(words=pos)").explain(source_of("Goats have been sold."), 0)
    assert {word for word, _ in pos} == {"goat", "sell"}


def test_concepts_that_are_covered_are_no_reason():
    source = source_of("Rain fell on Ardel.", "Rain fell on us. On Ardel rain fell.")
    method = parse_summarizer("coverage")
    assert dict(method.explain(source, 0)) == {"rain fall": 2.0, "fall on": 2.0, "on ardel": 2.0}
    assert dict(method.explain(source, 2, [1])) == {"on ardel": 2.0}
    # What only fills room has nothing that weighs: what is new in it is named.
    more = source_of("Rain fell on Ardel.", "Rain fell on Ardel.", "Goats were sold.")
    assert dict(method.explain(more, 2, [0])) == {"goat be": 0.0, "be sell": 0.0}


def test_the_oracle_names_matches_as_often_as_they_count():
    source = source_of("Rain fell. Rain fell and rain fell.", references=["Rain fell. Rain fell."])
    method = parse_summarizer("oracle")
    assert method.explain(source, 1) == (("rain fall", 2.0),)
    assert method.explain(source, 1, [0]) == (("rain fall", 1.0),)


def test_lexrank_names_the_rank_and_the_neighbors():
    source = source_of("Rain fell on us. Rain fell on Ardel. Ardel lies far off. Goats were sold.")
    ranks = method("lexrank").ranks(source)
    terms = [parse_summarizer("lexrank").explain(source, number) for number in range(4)]
    assert [dict(own)["rank"] for own in terms] == pytest.approx(ranks)
    assert [dict(own)["neighbors"] for own in terms] == [1, 2, 1, 0]
    near = dict(parse_summarizer("lexrank(continuous)").explain(source, 3))
    assert near["cosines"] == pytest.approx(0)


def test_clusters_name_the_cluster_and_its_size():
    text = "Goats were sold on Monday. Rain fell on Ardel. Ardel rain fell. Rain fell in Ardel."
    method = parse_summarizer("clusters")
    assert dict(method.explain(source_of(text), 0)) == pytest.approx(
        {"cluster": 2, "size": 1, "closeness": 1}
    )
    assert dict(method.explain(source_of(text), 2))["size"] == 3


def test_mmr_names_both_terms():
    source = source_of("Rain fell on Ardel fields. Rain fell on Ardel. Goats were sold.")
    first = dict(parse_summarizer("mmr").explain(source, 1))
    later = dict(parse_summarizer("mmr").explain(source, 1, [0]))
    assert first["nearness"] == 0
    assert later["relevance"] == first["relevance"] > 0
    assert -0.3 < later["nearness"] < 0


def test_baselines_name_places_and_dates():
    dated = documents(("2031-04-13", "Middle one. Middle two."), ("2031-04-14", "Last one."))
    source = Source.of_documents(dated, rules=ANY)
    lead, first = parse_summarizer("lead"), parse_summarizer("first")
    assert lead.explain(source, 1) == (("place", 2.0), ("article of 2031-04-13", 2.0))
    assert first.explain(source, 1) == (("place", 2.0), ("article of 2031-04-13", 1.0))
    assert lead.explain(source_of("Rain."), 0) == (("place", 1.0), ("article", 1.0))
    chance = parse_summarizer("random(seed=3)")
    drawn = chance.choose(source, Limit(100)).numbers
    assert [chance.explain(source, number)[0][1] for number in drawn] == [1, 2, 3]


def test_kl_sum_names_the_words_it_wants():
    source = source_of("Rain fell. Rain.")
    assert parse_summarizer("kl-sum").explain(source, 0) == (
        ("rain", pytest.approx(2 / 3)),
        ("fall", pytest.approx(1 / 3)),
    )
