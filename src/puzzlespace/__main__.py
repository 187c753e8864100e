"""`python -m puzzlespace` is `puzzlespace`."""

import gc
import os
import signal


def main() -> None:
    """Load the command line and run it; Ctrl-C while it is loaded ends the process with one line and no traceback."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads cost 0.1 s; only the layout of a graph could use them
    gc.set_threshold(50_000)  # loading makes many objects and no cycles; the collector took 4 % of a command's time
    caught = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if caught:
        signal.signal(signal.SIGINT, _leave)
    from .cli.app import main as run

    if caught:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _leave(*_: object) -> None:
    os.write(2, b"puzzlespace: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
