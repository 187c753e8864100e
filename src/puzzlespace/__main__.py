"""`python -m puzzlespace` is `puzzlespace`."""

import os


def main() -> None:
    """Load the command line and run it; Ctrl-C before it is loaded ends the process just as quietly."""
    try:
        from .cli import main as run
    except KeyboardInterrupt:
        os._exit(130)
    run()


if __name__ == "__main__":
    main()
