"""Words that indicate names: titles, roles, verbs of speech, kinds of organizations and places."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def name_words() -> Mapping[str, frozenset[str]]:
    """Read the words that indicate names, by kind."""
    text = (files("pyramidion.text") / "data" / "names.toml").read_text(encoding="utf-8")
    return {kind: frozenset(words.split()) for kind, words in tomllib.loads(text).items()}
