"""What Discord shows, one entry for each surface: how it comes about, how it is changed, and how people see that it is right.

A new surface is a new entry in `SHOWN`; `test_keeper_contract.py` then lets everything go wrong with it that can.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from tests.e2e.faulty_evening import FaultyEvening, Guest, pressable
from tests.e2e.screen_judge import live_tables, text_of
from tests.support.discord_double import Json

Step = Callable[[FaultyEvening], Awaitable[None]]
See = Callable[[FaultyEvening], list[Json]]


@dataclass(frozen=True, slots=True)
class ShownThing:
    """A surface, and one way in which it changes.

    Attributes:
        module: where in `bot.surfaces` its message is written.
        request: a regular expression of the request that carries the change, as ``METHOD path``; ``{table}`` is the table's channel,
            ``{news}`` the one of this name.
        prepare: brings the evening to the moment before the change.
        change: makes the change; returns at once.
        shown: the messages of the surface. There must be exactly one.
        is_right: whether a message shows how things are.
        seconds: within these the change is shown where nothing goes wrong.
        place: the name of the channel of a server in which it is shown.
        is_private: only one person sees it, and only by the token of a click it can be changed.
        needs_saved: without what was saved nobody knows that it is to be shown.
        goes_after_kill: a dealer that is started again takes it away: it was for the moment.
    """

    name: str
    module: str
    request: str
    prepare: Step
    change: Step
    shown: See
    is_right: Callable[[FaultyEvening, Json], bool]
    seconds: float = 5.0
    place: str = ""
    is_private: bool = False
    needs_saved: bool = False
    goes_after_kill: bool = False

    def __str__(self) -> str:
        return self.name

    def request_in(self, evening: FaultyEvening) -> str:
        """Return the regular expression of its request on an evening."""
        at = self.request.replace("{table}", evening.channel)
        return at.replace("{news}", channel_named(evening, "news")) if "{news}" in at else at


async def until_hand(evening: FaultyEvening) -> None:
    """Wait until a hand runs and everybody sees it."""
    await evening.until_dealt()
    await asyncio.sleep(2)


async def until_first_deal(evening: FaultyEvening) -> None:
    await asyncio.sleep(1)


async def until_hand_over(evening: FaultyEvening) -> None:
    """Two of three fold in the first hand."""
    await until_hand(evening)
    while evening.the_table.hand_running:
        await asyncio.sleep(3)
        assert await evening.act(lambda offered: "fold" if "fold" in offered else "")
    await asyncio.sleep(1)


async def with_panels(evening: FaultyEvening) -> None:
    await until_hand(evening)
    for guest in evening.guests:
        guest.plays_in_panel = True
        assert await evening.open_panel(guest)
    await asyncio.sleep(2)


async def panel_before_deal(evening: FaultyEvening) -> None:
    await until_hand(evening)
    assert await evening.open_panel(ann(evening))
    await until_hand_over(evening)


async def panel_before_move(evening: FaultyEvening) -> None:
    """The table moves at the next deal, by the bot's own token, and the panel after it."""
    await panel_before_deal(evening)
    evening.bury_table()
    assert evening.dealer is not None
    table = evening.dealer.services.display.message_of(evening.the_table.id)
    assert table is not None
    table.live.clicks.forget()


async def deal(evening: FaultyEvening) -> None:
    """Wait for the next hand."""
    number = evening.hand_number
    for _ in range(40):
        if evening.hand_number > number or evening.is_dealer_dead:
            return
        await asyncio.sleep(0.25)


async def act(evening: FaultyEvening) -> None:
    """Whoever is to act checks or calls. Where the answer is lost, they may be told that it failed."""
    await evening.act(lambda offered: next((each for each in offered if re.match("check|call", each)), ""))


async def delete_table(evening: FaultyEvening) -> None:
    """A moderator deletes the table's newest message."""
    newest = live_tables(evening.public(), evening.the_table.id)[-1]
    await evening.controls.delete_message(evening.channel, newest["id"])


async def close_table(evening: FaultyEvening) -> None:
    """Staff close it, if they get to answer the question. A dealer that is killed as its last message goes leaves that to the next one."""
    await evening.slash(owner(evening), "table", page=(3, "close"))
    asked = evening.stand_in.messages.ephemeral_for(owner(evening).user, evening.channel)
    for message in reversed(asked):
        for custom_id in pressable(message):
            if custom_id.startswith("t:") and custom_id.endswith(":close:1"):
                await evening.press(owner(evening), message, custom_id)
                return


