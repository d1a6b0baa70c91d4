"""Articles about several stories: how they are grouped, headlined and summarized."""

import json

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import Collection, Document, Scores, Summary, Topic
from pyramidion.errors import InputError
from pyramidion.summarizers import summarize_collection

FLOOD = (
    "Heavy rain flooded the harbor road in Ardel on Monday, and 42 families left their homes. "
    "Mayor Ida Lind opened the old school as a shelter for the families. The harbor road in "
    "Ardel had last been flooded ten years ago, according to the records of Ardel. Repairs of "
    "the road will cost three million crowns, said Mayor Ida Lind, who visited the harbor in "
    "the evening with Lind's deputy. The families may return to Ardel on Friday if the rain "
    "stops.",
    "Floods in Ardel drove 42 families from their homes on Monday. In the harbor, rain covered "
    "the harbor road, which will be closed for a week. The mayor of Ardel, Ida Lind, said that "
    "the school is a shelter now. Helpers of the Red Cross brought food to the families in "
    "Ardel. The rain in Ardel was the heaviest in ten years, and the repairs of the harbor road "
    "are expected to cost three million crowns, as Mayor Ida Lind told the council of Ardel.",
    "Rain is expected to stop on Friday in Ardel, where 42 families had to leave their homes. "
    "Their shelter is the old school, which Mayor Ida Lind opened on Monday. Workers began to "
    "clear the harbor road of mud and stones. The repairs in Ardel will cost three million "
    "crowns, and the council of Ardel has asked the government for help, said Mayor Ida Lind at "
    "the harbor.",
)
TRIAL = (
    "A court in Skov sentenced the banker Per Holm to six years in prison for fraud on Tuesday. "
    "The judge Eva Brandt said that Holm had deceived hundreds of customers of the bank "
    "Norlinje. His lawyer Tom Riis announced that Holm would appeal. The trial in Skov had "
    "begun in spring. Holm moved money of the customers to companies that belonged to Holm's "
    "brother, the court found.",
    "The banker Per Holm must go to prison for six years. He was convicted of fraud in Skov on "
    "Tuesday. Customers of Norlinje lost their savings, and many of them came to the trial in "
    "Skov. According to the judge, Eva Brandt, the fraud of Per Holm lasted four years. The "
    "lawyer of Holm, Tom Riis, called the sentence far too harsh and will appeal against it, "
    "said Tom Riis.",
)
STRAY = (
    "The telescope on Mount Vorrin has found a comet, astronomers of the University of Lund "
    "said. The comet will pass near the orbit of Venus in two years. Students of the astronomer "
    "Lena Dahl saw it first, when they tested a camera of the telescope. Lena Dahl wants to "
    "name it Vorrin. Comets consist of ice and dust, and most of them come from the Oort cloud "
    "beyond Neptune."
)


def pile(*texts, **options):
    documents = tuple(Document(f"d{k}", text) for k, text in enumerate(texts, start=1))
    return Collection("pile", topics=(Topic("T", documents=documents, **options),))


def stories(*texts, **options):
    return summarize_collection(pile(*texts), stories=True, words=40, **options)


def test_stories_are_separated_and_a_stray_article_is_alone():
    result = stories(FLOOD[0], TRIAL[0], FLOOD[1], STRAY, TRIAL[1], FLOOD[2])
    assert [set(s.story.documents) for s in result] == [{"d1", "d3", "d6"}, {"d2", "d5"}, {"d4"}]
    for summary in result:
        used = {sentence.document for sentence in summary.extract.sentences}
        assert used <= set(summary.story.documents)
    assert [s.topic.id for s in result] == ["T-story1", "T-story2", "T-story3"]


def test_the_order_of_articles_does_not_matter():
    texts = (*FLOOD, *TRIAL, STRAY)
    forwards, back = stories(*texts), stories(*texts[::-1])
    assert [len(s.story.documents) for s in forwards] == [len(s.story.documents) for s in back]
    assert sorted(s.text for s in forwards) == sorted(s.text for s in back)


def test_one_story_stays_as_it_is():
    result = stories(*FLOOD)
    assert [s.story for s in result] == [None]
    assert result[0].topic.id == "T"
    assert result[0].text == summarize_collection(pile(*FLOOD), words=40)[0].text


def test_copies_of_an_article_are_about_its_story():
    result = stories(TRIAL[0], FLOOD[0], FLOOD[0], FLOOD[0], TRIAL[1])
    assert [set(s.story.documents) for s in result] == [{"d2", "d3", "d4"}, {"d1", "d5"}]


