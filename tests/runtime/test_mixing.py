"""Mixed tables, dealer's choice, bomb pots and pots that wait, through the runtime and across a restart."""

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.mixes import Bomb, BombWhen, Change, Game
from bot.engine.stakes import Stakes
from bot.engine.usual import usual_stakes
from bot.table import errors
from bot.table.settings import TableSettings
from bot.variants import compose, game, rotation
from bot.variants.mixes import HORSE
from tests.runtime.evening import Evening, name_of
from tests.runtime.hour import SECOND


def mixed(*words: str, change: Change = Change.LAP, **more: object) -> TableSettings:
    """A table of several games."""
    turning = compose("Ours", [game(word) for word in words], 100, change) if words else rotation(HORSE, 100)
    first = turning.games[0]
    stakes = replace(first.stakes, turn_seconds=30, bank_seconds=60)
    return TableSettings(card=first.card, options=first.options, stakes=stakes, rotation=replace(turning, **more))


async def fold_out(evening: Evening) -> None:
    """The running hand ends at once: whoever is asked gives up."""
    while evening.playing():
        name = evening.to_act
        view = evening.tables.peek(evening.asked(name))
        assert view.legal is not None
        if view.legal.fold:
            await evening.act(name, c.Fold())
        else:
            await evening.act(name, c.Bet(view.legal.bring_in))


def bomb_now(evening: Evening) -> bool:
    return evening.now.table.bomb


async def games_of(evening: Evening, hands: int) -> list[str]:
    names = []
    for _ in range(hands):
        await evening.deal()
        names.append(evening.now.settings.card.key)
        await fold_out(evening)
    return names


@pytest.mark.law("VC-28")
async def test_horse_goes_on_to_the_next_game_after_a_lap_also_over_restarts(evening: Evening) -> None:
    await evening.open(mixed())
    await evening.seat(Ann=10_000, Bo=10_000)
    played = await games_of(evening, 3)
    await evening.crash(1 * SECOND)
    played += await games_of(evening, 3)
    assert played == ["limit_holdem", "limit_holdem", "limit_omaha8", "limit_omaha8", "razz", "razz"]
    await evening.audit()


@pytest.mark.law("VC-28")
async def test_a_table_changes_games_after_so_many_deals_or_minutes(evening: Evening) -> None:
    await evening.open(mixed("holdem", "omaha", change=Change.DEALS, deals=1))
    await evening.seat(Ann=10_000, Bo=10_000)
    assert await games_of(evening, 3) == ["holdem", "omaha", "holdem"]
    await evening.tables.change_settings(evening.asked("Ann"), mixed("holdem", "omaha", change=Change.TIME, minutes=1))
    await evening.tables.consent(evening.asked("Bo"))
    assert await games_of(evening, 1) == ["holdem"]
    await evening.deal()
    await evening.wait(55)  # it does not change during a deal
    assert evening.now.settings.card.key == "holdem"
    await fold_out(evening)
    assert await games_of(evening, 1) == ["omaha"]
    await evening.audit()


@pytest.mark.law("VC-28", "TL-41")
async def test_the_dealer_chooses_in_time_or_the_default_is_dealt(evening: Evening) -> None:
    await evening.open(mixed("holdem", "omaha", "stud", change=Change.CHOICE, default=1, choice_seconds=20))
    await evening.seat(Ann=10_000, Bo=10_000)
    at = evening.now.table.mixed
    assert at is not None and at.chooser
    chooser = name_of(next(line.player for line in evening.now.table.seats if line.number == at.chooser))
    other = "Bo" if chooser == "Ann" else "Ann"
    with pytest.raises(errors.NotYourChoice):
        await evening.tables.choose_game(evening.asked(other), 2)
    with pytest.raises(errors.ChooseOneOf):
        await evening.tables.choose_game(evening.asked(chooser), 3)
    await evening.crash(1 * SECOND)
    await evening.tables.choose_game(evening.asked(chooser), 2)
    await evening.deal()
    assert evening.now.settings.card.key == "stud"
    await fold_out(evening)
    at = evening.now.table.mixed
    assert at is not None and at.due, "the marker has moved on and somebody is asked"
    await evening.crash(1 * SECOND)
    assert evening.now.table.mixed == at
    await evening.wait(25)
    assert evening.now.settings.card.key == "omaha"
    assert evening.now.hand_number == 2
    await evening.audit()


@pytest.mark.law("VC-28")
async def test_nobody_deals_while_the_dealer_has_time_to_choose(evening: Evening) -> None:
    chosen = mixed("holdem", "omaha", change=Change.CHOICE, choice_seconds=20)
    await evening.open(replace(chosen, auto_start=False))
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.tables.start_hand(evening.asked("Bo"))
    await evening.wait(10)
    assert not evening.playing()
    await evening.wait(11)
    assert evening.playing()


@pytest.mark.law("VC-29")
async def test_a_bomb_pot_is_dealt_once_everybody_has_asked_for_one(evening: Evening) -> None:
    card = game("holdem+bomb+double_board")
    table = mixed("holdem", "omaha")
    bomb = Bomb(Game(card, card.options, usual_stakes(card, 100)), BombWhen.VOTE)
    await evening.open(replace(table, rotation=None, bomb=bomb))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    assert not bomb_now(evening)
    await evening.tables.vote_bomb(evening.asked("Ann"))
    await evening.tables.vote_bomb(evening.asked("Bo"))
    await fold_out(evening)
    await evening.crash(1 * SECOND)
    await evening.tables.vote_bomb(evening.asked("Cy"))
    assert bomb_now(evening)
    await evening.deal()
    assert evening.hand.street == "flop" and len(evening.hand.boards) == 2 and evening.hand.pot == 300
    await evening.crash(1 * SECOND)
    assert bomb_now(evening) and evening.hand.pot == 300
    await fold_out(evening)
    await evening.deal()
    assert not bomb_now(evening) and evening.hand.street == "pre-flop"
    await evening.audit()


@pytest.mark.law("VC-20", "N-1")
async def test_a_pot_that_nobody_could_open_waits_and_the_same_dealer_deals_on(evening: Evening) -> None:
    card = game("jackpots")
    stakes = Stakes(ante=100, limit=400, turn_seconds=30, bank_seconds=60)
    await evening.open(TableSettings(card=card, options=card.options, stakes=stakes))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    button, openers = evening.now.table.button, evening.now.table.openers
    await evening.goes("checks", "checks", "checks")
    assert evening.now.table.carried == 300
    assert evening.now.table.openers == openers + 1
    await evening.crash(1 * SECOND)
    assert (evening.now.table.carried, evening.now.table.openers) == (300, openers + 1)
    await evening.deal()
    same = card.options.passed_out.value == "same_dealer_reante"
    assert (evening.now.table.button == button) is same
    assert evening.hand.pot == 600
    await evening.audit()
