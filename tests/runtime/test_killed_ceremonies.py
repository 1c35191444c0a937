"""The dealer dies in the middle of every ceremony, at each of its store calls, before and after the save.

He comes back to where it was: all see what they saw, nobody sees more, nothing that was acknowledged is lost, and asking the same again
takes the ceremony to the very end that it has without a death.

Source: design §3 "Save, then remember, then show", §4.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.designating import best_designation
from bot.engine.legal import Decision
from bot.engine.mixes import Bomb, BombWhen, Change, Game
from bot.engine.options import Cut, FirstDealer, Misdeal, Options, OutOfTurn, Straddle
from bot.engine.stakes import Stakes
from bot.engine.usual import usual_stakes
from bot.runtime.asked import Asked
from bot.runtime.tables import Tables
from bot.table.deal import straddle_seats
from bot.table.settings import TableSettings
from bot.table.state import ChipShift
from bot.variants import compose, game
from tests.runtime.ceremony import Seen, Telling
from tests.runtime.evening import USERS

Ceremony: TypeAlias = Callable[[Telling], Awaitable[None]]
ALL = ("Ann", "Bo", "Cy")


def table(name: str = "holdem", **options: object) -> TableSettings:
    """A table of a game at its usual stakes."""
    card = game(name)
    chosen: Options = replace(card.options, **options)
    played = replace(card, options=chosen)
    return TableSettings(card=card, options=chosen, stakes=replace(usual_stakes(played), bank_seconds=60))


# before the first deal


async def everyone_cuts_for_the_first_deal(told: Telling) -> None:
    await told.sit(table(first_dealer=FirstDealer.LOW_CUT), deal=False)
    told.begin()
    for name, position in zip(ALL, (12, 30, 45), strict=True):
        await told.ask(name, partial(_cut_for_deal, position))
    await told.dealt()


async def a_dealer_is_drawn_for(told: Telling) -> None:
    await told.sit(table(first_dealer=FirstDealer.JACK), deal=False)
    told.begin()
    await told.ask("Cy", lambda tables, asked: tables.draw_for_deal(asked))
    await told.dealt()


async def seats_are_drawn(told: Telling) -> None:
    await told.sit(table(), deal=False, players=4)
    told.begin()
    await told.ask("Bo", lambda tables, asked: tables.draw_for_deal(asked))
    await told.ask("Ann", lambda tables, asked: tables.choose_seat(asked, 5))
    dealer = told.at(told.evening.session.standing.table.drawn_button)
    if dealer != "Ann":
        await told.ask(dealer, lambda tables, asked: tables.choose_place(asked, left=True))
    await told.ask("Dee", lambda tables, asked: tables.draw_seats(asked))
    await told.dealt()


# between deals


async def the_pack_is_shuffled_and_cut(told: Telling) -> None:
    await _one_hand_played(told, table(cut=Cut.MUST))
    for name in ALL:
        await told.ask(name, lambda tables, asked: tables.shuffle(asked))
    await told.ask(told.at(told.evening.now.table.pack.cutter), lambda tables, asked: tables.cut_pack(asked, (10, 31)))
    await told.dealt()


async def the_cut_is_declined_and_another_cuts(told: Telling) -> None:
    await _one_hand_played(told, table(cut=Cut.MAY))
    right = told.at(told.evening.now.table.pack.cutter)
    await told.ask(right, lambda tables, asked: tables.decline_cut(asked))
    other = next(name for name in ALL if name != right)
    await told.ask(other, lambda tables, asked: tables.cut_pack(asked, (5,)))
    await told.dealt()


async def two_exchange_seats(told: Telling) -> None:
    await _one_hand_played(told, table())
    seats = {line.name: line.number for line in told.evening.now.table.seats}
    await told.ask("Bo", lambda tables, asked: tables.exchange(asked, seats["Cy"]))
    await told.ask("Cy", lambda tables, asked: tables.exchange(asked, seats["Bo"]))
    await told.dealt()
    after = {line.name: line.number for line in told.evening.now.table.seats}
    assert (after["Bo"], after["Cy"]) == (seats["Cy"], seats["Bo"])


async def an_adjustment_is_agreed_on(told: Telling) -> None:
    await told.sit(table(), deal=False)
    told.begin()
    shifts = (ChipShift(USERS["Ann"], -500), ChipShift(USERS["Bo"], 500))
    await told.ask("Ann", lambda tables, asked: tables.adjust(asked, shifts))
    await told.ask("Bo", lambda tables, asked: tables.consent(asked))
    await told.ask("Cy", lambda tables, asked: tables.consent(asked))
    assert told.evening.stacks() == {"Ann": 9_500, "Bo": 10_500, "Cy": 10_000}


async def the_laws_are_changed_by_consent(told: Telling) -> None:
    settings = table()
    await _one_hand_played(told, settings)
    await told.ask("Bo", lambda tables, asked: tables.change_settings(asked, replace(settings, ask_show=True)))
    await told.ask("Ann", lambda tables, asked: tables.consent(asked))
    await told.ask("Cy", lambda tables, asked: tables.consent(asked))
    assert told.evening.now.settings.ask_show


async def a_bomb_pot_is_voted(told: Telling) -> None:
    bomb = game("holdem+bomb+double_board")
    holdem = table()
    await told.sit(
        replace(holdem, bomb=Bomb(Game(bomb, replace(bomb.options, max_seats=9), usual_stakes(bomb)), BombWhen.VOTE),
                options=replace(holdem.options, max_seats=9)),
        deal=False,
    )  # fmt: skip
    told.begin()
    for name in ALL:
        await told.ask(name, lambda tables, asked: tables.vote_bomb(asked))
    await told.dealt()
    assert len(told.evening.hand.boards) == 2


async def the_dealer_chooses_the_game(told: Telling) -> None:
    turning = compose("Ours", [game("holdem"), game("omaha"), game("stud")], 100, Change.CHOICE)
    first = turning.games[0]
    stakes = replace(first.stakes, turn_seconds=30, bank_seconds=60)
    await told.sit(TableSettings(card=first.card, options=first.options, stakes=stakes, rotation=turning), deal=False)
    told.begin()
    mixed = told.evening.now.table.mixed
    assert mixed is not None
    await told.ask(told.at(mixed.chooser), lambda tables, asked: tables.choose_game(asked, 2))
    await told.dealt()
    assert told.evening.now.settings.card.key == "stud"


async def a_live_straddle_is_pledged(told: Telling) -> None:
    await _one_hand_played(told, table(straddle=Straddle.LIVE))
    for number in straddle_seats(told.evening.session.standing.table):
        await told.ask(told.at(number), lambda tables, asked: tables.straddle(asked))
    await told.dealt()
    assert any(action.note == "straddle" for action in told.evening.hand.actions)


# during the deal


async def a_misdeal_is_claimed(told: Telling) -> None:
    await told.sit(table(misdeal=Misdeal.REPLAY), deal=True)
    told.begin()
    for name in ALL:
        await told.ask(name, lambda tables, asked: tables.claim_misdeal(asked))
    assert set(told.evening.stacks().values()) == {10_000}
    await told.dealt()


async def after_a_misdeal_the_next_dealer_deals(told: Telling) -> None:
    await told.sit(table("jackpots", misdeal=Misdeal.NEXT_DEALER), deal=True)
    told.begin()
    for name in ALL:
        await told.ask(name, lambda tables, asked: tables.claim_misdeal(asked))
    assert told.evening.now.table.carried
    await told.dealt()


async def straddles_are_offered_in_a_chain(told: Telling) -> None:
    await told.sit(
        replace(table("old_english"), stakes=Stakes(ante=10, limit=200, turn_seconds=30)), deal=True, players=4
    )
    told.begin()
    assert _asked(told) is Decision.STRADDLE
    await told.acts(c.Accept(), c.Straddle(), c.Decline())
    assert _asked(told) is Decision.BET


async def cards_are_drawn_while_others_wait(told: Telling) -> None:
    await told.sit(table("five_card_draw"), deal=True)
    await _up_to(told, Decision.DRAW)
    for count in (2, 0, 3):
        name = told.evening.to_act
        await told.act(name, c.Discard(tuple(told.held(name)[:count])))
    assert _asked(told) is Decision.BET


async def stakes_are_evened_and_cards_drawn_in_turn(told: Telling) -> None:
    await told.sit(replace(table("old_english"), stakes=Stakes(ante=10, limit=200, turn_seconds=30)), deal=True)
    told.begin()
    await told.acts(c.Decline(), c.RaiseTo(20), c.RaiseTo(60), c.Call())
    for _ in range(4):
        name = told.evening.to_act
        draws = _asked(told) is Decision.DRAW
        await told.act(name, c.Discard(tuple(told.held(name)[:1])) if draws else c.Call())


async def cards_are_passed_dropped_arranged_and_declared(told: Telling) -> None:
    await told.sit(table("anaconda_hilo"), deal=True)
    await told.evening.goes("bets 50", "calls", "calls")
    told.begin()
    for decision in (Decision.PASS, Decision.DROP, Decision.ARRANGE, Decision.DECLARE):
        while _asked(told) is not decision:
            await told.acts(_quiet(told))
        for name in told.awaited:
            may = told.view(name).legal
            assert may is not None
            word = may.words[ALL.index(name) % len(may.words)] if may.words else ""
            await told.act(name, c.Declare(word) if word else c.Discard(tuple(reversed(told.held(name)[: may.most]))))
    assert not told.evening.playing()


async def all_declare_in_or_out(told: Telling) -> None:
    await told.sit(table("guts"), deal=True)
    told.begin()
    for name, word in zip(("Cy", "Ann", "Bo"), ("in", "out", "in"), strict=True):
        await told.act(name, c.Declare(word))
    await told.dealt()


async def the_board_is_run_twice(told: Telling) -> None:
    await told.sit(replace(table(), ask_run_twice=True), deal=True)
    told.begin()
    await told.acts(c.AllIn(), c.Fold(), c.Call())
    for name in told.awaited:
        await told.act(name, c.Accept())
    assert told.evening.now.hand is None or len(told.evening.hand.boards) == 2


async def a_price_is_asked_and_paid(told: Telling) -> None:
    await told.sit(table("baseball"), deal=True)
    await _up_to(told, Decision.OFFER)
    await told.acts(c.Accept())
    await told.acts(_quiet(told))


async def cards_are_turned_up_or_not(told: Telling) -> None:
    await told.sit(table("mexican_stud"), deal=True)
    await _up_to(told, Decision.OFFER)
    await told.acts(c.Accept(), c.Decline(), c.Accept())


async def wild_cards_are_designated_at_the_show(told: Telling) -> None:
    await told.sit(table("stud+deuces_wild+tens_wild+strict"), deal=True)
    await _up_to(told, Decision.SHOW)
    said = 0
    while told.evening.playing():
        own = told.view(told.evening.to_act)
        assert own.legal is not None
        said += 1
        await told.acts(c.Show(best_designation(own, own.legal)))
    assert said


async def chips_put_in_early_wait_for_their_turn(told: Telling) -> None:
    await told.sit(table(out_of_turn=OutOfTurn.HOLD), deal=True)
    told.begin()
    first = told.evening.to_act
    early = next(name for name in ALL if name != first)
    await told.act(early, c.RaiseTo(600))
    await told.act(first, c.Fold())


CEREMONIES: tuple[Ceremony, ...] = (
    everyone_cuts_for_the_first_deal, a_dealer_is_drawn_for, seats_are_drawn, the_pack_is_shuffled_and_cut,
    the_cut_is_declined_and_another_cuts, two_exchange_seats, an_adjustment_is_agreed_on, the_laws_are_changed_by_consent,
    a_bomb_pot_is_voted, the_dealer_chooses_the_game, a_live_straddle_is_pledged, a_misdeal_is_claimed,
    after_a_misdeal_the_next_dealer_deals, straddles_are_offered_in_a_chain, cards_are_drawn_while_others_wait,
    stakes_are_evened_and_cards_drawn_in_turn, cards_are_passed_dropped_arranged_and_declared, all_declare_in_or_out,
    the_board_is_run_twice, a_price_is_asked_and_paid, cards_are_turned_up_or_not, wild_cards_are_designated_at_the_show,
    chips_put_in_early_wait_for_their_turn,
)  # fmt: skip


async def _told(ceremony: Ceremony, folder: Path, dies_at: int = 0, *, saved: bool = False) -> Telling:
    folder.mkdir()
    told = Telling(folder, dies_at, saved=saved)
    try:
        await ceremony(told)
        assert told.deaths == (dies_at > 0)
        await told.evening.audit()
    finally:
        await told.evening.end()
    return told


@pytest.mark.parametrize("ceremony", CEREMONIES, ids=lambda ceremony: ceremony.__name__)
async def test_a_dealer_who_dies_in_the_middle_of_a_ceremony_goes_on_with_it(
    tmp_path: Path, ceremony: Ceremony
) -> None:
    """A few of its store calls, before and after the save by turns."""
    calls, seen = await _whole(ceremony, tmp_path)
    for at in range(1, calls + 1, max(1, calls // 3)):
        killed = await _told(ceremony, tmp_path / f"{at}", at, saved=at % 2 == 0)
        assert killed.seen == seen, f"killed at store call {at}"


@pytest.mark.full
@pytest.mark.parametrize("ceremony", CEREMONIES, ids=lambda ceremony: ceremony.__name__)
async def test_a_dealer_who_dies_at_any_store_call_of_a_ceremony_goes_on_with_it(
    tmp_path: Path, ceremony: Ceremony
) -> None:
    calls, seen = await _whole(ceremony, tmp_path)
    for at in range(1, calls + 1):
        for saved in (False, True):
            killed = await _told(ceremony, tmp_path / f"{at}{saved}", at, saved=saved)
            assert killed.seen == seen, f"killed at store call {at}"


async def _whole(ceremony: Ceremony, folder: Path) -> tuple[int, list[Seen]]:
    """Tell it without a death: how many store calls it takes, and what was seen after each step."""
    whole = await _told(ceremony, folder / "whole")
    assert whole.calls >= len(whole.seen) - 1, "every step was saved"
    return whole.calls, whole.seen


# parts of the ceremonies


async def _cut_for_deal(position: int, tables: Tables, asked: Asked) -> object:
    return await tables.cut_for_deal(asked, position)


async def _one_hand_played(told: Telling, settings: TableSettings) -> None:
    """The first hand is over; nobody dies in it."""
    await told.sit(settings, deal=True)
    while told.evening.playing():
        await told.evening.act(told.evening.to_act, c.Fold())
    told.begin()


def _asked(told: Telling) -> Decision:
    may = told.evening.hand.acting
    return may.decision if may is not None and told.evening.playing() else Decision.NONE


async def _up_to(told: Telling, decision: Decision) -> None:
    """Check or call, and stay in, until this is asked; the ceremony begins there."""
    for _ in range(60):
        if _asked(told) is decision:
            told.begin()
            return
        await told.evening.act(told.evening.to_act, _quiet(told))
    raise AssertionError(f"nobody is asked to {decision}")


def _quiet(told: Telling) -> c.Command:
    may = told.view(told.evening.to_act).legal
    assert may is not None
    if may.decision is Decision.OFFER:
        return c.Accept()
    if may.check:
        return c.Check()
    return c.Call() if may.call else c.Bet(may.bring_in or may.min_to)
