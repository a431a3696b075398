"""Cases: a table state, where each place of it was seen, what people said, and what it is worth. No page."""
