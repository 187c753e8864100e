"""The page that `puzzlespace serve` opens: a server, its workers, and what the browser gets."""
