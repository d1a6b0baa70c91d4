"""What `Rouge.score` takes and gives, and what it refuses in one line."""

import numpy as np
import pytest

from collection.refusals import refusal
from pyramidion import Rouge
from pyramidion.errors import DataNote, DataWarning, InputError, ShapeError

FULL = {"n": (1, 2), "w": 1.2, "s": 4, "su": 4}
PEERS = {"T1": "Rain flooded roads.", "T2": "The bridge reopened."}
REFERENCES = {"T1": ["Roads were flooded by rain.", "It rained."], "T2": ["A bridge opened."]}


def scores_of(peer, *references, **options):
    return Rouge(**{**FULL, **options}).score([peer], [list(references)]).as_dict()[0]


def test_ids_and_lists_give_the_same():
    by_id = Rouge(**FULL).score(PEERS, REFERENCES)
    by_list = Rouge(**FULL).score(list(PEERS.values()), list(REFERENCES.values()))
    assert (by_id.ids, list(by_list.ids)) == (("T1", "T2"), [0, 1])
    assert list(by_id.as_dict().values()) == list(by_list.as_dict().values())
    assert len(by_id) == 2
    assert by_id.as_dict()["T1"]["rouge-1-r"] == 3 / 7


def test_ids_are_matched_by_id_not_by_order():
    turned = dict(reversed(REFERENCES.items()))
    assert Rouge().score(PEERS, turned).as_dict() == Rouge().score(PEERS, REFERENCES).as_dict()


def test_ids_may_be_anything_hashable():
    scores = Rouge().score({("A", 1): "a"}, {("A", 1): ["a"]})
    assert scores.as_dict()["A", 1]["rouge-1-f"] == 1.0


@pytest.mark.parametrize(
    ("peers", "references"),
    [
        (["a b"], ["a b"]),
        (("a b",), (("a b",),)),
        (iter(["a b"]), iter([iter(["a b"])])),
        (np.array(["a b"]), np.array([["a b"]])),
        ({"T": "a b"}, {"T": "a b"}),
        ([b"a b"], [[b"a b"]]),
        ([["a", "b"]], [[("a", "b")]]),
        ([[b"a", "b"]], [["a\nb"]]),
    ],
)
def test_forms_of_texts(peers, references):
    assert Rouge(**FULL).score(peers, references)["rouge-1-f"].tolist() == [1.0]


def test_nothing_to_score():
    scores = Rouge(**FULL).score({}, {})
    assert len(scores) == 0
    assert scores["rouge-l-f"].tolist() == []
    assert "nothing was scored" in refusal(InputError, scores.mean, "rouge-l-f")


def test_bare_names_mean_f_and_unknown_ones_are_named():
    scores = Rouge(n=(1,), l=False).score(PEERS, REFERENCES)
    assert scores["rouge-1"].tolist() == scores["rouge-1-f"].tolist()
    message = refusal(InputError, scores.__getitem__, "rouge-2-r")
    assert message == "'rouge-2-r' was not computed; available: rouge-1-r, rouge-1-p, rouge-1-f"


@pytest.mark.parametrize(
    ("peers", "references", "message"),
    [
        (
            ["a", "b", "c"],
            [["x", "y", "z"], ["u", "v", "w"]],
            "3 peers, but 2 lists of 3 references each; "
            "give one list of references for each peer: list(zip(*references))",
        ),
        (["a"], [["x"], ["y"]], "1 peers, but 2 lists of 1 references each"),
        (["a", "b"], [["x"]], "2 peers, but 1 lists of references; give one list of references"),
        (["a", "b"], ["x", "y", "z"], "2 peers, but 3 lists of references"),
        (["a"], [], "1 peers, but 0 lists of references"),
        ({"T1": "a", "T2": "b"}, {"T1": ["a"]}, "'T2' has no references; add references"),
        ({"T1": "a"}, {"T1": ["a"], 2: ["a"], 3: []}, "2 has no peer, nor have 1 others"),
    ],
)
def test_shapes_that_do_not_fit(peers, references, message):
    assert message in refusal(ShapeError, Rouge().score, peers, references)


