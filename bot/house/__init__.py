"""The house rules of a server, declared once. Pure values."""
