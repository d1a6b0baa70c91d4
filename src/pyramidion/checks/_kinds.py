"""The kinds of findings about implausible data: severity, effect, and the option that helps."""

from typing import Any, NamedTuple

from pyramidion.collection.findings import Finding, Repair, Severity


class Kind(NamedTuple):
    """The severity of a finding, its effect on an answer, and the option that fixes it."""

    severity: Severity = "warning"
    effect: str = ""
    fix: str = ""


_DILUTED_EFFECT = "differences between systems look smaller"
_OTHER_TOPICS = "differences are between different topics"
_MEANINGLESS_EFFECT = "comparisons by it are meaningless"
_INPUT_EFFECT = "metrics compare with the input, not with a summary"
_READERS_EFFECT = "metrics that read documents are wrong"
_WRONG_TOPIC_EFFECT = "each summary is judged by another topic"
_AS_REFERENCES_EFFECT = "it scores as well as the references"
_WORDS_EFFECT = "metrics count it as words of the summary"

#: The kinds of findings; by default, a warning without an effect and an option.
KINDS = {
    # Scores and columns
    "assumed direction": Kind("note"),
    "columns exchanged": Kind("note", "topics are compared as systems"),
    "score far from all others": Kind(effect="means of the affected systems are far off"),
    "percentages among fractions": Kind("severe", "a score counts a hundred times"),
    "system on another scale": Kind("severe"),
    "topic on another scale": Kind("severe"),
    "measure that is no score": Kind(effect="it is ranked and tested like a score", fix="exclude"),
    "name changed by a spreadsheet": Kind("severe", "scores of different topics are mixed up"),
    "topic that tests assessors": Kind(effect="it counts like any other topic", fix="exclude"),
    "total among topics": Kind("severe", "it is compared like any other topic", "exclude"),
    "total among systems": Kind("severe", "it is compared like any other system", "exclude"),
    "measure that never varies": Kind(effect=_MEANINGLESS_EFFECT, fix="exclude"),
    "one score for each system": Kind(effect=_MEANINGLESS_EFFECT, fix="exclude"),
    "one score for each topic": Kind(effect=_MEANINGLESS_EFFECT, fix="exclude"),
    "system with the lowest score throughout": Kind(fix="exclude"),
    "system with the same score throughout": Kind(fix="exclude"),
    "system shifted by a topic": Kind("severe", _OTHER_TOPICS),
    "system with a reversed scale": Kind("severe", "its good scores count as bad ones"),
    "measure without a system": Kind("note", "systems are compared by different measures"),
    "zero instead of a score": Kind("severe", "means of some systems are too low", "missing"),
    "assessors shared out unevenly": Kind(effect="a severe judge would look like a bad system"),
    "system with sorted scores": Kind("severe", _OTHER_TOPICS),
    "topics on two scales": Kind("severe", "some topics count as one mark less"),
    "measure that is noise": Kind(effect="scores belong to other summaries"),
    "measure with a reversed scale": Kind("severe", "it rewards bad systems"),
    "measure with sorted scores": Kind("severe", "scores belong to other summaries"),
    "series instead of scores": Kind("severe", "scores are meaningless there"),
    "block of copied scores": Kind(effect="their difference is too small"),
    "scores normalized by system": Kind("severe", "no system can be better than another"),
    "system computed from others": Kind(
        effect="it is compared like any other system", fix="exclude"
    ),
    "best of all systems as a system": Kind(fix="exclude"),
    "scores rounded differently": Kind("note"),
    "systems of one topic each": Kind("severe", "no two systems can be compared"),
    "names joined in one": Kind("severe", "its scores belong to none of them"),
    "labels instead of systems": Kind("note", "each mixes the scores of all systems"),
    "dates instead of judges": Kind(effect="judges cannot be compared or adjusted for"),
    "topics of one system each": Kind("severe", "no two systems can be compared"),
    "measures with identical scores": Kind(effect="one measure counts twice"),
    "zero for every measure": Kind("severe", "means of some systems are too low", "missing"),
    "measure computed from others": Kind("note", fix="exclude"),
    "system that differs on all topics": Kind("note", _OTHER_TOPICS),
    "measure of other summaries": Kind("severe", "scores of a system belong to other summaries"),
    "training items among the topics": Kind("note", "systems may have been trained on them"),
    "judge who exchanged measures": Kind("severe", "the measures look more similar"),
    "judgments without a judge": Kind("note", "they cannot be adjusted for"),
    "measure shifted by a row": Kind("severe", "scores belong to other summaries"),
    "topics in clusters": Kind(effect="similar topics count as independent", fix="cluster"),
    "score that is repeated": Kind(effect="differences between summaries are lost"),
    "system with repeated scores": Kind(effect=_OTHER_TOPICS),
    "topics with identical scores": Kind(effect="one topic counts twice"),
    # Judges
    "judge alone with the summaries": Kind("note"),
    "judge who skips scores": Kind(effect=_DILUTED_EFFECT),
    "judge with a pattern of scores": Kind("severe", _DILUTED_EFFECT, "exclude"),
    "judge with a usual score": Kind(effect=_DILUTED_EFFECT),
    "judge who stopped agreeing": Kind(effect="true differences are diluted"),
    "total among judges": Kind(effect="the others count twice", fix="exclude"),
    "judge with one score for two measures": Kind(effect="the measures look more similar"),
    "one judge for each row": Kind(effect="judges cannot be compared or adjusted for"),
    "judges on different scales": Kind("severe", "systems it saw often are shifted", "exclude"),
    "judge with constant scores": Kind(effect=_DILUTED_EFFECT, fix="exclude"),
    "judge with constant scores at the end": Kind(effect=_DILUTED_EFFECT, fix="exclude"),
    "judge with one score for each topic": Kind(effect=_DILUTED_EFFECT, fix="exclude"),
    "language model among people": Kind("note", fix="exclude"),
    "test account among judges": Kind("note", fix="exclude"),
    "judge with a reversed scale": Kind("severe", "it rewards bad systems", "reverse"),
    "judge shifted by a row": Kind("severe", "true differences are diluted", "exclude"),
    "judge who agrees with nobody": Kind(effect="true differences are diluted", fix="exclude"),
    "systems with different judges": Kind("severe"),
    "judges with identical scores": Kind(effect="one person counts twice", fix="exclude"),
    # Preferences
    "one system per choice": Kind("severe", "no system is compared twice"),
    "one assessor per choice": Kind(effect="agreement between assessors cannot be computed"),
    "unusual share of ties": Kind("severe", "ties count as half a win for both systems"),
    "one side always preferred": Kind("severe", "position and quality cannot be separated"),
    "system always on one side": Kind("note"),
    "system always preferred": Kind("note"),
    "assessor with a pattern of choices": Kind(fix="exclude"),
    "most choices by one assessor": Kind("note"),
    "choices that turn around": Kind("severe", "the two parts cancel each other out"),
    "choices listed twice": Kind(effect="one choice counts twice"),
    "systems never compared": Kind("severe", "their order is meaningless"),
    "reversed assessor": Kind("severe", fix="reverse"),
    "assessor who agrees with nobody": Kind(fix="exclude"),
    "assessor who always ties": Kind(fix="exclude"),
    "assessor who always chooses one side": Kind(fix="exclude"),
    # Texts
    "one text for all topics": Kind("severe", "it says nothing about the system", "exclude"),
    "text of several topics": Kind(effect="they are judged by the wrong topic"),
    "references in another language": Kind("severe", "words of two languages hardly match"),
    "system in another language": Kind("severe", "words of two languages hardly match", "exclude"),
    "texts of another length": Kind(effect="recall and precision depend on the length"),
    "truncated texts": Kind("severe", "recall is too low because text was cut off", "exclude"),
    "same beginning": Kind(effect=_WORDS_EFFECT),
    "number before the text": Kind(effect=_WORDS_EFFECT),
    "same ending": Kind(effect=_WORDS_EFFECT),
    "identical systems": Kind(effect="one system counts twice", fix="exclude"),
    "partly identical systems": Kind(effect="their difference is too small"),
    "nearly identical systems": Kind(effect="one system counts twice"),
    "system that contains another": Kind("note", "its recall is at least that of the other"),
    "words in another order": Kind("severe", "matches longer than a word are lost", "exclude"),
    "words missing": Kind("severe", "metrics compare what is left"),
    "references listed twice": Kind(effect="one reference counts twice"),
    "system equal to a reference": Kind(effect=_AS_REFERENCES_EFFECT, fix="exclude"),
    "system like a reference": Kind("severe", _AS_REFERENCES_EFFECT, "exclude"),
    "reference in the summary": Kind("severe", "recall is perfect", "exclude"),
    "references among the summaries": Kind(effect="they score as well as references"),
    "document in the summary": Kind("severe", "recall is too high", "exclude"),
    "documents shorter than summaries": Kind(effect=_READERS_EFFECT),
    "one document for all topics": Kind("severe", _READERS_EFFECT),
    "documents equal to references": Kind("severe", _INPUT_EFFECT),
    "documents as references": Kind("severe", _INPUT_EFFECT),
    "references of other topics": Kind("severe", _WRONG_TOPIC_EFFECT),
    "documents of other topics": Kind("severe", _WRONG_TOPIC_EFFECT),
    "summaries of other topics": Kind("severe", _WRONG_TOPIC_EFFECT, "exclude"),
    "summaries unlike their topics": Kind("severe", _WRONG_TOPIC_EFFECT, "exclude"),
}


def new_finding(kind: str, subject: str, message: str, name: str = "", **more: Any) -> Finding:
    """Make a finding of a kind; its option repairs the item called `name`.

    Examples
    --------
    >>> new_finding("reversed assessor", "assessor K", "chooses against the others", "K").fix
    '--reverse K'
    """
    severity, effect, fix = KINDS.get(kind, Kind())
    repairs = (Repair(fix, name),) if fix and name else ()
    return Finding(kind, subject, message, **{
        "severity": severity, "effect": effect, "repairs": repairs, **more,
    })  # fmt: skip
