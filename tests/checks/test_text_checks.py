"""Mistakes planted into texts, each with the finding that names it; and texts without any."""

import json
import random
from dataclasses import replace

import pytest

from pyramidion.checks import find_problems
from pyramidion.checks.plausibility import implausible_data
from pyramidion.checks.streams import StreamChecks
from pyramidion.collection import Collection, Document, Summary, Task, Topic
from pyramidion.collection.stream import StreamItem
from pyramidion.demo import load_demo
from support import shared_collection

RNG = random.Random(38)
GERMAN = (
    "Der Rat sagte am {} Tag, dass die Stadt nicht mit dem Bau beginnen werde, weil das Geld für "
    "die Brücke noch nicht da ist und sich auch die Nachbarn über den Lärm beschwert haben."
)
TOPICS = [f"T{number}" for number in range(1, 13)]
SYSTEMS = ("alpha", "beta", "gamma", "delta")


def word():
    return "".join(RNG.choice(letters) for letters in ("bdfgklmnprst", "aeiou") * RNG.randint(2, 3))


#: What happens in each topic.
WORDS = {topic: [word() for _ in range(16)] for topic in TOPICS}


def sentence(words):
    a, b, c, d = words
    return f"The {a} of {b} was {c}ed by the {d} in the morning."


def text(topic, sentences=3):
    words = RNG.sample(WORDS[topic], 12)
    return " ".join(sentence(words[4 * n : 4 * n + 4]) for n in range(sentences)).replace(
        ". The", ". But the"
    )


SUMMARIES = {(system, topic): text(topic) for system in SYSTEMS for topic in TOPICS}
REFERENCES = {topic: text(topic) for topic in TOPICS}
DOCUMENTS = {topic: " ".join(text(topic) for _ in range(8)) for topic in TOPICS}


def collection(summaries=SUMMARIES, references=REFERENCES, documents=None):
    peers = [Summary(topic, system, peer) for (system, topic), peer in summaries.items()]
    people = [Summary(t, "R", peer, "", "human", "reference") for t, peer in references.items()]
    topics = [Topic(t, documents=(Document("d", d),)) for t, d in (documents or {}).items()]
    return Collection("c", summaries=(*peers, *people), topics=tuple(topics))


def changed(change, system="beta"):
    """Change the list of a system's summaries."""
    texts = [SUMMARIES[system, topic] for topic in TOPICS]
    new = zip(TOPICS, change(texts), strict=True)
    return SUMMARIES | {(system, topic): peer for topic, peer in new}


def each(change):
    return lambda texts: [change(peer) for peer in texts]


def some(wrong, every=4):
    return lambda texts: [
        wrong if number % every == 1 else peer for number, peer in enumerate(texts)
    ]


def shuffled(texts):
    return random.Random(1).sample(texts, len(texts))


def of_topics(make):
    return lambda texts: [make(number, topic) for number, topic in enumerate(TOPICS)]


