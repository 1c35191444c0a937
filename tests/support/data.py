"""The files that tests read: the written law book, Discord's own document, recorded hands."""

from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"
LAW_BOOK = DATA / "laws.md"
"""The written law book, which `bot.laws` holds as data."""
DISCORD_API = DATA / "discord-openapi.json"
"""Discord's own description of its API."""
HANDS = DATA / "hands"
"""Recorded hands in PHH, in one folder for each licence."""