def sheets(evening: FaultyEvening) -> list[Json]:
    return [each for each in evening.public() if "All chips are back in wallets." in text_of(each)]


async def with_sheet(evening: FaultyEvening) -> None:
    """A game is over, and its sheet is there."""
    await until_hand_over(evening)
    await close_table(evening)
    await asyncio.sleep(10)


async def play_again(evening: FaultyEvening) -> None:
    """Ann presses the green button. Where the dealer is killed with the answer on its way, the call goes out all the same."""
    (sheet,) = sheets(evening)
    await evening.press(ann(evening), sheet, "p:again:play:1")


def calls(evening: FaultyEvening) -> list[Json]:
    return [each for each in evening.public() if "plays again" in each["content"]]


async def think(evening: FaultyEvening) -> None:
    await asyncio.sleep(8)


def ann(evening: FaultyEvening) -> Guest:
    return evening.guests[0]


def owner(evening: FaultyEvening) -> Guest:
    return Guest("You", evening.stand_in.owner.id)


def channel_named(evening: FaultyEvening, name: str) -> str:
    return next(each["id"] for each in evening.stand_in.world.channels.values() if each.get("name") == name)


def in_channel(evening: FaultyEvening, name: str) -> list[Json]:
    bot = evening.stand_in.world.bot.id
    found = evening.stand_in.world.messages[channel_named(evening, name)].values()
    return [each for each in found if each["author"]["id"] == bot]


async def set_up_board(evening: FaultyEvening) -> None:
    await evening.slash(owner(evening), "house", channel_named(evening, "lobby"), page=(3, "lobby"))


async def with_board(evening: FaultyEvening) -> None:
    await until_hand(evening)
    await set_up_board(evening)
    await asyncio.sleep(20)


async def sit_down(evening: FaultyEvening) -> None:
    """Somebody more is there for the board to tell of."""
    await evening.slash(owner(evening), "sit")


def boards(evening: FaultyEvening) -> list[Json]:
    return [each for each in in_channel(evening, "lobby") if "### Tables" in text_of(each)]


async def with_staff_channel(evening: FaultyEvening) -> None:
    await until_hand(evening)
    evening.controls.add_channel("staff")
    await evening.slash(owner(evening), "house", page=(3, "server"))
    await evening.choose(owner(evening), "p:house:rule:staff_channel", channel_named(evening, "staff"))
    await asyncio.sleep(15)


async def grant(evening: FaultyEvening) -> None:
    user = ann(evening).user
    given = {"chips": "500", "reason": "a bet on the weather"}
    await evening.fill_in(owner(evening), given, "house", page=(3, "grant"), player=(6, user))


async def with_news_channel(evening: FaultyEvening) -> None:
    await until_hand(evening)
    evening.controls.add_channel("news")
    await asyncio.sleep(5)


async def open_season(evening: FaultyEvening) -> None:
    given = {"name": "Autumn", "order": "net"}
    await evening.fill_in(owner(evening), given, "season", channel_named(evening, "news"), page=(3, "open"))


async def plan_night(evening: FaultyEvening) -> None:
    news = channel_named(evening, "news")
    when, name = (3, "tomorrow 20:00"), (3, "Friday game")
    await evening.slash(owner(evening), "night", news, when=when, zone=(3, "UTC"), name=name)


async def with_night(evening: FaultyEvening) -> None:
    await with_news_channel(evening)
    await plan_night(evening)
    await asyncio.sleep(10)


async def with_hidden_night(evening: FaultyEvening) -> None:
    """A night in a channel that not everybody can read."""
    await with_news_channel(evening)
    news, everybody = channel_named(evening, "news"), str(evening.the_table.address.guild)
    evening.controls.set_overwrite(news, allow=["view_channel"])
    evening.controls.set_overwrite(news, everybody, deny=["view_channel"])
    await plan_night(evening)
    await asyncio.sleep(10)


async def delete_news(evening: FaultyEvening) -> None:
    evening.controls.delete_channel(channel_named(evening, "news"))


