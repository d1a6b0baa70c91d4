import inspect
import re
from dataclasses import replace

import pytest
from hypothesis import given

from collection.refusals import refusal
from collection.strategies import collections, few_examples
from pyramidion.checks import find_problems
from pyramidion.checks.structure import pyramid_problems
from pyramidion.collection import (
    SCALES,
    SCU,
    AspectSpan,
    Category,
    Collection,
    Contributor,
    Document,
    Finding,
    Judgment,
    Part,
    PeerAnnotation,
    Pyramid,
    Scale,
    Scores,
    Summary,
    Task,
    Topic,
)
from pyramidion.collection.checking import require_consistent
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.collection.summaries import Aspect
from pyramidion.errors import ShapeError

PYRAMID = Pyramid.from_references(
    {"A": "Ice melts.", "B": "The ice is melting."},
    [("Ice melts", {"A": ["Ice melts"], "B": ["ice is melting"]})],
)
SAID = Contributor((Part(0, 3, "Ice"),))
PEER = PeerAnnotation(
    PYRAMID, "Ice melted.", (SCU("1", "(2) Ice melts", (SAID,)), SCU(NOT_IN_PYRAMID, "none"))
)


def topic(id, *documents, category="4"):
    return Topic(id, category=category, documents=documents or (Document("d", "Ice."),))


def summaries_of(id, task="A"):
    return (
        Summary(id, "A", "Ice melts.", task, "human"),
        Summary(id, "B", "The ice is melting.", task, "human"),
        Summary(id, "7", "Ice melted.", task),
        Summary(id, "8", "Ice.", task),
    )


def judged(*rows):
    return Scores.from_judgments(Judgment(*row[:4], **row[4]) for row in rows)


SOUND = Collection(
    "sound",
    tasks=(Task("A", word_limit=4),),
    scales={"responsiveness": SCALES["responsiveness"], "coverage": SCALES["coverage"]},
    categories=(Category("9", "People", (Aspect("9.1", "WHO"),)),),
    topics=(topic("T1"), topic("T2", category="9"), topic("T10", category="")),
    summaries=(*summaries_of("T1"), *summaries_of("T2"), *summaries_of("T10")),
    scores=judged(
        ("T1", "7", "responsiveness", 5, {"task": "A", "assessor": "K"}),
        ("T1", "7", "responsiveness", 4, {"task": "A", "assessor": "L"}),
        ("T1", "A", "responsiveness", 5, {"task": "A", "kind": "human"}),
        ("T1", "7", "coverage", 40, {"task": "A", "unit": "A/1"}),
        ("T1", "7", "coverage", 60, {"task": "A", "unit": "A/2"}),
        ("T1", "7", "rouge-2-r", 0.123, {"task": "A"}),
    ),
    pyramids={("A", "T1"): PYRAMID},
    peer_annotations={("A", "T1", "7"): PEER},
)


def with_summaries(*more, **changes):
    return replace(SOUND, summaries=(*SOUND.summaries, *more), **changes)


def with_scores(*rows):
    return replace(SOUND, scores=Scores.concatenate([SOUND.scores, judged(*rows)]))


def with_topics(*topics):
    return replace(SOUND, topics=topics)


def with_pyramid(pyramid):
    return replace(SOUND, pyramids={("A", "T1"): pyramid}, peer_annotations={})


def contributor(text, quotation):
    start = text.index(quotation)
    return Contributor((Part(start, start + len(quotation), quotation),))


