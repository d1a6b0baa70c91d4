"""Small examples of `pyramidion.metrics.registry`."""

from pyramidion.metrics.registry import (
    parse_metric,
    resolve_metrics,
    run_text,
    tokenizers,
)


def test_run_metrics():
    metrics = resolve_metrics(["rouge-2", "rouge-l(stem=off)", "bleu(n=2)"], {"stem": True})
    assert list(metrics) == ["rouge-2-f", "rouge-l-f(stem=off)", "bleu(n=2)"]
    assert run_text(metrics.values()) == "rouge-2(stem),rouge-l,bleu(n=2)"


def test_run_text():
    assert (
        run_text(map(parse_metric, ("rouge-2-r", "bleu", "rouge-l-f", "rouge-2-p")))
        == "rouge-2+l,bleu"
    )


def test_tokenizers():
    assert tokenizers(map(parse_metric, ("rouge-2(tokenizer=unicode)", "bleu"))) == (
        "rouge",
        "unicode",
    )
