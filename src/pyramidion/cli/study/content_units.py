"""``pyramidion study content-units``."""

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, working
from pyramidion.cli.study.options import (
    FigureOption,
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
    TopOption,
    numbers_of,
    request_of,
)

__all__ = ["content_units"]


def content_units(
    source: SourceArgument,
    top: TopOption = "5,8,12",
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """How often the input expresses the content units that people agree on (Figure 4.1).

    Annotated documents are a peer called documents, or texts of a pyramid under the documents' ids.
    Where there are none, the documents are annotated by similarity, and the answer says so.
    """
    from pyramidion.report.study_units import units_answer

    request = request_of(topic, task, source_format)
    tops = numbers_of(top)
    with working(f"looking for content units in {source}"):
        answer = units_answer(source, request, tops=tops, figure=figure)
    return emit(answer, format, output)
