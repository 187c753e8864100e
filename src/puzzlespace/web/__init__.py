"""The page of `puzzlespace serve`: the server, its worker processes, and the files for the browser."""