# For each kind of problem: a collection that has it, and the problem.
SHOWN = {
    "duplicated task": (
        replace(SOUND, tasks=(Task("A", word_limit=9), Task("A", word_limit=8))),
        Finding("duplicated task", "A", "it occurs 2 times; rename one", fatal=True),
    ),
    "duplicated category": (
        replace(SOUND, categories=(*SOUND.categories, Category("9", "Persons"))),
        Finding("duplicated category", "9", "it occurs 2 times; rename one", fatal=True),
    ),
    "duplicated aspect": (
        replace(SOUND, categories=(*SOUND.categories, Category("8", "", (Aspect("9.1", "WHO"),)))),
        Finding("duplicated aspect", "9.1", "it occurs 2 times; rename one", fatal=True),
    ),
    "duplicated topic": (
        with_topics(*SOUND.topics, topic("T2")),
        Finding("duplicated topic", "T2", "it occurs 2 times; rename one", fatal=True),
    ),
    "duplicated document": (
        with_topics(topic("T1", *[Document("d", "Ice.")] * 3), topic("T2"), topic("T10")),
        Finding(
            "duplicated document",
            "T1, document d",
            "it occurs 3 times; rename one",
            fatal=True,
        ),
    ),
    "duplicated summary": (
        with_summaries(Summary("T1", "7", "Again.", "A")),
        Finding(
            "duplicated summary",
            "T1, task A, 7",
            "it occurs 2 times; keep one for each task, topic and system",
            fatal=True,
        ),
    ),
    "repeated score": (
        with_scores(("T1", "7", "responsiveness", 3, {"task": "A", "assessor": "K"})),
        Finding(
            "repeated score",
            "T1, task A, 7, responsiveness",
            "keep one, or distinguish them by assessor, run or occasion",
            fatal=True,
        ),
    ),
    "incomplete score": (
        with_scores(("T1", "", "responsiveness", 3, {"task": "A"})),
        Finding("incomplete score", "row 7 of the scores", "add its system"),
    ),
    "conflicting kinds": (
        with_scores(("T2", "A", "responsiveness", 3, {"task": "A"})),
        Finding(
            "conflicting kinds",
            "A",
            "it is human in some places and a machine in others",
            fatal=True,
        ),
    ),
    "unknown topic": (
        with_scores(("T3", "7", "responsiveness", 3, {"task": "A"})),
        Finding("unknown topic", "T3", "add it to the topics, or fix the id"),
    ),
    "topic without summaries": (
        with_topics(*SOUND.topics, topic("T3")),
        Finding("topic without summaries", "T3, task A", "add some, or remove the topic"),
    ),
    "topic without documents": (
        with_topics(Topic("T1"), topic("T2"), topic("T10")),
        Finding("topic without documents", "T1", "add its documents"),
    ),
    "task without documents": (
        replace(SOUND, tasks=(*SOUND.tasks, Task("B", documents="B", known=("base",)))),
        Finding("task without documents", "B", "no document is in set 'B'; available: base"),
    ),
    "documents without a task": (
        replace(
            SOUND,
            tasks=(Task("A", documents="base", word_limit=4),),
            topics=(
                topic("T1", Document("d", "x", set="bsae"), Document("e", "x")),
                *SOUND.topics[1:],
            ),
        ),
        Finding("documents without a task", "bsae", "no task refers to this set"),
    ),
    "empty document": (
        with_topics(topic("T1", Document("d", " \n")), topic("T2"), topic("T10")),
        Finding("empty document", "T1, document d", "add its text, or remove it"),
    ),
    "unknown category": (
        with_topics(topic("T1", category="7"), topic("T2"), topic("T10")),
        Finding("unknown category", "T1", "declare category 7"),
    ),
    "unknown aspect": (
        replace(
            SOUND,
            summaries=(
                *(s for s in SOUND.summaries if s.key != ("A", "T1", "7")),
                Summary("T1", "7", "Ice melted.", "A", aspects=(AspectSpan(0, 3, "9.7"),)),
            ),
        ),
        Finding("unknown aspect", "T1, task A, 7: 9.7", "declare it"),
    ),
    "no references": (
        replace(
            SOUND,
            summaries=tuple(
                s for s in SOUND.summaries if not (s.topic == "T2" and s.kind == "human")
            ),
        ),
        Finding("no references", "T2, task A", "add reference summaries"),
    ),
    "empty summary": (
        replace(
            SOUND,
            summaries=(
                *(s for s in SOUND.summaries if s.key != ("A", "T1", "7")),
                Summary("T1", "7", (" ", ""), "A"),
            ),
        ),
        Finding("empty summary", "T1, task A, 7", "it scores 0; is that intended?"),
    ),
    "summary over the limit": (
        replace(
            SOUND,
            summaries=(
                *(s for s in SOUND.summaries if s.key != ("A", "T1", "7")),
                Summary("T1", "7", "one two three four five", "A"),
            ),
        ),
        Finding(
            "summary over the limit",
            "T1, task A, 7",
            "5 words, the limit is 4: NIST would truncate it",
        ),
    ),
    "missing summaries": (
        replace(SOUND, summaries=tuple(s for s in SOUND.summaries if s.key != ("A", "T2", "8"))),
        Finding("missing summaries", "8, task A", "1 topic that other systems have (T2)"),
    ),
    "score off its scale": (
        with_scores(("T2", "7", "coverage", 50, {"task": "A", "unit": "A/1"})),
        Finding(
            "score off its scale",
            "T2, task A, 7, coverage",
            "50 is not on the scale from 0 to 100 in steps of 20",
        ),
    ),
    "duplicated SCU": (
        with_pyramid(replace(PYRAMID, scus=PYRAMID.scus * 2)),
        Finding(
            "duplicated SCU",
            "pyramid of T1, task A, SCU 1",
            "it occurs 2 times; give it another uid",
            fatal=True,
        ),
    ),
    "contributor in no reference": (
        with_pyramid(
            replace(
                PYRAMID, scus=(*PYRAMID.scus, SCU("5", "Rule", (contributor(PYRAMID.text, "---"),)))
            )
        ),
        Finding("contributor in no reference", "pyramid of T1, task A, SCU 5", "check its offsets"),
    ),
    "contributor in two references": (
        with_pyramid(
            replace(
                PYRAMID,
                scus=(
                    SCU(
                        "5",
                        "Ice",
                        (
                            Contributor(
                                (
                                    *contributor(PYRAMID.text, "is melting").parts,
                                    *contributor(PYRAMID.text, "Ice").parts,
                                )
                            ),
                        ),
                    ),
                ),
            )
        ),
        Finding(
            "contributor in two references",
            "pyramid of T1, task A, SCU 5",
            "its parts are in A, B; it counts for the first",
        ),
    ),
    "content unit called 0": (
        with_pyramid(replace(PYRAMID, scus=(replace(PYRAMID.scus[0], uid="0"),))),
        Finding(
            "content unit called 0",
            "pyramid of T1, task A, SCU 0",
            "uid 0 is reserved for content outside the pyramid; give it another uid",
        ),
    ),
    "headers not found": (
        with_pyramid(replace(PYRAMID, start_document_regex="(-+)+x")),
        Finding(
            "headers not found",
            "pyramid of T1, task A",
            "startDocumentRegEx finds no header; lines of dashes are used instead",
        ),
    ),
    "SCU twice in one reference": (
        with_pyramid(
            replace(
                PYRAMID,
                scus=(
                    SCU("5", "Ice", tuple(contributor(PYRAMID.text, x) for x in ("Ice", "melts"))),
                ),
            )
        ),
        Finding(
            "SCU twice in one reference",
            "pyramid of T1, task A, SCU 5",
            "2 contributors in A add 2 to its weight, as in DUCView, "
            "or 1 with --weights references",
        ),
    ),
    "pyramid of other references": (
        with_pyramid(Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])),
        Finding(
            "pyramid of other references",
            "pyramid of T1, task A",
            "1 references, the collection has 2",
        ),
    ),
    "unknown SCU": (
        replace(
            SOUND,
            peer_annotations={("A", "T1", "7"): replace(PEER, scus=(*PEER.scus, SCU("4", "?")))},
        ),
        Finding(
            "unknown SCU", "peer annotation of T1, task A, 7, SCU 4", "it is not in the pyramid"
        ),
    ),
    "other pyramid": (
        replace(
            SOUND,
            peer_annotations={
                ("A", "T1", "7"): replace(
                    PEER, pyramid=replace(PYRAMID, scus=(*PYRAMID.scus, SCU("2", "x")))
                )
            },
        ),
        Finding(
            "other pyramid",
            "peer annotation of T1, task A, 7",
            "SCU 2 differs from the topic's pyramid; the annotation is scored with the "
            "pyramid that it contains",
        ),
    ),
    "empty pyramid": (
        with_pyramid(replace(PYRAMID, scus=(SCU("1", "x"),))),
        Finding(
            "empty pyramid",
            "pyramid of T1, task A",
            "no reference expresses a content unit; annotate the references",
        ),
    ),
    "peer without content": (
        replace(
            SOUND, peer_annotations={("A", "T1", "7"): replace(PEER, scus=(SCU("1", "(2) x"),))}
        ),
        Finding(
            "peer without content",
            "peer annotation of T1, task A, 7",
            "it expresses no content unit and scores 0; is that intended?",
        ),
    ),
    "SCU twice in one annotation": (
        replace(SOUND, peer_annotations={("A", "T1", "7"): replace(PEER, scus=PEER.scus[:1] * 2)}),
        Finding(
            "SCU twice in one annotation",
            "peer annotation of T1, task A, 7, SCU 1",
            "it occurs 2 times; its contributors are combined",
        ),
    ),
    "weight unlike the label's": (
        replace(
            SOUND,
            peer_annotations={
                ("A", "T1", "7"): replace(PEER, scus=(SCU("1", "(3) Ice melts", (SAID,)),))
            },
        ),
        Finding(
            "weight unlike the label's",
            "peer annotation of T1, task A, 7, SCU 1",
            "its label says 3, it has 2 contributors; are some missing?",
        ),
    ),
}


