"""The table of scores as a data frame: pandas, polars or whatever narwhals knows."""

from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from pyramidion.collection.raw_scores import scores_from_columns
from pyramidion.collection.scores import TEXT_COLUMNS, Scores
from pyramidion.errors import FormatError, InputError, MissingExtraError, Where

if TYPE_CHECKING:
    from narwhals import Series
    from narwhals.typing import IntoDataFrame

__all__ = ["scores_from_frame", "scores_to_frame"]


def scores_from_frame(frame: "IntoDataFrame", *, where: Where | None = None) -> Scores:
    """Take the scores out of a data frame.

    A long frame has the columns ``measure`` and ``value``. In a wide one every other column of
    numbers is a measure if there is a column ``system``; if there is none, it is a system, whose
    scores are called *score*; so are values without a column ``measure``. Systems are machines
    where no column ``kind`` says otherwise.

    Parameters
    ----------
    frame
        A pandas, polars or other data frame; further columns are passed over. In the columns
        of text, missing values are empty and whole numbers are ids.
    where
        The file it came from, for messages.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"topic": ["T1"], "system": ["7"], "kind": ["machine"],
    ...                           "measure": ["readability"], "value": [4]})
    >>> scores_from_frame(frame).value.tolist()
    [4.0]
    """
    import narwhals as nw

    if getattr(getattr(frame, "index", None), "name", None) in TEXT_COLUMNS:
        frame = frame.reset_index()  # type: ignore[attr-defined]  # pandas hides ids there
    if _has_numbered_columns(frame):
        frame = frame.rename(columns=str)  # type: ignore[attr-defined]
    try:
        table = nw.from_native(frame, eager_only=True)
    except (TypeError, ValueError) as error:
        reason = str(error).split("\n", 1)[0]
        raise InputError(
            f"this is no data frame of scores ({reason})",
            where=where,
            hint="pass a pandas or polars DataFrame, collected if it is lazy",
        ) from None
    if where is None:
        # A file says what it holds; a frame at hand may leave out what goes without saying.
        table = _long(nw, table)
    wanted = [name for name in (*TEXT_COLUMNS, "value") if name in table.columns]
    columns = {name: _values(table[name], is_text=name != "value") for name in wanted}
    try:
        return scores_from_columns(columns, row_names="row", where=where)
    except FormatError as error:
        if where is not None:
            raise
        raise InputError(error.what, where=error.where, hint=error.hint) from None


def _has_numbered_columns(frame: Any) -> bool:
    """Tell whether names of columns are no texts, which only pandas allows."""
    from_pandas = hasattr(type(frame), "columns") and hasattr(type(frame), "index")
    return from_pandas and any(not isinstance(name, str) for name in frame.columns)


def _long(nw: Any, table: Any) -> Any:
    """Give a frame with one score a row, whichever way it was laid out."""
    if not {"measure", "value"} & set(table.columns):
        names = [name for name in table.columns if name not in TEXT_COLUMNS]
        numbers = [name for name in names if table[name].dtype.is_numeric()]
        if not numbers:
            raise InputError(
                "the data frame has no column of scores",
                hint="give topic, system, measure and value, or a column a measure or system",
            )
        if "system" in table.columns and "topic" not in table.columns:
            raise InputError(
                "the data frame has systems, but no column `topic`",
                hint="rename the column that says which text was summarized",
            )
        variable = "measure" if "system" in table.columns else "system"
        if variable == "system" and "topic" not in table.columns:
            # The systems of a row share a topic, whatever it is called.
            table = table.with_row_index("topic")
        ids = [name for name in table.columns if name in TEXT_COLUMNS]
        table = table.unpivot(numbers, index=ids, variable_name=variable, value_name="value")
        table = table.filter(~nw.col("value").is_null() & ~nw.col("value").is_nan())
        if variable == "system":
            table = table.with_columns(nw.lit("score").alias("measure"))
    elif "measure" not in table.columns:
        table = table.with_columns(nw.lit("score").alias("measure"))
    if "kind" not in table.columns:
        table = table.with_columns(nw.lit("machine").alias("kind"))
    return table


def _values(series: "Series[Any]", *, is_text: bool) -> list[Any]:
    missing = series.is_null().to_list()
    values = (None if m else v for m, v in zip(missing, series.to_list(), strict=True))
    return [_plain(value) for value in values] if is_text else list(values)


def _plain(value: Any) -> Any:
    """Undo what data frames do to ids: beside a missing one, 7 becomes 7.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.isoformat() if isinstance(value, date) else value


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
        name: scores.value if name == "value" else scores.columns[name].tolist()
        for name in scores.used_columns
    }
    types = {name: nw.Float64() if name == "value" else nw.String() for name in columns}
    try:
        return nw.from_dict(columns, schema=types, backend=backend).to_native()
    except ModuleNotFoundError:
        if backend == "polars":
            raise MissingExtraError("a data frame", extra="frames") from None
        raise InputError(
            f"{backend} is not installed", hint=f"run: pip install {backend}"
        ) from None
