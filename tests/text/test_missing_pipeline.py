"""A pipeline that is not installed is refused, with those that are."""

import pytest

from pyramidion.errors import NotFoundError
from pyramidion.text.parsing import load_parser

spacy = pytest.importorskip("spacy", reason="the extra nlp is not installed")


@pytest.mark.parametrize(("models", "listed"), [([], "none"), (["xx_b", "xx_a"], "xx_a, xx_b")])
def test_installed_pipelines_are_listed(models, listed, monkeypatch):
    monkeypatch.setattr(spacy.util, "get_installed_models", lambda: models)
    with pytest.raises(NotFoundError, match=f"'xx_missing'; .*; installed: {listed}$"):
        load_parser("xx_missing")
