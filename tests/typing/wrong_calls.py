"""Wrong calls: type checkers report each line that ends with a comment, and no other line."""

from pathlib import Path

from pyramidion import (
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
from pyramidion.collection import Collection
from pyramidion.comparison import checklists, compare_by_units, preferences, report
from pyramidion.demo import tour
from pyramidion.judges import judge
from pyramidion.metrics import describe_metrics
from pyramidion.pyramid import agreement, auto
from pyramidion.pyramid import score as score_pyramids
from pyramidion.rewriting import rewrite
from pyramidion.studies import composite, difficulty, references, stability, vocabulary
from pyramidion.studio import serve

data = Collection("mine")

# An unknown option, in each family of questions.
compare("f.csv", correciton="holm")  # wrong
compare(data, measure="rouge-2")  # wrong
compare(data, resamples=99)  # wrong
power(data, topics=100)  # wrong
report(data, title_="Mine")  # wrong
preferences(data, task="A")  # wrong
checklists(data, topic="T1")  # wrong
compare_by_units(data, tests="wilcoxon")  # wrong
gap("x", fits="ols")  # wrong
verdicts(data, humans="pyramid")  # wrong
meta_evaluate(data, level="system")  # wrong
assessors(data, measure="fluency")  # wrong
judge(data, models="small")  # wrong
describe(data, format="csv")  # wrong
score(data, measures="rouge-2")  # wrong
describe_metrics(names="bleu")  # wrong
score_pyramids(data, systems="1")  # wrong
agreement(data, data, peers=True)  # wrong
auto(data, models="model.json")  # wrong
stability(data, equal=0.06)  # wrong
summarize_collection(data, methods="lead")  # wrong
rewrite("summary.txt", document="article.txt")  # wrong
train(data, versions="25")  # wrong
predict("model.json", data, tasks="A")  # wrong
evaluate(data, target="pyramid", metrics="bleu")  # wrong
composite(data, component=2)  # wrong
difficulty(data, coefficient="pearson")  # wrong
vocabulary(data, stems=True)  # wrong
references(data, resamples=99)  # wrong
serve(data="mine")  # wrong
tour(output="folder")  # wrong

# A missing or superfluous argument.
compare()  # wrong
describe()  # wrong
rewrite()  # wrong
predict("model.json")  # wrong
evaluate(data)  # wrong
gap("x", "y")  # wrong
describe(data, "csv")  # wrong

# A value of the wrong type, or a word that is not a choice.
gap("x", fit=42)  # wrong
gap("x", fit="cubic")  # wrong
compare(3)  # wrong
compare({"a": 3})  # wrong
compare([3, 5], [1, "4"])  # wrong
compare("a.csv", "b.csv")  # wrong
compare(data, correction="bonferroni")  # wrong
compare(data, seed="one")  # wrong
compare(data, alpha=None)  # wrong
compare(data, measures=2)  # wrong
compare(data, random=["topics"])  # wrong
meta_evaluate(data, levels=["system", "inputs"])  # wrong
summarize_collection(data, words="hundred")  # wrong
summarize_collection(["a.txt", 5])  # wrong
rewrite(Path("summary.txt"), rewrite="persons")  # wrong
describe(None)  # wrong

# An attribute that results do not have.
print(compare("x").sistems)  # wrong
print(compare("x")[0].systems[0].average)  # wrong
print(gap("x")[0].p_value)  # wrong
print(score(data).means)  # wrong
print(difficulty(data)[0].topic)  # wrong
