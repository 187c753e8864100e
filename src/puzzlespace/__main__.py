"""`python -m puzzlespace` is `puzzlespace`."""

from .cli import main

main()