def test_a_headline_is_preferred_to_a_first_sentence():
    documents = [Document(f"d{k}", text) for k, text in enumerate((*FLOOD, *TRIAL))]
    documents[1] = Document("d1", FLOOD[1], headline="Ardel under water")
    collection = Collection("pile", topics=(Topic("T", documents=tuple(documents)),))
    result = summarize_collection(collection, stories=True, words=40)
    assert result[0].story.headline == "Ardel under water"
    assert result[1].story.headline in (
        TRIAL[0].split(". ")[0] + ".",
        TRIAL[1].split(". ")[0] + ".",
    )


@pytest.mark.parametrize(
    ("texts", "noted"), [((*FLOOD, *TRIAL), True), (FLOOD, False), (FLOOD[:1], False)]
)
def test_several_stories_are_noted(texts, noted):
    notes = summarize_collection(pile(*texts), words=40)[0].extract.notes
    assert any("cover 2 stories: --stories" in note for note in notes) == noted


def test_reviews_are_not_noted():
    texts = ("Great battery, and the screen is bright.", "I hate the noise of the fan, sadly.")
    notes = summarize_collection(pile(*texts), words=20)[0].extract.notes
    assert not any("stories" in note for note in notes)


def test_summaries_of_the_whole_topic_are_left_out_and_listed():
    collection = pile(*FLOOD, *TRIAL)
    reference = Summary("T", "anna", "All of it.", role="reference")
    collection = Collection("pile", topics=collection.topics, summaries=(reference,))
    result = summarize_collection(collection, stories=True, words=40)
    assert any("1 summary of all its stories together" in line for line in result.left_out)
    assert {s.topic for s in result.to_collection().summaries} == {"T-story1", "T-story2"}


def test_unknown_topics_are_refused():
    with pytest.raises(InputError, match="X"):
        stories(*FLOOD, topic="X")


def test_what_the_command_prints(tmp_path, capsys):
    for k, text in enumerate((*FLOOD, *TRIAL), start=1):
        (tmp_path / f"d{k}.txt").write_text(text)
    assert runtime.run(["summarize", str(tmp_path), "--stories", "--words", "30"]) == 0
    out, err = capsys.readouterr()
    assert "Story 1 of 2: " in out
    assert "\n\nSources: d4, d5\n" in out or "\n\nSources: d5, d4\n" in out
    assert "these articles cover 2 stories" in err
    assert runtime.run(["summarize", str(tmp_path), "--stories", "--format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["results"]
    assert second["story"]["documents"] in (["d4", "d5"], ["d5", "d4"])
    assert (first["story"]["number"], first["story"]["total"]) == (1, 2)


def test_a_language_model_is_asked_about_each_story():
    result = summarize_collection(
        pile(FLOOD[0], TRIAL[0], FLOOD[1], TRIAL[1]),
        stories=True,
        method="llm(url=http://127.0.0.1:1/v1)",
        dry_run=True,
    )
    floods, trial = (json.dumps(prompt["messages"]) for prompt in result)
    assert "Ida Lind" in floods
    assert "Per Holm" not in floods
    assert "Per Holm" in trial
    assert "Ida Lind" not in trial


def test_scores_and_pyramids_of_all_stories_together_are_left_out():
    topics = (pile(*FLOOD, *TRIAL).topics[0], Topic("other", documents=(Document("d", STRAY),)))
    name = topics[0].id
    scores = Scores(
        {
            "topic": [name, "other"],
            "system": ["a"] * 2,
            "measure": ["m"] * 2,
            "kind": ["machine"] * 2,
        },
        [1, 2],
    )
    summaries = (Summary(name, "a", "Rain fell."), Summary("other", "a", "Rain fell."))
    collection = Collection("x", topics=topics, summaries=summaries, scores=scores)
    result = summarize_collection(collection, stories=True, words=40)
    line = f"{name}: 1 summary, 1 score of all its stories together"
    assert line in result.left_out
    saved = result.to_collection()
    assert saved.scores.columns["topic"].tolist() == ["other"]
    assert {summary.topic for summary in saved.summaries} == {*saved.topic_ids}


def test_a_story_is_not_called_like_another_topic():
    first = pile(*FLOOD, *TRIAL).topics[0]
    other = Topic(f"{first.id}-story2", documents=(Document("d", STRAY),))
    with pytest.raises(
        InputError, match=r"would have the same name as another topic: .*-story2; rename that topic"
    ):
        summarize_collection(Collection("x", topics=(first, other)), stories=True)
