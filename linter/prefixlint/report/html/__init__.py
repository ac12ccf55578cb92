"""``report`` as one HTML file that needs no network: an overview, and for each template a picture and its text."""

from prefixlint.report.html.page import report

__all__ = ["report"]
