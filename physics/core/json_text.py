"""JSON that every reader takes: numbers that are not finite are the texts "inf", "-inf" and "nan".

Python writes them as Infinity and NaN, which RFC 8259 does not know: JavaScript, DuckDB and strict parsers refuse the
whole text.
"""

from __future__ import annotations

import json
import math
from typing import Any


def json_text(value: Any, indent: int | None = None) -> str:
    """Plain values as JSON."""
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, indent=indent)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return str(float(value)) if isinstance(value, float) and not math.isfinite(value) else value
