"""Compare ways to treat words that the reader knows, on updates of the demonstration."""

from pyramidion import Rouge
from pyramidion.demo import load_demo
from pyramidion.summarizers import Source, parse_summarizer

demo = load_demo()
sources = [Source.of_topic(demo, topic, "B") for topic in demo.topics]
references = [source.references for source in sources]
rouge = Rouge(n=2, l=False, stem=True)


def recall(method: str) -> float:
    """Give the mean ROUGE-2 recall of a method's updates in 100 words."""
    peers = [parse_summarizer(method).summarize(source).text for source in sources]
    return float(rouge.score(peers, references)["rouge-2-r"].mean())


print("method     damped  said   off")
for name in ("sum-avr", "sumbasic", "sum-sum", "sum-prod"):
    means = [recall(f"{name}(known={known})") for known in ("damped", "said", "off")]
    print(f"{name:9}  ", "  ".join(f"{mean:.3f}" for mean in means))
