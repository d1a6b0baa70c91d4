"""Inputs."""

import numpy as np
import pytest

from pyramidion.collection import Collection, Document, Summary, Task, Topic
from pyramidion.errors import InputError
from pyramidion.summarizers import Source, query_of
from pyramidion.summarizers.sentences import (
    cut_after,
    length_of,
    reading_for,
    sentences_of,
    word_counts,
)
from pyramidion.text.encoding import Reading
from summarizers.inputs import source_of


def test_sentences_know_where_they_come_from():
    source = source_of("Rain fell. It was cold.", "", "Goats were sold.")
    assert [
        (sentence.document, sentence.index, sentence.words) for sentence in source.sentences
    ] == [
        ("1", 0, 2),
        ("1", 1, 3),
        ("3", 0, 3),
    ]
    assert source.homes.tolist() == [0, 0, 2]


def test_wrapped_lines_are_put_on_one():
    source = source_of("LISBON, April 12 (HNS) - Heavy rain\nfell on  Ardel.\n\nIt was\ncold.")
    assert source.texts == ("Heavy rain fell on Ardel.", "It was cold.")


def test_words_are_counted():
    source = source_of(
        "Rain, rain fell on roads.", "The road.", query="Which road?", known=["Mud."]
    )
    assert list(source.words) == ["rain", "fall", "road", "mud"]
    assert source.table.toarray().tolist() == [[2, 1, 1, 0], [0, 0, 1, 0]]
    assert source.wording.presence.toarray().tolist() == [[1, 1, 1, 0], [0, 0, 1, 0]]
    assert source.counts.tolist() == [2, 1, 2, 0]
    assert source.query.tolist() == [0, 0, 1, 0]
    assert source.known_counts.tolist() == [0, 0, 0, 1]
    assert source.wording.known_table.toarray().tolist() == [[0, 0, 0, 1]]


def test_references_are_read_only_on_demand():
    source = source_of("Rain fell.", references=["Goats! Rain."])
    assert list(source.words) == ["rain", "fall"]
    wording = source.read(source.reading, references=True)
    assert [[own.tolist() for own in text] for text in wording.references] == [[[2], [0]]]


@pytest.mark.parametrize("texts", [[], [""], ["  \n ", ""]])
def test_nothing_to_summarize_is_refused(texts):
    with pytest.raises(InputError, match="nothing to summarize; pass documents with text"):
        Source.of_texts(texts)


def test_two_documents_of_one_name_are_refused():
    with pytest.raises(InputError, match="two documents are called 'a'; give each a different id"):
        Source.of_documents([Document("a", "Rain."), Document("b", "Mud."), Document("a", "Fog.")])


def collection(documents="update"):
    topic = Topic(
        "T1",
        "Ardel rain",
        "What fell?",
        "4",
        documents=(Document("a", "Rain fell."), Document("b", "Mud came.", "update")),
    )
    tasks = (Task("A", documents="base"), Task("B", documents=documents))
    summary = Summary("T1", "H", "Mud.", "B", kind="human")
    return Collection("mine", tasks=tasks, topics=(topic,), summaries=(summary,))


def test_a_topic_asks_and_an_update_knows():
    mine = collection()
    base = Source.of_topic(mine, mine.topics[0], "A")
    assert (base.texts, base.known_texts, base.references) == (("Rain fell.",), (), ())
    assert base.question == "Ardel rain\nWhat fell?"
    update = Source.of_topic(mine, mine.topics[0], "B", focus="generic")
    assert (update.texts, update.known_texts) == (("Mud came.",), ("Rain fell.",))
    assert (update.references, update.question) == (("Mud.",), "")
    assert Source.of_topic(mine, mine.topics[0], "nowhere").references == ()
    for focus in ("generic", "guided"):
        with pytest.raises(InputError, match=f"a query and the focus {focus} cannot be combined"):
            Source.of_topic(mine, mine.topics[0], "B", focus=focus, query="Goats?")
    given = Source.of_topic(mine, mine.topics[0], "B", query="Goats?", known=())
    assert (given.question, given.known_texts) == ("Goats?", ())


