"""Train the models of cognitive status that come with the package on GUM, and judge them.

Run by ``make train MODEL=status`` where the treebanks are at hand; see
``status.md`` of `pyramidion-english`.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

from pyramidion.files.writing import write_text
from pyramidion.rendering.table import Table
from pyramidion.rewriting import (
    STATUS_FEATURES,
    THESIS_FEATURES,
    Articles,
    DescriptionModel,
    StatusModel,
    find_people,
    people_features,
    statuses_of,
)
from pyramidion.rewriting._status.features import description_words
from pyramidion.studies._status_training import (
    AnswerCounts,
    Example,
    Labels,
    Recipe,
    cross_validate,
    examples_of,
    gum_labels,
    judge_affiliation,
    recall_by_agreement,
    share_interval,
    train_model,
    train_status,
)
from pyramidion.text import english_file, split_sentences
from pyramidion.text.parsing import Parser, load_parser
from status_data import Treebanked, read_documents

TARGET = english_file("status.json", "training")
DESCRIBED = ("ewt-train", "gum-open-train")
# In single documents features divided by the number of documents are those that are not, so that
# only these are learned from: they are what grows with the importance of a person in a cluster.
TOTALS = tuple(n for n in THESIS_FEATURES if not STATUS_FEATURES[n].endswith("per document"))
SHORT = STATUS_FEATURES.index("short first names")
SHIPPED = {"major": Recipe("tree", TOTALS), "hearer_old": Recipe("tree", (SHORT,))}
TRIED = {
    "major": [SHIPPED["major"], Recipe("linear", TOTALS), Recipe("svm", TOTALS)],
    "hearer_old": [
        SHIPPED["hearer_old"],
        *(Recipe(learner, TOTALS) for learner in ("linear", "svm", "tree")),
    ],
}

Known = Callable[[Example], bool | None]


def main() -> None:
    """Read, label, judge, train and write."""
    options = _options()
    parser = load_parser(options.pipeline)
    descriptions = [
        description_words(mention)
        for name in DESCRIBED
        for document in read_documents(_file(options.treebanks, name))
        for person in find_people(document.articles)
        for mention in person.initial()
    ]
    words = DescriptionModel.of_descriptions(descriptions)
    parts = {
        part: list(read_documents(_file(options.treebanks, f"gum-open-{part}")))
        for part in ("train", "dev")
    }
    people = {part: _examples(documents, parser) for part, documents in parts.items()}
    everybody = {
        part: _examples(documents, parser, human=False) for part, documents in parts.items()
    }
    card = {
        "license": "CC BY-SA 4.0: the treebanks' words before names are counted in it",
        "documents": len(parts["train"]),
        "descriptions": len(descriptions),
        "parser_of_summaries": parser.name,
    }
    model = train_model(
        people["train"], words, data="UD English GUM and EWT", recipes=SHIPPED, card=card
    )
    model.save(options.output)
    with redirect_stdout(StringIO()) as figures:
        _figures(people, everybody, parts, descriptions, words, model)
    print(figures.getvalue(), end="")
    write_text(options.output.with_suffix(".txt"), figures.getvalue())


def _figures(
    people: dict[str, list[Example]],
    everybody: dict[str, list[Example]],
    parts: dict[str, list[Treebanked]],
    descriptions: Sequence[Sequence[str]],
    words: DescriptionModel,
    model: StatusModel,
) -> None:
    """Print how accurately status is predicted."""
    _describe(descriptions, words, people)
    _judge("major", people, words, lambda example: example.labels.major, "GUM's salience")
    label_of: Known = lambda example: example.labels.hearer_old  # noqa: E731 - one of three alike
    _judge("hearer_old", people, words, label_of, "forms in people's summaries")
    _judge("hearer_old", everybody, words, label_of, "forms in all summaries")
    _judge("hearer_old", people, words, _annotated(parts), "GUM's information status")
    _agree(people, words, model)
    _affiliate([*people["train"], *people["dev"]], model)
    _weigh(people["train"], words, model)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path, help="the folder of the treebanks' files")
    parser.add_argument("--pipeline", default="", help="what parses the summaries")
    parser.add_argument("--output", type=Path, default=TARGET)
    return parser.parse_args()


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.conllu.gz"


def _examples(
    documents: Iterable[Treebanked], parser: Parser, *, human: bool = True
) -> list[Example]:
    """Label people: who matters by GUM's salience, who is known by the forms in summaries."""
    examples = []
    for document in documents:
        texts = [
            (writer, split_sentences(text))
            for writer, text in document.summaries
            if not human or writer.startswith("human")
        ]
        summaries = Articles.of_sentences(texts, parser)
        labeled: dict[str, Example] = {}
        for example in examples_of(document.articles, summaries, topic=document.id):
            id = document.entity_of(example.person.mentions)
            # Of people that GUM merges, the one with the most mentions represents all.
            if id is not None and _mentions(example) > _mentions(labeled.get(id)):
                labeled[id] = replace(example, labels=_labels(document, id, example.labels))
        examples += labeled.values()
    return examples


def _mentions(example: Example | None) -> int:
    return len(example.person.mentions) if example else 0


def _labels(document: Treebanked, id: str, forms: Labels) -> Labels:
    salient = gum_labels(document.first_of(id).salience, "")
    return replace(salient, annotated=forms.hearer_old)


