"""Read a table: locate zones by markers or polygons, classify tiles, identify cards."""
