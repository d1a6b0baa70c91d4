"""What is never changed: shared names, things, quotations, claims; and what is, for comparison."""

import pytest

from pyramidion.rewriting import Articles, PeopleRewriter
from pyramidion.text.parsing import load_parser
from rewriting.people.parsed import PARSERS

both = pytest.mark.parametrize("parser", PARSERS)


def rewritten(documents, text, parser):
    """Rewrite a sentence of documents."""
    texts = {str(number): document for number, document in enumerate(documents)}
    articles = Articles.of_texts(texts, load_parser(parser))
    (sentence,) = (candidate for candidate in articles if candidate.text == text)
    return PeopleRewriter(articles).rewrite([sentence])[0].text


CHANGED = [
    (
        ["Gov. Ada Ode resigned on Monday. Ode was ill, doctors said."],
        "Gov. Ada Ode was ill, doctors said.",
    ),
    (
        ["Prime Minister Jan van der Berg spoke. The city liked van der Berg."],
        "The city liked Prime Minister Jan van der Berg.",
    ),
    (
        ["President Kim Jong Un spoke. Kim said the country was ready."],
        "President Kim Jong Un said the country was ready.",
    ),
    (["Actor Ann B. Orr Jr. won. Critics praised Orr."], "Critics praised actor Ann B. Orr Jr."),
    (
        ["Lawyer Omar al-Sayed spoke. A judge heard al-Sayed on Monday."],
        "A judge heard lawyer Omar al-Sayed on Monday.",
    ),
    (["Sen. Ann Orr won. Voters liked Orr's plan."], "Voters liked Ann Orr's plan."),
    (["Sen. Ann Orr won. Sen. Orr smiled."], "Sen. Ann Orr smiled."),
]


@both
@pytest.mark.parametrize(("documents", "after"), CHANGED, ids=[after for _, after in CHANGED])
def test_changed(documents, after, parser):
    articles = Articles.of_texts({"1": documents[0]}, load_parser(parser))
    text = articles.sentences[-1].text
    assert rewritten(documents, text, parser) == after


LEFT = [
    # Nothing corroborates it.
    ("Orr smiled.", ["Orr smiled.", "Sen. Ann Orr won."]),
    # Two people with one last name: couples, brothers, whole families.
    ("Clinton left early.", ["Bill Clinton spoke. Clinton left early.", "Hillary Clinton came."]),
    ("Kell left early.", ["Lawyer Adrian Kell spoke. Kell left early. Josef Kell slept."]),
    ("Kell left early.", ["Coach Tom Kell spoke. Kell left early. His son, T.J. Kell, slept."]),
    ("Orr left early.", ["Sen. Ann Orr spoke. Orr left early. The Orrs were glad."]),
    ("Orr left early.", ["Sen. Ann Orr spoke. Orr left early. The Orr family was glad."]),
    ("Vale left early.", ["Sen. Ann Vale spoke. Vale left early. Mr. Vale and Mrs. Vale slept."]),
    ("Mr. Lock was not there.", ["Sen. Mary Lock won. Mr. Lock was not there.", "Mary Lock won."]),
    (
        "Vale wept, he said.",
        ["A gunman shot agent Tom Vale. Vale's widow, Susan, came. Vale wept, he said."],
    ),
    ("Vale wept, he said.", ["Agent Tom Vale died. His son James came. Vale wept, he said."]),
    # A last name that is somebody's first name.
    ("Kelly waved to fans.", ["Actor Jason Kelly came. Kelly waved to fans. Kelly Smith left."]),
    # Companies and places.
    ("Stanley gained.", ["Morgan Stanley said profits rose. Stanley gained."]),
    ("Ford was late.", ["Gov. Ann Ford came. Ford was late. Ford Motor built cars."]),
    ("Lincoln was 40.", ["Actor Will Lincoln died. Lincoln was 40. He lived in Lincoln."]),
    ("Hilton was late.", ["Singer Ann Hilton came. Hilton was late. They met at the Hilton."]),
    (
        "The suspect was from Allen, Texas.",
        ["Lawyer Greg Allen spoke. Allen said so. The suspect was from Allen, Texas."],
    ),
    (
        "Reading won again.",
        ["Lawyer Ann Reading spoke. Reading won again. A Reading-based firm lost."],
    ),
    ("Jordan was late.", ["Singer Ann Jordan came. Jordan was late."]),
    # First names, nicknames, styles.
    ("Tara was glad.", ["Actress Tara Reid came. Reid sang. Tara was glad."]),
    ("Lord Ashe left.", ["Lord Tom Ashe spoke. Ashe won. Lord Ashe left."]),
    # Quotations, also those of several sentences.
    ('"Orr is good," he said.', ['Sen. Ann Orr won. Orr left. "Orr is good," he said.']),
    ("Orr is good.", ['Sen. Ann Orr won. Orr left. He said: "We won. Orr is good. We go home."']),
    # Lists, names of works, part of more.
    ("The film is named Orr.", ["Sen. Ann Orr won. Orr left. The film is named Orr."]),
    ("The Orr campaign won.", ["Sen. Ann Orr won. Orr left. The Orr campaign won."]),
    ("Orr Stadium burned.", ["Sen. Ann Orr won. Orr left. Orr Stadium burned."]),
]


