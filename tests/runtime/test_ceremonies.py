"""The ceremonies of the deal and the seats have real effects on the deck, the pot and the button, also across a restart."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.options.values import Cut, FirstDealer, Misdeal
from bot.engine.refusals import PlayStands
from bot.fair.deck_order import deck_order
from bot.runtime.commands import VoidHand
from bot.table import refusals
from bot.table.ceremonies.deck import cut_cards
from bot.table.commands import (
    ChooseDealerSeat,
    ChooseSeat,
    ClaimMisdeal,
    Consent,
    CutDeck,
    CutForFirstDeal,
    DeclineCut,
    DeclineDeal,
    DrawForFirstDeal,
    DrawSeats,
    NameSubstitute,
    ProposeStackAdjustment,
    RemovePlayer,
    ShuffleDeck,
    TakeSeat,
)
from bot.table.events import ButtonDrawn, HandBegan, HandFinished, HandUndone
from bot.table.settings import TableSettings
from bot.table.state import StackChange
from tests.runtime.evening import MASTER, USERS, Evening, name_of, settings
from tests.runtime.manual_clock import SECOND

UNSHUFFLED = tuple(range(52))
NONCE = (1).to_bytes(16, "big")


def holdem(**options: Any) -> TableSettings:
    base = settings()
    return replace(base, options=replace(base.options, **options))


def began(evening: Evening) -> HandBegan:
    return next(
        event for change in reversed(evening.updates) for event in change.events if isinstance(event, HandBegan)
    )


def expected(evening: Evening, cut_at: tuple[int, ...], shuffles: int = 3) -> tuple[int, ...]:
    """Return the deck in the order in which the law wants it dealt."""
    deck = deck_order(MASTER, evening.table, evening.snapshot.hand_number, NONCE, UNSHUFFLED, shuffles)
    return cut_cards(deck, cut_at) if cut_at else deck


def dealt(evening: Evening) -> tuple[int, ...]:
    hand = evening.session.state.hand
    assert hand is not None
    return tuple(hand.deck[:52])


async def three(evening: Evening, chosen: TableSettings) -> None:
    await evening.open(chosen)
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    await evening.next_player_acts("folds", "folds")


def cutter(evening: Evening) -> str:
    """Return the player at the dealer's right."""
    seat = evening.snapshot.table.deck.cutter_seat
    return name_of(next(line.player for line in evening.snapshot.table.seats if line.number == seat))


@pytest.mark.law("D-5", "D-7")
async def test_right_hand_player_cuts_and_deck_is_dealt_as_cut(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MUST))
    right = cutter(evening)
    other = next(name for name in ("Ann", "Bo", "Cy") if name != right)
    with pytest.raises(refusals.NotYoursToCut):
        await evening.ask(other, CutDeck, (26,))
    with pytest.raises(refusals.CutPacketTooSmall):
        await evening.ask(right, CutDeck, (4,))
    with pytest.raises(refusals.CutRequired):
        await evening.ask(right, DeclineCut)
    await evening.ask(right, CutDeck, (10, 31))
    with pytest.raises(refusals.DeckAlreadyCut):
        await evening.ask(right, CutDeck, (26,))
    await evening.deal()
    assert dealt(evening) == expected(evening, (10, 31))
    with pytest.raises(refusals.CardsAlreadyDealt):
        await evening.ask(right, CutDeck, (26,))


@pytest.mark.law("D-5", "TL-41")
async def test_mandatory_cut_is_made_for_player_who_times_out(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MUST))
    await evening.deal()
    assert (began(evening).cut_points, began(evening).cut_by_seat) == ((26,), 0)
    assert dealt(evening) == expected(evening, (26,))


@pytest.mark.law("D-6", "TL-41")
async def test_optional_cut_is_declined_on_timeout(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MAY))
    await evening.deal()
    assert began(evening).cut_points == ()
    assert dealt(evening) == expected(evening, ())


@pytest.mark.law("D-6")
async def test_after_declined_cut_any_other_player_can_cut(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MAY))
    right = cutter(evening)
    other = next(name for name in ("Ann", "Bo", "Cy") if name != right)
    await evening.ask(right, DeclineCut)
    await evening.ask(other, CutDeck, (5,))
    await evening.deal()
    assert dealt(evening) == expected(evening, (5,))


