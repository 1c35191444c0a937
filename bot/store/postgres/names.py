"""How a process is told of data in a database. It needs no psycopg."""

ADDRESS = "CARDROOM_DATABASE"
"""The variable of the environment that holds the address, with its password."""
SCHEME = "postgresql:"
"""Begins what stands for the data in a command line; the schema follows, and after a plus sign that of the house that it shares."""
