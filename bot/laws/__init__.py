"""The law book as data: what `/laws` prints and every refusal cites.

One TOML file holds each part of the book: the clauses of Parts A and D, the sheets of Parts B and C, the acceptance
tests. Titles are ours, texts the book's. Each law is marked with the kinds of games it applies to; the marks decide
which laws a game is held to, and which of them must have a test.
"""

from bot.laws.book import Law, Source, UnknownLaw, Word, clauses, law, laws, marks, sheets, sources, trials, words
from bot.laws.find import due, search

__all__ = [
    "Law",
    "Source",
    "UnknownLaw",
    "Word",
    "clauses",
    "due",
    "law",
    "laws",
    "marks",
    "search",
    "sheets",
    "sources",
    "trials",
    "words",
]
