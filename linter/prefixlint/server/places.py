"""Places as the protocol counts them: lines from 0, characters in code units of the encoding agreed on (UTF-16)."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types

from prefixlint.model.sources import Position, SourceFile, Span


@dataclass(frozen=True, slots=True)
class Units:
    """Turns columns of characters into code units and back. ``encoding`` is "utf-16", "utf-8" or "utf-32"."""

    encoding: str = "utf-16"

    def of(self, text: str) -> int:
        """The length of ``text`` in code units."""
        if self.encoding == "utf-32" or text.isascii():
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(char > "\uffff" for char in text)

    def place(self, source: SourceFile, position: Position) -> types.Position:
        """``position`` for the client. Past the end of a line or of the file, that end."""
        starts = source.line_starts
        if position.line > len(starts):
            return types.Position(len(starts), 0)
        line = source.line(position.line).rstrip("\r\n")
        return types.Position(position.line - 1, self.of(line[: position.column - 1]))

    def range(self, source: SourceFile, span: Span) -> types.Range:
        return types.Range(self.place(source, span.start), self.place(source, span.end))

    def position(self, source: SourceFile, place: types.Position) -> Position:
        """The client's place as a position; one within a character is taken for its beginning."""
        line = source.line(place.line + 1).rstrip("\r\n")
        if self.encoding == "utf-32" or line.isascii():
            return Position(place.line + 1, min(place.character, len(line)) + 1)
        used = 0
        for column, char in enumerate(line):
            used += self.of(char)
            if used > place.character:
                return Position(place.line + 1, column + 1)
        return Position(place.line + 1, len(line) + 1)
