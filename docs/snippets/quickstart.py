"""Build a collection, look at its scores, save it and load it again."""

import tempfile
from pathlib import Path

from pyramidion import Collection, ScoreMatrix, Scores, Summary
from pyramidion.collection import Judgment, find_problems

collection = Collection(
    "mine",
    summaries=(
        Summary("T1", "A", "The bridge reopened on Tuesday.", kind="human"),
        Summary("T1", "gpt", "On Tuesday the bridge opened again."),
        Summary("T1", "lead", "Traffic returned."),
    ),
    scores=Scores.from_judgments(
        [
            Judgment("T1", "gpt", "responsiveness", 4, assessor="K"),
            Judgment("T1", "gpt", "responsiveness", 5, assessor="L"),
            Judgment("T1", "lead", "responsiveness", 2, assessor="K"),
            Judgment("T1", "lead", "responsiveness", 2, assessor="L"),
        ]
    ),
)

matrix = ScoreMatrix.from_scores(collection.scores, "responsiveness")
print(dict(zip(matrix.systems, matrix.means(), strict=True)))

with tempfile.TemporaryDirectory() as folder:
    collection.save(Path(folder) / "mine")
    again = Collection.load(Path(folder) / "mine")

assert again == collection
assert find_problems(again) == []
