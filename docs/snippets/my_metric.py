"""Your own metrics: for one summary at a time, for all at once, and with documents."""

import pyramidion


def overlap(summary, references):
    words = set(summary.lower().split())
    return max(len(words & set(one.lower().split())) / max(len(words), 1) for one in references)


@pyramidion.metric(batch=True, packages=["numpy"])
def length_ratio(summaries, references):
    """How long a summary is, by its references' mean length."""
    import numpy as np

    lengths = [np.mean([len(one.split()) for one in own]) for own in references]
    return [len(text.split()) / mean for text, mean in zip(summaries, lengths, strict=True)]


@pyramidion.metric(name="copied", higher_is_better=False)
def copied_words(summary, references, documents):
    there = set(" ".join(documents).split())
    words = summary.split()
    return sum(word in there for word in words) / len(words) if words else None
