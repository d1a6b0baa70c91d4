"""A run of ROUGE-1.5.5: a configuration in, the script's standard output out."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from pyramidion.collection.formats.base import first_bytes
from pyramidion.collection.formats.rouge.config import (
    RougeEvaluation,
    RougeFile,
    read_rouge_config,
    read_rouge_list,
)
from pyramidion.errors import FormatError, NotFoundError, Where
from pyramidion.rouge.counting import Counts
from pyramidion.rouge.items import TextInput
from pyramidion.rouge.perl import (
    bootstrap_means,
    by_evaluation,
    corpus_means,
    exact_counts,
    exact_scores,
    interval,
)
from pyramidion.rouge.perl_options import PerlOptions
from pyramidion.rouge.perl_texts import PerlTexts
from pyramidion.rouge.reading import as_bytes
from pyramidion.rouge.scoring import Scored
from pyramidion.rouge.stream import read_stream
from pyramidion.rouge.variants import Variant

__all__ = ["run_perl"]

_RULE = "-" * 45
_DOTS = "." * 45
_NAMELESS = "X"


def run_perl(options: PerlOptions, *, warn: Callable[[str], None] | None = None) -> Iterator[str]:
    """Score what a configuration names and yield the script's output, line by line.

    Where the script dies, the lines before come out and then the error is raised.

    Parameters
    ----------
    options
        The command line, see `parse_perl_options`.
    warn
        Takes what the script would say on standard error and go on.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.rouge.perl_options import parse_perl_options
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "items.jsonl"
    ...     _ = file.write_text('{"topic": "1", "system": "7", "peer": "a", "references": ["a b"]}')
    ...     lines = list(run_perl(parse_perl_options(["-n1", "-x", "-a", str(file)])))
    >>> lines[1]
    '7 ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.50000 - 0.50000)'
    """
    evaluations, contents = _evaluations(options)
    texts = PerlTexts(options, evaluations, contents)
    for peer in _peers(options, evaluations):
        own = [e for e in evaluations if any(file.id == peer for file in e.peers)]
        there = {evaluation.id for evaluation in own}
        for id in dict.fromkeys(e.id for e in evaluations if e.id not in there):
            if warn is not None:
                warn(f"peer {peer} is not there for evaluation {id}: left out")
        if own:
            yield from _peer_lines(options, texts, own, peer)


def _evaluations(
    options: PerlOptions,
) -> tuple[Sequence[RougeEvaluation], Mapping[Path, bytes]]:
    """Give what is compared, and the texts that are not in files."""
    if options.list_format is not None:
        peer = options.peer or _NAMELESS
        listed = read_rouge_list(options.config, options.list_format, peer=peer).evaluations
        for evaluation in listed:
            _require_models(options.config, evaluation)
        return listed, {}
    if first_bytes(options.config, 1) == b"{":
        return _stream_evaluations(options.config)
    evaluations = read_rouge_config(options.config).evaluations
    _require_different(options.config, [f"EVAL {evaluation.id}" for evaluation in evaluations])
    return evaluations, {}


def _require_models(path: Path, evaluation: RougeEvaluation) -> None:
    if not evaluation.models:
        raise FormatError(
            f"no model is named for {evaluation.peers[0].path}",
            where=Where(path, element=f"evaluation {evaluation.id}"),
            hint="write a peer and its models on each line",
        )


def _require_different(path: Path, names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        twice, _ = Counter(names).most_common(1)[0]
        raise FormatError(f"{twice} stands there twice", where=Where(path), hint="keep one")


def _stream_evaluations(path: Path) -> tuple[Sequence[RougeEvaluation], Mapping[Path, bytes]]:
    """Take a stream's items as evaluations, each with its peer and its own references."""
    paths: dict[bytes, Path] = {}
    evaluations = []

    def stored(text: TextInput) -> Path:
        # A text that comes again, as references do, is kept and read once.
        return paths.setdefault(as_bytes(text), Path(f"{path}: text {len(paths)}"))

    for item in read_stream(path):
        models = tuple(
            RougeFile(str(number), stored(text)) for number, text in enumerate(item.references)
        )
        name = f"{item.topic}-{item.task}" if item.task else item.topic
        peer = RougeFile(item.system, stored(item.peer))
        evaluations.append(RougeEvaluation(name, (peer,), models))
    _require_different(path, [f"evaluation {e.id} of peer {e.peers[0].id}" for e in evaluations])
    return evaluations, {place: text for text, place in paths.items()}


def _peers(options: PerlOptions, evaluations: Sequence[RougeEvaluation]) -> list[str]:
    there = sorted({file.id for evaluation in evaluations for file in evaluation.peers})
    if options.all_peers or options.list_format is not None:
        return there
    if options.peer not in there:
        raise NotFoundError(
            f"there is no peer {options.peer!r}", hint=f"there are: {', '.join(there)}"
        )
    return [options.peer]


def _peer_lines(
    options: PerlOptions, texts: PerlTexts, evaluations: Sequence[RougeEvaluation], peer: str
) -> Iterator[str]:
    # Instances are averaged in the order of their names as text: 1.X, 10.X, 2.X.
    ordered = sorted(evaluations, key=lambda evaluation: f"{evaluation.id}.{peer}")
    pairs = texts.pairs(ordered, peer)
    for variant in options.variants:
        counts = exact_counts(
            texts.count(variant, pairs),
            pairs,
            variant,
            options.rule,
            peer_words=texts.peer_words(pairs) if variant.family == "w" else None,
            name_of=lambda row: f"evaluation {ordered[pairs.items[row]].id}",
        )
        scores = exact_scores(counts, alpha=options.alpha)
        yield _RULE
        yield from _average_lines(options, peer, variant, counts, scores)
        if options.details:
            yield _DOTS
            yield from _detail_lines(options, peer, variant, ordered, counts, scores)


def _average_lines(
    options: PerlOptions, peer: str, variant: Variant, counts: Counts, scores: Scored
) -> Iterator[str]:
    name = f"{peer} {variant.perl_name}"
    if options.counting == 2:
        model, own, hits = (int(sum(part.tolist())) for part in counts.parts)
        yield f"{name} M_count: {model} P_count: {own} H_count: {hits}"
        return
    if options.counting == 1:
        means = corpus_means(counts, options.resamples, options.alpha)
    else:
        columns = np.stack([scores.recall, scores.precision, scores.f], axis=1)
        means = bootstrap_means(columns, options.resamples)
    for letter, column in zip("RPF", means.T, strict=True):
        found = interval(column, float(options.confidence))
        yield (
            f"{name} Average_{letter}: {found.mean:.5f} "
            f"({options.confidence}%-conf.int. {found.low:.5f} - {found.high:.5f})"
        )


def _detail_lines(
    options: PerlOptions,
    peer: str,
    variant: Variant,
    evaluations: Sequence[RougeEvaluation],
    counts: Counts,
    scores: Scored,
) -> Iterator[str]:
    if options.counting:
        shown = [[f"{value:.15g}" for value in column.tolist()] for column in counts.parts]
    else:
        columns = (scores.recall, scores.precision, scores.f)
        shown = [[f"{value:.5f}" for value in column.tolist()] for column in columns]
    names = [f"{evaluation.id}.{peer}" for evaluation in evaluations]
    rows = {name: (r, p, f) for name, r, p, f in zip(names, *shown, strict=True)}
    for name in by_evaluation(names):
        r, p, f = rows[name]
        yield f"{peer} {variant.perl_name} Eval {name} R:{r} P:{p} F:{f}"
