"""The words people read, Japanese and English."""
