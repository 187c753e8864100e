"""`python -m tests.fuzz`: see `running`."""

import sys

from .running import main

sys.exit(main())
