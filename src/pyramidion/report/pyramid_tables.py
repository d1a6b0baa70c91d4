"""What tables about pyramids have in common."""

from dataclasses import replace

from pyramidion.report.table import Table

__all__ = ["without_tasks"]


def without_tasks(table: Table) -> Table:
    """Drop a table's first column, the tasks, where none has a name.

    Examples
    --------
    >>> without_tasks(Table(("task", "topic"), (("", "T1"),))).columns
    ('topic',)
    """
    if any(row[0] for row in table.rows):
        return table
    return replace(table, columns=table.columns[1:], rows=tuple(row[1:] for row in table.rows))
