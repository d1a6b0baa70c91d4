"""Rank a summary of the topic and a summary of another topic with a published model."""

from pyramidion.classy import predict
from pyramidion.collection import Collection, Summary

people = [
    "A ferry caught fire in the strait on Saturday. Six people died.",
    "Six died when a ferry burned on Saturday. Hundreds left in lifeboats.",
    "Fire broke out on a ferry in the strait. Hundreds were saved.",
]
summaries = [
    Summary("T1", name, text, kind="human") for name, text in zip("ABC", people, strict=True)
]
summaries += [
    Summary("T1", "on topic", "A ferry caught fire in the strait. Six people died on Saturday."),
    Summary("T1", "elsewhere", "The council closed two schools. Parents protested on Monday."),
]
mine = Collection("mine", summaries=tuple(summaries))
(prediction,) = predict("classy-2011/6/A/no-models", mine)
for summary, value in zip(prediction.summaries, prediction.values, strict=True):
    print(summary.system, round(float(value), 2))

assert prediction.values[0] > prediction.values[1]
