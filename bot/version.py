"""The version of the program, as `pyproject.toml` and the changelog have it. A copied tree has no metadata to ask."""

VERSION = "0.2.0"
