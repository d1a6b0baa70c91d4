"""What rewriting changes in a summary of the demonstration, and who people are."""

from pyramidion.demo import load_demo
from pyramidion.rewriting import RewriteOptions
from pyramidion.summarizers import Limit, Source, SummaryRewriter, parse_summarizer

demo = load_demo()
source = Source.of_topic(demo, demo.topic("P04"), "A")
rewriter = SummaryRewriter(source, RewriteOptions(("people", "np")))
extract = rewriter.summarize(parse_summarizer("sum-avr"), Limit(100))
for sentence in extract.sentences:
    if sentence.rewritten:
        print(f"- {sentence.before}\n+ {sentence.text}")
for person in rewriter.who(extract.text):
    print(person.text)
