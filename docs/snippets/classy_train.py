"""Train a metric on two parts of the demonstration, and predict the third."""

import tempfile
from pathlib import Path

from pyramidion.classy import LinearModel, predict, topic_parts, train
from pyramidion.demo import load_demo

# Six topics play three years. Eight summaries per year only show how it works.
first, second, third = topic_parts(load_demo(), 3)
result = train(
    years=(first, second),
    version="25",
    task="A",
    peers="all",
    features="rose",
    without_features="rouge-3, rouge-4, rouge-s4",
)
(model,) = result
print(model.name, model.target, model.method, model.training["subset"])

with tempfile.TemporaryDirectory() as folder:
    model.save(Path(folder) / "model.json")
    again = LinearModel.load(Path(folder) / "model.json")

(prediction,) = predict(again, third)
for summary, value in zip(prediction.summaries, prediction.values, strict=True):
    print(summary.topic, summary.system, round(float(value), 2))

assert again == model
assert [year["rows"] for year in model.training["years"]] == [8, 8]
assert {summary.topic for summary in prediction.summaries}.isdisjoint(
    summary.topic for part in (first, second) for summary in part.summaries
)
