"""The real bot on the real discord.py in this event loop, with the stand-in and a watcher that reads everything that anybody sees.

async with evening(tmp_path) as room:
    ann, bo = await room.people("Ann", "Bo")
    await ann.slash("play")
    …
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from bot.dealer import Dealer
from bot.foundation import DealerOptions
from bot.house.rules import LOCAL_HOUSE_RULES, HouseRules
from bot.line.site import DealerSite
from bot.local.rest_server import RequestRecord
from bot.local.stand_in import DiscordStandIn
from bot.render.card_tiles import tile_names
from bot.runtime.session import TableSession
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.card_emojis import CardEmojis
from bot.surfaces.greeting.greeter import Greeter
from bot.surfaces.part import Part
from bot.surfaces.private_answers import LivePanels
from bot.text.buttons import Verb
from tests.e2e.leak_watcher import LeakWatcher, check_log
from tests.e2e.movable_clock import MovableClock
from tests.support.bot_log import bot_log
from tests.support.discord_double import (
    EPHEMERAL,
    GONE,
    Discord,
    Json,
    Player,
    Refused,
    _flat,
    discord_double,
    endpoints,
)

PATIENCE = 30.0
ASIDE = {Verb.MY_HAND, Verb.SIT, Verb.BACK, Verb.MENU, Verb.BOOK}
"""What the table offers besides the actions of the player to act."""
NO_FLOORS = HouseRules(account_days=0, member_days=0)
"""The people of these evenings have come to Discord a moment ago."""


class BotSession:
    """A Discord with the dealer in it, its clock, and the watcher."""

    def __init__(self, discord: Discord, dealer: Dealer, clock: MovableClock, watcher: LeakWatcher) -> None:
        self.discord, self.dealer, self.clock, self.watcher = discord, dealer, clock, watcher

    async def people(self, *names: str, locale: str = "en-US") -> list[Player]:
        """Add members, each with a page of their own."""
        return [await self.discord.person(name, locale=locale) for name in names]

    @property
    def sessions(self) -> list[TableSession]:
        """The tables that are open here."""
        return list(self.dealer.tables._sessions.values())

    @property
    def session(self) -> TableSession:
        """The only table that is open here."""
        (session,) = self.sessions
        return session

    @property
    def hand_running(self) -> bool:
        """Whether a table is open here, and a hand is played at it."""
        return any(one.saved_snapshot().hand_running for one in self.sessions)

    def at(self, channel: str) -> BotSession:
        """The same evening as it is at the table of one channel or thread, by its id, where there are several tables."""
        return _AtOneTable(self, channel)

    @property
    def now(self) -> TableSnapshot:
        """The table as it is saved: while an all-in hand is run out, people do not see its end yet."""
        return self.session.saved_snapshot()

    async def skip_run_out(self) -> None:
        """Let the time pass in which the end of an all-in hand is shown."""
        session = self.session
        while session.run_out is not None:
            self.clock.skip(max(0, session.run_out.next_at - self.clock.now()) / 1000)
            await self.next_change()

    async def open_and_sit(self, *players: Player, **how: Any) -> None:
        """Open a table and sit down, in seats 1, 2, 3 …"""
        await players[0].slash("play", sit=False, **how)
        for number, player in enumerate(players, 1):
            await player.slash("sit", seat=number)

    async def next_hand(self, hand: int = 0) -> None:
        """Let the pause before the next hand pass. Returns when everybody can see it."""
        number = hand or self.now.hand_number + 1
        await self.deal()
        await self.wait_for_text(f"Hand #{number}")

    async def deal(self) -> None:
        """Let the pause before the next hand pass. Returns when the hand runs."""
        self.clock.skip(max(0, self.now.table.next_hand_at - self.clock.now()) / 1000)
        await self.wait_until(lambda: self.now.hand_running)

    async def wait_for_text(self, text: str) -> None:
        """Wait until the table shows a text."""
        await self.discord.you.until(text, PATIENCE)

    async def wait_until(self, so: Callable[[], bool]) -> None:
        """Wait until something is true of the tables. It is tested whenever a table changes."""
        async with asyncio.timeout(PATIENCE):
            while not so():
                await self.next_change()

    async def next_change(self) -> None:
        """Wait for the next change at a table."""
        await asyncio.wait_for(self.watcher.next_change(), PATIENCE)

    def to_act(self, *players: Player) -> Player | None:
        """Return the player to act."""
        due = self.now.current_turn
        return next((player for player in players if due is not None and int(player.me["id"]) == due.user), None)

    async def act(self, label: str, *players: Player) -> str:
        """Let the player to act press this button: at the table, in their panel, or in the panel that they open for it."""
        player = self.to_act(*players)
        assert player is not None, "nobody is to act"
        await self.until_own_buttons(player)
        if not self.own_buttons(player, label) and not self.has_panel(player):
            await self.open_panel(player)
        return await self.press_own(player, label)

    async def open_panel(self, player: Player) -> None:
        """Press *My hand* at the table. Returns when the panel has what the player can do now."""
        await self.press_at_table(player, "👁️ My hand")
        await self.until_own_buttons(player)

    def has_panel(self, player: Player) -> bool:
        """Whether a player has a live panel."""
        return self.dealer.parts.get(LivePanels).has_live_panel(self.now.id, int(player.me["id"]))

    async def until_own_buttons(self, player: Player) -> None:
        """Wait until a player sees what they can do now: in their panel while they have one, else at the table."""
        await player.wait_for(
            lambda: any(is_panel is self.has_panel(player) for _, _, _, is_panel in self._offers(player)),
            "the buttons of this turn",
            PATIENCE,
        )

    def own_buttons(self, player: Player, label: str = "") -> list[str]:
        """Return the labels of what a player can do now, wherever they see it: those that begin with `label`."""
        return [known for known, *_ in self._offers(player) if known.startswith(label)]

    def _offers(self, player: Player) -> list[tuple[str, str, Json, bool]]:
        """What a player can do now: label, id and message of each button, and whether it stands in a panel. Newest message first."""
        turn = f"t:{self.now.id}:{self.now.hand_number}:{self.now.decision_number}:"
        return [
            (label, id_, message, bool(message["flags"] & EPHEMERAL))
            for message in reversed(player.visible())
            for label, id_ in player.labelled_buttons(message)
            if id_.startswith(turn) and id_.split(":")[4] not in ASIDE
        ]

    async def press_own(self, player: Player, label: str) -> str:
        """Press what a player can do now: the button with this label, else the first that begins with it.

        If the message is redrawn in this moment, the player sees that and presses once more.
        """
        for _ in range(3):
            offers = self._offers(player)  # one that is left, of a panel that has ended, goes last
            offers.sort(key=lambda offer: offer[3] is not self.has_panel(player))
            exact = [offer for offer in offers if offer[0] == label] or [o for o in offers if o[0].startswith(label)]
            assert exact, f"{player.name} finds no {label!r}; on the screen:\n{player.screen()}"
            _, id_, message, _ = exact[0]
            try:
                return await player.press(message, id_)
            except Refused as refused:
                if str(refused) not in GONE:
                    raise
            await player.wait_for(
                lambda there=message: player._find(there["id"]) is not there, "the buttons to be redrawn", PATIENCE
            )
        raise AssertionError(f"{label!r} is redrawn again and again")

    def table_buttons(self, player: Player) -> list[tuple[str, str]]:
        """The buttons of the table's newest message, label and id, as a player sees them."""
        start = f'"t:{self.now.id}:{self.now.hand_number}:'.encode()
        public = [
            message
            for message in player.visible()
            if not message["flags"] & EPHEMERAL and start in msgspec.json.encode(message["components"])
        ]
        return list(player.labelled_buttons(public[-1])) if public else []

    async def press_at_table(self, player: Player, label: str) -> str:
        """Press a button of the table's newest message: the one with this label, else the first that begins with it.

        What a player can do now stands in their panel while they have one: then they press it there.

        If the message is redrawn in this moment, the player sees that and presses once more.
        """
        if not any(known.startswith(label) for known, _ in self.table_buttons(player)) and self.own_buttons(
            player, label
        ):
            return await self.press_own(player, label)
        message, custom_id = self._table_button(player, label)
        try:
            return await player.press(message, custom_id)
        except Refused as refused:
            if str(refused) not in GONE:
                raise
        await player.wait_for(lambda: player._find(message["id"]) is not message, "the table to be redrawn", PATIENCE)
        return await player.press(*self._table_button(player, label))

    def _table_button(self, player: Player, label: str) -> tuple[Json, str]:
        """Return the message and the id of a button of the table."""
        buttons = self.table_buttons(player)
        exact = [id_ for known, id_ in buttons if known == label]
        fitting = exact or [id_ for known, id_ in buttons if known.startswith(label)]
        assert fitting, f"{player.name} finds no {label!r} at the table; on the screen:\n{player.screen()}"
        public = [message for message in player.visible() if not message["flags"] & EPHEMERAL]
        message = next(m for m in reversed(public) if fitting[0] in dict(player.labelled_buttons(m)).values())
        return message, fitting[0]

    async def check_down(self, *players: Player) -> int:
        """Let everybody check or call to the end of the hand. Returns the number of clicks."""
        clicks = 0
        while self.now.hand_running:
            player = self.to_act(*players)
            assert player is not None, "nobody is to act"
            await self.check_or_call(player)
            clicks += 1
        return clicks

    async def check_or_call(self, player: Player) -> None:
        """The player to act does the cheapest thing that keeps them in the hand."""
        await self.until_own_buttons(player)
        labels = [label for label in self.own_buttons(player) if label in {"Check", "Once"} or label.startswith("Call")]
        assert labels, f"nothing to check or call for {player.name}:\n{player.screen()}"
        await self.press_own(player, labels[0])

    async def until_buttons_of_turn(self, player: Player) -> None:
        """Wait until a player sees the buttons of the turn that it is now."""
        now = self.now
        start = f"t:{now.id}:{now.hand_number}:{now.decision_number}:"
        await player.wait_for(
            lambda: any(
                component.get("custom_id", "").startswith(start)
                for message in player.visible()
                for component in _flat(message["components"])
            ),
            "the buttons of this turn",
            PATIENCE,
        )

    async def grant(self, player: Player, chips: int) -> None:
        """Staff give a player chips."""
        await self.discord.you.fill_in("house", page="grant", player=player, chips=str(chips), reason="for the evening")

    async def play_until_broke(self, one: Player, other: Player) -> Player:
        """Two players go all-in, hand after hand, until one of them has no chips; returns that one."""
        while True:
            await self.next_hand()
            while self.now.hand_running:
                player = self.to_act(one, other)
                assert player is not None, "nobody is to act"
                if not self.has_panel(player):
                    await self.open_panel(player)
                await self.until_own_buttons(player)
                wanted = [label for label in self.own_buttons(player) if label.startswith(("All-in", "Call", "Once"))]
                await self.press_own(player, wanted[-1])
                await self.skip_run_out()
            stacks = {seat.name: seat.stack for seat in self.now.table.seats}
            for player in (one, other):
                if not stacks[player.name]:
                    return player

    async def late_click(self, player: Player, message: dict[str, Any], custom_id: str, *, times: int = 1) -> str:
        """Click a button that was on the way while the message changed; with `times`, Discord delivers it again. Returns what the player
        sees."""
        stand_in = self.discord.stand_in
        person = stand_in.world.people[player.me["id"]]
        channel = stand_in.world.channels[message["channel_id"]]
        data = {"component_type": 2, "custom_id": custom_id, "id": 1}
        ended: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        interactions = stand_in.interactions
        there = stand_in.world.messages[message["channel_id"]].get(
            message["id"], message
        )  # what edits by its token change
        made = interactions.start(3, person, channel, data, ended.set_result, message=there)
        for _ in range(times - 1):
            interactions.dispatch(made, data)
        frame = await asyncio.wait_for(ended, PATIENCE)
        assert frame["t"] == "done", frame
        answer = frame["message_id"]
        if (
            answer == message["id"] and player._find(answer) is None
        ):  # it was acknowledged; what they see has become the answer
            await self.wait_until_idle()
            return "\n".join(player.render(each) for each in player.visible(message["channel_id"]))
        await player.wait_for(lambda: any(answer in held for held in player.messages.values()), "the answer")
        return await player._outcome(frame)

    async def wait_until_idle(self) -> None:
        """Wait until nothing is on its way to Discord any more."""
        parts = self.dealer.parts.of(Part)
        panels = self.dealer.services.hand_panels
        while True:
            await self.dealer.services.display.wait_until_idle()  # also for what is about to be drawn
            on_the_way = set().union(*[part.pending for part in parts if not isinstance(part, CardEmojis | Greeter)])
            if not on_the_way and panels.is_idle:
                return
            await (asyncio.wait(on_the_way) if on_the_way else asyncio.sleep(0.01))

    def check_leaks(self) -> None:
        """Check that nobody has seen a card that they cannot see."""
        self.watcher.check()


