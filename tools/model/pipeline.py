"""The pipeline before training."""

from typing import Any

import spacy

from tokens import tune_tokenizer

__all__ = ["whole_pipeline"]

#: Width and number of the shared layers.
WIDTH, DEPTH = 96, 5


def whole_pipeline() -> Any:
    """Make an empty English pipeline with all parts on one shared layer."""
    nlp = _blank()
    rows = {"NORM": 5000, "PREFIX": 1000, "SUFFIX": 2500, "SHAPE": 1500}
    listener = {
        "@architectures": "spacy.Tok2VecListener.v1",
        "width": WIDTH,
        "upstream": "tok2vec",
    }
    softmax = {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}
    parser = _transitions("parser", listener, 128)
    nlp.add_pipe("tok2vec", config={"model": _layers(rows, WIDTH, DEPTH)})
    nlp.add_pipe("tagger", config={"model": softmax})
    nlp.add_pipe("morphologizer", config={"model": softmax})
    nlp.add_pipe("parser", config={"model": parser, "min_action_freq": 20})
    lemmas = {"model": softmax, "backoff": "orth", "min_tree_freq": 3, "top_k": 1}
    nlp.add_pipe("trainable_lemmatizer", config=lemmas)
    nlp.add_pipe("ner", config={"model": _transitions("ner", listener, 64)})
    return nlp


def _blank() -> Any:
    nlp = spacy.blank("en")
    tune_tokenizer(nlp)
    return nlp


def _layers(rows: dict[str, int], width: int, depth: int) -> dict[str, Any]:
    return {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy.MultiHashEmbed.v2",
            "width": width,
            "attrs": list(rows),
            "rows": list(rows.values()),
            "include_static_vectors": True,
        },
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": width,
            "depth": depth,
            "window_size": 1,
            "maxout_pieces": 3,
        },
    }


def _transitions(kind: str, layers: dict[str, Any], hidden: int) -> dict[str, Any]:
    return {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": kind,
        "extra_state_tokens": False,
        "hidden_width": hidden,
        "maxout_pieces": 2,
        "use_upper": True,
        "nO": None,
        "tok2vec": layers,
    }
