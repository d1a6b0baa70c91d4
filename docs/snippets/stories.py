"""Write `news`: articles of the demonstration about two events, in one folder."""

from pathlib import Path

from pyramidion.demo import load_demo
from pyramidion.summarizers import Source

demo = load_demo()
Path("news").mkdir(exist_ok=True)
for topic in ("P01", "P04"):
    for article in Source.of_topic(demo, demo.topic(topic), "A").documents:
        Path("news", f"{article.id}.txt").write_text(article.text, encoding="utf-8")
