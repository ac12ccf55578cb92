"""For all tests."""

from __future__ import annotations

import atexit
import os
from shutil import rmtree
from tempfile import mkdtemp

from hypothesis import HealthCheck, settings

# No run of a test finds, or leaves, results in the user's own folder; processes that tests start inherit this.
_FOLDER = mkdtemp(prefix="prefixlint-tests-")
atexit.register(rmtree, _FOLDER, ignore_errors=True)
os.environ["PREFIXLINT_CACHE_DIR"] = _FOLDER

# How long an example takes says something of the machine that runs it, and nothing of the code.
settings.register_profile("prefixlint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("prefixlint")
