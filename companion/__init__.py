"""The edge of the program: command line, web, sessions, storage, devices; it knows every other room."""
