"""How Markdown looks in a chat: headings on the left, code without a box, line ends where the text has them."""

from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
from rich.syntax import Syntax

# Colours of the terminal's own palette: readable on light and on dark.
_CODE_THEME = "ansi_dark"


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar = {}


class _Code(CodeBlock):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Syntax(
            str(self.text).rstrip(),
            self.lexer_name,
            theme=self.theme,
            word_wrap=True,
            padding=(0, 2),
            background_color="default",
        )


class Look(Markdown):
    """Markdown with our elements, read by our parser."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
    }

    def __init__(self, text: str, parser: MarkdownIt) -> None:
        super().__init__("", code_theme=_CODE_THEME, hyperlinks=False)
        self.parsed = [_with_line_ends(token) for token in parser.parse(text)]


def _with_line_ends(token: Token) -> Token:
    """Keep the line ends of a paragraph: models and people mean them."""
    for child in token.children or []:
        if child.type == "softbreak":
            child.type = "hardbreak"
    return token