#: A change of the summaries of beta, the kind of what is found, and a part of the message.
MISTAKES = {
    "shifted": (
        lambda t: [*t[1:], t[0]], "summaries of other topics",
        "its summaries match the references of the next topic (11 of 12): are the rows shifted by "
        "one?",
    ),
    "shifted back": (
        lambda t: [t[-1], *t[:-1]], "summaries of other topics",
        "match the references of the previous topic (11 of 12): are the rows shifted by one?",
    ),
    "shifted by two": (
        lambda t: [*t[2:], *t[:2]], "summaries of other topics",
        "match the references of the topic 2 later (10 of 12): are the rows shifted by two?",
    ),
    "shifted from the middle on": (
        lambda t: [*t[:5], *t[6:], t[5]], "summaries of other topics",
        "match the references of the next topic (6 of 12): are the rows shifted by one?",
    ),
    "reversed": (
        lambda t: t[::-1], "summaries of other topics",
        "of the topic at the same place from the end (12 of 12): is their order reversed?",
    ),
    "sorted by name": (
        lambda t: [t[TOPICS.index(topic)] for topic in sorted(TOPICS)],
        "summaries of other topics",
        "of the topic at the same place in alphabetical order (11 of 12): were the rows sorted?",
    ),
    "shuffled": (shuffled, "summaries of other topics", "match the references of other topics"),
    "of other data": (
        of_topics(lambda n, _: f"{word()} {word()} {word()} {word()}."),
        "summaries unlike their topics", "12 of 12 share no words with any references",
    ),
    "one text": (lambda t: [t[0]] * 12, "one text for all topics", "12 of 12 summaries are the"),
    "rows repeated": (
        lambda t: [t[n // 2 * 2] for n in range(12)], "text of several topics",
        "12 of 12 summaries are also summaries of other topics",
    ),
    "another language": (
        of_topics(lambda n, topic: GERMAN.format(WORDS[topic][0])), "system in another language",
        "12 of 12 summaries are in German, the references in English",
    ),
    "references as outputs": (
        lambda _: [*REFERENCES.values()], "system equal to a reference", "on 12 of 12 topics",
    ),
    "references with a word more": (
        lambda _: [f"{peer} Indeed." for peer in REFERENCES.values()], "system like a reference",
        "12 of 12 summaries are nearly a reference",
    ),
    "references pasted": (
        lambda t: [f"{a} {b}" for a, b in zip(t, REFERENCES.values(), strict=True)],
        "reference in the summary", "12 of 12 summaries contain their reference",
    ),
    "another system": (
        lambda _: [SUMMARIES["gamma", topic] for topic in TOPICS], "identical systems",
        "the same summaries on 12 of 12 topics",
    ),
    "another system with a word more": (
        lambda _: [SUMMARIES["gamma", topic] + " Indeed." for topic in TOPICS],
        "nearly identical systems", "nearly the same summaries on 12 of 12",
    ),
    "another system on half of the topics": (
        lambda t: [SUMMARIES["gamma", topic] if n < 7 else t[n] for n, topic in enumerate(TOPICS)],
        "partly identical systems", "the same summaries on 7 of 12 topics",
    ),
    "another system inside": (
        lambda t: [f"{a} {SUMMARIES['gamma', b]}" for a, b in zip(t, TOPICS, strict=True)],
        "system that contains another", "contain those of gamma on 12 of 12",
    ),
    "cut after characters": (
        each(lambda peer: peer[:60]), "truncated texts",
        "summaries end in mid-sentence, 8 of them after 60 characters",
    ),
    "cut off at the beginning": (
        each(lambda peer: peer[-70:]), "truncated texts", "12 of 12 summaries have 70 characters",
    ),
    "no space after full stops": (
        each(lambda peer: peer.lower().replace(". ", ".")), "sentences run together",
        "lack spaces between sentences",
    ),
    "cut after words": (
        each(lambda peer: " ".join(peer.split()[:13])), "truncated texts",
        "of them after 13 words",
    ),
    "cut after tokens": (
        lambda t: [peer[: 80 + 5 * n] for n, peer in enumerate(t)], "truncated texts",
        "end in mid-sentence; were they cut after some tokens?",
    ),
    "much longer": (
        each(lambda peer: " ".join([peer, *RNG.choices([*SUMMARIES.values()], k=6)])),
        "texts of another length", "do they contain the prompt or the document?",
    ),
    "the first words": (
        each(lambda peer: " ".join(peer.split()[1:4])), "texts of another length",
        "was only a part of them read?",
    ),
    "a constant prompt": (
        each(lambda peer: f"Tell a child about it: {peer}"), "same beginning",
        "begin with the same words, 'Tell a child about'",
    ),
    "a footer": (each(lambda peer: f"{peer} Read it on our page."), "same ending", "on our page"),
    "hyphens at the ends of lines": (
        each(lambda peer: peer.replace("morning", "morn-\ning")), "hyphenated words", "join them"),
    "candidates of a beam": (
        each(lambda peer: f"{peer} ||| {peer[9:]}"), "special tokens", "such as '|||'"),
    "lines of a log": (
        each(lambda peer: f"[INFO] 2026-03-01 decoded: {peer}"), "label before the text", "INFO"),
    "HTML": (each(lambda peer: f"<p>{peer}</p>"), "markup", "contain markup such as '<p>'"),
    "breaks": (each(lambda peer: peer.replace(". ", ".<br />")), "markup", "'<br />'"),
    "entities": (each(lambda peer: f"{peer} Law &amp; order."), "entities", "such as '&amp;'"),
    "Markdown": (each(lambda peer: f"**Ice** {peer}"), "Markdown", "such as '**Ice**'"),
    "end of sequence": (each(lambda peer: f"{peer}</s>"), "special tokens", "such as '</s>'"),
    "padding": (some(f"{word()} <pad> <pad>", 12), "special tokens", "1 of 12 summaries contain"),
    "SentencePiece": (each(lambda p: "▁" + p.replace(" ", " ▁")), "special tokens", "'▁'"),
    "BPE": (each(lambda p: p.replace("ed ", "@@ ed ")), "special tokens", "@@"),
    "byte-level BPE": (each(lambda p: p.replace(" ", " Ġ")), "special tokens", "'Ġ'"),
    "WordPiece": (each(lambda p: p.replace("ed ", " ##ed ")), "special tokens", "##e"),
    "a new line of a model": (each(lambda p: p.replace(". ", ".<n>")), "special tokens", "'<n>'"),
    "escaped lines": (each(lambda p: p.replace(". ", ".\\n")), "escaped characters", r"'\\n'"),
    "escaped lines before small letters": (
        each(lambda p: p.replace(". But", ".\\nbut")), "escaped characters", r"'\\n'",
    ),
    "unknown words": (each(lambda p: p.replace("morning", "[UNK]")), "unknown words", "'UNK'"),
    "brackets of treebanks": (
        each(lambda p: p.replace("the", "-LRB- the -RRB-")), "unknown words", "'-LRB-'",
    ),
    "a loop": (
        lambda t: [" ".join(p.split()[:5] * 12) if n % 2 else p for n, p in enumerate(t)],
        "phrase repeated in a loop", "6 of 12 summaries repeat a phrase again",
    ),
    "a loop at the end": (
        each(lambda p: p + " and so it was said" * 12), "phrase repeated in a loop", "12 of 12",
    ),
    "a footer without a final mark": (
        lambda t: [f"{p} {'So ' * n}More of it on example.org" for n, p in enumerate(t)],
        "same ending", "example.org",
    ),
    "mojibake": (each(lambda p: f"{p} It â€™s cafÃ©."), "wrong encoding", "12 of 12"),
    "replacements": (each(lambda p: p.replace("e", "\ufffd", 1)), "wrong encoding", "UTF-8"),
    "accents apart": (each(lambda p: f"{p} Cafe\u0301."), "decomposed letters", "NFC"),
    "a byte order mark": (each(lambda p: f"\ufeff{p}"), "invisible characters", "zero-width"),
    "a chat": (
        each(lambda peer: f"Sure! Here is a summary: {peer}"), "chat phrases",
        "begin with phrases addressed to a user, such as 'Sure! Here'",
    ),
    "an offer": (each(lambda p: f"{p} Let me know if you need more."), "remarks to a user", "user"),
    "a label": (each(lambda p: f"Summary: {p}"), "label before the text", "'Summary:'"),
    "a prompt": (
        each(lambda p: f"Summarize the following article: {p}"), "prompt in the summary",
        "'Summarize the following'",
    ),
    "a refusal": (
        some("I'm sorry, but I can't summarize this article."), "refusal in place of a summary",
        "3 of 12 summaries are refusals",
    ),
    "a model that speaks": (
        some("As an AI language model, I have no opinion.", 12), "refusal in place of a summary",
        "1 of 12",
    ),
    "memory": (
        some("CUDA out of memory. Tried to allocate 2 GiB."), "error in place of a summary",
        "3 of 12 summaries are error messages, such as 'CUDA out of memory'",
    ),
    "a traceback": (
        some("Traceback (most recent call last):\n  File x", 12), "error in place of a summary",
        "1 of 12",
    ),
    "None": (some("None"), "nothing in place of a summary", "3 of 12 summaries say only 'None'"),
    "nan": (some("nan", 12), "nothing in place of a summary", "1 of 12 summaries say only 'nan'"),
    "no words": (some("..."), "summary without words", "3 of 12"),
    "only markup": (some("<p></p>"), "summary without words", "3 of 12"),
    "no spaces": (each(lambda p: p.replace(" ", "")), "missing spaces", "12 of 12"),
    "letters": (each(" ".join), "letters apart", "12 of 12 summaries are letters"),
    "numbers": (of_topics(lambda n, _: str(n)), "names in place of text", "such as '0'"),
    "ids": (of_topics(lambda _, topic: topic), "names in place of text", "such as 'T1'"),
    "paths": (
        of_topics(lambda n, _: f"out/{n}.txt"), "names in place of text", "such as 'out/0.txt'"
    ),
    "lists": (each(lambda p: repr(p.split(". "))), "code in place of text", "written as code"),
    "JSON": (each(lambda p: json.dumps({"summary": p})), "code in place of text", "12 of 12"),
    "twice": (each(lambda p: f"{p}\n{p}"), "doubled text", "12 of 12 summaries contain their text"),
    "capitals": (each(str.upper), "capitals", "12 of 12 summaries are in capitals"),
    "quotation marks": (each(lambda p: f'"{p}"'), "quotation marks around", "12 of 12"),
}  # fmt: skip


def found(kind, findings):
    return [finding for finding in findings if finding.kind == kind]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_with_its_system(name):
    change, kind, message = MISTAKES[name]
    findings = list(implausible_data(collection(changed(change))))
    (finding,) = found(kind, findings)
    assert message in finding.message
    assert "beta" in finding.subject
    assert all("beta" in other.subject for other in findings)
    assert all(key[2] in {"beta", "gamma"} for key in finding.summaries)
    assert finding.effect


@pytest.mark.parametrize("name", MISTAKES)
def test_a_stream_is_checked_alike(name):
    change, kind, message = MISTAKES[name]
    findings = list(checked_stream(changed(change)).problems())
    if kind != "identical systems":
        # Counted in all summaries, not in a sample.
        kinds = {kind, "summary equal to a reference"}
        assert [f for f in findings if f.kind in kinds and message in f.message], findings
    assert all("beta" in finding.subject for finding in findings)


def checked_stream(summaries, references=REFERENCES, cut=1):
    items = [
        StreamItem("", topic, system, "machine", peer, (references[topic],))
        for (system, topic), peer in summaries.items()
    ]
    parts = []
    for first in range(cut):
        part = StreamChecks()
        part.add(items[first * len(items) // cut : (first + 1) * len(items) // cut])
        parts.append(StreamChecks.from_dict(json.loads(json.dumps(part.to_dict()))))
    return StreamChecks.merged(parts)


def test_parts_of_a_stream_give_the_same_findings():
    wrong = changed(MISTAKES["shifted"][0])
    (finding,) = checked_stream(wrong, cut=1).problems()
    assert list(checked_stream(wrong, cut=4).problems()) == [finding]


def test_a_long_stream_is_sampled_and_its_first_topics_tell_a_shift():
    topics = [f"{n:05}-{word()}" for n in range(3_000)]
    texts = [f"{word()} {word()} {word()} {word()} {word()}." for _ in topics]
    right = {("alpha", topic): f"So {peer}" for topic, peer in zip(topics, texts, strict=True)}
    rows = zip(topics, [*texts[1:], texts[0]], strict=True)
    wrong = {("beta", topic): f"Then {peer}" for topic, peer in rows}
    references = dict(zip(topics, texts, strict=True))
    summaries = {
        key: peer for pair in zip(right.items(), wrong.items(), strict=True) for key, peer in pair
    }
    (finding,) = found(
        "summaries of other topics", checked_stream(summaries, references).problems()
    )
    assert finding.subject == "system beta"
    assert "are the rows shifted by one?" in finding.message
    (finding,) = found(
        "summaries of other topics", implausible_data(collection(summaries, references))
    )
    assert "are the rows shifted by one?" in finding.message


def test_texts_without_references_are_compared_with_each_other():
    (finding,) = implausible_data(collection(changed(MISTAKES["shifted"][0]), {}))
    assert finding.subject == "system beta"
    assert "match other systems on the next topic (11 of 12)" in finding.message
    assert dict(finding.bars)["alpha"] > 0.8
    assert dict(finding.bars)["beta"] == 0


def test_of_two_systems_nobody_knows_which_is_wrong():
    two = {key: peer for key, peer in changed(shuffled).items() if key[0] in {"alpha", "beta"}}
    (finding,) = implausible_data(collection(two, {}))
    assert finding.subject == "systems alpha and beta"


def rotated(texts):
    values = [*texts.values()]
    return dict(zip(texts, [*values[1:], values[0]], strict=True))


WRONG_INPUT = {
    "references shifted": (
        lambda: collection(references=rotated(REFERENCES)), "references of other topics",
        "the summaries match the references of the previous topic (44 of 48)",
    ),
    "documents shifted": (
        lambda: collection(documents=rotated(DOCUMENTS)), "documents of other topics",
        "the summaries match the documents of the previous topic (44 of 48)",
    ),
    "documents shifted, no summaries": (
        lambda: collection({}, documents=rotated(DOCUMENTS)), "references of other topics",
        "they match the documents of the previous topic (11 of 12)",
    ),
    "one reference": (
        lambda: collection(references=dict.fromkeys(TOPICS, REFERENCES["T1"])),
        "one text for all topics", "12 of 12 references are the same text",
    ),
    "German references": (
        lambda: collection(references={t: GERMAN.format(WORDS[t][0]) for t in TOPICS}),
        "references in another language", "they are in German, but all summaries are in English",
    ),
    "references with markup": (
        lambda: collection(references={t: f"<p>{p}</p>" for t, p in REFERENCES.items()}),
        "markup", "12 of 12 references contain markup",
    ),
    "documents as references": (
        lambda: collection(references=DOCUMENTS), "documents as references",
        "are these the documents?",
    ),
    "documents in other words as references": (
        lambda: collection({k: f"{p} {' '.join(word() for _ in range(12))}." for k, p in
                            SUMMARIES.items()}, DOCUMENTS),
        "documents as references", "are these the documents?",
    ),
    "documents and references": (
        lambda: collection(references=DOCUMENTS, documents=DOCUMENTS),
        "documents equal to references", "12 of 12 topics have their document as a reference",
    ),
    "references as documents": (
        lambda: collection(documents=REFERENCES), "documents equal to references", "12 of 12",
    ),
    "documents shorter than summaries": (
        lambda: collection(documents={topic: text(topic, 1) for topic in TOPICS}),
        "documents shorter than summaries", "are they references?",
    ),
    "one document": (
        lambda: collection(documents=dict.fromkeys(TOPICS, DOCUMENTS["T1"])),
        "one document for all topics", "12 of 12 topics have the same ones",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_INPUT)
def test_wrong_references_and_documents_are_named(name):
    build, kind, message = WRONG_INPUT[name]
    (finding,) = found(kind, implausible_data(build()))
    assert message in finding.message
    assert finding.subject in {"the references", "the documents"}


def test_a_document_in_the_summary():
    texts = changed(lambda t: [f"{DOCUMENTS[a]} {b}" for a, b in zip(TOPICS, t, strict=True)])
    (finding,) = found(
        "document in the summary", implausible_data(collection(texts, documents=DOCUMENTS))
    )
    assert finding.subject == "system beta"
    assert finding.message.startswith("12 of 12 summaries contain their document")


def words_of(change):
    """Change all texts."""
    return collection(
        {key: change(peer) for key, peer in SUMMARIES.items()},
        {topic: change(peer) for topic, peer in REFERENCES.items()},
    )


def lead(number):
    return lambda document: ". ".join(document.split(". ")[:number]) + "."


def extracts():
    """Make systems that copy the first one, two or three sentences."""
    return collection(
        {(f"lead{n}", t): lead(n)(d) for n in (1, 2, 3) for t, d in DOCUMENTS.items()},
        documents=DOCUMENTS,
    )


def of_two_tasks():
    both = collection()
    again = tuple(replace(summary, task="B") for summary in both.summaries)
    return replace(both, tasks=(Task("B"),), summaries=(*both.summaries, *again))


SOUND = {
    "usual": collection,
    "with documents": lambda: collection(documents=DOCUMENTS),
    "without references": lambda: collection(references={}),
    "two systems": lambda: collection({k: p for k, p in SUMMARIES.items() if k[0] in SYSTEMS[:2]}),
    "one system": lambda: collection({k: p for k, p in SUMMARIES.items() if k[0] == "beta"}),
    "three topics": lambda: collection({k: p for k, p in SUMMARIES.items() if k[1] in TOPICS[:3]}),
    "one topic": lambda: collection({k: p for k, p in SUMMARIES.items() if k[1] == "T1"}),
    "all in German": lambda: words_of(lambda p: GERMAN.format(" ".join(p.split()[1:9]))),
    "all in lower case": lambda: words_of(str.lower),
    "all without final marks": lambda: words_of(lambda p: p.rstrip(".")),
    "all with markup": lambda: words_of(lambda p: f"<p>{p}</p>"),
    "all in Chinese": lambda: words_of(
        lambda p: "".join(chr(0x4E00 + sum(map(ord, part))) for part in p.split()) + "。"
    ),
    "headlines": lambda: words_of(lambda p: " ".join(p.split()[1:8]).title()),
    "lead sentences": extracts,
    "two tasks": of_two_tasks,
    "people who are references of each other": lambda: Collection(
        "c", summaries=tuple(Summary(t, s, p, "", "human") for (s, t), p in SUMMARIES.items())
    ),
    "five references": lambda: replace(
        collection(),
        summaries=tuple(
            Summary(t, f"R{n}", text(t), "", "human", "reference") for t in TOPICS for n in range(5)
        ) + collection(references={}).summaries,
    ),
    "a system that is bad": lambda: collection(
        changed(lambda t: [f"{' '.join(p.split()[:5])} and {len(p)} more." for p in t])
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_said_of_sound_texts(name):
    findings = [f for f in implausible_data(SOUND[name]()) if f.severity != "note"]
    assert findings == []


def test_a_text_without_a_mark_that_is_frequent_elsewhere_was_cut_there():
    def marked(topic, peer):
        words = peer.replace(". But", f". But{mark}").split()
        size = 5 + TOPICS.index(topic) % 7
        return " ".join([*words[:size], mark, *words[size:]])

    for mark in ",;":
        whole = {key: marked(key[1], peer) for key, peer in SUMMARIES.items()}
        short = {k: p.split(mark)[0] if k[0] == "beta" else p for k, p in whole.items()}
        gold = {topic: marked(topic, peer) for topic, peer in REFERENCES.items()}
        (finding,) = found("truncated texts", implausible_data(collection(short, gold)))
        assert finding.subject == "system beta"
        assert f"were they cut at the first {mark!r}?" in finding.message


def test_extracts_without_some_final_marks_were_not_cut():
    texts = changed(
        lambda t: [p.rstrip(".") + " bridge" * n if n < 7 else p for n, p in enumerate(t)]
    )
    assert not found("truncated texts", implausible_data(collection(texts)))


@pytest.mark.parametrize("kind", ["human", "machine"])
def test_people_are_scored_against_the_other_references(kind):
    gold = {topic: [text(topic) for _ in range(3)] for topic in TOPICS}
    items = [StreamItem("", t, s, "machine", SUMMARIES[s, t], tuple(gold[t]))
             for s in SYSTEMS for t in TOPICS]  # fmt: skip
    items += [StreamItem("", t, f"P{n}", kind, gold[t][n], (*gold[t][:n], *gold[t][n + 1 :]))
              for n in range(3) for t in TOPICS]  # fmt: skip
    checks = StreamChecks()
    checks.add(items)
    findings = found("differing references", checks.problems())
    assert [f.severity for f in findings] == ([] if kind == "human" else ["note"])
    checks.add([replace(items[0], system="new", references=("Another.",))])
    assert found("differing references", checks.problems())


def test_no_references_at_all_are_a_note():
    (finding,) = found("no references", find_problems(collection(references={})))
    assert (finding.subject, finding.severity) == ("all topics", "note")
    some_topics = {topic: REFERENCES[topic] for topic in TOPICS[:10]}
    findings = found("no references", find_problems(collection(references=some_topics)))
    assert [f.subject for f in findings] == TOPICS[10:]


def test_a_limit_that_the_task_demands_is_no_truncation():
    texts = changed(each(lambda peer: " ".join(peer.split()[:13])))
    limited = replace(collection(texts), tasks=(Task("", word_limit=13),))
    assert not found("truncated texts", implausible_data(limited))
    assert found("truncated texts", implausible_data(collection(texts)))


SETS = (
    "ecbplus_topics", "opinosis_topics", "pyreval_crypto", "qmsum_topics", "scisumm_topics",
    "summedits", "summeval_op", "summeval_op_topics", "summhay",
)  # fmt: skip
LARGE = ("realsumm", "summeval", "squality", "squality_topics")


@pytest.mark.parametrize(
    "name", [*SETS, *(pytest.param(name, marks=pytest.mark.long) for name in LARGE)]
)
def test_nothing_is_said_of_the_texts_of_real_sets(name):
    texts = replace(shared_collection(f"data/{name}.jsonl.gz"), scores=Collection("").scores)
    # abs_unilm_out_v1 of realsumm does end after 70 words, which is worth a note.
    assert [finding for finding in implausible_data(texts) if finding.severity != "note"] == []


def test_nothing_is_said_of_the_demo():
    assert find_problems(load_demo()) == []


REAL = {
    "shifted": lambda t: [*t[1:], t[0]],
    "shuffled": shuffled,
    "one text": lambda t: [t[0]] * len(t),
    "cut": lambda t: [peer[:150] for peer in t],
    "end of sequence": lambda t: [f"{peer}</s>" for peer in t],
    "no spaces": lambda t: [peer.replace(" ", "") for peer in t],
}


@pytest.mark.long
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize(("data", "system"), [("realsumm", "abs_bart_out"), ("summeval", "M17")])
def test_mistakes_in_real_sets_are_named(name, data, system):
    whole = shared_collection(f"data/{data}.jsonl.gz")
    mine = [summary for summary in whole.summaries if summary.system == system]
    texts = REAL[name]([summary.plain for summary in mine])
    new = {s.key: replace(s, text=peer) for s, peer in zip(mine, texts, strict=True)}
    wrong = replace(whole, summaries=tuple(new.get(s.key, s) for s in whole.summaries))
    every = implausible_data(replace(wrong, scores=Collection("").scores))
    findings = [finding for finding in every if finding.severity != "note"]
    assert {finding.subject for finding in findings} == {f"system {system}"}
    assert {finding.severity for finding in findings} == {"severe"}
