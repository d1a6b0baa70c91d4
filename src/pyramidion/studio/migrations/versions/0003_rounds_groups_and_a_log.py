"""Rounds of assignments, group links, an audit log, and names that are unique in any case."""

from unicodedata import normalize

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "rounds",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "evaluation_id",
            sa.Integer(),
            sa.ForeignKey("evaluations.id"),
            nullable=False,
            index=True,
        ),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(200), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.UniqueConstraint("evaluation_id", "number"),
    )
    op.create_table(
        "groups",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("token_hash", sa.String(200), nullable=False),
        sa.Column(
            "evaluation_id",
            sa.Integer(),
            sa.ForeignKey("evaluations.id"),
            nullable=False,
            index=True,
        ),
        sa.Column("consent", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("max_people", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=True),
        sa.Column("evaluation", sa.String(200), nullable=False, index=True),
        sa.Column("action", sa.String(200), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
    )
    # Copying a table, as Alembic does on SQLite, would lose the triggers that refer to it.
    op.execute("ALTER TABLE assignments ADD COLUMN round_id INTEGER REFERENCES rounds (id)")
    op.execute("ALTER TABLE accounts ADD COLUMN group_id INTEGER REFERENCES groups (id)")
    op.execute("ALTER TABLE accounts ADD COLUMN folded VARCHAR(200) NOT NULL DEFAULT ''")
    _fold_names()
    op.create_index("ix_accounts_folded", "accounts", ["folded"], unique=True)


def _fold_names() -> None:
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("folded"))
    for id, name in op.get_bind().execute(sa.select(accounts.c.id, accounts.c.name)).all():
        folded_name = normalize("NFC", normalize("NFC", " ".join(name.split())).casefold())
        statement = accounts.update().where(accounts.c.id == id)
        op.get_bind().execute(statement.values(folded=folded_name))
