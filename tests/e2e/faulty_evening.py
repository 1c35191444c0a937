"""An evening on which requests, replies and the dealer itself get lost, at moments drawn by lot.

Guests see only what Discord holds: the messages of their channel, their direct messages and the private answers to them. They press what
is there. The time is that of a `QuickLoop`, so their thinking costs nothing.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.dealer import Dealer
from bot.foundation import DealerOptions
from bot.line.api import DiscordApi
from bot.local import gateway
from bot.local.clock import AdjustableClock
from bot.local.errors import InvalidAction
from bot.local.message_body import ValidatedMessage
from bot.local.rest_server import Responder
from bot.local.stand_in import DiscordStandIn
from bot.runtime.snapshot import TableSnapshot
from bot.store.engine import SqliteEngine
from tests.e2e.bot_session import NO_FLOORS, keep_card_emojis
from tests.e2e.movable_clock import MovableClock
from tests.support.control import StandInControls
from tests.support.discord_double import Json, _flat, endpoints
from tests.support.quick_loop import Life, QuickLoop, is_killed, wall_time

FOLDS, FOLDS_FOR_NOTHING = 0.4, 0.03
"""How often a guest folds to a bet, and where checking is free."""
LOOKS_AT_CARDS = 0.03
"""How often somebody presses *My hand* while they wait."""
MUCH_CHAT, MOVES_ONCE_IN = 7, 30.0
"""With so many messages below it a table moves, also in a hand; and so many seconds after it has moved at the earliest."""
ERRORS_OF = ("bot", "cogs")
START_SECONDS = 20.0
"""So long a dealer can take to be connected."""
SAVED_WITHIN = 0.5
"""Seconds within which a dealer has saved what it has shown. What it has shown in the last of them before it is killed it may not know."""


class Harm(StrEnum):
    """What goes wrong at a request of the bot."""

    REQUEST_LOST = "the request is lost"
    REPLY_LOST = "the reply is lost, what was asked is done"
    KILLED_BEFORE = "the dealer is killed, what was asked is not done"
    KILLED_AFTER = "the dealer is killed, what was asked is done"


POSTS_OF_TABLE = "post in the channel", "follow-up"
KINDS_OF_CALL = {
    "post in the channel": r"POST /channels/{table}/messages$",
    "edit in the channel": r"PATCH /channels/{table}/messages/",
    "deletion": r"DELETE /channels/\d+/messages/",
    "post of a direct message": r"POST /channels/(?!{table})\d+/messages$",
    "edit of a direct message": r"PATCH /channels/(?!{table})\d+/messages/",
    "opening of a DM channel": r"POST /users/@me/channels",
    "answer to a click": r"POST /interactions/",
    "follow-up": r"POST /webhooks/[^/]+/[^/]+$",
    "edit by token": r"PATCH /webhooks/",
    "deletion by token": r"DELETE /webhooks/",
    "call": r".",
}
"""The requests of a bot by what they are, as ``METHOD path``; ``{table}`` stands for the id of the table's channel."""
UNIMPORTANT = re.compile(r"GET /(?:users/@me$|oauth2|gateway)|PUT /applications|\w+ /applications/\d+/emojis")
"""Requests of a start that show nothing to anybody. discord.py does not repeat them: a dealer that loses one does not start."""


@dataclass
class Fault:
    """What goes wrong next, and where: at a request, or after so many steps of the dealer's tasks.

    Attributes:
        away: how many seconds a killed dealer is away; None where that is drawn by lot.
        happened: the request that it met; empty while it has not happened.
    """

    harm: Harm | None
    call: str = "call"
    skip: int = 0
    steps: int = 0
    away: float | None = None
    happened: str = ""

    def __str__(self) -> str:
        if self.harm is None:
            return f"killed after {self.steps} steps"
        return f"{self.call} {self.skip + 1}: {self.harm}"


