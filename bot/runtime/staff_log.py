"""The staff log, and what hangs on it: who is banned, and what players have reported.

A line is saved in the same transaction as what it tells. A signal is sent after that, so that somebody can tell staff; who is
told, how far, and when, is no concern of a table.
"""

from bot.runtime.clock import AlarmClock
from bot.runtime.errors import Banned, CannotBan, NoSuchReport, NotBanned, TooManyReports
from bot.runtime.request import Request
from bot.runtime.staff_log_types import Ban, StaffLogEntry, StaffLogKind, StaffLogLine
from bot.runtime.store_types import Cause, Commit, Receipt
from bot.signals import Signals, StaffLogWritten
from bot.store.store import Store
from bot.table.refusals import StaffOnly

OPEN_REPORTS_MAX = 5
"""How many reports of one person can wait for staff."""
REPORTS_PER_PAGE = 5


class StaffLog:
    """The staff log of all servers.

    Args:
        signals: hear of lines after they have been saved.
    """

    def __init__(self, store: Store, clock: AlarmClock, signals: Signals | None = None) -> None:
        self._store = store
        self._clock = clock
        self._bans: dict[int, dict[int, Ban]] = {}  # needed at every click, and changed only here
        self._signals = signals or Signals()

    async def load(self) -> None:
        """Read who is banned."""
        self._bans = {guild: {ban.user: ban for ban in bans} for guild, bans in (await self._store.bans()).items()}

    async def save(self, commit: Commit) -> Receipt:
        """Save a commit that has lines for the staff log."""
        receipt = await self._store.commit(commit)
        if not receipt.repeated:
            self.written(commit)
        return receipt

    def written(self, commit: Commit) -> None:
        """A commit has been saved: tell of its lines."""
        if commit.staff_log:
            self._signals.send(StaffLogWritten(commit.guild))

    async def tell_lobby_ended(self, guild: int, channel: int, reason: str) -> None:
        """Write down that a server's lobby can be shown no more.

        Args:
            reason: ``gone`` or ``forbidden``.
        """
        now = self._clock.now()
        told = StaffLogEntry(kind=StaffLogKind.LOBBY_ENDED, name=reason, channel=channel)
        cause = Cause(f"lobby:{guild}:{now}", 0, now, "lobby ended")
        await self.save(Commit(guild=guild, cause=cause, staff_log=(told,)))

    # bans

    def is_banned(self, guild: int, user: int) -> bool:
        """Return whether a person cannot play in a server."""
        banned = self._bans.get(guild)
        return banned is not None and user in banned

    def require_not_banned(self, guild: int, user: int) -> None:
        """Raise Banned for a person who cannot play in a server."""
        if self.is_banned(guild, user):
            raise Banned

    def bans(self, request: Request) -> tuple[Ban, ...]:
        """Return who is banned in a server, the latest first. For staff.

        Raises:
            StaffOnly.
        """
        _require_staff(request)
        return tuple(sorted(self._bans.get(request.guild, {}).values(), key=lambda ban: ban.at, reverse=True))

    async def ban(self, request: Request, user: int, reason: str, name: str = "") -> Ban:
        """Ban a person. Whoever is banned already stays so, with the new reason. For staff.

        Raises:
            StaffOnly.
            CannotBan: nobody bans themselves, or a practice player.
        """
        _require_staff(request)
        if user == request.user or user <= 0:
            raise CannotBan
        cause = self._cause(request, "ban")
        entry = StaffLogEntry(kind=StaffLogKind.BANNED, about=user, reason=reason.strip(), name=name)
        await self.save(Commit(guild=request.guild, cause=cause, staff_log=(entry,)))
        ban = Ban(user, cause.at, request.user, entry.reason, name)
        self._bans.setdefault(request.guild, {})[user] = ban
        return ban

    async def unban(self, request: Request, user: int, reason: str = "") -> None:
        """Lift a ban. For staff.

        Raises:
            StaffOnly, NotBanned.
        """
        _require_staff(request)
        if not self.is_banned(request.guild, user):
            raise NotBanned
        entry = StaffLogEntry(kind=StaffLogKind.UNBANNED, about=user, reason=reason.strip())
        await self.save(Commit(guild=request.guild, cause=self._cause(request, "unban"), staff_log=(entry,)))
        self._bans.get(request.guild, {}).pop(user, None)

    # reports

    async def report(self, request: Request, table: int, hand: int, text: str) -> None:
        """Report a hand to staff, with a sentence.

        Raises:
            Banned.
            TooManyReports: so many reports of this person wait already.
        """
        self.require_not_banned(request.guild, request.user)
        if await self._store.open_report_count(request.guild, request.user) >= OPEN_REPORTS_MAX:
            if await self._store.receipt(request.key) is not None:  # the same click, delivered again
                return
            raise TooManyReports(maximum=OPEN_REPORTS_MAX)
        entry = StaffLogEntry(
            kind=StaffLogKind.REPORTED, about=request.user, table=table, hand=hand, reason=text.strip()
        )
        await self.save(Commit(guild=request.guild, cause=self._cause(request, "report"), staff_log=(entry,)))

    async def open_reports(self, request: Request, *, after: int = 0) -> tuple[tuple[StaffLogLine, ...], int]:
        """Return a page of the reports that wait, oldest first, and how many there are. For staff.

        Raises:
            StaffOnly.
        """
        _require_staff(request)
        page = await self._store.open_reports(request.guild, after=after, limit=REPORTS_PER_PAGE)
        return page, await self._store.open_report_count(request.guild)

    async def settle_report(self, request: Request, report: int) -> StaffLogLine:
        """Mark a report as done. For staff.

        Raises:
            StaffOnly.
            NoSuchReport: it is done, or it is of another server.
        """
        _require_staff(request)
        found = await self._store.open_reports(request.guild, after=report - 1, limit=1)
        if not found or found[0].id != report:
            raise NoSuchReport
        line = found[0]
        entry = StaffLogEntry(
            kind=StaffLogKind.REPORT_DONE, about=line.who, table=line.entry.table, hand=line.entry.hand, answers=report
        )
        await self.save(Commit(guild=request.guild, cause=self._cause(request, "report done"), staff_log=(entry,)))
        return line

    def _cause(self, request: Request, label: str) -> Cause:
        return Cause(request.key, request.user, self._clock.now(), label)


def _require_staff(request: Request) -> None:
    if not request.staff:
        raise StaffOnly
