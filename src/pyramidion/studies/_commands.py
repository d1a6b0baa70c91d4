"""The commands of this package."""

from pyramidion.questions import CommandGroup, CommandSpec

#: The value of the entry point ``pyramidion.commands``.
COMMANDS = (
    CommandGroup(
        "study",
        "Study how people summarize and judge: words, content units, judgments and tests.",
        heading="Study human summaries",
    ),
    CommandSpec(
        "composite",
        "pyramidion.studies:composite",
        "Combine measures into principal components, and test how well they separate systems.",
        heading="Compare systems",
        progress_message="composing the measures of {source}",
    ),
    CommandSpec(
        "difficulty",
        "pyramidion.studies:difficulty",
        "Measure how difficult each input is, and how well the input alone predicts it.",
        heading="Compare systems",
        progress_message="measuring the inputs of {source}",
    ),
    CommandSpec(
        "pyramid stability",
        "pyramidion.studies:stability",
        "Show how many references a pyramid needs for stable scores and ranks.",
        progress_message="growing pyramids of {source}",
    ),
    CommandSpec(
        "pyramid importance",
        "pyramidion.studies:importance",
        "Count how many people chose each content unit, word and sentence; fit Zipf's law.",
        progress_message="counting in {source}",
    ),
    CommandSpec(
        "study all",
        "pyramidion.studies:every_study",
        "Run every study that the data allow, with default settings.",
        progress_message="studying {source}",
    ),
    CommandSpec(
        "study vocabulary",
        "pyramidion.studies:vocabulary",
        "Count the words that one, two, ... all texts of a set share, and the vocabulary's growth.",
        progress_message="counting in {sources[0]}",
    ),
    CommandSpec(
        "study tiling",
        "pyramidion.studies:tiling",
        "Show the lengths of the n-grams that summaries share with their input (section 2.5).",
        progress_message="tiling summaries of {source}",
    ),
    CommandSpec(
        "study frequent-words",
        "pyramidion.studies:frequent_words",
        "Count the input's most frequent words in summaries (Tables 4.1, 4.4, Figures 4.2, 4.3).",
        progress_message="counting in {source}",
    ),
    CommandSpec(
        "study word-classes",
        "pyramidion.studies:word_classes",
        "Show how frequent the words that people agree on are in the input (Table 4.2).",
        progress_message="counting in {source}",
    ),
    CommandSpec(
        "study likelihood",
        "pyramidion.studies:likelihood",
        "Compare the likelihood of human and machine summaries given their input (Table 4.3).",
        progress_message="scoring summaries of {source}",
    ),
    CommandSpec(
        "study content-units",
        "pyramidion.studies:content_units",
        "Show how often the input expresses content units that people agree on (Figure 4.1, 6.2).",
        progress_message="looking for content units in {source}",
    ),
    CommandSpec(
        "study composition",
        "pyramidion.studies:composition",
        "Compare summarizers that multiply, average or add word probabilities (Tables 4.5-4.7).",
        progress_message="summarizing {source}",
    ),
    CommandSpec(
        "study quality",
        "pyramidion.studies:quality",
        "Show the fraction of summaries rated very poor, poor, ..., very good (Tables 2.3, 2.4).",
        progress_message="counting judgments of {source}",
    ),
    CommandSpec(
        "study systems",
        "pyramidion.studies:systems",
        "Analyze a score by system and input, and test which systems differ (Tables 2.1, 2.2).",
        progress_message="analyzing scores of {source}",
    ),
    CommandSpec(
        "study utility",
        "pyramidion.studies:utility",
        "Measure relative utility: how useful sentences and extracts are (Table 2.7).",
        progress_message="scoring extracts of {source}",
    ),
    CommandSpec(
        "study lognormal",
        "pyramidion.studies:lognormal",
        "Compare a lognormal model of the input's words with relative frequencies (section 6.1).",
        progress_message="fitting models to {source}",
    ),
    CommandSpec(
        "study references",
        "pyramidion.studies:references",
        "Show how texts refer to people at first and later mentions (Figures 5.4-5.8).",
        progress_message="looking for people",
    ),
    CommandSpec(
        "study status",
        "pyramidion.studies:status",
        "Show which people human summaries name and assume known, and predict it (Tables 5.2-5.5).",
        progress_message="looking for people in {source}",
    ),
    CommandSpec(
        "study contrast",
        "pyramidion.studies:contrast",
        "Show the best person and the machines that a metric prefers on one topic (Table 5.1).",
        progress_message="looking for a topic in {source}",
    ),
    CommandSpec(
        "study tests",
        "pyramidion.studies:topic_tests",
        "Show how many pairs of systems tests find, and agree on, by the number of topics (8.2).",
        progress_message="testing systems of {source}",
    ),
    CommandSpec(
        "reproduce",
        "pyramidion.studies:reproduce",
        "Compare the papers' tables and results with computed ones: exact, different, or data "
        "missing.",
        heading="Study human summaries",
        progress_message="computing printed results",
    ),
)
