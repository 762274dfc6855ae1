"""The command line: one module for each command, each with `add` (options) and `execute`."""
