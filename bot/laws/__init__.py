"""The law book as data: what `/laws` prints and every refusal cites.

Each part of the book is one TOML file: the clauses of Parts A and D, the sheets of Parts B and C, the acceptance tests. The titles are
ours, the texts are the book's. Each law is marked with the kinds of games it applies to. The marks decide which laws a game must keep,
and which of them must have a test.
"""

from bot.laws.book import (
    CitedSource,
    GlossaryTerm,
    Law,
    UnknownLaw,
    acceptance_tests,
    clauses,
    game_marks,
    glossary,
    law,
    laws,
    sheets,
    sources,
)
from bot.laws.search import search_laws

__all__ = [
    "CitedSource",
    "GlossaryTerm",
    "Law",
    "UnknownLaw",
    "acceptance_tests",
    "clauses",
    "game_marks",
    "glossary",
    "law",
    "laws",
    "search_laws",
    "sheets",
    "sources",
]