async def skip_night(evening: FaultyEvening) -> None:
    await evening.slash(owner(evening), "night")
    await evening.choose(owner(evening), "p:night:choose", "1")
    await evening.press_private(owner(evening), "p:night:skip:1:1")


async def with_somebody_to_call(evening: FaultyEvening) -> None:
    """Somebody without direct messages wants to know of new tables."""
    await with_news_channel(evening)
    evening.controls.set_dms_open(owner(evening).user, open=False)
    await evening.slash(owner(evening), "me")
    await evening.press_private(owner(evening), "p:me:tables:on")


async def open_another_table(evening: FaultyEvening) -> None:
    await evening.slash(ann(evening), "play", channel_named(evening, "news"), sit=(5, False))


async def open_event(evening: FaultyEvening) -> None:
    """Open a sit-and-go in a thread of the channel for news."""
    given = {"game": "holdem", "stakes": "0", "seats": "4", "clock": "0", "who": "sng_free"}
    await evening.fill_in(owner(evening), given, "play", channel_named(evening, "news"), where=(3, "thread"))


async def with_event(evening: FaultyEvening) -> None:
    await with_news_channel(evening)
    await open_event(evening)
    await asyncio.sleep(10)


async def enter_event(evening: FaultyEvening) -> None:
    panel = in_news("Sit-and-go")(evening)[-1]
    await evening.press(ann(evening), panel, next(one for one in pressable(panel) if ":enter:" in one))


async def challenge_bo(evening: FaultyEvening) -> None:
    await evening.slash(ann(evening), "duel", channel_named(evening, "news"), player=(6, evening.guests[1].user))


async def with_private_table(evening: FaultyEvening) -> None:
    await with_news_channel(evening)
    await evening.slash(ann(evening), "play", channel_named(evening, "news"), where=(3, "private"), sit=(5, False))
    await asyncio.sleep(5)


def thread_of_private_table(evening: FaultyEvening) -> str:
    return next(each["id"] for each in evening.stand_in.world.channels.values() if each["type"] == 12)


async def invite_bo(evening: FaultyEvening) -> None:
    await evening.slash(ann(evening), "table", thread_of_private_table(evening), page=(3, "invite"))
    table = max(one.id for one in evening.dealer.tables.all_tables())
    await evening.choose(ann(evening), f"t:{table}:0:0:invite", evening.guests[1].user)


def invitations(evening: FaultyEvening) -> list[Json]:
    found = evening.stand_in.world.messages[thread_of_private_table(evening)].values()
    return [each for each in found if "invites you" in each["content"]]


async def before_another_server(evening: FaultyEvening) -> None:
    await until_hand(evening)
    evening.greets = True


async def add_to_another_server(evening: FaultyEvening) -> None:
    evening.controls.add_guild("Another house", owner(evening).user, ["arrivals"])


def greetings(evening: FaultyEvening) -> list[Json]:
    return [each for each in in_channel(evening, "arrivals") if "The dealer is here" in text_of(each)]


def in_news(text: str) -> See:
    return lambda evening: [each for each in in_channel(evening, "news") if text in each["content"] + text_of(each)]


def table_shown(evening: FaultyEvening) -> list[Json]:
    return live_tables(evening.public(), evening.the_table.id)


def panels(evening: FaultyEvening) -> list[Json]:
    return [each for each in evening.private(ann(evening)) if "My hand #" in text_of(each)]


def is_table_right(evening: FaultyEvening, message: Json) -> bool:
    now = evening.the_table
    return f"t:{now.id}:{now.hand_number}:{now.decision_number}:" in str(message["components"])


def of_this_hand(evening: FaultyEvening, message: Json) -> bool:
    return f"and #{evening.hand_number}" in text_of(message)


def of_this_hand_below(evening: FaultyEvening, message: Json) -> bool:
    """A panel of this hand, below the table's message."""
    (table,) = table_shown(evening)
    return of_this_hand(evening, message) and int(message["id"]) > int(table["id"])


async def newcomer_is_dealt_in(evening: FaultyEvening) -> None:
    """Somebody to whom the dealer has never written sits down, and plays the next hand."""
    await evening.slash(owner(evening), "sit")
    await asyncio.sleep(1)
    if await evening.restart_if_dead():
        await evening.slash(owner(evening), "sit")  # the first time was perhaps not saved
    while evening.the_table.hand_running:
        await evening.act(lambda offered: "fold" if "fold" in offered else "")
        await asyncio.sleep(3)
    await deal(evening)


