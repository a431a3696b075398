"""The page of evenings: games, players, statistics."""
