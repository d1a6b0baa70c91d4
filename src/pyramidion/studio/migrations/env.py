"""How Alembic reaches the database: by the connection that `Store.upgrade` hands over."""

from alembic import context

from pyramidion.studio._store import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