def test_nothing_is_wrong_with_the_sound_one():
    assert find_problems(SOUND) == []
    require_consistent(SOUND)


def test_nothing_is_wrong_with_nothing():
    assert find_problems(Collection("empty")) == []


@pytest.mark.parametrize("kind", SHOWN)
def test_problem_is_shown_alone(kind):
    collection, problem = SHOWN[kind]
    assert problem.kind == kind
    assert find_problems(collection) == [problem]


def test_every_kind_of_problem_is_tested():
    modules = map(inspect.getmodule, (pyramid_problems, require_consistent))
    source = "".join(map(inspect.getsource, modules))
    calls = r'(?:(?:yield|return) Finding|yield from find_repeated)\(\s*"([^"]+)"'
    kinds = re.findall(calls, source)
    assert set(kinds) == set(SHOWN)


@pytest.mark.parametrize("kind", SHOWN)
def test_only_double_addresses_are_fatal(kind):
    collection, problem = SHOWN[kind]
    if not problem.fatal:
        require_consistent(collection)
        return
    assert refusal(ShapeError, require_consistent, collection) == (
        f"{kind}: {problem.subject}; {problem.message}; `pyramidion check` lists all"
    )


def test_further_fatal_problems_are_counted():
    collection = with_topics(*SOUND.topics, topic("T1"), topic("T2"), topic("T10"))
    assert refusal(ShapeError, require_consistent, collection).startswith(
        "duplicated topic: T1 (and 2 more such problems); it occurs 2 times"
    )


