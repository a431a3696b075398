"""Cards known by their faces: decks learnt from photos, found and named again in pictures of a table."""
