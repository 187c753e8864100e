"""Depth tables on disk: saved while they are counted, resumed, opened, verified and exported."""
