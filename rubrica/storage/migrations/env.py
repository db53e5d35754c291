"""What Alembic runs: each step in a transaction of its own, on the connection it is handed.

Never in batch mode, which copies tables and drops their triggers without a word.
"""

from __future__ import annotations

from alembic import context

from rubrica.storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=True,
    transactional_ddl=True,
    render_as_batch=False,
)
with context.begin_transaction():
    context.run_migrations()
