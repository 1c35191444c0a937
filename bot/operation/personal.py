"""Which kept values hold in all servers: a dealer who is alone has them among the others, several dealers have them in their house."""

from typing import Any

from bot.runtime.saved_values import SavedKind, declared_kinds
from bot.store.database import Database
from bot.store.house_copy import personal_values


def saved_kinds() -> list[SavedKind[Any, Any]]:
    """Return every kind of kept value, those with longer prefixes first."""
    import bot.dealer  # noqa: F401  # with it they are declared

    return sorted(declared_kinds(), key=lambda kind: len(kind.prefix), reverse=True)


def personal_values_in(db: Database) -> dict[str, bytes]:
    """Return those of some data that hold in all servers, by key."""
    return personal_values(db, saved_kinds()) if "kept" in db.tables() else {}
