"""The bytes of a landing file where this process can see them, as text in pieces of bounded size."""

from __future__ import annotations

import bz2
import codecs
import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from sluis.landing.dialect import Dialect
from sluis.landing.model import SourceFile

CHUNK = 1 << 20
UNREADABLE = (EOFError, OSError, zlib.error)
"""What a file that is not the archive that its name says, or that is cut, raises while it is read."""

Opener = Callable[[], BinaryIO]
"""Opens the decompressed bytes from the start."""


def local_path(path: str) -> Path | None:
    """Where this process would find a file that Spark names `path`; None when it cannot."""
    scheme, colon, rest = path.partition(":")
    if not colon or "/" in scheme:
        return Path(path)
    rest = "/" + rest.lstrip("/")
    if scheme == "file":
        return Path(rest)
    if scheme == "dbfs":
        return Path(rest if rest.startswith("/Volumes/") else f"/dbfs{rest}")
    return None


def opener(file: SourceFile) -> Opener | None:
    """How to open the file here; None when it is not visible or not the file that Spark listed."""
    path = local_path(file.path)
    if path is None:
        return None
    try:
        if os.stat(path).st_size != file.size:
            return None
    except OSError:
        return None
    return lambda: decompressed(path, file.path)


def decompressed(raw: Path | BinaryIO, name: str) -> BinaryIO:
    """The stream behind the compression that Spark would undo, going by the file's name as Spark does."""
    if name.endswith(".gz"):
        return cast(BinaryIO, gzip.open(raw))
    if name.endswith(".bz2"):
        return cast(BinaryIO, bz2.open(raw))
    return raw.open("rb") if isinstance(raw, Path) else raw


def line_ends(text: str) -> int:
    """How many line ends the text holds, CRLF counting as one."""
    carriage = text.count("\r")
    return text.count("\n") + (carriage - text.count("\r\n") if carriage else 0)


@dataclass(kw_only=True)
class Reader:
    """Decodes a stream piece by piece and remembers where bytes were not valid."""

    stream: BinaryIO
    """Where the bytes come from."""

    dialect: Dialect
    """Says the encoding."""

    bad_lines: list[int]
    """Lines that hold bytes which are not valid in the encoding, at most one per piece."""

    def pieces(self) -> Iterator[str]:
        """The text, a byte order mark dropped, never cut inside a CRLF."""
        head = self.stream.read(CHUNK)
        codec = codecs.getincrementaldecoder(self._encoding(head))
        decoder, strict = codec("replace"), codec("strict")
        line, held, first = 1, "", True
        while True:
            state = decoder.getstate()
            text = decoder.decode(head, final=not head)
            if "\ufffd" in text:
                self._note(strict, state, head, line + (1 if held else 0))
            if first:
                text, first = text.removeprefix("\ufeff"), False
            text = held + text
            held = "\r" if head and text.endswith("\r") else ""
            text = text[: len(text) - len(held)]
            line += line_ends(text)
            if text:
                yield text
            if not head:
                return
            head = self.stream.read(CHUNK)

    def _encoding(self, head: bytes) -> str:
        # Without a mark Java takes big-endian, Python the machine's own order.
        if self.dialect.encoding == "utf-16" and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16-be"
        if self.dialect.encoding == "utf-32" and not head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
            return "utf-32-be"
        return self.dialect.encoding

    def _note(self, strict: codecs.IncrementalDecoder, state: tuple[bytes, int], data: bytes, line: int) -> None:
        """Tell a replaced character from a real U+FFFD, and note the line of the former."""
        strict.setstate(state)
        try:
            strict.decode(data, final=not data)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(error.encoding, "replace")
            self.bad_lines.append(line + line_ends(before))
