"""Metrics that ask a model, with tiny models made here."""

import shutil
import struct
from typing import Any

import numpy as np
import pytest

from collection.refusals import refusal
from pyramidion import Collection, Summary
from pyramidion.collection import Document, Topic
from pyramidion.errors import InputError
from pyramidion.metrics import ScoringBatch, parse_metric, score, score_collection
from pyramidion.metrics import _matching as matching

WORDS = ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "a", "b", "c", "d", "Summary", ":")
# The vectors of a, b, c and d; c is the fifth of a and b that Pythagoras knew.
TABLE = np.array(
    [[3, 4], [5, 6], [7, 8], [1, 1], [1, 0], [0, 1], [0.6, 0.8], [-1, 0]] + [[1, 1]] * 2
)


def tokenizer():
    tokenizers = pytest.importorskip("tokenizers", reason="models need tokenizers")
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    return made


# An ONNX file by hand, after onnx.proto: numbers of fields, and their contents.


def field(number, content):
    if isinstance(content, int):
        return bytes([number << 3]) + varint(content)
    content = content.encode() if isinstance(content, str) else content
    return bytes([number << 3 | 2]) + varint(len(content)) + content


def varint(value):
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def value_info(name, kind, dimensions):
    shape = b"".join(field(1, field(2, own)) for own in dimensions)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def onnx_lookup(table):
    """A model that looks tokens up in a table, whatever stands beside them."""
    raw = struct.pack(f"<{table.size}f", *table.ravel())
    dimensions = b"".join(field(1, size) for size in table.shape)
    graph = [
        field(
            1, field(1, "table") + field(1, "input_ids") + field(2, "states") + field(4, "Gather")
        ),
        field(2, "lookup"),
        field(5, dimensions + field(2, 1) + field(8, "table") + field(9, raw)),
        field(11, value_info("input_ids", 7, ("batch", "length"))),
        field(12, value_info("states", 1, ("batch", "length", "width"))),
    ]
    return field(1, 8) + field(7, b"".join(graph)) + field(8, field(2, 13))


@pytest.fixture
def onnx_model(tmp_path):
    pytest.importorskip("onnxruntime", reason="models in ONNX need onnxruntime")
    (tmp_path / "model.onnx").write_bytes(onnx_lookup(TABLE))
    tokenizer().save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "README.md").write_text("---\nlicense: mit\n---\n# Lookup\n")
    return tmp_path


def scored(name, model, cases, more=""):
    metric = parse_metric(f"{name}(model={model}{more})")
    metric.require_installed()
    return metric.score(metric.statistics(cases)).tolist()


def test_matches_counted_by_hand(onnx_model):
    """a is a; b is nearest to c, by 0.8; d is nearest to b, by 0."""
    cases = ScoringBatch.of_texts(
        ["a b b", "a b b", "", "a"],
        [["a c", "d b d"], ["a c"], ["a"], []],
        documents=[["a", "c d"], ["a c"], ["a"], [""]],
    )

    def harmonic(p, r):
        return 2 * p * r / (p + r)

    # Precision, recall: shares of the tokens of all references; then by BERTScore's formulas.
    first, second = (5 / 6, 3 / 5), ((2.6 + 2) / 6, (1.8 + 1) / 5)
    equal = ",weights=equal,min_cosine=0.78"
    averaged = ",weights=equal,min_cosine=0"
    expected = {
        ("match-references-p", equal): [first[0], 1, 0, np.nan],
        ("match-references-r", equal): [first[1], 1, 0, np.nan],
        ("match-references-f", equal): [harmonic(*first), 1, 0, np.nan],
        ("match-references-r", ",weights=equal,min_cosine=0.9"): [2 / 5, 1 / 2, 0, np.nan],
        ("match-references-p", averaged): [second[0], 2.6 / 3, 0, np.nan],
        ("match-references-r", averaged): [second[1], 0.9, 0, np.nan],
        ("match-references-f", averaged): [
            harmonic(*second),
            harmonic(2.6 / 3, 0.9),
            0,
            np.nan,
        ],
        ("match-input-p", ""): [1, 1, 0, 0],
        ("match-input-r", ",min_cosine=0"): [(1 + 0.8 + 0) / 3, 0.9, 0, 0],
    }
    for name, values in expected.items():
        observed = scored(name[0], onnx_model, cases, name[1])
        np.testing.assert_allclose(observed, values, atol=1e-6, err_msg=str(name))