@few_examples
@given(collections())
def test_drawn_collections_are_consistent_where_it_matters(collection):
    fatal = {problem.kind for problem in find_problems(collection) if problem.fatal}
    assert fatal <= {"conflicting kinds", "duplicated aspect"}


class TestLenience:
    def test_topics_need_not_be_declared(self):
        assert find_problems(replace(SOUND, topics=())) == []

    def test_documents_need_not_be_there(self):
        assert find_problems(with_topics(Topic("T1"), Topic("T2"), Topic("T10"))) == []

    def test_topics_need_no_summaries_where_there_are_none(self):
        assert find_problems(replace(SOUND, summaries=())) == []

    def test_people_need_not_write_on_every_topic(self):
        writer = Summary("T1", "C", "Ice.", "A", "human", role="peer")
        assert find_problems(with_summaries(writer)) == []

    def test_machine_references_need_not_be_everywhere(self):
        model = Summary("T2", "model", "Ice.", "A", "machine", "reference")
        assert find_problems(with_summaries(model)) == []

    def test_categories_of_tac_are_known(self):
        aspects = (AspectSpan(0, 3, "4.1"), AspectSpan(0, 3, "9.1"))
        marked = Summary("T2", "student", "Ice.", "A", "human", "peer", aspects)
        assert find_problems(with_summaries(marked)) == []

    def test_limit_itself_is_allowed(self):
        exact = Summary("T2", "student", "one two three four", "A", "human", "peer")
        assert find_problems(with_summaries(exact)) == []

    def test_tasks_without_a_limit_have_none(self):
        many = tuple(Summary(f"T{n}", "A", "x " * 500, "B", "human") for n in (1, 2, 10))
        assert find_problems(with_summaries(*many)) == []

    def test_any_value_goes_where_no_scale_is_declared(self):
        assert find_problems(with_scores(("T1", "7", "readability", 11, {"task": "A"}))) == []

    def test_repeated_values_are_not_repeated_scores(self):
        more = [("T1", "7", "readability", 3, {"task": "A", "occasion": o}) for o in "12"]
        assert find_problems(with_scores(*more)) == []

    def test_ids_that_read_alike_are_not_the_same(self):
        summaries = (
            Summary("T1", "7", "Ice.", "A", "human"),
            Summary("T1, task A", "7", "Ice.", "", "human"),
        )
        assert find_problems(Collection("x", summaries=summaries)) == []


