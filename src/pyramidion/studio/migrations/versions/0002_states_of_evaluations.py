"""Evaluations can be archived, and deleted with their events."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

#: Tables whose rows are removed only with their evaluation: the column, and the table it refers to.
PARENTS = {"events": ("assignment_id", "assignments"), "board_changes": ("board_id", "boards")}


def upgrade() -> None:
    """Change the tables."""
    state = sa.Column("state", sa.String(length=200), nullable=False, server_default="active")
    op.add_column("evaluations", state)
    for table, (column, parent) in PARENTS.items():
        condition = (  # the names are those above
            f"NOT EXISTS (SELECT 1 FROM {parent} p JOIN evaluations e ON e.id = p.evaluation_id "  # noqa: S608
            f"WHERE p.id = OLD.{column} AND e.state = 'deleted')"
        )
        _keep(table, condition)


def _keep(table: str, condition: str) -> None:
    """Let the database refuse to remove rows, unless their evaluation is deleted."""
    message = f"rows of {table} are only ever added"
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"DROP TRIGGER {table}_no_delete")
        op.execute(
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN {condition} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
    elif op.get_bind().dialect.name == "postgresql":
        op.execute(f"DROP TRIGGER {table}_only_added ON {table}")
        op.execute(
            f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR TRUNCATE ON {table} "
            f"EXECUTE FUNCTION {table}_refuse()"
        )
        op.execute(
            f"CREATE FUNCTION {table}_keep() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF {condition} THEN RAISE EXCEPTION '{message}'; END IF; RETURN OLD; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_keep()"
        )