class _AtOneTable(BotSession):
    def __init__(self, room: BotSession, channel: str) -> None:
        super().__init__(room.discord, room.dealer, room.clock, room.watcher)
        self._channel = channel

    @property
    def sessions(self) -> list[TableSession]:
        return [one for one in super().sessions if str(one.address.channel) == self._channel]


def mentions_anybody(record: RequestRecord) -> list[str]:
    """Return what is wrong with a message that the bot has sent, if a name in it could ping somebody.

    It lets Discord find nobody to mention; whom it does mention, it names by id.
    """
    body = record.request_body if isinstance(record.request_body, dict) else {}
    message = body["data"] if isinstance(body.get("data"), dict) else body
    if not {"content", "components"} & message.keys() or "title" in message:
        return []
    allowed = message.get("allowed_mentions") or {}
    return [] if allowed.get("parse") == [] else [f"{record.route}: allowed_mentions is {allowed}"]


@asynccontextmanager
async def logged_in_bot(
    discord: Discord, data: Path, clock: MovableClock, *, greets: bool = False, **how: Any
) -> AsyncIterator[Dealer]:
    """The bot, logged in and ready. It has greeted the servers before, unless `greets`.

    It logs all that it would with `CARDROOM_LOG=DEBUG`, and when it has stopped its log is looked through for cards and tokens.
    """
    stand_in = discord.stand_in
    observers = stand_in.rest_server.observers
    observers.append(watch := lambda record: discord.violations.extend(mentions_anybody(record)))
    with endpoints(stand_in), bot_log("DEBUG", secrets=(stand_in.token,)) as log:
        there = asyncio.Event()
        how["site"] = DealerSite(**{name: how.pop(name) for name in ("local", "link") if name in how})
        how.setdefault("default_rules", LOCAL_HOUSE_RULES if how["site"].local else NO_FLOORS)
        options = DealerOptions(
            data, ready=there.set, clock=clock, rng=random.Random(1), guild_ready_seconds=0.05, **how
        )
        dealer = Dealer(options)
        await dealer.store.open()
        if not greets:
            for server in stand_in.world.guilds:
                await dealer.store.keep(f"greeted.{server}", b"1")
        playing = asyncio.create_task(dealer.start_playing(stand_in.token))
        waiting = asyncio.ensure_future(there.wait())
        try:
            done, _ = await asyncio.wait([playing, waiting], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            assert done, "the bot did not get ready"
            if playing in done:
                playing.result()
            await discord.bot_ready()
            yield dealer
        finally:
            waiting.cancel()
            await dealer.stop_playing()
            await playing
            observers.remove(watch)
    check_log(log.getvalue(), (stand_in.token, *stand_in.interactions._by_token))


def keep_card_emojis(stand_in: DiscordStandIn) -> None:
    """Let the application have its card emojis, as after the bot's first evening. Eighty uploads are most requests of a short test."""
    for name in tile_names():
        emoji: Json = {"id": stand_in.world.clock.new_id(), "name": name, "user": stand_in.world.bot.user, "roles": []}
        emoji |= {"require_colons": True, "managed": False, "animated": False, "available": True}
        stand_in.world.emojis[emoji["id"]] = emoji
        stand_in.world.storage.save("emoji", emoji["id"], "0", emoji)


@asynccontextmanager
async def bot_session(
    tmp_path: Path, *, limits: bool = False, server_locale: str = "en-US", first_evening: bool = False, **how: Any
) -> AsyncIterator[BotSession]:
    """A fresh Discord with the bot in it.

    On its `first_evening` the bot uploads its card emojis, and writes cards as signs until they are there.

    In an English server the watcher looks, when the session ends, through what everybody saw and what the stand-in has kept. It reads
    English only.
    """
    clock = MovableClock()
    async with discord_double(tmp_path / "discord", limits=limits) as discord:
        for server in discord.stand_in.world.guilds.values():
            server.locale = server_locale
        if not first_evening:
            keep_card_emojis(discord.stand_in)
        async with logged_in_bot(discord, tmp_path / "data", clock, **how) as dealer:
            with LeakWatcher(discord, dealer) as watcher:
                yield BotSession(discord, dealer, clock, watcher)
                if server_locale == "en-US":
                    watcher.check()
                watcher.note_unshown_ends()
    if server_locale == "en-US":
        watcher.check_files(tmp_path / "discord")
