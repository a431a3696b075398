"""The commands of `python -m companion`, one module each: `add_arguments(parser)` and `run(args) -> int`."""