def test_guided_topics_ask_for_aspects():
    topic = collection().topics[0]
    assert "countermeasures, prevention" in query_of(topic, "guided").splitlines()
    assert query_of(topic, "guided", ()) == query_of(topic, "query")
    with pytest.raises(InputError, match="focus is 'all'; use generic or query or guided"):
        query_of(topic, "all")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Il a été très fatigué à l'été.", "fr"),
        ("Шёл дождь.", "ru"),
        ("东京的夏天很热。", "zh"),
        ("東京の夏は暑い。", "ja"),
        ("De burgemeester zei niets tegen de pers over het water in de stad.", "nl"),
        ("Größe zählt für Bär Größlöff.", "und"),
    ],
)
def test_other_languages_are_read_in_any_script(text, language):
    reading, [note] = reading_for([text])
    assert (reading.tokenizer, reading.language) == ("unicode", language)
    assert ("are stemmed" in note) == reading.stem == (language not in ("ja", "und", "zh"))


@pytest.mark.parametrize(("others", "english"), [(7, True), (9, False), (30, False)])
def test_eight_letters_in_a_thousand_are_no_english(others, english):
    text = "é" * others + "a" * (1000 - others)
    assert (reading_for([text])[1] == ()) == english


def test_who_says_that_it_is_english_is_believed():
    text = "Erdoğan, İmamoğlu, Şahin, Çelik: Beyoğlu."
    assert reading_for([text])[1]
    assert reading_for([text], "en") == (Reading(True, True, "unicode"), ())
    assert reading_for([text], "en-GB")[1] == ()
    assert source_of(text).reading.language == "und"
    assert source_of(text, language="en").reading.language == "en"


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Erdoğan met İmamoğlu in Beyoğlu. Şahin and Çelik did not come.", True),
        ("El alcalde no dijo nada a los periodistas de la ciudad de Bogotá.", False),
        ("Le maire n'a rien dit aux journalistes, qui ont été reçus à la mairie.", False),
        ("Der Bürgermeister sagte den Journalisten nichts über die Lage.", False),
    ],
)
def test_english_with_many_foreign_names_is_recognized_by_its_small_words(text, english):
    assert (reading_for([text])[1] == ()) == english


def test_english_names_and_typography_stay_english():
    text = "“It’s a naïve idea,” said Peña — nobody else in the long and boring meeting did. "
    others = "They talked about the rain and its victims, about goats and the bridge at Ardel. " * 3
    assert reading_for([text, others]) == (Reading(True, True, "unicode"), ())
    assert reading_for([others]) == (Reading(True, True, "rouge"), ())
    assert reading_for([text], "nl")[1][0].startswith("the language is Dutch (nl): its stop words")


def test_places_and_homes_fit():
    source = source_of("Rain fell. It was cold. Mud.", "Goats. Sold.")
    assert source.positions.tolist() == [0, 1, 2, 0, 1]
    assert np.array_equal(source.lengths, [2, 3, 1, 1, 1])


def test_length_of():
    assert (
        length_of("It reopened - after 14 months."),
        length_of("东京的夏天 in 2031 很热。"),
    ) == (6, 9)


def test_word_counts():
    assert word_counts(["It reopened - after 14 months.", "", "东京很热。"]).tolist() == [6, 0, 4]


def test_cut_after():
    assert (cut_after("Heavy rain fell.", 2), cut_after("东京的夏天 in 2031 很热。", 8)) == (
        "Heavy rain",
        "东京的夏天 in 2031 很",
    )


def test_reading_for():
    assert (
        repr(reading_for(["Rain fell."]))
        == "(Reading(stem=True, stop_words=True, tokenizer='rouge', language='en'), ())"
    )
    assert reading_for(["Erdoğan met İmamoğlu."], "en")[0].stem
    assert reading_for(["Шёл дождь."])[1] == (
        "the language seems to be Russian (ru): its stop words are ignored, and words are stemmed",
    )


def test_sentences_of():
    assert sentences_of("LISBON (HNS) - Rain\nfell. It was cold.") == ["Rain fell.", "It was cold."]


def test_conversations_are_read_turn_by_turn_without_fillers():
    lines = (
        "Ada: Uh, we close the road.|Ben: Mm-hmm.|[10:02] Ben: Um, it is flooded. We go.|Ada: Er."
    )
    chat = lines.replace("|", "\n")
    texts = ("Ada: we close the road.", "[10:02] Ben: it is flooded.", "We go.")
    assert Source.of_texts([chat]).texts == texts
    # A list of terms is not a conversation.
    terms = "Rain: water that falls.\nMud: wet earth.\nRoad: a way through the mud."
    assert len(Source.of_texts([terms]).texts) == 3