def test_rare_tokens_count_more(onnx_model):
    """a is in two of the three references, b, c and d in one each."""
    cases = ScoringBatch.of_texts(["a b b", "a"], [["a c", "d b d"], ["a"]])
    a, rest = np.log(4 / 2), np.log(4 / 1)
    # b matches c by 0.8 in the first reference and itself in the second; no token is like d.
    expected = {
        "p": [(a + 2 * rest + 2 * rest) / (2 * (a + 2 * rest)), 1],
        "r": [(a + rest + rest) / (a + rest + 3 * rest), 1],
    }
    for part, values in expected.items():
        found = scored(f"match-references-{part}", onnx_model, cases, ",min_cosine=0.78")
        np.testing.assert_allclose(found, values, atol=1e-6)
    # By default cosines are averaged.
    averaged = scored("match-references-r", onnx_model, cases)
    assert averaged == scored("match-references-r", onnx_model, cases, ",min_cosine=0")
    np.testing.assert_allclose(averaged[0], (a + 0.8 * rest + rest) / (a + rest + 3 * rest))
    alone = parse_metric("match-references-r(weights=equal)")
    assert [parse_metric("match-references-r").per_case, alone.per_case] == [False, True]
    assert parse_metric("match-input-p").per_case


def test_windows_hold_all_tokens_and_each_text_is_encoded_once(onnx_model, monkeypatch):
    seen = []
    encode = matching.TokenEncoder.encode

    def counted(self, texts, *, window):
        seen.extend(texts)
        return encode(self, texts, window=window)

    monkeypatch.setattr(matching.TokenEncoder, "encode", counted)
    monkeypatch.setattr(matching, "_PAIRS_PER_BATCH", 2)
    texts = ["a b c d " * 10, "b", "a b"]
    cases = ScoringBatch.of_texts(texts, [["c d", "b a"], ["c d"], ["b a", "a b c d " * 9]])
    whole = scored("match-references-f", onnx_model, cases)
    assert scored("match-references-r", onnx_model, cases.jackknifed(np.ones(3, bool)))
    assert len(seen) == len(set(seen)) == 6
    parts = scored("match-references-f", onnx_model, cases, ",window=8")
    np.testing.assert_allclose(parts, whole, atol=1e-6)


def test_signatures_tell_the_model(onnx_model, tmp_path, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_EMBED_MODEL", str(onnx_model))
    metric = parse_metric("match-references-r")
    signed = metric.signed
    assert signed.startswith(f"match-references-r[{onnx_model.name} mit sha256:")
    changed = tmp_path / "other"
    changed.mkdir()
    (changed / "model.onnx").write_bytes(onnx_lookup(-TABLE))
    message = refusal(
        InputError,
        scored,
        "match-input-p",
        changed,
        ScoringBatch.of_texts(["a"], documents=[["a"]]),
    )
    assert "vocabulary=FOLDER" in message
    monkeypatch.setenv("PYRAMIDION_EMBED_MODEL", str(changed))
    other = metric.signed.rpartition(":")[2]
    assert other != signed.rpartition(":")[2]
    explained = shutil.copytree(changed, tmp_path / "explained")
    (explained / "README.md").write_text("What is not a weight changes no score.")
    monkeypatch.setenv("PYRAMIDION_EMBED_MODEL", str(explained))
    assert metric.signed.rpartition(":")[2] == other


@pytest.mark.parametrize(
    "name", ["match-input-p", "lm-references", "bart-score-input", "bleurt", "spacy-similarity"]
)
def test_without_a_model_nothing_begins(name, monkeypatch):
    metric: Any = parse_metric(name)
    monkeypatch.delenv(metric.variable, raising=False)
    monkeypatch.setattr(type(metric), "packages", ())
    assert f"(model=FOLDER), or set {metric.variable}" in refusal(
        InputError, metric.require_installed
    )
    assert metric.cache_key.startswith(name)


# Models of transformers.


@pytest.fixture(scope="module")
def torch():
    pytest.importorskip("transformers", reason="language models need transformers")
    return pytest.importorskip("torch", reason="language models need torch")


def saved(folder, torch, kind, config, **options):
    import transformers

    torch.manual_seed(1)
    network = getattr(transformers, kind)(
        getattr(transformers, config)(vocab_size=len(WORDS), **options)
    )
    network.save_pretrained(folder)
    words = {"unk_token": "[UNK]", "pad_token": "[PAD]", "bos_token": "[CLS]", "eos_token": "[SEP]"}
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer(),
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=32,
        **words,
    )
    fast.save_pretrained(folder)
    return network.eval()


