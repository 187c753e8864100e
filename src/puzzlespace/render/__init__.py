"""Pictures and words for people: text boards, tables, SVG."""
