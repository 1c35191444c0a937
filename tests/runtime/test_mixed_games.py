"""Mixed tables, dealer's choice, bomb pots and carried pots go through the runtime and across a restart."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.mixes import BombPot, BombPotTrigger, Game, RotationChange
from bot.engine.stakes import Stakes
from bot.engine.usual_stakes import usual_stakes
from bot.players.practice import PracticePlayers
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.mixed_table_settings import with_bomb_pot
from bot.table import refusals
from bot.table.commands import ChangeSettings, ChooseGame, Consent, StartHand, TakeSeat, VoteForBombPot
from bot.table.settings import TableSettings
from bot.variants import compose_rotation, game, mix_rotation
from bot.variants.mixes import HORSE
from tests.runtime.evening import Evening, name_of, settings
from tests.runtime.manual_clock import SECOND


def mixed(*words: str, update: RotationChange = RotationChange.LAP, **more: object) -> TableSettings:
    """Return a table of several games."""
    turning = (
        compose_rotation("Ours", [game(word) for word in words], 100, update) if words else mix_rotation(HORSE, 100)
    )
    first = turning.games[0]
    stakes = replace(first.stakes, turn_seconds=30, bank_seconds=60)
    return TableSettings(
        rule_card=first.rule_card, options=first.options, stakes=stakes, rotation=replace(turning, **more)
    )


async def fold_out(evening: Evening) -> None:
    """End the running hand at once: everybody who is asked folds."""
    while evening.playing():
        name = evening.to_act
        view = evening.view(name)
        assert view.legal is not None
        if view.legal.fold:
            await evening.ask(name, c.Fold())
        else:
            await evening.ask(name, c.Bet(view.legal.bring_in))


def bomb_now(evening: Evening) -> bool:
    return evening.snapshot.table.bomb_pot


async def games_of(evening: Evening, hands: int) -> list[str]:
    names = []
    for _ in range(hands):
        await evening.deal()
        names.append(evening.snapshot.settings.rule_card.key)
        await fold_out(evening)
    return names


@pytest.mark.law("VC-28")
async def test_horse_changes_game_after_each_lap_across_restarts(evening: Evening) -> None:
    await evening.open(mixed())
    await evening.seat(Ann=10_000, Bo=10_000)
    played = await games_of(evening, 3)
    await evening.crash(1 * SECOND)
    played += await games_of(evening, 3)
    assert played == ["limit_holdem", "limit_holdem", "limit_omaha8", "limit_omaha8", "razz", "razz"]
    await evening.audit()


@pytest.mark.law("VC-28")
async def test_table_changes_games_after_set_hands_or_minutes(evening: Evening) -> None:
    await evening.open(mixed("holdem", "omaha", update=RotationChange.HANDS, hands=1))
    await evening.seat(Ann=10_000, Bo=10_000)
    assert await games_of(evening, 3) == ["holdem", "omaha", "holdem"]
    await evening.ask("Ann", ChangeSettings, mixed("holdem", "omaha", update=RotationChange.TIME, minutes=1))
    await evening.ask("Bo", Consent)
    await evening.wait(25)  # of the pause in which the players are called to the new game
    assert await games_of(evening, 1) == ["holdem"]
    await evening.deal()
    await evening.wait(55)  # it does not change during a hand
    assert evening.snapshot.settings.rule_card.key == "holdem"
    await fold_out(evening)
    assert await games_of(evening, 1) == ["omaha"]
    await evening.audit()


@pytest.mark.law("VC-28", "TL-41")
async def test_the_dealer_chooses_in_time_or_the_default_is_dealt(evening: Evening) -> None:
    await evening.open(
        mixed("holdem", "omaha", "stud", update=RotationChange.DEALERS_CHOICE, default_game_index=1, choice_seconds=20)
    )
    await evening.seat(Ann=10_000, Bo=10_000)
    at = evening.snapshot.table.rotation
    assert at is not None and at.chooser_seat
    chooser = name_of(next(line.player for line in evening.snapshot.table.seats if line.number == at.chooser_seat))
    other = "Bo" if chooser == "Ann" else "Ann"
    with pytest.raises(refusals.NotYourGameChoice):
        await evening.ask(other, ChooseGame, 2)
    with pytest.raises(refusals.InvalidGameChoice):
        await evening.ask(chooser, ChooseGame, 3)
    await evening.crash(1 * SECOND)
    await evening.ask(chooser, ChooseGame, 2)
    await evening.deal()
    assert evening.snapshot.settings.rule_card.key == "stud"
    await fold_out(evening)
    at = evening.snapshot.table.rotation
    assert at is not None and at.choice_due_at, "the marker has moved on and somebody is asked"
    await evening.crash(1 * SECOND)
    assert evening.snapshot.table.rotation == at
    await evening.wait(25)
    assert evening.snapshot.settings.rule_card.key == "omaha"
    assert evening.snapshot.hand_number == 2
    await evening.audit()


@pytest.mark.law("VC-28")
async def test_nobody_deals_while_the_dealer_has_time_to_choose(evening: Evening) -> None:
    chosen = mixed("holdem", "omaha", update=RotationChange.DEALERS_CHOICE, choice_seconds=20)
    await evening.open(replace(chosen, auto_start=False))
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.ask("Bo", StartHand)
    await evening.wait(10)
    assert not evening.playing()
    await evening.wait(11)
    assert evening.playing()


@pytest.mark.law("VC-29")
async def test_bomb_pot_is_dealt_once_everybody_votes_for_it(evening: Evening) -> None:
    card = game("holdem+bomb+double_board")
    table = mixed("holdem", "omaha")
    bomb = BombPot(Game(card, card.options, usual_stakes(card, 100)), BombPotTrigger.VOTE)
    await evening.open(replace(table, rotation=None, bomb_pot=bomb))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    assert not bomb_now(evening)
    await evening.ask("Ann", VoteForBombPot)
    await evening.ask("Bo", VoteForBombPot)
    await fold_out(evening)
    await evening.crash(1 * SECOND)
    await evening.ask("Cy", VoteForBombPot)
    assert bomb_now(evening)
    await evening.deal()
    assert evening.hand.street == "flop" and len(evening.hand.boards) == 2 and evening.hand.pot == 300
    await evening.crash(1 * SECOND)
    assert bomb_now(evening) and evening.hand.pot == 300
    await fold_out(evening)
    await evening.deal()
    assert not bomb_now(evening) and evening.hand.street == "pre-flop"
    await evening.audit()


@pytest.mark.law("VC-29")
@pytest.mark.parametrize(("big_blind", "ante"), [(100, 100), (5, 6)])
def test_ante_of_a_bomb_pot_is_an_even_big_blind(big_blind: int, ante: int) -> None:
    table = with_bomb_pot(settings(blinds=(big_blind // 2, big_blind)), game("holdem+bomb"))
    assert table.bomb_pot is not None and table.bomb_pot.game.stakes.ante == ante
    assert with_bomb_pot(table, None).bomb_pot is None


@pytest.mark.law("VC-20", "N-1")
async def test_unopened_pot_carries_over_and_same_dealer_deals_again(evening: Evening) -> None:
    card = game("jackpots")
    stakes = Stakes(ante=100, limit=400, turn_seconds=30, bank_seconds=60)
    await evening.open(TableSettings(rule_card=card, options=card.options, stakes=stakes))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    button, openers = evening.snapshot.table.button_seat, evening.snapshot.table.required_openers
    await evening.next_player_acts("checks", "checks", "checks")
    assert evening.snapshot.table.carried_chips == 300
    assert evening.snapshot.table.required_openers == openers + 1
    await evening.crash(1 * SECOND)
    assert (evening.snapshot.table.carried_chips, evening.snapshot.table.required_openers) == (300, openers + 1)
    await evening.deal()
    same = card.options.passed_out.value == "same_dealer_reante"
    assert (evening.snapshot.table.button_seat == button) is same
    assert evening.hand.pot == 600
    await evening.audit()


@pytest.mark.law("VC-28")
async def test_practice_players_choose_games_too(tmp_path: Path) -> None:
    """Nobody waits for them, and they do not always choose the default game."""
    evening = await Evening(tmp_path, policies=PracticePlayers()).begin()
    chosen = mixed("holdem", "omaha", "stud", "razz", update=RotationChange.DEALERS_CHOICE, choice_seconds=20)
    await evening.open(replace(chosen, practice=True))
    await evening.ask("Ann", TakeSeat, 10_000, 1)
    await evening.ask("Ann", SeatPracticePlayers(3))
    games = set()
    for _ in range(12):
        rotation = evening.snapshot.table.rotation
        assert rotation is not None
        if not rotation.choice_due_at:  # a practice player has chosen
            games.add(evening.snapshot.settings.rule_card.key)
        await evening.wait(21)
        while evening.playing():
            legal = evening.view("Ann").legal
            if legal is None or not (legal.fold or legal.check or legal.bring_in):
                await evening.wait(1)
            elif legal.fold:
                await evening.ask("Ann", c.Fold())
            else:
                await evening.ask("Ann", c.Check() if legal.check else c.Bet(legal.bring_in))
    assert len(games) > 1
    await evening.end()