class TestDetails:
    def test_topic_that_lacks_one_task(self):
        more = (s for id in ("T1", "T10") for s in summaries_of(id, "B"))
        assert find_problems(with_summaries(*more)) == [
            Finding("topic without summaries", "T2, task B", "add some, or remove the topic")
        ]

    def test_unknown_topics_of_all_contents(self):
        collection = replace(
            with_summaries(*summaries_of("T30")),
            pyramids={("A", "T4"): PYRAMID},
            peer_annotations={("A", "T5", "7"): PEER},
        )
        unknown = [p.subject for p in find_problems(collection) if p.kind == "unknown topic"]
        assert unknown == ["T4", "T5", "T30"]

    def test_long_lists_are_shortened_in_natural_order(self):
        topics = [f"T{n}" for n in (10, 9, 8, 2, 1)]
        people = [Summary(t, "A", f"Ice in {t}.", kind="human") for t in topics]
        machines = [Summary(t, "7", f"Snow in {t}.") for t in topics]
        few = [Summary("T1", "8", "Rain.")]
        assert find_problems(Collection("x", summaries=(*people, *machines, *few))) == [
            Finding("missing summaries", "8", "4 topics that other systems have (T2, T8, T9, ...)")
        ]

    def test_scale_without_steps(self):
        scores = judged(("T", "7", "pyramid", 1.25, {}), ("T", "8", "pyramid", 1, {}))
        collection = Collection("x", scores=scores, scales={"pyramid": Scale(0, 1)})
        assert find_problems(collection) == [
            Finding("score off its scale", "T, 7, pyramid", "1.25 is not on the scale from 0 to 1")
        ]

    def test_empty_task_is_not_mentioned(self):
        lonely = Collection("x", summaries=(Summary("T1", "7", "Rain."),))
        assert [problem.subject for problem in find_problems(lonely)] == ["T1"]

    def test_peer_without_its_pyramid_is_compared_with_its_own(self):
        collection = replace(SOUND, pyramids={})
        assert find_problems(collection) == []

    def test_contributor_without_parts(self):
        pyramid = replace(PYRAMID, scus=(*PYRAMID.scus, SCU("2", "x", (Contributor(()),))))
        assert [p.kind for p in find_problems(with_pyramid(pyramid))] == [
            "contributor in no reference"
        ]

    def test_equal_pyramids_in_two_objects_are_no_other_pyramids(self):
        copy = replace(PYRAMID, text=PYRAMID.text)
        peers = {("A", "T1", "7"): replace(PEER, pyramid=copy)}
        assert find_problems(replace(SOUND, peer_annotations=peers)) == []

    def test_several_units_of_another_pyramid(self):
        scus = (replace(PYRAMID.scus[0], contributors=()), SCU("2", "x"), SCU("3", "y"))
        other = replace(PYRAMID, scus=scus)
        peers = {("A", "T1", "7"): replace(PEER, pyramid=other, scus=(SCU("2", "x", (SAID,)),))}
        (problem,) = find_problems(replace(SOUND, peer_annotations=peers))
        assert problem.message.startswith("SCU 1 and 2 more differ from the topic's pyramid")

    def test_uids_of_a_peers_own_pyramid_must_differ(self):
        other = replace(PYRAMID, scus=PYRAMID.scus * 2)
        peers = {("A", "T1", "7"): replace(PEER, pyramid=other)}
        assert refusal(ShapeError, require_consistent, replace(SOUND, peer_annotations=peers)) == (
            "duplicated SCU: peer annotation of T1, task A, 7, SCU 1; it occurs 2 times; "
            "give it another uid; `pyramidion check` lists all"
        )

    def test_a_pyramid_whose_references_are_not_found(self):
        problem, *_ = pyramid_problems(
            Collection(
                "x", pyramids={("", "T1"): Pyramid("Ice melts.", (SCU("1", "Ice", (SAID,)),))}
            )
        )
        assert problem.message.startswith(
            "its text has no references; each needs three header lines"
        )
