"""Who did what: words, heads and names."""

from pyramidion.text import load_parser

parser = load_parser()  # this package's pipeline, or the light parser without spaCy
[words] = parser.parse(["Sen. Dana Whitfield rejected the plan."])

rejected = next(word for word in words if word.relation == "root")
assert (rejected.text, rejected.lemma, rejected.tag) == ("rejected", "reject", "VERB")

[subject] = [word for word in words if word.relation == "subject"]
assert words[subject.head] is rejected
assert [word.text for word in words if word.entity == "person"] == ["Dana", "Whitfield"]
assert words[0].relation == "title"