@pytest.mark.law("D-3", "D-4")
async def test_shuffles_on_demand_shuffle_the_deck(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MAY))
    for name in ("Ann", "Bo", "Cy", "Ann"):
        await evening.ask(name, ShuffleDeck)
    await evening.deal()
    assert began(evening).shuffles == 5
    assert dealt(evening) == expected(evening, (), shuffles=5) != expected(evening, ())
    with pytest.raises(refusals.CardsAlreadyDealt):
        await evening.ask("Ann", ShuffleDeck)


async def test_a_cut_survives_a_restart_before_and_during_the_deal(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MUST))
    await evening.ask("Bo", ShuffleDeck)
    await evening.ask("Bo", ShuffleDeck)
    await evening.ask("Bo", ShuffleDeck)
    await evening.ask(cutter(evening), CutDeck, (20,))
    await evening.crash(1 * SECOND)
    await evening.deal()
    deck = dealt(evening)
    assert deck == expected(evening, (20,), shuffles=4)
    cards = {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")}
    await evening.crash(1 * SECOND)
    assert dealt(evening) == deck
    assert {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")} == cards
    await evening.next_player_acts("folds", "folds")
    log = await evening.tables.read_hand_log(evening.request("Ann"), 2)
    shown = log.view.seats[[seat.seat_number for seat in log.view.seats].index(1)]
    assert tuple(card.card for card in shown.cards) == cards["Ann"]
    await evening.audit()


@pytest.mark.law("D-12")
async def test_nobody_can_skip_dealing(evening: Evening) -> None:
    await three(evening, holdem())
    with pytest.raises(refusals.DealCannotBeDeclined):
        await evening.ask("Bo", DeclineDeal)


# the first deal


@pytest.mark.law("D-1")
async def test_the_first_jack_makes_its_receiver_dealer(evening: Evening) -> None:
    await evening.open(holdem(first_dealer=FirstDealer.JACK))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    outcome = await evening.ask("Cy", DrawForFirstDeal)
    (drawn,) = [event for event in outcome.events if isinstance(event, ButtonDrawn)]
    assert drawn.cards[-1][0] == drawn.seat_number
    with pytest.raises(refusals.FirstDealerAlreadyFound):
        await evening.ask("Ann", DrawForFirstDeal)
    await evening.crash(1 * SECOND)
    await evening.deal()
    assert began(evening).button_seat == drawn.seat_number


@pytest.mark.law("D-2")
async def test_each_player_cuts_once_and_missing_cuts_are_made(evening: Evening) -> None:
    await evening.open(holdem(first_dealer=FirstDealer.LOW_CUT))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.ask("Ann", CutForFirstDeal, 12)
    with pytest.raises(refusals.InvalidFirstDealCut):
        await evening.ask("Bo", CutForFirstDeal, 12)
    with pytest.raises(refusals.InvalidFirstDealCut):
        await evening.ask("Ann", CutForFirstDeal, 13)
    ann = evening.snapshot.table.deck.first_deal_lots
    await evening.crash(1 * SECOND)
    assert evening.snapshot.table.deck.first_deal_lots == ann
    await evening.deal()
    drawn = next(event for change in evening.updates for event in change.events if isinstance(event, ButtonDrawn))
    assert drawn.cards[0] == ann[0], "the card that was cut counts"
    assert {seat for seat, _ in drawn.cards} == {1, 2, 3}
    assert began(evening).button_seat == drawn.seat_number


# misdeals


@pytest.mark.law("TL-29")
async def test_agreed_misdeal_is_replayed_with_same_button(evening: Evening) -> None:
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    button = evening.snapshot.table.button_seat
    await evening.ask("Ann", ClaimMisdeal)
    await evening.ask("Bo", ClaimMisdeal)
    await evening.crash(1 * SECOND)
    assert evening.snapshot.misdeal_claims == (USERS["Ann"], USERS["Bo"])
    outcome = await evening.ask("Cy", ClaimMisdeal)
    assert any(isinstance(event, HandUndone) for event in outcome.events)
    assert set(evening.stacks().values()) == {10_000}
    await evening.audit()
    await evening.deal()
    assert evening.snapshot.table.button_seat == button


@pytest.mark.law("I-1", "I-2", "TL-38")
async def test_one_claim_ends_hand_of_a_fouled_deck(evening: Evening) -> None:
    """The dealer looks at the deck when somebody calls a misdeal. A card that is there twice voids the hand, whatever the action."""
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    await evening.next_player_acts("raises to 300", "calls", "calls")
    hand = evening.session.state.hand
    assert hand is not None
    hand.deck = (*hand.deck[:-1], hand.deck[-2])
    await evening.ask("Ann", ClaimMisdeal)
    assert not evening.playing()
    assert set(evening.stacks().values()) == {10_000}
    await evening.audit()


@pytest.mark.law("TL-29", "TL-38", "I-1")
async def test_nobody_joins_replay_of_voided_hand_even_after_restart(evening: Evening) -> None:
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    dealt = began(evening).dealt_seats
    await evening.ask("Ida", VoidHand("a card was seen"), staff=True)
    await evening.fund("Dee", 10_000)
    await evening.ask("Dee", TakeSeat, 10_000, 4)
    await evening.crash(1 * SECOND)
    assert [line.name for line in evening.snapshot.table.seats if line.kept_out_of_replay] == ["Dee"]
    await evening.deal()
    assert began(evening).dealt_seats == dealt
    assert not any(line.kept_out_of_replay for line in evening.snapshot.table.seats)
    await evening.audit()


@pytest.mark.law("TL-29")
async def test_substantial_action_makes_first_misdeal_claim_too_late(evening: Evening) -> None:
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    await evening.next_player_acts("calls")
    await evening.next_player_acts("calls")
    with pytest.raises(PlayStands):
        await evening.ask("Bo", ClaimMisdeal)
    assert evening.snapshot.misdeal_claims == ()
    assert evening.playing()


@pytest.mark.law("I-2", "TL-29")
@pytest.mark.parametrize("misdeal", list(Misdeal))
async def test_attention_called_in_time_can_be_agreed_to_later(evening: Evening, misdeal: Misdeal) -> None:
    """Ann calls a misdeal before anybody has acted. Bo and Cy agree after two calls: all bets go back."""
    await evening.open(holdem(misdeal=misdeal))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    await evening.ask("Ann", ClaimMisdeal)
    await evening.next_player_acts("calls")
    await evening.next_player_acts("calls")
    await evening.ask("Bo", ClaimMisdeal)
    assert evening.playing()
    await evening.ask("Cy", ClaimMisdeal)
    assert not evening.playing()
    assert set(evening.stacks().values()) == {10_000}
    await evening.audit()


@pytest.mark.law("I-2")
async def test_only_players_dealt_in_claim_a_misdeal(evening: Evening) -> None:
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    with pytest.raises(refusals.MisdealClaimNotYours):
        await evening.ask("Ida", ClaimMisdeal)


@pytest.mark.law("I-2", "I-3")
async def test_after_misdeal_next_dealer_deals_and_antes_stay(evening: Evening) -> None:
    base = settings("jackpots")
    stakes = replace(base.stakes, small_blind=0, big_blind=0, ante=100, limit=400)
    chosen = replace(base, stakes=stakes, options=replace(base.options, misdeal=Misdeal.NEXT_DEALER))
    await evening.open(chosen)
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    button = evening.snapshot.table.button_seat
    await evening.ask("Ann", ClaimMisdeal)
    outcome = await evening.ask("Bo", ClaimMisdeal)
    assert any(isinstance(event, HandFinished) for event in outcome.events)
    assert evening.snapshot.table.carried_chips == 200
    assert evening.stacks() == {"Ann": 9_900, "Bo": 9_900}
    await evening.audit()
    await evening.crash(1 * SECOND)
    await evening.deal()
    assert evening.snapshot.table.button_seat != button
    assert sum(evening.stacks().values()) == 20_000 - 400
    await evening.audit()


# seats


@pytest.mark.law("P-8")
async def test_banker_chooses_seat_and_first_dealer_sits_left_of_banker(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000, Dee=10_000)
    await evening.ask("Bo", DrawForFirstDeal)
    dealer = next(
        line for line in evening.snapshot.table.seats if line.number == evening.session.state.table.drawn_button_seat
    )
    await evening.ask("Ann", ChooseSeat, 5)
    with pytest.raises(refusals.NotYourSeatChoice):
        await evening.ask("Cy" if dealer.name != "Cy" else "Bo", ChooseSeat, 3)
    if dealer.name != "Ann":
        await evening.ask(dealer.name, ChooseDealerSeat, True)
    await evening.crash(1 * SECOND)
    await evening.ask("Dee", DrawSeats)
    seats = {line.name: line.number for line in evening.snapshot.table.seats}
    assert seats["Ann"] == 5
    if dealer.name != "Ann":
        clockwise = sorted(seats, key=lambda name: (seats[name] - 6) % 10)
        assert clockwise[0] == dealer.name


@pytest.mark.law("P-11")
async def test_substitute_takes_seat_of_replaced_player(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.ask("Bo", NameSubstitute, USERS["Cy"])
    await evening.fund("Cy", 5_000)
    with pytest.raises(refusals.SubstituteMustTakeSeat):
        await evening.ask("Cy", TakeSeat, 5_000, 7)
    await evening.crash(1 * SECOND)
    await evening.ask("Cy", TakeSeat, 5_000)
    assert {line.name: line.number for line in evening.snapshot.table.seats} == {"Ann": 1, "Cy": 2}
    await evening.audit()


async def test_player_removed_by_staff_is_paid_after_hand(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    with pytest.raises(refusals.StaffOnly):
        await evening.ask("Ann", RemovePlayer, USERS["Cy"])
    await evening.deal()
    await evening.ask("Ida", RemovePlayer, USERS["Cy"], staff=True)
    assert any(line.name == "Cy" for line in evening.snapshot.table.seats), "Cy is dealt in"
    while evening.playing():
        await evening.ask(evening.to_act, c.Fold())
    assert {line.name for line in evening.snapshot.table.seats} == {"Ann", "Bo"}
    await evening.audit()


@pytest.mark.law("H-3")
async def test_an_adjustment_needs_everybody_and_is_booked(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    with pytest.raises(refusals.AdjustmentNotOfOneHand):
        await evening.ask(
            "Ann", ProposeStackAdjustment, (StackChange(USERS["Ann"], -500), StackChange(USERS["Bo"], 500))
        )
    before = await hand_of_600_each(evening)
    winner, *losers = sorted(before, key=lambda name: -before[name])
    too_much = (StackChange(USERS[winner], -1801), StackChange(USERS[losers[0]], 1801))
    with pytest.raises(refusals.AdjustmentGainsTooMuch):
        await evening.ask(winner, ProposeStackAdjustment, too_much)
    shifts = (StackChange(USERS[winner], -500), StackChange(USERS[losers[0]], 500))
    await evening.ask(winner, ProposeStackAdjustment, shifts)
    await evening.ask(losers[0], Consent)
    await evening.crash(1 * SECOND)
    assert evening.stacks() == before
    await evening.ask(losers[1], Consent)
    assert evening.stacks() == before | {winner: before[winner] - 500, losers[0]: before[losers[0]] + 500}
    await evening.audit()


async def hand_of_600_each(evening: Evening) -> dict[str, int]:
    """Everybody puts 600 in before the flop, and folds to the first bet after it. Returns the stacks."""
    await evening.deal()
    await evening.next_player_acts("raises to 600", *["calls"] * (len(evening.stacks()) - 1), "bets 100")
    while evening.playing():
        await evening.next_player_acts("folds")
    return evening.stacks()


@pytest.mark.law("H-3")
async def test_adjustment_between_several_is_booked_and_listed_in_audit(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000, Dee=10_000)
    before = await hand_of_600_each(evening)
    winner, *losers = sorted(before, key=lambda name: -before[name])
    moves = {winner: -700, losers[0]: 400, losers[1]: 200, losers[2]: 100}
    wanted = [StackChange(USERS[name], chips) for name, chips in moves.items()]
    await evening.ask(
        winner, ProposeStackAdjustment, (StackChange(USERS[winner], 5), *wanted, StackChange(USERS[winner], -5))
    )
    for name in losers:
        await evening.ask(name, Consent)
    assert evening.stacks() == {name: chips + moves[name] for name, chips in before.items()}
    await evening.audit()
    books = await evening.bank.audit(evening.request("Ida", staff=True))
    assert books.faults == ()
    (listed,) = books.adjustments
    assert dict(listed.shifts) == {USERS[name]: chips for name, chips in moves.items()}
    assert listed.table == evening.snapshot.table.number
