"""An evening is read back from its hands: who was up and down, and the hands that people will tell of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine.cards import card_text
from bot.engine.mixes import RotationChange
from bot.engine.rules_in_force import rules_in_force
from bot.fair.deck_order import deck_order
from bot.runtime.evening import Evening as ToldEvening
from bot.runtime.evening import EveningCurve, ToldHand
from bot.statistics.all_in_hand import AllInHand
from bot.statistics.luck import AllInLuck, all_in_luck
from bot.table.commands import CloseTable, LeaveTable, TakeSeat, TopUp
from bot.table.ended_game import EndedGame
from bot.table.next_hand import SHUFFLES_MIN
from bot.table.settings import ChipKind
from bot.variants import compose_rotation, game
from tests.runtime.evening import MASTER, Evening, name_of, settings


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    opened = await Evening(tmp_path).begin()
    yield opened
    await opened.end()


async def luck_of(hand: AllInHand) -> AllInLuck | None:
    return all_in_luck(hand)


async def told(evening: Evening) -> tuple[EndedGame, ToldEvening]:
    """Return what there is to tell of the evening so far."""
    snapshot = evening.snapshot
    game = snapshot.resting_game(evening.clock.now())
    return game, await evening.tables.read_evening(snapshot.address, game, luck_of)


def choose_cards(evening: Evening, fits: Callable[[list[set[str]], str], bool], first: int = 0) -> None:
    """Let the next hand of two players be dealt from a deck that fits: the ranks of each one's cards, and of the board.

    `first`: where the search begins, for what is rare.
    """
    snapshot = evening.snapshot
    rules = rules_in_force(snapshot.settings.rule_card, snapshot.settings.options, snapshot.settings.stakes)
    number = snapshot.hand_number + 1

    def nonce() -> bytes:
        for at in range(first, first + 200_000):
            found = at.to_bytes(16, "big")
            deck = deck_order(MASTER, snapshot.id, number, found, rules.deck_cards, SHUFFLES_MIN)
            ranks = [card_text(card)[0] for card in deck[:12]]
            if fits([{ranks[0], ranks[2]}, {ranks[1], ranks[3]}], "".join([*ranks[5:8], ranks[9], ranks[11]])):
                return found
        raise AssertionError("no deck fits")

    evening.tables.context.make_nonce = nonce


def ends(curves: tuple[EveningCurve, ...]) -> dict[str, int]:
    return {name_of(one.player): one.points[-1][1] for one in curves}


def ranks_of(told: ToldHand | None) -> set[str]:
    assert told is not None
    return {card_text(seen.card)[0] for seen in told.log.view.seats[told.seat_index].cards if seen.card is not None}


async def fold_around(evening: Evening) -> None:
    await evening.deal()
    while evening.playing():
        await evening.next_player_acts("folds")


async def test_curves_follow_every_hand_and_end_with_the_standings(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=5_000, Bo=5_000, Cy=5_000)
    for _ in range(6):
        await fold_around(evening)
    game, evening_told = await told(evening)
    assert ends(evening_told.curves) == {name_of(one.player): one.net for one in game.standings}
    assert sum(ends(evening_told.curves).values()) == 0
    for curve in evening_told.curves:
        hands = [hand for hand, _ in curve.points]
        assert hands == sorted(set(hands)) and curve.points[0] == (0, 0) and hands[-1] == 6
    for hand in range(1, 7):
        assert sum(dict(curve.points)[hand] for curve in evening_told.curves) == 0, "as at every moment"
    assert not (evening_told.hand_of_night or evening_told.best_hand or evening_told.worst_beat), "nothing was shown"


@pytest.mark.law("TC-1")
async def test_rings_stand_where_somebody_bought_in_again(evening: Evening) -> None:
    await evening.open(settings(chips=ChipKind.TABLE, starting_stack=2_000))
    await evening.ask("Ann", TakeSeat, 2_000, 1)
    await evening.ask("Bo", TakeSeat, 2_000, 2)
    await evening.deal()
    await evening.next_player_acts("is all-in", "calls")
    broke = next(name for name, chips in evening.stacks().items() if not chips)
    await evening.ask(broke, TopUp, 2_000)
    await fold_around(evening)
    game, evening_told = await told(evening)
    rings = {name_of(one.player): one.rebuys for one in evening_told.curves}
    assert rings[broke] == ((1, -2_000),) and not any(ring for name, ring in rings.items() if name != broke)
    assert ends(evening_told.curves) == {name_of(one.player): one.net for one in game.standings}


async def test_whoever_comes_back_with_what_they_took_has_bought_nothing(evening: Evening) -> None:
    await evening.open(settings(chips=ChipKind.TABLE, starting_stack=2_000))
    for seat, name in enumerate(("Ann", "Bo", "Cy"), 1):
        await evening.ask(name, TakeSeat, 2_000, seat)
    await fold_around(evening)
    taken = evening.stacks()["Cy"]
    await evening.ask("Cy", LeaveTable)
    await fold_around(evening)
    await evening.ask("Cy", TakeSeat, taken, 3)
    await fold_around(evening)
    _, evening_told = await told(evening)
    assert not any(curve.rebuys for curve in evening_told.curves)


async def test_hand_of_the_night_is_the_largest_pot_shown(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=20_000, Bo=20_000)
    await evening.deal()
    await evening.next_player_acts("raises to 3000", "calls")
    while evening.playing():
        await evening.next_player_acts("checks")
    await evening.deal()  # a larger pot, that nobody saw
    await evening.next_player_acts("raises to 5000", "calls", "bets 5000", "folds")
    _, evening_told = await told(evening)
    assert evening_told.hand_of_night is not None and evening_told.hand_of_night.log.number == 1
    assert evening_told.best_hand is not None and evening_told.best_hand.log.number == 1


async def test_best_hand_of_several_games_is_the_rarest(evening: Evening) -> None:
    """Not the best of the game in which most hands were shown: two without a pair in the hole, then three of a kind."""
    games = compose_rotation("Two", [game("limit_holdem"), game("holdem")], change=RotationChange.HANDS)
    rotation = replace(games, hands=2)
    first = rotation.games[0]
    await evening.open(
        replace(settings(), rule_card=first.rule_card, options=first.options, stakes=first.stakes, rotation=rotation)
    )
    await evening.seat(Ann=10_000, Bo=10_000)
    for fits in (has_nothing, has_nothing, has_a_set):
        choose_cards(evening, fits)
        await evening.deal()
        await evening.next_player_acts("calls", "checks")
        while evening.playing():
            await evening.next_player_acts("checks")
    _, evening_told = await told(evening)
    assert evening_told.best_hand is not None and evening_told.best_hand.log.number == 3


def has_nothing(held: list[set[str]], board: str) -> bool:
    """Whether no rank comes twice, and cards of few ranks are close together."""
    return len({*held[0], *held[1], *board}) == 9 and not {"5", "T"} & {*held[0], *held[1], *board}


def has_a_set(held: list[set[str]], board: str) -> bool:
    return any(len(one) == 1 and one <= set(board) for one in held)


async def test_worst_beat_lost_with_the_best_odds(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=5_000, Bo=5_000)
    choose_cards(evening, is_kings_beaten)
    await evening.deal()
    await evening.next_player_acts("is all-in", "calls")
    _, evening_told = await told(evening)
    assert ranks_of(evening_told.worst_beat) == {"K"} and "A" in ranks_of(evening_told.hand_of_night)
    assert evening_told.worst_beat is not None and 660 <= evening_told.worst_beat.chance <= 730

    async def nothing_told(_: AllInHand) -> None:
        return None

    snapshot = evening.snapshot
    game = snapshot.resting_game(evening.clock.now())
    assert (await evening.tables.read_evening(snapshot.address, game, nothing_told)).worst_beat is None


def is_kings_beaten(held: list[set[str]], board: str) -> bool:
    """Whether one has a pair of kings, the other an ace, and an ace comes, but no king."""
    others = [one for one in held if one != {"K"}]
    return len(others) == 1 and "A" in others[0] and not {"K"} & {*others[0], *board} and board.count("A") == 1


async def test_underdog_that_loses_has_no_beat(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=5_000, Bo=5_000)
    choose_cards(evening, lambda held, board: {"K"} in held and {"9", "2"} in held and not set("92") & set(board))
    await evening.deal()
    await evening.next_player_acts("is all-in", "calls")
    _, evening_told = await told(evening)
    assert ranks_of(evening_told.hand_of_night) == {"K"} and evening_told.worst_beat is None


async def test_closed_table_is_read_as_an_open_one(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=5_000, Bo=5_000)
    for _ in range(3):
        await fold_around(evening)
    address, before = evening.snapshot.address, await told(evening)
    await evening.ask("Ann", CloseTable)
    game = before[0]
    assert await evening.tables.read_evening(address, game, luck_of) == before[1]
    await evening.crash()
    assert await evening.tables.read_evening(address, game, luck_of) == before[1]


async def test_opened_table_is_found_by_its_request(evening: Evening) -> None:
    await evening.open()
    assert await evening.tables.last_settings(evening.table) == evening.snapshot.settings
    assert await evening.tables.last_settings(99) is None and await evening.tables.opened_by("nothing") == 0
