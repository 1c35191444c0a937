"""Every kind of value that the whole program saves between runs."""

import importlib
from typing import Any

from bot.runtime.saved_values import SavedKind, declared_kinds


def every_saved_kind() -> tuple[SavedKind[Any, Any], ...]:
    """Return the kinds that are declared once `bot.app` has imported all parts."""
    importlib.import_module("bot.app")
    return declared_kinds()
