"""Small examples of `pyramidion.kernels.vocabulary`."""

from pyramidion.kernels.lexicon import Lexicon
from pyramidion.kernels.vocabulary import Vocabulary


def test_vocabulary():
    vocabulary = Vocabulary(Lexicon({"geese": "goose"}, ["the"]), stem=True, stop_words=True)
    ids, sentences, texts = vocabulary.encode(["The geese flew.\nThey fly.", "flying geese"])
    assert (ids.tolist(), sentences.tolist(), texts.tolist()) == (
        [0, 1, 2, 3, 3, 0],
        [0, 2, 4, 6],
        [0, 2, 3],
    )
    assert vocabulary.words == ["goose", "flew", "thei", "fly"]


def test_vocabulary_words():
    vocabulary = Vocabulary(Lexicon({}, []))
    _ = vocabulary.encode(["to be or not to be"])
    assert vocabulary.words == ["to", "be", "or", "not"]


def test_vocabulary_encode():
    vocabulary = Vocabulary(Lexicon({}, []))
    ids, sentences, texts = vocabulary.encode([["A rose.", "Is a rose."], "", b"Is"])
    assert (ids.tolist(), sentences.tolist(), texts.tolist()) == (
        [0, 1, 2, 0, 1, 2],
        [0, 2, 5, 5, 6],
        [0, 2, 3, 4],
    )


def test_vocabulary_encode_words():
    assert Vocabulary(Lexicon({}, []), stem=True).encode_words(["cafés", "café"]).tolist() == [0, 0]
