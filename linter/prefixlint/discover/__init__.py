"""Which files are looked at, and their text: the only stage that reads the analysed tree."""

from prefixlint.discover.decode import DecodeError, decode
from prefixlint.discover.read import read_bytes, read_source
from prefixlint.discover.walk import Found, PathError, Rules, find

__all__ = ["DecodeError", "Found", "PathError", "Rules", "decode", "find", "read_bytes", "read_source"]
