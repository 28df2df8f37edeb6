"""From text to a tree of elements that know their file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from grouser.description.report import Report, shown
from grouser.description.robot import Source
from grouser.description.text import Text

__all__ = ["Node", "parse"]

MAX_TAGS = 50_000
"""Start tags in one file; a humanoid with all its collision shapes has some thousands."""

# Where something starts; "</" does not interest. A "<" within an attribute is not well-formed.
_MARK = re.compile(r"<(?!/)(?:!--|!\[CDATA\[|\?|!)?")
_SKIPPED = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}


@dataclass(frozen=True, slots=True)
class Node:
    """An element. Elements in a foreign namespace keep it in their tag, as "{uri}name"."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Node] = field(default_factory=list)

    def all(self, tag: str) -> list[Node]:
        """Return the child elements of that name."""
        return [child for child in self.children if child.tag == tag]


class _MarkupError(Exception):
    def __init__(self, line: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.line, self.message, self.hint = line, message, hint


def parse(text: Text, report: Report, *, fragment: bool = False) -> Node | None:
    """Return the root element.

    No document type, no entities but XML's own five, no network; size and depth are bounded.

    Args:
        text: What to parse.
        report: Gets the error, and the result is None, if it is not well-formed XML.
        fragment: The text is a sequence of elements, with or without <robot> around it; the result is
            a <robot> that holds them.
    """
    markup = f"<robot>{text.text}</robot>" if fragment else text.text
    try:
        lines = _lines_of_tags(markup)
        root = _parsed(markup)
    except _MarkupError as error:
        report.error(Source(text.name, error.line), error.message, error.hint)
        return None
    node = _node(root, iter(lines), text.name, etree.QName(root).namespace)
    if fragment and len(node.children) == 1 and node.children[0].tag == "robot":
        return node.children[0]
    return node


def _parsed(markup: str) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        return etree.fromstring(markup.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        said = (error.msg or "no element found").split("\n")[0]
        raise _MarkupError(error.lineno or 0, f"not well-formed XML: {shown_message(said)}") from None
    except UnicodeEncodeError:
        raise _MarkupError(0, "not well-formed XML: it holds half of a surrogate pair") from None


def shown_message(text: str) -> str:
    """Return a parser's message without control characters; it can quote the file."""
    return text if text.isprintable() else shown(text)


def _lines_of_tags(text: str) -> list[int]:
    """Return the line of every start tag, in document order.

    The parser itself knows only where a start tag ends, and tags are often written over several lines.
    """
    lines: list[int] = []
    line, counted, position = 1, 0, 0
    while (found := _MARK.search(text, position)) is not None:
        line += text.count("\n", counted, found.start())
        counted, position = found.start(), found.end()
        mark = found.group()
        if mark == "<":
            lines.append(line)
            if len(lines) > MAX_TAGS:
                raise _MarkupError(line, f"more than {MAX_TAGS} elements, the most that are read")
        elif mark in _SKIPPED:
            position = text.find(_SKIPPED[mark], position)
            if position < 0:
                break  # The parser says what is wrong.
        else:
            message = "document types and entities are not read"
            raise _MarkupError(line, message, "remove the <!DOCTYPE ...> declaration")
    return lines


def _node(element: etree._Element, lines: Iterator[int], file: str, namespace: str | None) -> Node:
    """Convert an element and its children, depth first, in the order of their start tags.

    The parser bounds the depth to 256, and so this recursion.
    """
    node = Node(
        tag=_local(str(element.tag), namespace),
        attributes={_local(str(name), namespace): str(value) for name, value in element.attrib.items()},
        file=file,
        line=next(lines),
    )
    node.children.extend(_node(child, lines, file, namespace) for child in element)
    return node


def _local(name: str, namespace: str | None) -> str:
    """Return a name without the namespace of the root element."""
    prefix = f"{{{namespace}}}"
    return name[len(prefix) :] if namespace and name.startswith(prefix) else name
