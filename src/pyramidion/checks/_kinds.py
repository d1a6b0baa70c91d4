"""The kinds of findings about implausible data: severity, effect, and the option that helps."""

from typing import Any, NamedTuple

from pyramidion.collection.findings import Finding, Repair, Severity


class FindingKind(NamedTuple):
    """The severity of a finding, its effect on an answer, and the option that fixes it."""

    severity: Severity = "warning"
    effect: str = ""
    fix: str = ""


_DILUTED_EFFECT = "differences between systems look smaller"
_OTHER_TOPICS_EFFECT = "differences are between different topics"
_MEANINGLESS_EFFECT = "comparisons by it are meaningless"
_INPUT_EFFECT = "metrics compare with the input, not with a summary"
_READERS_EFFECT = "metrics that read documents are wrong"
_WRONG_TOPIC_EFFECT = "each summary is judged by another topic"
_AS_REFERENCES_EFFECT = "it scores as well as the references"
_WORDS_EFFECT = "metrics count it as words of the summary"

#: The kinds of findings; by default, a warning without an effect and an option.
KINDS = {
    # Scores and columns
    "assumed direction": FindingKind("note"),
    "columns exchanged": FindingKind("note", "topics are compared as systems"),
    "score far from all others": FindingKind(effect="means of the affected systems are far off"),
    "percentages among fractions": FindingKind("severe", "a score counts a hundred times"),
    "system on another scale": FindingKind("severe"),
    "topic on another scale": FindingKind("severe"),
    "measure that is no score": FindingKind(
        effect="it is ranked and tested like a score", fix="exclude"
    ),
    "name changed by a spreadsheet": FindingKind(
        "severe", "scores of different topics are mixed up"
    ),
    "topic that tests assessors": FindingKind(
        effect="it counts like any other topic", fix="exclude"
    ),
    "total among topics": FindingKind("severe", "it is compared like any other topic", "exclude"),
    "total among systems": FindingKind("severe", "it is compared like any other system", "exclude"),
    "measure that never varies": FindingKind(effect=_MEANINGLESS_EFFECT, fix="exclude"),
    "one score for each system": FindingKind(effect=_MEANINGLESS_EFFECT, fix="exclude"),
    "one score for each topic": FindingKind(effect=_MEANINGLESS_EFFECT, fix="exclude"),
    "system with the lowest score throughout": FindingKind(fix="exclude"),
    "system with the same score throughout": FindingKind(fix="exclude"),
    "system shifted by a topic": FindingKind("severe", _OTHER_TOPICS_EFFECT),
    "system with a reversed scale": FindingKind("severe", "its good scores count as bad ones"),
    "measure without a system": FindingKind("note", "systems are compared by different measures"),
    "zero instead of a score": FindingKind(
        "severe", "means of some systems are too low", "missing"
    ),
    "assessors shared out unevenly": FindingKind(
        effect="a severe judge would look like a bad system"
    ),
    "system with sorted scores": FindingKind("severe", _OTHER_TOPICS_EFFECT),
    "topics on two scales": FindingKind("severe", "some topics count as one mark less"),
    "measure that is noise": FindingKind(effect="scores belong to other summaries"),
    "measure with a reversed scale": FindingKind("severe", "it rewards bad systems"),
    "measure with sorted scores": FindingKind("severe", "scores belong to other summaries"),
    "series instead of scores": FindingKind("severe", "scores are meaningless there"),
    "block of copied scores": FindingKind(effect="their difference is too small"),
    "scores normalized by system": FindingKind("severe", "no system can be better than another"),
    "system computed from others": FindingKind(
        effect="it is compared like any other system", fix="exclude"
    ),
    "best of all systems as a system": FindingKind(fix="exclude"),
    "scores rounded differently": FindingKind("note"),
    "systems of one topic each": FindingKind("severe", "no two systems can be compared"),
    "names joined in one": FindingKind("severe", "its scores belong to none of them"),
    "labels instead of systems": FindingKind("note", "each mixes the scores of all systems"),
    "dates instead of judges": FindingKind(effect="judges cannot be compared or adjusted for"),
    "topics of one system each": FindingKind("severe", "no two systems can be compared"),
    "measures with identical scores": FindingKind(effect="one measure counts twice"),
    "zero for every measure": FindingKind("severe", "means of some systems are too low", "missing"),
    "measure computed from others": FindingKind("note", fix="exclude"),
    "system that differs on all topics": FindingKind("note", _OTHER_TOPICS_EFFECT),
    "measure of other summaries": FindingKind(
        "severe", "scores of a system belong to other summaries"
    ),
    "training items among the topics": FindingKind("note", "systems may have been trained on them"),
    "judge who exchanged measures": FindingKind("severe", "the measures look more similar"),
    "judgments without a judge": FindingKind("note", "they cannot be adjusted for"),
    "measure shifted by a row": FindingKind("severe", "scores belong to other summaries"),
    "topics in clusters": FindingKind(effect="similar topics count as independent", fix="cluster"),
    "score that is repeated": FindingKind(effect="differences between summaries are lost"),
    "system with repeated scores": FindingKind(effect=_OTHER_TOPICS_EFFECT),
    "topics with identical scores": FindingKind(effect="one topic counts twice"),
    # Judges
    "judge alone with the summaries": FindingKind("note"),
    "judge who favors a system": FindingKind(effect="that system looks better, or worse"),
    "judge who skips scores": FindingKind(effect=_DILUTED_EFFECT),
    "judge with a pattern of scores": FindingKind("severe", _DILUTED_EFFECT, "exclude"),
    "judge with a usual score": FindingKind(effect=_DILUTED_EFFECT),
    "judge who stopped agreeing": FindingKind(effect="true differences are diluted"),
    "total among judges": FindingKind(effect="the others count twice", fix="exclude"),
    "judge with one score for two measures": FindingKind(effect="the measures look more similar"),
    "one judge for each row": FindingKind(effect="judges cannot be compared or adjusted for"),
    "judges on different scales": FindingKind(
        "severe", "systems it saw often are shifted", "exclude"
    ),
    "judge with constant scores": FindingKind(effect=_DILUTED_EFFECT, fix="exclude"),
    "judge with constant scores at the end": FindingKind(effect=_DILUTED_EFFECT, fix="exclude"),
    "judge with one score for each topic": FindingKind(effect=_DILUTED_EFFECT, fix="exclude"),
    "language model among people": FindingKind("note", fix="exclude"),
    "test account among judges": FindingKind("note", fix="exclude"),
    "judge with a reversed scale": FindingKind("severe", "it rewards bad systems", "reverse"),
    "judge shifted by a row": FindingKind("severe", "true differences are diluted", "exclude"),
    "judge who agrees with nobody": FindingKind(
        effect="true differences are diluted", fix="exclude"
    ),
    "systems with different judges": FindingKind("severe"),
    "judges with identical scores": FindingKind(effect="one person counts twice", fix="exclude"),
    # Preferences
    "one system per choice": FindingKind("severe", "no system is compared twice"),
    "one assessor per choice": FindingKind(effect="agreement between assessors cannot be computed"),
    "unusual share of ties": FindingKind("severe", "ties count as half a win for both systems"),
    "one side always preferred": FindingKind("severe", "position and quality cannot be separated"),
    "system always on one side": FindingKind("note"),
    "system always preferred": FindingKind("note"),
    "assessor with a pattern of choices": FindingKind(fix="exclude"),
    "most choices by one assessor": FindingKind("note"),
    "choices that turn around": FindingKind("severe", "the two parts cancel each other out"),
    "choices listed twice": FindingKind(effect="one choice counts twice"),
    "systems never compared": FindingKind("severe", "their order is meaningless"),
    "reversed assessor": FindingKind("severe", fix="reverse"),
    "assessor who agrees with nobody": FindingKind(fix="exclude"),
    "assessor who always ties": FindingKind(fix="exclude"),
    "assessor who always chooses one side": FindingKind(fix="exclude"),
    # Texts
    "one text for all topics": FindingKind("severe", "it says nothing about the system", "exclude"),
    "text of several topics": FindingKind(effect="they are judged by the wrong topic"),
    "references in another language": FindingKind("severe", "words of two languages hardly match"),
    "system in another language": FindingKind(
        "severe", "words of two languages hardly match", "exclude"
    ),
    "texts of another length": FindingKind(effect="recall and precision depend on the length"),
    "references of another length": FindingKind(
        "note", "recall and precision depend on the length"
    ),
    "truncated texts": FindingKind(
        "severe", "recall is too low because text was cut off", "exclude"
    ),
    "same beginning": FindingKind(effect=_WORDS_EFFECT),
    "number before the text": FindingKind(effect=_WORDS_EFFECT),
    "same ending": FindingKind(effect=_WORDS_EFFECT),
    "identical systems": FindingKind(effect="one system counts twice", fix="exclude"),
    "partly identical systems": FindingKind(effect="their difference is too small"),
    "nearly identical systems": FindingKind(effect="one system counts twice"),
    "system that contains another": FindingKind("note", "its recall is at least that of the other"),
    "words in another order": FindingKind(
        "severe", "matches longer than a word are lost", "exclude"
    ),
    "words missing": FindingKind("severe", "metrics compare what is left"),
    "references listed twice": FindingKind(effect="one reference counts twice"),
    "system equal to a reference": FindingKind(effect=_AS_REFERENCES_EFFECT, fix="exclude"),
    "system like a reference": FindingKind("severe", _AS_REFERENCES_EFFECT, "exclude"),
    "reference in the summary": FindingKind("severe", "recall is perfect", "exclude"),
    "references among the summaries": FindingKind(effect="they score as well as references"),
    "document in the summary": FindingKind("severe", "recall is too high", "exclude"),
    "documents shorter than summaries": FindingKind(effect=_READERS_EFFECT),
    "one document for all topics": FindingKind("severe", _READERS_EFFECT),
    "documents equal to references": FindingKind("severe", _INPUT_EFFECT),
    "documents as references": FindingKind("severe", _INPUT_EFFECT),
    "references of other topics": FindingKind("severe", _WRONG_TOPIC_EFFECT),
    "documents of other topics": FindingKind("severe", _WRONG_TOPIC_EFFECT),
    "summaries of other topics": FindingKind("severe", _WRONG_TOPIC_EFFECT, "exclude"),
    "summaries unlike their topics": FindingKind("severe", _WRONG_TOPIC_EFFECT, "exclude"),
}


def new_finding(kind: str, subject: str, message: str, name: str = "", **more: Any) -> Finding:
    """Make a finding of a kind; its option repairs the item called `name`.

    Examples
    --------
    >>> new_finding("reversed assessor", "assessor K", "chooses against the others", "K").fix
    '--reverse K'
    >>> new_finding("reversed assessor", "several assessors", "choose against the others").repairs
    ()
    """
    severity, effect, fix = KINDS.get(kind, FindingKind())
    repairs = (Repair(fix, name),) if fix and name else ()
    return Finding(kind, subject, message, **{
        "severity": severity, "effect": effect, "repairs": repairs, **more,
    })  # fmt: skip
