"""Analysis without a search: placements, reasons why a goal cannot be reached, numbers of solutions."""