SMALL = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}


def test_lm_is_the_mean_log_likelihood(torch, tmp_path):
    network = saved(
        tmp_path,
        torch,
        "GPT2LMHeadModel",
        "GPT2Config",
        n_embd=8,
        n_layer=2,
        n_head=2,
        n_positions=32,
    )
    texts = ["a b c", "d", "b d", "a b c"]
    cases = ScoringBatch.of_texts(texts, documents=[["b a d c", "c"]] * 4)
    observed = scored("lm-input", tmp_path, cases, ",tokens=3")
    ids = {word: number for number, word in enumerate(WORDS)}
    for text, value in zip(texts, observed, strict=True):
        before = [1, *(ids[word] for word in ["b", "a", "d", "Summary", ":"])]
        own = [ids[word] for word in text.split()]
        with torch.inference_mode():
            logits = torch.log_softmax(network(torch.tensor([before + own])).logits[0], -1)
        told = [logits[len(before) - 1 + place, word].item() for place, word in enumerate(own)]
        assert value == pytest.approx(np.mean(told), abs=1e-5)
    assert observed[3] == observed[0]
    assert str(parse_metric("lm-input(tokens=3)")) == "lm-input(tokens=3,prompt=Summary:)"
    long = ScoringBatch.of_texts(["a " * 40], documents=[["b"]])
    assert "does not fit the model" in refusal(InputError, scored, "lm-input", tmp_path, long)


def test_interrupted_scores_of_a_model_are_kept(torch, tmp_path, monkeypatch):
    saved(
        tmp_path / "lm",
        torch,
        "GPT2LMHeadModel",
        "GPT2Config",
        n_embd=8,
        n_layer=1,
        n_head=2,
        n_positions=32,
    )
    topics = tuple(Topic(name, documents=(Document("d", "a b"),)) for name in "TU")
    summaries = tuple(
        Summary(topic, system, f"{word} {own}")
        for topic, own in ("Tb", "Ud")
        for system, word in ("7a", "8c")
    )
    collection = Collection("x", topics=topics, summaries=summaries)
    metric = f"lm-input(model={tmp_path / 'lm'})"
    whole = score_collection(collection, [parse_metric(metric)]).values[:, 0]
    calls: list[str] = []
    kind: Any = type(parse_metric(metric))
    compute = kind.log_likelihood

    def failing(self, given, text):
        calls.append(text)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return compute(self, given, text)

    monkeypatch.setattr(kind, "log_likelihood", failing)
    with pytest.raises(KeyboardInterrupt):
        score(collection, metrics=metric, output=tmp_path / "scores.csv")
    assert len((tmp_path / "scores.csv.partial").read_text().splitlines()) == 3
    again = score(collection, metrics=metric, output=tmp_path / "scores.csv")
    assert len(calls) == 5
    np.testing.assert_allclose([row.value for row in again.scores], whole, atol=1e-6)


