"""The sessions of all open tables, by the table's id and by server."""

from bot.runtime.session import TableSession

SLEEP_AFTER_MS = 60_000
"""A table of which nothing has been asked for at least so long can fall asleep."""
LOOKED_AT_ONCE, ASLEEP_AT_ONCE = 500, 20
"""So many tables are looked at, and so many fall asleep, at a time: it takes half a millisecond each, and others wait for it."""


class Sessions(dict[int, TableSession]):
    """Only `bot.runtime.tables` adds and removes them; the statistics ask which hands they cannot count yet."""

    def __init__(self) -> None:
        super().__init__()
        self._by_guild: dict[int, dict[int, TableSession]] = {}
        self._next_to_sleep: list[int] = []
        self._sleep_from = 0

    def in_guild(self, guild: int) -> list[TableSession]:
        """Return the sessions of a server's open tables; what it costs does not depend on other servers."""
        return list(self._by_guild.get(guild, {}).values())

    def add(self, session: TableSession) -> None:
        self[session.id] = session
        self._by_guild.setdefault(session.address.guild, {})[session.id] = session

    def remove(self, table: int) -> None:
        """Remove a session, if it is there."""
        session = self.pop(table, None)
        if session is not None:
            others = self._by_guild[session.address.guild]
            del others[table]
            if not others:
                del self._by_guild[session.address.guild]

    def put_to_sleep(self, now: int) -> tuple[int, ...]:
        """Let tables fall asleep that nothing has been asked of for a while, a few at a time. Returns their ids. Called again and again."""
        if not self._next_to_sleep:
            if now < self._sleep_from:
                return ()
            self._sleep_from, self._next_to_sleep = now + SLEEP_AFTER_MS, list(self)
        found: list[int] = []
        for _ in range(LOOKED_AT_ONCE):
            if not self._next_to_sleep or len(found) == ASLEEP_AT_ONCE:
                break
            session = self.get(self._next_to_sleep.pop())
            if session is not None and session.fall_asleep():
                found.append(session.id)
        return tuple(found)

    def unshown_since(self, guild: int) -> int:
        """Return since when, in ms, the end of an all-in hand of a server is saved, or is being saved, that is not shown yet; 0 if there is
        none."""
        sessions = self._by_guild.get(guild, {}).values()
        return min([one.run_out_at for one in sessions if one.run_out is not None or one.saves_run_out], default=0)

    def unshown_hands(self) -> dict[int, int]:
        """Return by table the number of the first hand whose end nobody has seen: the one that is played or run out, else the next.

        So what is saved from now on is after it, too.
        """
        return {session.id: session.first_unshown_hand for session in self.values()}
