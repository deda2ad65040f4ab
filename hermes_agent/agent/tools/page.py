"""Turn what a web server sent into text to read: HTML becomes Markdown with its title, text stays as it is.

The conversion is html-to-markdown's. It was chosen over the parsers that would have left the writing to us because
no page makes it slow or deep: 2 MB of opening tags or comments, which take minutes elsewhere, take it seconds.
"""

import re
from dataclasses import dataclass
from html import unescape

from hermes_agent.errors import ToolError
from hermes_agent.text.clean import preview

_TEXTUAL = re.compile(
    r"text/[\w.+-]+|application/([\w.+-]+\+)?(json|xml)|application/(x-)?(javascript|yaml|ndjson)"
)
_HTML = ("text/html", "application/xhtml+xml")
# Only codings of the web: Python knows others under these names that are slow or no text at all.
_CHARSET = re.compile(
    r"utf-?8|utf-?16(le|be)?|us-ascii|iso-?8859-?\d{1,2}|latin-?1|windows-?125\d|cp-?125\d|koi8-[ru]|macintosh"
    r"|shift[_-]jis|euc-(jp|kr)|iso-2022-jp|gb2312|gbk|gb18030|big5(-hkscs)?|windows-874|tis-620",
    re.IGNORECASE,
)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{1,40})", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,1000})", re.IGNORECASE)
_META_BYTES = 2_048
_TITLE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Page:
    """What is there to read."""

    title: str
    text: str


def require_text(content_type: str, address: str) -> None:
    """Refuse what is no text; a server that does not say what it sent is believed to send text."""
    kind = _kind(content_type)
    if kind and not _TEXTUAL.fullmatch(kind):
        raise ToolError(f"{address} is {kind}, which cannot be read as text.", hint="Look for a page in HTML.")


def read_page(body: bytes, content_type: str, address: str) -> Page:
    """Return the title and the text of what was sent."""
    if not _kind(content_type) and b"\0" in body[:_META_BYTES]:
        raise ToolError(f"{address} cannot be read as text.", hint="Look for a page in HTML.")
    is_html = _kind(content_type) in _HTML or (not _kind(content_type) and b"<html" in body[:_META_BYTES].lower())
    text = body.decode(_charset(body, content_type, is_html), "replace")
    return _readable(text, address) if is_html else Page("", text)


def _readable(markup: str, address: str) -> Page:
    """Keep what a reader of the page sees: no scripts, no navigation, no hidden text; links are whole."""
    # Imported here: only a page needs it.
    from html_to_markdown import ConversionError, ConversionOptions, convert

    options = ConversionOptions(
        base_url=address, extract_metadata=False, skip_images=True, exclude_selectors=["footer", "iframe"]
    )
    title = _TITLE.search(markup)
    try:
        text = convert(markup, options).content or ""
    except ConversionError as error:
        raise ToolError(f"{address} is no readable page: {error}.", hint="Try another page.") from None
    return Page("" if title is None else preview(unescape(title.group(1)), _TITLE_CHARACTERS), text.strip())


def _kind(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _charset(body: bytes, content_type: str, is_html: bool) -> str:
    """Return the coding that the server or the page names, if it is one of the web's; else UTF-8."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    named = re.search(r"charset\s*=\s*[\"']?([\w-]+)", content_type, re.IGNORECASE)
    name = named.group(1) if named else ""
    if not name and is_html and (meta := _META_CHARSET.search(body[:_META_BYTES])):
        name = meta.group(1).decode("ascii")
    return name if _CHARSET.fullmatch(name) else "utf-8-sig"
