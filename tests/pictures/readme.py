"""Play for the pictures of the README: a newcomer, a table of friends, a showdown, the sheet, a game night, a sit-and-go, and pages of
`/lobby`, `/stats` and `/hand`.

    python -m tests.pictures.readme FOLDER

The bot, the stand-in and a browser run here, and the drawing process. People are the same each time. The browser needs a font with emojis
(Debian: fonts-noto-color-emoji).
"""

from __future__ import annotations

import asyncio
import io
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Page

from bot.engine.cards import parse_card
from bot.engine.ranking import evaluator
from bot.pictures.maker import PictureMaker
from bot.players import PracticePlayers
from bot.statistics.types import CountedChips, CountedHand, CountedSeat, Counts
from bot.surfaces.card_emojis import CardEmojis
from bot.variants import game
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import stack_next_deck
from tests.support.browser import chromium
from tests.support.discord_double import Player

PHONE: Any = {"width": 400, "height": 800}
DESKTOP: Any = {"width": 1280, "height": 800}
NAMES = ("Zoë", "Bruno", "Chiyo", "Dario", "Mia")
NOTICE_SECONDS = 10
"""So long a page says that there is a direct message."""
DRAWN_SECONDS = 2.5
"""So long pictures are waited for before the browser looks."""


@asynccontextmanager
async def page_of(browser: Browser, address: str, size: Any) -> AsyncIterator[Page]:
    """Open somebody's page."""
    scale = 1.5 if size is PHONE else 1.25
    look: Any = {"color_scheme": "dark", "locale": "en-GB", "timezone_id": "Europe/Berlin"}
    context = await browser.new_context(viewport=size, device_scale_factor=scale, **look)
    page = await context.new_page()
    await page.goto(address)
    await page.wait_for_selector("body[data-ready='true']")
    yield page
    await context.close()


async def keep(page: Page, path: Path, shows: str = "") -> None:
    """Keep what a page shows now, a PNG with few colours or a WebP. `shows`: a part of it that is waited for."""
    if shows:
        await page.locator(shows).last.wait_for()
    await asyncio.sleep(DRAWN_SECONDS)
    await page.wait_for_load_state("networkidle")
    shown = Image.open(io.BytesIO(await page.screenshot()))
    if path.suffix == ".webp":
        shown.save(path, quality=80, method=6)
    else:
        shown.convert("RGB").quantize(255, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} kB")


def two_fine_hands(players: int) -> Callable[[tuple[int, ...]], bool]:
    """Return whether a deck gives one of the players a full house, and another one a straight or a flush. A card is burned each time."""
    first = 2 * players
    high = evaluator(game("holdem").shares[0].ranking)
    straight, full = (
        high.best(tuple(map(parse_card, hand.split())), ()) for hand in ("5c 4d 3h 2s Ac", "2c 2d 2h 3s 3c")
    )

    def fits(deck: tuple[int, ...]) -> bool:
        board = (*deck[first + 1 : first + 4], deck[first + 5], deck[first + 7])
        best, second, *_ = sorted(
            (high.best((deck[at], deck[at + players]), board) for at in range(players)), reverse=True
        )
        return best >= full > second >= straight

    return fits


@asynccontextmanager
async def friends() -> AsyncIterator[tuple[BotSession, list[Player]]]:
    """A server of the same people, once its pictures and its card emojis can be drawn."""
    maker = PictureMaker()
    with tempfile.TemporaryDirectory() as data:
        async with bot_session(Path(data), first_evening=True, pictures=maker) as room:
            await maker.wait_until_ready()
            await room.dealer.parts.get(CardEmojis).wait_until_idle()
            yield room, await room.people(*NAMES)