def draw_fault(dice: random.Random, *, soon: bool = False) -> Fault:
    """Draw a fault by lot; with `soon`, one that meets whatever the dealer does next."""
    if dice.random() < 0.2:
        return Fault(None, steps=dice.randint(1, 400 if soon else 2_500))
    harm = dice.choice([Harm.REQUEST_LOST, Harm.REPLY_LOST, Harm.REPLY_LOST, Harm.KILLED_BEFORE, Harm.KILLED_AFTER])
    call = "call" if soon else dice.choice(list(KINDS_OF_CALL))
    return Fault(harm, call, dice.randint(0, 2))


class Line:
    """The line between the bot and Discord, with the faults that are due on it."""

    def __init__(self, evening: FaultyEvening) -> None:
        self.faults: list[Fault] = []
        self.by_token_at: list[float] = []
        self.is_logged_in = False
        self.before_login: list[str] = []
        self.lose_everything = False
        self._evening = evening

    async def __call__(self, request: web.BaseRequest, path: str, answer: Responder) -> web.StreamResponse:
        called = f"{request.method} {path}"
        if path.startswith("/webhooks/"):
            self.by_token_at.append(self._evening.loop.time())
        if path == "/users/@me":
            await asyncio.sleep(self._evening.login_takes)
            self.is_logged_in = True
        elif not self.is_logged_in and not UNIMPORTANT.match(called):
            self.before_login.append(called)
        if self.lose_everything and request.transport is not None:
            request.transport.abort()
            return web.Response(status=500)
        fault = self._fault_at(called)
        if fault is None or fault.harm is None:
            return await answer(request, path)
        fault.happened = called
        self._evening.away = fault.away
        if fault.harm in {Harm.REQUEST_LOST, Harm.KILLED_BEFORE}:
            await request.read()
            if fault.harm is Harm.KILLED_BEFORE:
                self._evening.kill()
        else:
            began_at = self._evening.loop.time()
            await answer(request, path)
            self._evening.doubt_private_answers(self._evening.loop.time() - began_at)
            if fault.harm is Harm.KILLED_AFTER:
                self._evening.kill()
        self._next_is_due()
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=500)

    def _fault_at(self, called: str) -> Fault | None:
        """Return the fault that meets a request; only the first one is due."""
        fault = self.faults[0] if self.faults else None
        if fault is None or fault.harm is None or UNIMPORTANT.match(called):
            return None
        if not re.match(KINDS_OF_CALL[fault.call].replace("{table}", self._evening.channel), called):
            return None
        if fault.skip:
            fault.skip -= 1
            return None
        return fault

    def on_step(self) -> None:
        """The dealer is about to take a step."""
        fault = self.faults[0] if self.faults else None
        if fault is None or fault.harm is not None:
            return
        fault.steps -= 1
        if fault.steps <= 0:
            fault.happened = "between two requests"
            self._evening.away = fault.away
            self._next_is_due()
            self._evening.kill()

    def _next_is_due(self) -> None:
        del self.faults[0]


@dataclass
class Guest:
    """A person at the table.

    Attributes:
        user: their id, as Discord writes it.
        plays_in_panel: they press in their own panel what they can press there.
    """

    name: str
    user: str
    plays_in_panel: bool = False
    dms_open: bool = True


