"""Ways to read texts and to bring references together: other packages' under our names."""

import gzip
import json
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from collection.refusals import refusal
from compat.test_rouge_scorer import gold
from pyramidion.errors import DataWarning, InputError, MissingExtraError, NotFoundError
from pyramidion.rouge import Rouge
from pyramidion.text.languages import guess_language
from pyramidion.text.tokens import snowball
from support import shared_file

PEERS = ["rain fell on the roads", "the bridge opened", "snow"]
REFERENCES = [
    ["rain fell", "the roads were closed by rain", "it rained on roads"],
    ["a bridge opened", "the bridge was opened"],
    ["it snowed"],
]


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
@pytest.mark.parametrize(
    ("sentences", "name"), [("whole", "rougeL"), ("lines", "rougeLsum")], ids=["whole", "lines"]
)
def test_rouge_score_under_our_names(sentences, name):
    """Gold: rouge_score 0.1.2, score_multi with its stemmer, see tests/gold/rouge_score."""
    items = gold("items")["items"]
    rouge = Rouge(stem="nltk", models="best-f", sentences=sentences, language="en")
    # They lower the Kelvin sign to a k, which ROUGE-1.5.5 and `rouge` do not.
    peers = [item["prediction"].lower() for item in items]
    scores = rouge.score(peers, [list(map(str.lower, item["references"])) for item in items])
    for measure, gold_name in (("rouge-1", "rouge1"), ("rouge-2", "rouge2"), ("rouge-l", name)):
        observed = np.stack([scores[f"{measure}-{part}"] for part in "prf"], axis=1)
        assert observed.tolist() == [i["stemmed"]["multi"][gold_name] for i in items]


def of_set(rouge: Rouge, peer: str, references: list[str]) -> np.ndarray:
    scores = rouge.score([peer], [references])
    return np.array([scores[measure][0] for measure in rouge.measures])


@pytest.mark.parametrize("exact", [False, True])
def test_references_are_combined_by_the_rule(exact):
    # In exact mode ROUGE-W takes the best by a recall that it does not print.
    rouge = Rouge(n=(1, 2), su=2, w=None if exact else 1.2, exact=exact)
    for models in ("mean", "jackknife", "best-r", "best-f"):
        if exact and models in ("mean", "best-f"):
            continue
        scores = replace(rouge, models=models).score(PEERS, REFERENCES)
        for row, (peer, texts) in enumerate(zip(PEERS, REFERENCES, strict=True)):
            size = max(len(texts) - 1, 1) if models == "jackknife" else 1
            each = np.array([of_set(rouge, peer, list(some)) for some in combinations(texts, size)])
            for column, measure in enumerate(rouge.measures):
                observed = scores[measure][row]
                if models in ("mean", "jackknife"):
                    assert observed == pytest.approx(each[:, column].mean(), abs=1e-15)
                elif measure.endswith(models[-2:]):
                    assert observed == each[:, column].max()


def test_any_function_finds_words_and_stems():
    rouge = Rouge(n=1, l=False, tokenizer=str.split, stem=lambda word: word[0])
    assert rouge.score("Rain, snow", "Rails, sleet!")["rouge-1-f"].tolist() == [1.0]
    assert "tokenizer=str.split" in str(rouge)
    partly = Rouge(n=1, tokenizer=partial(str.split, sep=","))
    assert "|tok:partial|" in str(partly.score("a,b", "b,c").signature)
    pairs = Rouge(n=1, l=False, tokenizer=lambda text: [text[:2], text[2:]])
    # By hand: of the halves 東京 and の夏 the first is shared.
    assert pairs.score("東京の夏", "東京の冬")["rouge-1-f"].tolist() == [0.5]


@pytest.mark.parametrize("language", ["de", "de-AT", "German"])
def test_other_languages_have_their_own_stemmers(language):
    pytest.importorskip("snowballstemmer", reason="needs snowballstemmer")
    peer, reference = "Die Häuser wurden gebaut.", "Das Haus wurde gebaut."
    rouge = Rouge(n=1, l=False, stem=True, language=language)
    # Snowball's German: haus and haus, wurd and wurd, gebaut; by hand 3 of 4.
    assert rouge.score(peer, reference)["rouge-1-f"].tolist() == [0.75]
    assert "(de), and stem stems English" in refusal(
        InputError, Rouge(stem=True, tokenizer="unicode").score, peer, reference
    )
    assert Rouge(stem=True, language="en", tokenizer="unicode").score(peer, reference)


def test_a_stemmer_that_is_not_there(monkeypatch):
    assert "there is no stemmer for 'xx'; " in refusal(NotFoundError, snowball, "xx")
    monkeypatch.setitem(__import__("sys").modules, "snowballstemmer", None)
    assert "pyramidion[languages]" in refusal(MissingExtraError, snowball.__wrapped__, "de")


def test_a_language_is_guessed_by_its_small_words():
    assert guess_language(["Die Brücke und der Fluss", "wurde gebaut"]) == "de"
    assert guess_language(["De brug werd gebouwd en het water"]) == "nl"
    assert guess_language(["El puente y la calle", "Les rues et les ponts"]) == "fr"
    for english in ("Café Müller", "Die hard", "", "The der und die das", "la la land"):
        assert guess_language([english]) == "en"


@pytest.mark.long
def test_no_english_text_is_taken_for_another_language():
    """Headlines, reviews, dialogs and news of the open sets, one by one."""
    looked_at = 0
    for path in sorted(shared_file("data/summeval.jsonl.gz").parent.glob("*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).splitlines():
            record = json.loads(line)
            listed = [*record.get("references", ()), *record.get("documents", ())]
            texts = [text for text in (record.get("summary"), *listed) if isinstance(text, str)]
            looked_at += len(texts)
            assert [text for text in texts if guess_language([text]) != "en"] == []
    assert looked_at > 30_000


def test_a_text_that_the_tokenizer_cannot_see_is_named():
    peers = ["rain fell on all the roads of the town " * 30, "東京"]
    with pytest.warns(DataWarning, match="2 texts of 4 without a word in ASCII letters"):
        Rouge(n=1).score(peers, ["it rained on all of them " * 30, "東京"])
