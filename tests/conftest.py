"""For all tests."""

from __future__ import annotations

import atexit
import os
from shutil import rmtree
from tempfile import mkdtemp

# No run of a test finds, or leaves, results in the user's own folder; processes that tests start inherit this.
_FOLDER = mkdtemp(prefix="prefixlint-tests-")
atexit.register(rmtree, _FOLDER, ignore_errors=True)
os.environ["PREFIXLINT_CACHE_DIR"] = _FOLDER
