"""Fixes: edits that mend a finding, worked out from the text alone. Nothing is written here.

``candidates`` proposes; ``prefixlint.run.fixing`` analyses each proposal again and keeps what holds. A finding that
carries a ``fix`` has been through both, and ``edits`` gives what that fix does to one file.
"""

from prefixlint.fixes.edits import EditError, apply, edits
from prefixlint.fixes.proposals import Known, candidates, fixable

__all__ = ["EditError", "Known", "apply", "candidates", "edits", "fixable"]
