"""The table of scores as a data frame: pandas, polars or whatever narwhals knows."""

from typing import TYPE_CHECKING, Any, Literal

from pyramidion.collection.raw_scores import scores_from_columns
from pyramidion.collection.scores import COLUMNS, TEXT_COLUMNS, Scores
from pyramidion.errors import FormatError, InputError, MissingExtraError, Where

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

__all__ = ["scores_from_frame", "scores_to_frame"]


def scores_from_frame(frame: "IntoDataFrame", *, where: Where | None = None) -> Scores:
    """Take the scores out of a data frame with the columns of the long table.

    Parameters
    ----------
    frame
        A pandas, polars or other data frame.
    where
        Where it came from, for messages.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"topic": ["T1"], "system": ["7"], "kind": ["machine"],
    ...                           "measure": ["readability"], "value": [4]})
    >>> scores_from_frame(frame).value.tolist()
    [4.0]
    """
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    wanted = [name for name in (*TEXT_COLUMNS, "value") if name in table.columns]
    columns = {name: table[name].to_list() for name in wanted}
    try:
        return scores_from_columns(columns, row_names="row", where=where)
    except FormatError as error:
        raise InputError(error.what, where=error.where, hint=error.hint) from None


def scores_to_frame(
    scores: Scores, *, backend: Literal["pandas", "polars", "pyarrow"] = "polars"
) -> Any:
    """Give the table of scores as a data frame of a library that is installed.

    Examples
    --------
    >>> scores = Scores({"topic": ["T1"], "measure": ["readability"]}, [4])
    >>> scores_to_frame(scores, backend="pandas").shape
    (1, 7)
    """
    import narwhals as nw

    columns: dict[str, Any] = {
        name: scores.columns[name].tolist() for name in scores.used_columns if name != "value"
    }
    columns["value"] = scores.value
    ordered = {name: columns[name] for name in scores.used_columns}
    assert set(COLUMNS) <= set(ordered)
    try:
        return nw.from_dict(ordered, backend=backend).to_native()
    except ModuleNotFoundError:
        raise MissingExtraError(f"a data frame of {backend}", extra="frames") from None
