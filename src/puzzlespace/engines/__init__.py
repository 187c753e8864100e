"""Ways of searching, one engine per file or sub-package. An engine sees positions and moves, never a puzzle's name."""
