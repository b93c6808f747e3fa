"""A picture as a single file: an image, or a page with the picture and its numbers."""

from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from gamedeid.errors import OutputError, did_you_mean
from gamedeid.extras import require
from gamedeid.pictures.picture import Picture
from gamedeid.pictures.svg_drawing import drawing, page_script, page_style, svg
from gamedeid.results.file import write_file

FORMS = ("png", "svg", "html")
"""Suffixes of files that a picture can be saved as."""

_BUTTONS = '<p><button type="button">Smaller</button> <button type="button">Larger</button></p>'
_STYLE = Path(__file__).with_name("picture.css")


def picture_form(path: Path) -> str:
    """Return the format of a file by its suffix.

    Raises
    ------
    OutputError : the suffix is not png, svg or html.
    MissingExtraError : it is png, and matplotlib is not installed.
    """
    form = path.suffix.removeprefix(".").lower()
    if form not in FORMS:
        known = f"`{path}`: a picture is written as .png, .svg or .html"
        raise OutputError(known + (did_you_mean(form, FORMS) if form else "; add one of these to the name"))
    if form == "png":
        require("pictures", "a picture as .png", "or write it as .svg or .html")
    return form


def picture_content(picture: Picture, form: str) -> bytes:
    """Return the bytes of a file in one of the ``FORMS``, always the same; a png file needs matplotlib."""
    if form == "png":
        from gamedeid.pictures.matplotlib_drawing import image  # noqa: PLC0415  (slow to import)

        return image(picture)
    return (page(picture) if form == "html" else svg(picture)).encode()


def save_picture(picture: Picture, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write a picture to a file, whole or not at all, readable by its owner only.

    Parameters
    ----------
    picture : the picture to write.
    path : the file; its suffix, png, svg or html, is the format.
    overwrite : whether to replace a file of this name.

    Raises
    ------
    OutputError : the suffix is unknown, or the file cannot or may not be written.
    MissingExtraError : the format is png, and matplotlib is not installed.
    """
    target = Path(path)
    write_file(target, picture_content(picture, picture_form(target)), overwrite=overwrite)


def page(picture: Picture) -> str:
    """Return a self-contained page: the interactive picture, its caption and finding, and its numbers."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(picture.title)}</title>
<link rel="icon" href="data:,">
<style>
{_STYLE.read_text("utf-8")}{page_style()}</style>
</head>
<body>
<main>
<h1 id="title">{escape(picture.title)}</h1>
{f"<p>{escape(picture.subject)}</p>" if picture.subject else ""}
<figure>
<div class="drawing" role="img" aria-labelledby="title" aria-describedby="finding" tabindex="0">
{drawing(picture, "picture")}</div>
<p class="readout" aria-live="polite"></p>
{_BUTTONS if picture.zooms else ""}
<figcaption>{escape(picture.caption)}</figcaption>
</figure>
<h2>Finding</h2>
<p id="finding">{escape(picture.finding)}</p>
<h2>The numbers</h2>
<div class="wide" role="region" aria-label="The numbers" tabindex="0">
{_table(picture)}
</div>
</main>
<script>
{page_script()}answerTo(document.querySelector(".drawing"));
let size = 100;
document.querySelectorAll("button").forEach((button, larger) => button.addEventListener("click", () => {{
  size = Math.max(100, size * (larger ? 1.5 : 1 / 1.5));
  document.querySelector(".panels").style.width = `${{size}}%`;
}}));
document.documentElement.dataset.drawn = "yes";
</script>
</body>
</html>
"""


def _table(picture: Picture) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in picture.table)
    rows = zip(*picture.table.values(), strict=True)
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _cell(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, str):
        return f'<td class="words">{escape(value)}</td>'
    return f"<td>{round(value, 4) + 0.0 if isinstance(value, float) else value:,}</td>"
