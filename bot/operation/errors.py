"""Why the program cannot run."""


class CannotRun(Exception):
    """The dealer cannot start. The text is printed as it is."""