def test_bart_score_is_minus_the_loss(torch, tmp_path):
    network = saved(
        tmp_path, torch, "BartForConditionalGeneration", "BartConfig", d_model=8,
        encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=32, pad_token_id=3,
        bos_token_id=1, eos_token_id=2, decoder_start_token_id=2,
    )  # fmt: skip
    given, text = torch.tensor([[1, 5, 7, 2]]), torch.tensor([[1, 4, 6, 2]])
    with torch.inference_mode():
        logits = network(input_ids=given, decoder_input_ids=torch.tensor([[2, 1, 4, 6]])).logits[0]
    reported = torch.log_softmax(logits, -1)[torch.arange(4), text[0]].mean().item()
    cases = ScoringBatch.of_texts(["a c", "b d"], [["b d"], ["a c"]])
    observed = scored("bart-score-references", tmp_path, cases)
    assert observed[0] == pytest.approx(reported, abs=1e-5)
    turned = scored("bart-score-references", tmp_path, cases, ",of=other")
    assert turned == pytest.approx(observed[::-1], abs=1e-6)


def test_regressors_read_a_reference_and_the_summary(torch, tmp_path):
    network = saved(
        tmp_path, torch, "BertForSequenceClassification", "BertConfig", num_labels=1, **SMALL
    )
    cases = ScoringBatch.of_texts(["a c"], [["b d", "c"]])
    with torch.inference_mode():
        reported = [
            network(torch.tensor([ids])).logits.item()
            for ids in ([1, 5, 7, 2, 4, 6, 2], [1, 6, 2, 4, 6, 2])
        ]
    assert scored("bleurt", tmp_path, cases) == pytest.approx([np.mean(reported)], abs=1e-5)
    saved(
        tmp_path / "3", torch, "BertForSequenceClassification", "BertConfig", num_labels=3, **SMALL
    )
    assert "gives 3 numbers" in refusal(InputError, scored, "bleurt", tmp_path / "3", cases)


def test_bert_score_is_the_packages_and_nearly_ours(torch, tmp_path):
    """The package matches with the best reference; here there is one."""
    saved(tmp_path, torch, "BertModel", "BertConfig", **SMALL)
    cases = ScoringBatch.of_texts(["a b b", "c d"], [["a c d"], ["b"]])
    ours = [
        scored(f"match-references-{part}", tmp_path, cases, ",min_cosine=0,weights=equal")
        for part in "prf"
    ]
    pytest.importorskip("bert_score", reason="bert-score is not installed")
    theirs = [scored(f"bert-score-{part}", tmp_path, cases, ",layer=1") for part in "prf"]
    # In the package tokens may match those that the model adds, so that nothing is lower.
    assert (np.array(theirs) > np.array(ours) - 1e-5).all()
    assert np.abs(np.array(theirs) - ours).max() < 0.1


def test_spacy_similarity_is_a_cosine_of_means(tmp_path):
    spacy = pytest.importorskip("spacy", reason="similarity comes from spaCy")
    nlp = spacy.blank("en")
    for word, vector in zip(WORDS, TABLE, strict=True):
        nlp.vocab.set_vector(word, vector.astype(np.float32))
    nlp.to_disk(tmp_path / "vectors")
    spacy.blank("en").to_disk(tmp_path / "none")
    cases = ScoringBatch.of_texts(["a b", "?"], [["a", "a b"], ["a"]])
    expected = [(np.sqrt(0.5) + 1) / 2, 0]
    assert scored("spacy-similarity", tmp_path / "vectors", cases) == pytest.approx(
        expected, abs=1e-6
    )
    assert "no word vectors" in refusal(
        InputError, scored, "spacy-similarity", tmp_path / "none", cases
    )


def test_each_window_begins_and_ends_with_the_special_tokens():
    windows = []

    def states(ids, mask):
        windows.extend(row[known > 0].tolist() for row, known in zip(ids, mask, strict=True))
        return TABLE[ids]

    [vectors] = matching.TokenEncoder(tokenizer(), states).encode(["a b c d"], window=4)
    assert sorted(windows) == [[1, 4, 5, 2], [1, 6, 7, 2]]
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 1, 1, 1])
