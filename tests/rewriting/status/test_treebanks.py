"""What `make train MODEL=status` reads of the treebanks."""

import gzip
import importlib.util
import sys
from pathlib import Path

import pytest

from pyramidion.rewriting import find_people, statuses_of
from support import shared_file

TOOL = Path(__file__).resolve().parents[3] / "tools" / "status_data.py"

# Invented, in GUM's form.
CONLLU = """# newdoc id = invented
# meta::summary1 = (human1) Mayor Orr spoke.
# meta::summary2 = (machine) She spoke.
# sent_id = 1
# text = Mayor Ann Orr's friend saw Tamsin.
1\tMayor\tMayor\tPROPN\tNNP\t_\t2\tnmod:desc\t_\tEntity=(2-person-new-nn-cf2-5-sgl(1-person-acc:com-sn-cf1-2,3-coref-Ann_Orr
2\tAnn\tAnn\tPROPN\tNNP\t_\t5\tnmod:poss\t_\t_
3\tOrr\tOrr\tPROPN\tNNP\t_\t2\tflat\t_\tSpaceAfter=No
4\t's\t's\tPART\tPOS\t_\t2\tcase\t_\tEntity=1)
5\tfriend\tfriend\tNOUN\tNN\t_\t6\tnsubj\t_\tEntity=2)
6\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_
7\tTamsin\tTamsin\tPROPN\tNNP\t_\t6\tobj\t_\tEntity=(3-place-new-nn-cf3-1-sgl)|SpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t6\tpunct\t_\t_

# sent_id = 2
# text = She spoke.
1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(1-person-giv:act-s_-cf1-1-ana-Ann_Orr)
2\tspoke\tspeak\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_
"""


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("status_data", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules["status_data"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["status_data"]


@pytest.fixture
def invented(tool, tmp_path):
    path = tmp_path / "invented.conllu.gz"
    path.write_bytes(gzip.compress(CONLLU.encode()))
    [document] = tool.read_documents(path)
    return document


def test_sentences(invented):
    first, second = invented.sentences
    assert (first.document, second.index) == ("invented", 1)
    assert first.between(1, 2) == "Ann Orr"
    assert [word.relation for word in first.words[:3]] == ["title", "modifier", "name"]
    assert [word.head for word in first.words[:3]] == [1, 4, 1]
    assert [(word.entity, word.opens) for word in first.words] == [
        ("", False), ("person", True), ("person", False), ("", False),
        ("", False), ("", False), ("place", True), ("", False),
    ]  # fmt: skip
    assert invented.summaries == [("human1", "Mayor Orr spoke."), ("machine", "She spoke.")]


def test_entities(invented):
    assert [
        (entity.id, entity.type, entity.first, entity.last) for entity in invented.entities[0]
    ] == [
        ("2", "person", 0, 4),
        ("1", "person", 0, 3),
        ("3", "place", 6, 6),
    ]
    first = invented.first_of("1")
    assert (first.salience, first.status) == ("sn", "acc:com")


def test_people_are_those_of_the_treebank(invented):
    [orr] = find_people(invented.articles)
    assert orr.name == "Ann Orr"
    assert invented.entity_of(orr.mentions) == "1"


def test_the_part_that_was_held_out(tool):
    """GUM's development part: the shipped model finds no worse than the more frequent answer."""
    path = shared_file("data/treebanks/gum-open-dev.conllu.gz")
    truth, people = [], []
    documents = list(tool.read_documents(path))
    assert len(documents) == 14
    for document in documents:
        for person in find_people(document.articles):
            id = document.entity_of(person.mentions)
            if id is not None:
                first = document.first_of(id)
                truth.append("s" in first.salience)
                people.append(person)
    predicted = [status.major for status in statuses_of(people)]
    right = sum(expected == other for expected, other in zip(truth, predicted, strict=True))
    assert right >= max(sum(truth), len(truth) - sum(truth))