def cards_of_newcomer(evening: FaultyEvening) -> list[Json]:
    """The newest message in which the newcomer reads cards: a direct message or a panel."""
    messages = [*evening.direct(owner(evening)), *evening.private(owner(evening))]
    return [each for each in messages if "and #" in text_of(each)][-1:]


def direct_messages(evening: FaultyEvening) -> list[Json]:
    return evening.direct(ann(evening))


def nudges(evening: FaultyEvening) -> list[Json]:
    return [each for each in evening.public() if "your turn" in each["content"]]


async def somebody_is_away(evening: FaultyEvening) -> None:
    """Whoever is to act lets their time run out, and the others end the hand."""
    away = evening.to_act
    while evening.to_act is away:
        await asyncio.sleep(1)
    while evening.to_act is not None:  # nobody, once the dealer is killed
        await evening.act(lambda offered: "fold" if "fold" in offered else "")
        await asyncio.sleep(1)


def absences(evening: FaultyEvening) -> list[Json]:
    messages = [each for guest in evening.guests for each in evening.direct(guest)]
    return [each for each in messages if "ran out of time" in text_of(each)]


def staff_lines(evening: FaultyEvening) -> list[Json]:
    return [each for each in in_channel(evening, "staff") if "weather" in each["content"] + text_of(each)]


def says(text: str) -> Callable[[FaultyEvening, Json], bool]:
    return lambda _, message: text in message["content"] + text_of(message)


POSTED_ELSEWHERE, EDITED_ELSEWHERE = (
    r"POST /channels/(?!{table})\d+/messages$",
    r"PATCH /channels/(?!{table})\d+/messages/",
)
POSTED_IN_NEWS = r"POST /channels/{news}/messages$"
POSTED_AT_TABLE = r"POST /(?:channels/{table}/messages$|webhooks/)"
CHANGED_AT_TABLE = r"P\w+ /(?:channels/{table}/|webhooks/)"
IN_POKER = partial(ShownThing, shown=table_shown, is_right=is_table_right, place="poker")

