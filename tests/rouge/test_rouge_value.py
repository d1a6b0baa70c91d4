"""`Rouge` is a value: equal, hashable, printed and read back."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion import Rouge
from pyramidion.errors import InputError
from pyramidion.rouge import Variant, parse_variant
from pyramidion.rouge.counting import BE_MODES, weight_text
from rouge.strategies import rouges


@given(rouges())
def test_text_reads_back(rouge):
    again = Rouge.parse(str(rouge))
    assert again == rouge
    assert hash(again) == hash(rouge)
    assert str(again) == str(rouge)


@given(rouges(), rouges())
def test_text_tells_values_apart(first, other):
    assert (str(first) == str(other)) == (first == other)


@given(rouges())
def test_measures_are_the_variants_with_their_parts(rouge):
    assert len(rouge.measures) == 3 * len(rouge.variants) == len(set(rouge.measures))
    for variant in rouge.variants:
        assert parse_variant(variant.measure) == variant
        assert f"{variant.measure}-f" in rouge.measures


def test_defaults_and_order():
    assert str(Rouge()) == "rouge-1+2+l"
    rouge = Rouge(n=(1, 2), l=True, w=1.2, s=4, su=-7, stem=True)
    assert str(rouge) == "rouge-1+2+l+w-1.2+s4+su*(stem)"
    assert rouge.su == -1
    assert rouge.measures[-3:] == ("rouge-su*-r", "rouge-su*-p", "rouge-su*-f")
    assert Rouge(n=2) == Rouge(n=[2]) == Rouge(n=(2,))
    assert len({Rouge(n=2), Rouge(n=(2,)), Rouge(n=3)}) == 2


def test_every_option_is_printed():
    rouge = Rouge(
        n=1, l=False, stop_words=True, words=100, alpha=0.25, models="best", tokenizer="unicode",
        exceptions=False,
    )  # fmt: skip
    assert str(rouge) == (
        "rouge-1(stop_words,words=100,alpha=0.25,models=best,tokenizer=unicode,exceptions=off)"
    )


@pytest.mark.parametrize(
    ("text", "rouge"),
    [
        (" ROUGE-2 ( stem , words = 100 ) ", Rouge(n=2, l=False, stem=True, words=100)),
        ("rouge-L", Rouge(n=())),
        ("rouge-su04+w-1.20", Rouge(n=(), l=False, su=4, w=1.2)),
        ("rouge-1()", Rouge(n=1, l=False)),
        ("rouge-1(exceptions=on)", Rouge(n=1, l=False)),
        ("rouge-1(stem=on,exact=off,words=none)", Rouge(n=1, l=False, stem=True)),
        ("rouge-1 + L", Rouge(n=1)),
    ],
)
def test_what_a_person_may_write(text, rouge):
    assert Rouge.parse(text) == rouge


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' cannot be read"),
        ("bleu-4", "is not a ROUGE"),
        ("rouge-0", "'0' is not a variant of ROUGE"),
        ("rouge-1(stem", "cannot be read"),
        ("rouge-1(fast)", "rouge-1 has no option 'fast'; available: stem, stop_words"),
        ("rouge-1(stem=yes)", "stem is 'yes'; give on or off"),
        ("rouge-1(words=many)", "words is 'many'; give a whole number of at least 1"),
        ("rouge-1(words=1,words=2)", "gives an option twice"),
        ("rouge-1(exceptions=maybe)", "exceptions is 'maybe'; give on or off"),
        ("rouge-1+1", "n is (1, 1); give different whole numbers"),
        ("rouge-su4+su9", "two variants of ROUGE-SU at once"),
        ("rouge-be-hm", "basic elements are read from files; use `pyramidion rouge -3`"),
        ("rouge-be-hx", "'HX' is not a mode of basic elements; try H, HM, HMR"),
        ("rouge-٢", "is not a variant"),
    ],
)
def test_what_cannot_be_read(text, message):
    assert message in refusal(InputError, Rouge.parse, text)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n": 0}, "n is (0,); give different whole numbers of at least 1"),
        ({"n": (1, 1)}, "n is (1, 1)"),
        ({"n": "12"}, "n is ('1', '2')"),
        ({"n": None}, "n is (None,)"),
        ({"n": 1.5}, "n is (1.5,)"),
        ({"n": True}, "n is (True,)"),
        ({"n": [[1]]}, "n is ([1],)"),
        ({"n": (), "l": False}, "no variant of ROUGE was chosen"),
        ({"l": 1}, "l is 1; give True or False"),
        ({"w": 0}, "w is 0; give a number above 0"),
        ({"w": -1.2}, "w is -1.2"),
        ({"w": math.nan}, "w is nan"),
        ({"w": math.inf}, "w is inf"),
        ({"w": "1.2"}, "w is '1.2'"),
        ({"w": True}, "w is True"),
        ({"w": 10**400}, "w is 1000"),
        (
            {"w": 0.5},
            "with a weight w of 0.5, consecutive matches count less than separate ones; "
            "give a number of at least 1",
        ),
        ({"s": 1.5}, "s is 1.5; give a whole number, -1 for no limit"),
        ({"su": "4"}, "su is '4'"),
        ({"stem": "yes"}, "stem is 'yes'"),
        ({"stop_words": None}, "stop_words is None"),
        ({"exceptions": "off"}, "exceptions is 'off'"),
        ({"exact": 1}, "exact is 1"),
        ({"words": 0}, "words is 0; give a whole number of at least 1"),
        ({"bytes": -1}, "bytes is -1"),
        ({"words": 2.5}, "words is 2.5"),
        ({"words": 10, "bytes": 10}, "words and bytes cannot be combined"),
        ({"alpha": 1.1}, "alpha is 1.1; give a number from 0 to 1"),
        ({"alpha": math.nan}, "alpha is nan"),
        ({"alpha": "0.5"}, "alpha is '0.5'"),
        ({"models": "median"}, "models is 'median'; give average or best or best-r or best-f or"),
        ({"models": "mean", "exact": True}, "exact mode reads lines, and sums references"),
        ({"sentences": "whole", "exact": True}, "exact mode reads lines"),
        ({"sentences": "words"}, "sentences is 'words'; give split or lines or whole"),
        ({"stem": "lancaster"}, "stem is 'lancaster'; give rouge or nltk or snowball"),
        ({"stem": "nltk", "exact": True}, "exact mode supports only one stemmer"),
        ({"language": "of the Goths"}, "'of the Goths' is not a language; use a code such as de"),
        ({"language": "de", "stop_words": True}, "the stop list is English, not de"),
        ({"tokenizer": "moses"}, "tokenizer is 'moses'; give rouge or unicode"),
        ({"tokenizer": ["rouge"]}, "tokenizer is ['rouge']"),
        ({"tokenizer": "unicode", "exact": True}, "exact mode supports only one tokenizer"),
    ],
)
def test_bad_parameters_are_one_clear_line(parameters, message):
    assert message in refusal(InputError, Rouge, **parameters)


def test_exact_mode_takes_the_weights_the_script_takes():
    assert Rouge(w=0.5, exact=True).w == 0.5


@pytest.mark.parametrize(
    ("name", "variant", "measure", "perl_name"),
    [
        ("2", Variant("n", "2"), "rouge-2", "ROUGE-2"),
        ("ROUGE-12", Variant("n", "12"), "rouge-12", "ROUGE-12"),
        ("rougeL", Variant("l"), "rouge-l", "ROUGE-L"),
        ("w-1.2", Variant("w", "1.2"), "rouge-w-1.2", "ROUGE-W-1.2"),
        ("w1.20", Variant("w", "1.2"), "rouge-w-1.2", "ROUGE-W-1.2"),
        ("w-.5", Variant("w", "0.5"), "rouge-w-0.5", "ROUGE-W-0.5"),
        ("s*", Variant("s", "-1"), "rouge-s*", "ROUGE-S*"),
        ("SU4", Variant("su", "4"), "rouge-su4", "ROUGE-SU4"),
        ("su09", Variant("su", "9"), "rouge-su9", "ROUGE-SU9"),
        ("be-hm1", Variant("be", "HM1"), "rouge-be-hm1", "ROUGE-BE-HM1"),
    ],
)
def test_names_of_variants(name, variant, measure, perl_name):
    assert parse_variant(name) == variant
    assert (variant.measure, variant.perl_name) == (measure, perl_name)


@pytest.mark.parametrize("name", ["", "0", "-1", "n2", "lsum", "w", "w-", "s", "su-1", "be", "be-"])
def test_no_names_of_variants(name):
    assert "is not a variant of ROUGE; try rouge-2" in refusal(InputError, parse_variant, name)


@pytest.mark.parametrize("mode", BE_MODES)
def test_modes_of_basic_elements(mode):
    assert parse_variant(f"ROUGE-BE-{mode}") == Variant("be", mode)


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_weights_read_back(weight):
    assert float(weight_text(weight)) == weight
    assert "e" not in weight_text(weight)
