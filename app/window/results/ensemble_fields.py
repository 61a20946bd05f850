"""The values of an ensemble that its panel lets one edit."""

from __future__ import annotations

from app.kinds.field import Field

FIELDS = (
    Field("ensemble.rocks", "Rocks", tip="How many fall; 1 or more", whole=True),
    Field("ensemble.seed", "Seed", tip="Another whole number, other draws; 0 or more", whole=True),
    Field("workers", "Threads", tip="Processors to use; 1 or more", whole=True),
)
