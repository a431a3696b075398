"""The words people read, a folder for each language."""
