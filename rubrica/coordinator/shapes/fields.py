"""What several shapes are made of."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Day = Annotated[str, Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
"""As in 2026-01-31, or empty for any."""
Short = Annotated[str, Meta(max_length=200)]