def _annotated(parts: dict[str, list[Treebanked]]) -> Known:
    documents = {
        document.id: document for part_documents in parts.values() for document in part_documents
    }

    def annotated_status(example: Example) -> bool | None:
        document = documents[example.topic]
        id = document.entity_of(example.person.mentions)
        first = document.first_of(id) if id else None
        return gum_labels(first.salience, first.status).hearer_old if first else None

    return annotated_status


def _describe(
    descriptions: Sequence[Sequence[str]], words: DescriptionModel, people: dict[str, list[Example]]
) -> None:
    frequent = Counter(word for words in descriptions for word in words).most_common(20)
    print(f"{len(descriptions)} first mentions, {sum(map(bool, descriptions))} with words before")
    print(f"{len(words.pairs)} pairs; most frequent: {' '.join(word for word, _ in frequent)}")
    for part, examples in people.items():
        print(f"{part}: {len(examples)} people that GUM has, too")


def _judge(
    question: str,
    people: dict[str, list[Example]],
    words: DescriptionModel,
    label_of: Known,
    labels: str,
) -> None:
    """Cross-validate on the training part, and judge what it teaches on the other."""
    (table, truth, topics), held = (
        _table(people[part], words, label_of) for part in ("train", "dev")
    )
    rows = []
    for recipe in TRIED[question]:
        how = {"features": recipe.features}
        few = len(recipe.features) == 1
        used = (
            STATUS_FEATURES[recipe.features[0]] if few else f"{len(recipe.features)} of Table 5.1"
        )
        judged = {
            "plain folds": cross_validate(table, truth, recipe.learner, **how).judged,
            "documents apart": cross_validate(
                table, truth, recipe.learner, groups=topics, **how
            ).judged,
            "held out": AnswerCounts.of(
                held[1],
                train_status(table, truth, recipe.learner, **how).probabilities(held[0]) > 0.5,
            ),
        }
        rows += [(recipe.learner, used, name, *_row(figures)) for name, figures in judged.items()]
    columns = (
        *("learner", "features", "judged by", "examples", "yes", "accuracy", "low", "high"),
        *("majority", "P yes", "R yes", "F yes", "P no", "R no", "F no"),
    )
    title = f"{question.replace('_', '-')}, labeled by {labels}"
    print(f"\n{Table(columns, tuple(rows), title=title, digits=3).to_text()}", end="")


def _row(figures: AnswerCounts) -> tuple[float, ...]:
    counts = (figures.number, figures.hits + figures.misses)
    return (
        *counts,
        figures.accuracy,
        *figures.interval,
        figures.majority,
        *figures.yes(),
        *figures.no(),
    )


def _table(examples: Sequence[Example], words: DescriptionModel, label_of: Known):
    labeled = [
        (example, answer) for example in examples if (answer := label_of(example)) is not None
    ]
    table = people_features((example.person for example, _ in labeled), words)
    return table, [answer for _, answer in labeled], [example.topic for example, _ in labeled]


def _agree(people: dict[str, list[Example]], words: DescriptionModel, model: StatusModel) -> None:
    """Show recall by the number of summaries: of cross-validation, and of the part held out."""
    training = people["train"]
    table, truth, topics = _table(training, words, lambda example: example.labels.major)
    recipe = SHIPPED["major"]
    predicted = cross_validate(
        table, truth, recipe.learner, groups=topics, features=recipe.features
    )
    held = statuses_of((example.person for example in people["dev"]), model)
    answers = {"train": list(predicted.answers), "dev": [status.major for status in held]}
    rows = tuple(
        (part, f"{agreement.named} of {agreement.summaries}", agreement.examples,
         agreement.recalled, agreement.recall,
         *share_interval(agreement.recalled, agreement.examples))
        for part, major in answers.items()
        for agreement in recall_by_agreement(people[part], major)
    )  # fmt: skip
    columns = ("part", "summaries", "examples", "recalled", "recall", "low", "high")
    title = "Recall of major people and agreement (documents apart, and held out)"
    print(f"\n{Table(columns, rows, title=title, digits=3).to_text()}", end="")


def _affiliate(examples: Sequence[Example], model: StatusModel) -> None:
    """Compare rules with first mentions in people's summaries, of both parts."""
    statuses = statuses_of((example.person for example in examples), model)
    judged = judge_affiliation(examples, statuses)
    rows = tuple(
        (str(rule), figures.number, figures.accuracy, *figures.interval)
        for rule, figures in judged.items()
    )
    columns = ("rule", "examples", "accuracy", "low", "high")
    title = "Affiliation in people's summaries of both parts"
    print(f"\n{Table(columns, rows, title=title, digits=3).to_text()}", end="")


def _weigh(examples: Sequence[Example], words: DescriptionModel, model: StatusModel) -> None:
    """Print what the shipped trees ask, and what weights a logistic regression gives."""
    for question, tree in (("major", model.major), ("hearer_old", model.hearer_old)):
        name = question.replace("_", "-")
        print(f"\nThe tree for {name} (shares of yes)\n")
        print("\n".join(f"  {line}" for line in tree.written(STATUS_FEATURES)))
        table, truth, _ = _table(
            examples, words, lambda example, q=question: getattr(example.labels, q)
        )
        fitted = train_status(table, truth, "linear", features=TOTALS)
        weights = sorted(
            zip(fitted.weights, fitted.features, strict=True), key=lambda pair: -abs(pair[0])
        )
        print(f"\nWeights for {name} (logistic regression on scaled features)\n")
        print("\n".join(f"  {weight:+.2f} {STATUS_FEATURES[number]}" for weight, number in weights))


if __name__ == "__main__":
    main()
