"""The dealer is killed in the middle of every ceremony, at each of its store calls, before and after the save.

The restarted dealer goes on where it was: all see what they saw, nobody sees more, and nothing that was acknowledged is lost. The same
request takes the ceremony to the same end as without a kill.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.choices.designations import best_designation
from bot.engine.legal import Decision
from bot.engine.mixes import BombPot, BombPotTrigger, Game, RotationChange
from bot.engine.options.types import Options
from bot.engine.options.values import Cut, FirstDealer, Misdeal, OutOfTurn, StraddleRule, Switch
from bot.engine.stakes import Stakes
from bot.engine.usual_stakes import usual_stakes
from bot.table.commands import (
    ChangeSettings,
    ChooseDealerSeat,
    ChooseGame,
    ChooseSeat,
    ClaimMisdeal,
    Consent,
    CutDeck,
    CutForFirstDeal,
    DeclineCut,
    DrawForFirstDeal,
    DrawSeats,
    ExchangeSeats,
    PledgeStraddle,
    ProposeStackAdjustment,
    ShuffleDeck,
    VoteForBombPot,
)
from bot.table.next_hand import straddle_seats
from bot.table.settings import TableSettings
from bot.table.state import StackChange
from bot.variants import compose_rotation, game
from tests.runtime.ceremony import CeremonyRun, Observation
from tests.runtime.evening import USERS

Ceremony: TypeAlias = Callable[[CeremonyRun], Awaitable[None]]
ALL = ("Ann", "Bo", "Cy")


def table(name: str = "holdem", **options: object) -> TableSettings:
    """Return a table of a game at its usual stakes."""
    card = game(name)
    chosen: Options = replace(card.options, **options)
    played = replace(card, options=chosen)
    return TableSettings(rule_card=card, options=chosen, stakes=replace(usual_stakes(played), bank_seconds=60))


# before the first deal


async def everyone_cuts_for_the_first_deal(run: CeremonyRun) -> None:
    await run.sit(table(first_dealer=FirstDealer.LOW_CUT), deal=False)
    run.begin()
    for name, position in zip(ALL, (12, 30, 45), strict=True):
        await run.ask(name, CutForFirstDeal, position)
    await run.wait_for_deal()


async def a_dealer_is_drawn_for(run: CeremonyRun) -> None:
    await run.sit(table(first_dealer=FirstDealer.JACK), deal=False)
    run.begin()
    await run.ask("Cy", DrawForFirstDeal)
    await run.wait_for_deal()


async def seats_are_drawn(run: CeremonyRun) -> None:
    await run.sit(table(), deal=False, players=4)
    run.begin()
    await run.ask("Bo", DrawForFirstDeal)
    await run.ask("Ann", ChooseSeat, 5)
    dealer = run.name_in_seat(run.evening.session.state.table.drawn_button_seat)
    if dealer != "Ann":
        await run.ask(dealer, ChooseDealerSeat, True)
    await run.ask("Dee", DrawSeats)
    await run.wait_for_deal()


# between hands


async def the_pack_is_shuffled_and_cut(run: CeremonyRun) -> None:
    await _one_hand_played(run, table(cut=Cut.MUST))
    for name in ALL:
        await run.ask(name, ShuffleDeck)
    await run.ask(run.name_in_seat(run.evening.snapshot.table.deck.cutter_seat), CutDeck, (10, 31))
    await run.wait_for_deal()


async def the_cut_is_declined_and_another_cuts(run: CeremonyRun) -> None:
    await _one_hand_played(run, table(cut=Cut.MAY))
    right = run.name_in_seat(run.evening.snapshot.table.deck.cutter_seat)
    await run.ask(right, DeclineCut)
    other = next(name for name in ALL if name != right)
    await run.ask(other, CutDeck, (5,))
    await run.wait_for_deal()


async def two_exchange_seats(run: CeremonyRun) -> None:
    await _one_hand_played(run, table())
    seats = {line.name: line.number for line in run.evening.snapshot.table.seats}
    await run.ask("Bo", ExchangeSeats, seats["Cy"])
    await run.ask("Cy", ExchangeSeats, seats["Bo"])
    await run.wait_for_deal()
    after = {line.name: line.number for line in run.evening.snapshot.table.seats}
    assert (after["Bo"], after["Cy"]) == (seats["Cy"], seats["Bo"])


async def an_adjustment_is_agreed_on(run: CeremonyRun) -> None:
    await run.sit(table(), deal=True)
    await run.evening.next_player_acts("raises to 600", "calls", "calls", "bets 100", "folds", "folds")
    before = run.evening.stacks()
    run.begin()
    winner, one, other = sorted(before, key=lambda name: -before[name])
    shifts = (StackChange(USERS[winner], -500), StackChange(USERS[one], 500))
    await run.ask(winner, ProposeStackAdjustment, shifts)
    await run.ask(one, Consent)
    await run.ask(other, Consent)
    assert run.evening.stacks() == before | {winner: before[winner] - 500, one: before[one] + 500}


async def the_laws_are_changed_by_consent(run: CeremonyRun) -> None:
    settings = table()
    await _one_hand_played(run, settings)
    await run.ask("Bo", ChangeSettings, replace(settings, ask_show=True))
    await run.ask("Ann", Consent)
    await run.ask("Cy", Consent)
    assert run.evening.snapshot.settings.ask_show


async def a_bomb_pot_is_voted(run: CeremonyRun) -> None:
    bomb = game("holdem+bomb+double_board")
    holdem = table()
    await run.sit(
        replace(holdem, bomb_pot=BombPot(Game(bomb, replace(bomb.options, max_seats=9), usual_stakes(bomb)), BombPotTrigger.VOTE),
                options=replace(holdem.options, max_seats=9)),
        deal=False,
    )  # fmt: skip
    run.begin()
    for name in ALL:
        await run.ask(name, VoteForBombPot)
    await run.wait_for_deal()
    assert len(run.evening.hand.boards) == 2


async def the_dealer_chooses_the_game(run: CeremonyRun) -> None:
    turning = compose_rotation(
        "Ours", [game("holdem"), game("omaha"), game("stud")], 100, RotationChange.DEALERS_CHOICE
    )
    first = turning.games[0]
    stakes = replace(first.stakes, turn_seconds=30, bank_seconds=60)
    await run.sit(
        TableSettings(rule_card=first.rule_card, options=first.options, stakes=stakes, rotation=turning), deal=False
    )
    run.begin()
    mixed = run.evening.snapshot.table.rotation
    assert mixed is not None
    await run.ask(run.name_in_seat(mixed.chooser_seat), ChooseGame, 2)
    await run.wait_for_deal()
    assert run.evening.snapshot.settings.rule_card.key == "stud"


async def a_live_straddle_is_pledged(run: CeremonyRun) -> None:
    await _one_hand_played(run, table(straddle=StraddleRule.LIVE))
    for number in straddle_seats(run.evening.session.state.table):
        await run.ask(run.name_in_seat(number), PledgeStraddle)
    await run.wait_for_deal()
    assert any(action.note == "straddle" for action in run.evening.hand.street_actions)


# during the hand


async def a_misdeal_is_claimed(run: CeremonyRun) -> None:
    await run.sit(table(misdeal=Misdeal.REPLAY), deal=True)
    run.begin()
    for name in ALL:
        await run.ask(name, ClaimMisdeal)
    assert set(run.evening.stacks().values()) == {10_000}
    await run.wait_for_deal()


async def after_a_misdeal_the_next_dealer_deals(run: CeremonyRun) -> None:
    await run.sit(table("jackpots", misdeal=Misdeal.NEXT_DEALER), deal=True)
    run.begin()
    for name in ALL:
        await run.ask(name, ClaimMisdeal)
    assert run.evening.snapshot.table.carried_chips
    await run.wait_for_deal()


async def straddles_are_offered_in_a_chain(run: CeremonyRun) -> None:
    await run.sit(
        replace(table("old_english"), stakes=Stakes(ante=10, limit=200, turn_seconds=30)), deal=True, players=4
    )
    run.begin()
    assert _current_decision(run) is Decision.STRADDLE
    await run.acts(c.Accept(), c.TakeStraddle(), c.Decline())
    assert _current_decision(run) is Decision.BET


async def cards_are_drawn_while_others_wait(run: CeremonyRun) -> None:
    await run.sit(table("five_card_draw"), deal=True)
    await _play_up_to(run, Decision.DRAW)
    for count in (2, 0, 3):
        name = run.evening.to_act
        await run.ask(name, c.ChooseCards(tuple(run.down_card_indices(name)[:count])))
    assert _current_decision(run) is Decision.BET


async def stakes_are_evened_and_cards_drawn_in_turn(run: CeremonyRun) -> None:
    await run.sit(replace(table("old_english"), stakes=Stakes(ante=10, limit=200, turn_seconds=30)), deal=True)
    run.begin()
    await run.acts(c.Decline(), c.RaiseTo(20), c.RaiseTo(60), c.Call())
    for _ in range(4):
        name = run.evening.to_act
        draws = _current_decision(run) is Decision.DRAW
        await run.ask(name, c.ChooseCards(tuple(run.down_card_indices(name)[:1])) if draws else c.Call())


async def cards_are_passed_discarded_arranged_and_declared(run: CeremonyRun) -> None:
    await run.sit(table("anaconda_hilo"), deal=True)
    await run.evening.next_player_acts("bets 50", "calls", "calls")
    run.begin()
    for decision in (Decision.PASS_CARDS, Decision.GIVE_UP, Decision.ARRANGE, Decision.DECLARE):
        while _current_decision(run) is not decision:
            await run.acts(_passive_command(run))
        for name in run.awaited_players:
            may = run.evening.view(name).legal
            assert may is not None
            word = may.declarable_words[ALL.index(name) % len(may.declarable_words)] if may.declarable_words else ""
            await run.ask(
                name,
                c.Declare(word)
                if word
                else c.ChooseCards(tuple(reversed(run.down_card_indices(name)[: may.max_cards]))),
            )
    assert not run.evening.playing()


async def all_declare_in_or_out(run: CeremonyRun) -> None:
    await run.sit(table("guts"), deal=True)
    run.begin()
    for name, word in zip(("Cy", "Ann", "Bo"), ("in", "out", "in"), strict=True):
        await run.ask(name, c.Declare(word))
    await run.wait_for_deal()


async def the_board_is_run_twice(run: CeremonyRun) -> None:
    await run.sit(replace(table(), options=replace(table().options, run_twice=Switch.ON)), deal=True)
    run.begin()
    await run.acts(c.AllIn(), c.Fold(), c.Call())
    for name in run.awaited_players:
        await run.ask(name, c.Accept())
    assert run.evening.snapshot.hand is None or len(run.evening.hand.boards) == 2


async def a_price_is_asked_and_paid(run: CeremonyRun) -> None:
    await run.sit(table("baseball"), deal=True)
    await _play_up_to(run, Decision.OFFER)
    await run.acts(c.Accept())
    await run.acts(_passive_command(run))


async def cards_are_turned_up_or_not(run: CeremonyRun) -> None:
    await run.sit(table("mexican_stud"), deal=True)
    await _play_up_to(run, Decision.OFFER)
    await run.acts(c.Accept(), c.Decline(), c.Accept())


async def wild_cards_are_designated_at_the_show(run: CeremonyRun) -> None:
    await run.sit(table("stud+deuces_wild+tens_wild+strict"), deal=True)
    await _play_up_to(run, Decision.SHOW)
    said = 0
    while run.evening.playing():
        own = run.evening.view(run.evening.to_act)
        assert own.legal is not None
        said += 1
        await run.acts(c.Show(best_designation(own, own.legal)))
    assert said


async def chips_put_in_early_wait_for_their_turn(run: CeremonyRun) -> None:
    await run.sit(table(out_of_turn=OutOfTurn.HOLD), deal=True)
    run.begin()
    first = run.evening.to_act
    early = next(name for name in ALL if name != first)
    await run.ask(early, c.RaiseTo(600))
    await run.ask(first, c.Fold())


CEREMONIES: tuple[Ceremony, ...] = (
    everyone_cuts_for_the_first_deal, a_dealer_is_drawn_for, seats_are_drawn, the_pack_is_shuffled_and_cut,
    the_cut_is_declined_and_another_cuts, two_exchange_seats, an_adjustment_is_agreed_on, the_laws_are_changed_by_consent,
    a_bomb_pot_is_voted, the_dealer_chooses_the_game, a_live_straddle_is_pledged, a_misdeal_is_claimed,
    after_a_misdeal_the_next_dealer_deals, straddles_are_offered_in_a_chain, cards_are_drawn_while_others_wait,
    stakes_are_evened_and_cards_drawn_in_turn, cards_are_passed_discarded_arranged_and_declared, all_declare_in_or_out,
    the_board_is_run_twice, a_price_is_asked_and_paid, cards_are_turned_up_or_not, wild_cards_are_designated_at_the_show,
    chips_put_in_early_wait_for_their_turn,
)  # fmt: skip


async def _run_ceremony(ceremony: Ceremony, folder: Path, dies_at: int = 0, *, saved: bool = False) -> CeremonyRun:
    folder.mkdir()
    run = CeremonyRun(folder, dies_at, saved=saved)
    try:
        await ceremony(run)
        assert run.deaths == (dies_at > 0)
        await run.evening.audit()
    finally:
        await run.evening.end()
    return run


@pytest.mark.parametrize("ceremony", CEREMONIES, ids=lambda ceremony: ceremony.__name__)
async def test_ceremony_resumes_after_crash_midway(tmp_path: Path, ceremony: Ceremony) -> None:
    """The dealer is killed at a few of the store calls, by turns before and after the save."""
    calls, seen = await _run_uninterrupted(ceremony, tmp_path)
    for at in range(1, calls + 1, max(1, calls // 3)):
        killed = await _run_ceremony(ceremony, tmp_path / f"{at}", at, saved=at % 2 == 0)
        assert killed.observations == seen, f"killed at store call {at}"


@pytest.mark.full
@pytest.mark.parametrize("ceremony", CEREMONIES, ids=lambda ceremony: ceremony.__name__)
async def test_ceremony_resumes_after_crash_at_any_store_call(tmp_path: Path, ceremony: Ceremony) -> None:
    calls, seen = await _run_uninterrupted(ceremony, tmp_path)
    for at in range(1, calls + 1):
        for saved in (False, True):
            killed = await _run_ceremony(ceremony, tmp_path / f"{at}{saved}", at, saved=saved)
            assert killed.observations == seen, f"killed at store call {at}"


async def _run_uninterrupted(ceremony: Ceremony, folder: Path) -> tuple[int, list[Observation]]:
    """Run the ceremony without a kill. Returns the number of its store calls and what was seen after each step."""
    whole = await _run_ceremony(ceremony, folder / "whole")
    assert whole.calls >= len(whole.observations) - 1, "every step was saved"
    return whole.calls, whole.observations


# parts of the ceremonies


async def _one_hand_played(run: CeremonyRun, settings: TableSettings) -> None:
    """Play the first hand; the dealer is not killed in it."""
    await run.sit(settings, deal=True)
    while run.evening.playing():
        await run.evening.ask(run.evening.to_act, c.Fold())
    run.begin()


def _current_decision(run: CeremonyRun) -> Decision:
    may = run.evening.hand.legal_to_act
    return may.decision if may is not None and run.evening.playing() else Decision.NONE


async def _play_up_to(run: CeremonyRun, decision: Decision) -> None:
    """Check or call, and stay in, until this is asked. The ceremony begins there."""
    for _ in range(60):
        if _current_decision(run) is decision:
            run.begin()
            return
        await run.evening.ask(run.evening.to_act, _passive_command(run))
    raise AssertionError(f"nobody is asked to {decision}")


def _passive_command(run: CeremonyRun) -> c.HandCommand:
    may = run.evening.view(run.evening.to_act).legal
    assert may is not None
    if may.decision is Decision.OFFER:
        return c.Accept()
    if may.check:
        return c.Check()
    return c.Call() if may.call_chips else c.Bet(may.bring_in or may.min_to)
