"""Table state to breakdown, for each game: no files, no clock, no printing, no language."""
