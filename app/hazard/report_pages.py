"""Pages of a report: sections of text and tables as Markdown, and as a PDF with the plans behind them."""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.plots.print_style import INK, PrintTable
from app.system.language import tr
from app.theme import FONTS

WIDE, HIGH = 210.0, 297.0  # [mm], A4
EDGE, FOOT = 20.0, 18.0  # [mm] around the text, and below it
BODY, SMALL, SMALLEST_SIZE = 9.0, 7.5, 5.0  # [pt] of text, of tables, and of tables that are wide
CELL = 2.0  # [mm] beside the text of a cell, on both sides together
REGULAR, STRONG = "Report", "ReportStrong"  # names of the fonts in the file


class Section(NamedTuple):
    """A part of a report.

    parts : paragraphs as strings, lists of points as tuples of strings, tables
    """

    title: str
    parts: tuple[str | tuple[str, ...] | PrintTable, ...]


def markdown(title: str, sections: Sequence[Section]) -> str:
    """Text of a report in Markdown."""
    lines = [f"# {title}"]
    for section in sections:
        lines += ["", f"## {section.title}"] if section.title else []
        for part in section.parts:
            lines.append("")
            if isinstance(part, PrintTable):
                rows = (part.headings, ["---"] * len(part.headings), *part.rows)
                lines += [f"**{part.title}**", ""] if part.title else []
                lines += [f"| {' | '.join(_in_cell(cell) for cell in row)} |" for row in rows]
                lines += ["", part.note] if part.note else []
            elif isinstance(part, str):
                lines.append(part)
            else:
                lines += [f"- {point}" for point in part]
    return "\n".join(lines) + "\n"


def _in_cell(text: str) -> str:
    """Text without what would end a cell of a table."""
    return text.replace("|", "/").replace("\n", " ")


def write_pdf(path: Path, title: str, sections: Sequence[Section], plans: Sequence[Path]) -> None:
    """Write a report as PDF: its sections, the pages of plans, and the last section on a page of its own.

    The same content makes the same bytes.
    """
    from pypdf import PdfReader, PdfWriter

    whole = PdfWriter()
    *others, last = sections
    first = PdfReader(io.BytesIO(_pages(title, others, 1)))
    files = [first, *(PdfReader(plan) for plan in plans)]
    before = sum(len(file.pages) for file in files)
    for file in [*files, PdfReader(io.BytesIO(_pages(title, [last], before + 1)))]:
        whole.append(file)
    whole.metadata = {"/Title": title, "/Creator": "Polhode"}
    with path.open("wb") as made:
        whole.write(made)


def _pages(title: str, sections: Sequence[Section], first: int) -> bytes:
    """A PDF of sections, its pages numbered from a number on; the title stands on the first page of a report."""
    from reportlab.lib.units import mm
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import SimpleDocTemplate, Spacer

    for name, weight in ((REGULAR, "Regular"), (STRONG, "SemiBold")):
        pdfmetrics.registerFont(TTFont(name, str(FONTS[weight])))
    styles = _styles()
    story: list[Any] = [_paragraph(title, styles["title"])] if first == 1 else []
    for section in sections:
        if section.title:
            story.append(_paragraph(section.title, styles["heading"]))
        for part in section.parts:
            if isinstance(part, PrintTable):
                story += _table(part, styles, (WIDE - 2 * EDGE) * mm)
            elif isinstance(part, str):
                story.append(_paragraph(part, styles["body"]))
            else:
                story += [_paragraph(point, styles["point"], bulletText="•") for point in part]
            story.append(Spacer(0, 1.5 * mm))

    def foot(page: Any, _: Any) -> None:
        page.setFont(REGULAR, SMALL)
        page.setFillColor("#4A5260")
        page.drawString(EDGE * mm, 10 * mm, title)
        number = tr("Page {number}").format(number=first + page.getPageNumber() - 1)
        page.drawRightString((WIDE - EDGE) * mm, 10 * mm, number)

    made = io.BytesIO()
    margins = {"leftMargin": EDGE * mm, "rightMargin": EDGE * mm, "topMargin": EDGE * mm, "bottomMargin": FOOT * mm}
    pages = SimpleDocTemplate(made, pagesize=(WIDE * mm, HIGH * mm), invariant=1, **margins)
    pages.build(story, onFirstPage=foot, onLaterPages=foot)
    return made.getvalue()


