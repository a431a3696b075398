"""Drawing pictures and training networks on them: not installed with the program."""
