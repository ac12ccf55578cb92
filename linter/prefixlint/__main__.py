"""``python -m prefixlint``."""

import os
import sys

# Python puts the working directory first on the path. It is what is being analysed: nothing may be imported from it.
if not sys.flags.safe_path and sys.path and os.path.abspath(sys.path[0]) == os.getcwd():
    del sys.path[0]

from prefixlint.cli.main import main

if __name__ == "__main__":
    main()
