"""prefixlint: a static linter for prompt layout."""

__version__ = "0.1.0"
