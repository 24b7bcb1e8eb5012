"""One file a command: `run(options)` does it and returns the exit code (None: 0)."""
