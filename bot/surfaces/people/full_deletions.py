"""Carries full deletions out for the servers of this dealer, and tells people once all dealers have.

Who asked reads of the end in the answer to their press. What takes longer than that they are told in a direct message, by the dealer of the
first slot: then their order goes, the last thing that was kept about them.
"""

from __future__ import annotations

import asyncio
import logging

from msgspec.structs import replace

from bot.background_tasks import BackgroundTasks
from bot.line.api import DiscordApi
from bot.line.dm_channels import DmChannels
from bot.line.failures import ChannelsLimited, DiscordFailed, TryLater
from bot.line.payloads import message_data
from bot.line.request_queue import HOUSE_LINE
from bot.line.site import BotDuties
from bot.render.house.privacy_pages import everything_deleted_panel
from bot.render.message.panel import payload
from bot.runtime.clock import AlarmClock
from bot.runtime.errors import Banned, DealerStopping, SeatedSomewhere
from bot.runtime.full_deletions import ORDERS, DeletionOrder, DeletionPart, FullDeletionOrders
from bot.runtime.privacy import Privacy
from bot.runtime.saved_values import PersonalNews
from bot.runtime.store_errors import PersonSeated, StoreClosed, StoreError
from bot.runtime.store_types import DeletionState
from bot.runtime.tables import Tables
from bot.runtime.taken import TakenKind, TakenList
from bot.surfaces.part import Part, Parts
from bot.surfaces.seasons.trophies import Trophies
from bot.text.language import language_for, reading

log = logging.getLogger(__name__)

ANSWER_MS = 90_000
"""So long the answer to a press waits for the end."""
PAUSE_SECONDS = 2.0
"""So often it is looked for what other dealers have done, and whether somebody has left their seat."""
LOOK_SECONDS = 0.5
"""So often whoever waits looks."""
AGAIN_SECONDS = 60.0
"""So long after a failure it goes on."""


