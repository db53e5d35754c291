"""How far lines of items were filled in is kept, not read off the last one that happens to be there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Empty, so that what was left out before is filled in as soon as somebody looks.
    op.create_table(
        "filled",
        sa.Column("study", sa.Integer(), sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
    )
