"""Ratings that came sooner than an item can be read are counted; what is there is counted anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tallies", sa.Column("unread", sa.Integer(), nullable=False, server_default="0"))
    op.execute("DELETE FROM tallies")
    op.execute("DELETE FROM new_ratings")
    op.execute("INSERT INTO new_ratings (study, number) SELECT study, number FROM ratings")
