"""Many hands as one file: an evening, a day, a table (`/hand hands:`)."""

import asyncio
import datetime
from collections.abc import Sequence

from msgspec.structs import replace

from bot.allowances import in_thread
from bot.line.payloads import AttachedFile
from bot.render.message.notice import notice_panel
from bot.runtime.errors import OneMoment
from bot.runtime.past_hands import PastHand, evening_query, past_hands, require_hands
from bot.statistics.types import HandQuery
from bot.text import hand_files as words
from bot.text.hand_files import FileForm
from bot.text.language import t
from cogs.presses.hand_files import hand_content
from cogs.support.commands import Invocation
from cogs.support.dates import DAY_MS, parse_days
from cogs.support.services import Effort, Services

MAX_BYTES = 9_500_000
"""A file can have ten megabytes in a server without boosts; the message around it counts too."""
MAX_HANDS = 2_000
TOLD_EVERY = 500
"""After so many hands, whoever waits is told how many there are."""
MAX_AT_ONCE = 2
"""So many people's files are written at a time."""


class _Parts:
    """The hands of a file, newest first, as long as they fit into it."""

    def __init__(self, form: FileForm) -> None:
        self.form = form
        self.texts: list[str] = []
        self.left_out = 0  # hands that PokerStars' form has no lines for
        self.is_full = False
        self.newest_at = 0
        self._bytes = 0

    def add(self, hand: PastHand) -> None:
        """Add a hand, or find that the file is full."""
        if self.form is FileForm.POKERSTARS and hand.record.pokerstars_gap is not None:
            self.left_out += 1
            return
        text = hand_content(hand.record, self.form)
        size = len(text.encode()) + 16  # with what divides it from the next one
        if len(self.texts) == MAX_HANDS or self._bytes + size > MAX_BYTES:
            self.is_full = True
            return
        self._bytes += size
        self.texts.append(text)
        self.newest_at = self.newest_at or hand.at

    def content(self) -> bytes:
        """Return the file: the oldest hand first, as programs expect."""
        return join_hands(self.texts[::-1], self.form).encode()


def join_hands(texts: Sequence[str], form: FileForm) -> str:
    """Put hands into one file: PHHS, or texts with empty lines between them."""
    if form is FileForm.PHH:
        return "\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, start=1))
    return "\n\n".join(texts)


class Downloads:
    """Writes many hands into one file."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._turns = asyncio.Semaphore(MAX_AT_ONCE)
        self._busy: set[int] = set()

    async def download(
        self, invocation: Invocation, hands: str, date: str | None, table: int | None, file: str
    ) -> None:
        """Send hands as one file.

        Args:
            hands: which: ``evening``, ``mine`` or ``table``.
            date: only of these days.
            table: only of the table of this number.
        """
        services, info = self.services, invocation.info
        form = FileForm(file) if file in list(FileForm) else FileForm.POKERSTARS
        request = await invocation.staff_request()
        query, gap = evening_query(services.tables, request)
        if hands != "evening" or date is not None or table is not None:
            query, gap = HandQuery(guild=info.guild, user=0 if hands == "table" else info.user), 0
        if date is not None:
            first, end = parse_days(date, services.clock.now())
            query = replace(query, since=first * DAY_MS, until=end * DAY_MS)
        if table is not None:
            await services.tables.require_readable_table(request, table)
            query = replace(query, table_number=table)
        elif hands == "table":
            query = replace(query, table_number=services.table_here(info).address.number)
        if info.user in self._busy:
            raise OneMoment(seconds=10)
        services.spend_time(Effort.MANY_HANDS, info.user)
        services.spend(Effort.FILE_OF_SERVER, info.guild)
        self._busy.add(info.user)
        try:
            async with self._turns:
                await self._send(invocation, query, gap, form)
        finally:
            self._busy.discard(info.user)

    async def _send(self, invocation: Invocation, query: HandQuery, gap: int, form: FileForm) -> None:
        parts = _Parts(form)
        request = await invocation.staff_request()
        async for hand in past_hands(self.services.tables, self.services.statistics, request, query, gap):
            await in_thread(parts.add, hand)
            if parts.is_full:
                break
            if parts.texts and len(parts.texts) % TOLD_EVERY == 0:
                await invocation.reply.private(notice_panel(t(words.STILL_WRITING, count=len(parts.texts))))
        if not parts.texts and parts.left_out:
            await invocation.reply.private(notice_panel(t(words.NONE_IN_FORM)))
            return
        require_hands(len(parts.texts), query)
        day = datetime.datetime.fromtimestamp(parts.newest_at // 1000, datetime.UTC).date()
        name = f"hands-{day.isoformat()}.{'phhs' if form is FileForm.PHH else 'txt'}"
        content = await in_thread(parts.content)
        said = words.hands_in_file(len(parts.texts), parts.left_out, is_full=parts.is_full)
        await invocation.reply.private_file(said, AttachedFile(name, content))
