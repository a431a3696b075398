"""A table that is followed by a camera: sources, rest, what people say, history."""
