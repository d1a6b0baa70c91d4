"""Check four summaries of one article."""

from pyramidion import Collection, Summary, Topic, faithful
from pyramidion.collection import Document

ARTICLE = (
    "Mayor Ada Lee opened the Ardel bridge on Monday. It cost $12 million, twice the plan. "
    '"We did not check the ground," engineer Omar Finch said. Tolls will rise in March.'
)
SUMMARIES = {
    "copied": "Mayor Ada Lee opened the Ardel bridge on Monday. It cost $12 million.",
    "invented": "Mayor Ada Lee and Nils Borg opened the Ardel bridge. It cost $15 million.",
    "turned": "Tolls for the Ardel bridge will fall in March. Finch said: we did check the ground.",
    "swapped": "Omar Finch opened the Ardel bridge on Monday, mayor Ada Lee said.",
}
topic = Topic("bridge", documents=(Document("d1", ARTICLE),))
summaries = tuple(Summary("bridge", system, text) for system, text in SUMMARIES.items())

for system in faithful(Collection("bridge", topics=(topic,), summaries=summaries)):
    print(system.system, dict(system.statements))
    for verdict in system.checked[0].verdicts:
        for span in verdict.spans:
            print(f"  {span.kind}: {span.text!r} <- {span.evidence.text if span.evidence else '-'}")