def _styles() -> dict[str, Any]:
    """Styles of paragraphs by what they are for."""
    from reportlab.lib.styles import ParagraphStyle

    body = ParagraphStyle("body", fontName=REGULAR, fontSize=BODY, leading=1.4 * BODY, textColor=INK)
    strong = {"parent": body, "fontName": STRONG}
    return {
        "body": body,
        "point": ParagraphStyle("point", parent=body, leftIndent=10, bulletFontName=REGULAR),
        "title": ParagraphStyle("title", fontSize=18, leading=23, spaceAfter=8, **strong),
        "heading": ParagraphStyle(
            "heading", fontSize=12, leading=15, spaceBefore=10, spaceAfter=4, keepWithNext=1, **strong
        ),
        "table": ParagraphStyle("table", spaceBefore=4, spaceAfter=2, keepWithNext=1, **strong),
        "note": ParagraphStyle("note", parent=body, fontSize=SMALL, leading=1.3 * SMALL, spaceBefore=2),
    }


def _paragraph(text: str, style: Any, **more: str) -> Any:
    """Text as it is: nothing in it is markup."""
    from reportlab.platypus import Paragraph

    return Paragraph(html.escape(text, quote=False).replace("\n", "<br/>"), style, **more)


def _table(table: PrintTable, styles: dict[str, Any], wide: float) -> list[Any]:
    """A table as wide as its cells need, in smaller letters where they need more than there is [pt].

    It stands whole on a page that it fits on, and else its head is repeated on each. Of many columns units stand on a
    line of their own.
    """
    from reportlab.lib.units import mm
    from reportlab.pdfbase.pdfmetrics import stringWidth
    from reportlab.platypus import Table as Grid

    heads = [head.replace(" [", "\n[") if len(table.headings) > 5 else head for head in table.headings]
    rows = [list(row) for row in table.rows]
    needed = [
        max(
            max(stringWidth(line, STRONG, SMALL) for line in head.split("\n")),
            max((stringWidth(cell, REGULAR, SMALL) for row in rows for cell in row[k : k + 1]), default=0.0),
        )
        for k, head in enumerate(heads)
    ]
    room = wide - len(heads) * CELL * mm
    size = SMALL * max(SMALLEST_SIZE / SMALL, min(1.0, room / sum(needed)))
    widths = [size / SMALL * one + CELL * mm for one in needed]
    if sum(widths) > wide:  # a long cell: it has lines
        from reportlab.lib.styles import ParagraphStyle

        cell = ParagraphStyle("cell", parent=styles["body"], fontSize=size, leading=1.25 * size)
        rows = [[_paragraph(text, cell) for text in row] for row in rows]
        most = wide / len(widths)
        narrow = sum(one for one in widths if one <= most)
        broad = sum(one for one in widths if one > most)
        widths = [one if one <= most else one * (wide - narrow) / broad for one in widths]
    grid = Grid([heads, *rows], colWidths=widths, repeatRows=1, hAlign="LEFT")
    numbers = [k for k in range(len(heads)) if all(_number(row[k]) for row in table.rows)]
    grid.setStyle(
        [
            ("FONT", (0, 0), (-1, 0), STRONG, size, 1.2 * size),
            ("FONT", (0, 1), (-1, -1), REGULAR, size, 1.25 * size),
            ("TEXTCOLOR", (0, 0), (-1, -1), INK),
            ("LEFTPADDING", (0, 0), (-1, -1), CELL / 2 * mm),
            ("RIGHTPADDING", (0, 0), (-1, -1), CELL / 2 * mm),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            ("VALIGN", (0, 1), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, INK),
            ("LINEBELOW", (0, 1), (-1, -1), 0.25, "#C9CED6"),
            *(("ALIGN", (k, 0), (k, -1), "RIGHT") for k in numbers),
        ]
    )
    found = [_paragraph(table.title, styles["table"])] if table.title else []
    return [*found, grid, *([_paragraph(table.note, styles["note"])] if table.note else [])]


def _number(text: str) -> bool:
    """True for a number, and for a cell without one."""
    return not text or text.replace("\u202f", "").lstrip("<>≤ -–").rstrip(" %").replace(".", "", 1).isdigit()
