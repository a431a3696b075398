"""The pages of a table followed by a camera."""
