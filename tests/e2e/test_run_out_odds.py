"""In a run-out everybody sees each open hand's chance: on the table, in the picture and in the panels. Nothing is held up for it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from bot.pictures.types import TablePicture
from bot.statistics.all_in_hand import AllInHand
from bot.statistics.odds import odds_of
from bot.statistics.types import Odds
from bot.surfaces.table.run_out_odds import WAIT_SECONDS
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_choices_survive_restart import RUN_TWICE, restarting_bot
from tests.e2e.test_run_out import STREET, board_size, tells_the_end
from tests.support.discord_double import EPHEMERAL, Player
from tests.support.pictures import Painter

CHANCE = re.compile("(≈\u00a0)?(\\d+)\u00a0% (?:to win|of the pot)")
SPLIT = re.compile("Split pot: (?:≈\u00a0)?(\\d+)\u00a0%")


@pytest.fixture(autouse=True)
def slow_streets(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("bot.runtime.run_out", "bot.runtime.transaction"):
        monkeypatch.setattr(f"{module}.RUN_OUT_STREET_MS", round(1000 * STREET))


class Teller:
    """Tells odds in the process of a test, and notes what it was asked.

    Attributes:
        seconds: how long that takes, on the loop's clock.
    """

    def __init__(self, seconds: float = 0.1) -> None:
        self.seconds = seconds
        self.asked: list[AllInHand] = []
        self.told: list[Odds] = []

    async def __call__(self, hand: AllInHand) -> Odds | None:
        self.asked.append(hand)
        await asyncio.sleep(self.seconds)
        odds = odds_of(hand)
        if odds is not None:
            self.told.append(odds)
        return odds


async def all_in(room: BotSession, *players: Player, **how: object) -> None:
    await room.open_and_sit(*players, **how)
    stack_next_deck(room, no_two_tie(len(players)))
    await room.next_hand()
    await room.act("All-in", *players)
    for _ in players[1:]:
        await room.act("Call", *players)


def table_text(player: Player) -> str:
    public = [player.render(message) for message in player.visible() if not message["flags"] & EPHEMERAL]
    return [text for text in public if "Table 1" in text][-1]


def panel_text(player: Player) -> str:
    return [player.render(message) for message in player.visible() if message["flags"] & EPHEMERAL][-1]


def chances(text: str) -> list[int]:
    """The chances that a text tells, hand by hand, and that of a split."""
    return [int(found[1]) for found in CHANCE.findall(text)] + [int(found) for found in SPLIT.findall(text)]


@pytest.mark.law("TL-21")
async def test_odds_stand_beside_each_hand_on_every_street(tmp_path: Path) -> None:
    """Never before the hands are turned up, nor once the last card lies open; each street has its own, as few requests as without."""
    teller = Teller()
    async with bot_session(tmp_path, odds=teller) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        await room.act("All-in", ann, bo)
        assert not chances(ann.screen()) and not teller.asked
        await room.act("Call", ann, bo)
        await room.wait_for_text("All-in · Pot 20,000")
        seen = []
        for cards in (0, 3, 4):
            await ann.wait_for(lambda cards=cards: board_size(ann) == cards and chances(table_text(ann)), "odds")  # type: ignore[misc]
            odds = teller.told[-1]
            told = chances(table_text(ann))
            assert sum(told) == 100
            assert told == [odds.percents[seat] for seat in _by_seat_number(room, odds)] + (
                [odds.split] if odds.split else []
            )
            assert ("≈" in table_text(ann)) is odds.is_estimate is (cards == 0)
            assert not tells_the_end(ann) and not tells_the_end(bo)
            seen.append(told)
            room.clock.skip(STREET)
        await room.wait_for_text("Showdown")
        await room.wait_until_idle()
        assert len(teller.asked) == 3, "once a street, and not on the river"
        assert not chances(table_text(ann))
        room.check_leaks()


def _by_seat_number(room: BotSession, odds: Odds) -> list[int]:
    """The places of the seats in `odds`, in the order in which the table tells of them."""
    view = room.now.hand
    assert view is not None
    numbers = {seat: view.seats[seat].seat_number for seat in odds.seats}
    return [odds.seats.index(seat) for seat in sorted(odds.seats, key=lambda seat: numbers[seat])]


async def test_panels_tell_the_same_odds(tmp_path: Path) -> None:
    teller = Teller()
    async with bot_session(tmp_path, odds=teller) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        for player in (ann, bo):
            await room.press_at_table(player, "👁️ My hand")
        await room.act("All-in", ann, bo)
        await room.act("Call", ann, bo)
        for cards in (0, 3):
            for player in (ann, bo):
                await player.wait_for(
                    lambda player=player, cards=cards: (
                        chances(panel_text(player))  # type: ignore[misc]
                        and board_size(player) == cards
                        and sorted(chances(panel_text(player))) == sorted(chances(table_text(player)))
                    ),
                    f"the odds of {cards} cards in the panel",
                )
            room.clock.skip(STREET)
        await room.skip_run_out()
        await room.wait_until_idle()
        room.check_leaks()


async def requests_of_a_run_out(tmp_path: Path, **how: object) -> int:
    """Return how many requests an all-in hand costs. Who acts first, and so which message is clicked, is drawn."""
    async with bot_session(tmp_path, **how) as room:  # type: ignore[arg-type]
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        await room.press_at_table(ann, "👁️ My hand")
        await room.wait_until_idle()
        room.discord.forget_requests()
        await room.act("All-in", ann, bo)
        await room.act("Call", ann, bo)
        await room.wait_for_text("All-in · Pot 20,000")
        await room.wait_until_idle()
        for cards in (3, 4):
            room.clock.skip(STREET)
            await ann.wait_for(lambda cards=cards: board_size(ann) == cards, f"{cards} cards")  # type: ignore[misc]
            await room.wait_until_idle()
        room.clock.skip(STREET)
        await room.wait_for_text("Showdown")
        await room.wait_until_idle()
        return len(room.discord.requests)


async def test_odds_cost_no_request(tmp_path: Path) -> None:
    """They go with the edit that shows the street; also where they come too late."""
    plain = await requests_of_a_run_out(tmp_path / "without")
    assert await requests_of_a_run_out(tmp_path / "with", odds=Teller()) == plain
    assert await requests_of_a_run_out(tmp_path / "late", odds=Teller(WAIT_SECONDS + 0.4)) == plain


async def test_street_is_shown_without_odds_that_come_late(tmp_path: Path) -> None:
    """The table is as quick as it can be, and what comes later is not shown any more, not even by a click."""
    teller = Teller(WAIT_SECONDS + 0.5)
    painter = Painter()
    async with bot_session(tmp_path, odds=teller, pictures=painter) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        called = asyncio.get_running_loop().time()
        await room.wait_for_text("All-in · Pot 20,000")
        assert asyncio.get_running_loop().time() - called < 1.5
        await asyncio.sleep(2 * teller.seconds)
        assert len(teller.asked) == 1 and not chances(ann.screen())
        await ann.click("👁")
        assert not chances(ann.screen())
        assert not any(seat.odds for picture in painter.drawn for seat in picture.seats)
        room.clock.skip(STREET)
        teller.seconds = 0.1
        await ann.wait_for(lambda: bool(chances(table_text(ann))), "the odds of the flop")


async def test_failing_teller_holds_nothing_up(tmp_path: Path) -> None:
    async def failing(hand: AllInHand) -> Odds | None:
        raise ValueError(f"never to be logged: {hand.down}")

    async with bot_session(tmp_path, odds=failing) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        for cards in (3, 4):
            room.clock.skip(STREET)
            await ann.wait_for(lambda cards=cards: board_size(ann) == cards, f"{cards} common cards")  # type: ignore[misc]
            assert not chances(ann.screen())
        room.clock.skip(STREET)
        await room.wait_for_text("Showdown")


async def test_pictures_show_the_odds_that_the_text_tells(tmp_path: Path) -> None:
    teller, painter = Teller(), Painter()
    async with bot_session(tmp_path, odds=teller, pictures=painter) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        told = []
        for cards in (0, 3, 4):
            await ann.wait_for(lambda: bool(chances(table_text(ann))), "odds")
            await room.wait_until_idle()
            picture = painter.drawn[-1]
            assert isinstance(picture, TablePicture) and len(picture.boards[0].cards) == cards
            told.append([int(re.sub(r"\D", "", seat.odds)) for seat in picture.seats])
            assert told[-1] == chances(table_text(ann))[:2]
            room.clock.skip(STREET)
            await room.next_change()
        await room.wait_for_text("Showdown")
        await room.wait_until_idle()
        assert not any(seat.odds for seat in painter.drawn[-1].seats)
        assert len(told) == 3


@pytest.mark.law("TL-25")
async def test_odds_stand_there_while_players_choose_once_or_twice(tmp_path: Path) -> None:
    teller = Teller()
    async with bot_session(tmp_path, odds=teller) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", sit=False)
        await ann.slash("table", page="settings")
        await ann.click("House rules")
        await ann.select("Change a house rule…", RUN_TWICE)
        await ann.select(f"{RUN_TWICE}…", "on")
        for seat, player in enumerate((ann, bo), 1):
            await player.slash("sit", seat=seat)
        stack_next_deck(room, no_two_tie(2))
        await room.next_hand()
        await room.act("All-in", ann, bo)
        await room.act("Call", ann, bo)
        await ann.wait_for(lambda: "Twice" in ann.screen() and sum(chances(table_text(ann))) == 100, "the question")
        for _ in range(2):
            asked = room.to_act(ann, bo)
            assert asked is not None
            await room.act("Twice", ann, bo)
        await ann.wait_for(lambda: "of the pot" in table_text(ann), "shares of the pot")
        assert sum(chances(table_text(ann))) == 100
        await room.skip_run_out()
        await room.wait_until_idle()
        assert not chances(table_text(ann))
        room.check_leaks()


@pytest.mark.law("TL-21")
async def test_after_a_kill_between_streets_no_odds_are_left(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path, odds=Teller()) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await all_in(room, ann, bo)
            room.clock.skip(STREET)
            await ann.wait_for(lambda: board_size(ann) == 3 and bool(chances(table_text(ann))), "the odds of the flop")
        async with told.life() as room:
            await ann.wait_for(lambda: "Last hand: " in ann.screen(), "the result")
            await room.wait_until_idle()
            assert not chances(table_text(ann))
