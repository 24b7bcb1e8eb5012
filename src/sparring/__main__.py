"""`python -m sparring` is the command `sparring`."""

import sys

from sparring.app.cli import main

sys.exit(main())
