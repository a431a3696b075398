"""What all rooms share: messages and errors as keys with values, JSON files, files written whole. Standard library."""
