"""Reading a table: zones by markers or polygons, tiles by a small network, cards by their stickers."""
