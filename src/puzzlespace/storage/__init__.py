"""Files that are written atomically, and the user's cache folder."""
