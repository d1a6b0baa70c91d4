"""spaCy's pipelines as parsers, the one of this package among them."""

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.text.parsing import ParsedWord
from pyramidion.text.spacy_words import words_of

__all__ = ["ENGLISH", "SpacyParser"]

#: The folder of this package's pipeline; its data card is beside it.
ENGLISH = Path(__file__).parent / "english"
_BATCH = 128


class SpacyParser:
    """A spaCy pipeline.

    Parameters
    ----------
    pipeline
        The pipeline, loaded.
    name
        What signatures call it.
    """

    def __init__(self, pipeline: Any, name: str) -> None:
        self._pipeline = pipeline
        self.name = name

    @classmethod
    def load(cls, pipeline: str = "") -> "SpacyParser":
        """Load a pipeline.

        Parameters
        ----------
        pipeline
            Its name or its folder; this package's own if nothing is given.
        """
        loaded = _loaded(pipeline) if pipeline else _shipped()
        if not any("token.dep" in loaded.get_pipe_meta(part).assigns for part in loaded.pipe_names):
            raise InputError(
                f"the spaCy pipeline {pipeline!r} has no parser",
                hint="name one with a parser, such as en_core_web_trf, or leave the name out",
            )
        return cls(loaded, _name(loaded.meta))

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one.

        Parameters
        ----------
        sentences
            Texts that were split into sentences already.
        """
        found = self._pipeline.pipe(self._documents(sentences), batch_size=_BATCH)
        return [words_of(document) for document in found]

    def _documents(self, sentences: Sequence[str]) -> Iterator[Any]:
        """Tokenize; the parser is told that no second sentence begins."""
        for sentence in sentences:
            document = self._pipeline.make_doc(sentence)
            for word in document[1:]:
                word.is_sent_start = False
            yield document


def _name(meta: dict[str, Any]) -> str:
    whole = f"{meta['lang']}_{meta['name']}-{meta['version']}"
    return whole.removeprefix("en_") if "pyramidion" in whole else whole


def _shipped() -> Any:
    from spacy.about import __version__

    try:
        return _quietly(ENGLISH)
    # A damaged or foreign file fails in whatever way its reader does.
    except Exception as problem:
        raise InputError(
            f"spaCy {__version__} cannot load the English pipeline of this package "
            f"({type(problem).__name__}: {str(problem)[:120]})",
            where=Where(ENGLISH),
            hint="install spaCy 3.8 and this package anew, or use the pipeline `light`",
        ) from None


def _loaded(pipeline: str) -> Any:
    import spacy
    from spacy.about import __version__

    try:
        return _quietly(pipeline)
    except OSError:
        installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none"
        raise NotFoundError(
            f"there is no spaCy pipeline {pipeline!r}",
            hint=f"install one, name a folder, or leave the name out; there are: {installed}",
        ) from None
    except Exception as problem:
        raise InputError(
            f"spaCy {__version__} cannot load the pipeline {pipeline!r} "
            f"({type(problem).__name__}: {str(problem)[:120]})",
            hint="install a version of the pipeline that fits, or leave the name out",
        ) from None


def _quietly(pipeline: str | Path) -> Any:
    """Load without spaCy's warnings about versions: what does not work fails."""
    import spacy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spacy.load(pipeline)
