"""Unnamed places: ratings made elsewhere that say only that somebody gave them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("raters", sa.Column("named", sa.SmallInteger(), nullable=False, server_default="1"))
