"""Score summaries with ROUGE, print means, and compute scores again without the texts."""

from pyramidion import Rouge

rouge = Rouge(n=(1, 2), l=True, su=4, stem=True)
assert str(rouge) == "rouge-1+2+l+su4(stem)"
assert Rouge.parse("rouge-1+2+l+su4(stem)") == rouge

peers = {
    "T1": "Rain flooded the harbor road.",
    "T2": "The bridge reopened on Tuesday.",
}
references = {
    "T1": ["The harbor road was flooded by rain.", "Heavy rains closed a road."],
    "T2": ["On Tuesday the bridge was opened again."],
}

# By id, or as two lists of the same length and order.
scores = rouge.score(peers, references)
print(scores.as_dict()["T1"]["rouge-2-f"])
print(scores["rouge-su4-r"])  # an array, in the order of scores.ids

mean = scores.mean("rouge-1-f")
print(f"{mean.mean:.3f} [{mean.low:.3f}, {mean.high:.3f}], n = {mean.n}")

# The counts from which recall, precision and F are computed, item by item.
counts = scores.statistics["rouge-1"]
assert (counts.hits / counts.model == scores["rouge-1-r"]).all()

# Any script; a text may also be a list of sentences.
unicode = Rouge(n=1, l=False, tokenizer="unicode")
print(unicode.score([["东京的夏天很热。"]], [["东京夏天热。"]])["rouge-1"])

# ROUGE-1.5.5's numbers, to the digit.
exact = Rouge(n=(1, 2), stem=True, exact=True)
print(exact.score(peers, references).mean("rouge-2-r"))