async def first_visit(browser: Browser, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as data:
        maker = PictureMaker()
        async with bot_session(
            Path(data), first_evening=True, local=True, policies=PracticePlayers(), pictures=maker
        ) as room:
            await maker.wait_until_ready()
            address = room.discord.stand_in.page_url(room.discord.stand_in.owner)
            async with page_of(browser, address, PHONE) as page:
                await keep(page, folder / "first-visit.png")


async def raise_to(room: BotSession, people: Sequence[Player], amount: int) -> None:
    player = room.to_act(*people)
    assert player is not None
    await player.slash("bet" if "Bet" in "".join(room.own_buttons(player)) else "raise", to=str(amount))


async def play_street(room: BotSession, people: Sequence[Player], bet: int, callers: int) -> None:
    """The first to act bets or raises, as many as `callers` call, the others fold."""
    street = room.now.hand and room.now.hand.street
    await raise_to(room, people, bet)
    while room.now.hand_running and room.now.hand and room.now.hand.street == street:
        await room.act("Call" if callers > 0 else "Fold", *people)
        callers -= 1


async def table_of_friends(browser: Browser, folder: Path) -> None:
    async with friends() as (room, people):
        await room.open_and_sit(*people)
        stack_next_deck(room, two_fine_hands(len(people)))
        await room.next_hand()
        for player in people:
            await room.open_panel(player)
        await play_street(room, people, 300, 2)
        await play_street(room, people, 600, 2)
        actor = room.to_act(*people)
        assert actor is not None
        async with page_of(browser, actor.page, DESKTOP) as desktop, page_of(browser, actor.page, PHONE) as phone:
            await keep(phone, folder / "table-phone.png", "#log .picture")  # before a message calls the player to act
            await keep(desktop, folder / "table-desktop.png", "#table-area .picture")
            await play_street(room, people, 2_000, 1)
            await room.check_down(*people)
            await room.wait_until_idle()
            await keep(desktop, folder / "showdown.png", "#table-area >> text=Showdown")
            await actor.slash("hand", number="1")
            await actor.click("Replay")
            for _ in range(9):
                await actor.click("Next")
            await keep(phone, folder / "replay.webp")
            for _ in range(5):
                if not room.now.hand_running:
                    await room.next_hand()
                await play_street(room, people, 400, 1)
                await room.check_down(*people)
                await room.wait_until_idle()
            await people[0].close_table()
            await keep(phone, folder / "sheet.webp", "text=is closed")


def pass_time(room: BotSession, seconds: float) -> None:
    """Let time pass for the dealer and for Discord, so that pages count from the same moment."""
    room.clock.skip(seconds)
    room.discord.clock.advance(seconds)


async def night(browser: Browser, folder: Path) -> None:
    """A night of a series: its post in the week before, and its sheet with the next date."""
    async with friends() as (room, people):
        await people[0].slash("night", when="Friday 20:00", zone="Berlin", name="Friday game", hands=6)
        for player, label in zip(people[1:], ("I'm in", "I'm in", "Maybe", "I'm in"), strict=True):
            await player.until("[I'm in]")
            await player.click(label)
        await room.wait_until_idle()
        async with page_of(browser, people[1].page, PHONE) as page:
            await keep(page, folder / "night.webp", "text=I'm in")
        (series,) = room.dealer.services.nights.all()
        assert series.series.night is not None
        pass_time(room, (series.series.night.opens_at - room.clock.now()) / 1000)
        await people[0].until("The table of **Friday game** is open")
        for player in people:
            await player.until("[Take a seat]")
            await player.click("Take a seat")
        while room.sessions:
            await room.next_hand()
            await play_street(room, people, 400, 1)
            while room.hand_running:
                actor = room.to_act(*people)
                assert actor is not None
                await room.check_or_call(actor)
            await room.wait_until_idle()
        await people[1].until("[Standings]")
        async with page_of(browser, people[1].page, PHONE) as page:
            await keep(page, folder / "night-over.webp", "text=Standings")


async def sit_and_go(browser: Browser, folder: Path) -> None:
    """A sit-and-go before it starts, in its second level, and when it is over."""
    async with friends() as (room, people):
        await people[0].slash("play", where="here")
        await people[0].submit({"Who can sit": "sng", "Seats": "6", "Stakes": "20"})
        for player in people:
            await player.until("Register · 400")
            await player.click("Register · 400")
        await room.wait_until_idle()
        async with page_of(browser, people[1].page, PHONE) as page:
            await keep(page, folder / "sit-and-go.webp", "text=Prizes now")
        await people[0].click("Start now")
        pass_time(room, 5 * 60)
        await room.next_hand()
        await play_street(room, people, 100, 2)
        actor = room.to_act(*people)
        assert actor is not None
        await room.open_panel(actor)
        async with page_of(browser, actor.page, PHONE) as page:
            await keep(page, folder / "sit-and-go-played.webp", "#log .picture")


def dealt(guild: int, number: int, ended: int, nets: dict[Player, int], dice: random.Random) -> CountedHand:
    """A hand as the statistics count it. How people played follows from the dice."""
    seats = []
    for player, net in nets.items():
        came_in = net != 0 and dice.random() < 0.6
        showdown = int(came_in and dice.random() < 0.5)
        counts = Counts(
            hands=1,
            net=net,
            voluntary=int(came_in),
            voluntary_chances=1,
            raised_first=int(came_in and dice.random() < 0.6),
            bets=int(came_in),
            calls=int(dice.random() < 0.3),
            past_first_round=int(came_in),
            showdowns=showdown,
            showdowns_won=int(showdown and net > 0),
            pots_won=int(net > 0),
        )
        seats.append(CountedSeat(int(player.me["id"]), counts, max(net, 0)))
    terms = "holdem", "No-Limit Hold'em", "no_limit", "50/100"
    return CountedHand(guild, 1_000_900, number, ended, *terms, CountedChips.SERVER, 400, tuple(seats))


async def season_of(room: BotSession, people: Sequence[Player], hands: int) -> None:
    """Let people have played, the first with a little more luck than the others."""
    dice, keeper_of = random.Random("README"), room.dealer.statistics
    (guild,) = map(int, room.discord.stand_in.world.guilds)
    await keeper_of.games(guild)  # the file is open then
    played = []
    for number in range(1, hands + 1):
        nets = dict.fromkeys(people, 0)
        (winner,) = dice.choices(people, range(len(people) + 2, 2, -1))
        loser = dice.choice([player for player in people if player is not winner])
        chips = dice.choice((150, 250, 400, 700, 1_500))
        nets[winner], nets[loser] = chips, -chips
        played.append(dealt(guild, number, room.clock.now() - (hands - number) * 90_000, nets, dice))

    def add() -> None:
        keeper = keeper_of._keeper_or_fail()
        with keeper.transaction():
            keeper.add(played)
            keeper.db.execute("INSERT INTO counted_table VALUES (1000900, 1, ?, 0, 1, 1, 0, 0)", (hands,))

    await keeper_of._in_thread(add)


async def what_stays(browser: Browser, folder: Path) -> None:
    async with friends() as (room, people):
        zoe = people[0]
        await season_of(room, people, 90)
        await zoe.slash("play", sit=False)
        for number, player in enumerate(people[:3], 1):
            await player.slash("sit", seat=number)
        for player in people:
            player.go("lobby")
        await people[4].slash("play", sit=False, game="omaha8")
        await people[4].slash("sit", seat=2)
        await asyncio.sleep(NOTICE_SECONDS)
        async with page_of(browser, zoe.page, PHONE) as page:
            await page.locator("#sidebar-open").click()
            await page.locator("#channel-list button", has_text="lobby").click()
            for command, options in (("lobby", {}), ("stats", {"page": "leaderboard"}), ("stats", {})):
                await zoe.slash(command, **options)
                name = options.get("page", command)
                await keep(page, folder / f"{name}.webp", "" if name == "lobby" else "#log .picture")


async def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    async with chromium() as browser:
        await first_visit(browser, folder)
        await table_of_friends(browser, folder)
        await night(browser, folder)
        await sit_and_go(browser, folder)
        await what_stays(browser, folder)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
