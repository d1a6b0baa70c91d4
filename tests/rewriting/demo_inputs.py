"""The demo collection, parsed: what both reviewed files are made of."""

from functools import cache

from pyramidion.demo import load_demo
from pyramidion.rewriting import Articles, RewriteOptions, SummaryRewriter
from pyramidion.summarizers import CandidateRules, Source

METHODS = (
    *("sum-avr", "lexrank", "lead", "first", "mmr", "kl-sum", "centroid"),
    *(f"random(seed={seed})" for seed in range(8)),
)

#: What was read are changes of sentences that may lean on others.
RULES = CandidateRules(headlines=True, repeats=True, dangling=True)


@cache
def inputs(pipeline: str = "") -> tuple[tuple[str, str, Source, Articles], ...]:
    """Read and parse both tasks of every topic."""
    demo, options = load_demo(), RewriteOptions(("people",), pipeline=pipeline)
    sources = [
        (topic.id, task, Source.of_topic(demo, topic, task, rules=RULES))
        for topic in demo.topics
        for task in demo.task_ids
    ]
    return tuple((*entry, SummaryRewriter(entry[2], options).articles) for entry in sources)