@pytest.mark.parametrize(
    ("peers", "references", "message"),
    [
        (["a"], "a", "references is a single text; put it in a list: [text]"),
        (b"a", [["a"]], "peers is a single text"),
        (None, [], "peers is None; give a list, or texts by id"),
        ({"a"}, [["a"]], "peers is {'a'}"),
        ({"T": "a"}, [["a"]], "peers and references must both be given by id, or both be lists"),
        (["a"], {"T": ["a"]}, "both be lists"),
        ({"T": "a"}, {"T": []}, "'T' has no references; add at least one, or leave it out"),
        (["a"], [[]], "item 0 has no references"),
        (["a"], [None], "the references of item 0 are None; give a list of texts"),
        (["a"], [{"x": "a"}], "the references of item 0 are {'x': 'a'}"),
        ([None], [["a"]], "a text of item 0 is None; give a text or a list of sentences"),
        ([{"text": "a"}], [["a"]], "a text of item 0 is {'text': 'a'}"),
        ([3], [["a"]], "a text of item 0 is 3"),
        ([["a", 3]], [["a"]], "a text of item 0 is ['a', 3]"),
        ({"T": "a"}, {"T": ["a", 3.5]}, "a text of 'T' is 3.5"),
    ],
)
def test_values_that_are_not_text(peers, references, message):
    assert message in refusal(InputError, Rouge().score, peers, references)


def test_threads_must_make_sense():
    message = refusal(InputError, Rouge().score, ["a"], ["a"], threads=0)
    assert message == "threads is 0; give a whole number of at least 1"


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    ("peer", "reference"),
    [
        ("", "rain fell"),
        ("...", "rain fell"),
        (" \n\n ", "rain fell"),
        ("the of", "rain"),
        ([], "rain"),
    ],
)
def test_no_words_in_the_peer_give_zero(peer, reference, exact):
    options = {"stop_words": True, "exact": exact}
    assert set(scores_of(peer, reference, **options).values()) == {0.0}


@pytest.mark.parametrize("reference", ["", "!?", "the of", [], [""]])
def test_no_words_in_the_reference_give_zero(reference):
    assert set(scores_of("rain fell", reference, stop_words=True).values()) == {0.0}
    exact = scores_of("rain fell", reference, stop_words=True, exact=True, w=None)
    assert set(exact.values()) == {0.0}
    assert "divides by zero" in refusal(
        InputError, scores_of, "rain fell", reference, stop_words=True, exact=True
    )


def test_an_empty_reference_next_to_another_counts_as_the_peers_words_again():
    """The counts of all references are added up, the peer's once for each."""
    scores = scores_of("rain fell", "rain fell", "", w=None)
    assert (scores["rouge-1-r"], scores["rouge-1-p"]) == (1.0, 0.5)


@pytest.mark.parametrize("exact", [False, True])
def test_one_word_has_no_pairs(exact):
    scores = scores_of("Rain!", "rain", exact=exact)
    assert {name for name, value in scores.items() if value == 1.0} == {
        f"rouge-{variant}-{part}" for variant in ("1", "l", "w-1.2") for part in "rpf"
    }
    assert set(scores.values()) == {0.0, 1.0}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    "text", ["rain\0fell", "rain \ud800 fell", b"rain \xff\xfe fell", b"rain\x00fell\x80"]
)
def test_odd_bytes_and_characters_separate(text, exact):
    scores = scores_of(text, "rain fell", exact=exact, w=None)
    assert set(scores.values()) == {1.0}


def test_bytes_and_text_are_the_same_in_exact_mode():
    text = "Le café était naïf — 3,75 %\nÜber İstanbul"
    with pytest.warns(DataWarning, match="splits words at them"):
        scores = scores_of(text, "caf na", exact=True)
    assert scores == scores_of(text.encode(), "caf na", exact=True)


def test_the_unicode_tokenizer_wants_utf8():
    message = refusal(InputError, scores_of, b"a \xff", "a", tokenizer="unicode")
    assert message.startswith("a text is not UTF-8: byte 0xff at position 2; decode it first")
    unsplit = {"n": 1, "l": False, "w": None, "tokenizer": "unicode"}
    assert "is not UTF-8" in refusal(InputError, scores_of, b"a \xff", "a", **unsplit)


