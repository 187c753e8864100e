"""Depth tables on disk: kept while they are counted, resumed, opened, asked, verified and exported."""