class ErrorsLogged(logging.Handler):
    """The errors that living dealers have logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not is_killed():
            cause = record.exc_info[1] if record.exc_info else None
            self.texts.append(f"{record.name} {record.getMessage()}" + (f": {cause!r}" if cause else ""))


@contextmanager
def logged_errors(errors: ErrorsLogged) -> Iterator[None]:
    """Note the errors of the dealers, and nothing else: a log that is kept would keep alive what a killed one has left unfinished."""
    loggers = [logging.getLogger(room) for room in ERRORS_OF]
    for logger in loggers:
        logger.addHandler(errors)
        logger.propagate = False
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(errors)
            logger.propagate = True


class FaultyEvening:
    """A stand-in for Discord, a dealer in it that can die, and guests at one table."""

    def __init__(self, loop: QuickLoop, stand_in: DiscordStandIn, data: Path, dice: random.Random) -> None:
        self.loop, self.stand_in, self.dice = loop, stand_in, dice
        self.controls = StandInControls(stand_in)
        self.line = Line(self)
        stand_in.rest_server.interceptor = self.line
        self.guests: list[Guest] = []
        self.dealer: Dealer | None = None
        self.channel = ""
        self.looks_at_cards = LOOKS_AT_CARDS
        self.login_takes = 0.0
        self.login_seconds: float | None = None
        self.away: float | None = None
        self.greets = False
        self.data = data
        self._life: Life | None = None
        self.errors = ErrorsLogged()
        self.calls: list[tuple[str, str]] = []
        self.doubtful: set[str] = set()
        self.pressed: set[str] = set()
        self.forgotten: set[str] = set()
        self._private: list[tuple[float, str]] = []
        self._note_calls()
        self._note_private_answers()

    def _note_private_answers(self) -> None:
        """Note when each private answer was posted. Nobody can look one up again whose id did not reach the dealer."""
        post = self.stand_in.messages.post_ephemeral

        def noted(*arguments: Any, **more: Any) -> Json:
            message = post(*arguments, **more)
            self._private.append((self.loop.time(), message["id"]))
            if self.is_dealer_dead:  # it was on its way
                self.doubtful.add(message["id"])
            return message

        self.stand_in.messages.post_ephemeral = noted  # type: ignore[method-assign]

    def edits_by_token(self) -> int:
        """Return how many follow-ups and edits by token there were within a minute. Their number is limited."""
        since = self.loop.time() - 60
        return sum(at >= since for at in self.line.by_token_at)

    def doubt_private_answers(self, seconds: float) -> None:
        """Remember the private answers of the last seconds as such that the dealer may not know of."""
        since = self.loop.time() - seconds
        self.doubtful |= {message for at, message in self._private if at >= since}

    def _note_calls(self) -> None:
        """Note every message that calls people, also if it is deleted soon."""
        post = self.stand_in.messages.post

        def noted(channel: Json, validated: Any, **more: Any) -> Json:
            message = post(channel, validated, **more)
            if message["mentions"] and message["author"]["id"] == self.stand_in.world.bot.id and message["content"]:
                self.calls.append((channel["id"], message["content"]))
            return message

        self.stand_in.messages.post = noted  # type: ignore[method-assign]

    # the dealer

    async def start_dealer(self) -> None:
        """Start a dealer and wait until it shows its tables. One that is killed at its start is started again."""
        while True:
            ready, life = asyncio.Event(), Life()
            self._life = life
            self.line.is_logged_in = False
            life.on_step = self.line.on_step

            async def live(ready: asyncio.Event = ready) -> None:
                options = DealerOptions(
                    self.data,
                    ready=ready.set,
                    clock=MovableClock(),
                    rng=random.Random(1),
                    guild_ready_seconds=0.05,
                    default_rules=NO_FLOORS,
                )
                self.dealer = dealer = Dealer(options)
                dealer.parts.get(DiscordApi).by_token.time.now = options.clock.now
                await dealer.store.open()
                for server in self.stand_in.world.guilds if not self.greets else ():
                    await dealer.store.keep(f"greeted.{server}", b"1")
                await dealer.start_playing(self.stand_in.token)

            dealing = life.start(live())
            for _ in range(int(START_SECONDS / 0.1)):
                if ready.is_set() or life.is_dead or dealing.done():
                    break
                await asyncio.sleep(0.1)
            if life.is_dead:
                await self.bury_dealer()
                continue
            if dealing.done():
                dealing.result()
            assert ready.is_set(), "the dealer does not start"
            return

    def kill(self) -> None:
        """Kill the dealer."""
        if self._life is not None and not self._life.is_dead:
            self.doubt_private_answers(SAVED_WITHIN)
            self.pressed.clear()
            self.forgotten = {each["id"] for each in self.public()}  # tokens for a table are not saved
            self.loop.kill(self._life)

    @property
    def is_dealer_dead(self) -> bool:
        return self._life is None or self._life.is_dead

    async def bury_dealer(self) -> None:
        """Give the files of a killed dealer free."""
        life, dealer = self._life, self.dealer
        if life is not None:
            await self.loop.release_files(life)
        if dealer is not None:
            assert isinstance(dealer.store.engine, SqliteEngine)
            dealer.store.engine._lock.release()
        self._life = self.dealer = None
        while self.stand_in.gateway.online:
            await asyncio.sleep(0.05)

    async def restart_if_dead(self) -> bool:
        """Start a dealer again that was killed. Returns whether there was one to start."""
        if not self.is_dealer_dead:
            return False
        await self.bury_dealer()
        away = self.away if self.away is not None else self.dice.choice([0.0, self.dice.uniform(0, 40)])
        await asyncio.sleep(away)  # a hand can be due meanwhile
        drawn = self.dice.choice([0.0, 0.0, 0.3, 1.5])
        self.login_takes = drawn if self.login_seconds is None else self.login_seconds
        await self.start_dealer()
        return True

    async def mend(self) -> None:
        """Let the dealer mend what went wrong: for some seconds, and after a restart if it is dead."""
        for _ in range(20):
            await self.restart_if_dead()
            await asyncio.sleep(0.25)
        await self.restart_if_dead()

    async def wait_quietly(self, seconds: float) -> None:
        """Wait, and longer if a hand is dealt meanwhile: it takes a moment to be shown."""
        number = -1
        while self.table is not None and self.table.hand_number != number:
            number = self.table.hand_number
            await asyncio.sleep(seconds)

    @property
    def table(self) -> TableSnapshot | None:
        """The table as it is saved."""
        tables = list(self.dealer.tables.all_tables()) if self.dealer is not None and not self.is_dealer_dead else []
        return tables[0] if tables else None

    @property
    def the_table(self) -> TableSnapshot:
        """The table, which there is."""
        assert self.table is not None
        return self.table

    @property
    def hand_number(self) -> int:
        """The number of the hand that is played or was played last; 0 while there is no dealer."""
        return self.table.hand_number if self.table is not None else 0

    # what people see

    def public(self) -> list[Json]:
        """The messages of the table's channel, oldest first."""
        return list(self.stand_in.world.messages[self.channel].values())

    def all_public(self) -> dict[str, list[Json]]:
        """The messages of every channel of the server, oldest first, by the channel's name."""
        world = self.stand_in.world
        named = {each["name"]: id_ for id_, each in world.channels.items() if each.get("name")}
        return {name: list(world.messages[id_].values()) for name, id_ in named.items() if id_ in world.messages}

    def private(self, guest: Guest) -> list[Json]:
        """The private answers in the channel that a guest sees, oldest first."""
        return self.stand_in.messages.ephemeral_for(guest.user, self.channel)

    def direct(self, guest: Guest) -> list[Json]:
        """The direct messages that a guest has, oldest first."""
        found = [
            each
            for each in self.stand_in.world.channels.values()
            if each["type"] == 1 and each["recipients"][0]["id"] == guest.user
        ]
        return list(self.stand_in.world.messages[found[0]["id"]].values()) if found else []

    # what people do

    async def slash(
        self,
        guest: Guest,
        command: str,
        where: str = "",
        forms: list[Json] | None = None,
        /,
        **options: tuple[int, Any],
    ) -> str:
        """Use a slash command. Returns how it ended.

        Args:
            where: the id of a channel; empty for the table's.
            forms: takes the form that opens.
            options: each with Discord's number of its type.
        """
        given: list[Json] = [{"name": key, "type": kind, "value": value} for key, (kind, value) in options.items()]
        ended: asyncio.Future[Json] = self.loop.create_future()
        person = self.stand_in.world.people[guest.user]
        self.stand_in.interactions.use_command(person, where or self.channel, command, given, _once(ended))
        frame = await ended
        if frame["t"] == "modal" and forms is not None:
            forms.append(frame)
        return str(frame["t"])

    async def fill_in(
        self, guest: Guest, answers: dict[str, str], command: str, where: str = "", /, **options: tuple[int, Any]
    ) -> str:
        """Use a slash command that opens a form, and send the form with answers by its fields. Returns how it ended."""
        forms: list[Json] = []
        ended = await self.slash(guest, command, where, forms, **options)
        if not forms:
            return ended
        fields = [item["component"] for item in forms[0]["modal"]["components"]]
        components = [
            {
                "type": 18,
                "component": {
                    "type": each["type"],
                    "custom_id": each["custom_id"],
                    "value": answers[each["custom_id"]],
                    "values": [answers[each["custom_id"]]],
                },
            }
            for each in fields
        ]
        sent: asyncio.Future[Json] = self.loop.create_future()
        person = self.stand_in.world.people[guest.user]
        self.stand_in.interactions.submit_modal(person, forms[0]["interaction_id"], components, _once(sent))
        return str((await sent)["t"])

    async def choose(self, guest: Guest, custom_id: str, *values: str) -> bool:
        """Choose in a select of the newest private message that has it. Returns whether Discord got an answer in time."""
        ended: asyncio.Future[Json] = self.loop.create_future()
        person = self.stand_in.world.people[guest.user]
        message = self.private_with(guest, custom_id)
        await self.stand_in.interactions.select(
            person, message["channel_id"], message["id"], custom_id, list(values), _once(ended)
        )
        return (await ended)["t"] != "failed"

    def private_with(self, guest: Guest, custom_id: str) -> Json:
        """The newest private message of a guest that has a button or a select with this id."""
        mine = [message for message, reader in self.stand_in.messages.ephemeral.values() if reader == guest.user]
        return next(one for one in reversed(mine) if custom_id in str(one["components"]))

    async def press_private(self, guest: Guest, custom_id: str) -> bool:
        """Press a button of a private message. Returns whether Discord got an answer in time."""
        return await self.press(guest, self.private_with(guest, custom_id), custom_id)

    async def press(self, guest: Guest, message: Json, custom_id: str) -> bool:
        """Press a button. Returns whether Discord got an answer in time."""
        ended: asyncio.Future[Json] = self.loop.create_future()
        person = self.stand_in.world.people[guest.user]
        try:
            await self.stand_in.interactions.click(
                person, message["channel_id"], message["id"], custom_id, _once(ended)
            )
        except InvalidAction:
            return False
        answered = (await ended)["t"] != "failed"
        if answered:
            self.pressed.add(message["id"])
        return answered

    def has_token(self, message: Json) -> bool:
        """Return whether a click's token can edit a public message: it was pressed, or posted for a click, since the dealer's start."""
        is_by_token = "interaction_metadata" in message and message["id"] not in self.forgotten
        return message["id"] in self.pressed or is_by_token

    def say(self, guest: Guest, text: str) -> None:
        """Write in the channel."""
        world = self.stand_in.world
        fields = {"content": text, "author": world.people[guest.user].user}
        self.stand_in.messages.post(world.channels[self.channel], ValidatedMessage({}, {}), **fields)

    async def open_panel(self, guest: Guest) -> bool:
        """Press *My hand* on the newest message of the table, and wait for the panel. Returns whether there was an answer."""
        for message in reversed(self.public()):
            for custom_id in pressable(message):
                if custom_id.endswith(":peek"):
                    answered = await self.press(guest, message, custom_id)
                    await asyncio.sleep(1)  # the panel follows the acknowledgement
                    return answered
        return False

    @property
    def to_act(self) -> Guest | None:
        """The guest whose turn it is."""
        now = self.table
        turn = now.current_turn if now is not None and now.hand_running else None
        return next((each for each in self.guests if turn is not None and int(each.user) == turn.user), None)

    async def until_dealt(self) -> None:
        """Wait until it is somebody's turn."""
        while self.to_act is None:
            await asyncio.sleep(0.5)

    async def act(self, choose: Callable[[list[str]], str] | None = None) -> bool:
        """Let whoever is to act press a button that they see. Returns whether somebody did.

        Args:
            choose: returns one of the actions that are offered, or nothing; by default it is drawn by lot.
        """
        guest = self.to_act
        if guest is None:
            return False
        now, choose = self.the_table, choose or self._draw_action
        start = f"t:{now.id}:{now.hand_number}:{now.decision_number}:"
        places = [self.private(guest), self.public()]
        if not guest.plays_in_panel:
            places.reverse()
        for place in places:
            for message in reversed(place):
                offered = [each.removeprefix(start) for each in pressable(message) if each.startswith(start)]
                action = choose(offered)
                if action:
                    return await self.press(guest, message, start + action)
        return False

    def _draw_action(self, offered: list[str]) -> str:
        calm = [each for each in offered if re.match(r"(?:check|call)\b", each)]
        folds = self.dice.random() < (FOLDS_FOR_NOTHING if "check" in calm else FOLDS)
        if "fold" in offered and (folds or not calm):
            return "fold"
        return calm[0] if calm else ""

    async def play(self, until: Callable[[], bool], seconds: float) -> bool:
        """Play until something is so, or for so many seconds. Returns whether it is so. A killed dealer plays no more."""
        ends_at = self.loop.time() + seconds
        while not until() and not self.is_dealer_dead:
            if self.loop.time() > ends_at:
                return False
            await asyncio.sleep(self.dice.uniform(1.5, 6.0))
            if self.is_dealer_dead:
                break
            for guest in self.guests:
                needs_panel = guest.plays_in_panel and not self.private(guest)
                is_dealt = self.table is not None and self.table.hand_running
                if is_dealt and (needs_panel or self.dice.random() < self.looks_at_cards):
                    await self.open_panel(guest)
            if not await self.act():
                await asyncio.sleep(0.5)
        return until()

    async def disturb_table(self) -> None:
        """A moderator deletes the table's message, or people write so much below it that it moves: it is posted anew."""
        await self.play(lambda: False, MOVES_ONCE_IN)
        shown = [each for each in self.public() if any(id_.startswith("t:") for id_ in pressable(each))]
        if shown and self.dice.random() < 0.5:
            await self.controls.delete_message(self.channel, shown[-1]["id"])
        else:
            self.bury_table()

    def bury_table(self) -> None:
        """People write so much below the table that it moves."""
        for line in range(MUCH_CHAT):
            self.say(self.guests[line % len(self.guests)], "Nice weather today")


