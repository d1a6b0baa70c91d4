"""Small examples of `pyramidion.metrics.registry`."""

from pyramidion.metrics.registry import (
    describe_run,
    parse_metric,
    resolve_metrics,
    tokenizers,
)


def test_run_metrics():
    metrics = resolve_metrics(["rouge-2", "rouge-l(stem=off)", "bleu(n=2)"], {"stem": True})
    assert list(metrics) == ["rouge-2-f", "rouge-l-f(stem=off)", "bleu(n=2)"]
    assert describe_run(metrics.values()) == "rouge-2(stem),rouge-l,bleu(n=2)"


def test_run_text():
    assert (
        describe_run(map(parse_metric, ("rouge-2-r", "bleu", "rouge-l-f", "rouge-2-p")))
        == "rouge-2+l,bleu"
    )


def test_tokenizers():
    assert tokenizers(map(parse_metric, ("rouge-2(tokenizer=unicode)", "bleu"))) == (
        "rouge",
        "unicode",
    )
