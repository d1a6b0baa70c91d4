"""Items may have two parts: two systems, a system and a content unit, or a topic and a person."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

COLUMNS = {"assignments": "system", "boards": "topic"}


def upgrade() -> None:
    """Change the tables; SQLite does not limit texts."""
    if op.get_bind().dialect.name == "sqlite":
        return
    for table, column in COLUMNS.items():
        op.alter_column(table, column, type_=sa.String(500), existing_nullable=False)
