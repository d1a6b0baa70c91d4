"""Calls from the documentation, and of every kind of input: type checkers report none of them."""

from pathlib import Path
from typing import assert_type

import numpy as np
import pandas as pd
import polars as pl

import pyramidion
from pyramidion import (
    Collection,
    Rouge,
    ScoreMatrix,
    Scores,
    assessors,
    compare,
    describe,
    gap,
    meta_evaluate,
    power,
    score,
    summarize_collection,
    verdicts,
)
from pyramidion.classy import evaluate, predict, train
from pyramidion.comparison import Comparison, SystemResult, preferences, report
from pyramidion.demo import load_demo, tour
from pyramidion.judges import judge
from pyramidion.meta_evaluation import HumanGap
from pyramidion.pyramid import GroupAgreement, agreement, auto
from pyramidion.pyramid import score as score_pyramids
from pyramidion.questions import Progress
from pyramidion.rewriting import rewrite
from pyramidion.studies import lognormal, references, stability, status
from pyramidion.studio import serve

# The front page.
peers, texts = ["It rained."], [["Rain fell.", "It rained all day."]]
Rouge(n=(1, 2), su=4, stem=True).score(peers, texts)["rouge-2-r"]
collection = Collection.load("mine")
result = compare(collection, measures="responsiveness", tasks="A")
print(result.systems, result.to_frame("pairs"), result.plot("ranking"))
long = pd.DataFrame({"topic": [1, 2], "system": ["a", "b"], "score": [0.5, 0.25]})
wide = pl.DataFrame({"a": [3, 5], "b": [1, 4]})
compare(long)
compare(wide)
print(compare([3, 5], [1, 4]).p)

# What can be compared: paths, tables and objects, several of them, and two lists of scores.
compare("scores.csv")
compare(Path("scores.csv"), source_format="scores")
compare(["first.csv", Path("second.csv")])
compare([long, long])
compare(wide.lazy())
compare(ScoreMatrix(np.zeros((2, 2)), ["T1", "T2"], ["a", "b"]))
compare(Scores.from_judgments([]))
compare(score(collection, metrics="rouge-2"))
compare((3.5, None, 4), (1, 2, 3), margin=0.02)
compare(np.array([3, 5]), np.array([1, 4]))
compare(long["score"], long["score"])
compare(wide["a"], wide["b"])

# One word or several, in a list or a tuple; other packages add tests.
compare(long, cluster="document", model="lmm", random=["topic", "assessor"])
compare(long, measures=["a", "b"], test=("permutation", "hb"), correction="holm")
compare(long, test="sign", n_resamples=99, progress=Progress(message=print))
meta_evaluate(collection, levels=["system", "input"], coefficients="kendall", top=10)
verdicts(collection, human="pyramid", top=[10, "all"], combine="careful,rough")
power(long, difference=0.3, systems=10)[0].plan.typical
report(collection, title="Mine", metrics=["rouge-2"], assessors=True)
preferences(long, columns="first=model_a,second=model_b", cluster="both")

# Results have types, which editors list.
assert_type(result[0].systems[0].mean, float)
assert_type(result.systems, tuple[SystemResult, ...])
assert_type(result.pair, Comparison)
assert_type(result.p, float)
for row in gap(collection, fit="robust", confidence_level=0.9):
    assert_type(row, HumanGap)
    print(f"{row.gap:.2f} [{row.low:.2f}, {row.high:.2f}]", row.by_metric.pairs)
assert_type(agreement("anna", "bert").of_type(GroupAgreement), tuple[GroupAgreement, ...])
print(stability(load_demo()).together.errors[0].p)

# Other pages.
describe(collection).to_markdown()
Rouge(n=2, sentences="lines", stem="nltk", models="best-f")
Rouge(n=(1, 2, 3, 4), w=1.2, s=-1, su=-1, exact=True).score(peers, texts).means()
Rouge(tokenizer=str.split, stem=str.lower)
score(collection, metrics=["rouge-2", "bleu(n=2)"], stem=True).scores
score(collection, metrics=["rouge-2", lambda summary, references: len(summary)])
score_pyramids(collection, system="1").to_scores()
auto(collection, by="similarity", entailment="model", engine="cores").annotations.peers
assessors([collection, "2012"], level="interval", worst_by="alpha").study.severity[0].assessors
judge("mine", rubric="fluency", model="small", answers=Path("answers.jsonl"), dry_run=True)
judge("judged.csv", labels={"topic": ["T1"], "system": ["A"], "value": [4]}).checks[0].answers()
assessors("people.csv", "model.csv").judges
summarize_collection(collection, method=("lead", "sum-avr"), rewrite=["people", "np"])
summarize_collection(["articles", Path("more")], words=100, topic="P01").to_collection()
rewrite("summary.txt", documents="articles", rewrite="people", who=True)[0]
train(years=(collection, "2012"), version="25", task="A", peers="all", features="rose")
predict("classy-2011/6/A/no-models", collection)[0].values
evaluate([collection, "2012"], target="pyramid", method=["regularized", "ranking"])
lognormal(collection).to_frame("models")
references(collection).study
status("mine")[0].examples
tour(folder="pyramidion-demo").folder
pyramidion.score_frame(long, "rouge-2", stem=True)
serve("mine", port=8000)
compare({"topic": ["T1", "T2"], "x": [3, 5], "y": [1, 4]})