def pressable(message: Json) -> Iterator[str]:
    """The ids of what can be pressed in a message."""
    for component in _flat(message["components"]):
        if component.get("custom_id") and not component.get("disabled"):
            yield component["custom_id"]


def _once(ended: asyncio.Future[Json]) -> Callable[[Json], None]:
    def end(frame: Json) -> None:
        if not ended.done():
            ended.set_result(frame)

    return end


THREE = (Guest("Ann", ""), Guest("Bo", "", plays_in_panel=True), Guest("Cy", "", dms_open=False))
"""One with direct messages, one who plays in a panel, one without direct messages."""


@asynccontextmanager
async def faulty_evening(
    loop: QuickLoop,
    folder: Path,
    dice: random.Random,
    guests: Sequence[Guest] = THREE,
    *,
    game: str = "",
    limits: bool = False,
) -> AsyncIterator[FaultyEvening]:
    """Guests who have just sat down at a table.

    Args:
        game: the key of its game; empty for the usual one.
        limits: whether Discord's rate limits apply.
    """
    silence = gateway.HEARTBEAT_MS
    gateway.HEARTBEAT_MS = 24 * 3_600_000  # discord.py beats in a thread, whose time does not jump
    try:
        async with DiscordStandIn(folder / "discord", limits=limits, clock=AdjustableClock(wall_time)) as stand_in:
            keep_card_emojis(stand_in)
            evening = FaultyEvening(loop, stand_in, folder / "data", dice)
            evening.channel = next(
                each["id"] for each in stand_in.world.channels.values() if each.get("name") == "poker"
            )
            for guest in guests:
                user = evening.controls.add_person(guest.name)["id"]
                evening.guests.append(replace(guest, user=user))
                evening.controls.set_dms_open(user, open=guest.dms_open)
            with endpoints(stand_in), logged_errors(evening.errors):
                try:
                    await evening.start_dealer()
                    options: Json = {"game": (3, game)} if game else {}
                    seats = 4, max(2, len(guests) + 1)
                    await evening.slash(evening.guests[0], "play", **options, seats=seats, sit=(5, False))
                    for number, guest in enumerate(evening.guests, 1):
                        await evening.slash(guest, "sit", seat=(4, number))
                    yield evening
                finally:
                    evening.kill()
                    await evening.bury_dealer()
    finally:
        gateway.HEARTBEAT_MS = silence
