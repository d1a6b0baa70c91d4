"""Show how rewriting of noun phrases changes a summary of the demonstration."""

from pyramidion.demo import load_demo
from pyramidion.rewriting import RewriteOptions, SummaryRewriter
from pyramidion.summarizers import Limit, Source, parse_summarizer

demo = load_demo()
source = Source.of_topic(demo, demo.topic("P04"), "A")
rewriter = SummaryRewriter(source, RewriteOptions(("np",)))
extract = rewriter.summarize(parse_summarizer("sum-avr"), Limit(100))
for sentence in extract.sentences:
    if sentence.rewritten:
        print(f"- {sentence.before}\n+ {sentence.text}")
