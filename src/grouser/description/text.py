"""From what the user gives, a path or XML text, to decoded text with a name and a folder."""

from __future__ import annotations

import codecs
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from grouser.description.report import Report, shown
from grouser.description.robot import Source
from grouser.errors import FileNotReadError

__all__ = ["Text", "open_text", "read_file"]

MAX_BYTES = 16 * 1024 * 1024
"""The largest robot files are a few MB; beyond this a file is refused before it fills the memory."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(r"\A\s*<\?xml\s[^>]*?\?>")
_ENCODING = re.compile(rb"\A\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
# Encodings of text that XML files really have. Python's list also has codecs that are not encodings
# of XML (utf-7, idna, unicode_escape), some of them slow on purpose-made input.
_ENCODINGS = re.compile(
    r"utf-?(8|16|32)(-?[bl]e)?|(us-)?ascii|latin-?1|iso-?8859-?\d{1,2}|windows-?125\d|cp125\d"
    r"|shift-?jis|sjis|euc-?(jp|kr)|gb2312|gbk|gb18030|big5|koi8-?[ru]"
)


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded XML text without its declaration.

    Attributes:
        name: The file's name for messages, or "<text>".
        folder: The file's folder; None for text.
        text: The text; the XML declaration is replaced by spaces, so that lines are kept.
    """

    name: str
    folder: Path | None
    text: str


def open_text(source: object, name: str, report: Report) -> Text | None:
    """Return the text of a path, or of XML given as str or bytes.

    A str is XML if it starts, after white space or a byte order mark, with "<"; bytes always are.

    Args:
        source: What the user gave.
        name: What to call it in messages if it is text.
        report: Gets an error, and the result is None, if it is not text in a known encoding.

    Raises:
        FileNotReadError: if a path cannot be read.
    """
    if isinstance(source, (bytes, bytearray)):
        return _decoded(bytes(source), name, None, report)
    if isinstance(source, str):
        if source.lstrip("\ufeff \t\r\n").startswith("<"):
            return _text_of_str(source, name, report)
        if not source.strip():
            report.error(Source(name, 0), "the robot's text is empty", "give a path, or XML that starts with '<'")
            return None
    if not isinstance(source, (str, os.PathLike)):
        kind = type(source).__name__
        report.error(Source(name, 0), f"a robot is read from a path or from XML text, not from {kind}")
        return None
    path = Path(os.fsdecode(source))
    return _decoded(read_file(path), str(path), path.absolute().parent, report)


def read_file(path: Path) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        FileNotReadError: if it is not there, not a regular file, not readable, or larger than 16 MiB.
    """
    label = shown(str(path))
    try:
        # Checked before opening: opening a pipe would wait for ever.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise FileNotReadError(f"'{label}' is a folder, not a robot file")
        if not stat.S_ISREG(mode):
            raise FileNotReadError(f"'{label}' is not a regular file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotReadError:
        raise
    except FileNotFoundError:
        raise FileNotReadError(f"there is no file '{label}' (looked in '{shown(str(Path.cwd()))}')") from None
    except (OSError, ValueError) as error:
        # ValueError: a name with a zero byte.
        raise FileNotReadError(f"'{label}' cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise FileNotReadError(f"'{label}' is larger than {MAX_BYTES // 2**20} MiB, the most that is read")
    return data


def _text_of_str(text: str, name: str, report: Report) -> Text | None:
    if len(text) > MAX_BYTES:
        report.error(Source(name, 0), f"the text is longer than {MAX_BYTES // 2**20} MiB, the most that is read")
        return None
    return Text(name, None, _without_declaration(text.lstrip("\ufeff")))


def _decoded(data: bytes, name: str, folder: Path | None, report: Report) -> Text | None:
    if len(data) > MAX_BYTES:
        report.error(Source(name, 0), f"the text is longer than {MAX_BYTES // 2**20} MiB, the most that is read")
        return None
    if not data.strip():
        report.error(Source(name, 0), "the file is empty", "a robot file holds a <robot> element")
        return None
    encoding = _encoding_of(data)
    if not _ENCODINGS.fullmatch(encoding):
        report.error(Source(name, 1), f"encoding '{encoding}' is not read", "save the file as UTF-8")
        return None
    try:
        text = data.decode(encoding)
    except LookupError:
        report.error(Source(name, 1), f"encoding '{encoding}' is not known", "save the file as UTF-8")
        return None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start} is not {encoding} text: the file is not XML in that encoding"
        report.error(Source(name, line), message, "save the file as UTF-8")
        return None
    return Text(name, folder, _without_declaration(text.lstrip("\ufeff")))


def _encoding_of(data: bytes) -> str:
    """Return the encoding that the byte order mark, else the declaration, gives."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding
    # Without a mark, UTF-16 shows by the zero beside the first "<".
    if data.startswith(b"<\x00"):
        return "utf-16-le"
    if data.startswith(b"\x00<"):
        return "utf-16-be"
    found = _ENCODING.match(data)
    return found.group(1).decode("ascii").lower().replace("_", "-") if found else "utf-8"


def _without_declaration(text: str) -> str:
    """Blank the XML declaration: the text is decoded, whatever encoding it declares."""
    found = _DECLARATION.match(text)
    if not found:
        return text
    return re.sub(r"[^\n]", " ", found.group()) + text[found.end() :]
