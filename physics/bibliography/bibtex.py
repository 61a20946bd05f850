"""A paper as one cites it: names, title, link and its BibTeX entry."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A source.

    Attributes
    ----------
    short : authors and year, as in ``Scheme.short`` and at the beginning of a scenario's ``source``
    title, link : of the paper
    bibtex : its entry
    """

    short: str
    title: str
    link: str
    bibtex: str


def entry(kind: str, key: str, **fields: str) -> str:
    """A BibTeX entry of a kind."""
    lines = [f"  {name:<9} = {{{value}}}" for name, value in fields.items()]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"


def article(short: str, key: str, **fields: str) -> Paper:
    """An article with a DOI."""
    return Paper(short, fields["title"], f"https://doi.org/{fields['doi']}", entry("article", key, **fields))


def program(short: str, key: str, **fields: str) -> Paper:
    """A program, by where its source is."""
    return Paper(short, fields["title"], fields["url"], entry("misc", key, **fields))
