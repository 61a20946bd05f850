"""Problems beside the rotation alone that schemes solve: the keys of ``Scheme.marches``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

M = TypeVar("M")  # of what solves it, as the systems take it


@dataclass(frozen=True)
class Problem(Generic[M]):
    """A type of problem, declared beside the type of what solves it.

    Attributes
    ----------
    name : for messages
    kinds : kinds of scenario that a scheme which solves it serves; none where it is part of one
    """

    name: str
    kinds: tuple[str, ...] = ()
