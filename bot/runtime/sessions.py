"""The sessions of all open tables, by the table's id."""

from bot.runtime.session import TableSession


class Sessions(dict[int, TableSession]):
    """Only `bot.runtime.tables` adds and removes them; the statistics ask which hands they cannot count yet."""

    def unshown_hands(self) -> dict[int, int]:
        """Return by table the number of the all-in hand whose end has been saved and not yet shown."""
        found = (session for session in self.values() if session.run_out is not None)
        return {session.id: session.snapshot().hand_number for session in found}