class FullDeletions(Part):
    """The full deletions that are under way.

    Args:
        parts: forget what they remember about a person.
        taken: what people have with other dealers, where there are any.
    """

    def __init__(
        self,
        orders: FullDeletionOrders,
        privacy: Privacy,
        tables: Tables,
        trophies: Trophies,
        channels: DmChannels,
        discord_api: DiscordApi,
        duties: BotDuties,
        clock: AlarmClock,
        parts: Parts,
        news: PersonalNews,
        taken: TakenList | None = None,
    ) -> None:
        self._saved, self._privacy, self._tables, self._trophies = orders, privacy, tables, trophies
        self._channels, self._discord_api, self._duties = channels, discord_api, duties
        self._clock, self._parts, self._taken = clock, parts, taken
        self._orders: dict[int, DeletionOrder] = {}
        self._done: dict[int, int] = {}
        self._working: set[int] = set()
        self._one_by_one = asyncio.Lock()
        self._open = False
        self.tasks = BackgroundTasks()
        news.follow(ORDERS, self._hear, self._load_orders)

    async def load(self) -> None:
        """Read the orders that have not been carried out. These people can sit down nowhere until this dealer's part is done."""
        await self._load_orders()

    async def open(self) -> None:
        self._open = True
        for user in tuple(self._orders):
            self._begin(user)

    async def close(self) -> None:
        self._open = False
        await self.tasks.stop()

    # what people ask for

    async def ask(self, user: int, locale: str, channel: int) -> None:
        """Order that everything which is kept about a person goes, in all servers. Who has asked before is told of the same end.

        Args:
            channel: of the direct messages in which they ask; 0 for a server.

        Raises:
            SeatedSomewhere: they have a seat.
            StoreError: it could not be saved, and nothing has changed.
        """
        now = self._clock.now()
        known = self._orders.get(user)
        if known is None:
            self._tables.deletions.hold(user)
        try:
            if known is None and (seats := await self._seats(user)):
                raise SeatedSomewhere(channels=seats)
            order = replace(known or DeletionOrder(now), answer_until=now + ANSWER_MS, channel=channel, locale=locale)
            await self._saved.keep(user, order)
        except BaseException:
            if known is None:
                self._tables.deletions.release(user)
            raise
        self._orders[user] = order
        self._begin(user)

    async def state(self, user: int) -> DeletionState | None:
        """Return how far all dealers are with what a person has asked for; None if they have asked for nothing."""
        order = self._orders.get(user)
        return await self._saved.state(user, order) if order is not None else None

    async def wait(self, user: int) -> DeletionState:
        """Wait for the end, as long as an answer does. Returns how far it is then."""
        order = self._orders.get(user)
        until = order.answer_until - LOOK_SECONDS * 1000 if order is not None else 0
        state = DeletionState()
        while not (state.is_done or state.seated) and self._clock.now() < until:
            await asyncio.sleep(LOOK_SECONDS)
            found = await self.state(user)
            state = found if found is not None else replace(state, is_done=True)  # another press has told of the end
        return state

    async def answered(self, user: int, *, is_told: bool) -> None:
        """The answer to a press has ended. If it has told of the end, the order goes; otherwise a direct message tells of it."""
        order = self._orders.get(user)
        if is_told:
            await self._end(user)
        elif order is not None:
            self._orders[user] = later = replace(order, answer_until=0)
            await self._saved.keep(user, later)

    async def _seats(self, user: int) -> tuple[int, ...]:
        """Return the channels where a person has a place, with all dealers."""
        here = [address.channel for address in self._tables.deletions.tables_of(user)]
        others = await self._taken.of_others(user) if self._taken is not None else ()
        seats = [one.channel for one in others if one.kind in {TakenKind.SEAT, TakenKind.SLOW_SEAT}]
        return tuple(dict.fromkeys([*here, *seats]))

    # orders of all dealers

    async def _load_orders(self) -> None:
        found = await self._saved.all()
        for user in self._orders.keys() - found.keys():
            self._hear(user, None)
        for user, order in found.items():
            part = await self._saved.own_part(user, order)
            self._orders[user] = order
            if not part.is_done:
                self._tables.deletions.hold(user)
            self._begin(user)

    def _hear(self, user: int, order: DeletionOrder | None) -> None:
        """Another dealer has been asked, or has told somebody of the end."""
        if order is None:
            self._orders.pop(user, None)
            self._done.pop(user, None)
            self._tables.deletions.release(user)
            return
        if user not in self._orders:
            self._tables.deletions.hold(user)
        self._orders[user] = order
        self._begin(user)

    def _begin(self, user: int) -> None:
        if self._open and user not in self._working:
            self._working.add(user)
            self.tasks.run(self._work(user), f"full-deletion-{user}")

    async def _work(self, user: int) -> None:
        """Carry an order out, until it has gone."""
        try:
            while (order := self._orders.get(user)) is not None:
                pause = PAUSE_SECONDS
                try:
                    await self._carry_out(user, order)
                    await self._tell_if_done(user)
                except (StoreClosed, DealerStopping):
                    return
                except (StoreError, DiscordFailed) as error:
                    log.warning("full_deletion_put_off", extra={"error": repr(error)})
                    pause = AGAIN_SECONDS
                await asyncio.sleep(pause)
        except Exception:
            log.exception("full_deletion_failed")
        finally:
            self._working.discard(user)

    async def _carry_out(self, user: int, order: DeletionOrder) -> None:
        """Delete what the servers of this dealer keep. Where the person sits it waits until they have left."""
        if self._done.get(user) == order.asked_at:  # what was written down of it can have gone with the order
            return
        part = await self._saved.own_part(user, order)
        if part.is_done:
            self._done[user] = order.asked_at
            return
        self._tables.deletions.hold(user)
        async with self._one_by_one:
            if not part.seated:
                servers = await self._privacy.servers_of(user)
                found = tuple(sorted({*part.found, *servers}))
                part = replace(part, found=found, left=servers, banned=())
                await self._saved.keep_part(user, part)
            left = await self._delete(user, order, part)
            if left.left == ():
                await self._privacy.forget_in_all_servers(user)
                await self._parts.forget(0, user)
                left = replace(left, is_done=True)
            if left != part:
                await self._saved.keep_part(user, left)
        if left.is_done:
            self._done[user] = order.asked_at
            self._tables.deletions.release(user)

    async def _delete(self, user: int, order: DeletionOrder, part: DeletionPart) -> DeletionPart:
        left, seated, banned = list(part.left), [], list(part.banned)
        for guild in part.left:
            try:
                roles = await self._trophies.held_by(guild, user)
                await self._privacy.delete_in(guild, user, f"{order.asked_at}:{guild}:{user}")
                await self._trophies.take_back(guild, user, roles)
            except Banned:
                banned.append(guild)
            except PersonSeated:
                seated.append(guild)
                continue
            left.remove(guild)
            await self._saved.keep_part(user, replace(part, left=tuple(left), banned=tuple(banned)))
        return replace(part, left=tuple(left), seated=tuple(seated), banned=tuple(banned))

    # what people are told

    async def _tell_if_done(self, user: int) -> None:
        """Send the person a direct message, if all is done and no answer can tell them any more."""
        order = await self._saved.order(user)
        if order is None:
            self._hear(user, None)
            return
        if not self._duties.are_mine or self._clock.now() < order.answer_until:
            return
        state = await self._saved.state(user, order)
        if state.is_done:
            await self._send(user, order, state)
            await self._end(user)

    async def _send(self, user: int, order: DeletionOrder, state: DeletionState) -> None:
        """Raises `TryLater` and `ChannelsLimited`, which pass; who cannot be sent direct messages is told nothing."""
        with reading(language_for(order.locale)):
            data = message_data(payload(everything_deleted_panel(state)))
        nonce = f"{order.asked_at}.{user % 10**9}"
        try:
            channel = order.channel or await self._channels.channel(user, HOUSE_LINE)
            await self._discord_api.send(HOUSE_LINE, channel, data, nonce=nonce)
        except (TryLater, ChannelsLimited):
            raise
        except DiscordFailed as error:
            log.info("full_deletion_not_told", extra={"code": error.code, "error": error.text})
        finally:
            self._channels.forget(user)

    async def _end(self, user: int) -> None:
        await self._saved.end(user)
        self._hear(user, None)