@both
@pytest.mark.parametrize(("text", "documents"), LEFT, ids=[text for text, _ in LEFT])
def test_left(text, documents, parser):
    assert rewritten(documents, text, parser) == text


CLAIMS = ["Traitor", "Accused spy", "Alleged killer", "Reputed gangster", "Convicted banker"]


@both
@pytest.mark.parametrize("before", CLAIMS)
def test_no_epithet_that_blames(before, parser):
    text = f"{before} Ada Ode spoke. Ode was ill. The court saw Ada Ode and wept."
    assert rewritten([text], "Ode was ill.", parser) in {"Ode was ill.", "Ada Ode was ill."}


@both
@pytest.mark.parametrize(
    "source",
    [
        '"Senator Ada Ode is ill," he said.',
        "If Senator Ada Ode won, all would be lost.",
        "He met Tom Vale, Senator Ada Ode and Al Lee.",
    ],
)
def test_no_epithet_from_a_quotation_a_condition_or_a_list(source, parser):
    text = f"{source} Ode was ill. Ms. Ada Ode left."
    assert "Senator" not in rewritten([text], "Ode was ill.", parser)


@both
@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Ode was tried.", "President Ada Ode spoke. Former President Ada Ode wept."),
        ("Ode was tried.", "President Ada Ode spoke. Ada Ode, the former president, wept."),
        ("Ode was tried.", "Co-author Ada Ode spoke."),
        ("Ode et al were tried.", "President Ada Ode spoke."),
    ],
)
def test_no_epithet_of_an_office_that_is_over_or_that_says_nothing_alone(text, rest, parser):
    assert rewritten([f"{rest} {text}"], text, parser) in {text, f"Ada {text}"}


@both
def test_an_epithet_of_another_article_is_not_used(parser):
    documents = ["Ms. Ada Ode spoke. Ode was ill.", "Coach Ada Ode was fired. Ode wept."]
    assert rewritten(documents, "Ode was ill.", parser) == "Ada Ode was ill."


@both
def test_another_article_needs_two_full_names_and_the_same_title(parser):
    full = ["Gov. Ada Ode won. Voters cheered.", "Gov. Ada Ode lost. Voters wept."]
    assert rewritten(["Gov. Ode was ill.", *full], "Gov. Ode was ill.", parser) == (
        "Gov. Ada Ode was ill."
    )
    assert (
        rewritten(["Sgt. Ode was ill.", *full], "Sgt. Ode was ill.", parser) == "Sgt. Ode was ill."
    )
    assert (
        rewritten(["Gov. Ode was ill.", full[0]], "Gov. Ode was ill.", parser)
        == "Gov. Ode was ill."
    )


@both
def test_only_the_first_name_in_a_sentence_is_introduced(parser):
    text = "Sen. Ann Orr spoke. Orr left. Orr knew that Orr had won."
    after = "Sen. Ann Orr knew that Orr had won."
    assert rewritten([text], "Orr knew that Orr had won.", parser) == after