@pytest.mark.parametrize(
    ("peer", "reference"),
    [
        ("东京的夏天很热。", "东京夏天热。"),
        ("سقط المطر على الطريق", "سقط المطر ليلا"),
        ("बारिश हुई और सड़क बंद", "बारिश हुई और पुल बंद"),
    ],
    ids=["Chinese", "Arabic", "Hindi"],
)
def test_other_scripts_score_with_the_unicode_tokenizer(peer, reference):
    assert min(scores_of(peer, reference, tokenizer="unicode").values()) > 0
    with pytest.warns(DataNote, match="using the unicode tokenizer"):
        assert min(scores_of(peer, reference).values()) > 0
    with pytest.warns(DataWarning, match="the scores mean little or nothing"):
        assert set(scores_of(peer, reference, tokenizer="rouge").values()) == {0.0}


def test_prose_is_split_into_sentences_but_not_in_exact_mode():
    prose, lines = "Rain fell. Roads closed.", "Rain fell.\nRoads closed."
    turned = ["Roads closed, rain fell."]
    assert scores_of(prose, turned)["rouge-l-f"] == scores_of(lines, turned)["rouge-l-f"] == 1.0
    assert scores_of(prose, turned, exact=True)["rouge-l-f"] == 0.5
    assert scores_of(lines, turned, exact=True)["rouge-l-f"] == 1.0


@pytest.mark.parametrize("limit", [{"words": 1000}, {"bytes": 1000}])
@pytest.mark.parametrize("peer", ["Rain fell. Roads closed.", b"Rain fell. Roads closed.\n"])
def test_a_limit_that_cuts_nothing_changes_nothing(peer, limit):
    turned = ["Roads closed, rain fell."]
    assert scores_of(peer, turned, **limit) == scores_of(peer, turned)


def test_limits_cut_peers():
    assert scores_of("rain fell on roads", "rain fell", words=2)["rouge-1-p"] == 1.0
    assert scores_of("rain fell on roads", "rain fell", bytes=9)["rouge-1-p"] == 1.0
    assert scores_of(["rain", "fell on"], "rain fell", bytes=8)["rouge-1-p"] == 1.0
    assert scores_of("rain\nfell on", "rain fell", words=2)["rouge-1-p"] == 1.0
    assert scores_of("né", "n", bytes=2, tokenizer="unicode")["rouge-1-p"] == 1.0


def test_numbers_no_text_is_long_enough_for():
    scores = scores_of("a b c", "a b c", n=(3, 4, 10**30), s=10**30, su=10**30)
    assert scores["rouge-3-f"] == scores[f"rouge-s{10**30}-f"] == 1.0
    assert scores["rouge-4-f"] == scores[f"rouge-{10**30}-f"] == 0.0


def test_a_weight_that_is_too_large():
    message = refusal(InputError, scores_of, "a " * 50, "a " * 50, w=1000)
    assert "50 to the power of 1000 is too large; give ROUGE-W a smaller weight" in message
    # The script goes on: the reference's weight is infinite.
    assert scores_of("a b", "a " * 50, w=1000, exact=True)["rouge-w-1000-r"] == 0.0


@pytest.mark.long
@pytest.mark.parametrize("exact", [False, True])
def test_fifty_megabytes(exact):
    book = "".join(f"Rain fell on harbor road {day} and closed it. " for day in range(1_100_000))
    assert len(book) > 50e6
    reference = "Rain closed the harbor road for 2 days."
    scores = scores_of(book, reference, exact=exact)
    assert scores["rouge-1-r"] == 5 / 8
    assert min(scores.values()) >= 0
    for variant in ({"s": -1}, {"su": 10**6}):
        message = refusal(InputError, scores_of, book, reference, exact=exact, **variant)
        assert "skip-bigrams" in message
    assert "too long" in refusal(InputError, scores_of, book, book, exact=exact)