SHOWN = (
    IN_POKER("table, pressed", "table.message", "POST /interactions/", until_hand, act),
    IN_POKER("table, pressed in a panel", "table.message", CHANGED_AT_TABLE, with_panels, act),
    IN_POKER("table, deleted", "table.message", POSTED_AT_TABLE, until_hand, delete_table),
    ShownThing(
        "table, closed",
        "table.last_messages",
        r"P\w+ /channels/{table}/messages",
        until_hand_over,
        close_table,
        sheets,
        says("🏆"),
    ),
    ShownThing(
        "sheet",
        "evenings.sheet",
        r"POST /channels/{table}/messages$",
        until_hand_over,
        close_table,
        sheets,
        says("🏆"),
    ),
    ShownThing(
        "call to play again",
        "evenings.calls",
        r"POST /channels/{table}/messages$",
        with_sheet,
        play_again,
        calls,
        says("plays again"),
        seconds=10,
        needs_saved=True,
    ),
    ShownThing(
        "direct message, first",
        "direct_messages.cards_message",
        POSTED_ELSEWHERE,
        until_first_deal,
        deal,
        direct_messages,
        of_this_hand,
    ),
    ShownThing(
        "direct message, next hand",
        "direct_messages.cards_message",
        EDITED_ELSEWHERE,
        until_hand_over,
        deal,
        direct_messages,
        of_this_hand,
    ),
    ShownThing(
        "panel, next hand",
        "my_hand.panel",
        "PATCH /webhooks/",
        panel_before_deal,
        deal,
        panels,
        of_this_hand,
        is_private=True,
        needs_saved=True,
    ),
    ShownThing(
        "panel, moved",
        "my_hand.following",
        "PATCH /webhooks/",
        panel_before_move,
        deal,
        panels,
        of_this_hand_below,
        seconds=8,
        is_private=True,
        needs_saved=True,
    ),
    ShownThing(
        "cards of a newcomer",
        "direct_messages.cards_message",
        "POST /users/@me/channels",
        until_hand,
        newcomer_is_dealt_in,
        cards_of_newcomer,
        of_this_hand,
        seconds=15,
    ),
    ShownThing(
        "board, new", "lobby.boards", POSTED_ELSEWHERE, until_hand, set_up_board, boards, says("Table 1"), seconds=20
    ),
    ShownThing(
        "board, changed",
        "lobby.boards",
        EDITED_ELSEWHERE,
        with_board,
        sit_down,
        boards,
        says("4 players"),
        seconds=20,
        place="lobby",
        needs_saved=True,
    ),
    ShownThing("nudge", "table.passing", POSTED_AT_TABLE, until_hand, think, nudges, says("your turn"), seconds=10),
    ShownThing(
        "notice",
        "notices.notices",
        POSTED_ELSEWHERE,
        until_hand,
        somebody_is_away,
        absences,
        says("ran out of time"),
        seconds=10,
        goes_after_kill=True,
    ),
    ShownThing(
        "staff log",
        "staff.channel",
        POSTED_ELSEWHERE,
        with_staff_channel,
        grant,
        staff_lines,
        says("weather"),
        seconds=75,
        place="staff",
    ),
    ShownThing(
        "season news",
        "seasons.news",
        POSTED_IN_NEWS,
        with_news_channel,
        open_season,
        in_news("Autumn"),
        says("begins"),
        seconds=20,
        place="news",
    ),
    ShownThing(
        "panel of an event, new",
        "events.panels",
        POSTED_IN_NEWS,
        with_news_channel,
        open_event,
        in_news("Sit-and-go"),
        says("Players 0 of 4"),
        seconds=10,
    ),
    ShownThing(
        "panel of an event, changed",
        "events.panels",
        r"PATCH /channels/{news}/messages/",
        with_event,
        enter_event,
        in_news("Sit-and-go"),
        says("Players 1 of 4"),
        seconds=10,
        needs_saved=True,
    ),
    ShownThing(
        "call to a duel",
        "events.calls",
        POSTED_IN_NEWS,
        with_news_channel,
        challenge_bo,
        in_news("challenges you to a duel."),
        says("challenges you to a duel."),
        seconds=10,
        needs_saved=True,
    ),
    ShownThing(
        "post of a night, new",
        "nights.posts",
        POSTED_IN_NEWS,
        with_news_channel,
        plan_night,
        in_news("Hosted by"),
        says("Seats 1 of"),
        seconds=10,
    ),
    ShownThing(
        "post of a night, changed",
        "nights.posts",
        POSTED_IN_NEWS,
        with_night,
        skip_night,
        in_news("Hosted by"),
        says("Seats 1 of"),
        seconds=10,
    ),
    ShownThing(
        "line about a night",
        "nights.lines",
        POSTED_IN_NEWS,
        with_night,
        skip_night,
        in_news("doesn't take place"),
        says("Friday game"),
        seconds=10,
        needs_saved=True,
    ),
    ShownThing(
        "end of nights whose channel is gone",
        "nights.host_news",
        POSTED_ELSEWHERE,
        with_hidden_night,
        delete_news,
        lambda evening: [each for each in evening.direct(owner(evening)) if "is gone" in each["content"]],
        says("Friday game"),
        seconds=10,
        needs_saved=True,
    ),
    ShownThing(
        "call to a new table",
        "lobby.pings",
        POSTED_IN_NEWS,
        with_somebody_to_call,
        open_another_table,
        in_news("is open"),
        says("is open"),
        seconds=30,
        needs_saved=True,
        goes_after_kill=True,
    ),
    ShownThing(
        "invitation",
        "rooms.room_guests",
        POSTED_ELSEWHERE,
        with_private_table,
        invite_bo,
        invitations,
        says("invites you"),
        seconds=10,
    ),
    ShownThing(
        "greeting",
        "greeting.greeter",
        POSTED_ELSEWHERE,
        before_another_server,
        add_to_another_server,
        greetings,
        says("is here"),
        seconds=10,
    ),
)
TOLD_ELSEWHERE = {
    "direct_messages.hole_cards": "the sheet of a session, which tests/e2e/test_statistics.py kills dealers around",
}
"""Modules of `bot.surfaces` without an entry, and where their faults are told."""
