"""The ceremonies of the deal and the seats through the runtime: real effects on the pack, the pot and the button, and across a restart."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.options import Cut, FirstDealer, Misdeal
from bot.engine.refusals import PlayStands
from bot.fair.secrets import deck_order
from bot.table import errors
from bot.table.cutting import cut
from bot.table.events import ButtonDrawn, HandBegan, HandFinished, HandUndone
from bot.table.settings import TableSettings
from bot.table.state import ChipShift
from tests.runtime.evening import MASTER, USERS, Evening, name_of, settings
from tests.runtime.hour import SECOND

PACK = tuple(range(52))
NONCE = (1).to_bytes(16, "big")


def holdem(**options: Any) -> TableSettings:
    base = settings()
    return replace(base, options=replace(base.options, **options))


def began(evening: Evening) -> HandBegan:
    return next(
        event for change in reversed(evening.changes) for event in change.events if isinstance(event, HandBegan)
    )


def expected(evening: Evening, cut_at: tuple[int, ...], shuffles: int = 3) -> tuple[int, ...]:
    """The pack as the law says it lies when the deal begins."""
    deck = deck_order(MASTER, evening.table, evening.now.hand_number, NONCE, PACK, shuffles)
    return cut(deck, cut_at) if cut_at else deck


def dealt(evening: Evening) -> tuple[int, ...]:
    hand = evening.session.standing.hand
    assert hand is not None
    return tuple(hand.deck[:52])


async def three(evening: Evening, chosen: TableSettings) -> None:
    await evening.open(chosen)
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    await evening.goes("folds", "folds")


def cutter(evening: Evening) -> str:
    """Who sits at the dealer's right."""
    seat = evening.now.table.pack.cutter
    return name_of(next(line.player for line in evening.now.table.seats if line.number == seat))


@pytest.mark.law("D-5", "D-7")
async def test_the_right_hand_player_cuts_and_the_pack_is_dealt_as_he_cut_it(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MUST))
    right = cutter(evening)
    other = next(name for name in ("Ann", "Bo", "Cy") if name != right)
    with pytest.raises(errors.NotYoursToCut):
        await evening.tables.cut_pack(evening.asked(other), (26,))
    with pytest.raises(errors.PacketTooThin):
        await evening.tables.cut_pack(evening.asked(right), (4,))
    with pytest.raises(errors.MustCut):
        await evening.tables.decline_cut(evening.asked(right))
    await evening.tables.cut_pack(evening.asked(right), (10, 31))
    with pytest.raises(errors.PackIsCut):
        await evening.tables.cut_pack(evening.asked(right), (26,))
    await evening.deal()
    assert dealt(evening) == expected(evening, (10, 31))
    with pytest.raises(errors.CardsAreOut):
        await evening.tables.cut_pack(evening.asked(right), (26,))


@pytest.mark.law("D-5", "TL-41")
async def test_who_must_cut_and_is_silent_has_the_cut_made_for_him(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MUST))
    await evening.deal()
    assert (began(evening).cut, began(evening).cut_by) == ((26,), 0)
    assert dealt(evening) == expected(evening, (26,))


@pytest.mark.law("D-6", "TL-41")
async def test_who_may_cut_and_is_silent_has_declined(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MAY))
    await evening.deal()
    assert began(evening).cut == ()
    assert dealt(evening) == expected(evening, ())


@pytest.mark.law("D-6")
async def test_after_a_declined_cut_any_other_player_may_cut(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MAY))
    right = cutter(evening)
    other = next(name for name in ("Ann", "Bo", "Cy") if name != right)
    await evening.tables.decline_cut(evening.asked(right))
    await evening.tables.cut_pack(evening.asked(other), (5,))
    await evening.deal()
    assert dealt(evening) == expected(evening, (5,))


@pytest.mark.law("D-3", "D-4")
async def test_shuffles_on_demand_are_shuffles_of_the_pack(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MAY))
    for name in ("Ann", "Bo", "Cy", "Ann"):
        await evening.tables.shuffle(evening.asked(name))
    await evening.deal()
    assert began(evening).shuffles == 5
    assert dealt(evening) == expected(evening, (), shuffles=5) != expected(evening, ())
    with pytest.raises(errors.CardsAreOut):
        await evening.tables.shuffle(evening.asked("Ann"))


async def test_a_cut_survives_a_restart_before_and_during_the_deal(evening: Evening) -> None:
    await three(evening, holdem(cut=Cut.MUST))
    await evening.tables.shuffle(evening.asked("Bo"))
    await evening.tables.shuffle(evening.asked("Bo"))
    await evening.tables.shuffle(evening.asked("Bo"))
    await evening.tables.cut_pack(evening.asked(cutter(evening)), (20,))
    await evening.crash(1 * SECOND)
    await evening.deal()
    deck = dealt(evening)
    assert deck == expected(evening, (20,), shuffles=4)
    cards = {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")}
    await evening.crash(1 * SECOND)
    assert dealt(evening) == deck
    assert {name: evening.cards(name) for name in ("Ann", "Bo", "Cy")} == cards
    await evening.goes("folds", "folds")
    log = await evening.tables.last_hand(evening.asked("Ann"), 2)
    told = log.view.seats[[seat.number for seat in log.view.seats].index(1)]
    assert tuple(card.card for card in told.cards) == cards["Ann"]
    await evening.audit()


@pytest.mark.law("D-12")
async def test_nobody_passes_up_his_deal(evening: Evening) -> None:
    await three(evening, holdem())
    with pytest.raises(errors.DealNotDeclined):
        await evening.tables.skip_deal(evening.asked("Bo"))


# the first deal


@pytest.mark.law("D-1")
async def test_the_first_jack_makes_its_receiver_dealer(evening: Evening) -> None:
    await evening.open(holdem(first_dealer=FirstDealer.JACK))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    outcome = await evening.tables.draw_for_deal(evening.asked("Cy"))
    (drawn,) = [event for event in outcome.events if isinstance(event, ButtonDrawn)]
    assert drawn.cards[-1][0] == drawn.seat
    with pytest.raises(errors.DealIsSettled):
        await evening.tables.draw_for_deal(evening.asked("Ann"))
    await evening.crash(1 * SECOND)
    await evening.deal()
    assert began(evening).button == drawn.seat


@pytest.mark.law("D-2")
async def test_each_cuts_for_the_first_deal_once_and_the_rest_is_cut_for_them(evening: Evening) -> None:
    await evening.open(holdem(first_dealer=FirstDealer.LOW_CUT))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.tables.cut_for_deal(evening.asked("Ann"), 12)
    with pytest.raises(errors.BadLot):
        await evening.tables.cut_for_deal(evening.asked("Bo"), 12)
    with pytest.raises(errors.BadLot):
        await evening.tables.cut_for_deal(evening.asked("Ann"), 13)
    ann = evening.now.table.pack.lots
    await evening.crash(1 * SECOND)
    assert evening.now.table.pack.lots == ann
    await evening.deal()
    drawn = next(event for change in evening.changes for event in change.events if isinstance(event, ButtonDrawn))
    assert drawn.cards[0] == ann[0], "the card that was cut counts"
    assert {seat for seat, _ in drawn.cards} == {1, 2, 3}
    assert began(evening).button == drawn.seat


# misdeals


@pytest.mark.law("TL-29")
async def test_a_misdeal_that_all_agree_on_is_replayed_with_the_same_button(evening: Evening) -> None:
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    button = evening.now.table.button
    await evening.tables.claim_misdeal(evening.asked("Ann"))
    await evening.tables.claim_misdeal(evening.asked("Bo"))
    await evening.crash(1 * SECOND)
    assert evening.now.claims == (USERS["Ann"], USERS["Bo"])
    outcome = await evening.tables.claim_misdeal(evening.asked("Cy"))
    assert any(isinstance(event, HandUndone) for event in outcome.events)
    assert set(evening.stacks().values()) == {10_000}
    await evening.audit()
    await evening.deal()
    assert evening.now.table.button == button


@pytest.mark.law("TL-29", "TL-38", "I-1")
async def test_whoever_voids_a_hand_nobody_joins_its_replay_and_a_restart_knows_it(evening: Evening) -> None:
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    dealt = began(evening).dealt
    await evening.tables.void(evening.asked("Ida", staff=True), "a card was seen")
    await evening.fund("Dee", 10_000)
    await evening.tables.sit(evening.asked("Dee"), 10_000, 4)
    await evening.crash(1 * SECOND)
    assert [line.name for line in evening.now.table.seats if line.kept_out] == ["Dee"]
    await evening.deal()
    assert began(evening).dealt == dealt
    assert not any(line.kept_out for line in evening.now.table.seats)
    await evening.audit()


@pytest.mark.law("TL-29")
async def test_after_substantial_action_play_stands(evening: Evening) -> None:
    await evening.open(holdem(misdeal=Misdeal.REPLAY))
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    await evening.deal()
    await evening.goes("calls")
    await evening.tables.claim_misdeal(evening.asked("Ann"))
    await evening.goes("calls")
    with pytest.raises(PlayStands):
        await evening.tables.claim_misdeal(evening.asked("Bo"))
    assert evening.now.claims == (USERS["Ann"],)
    assert evening.playing()
    with pytest.raises(errors.ClaimNotYours):
        await evening.tables.claim_misdeal(evening.asked("Ida"))


@pytest.mark.law("I-2", "I-3")
async def test_after_a_misdeal_the_next_dealer_deals_and_antes_stay_in_the_pot(evening: Evening) -> None:
    base = settings("jackpots")
    stakes = replace(base.stakes, small_blind=0, big_blind=0, ante=100, limit=400)
    chosen = replace(base, stakes=stakes, options=replace(base.options, misdeal=Misdeal.NEXT_DEALER))
    await evening.open(chosen)
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.deal()
    button = evening.now.table.button
    await evening.tables.claim_misdeal(evening.asked("Ann"))
    outcome = await evening.tables.claim_misdeal(evening.asked("Bo"))
    assert any(isinstance(event, HandFinished) for event in outcome.events)
    assert evening.now.table.carried == 200
    assert evening.stacks() == {"Ann": 9_900, "Bo": 9_900}
    await evening.audit()
    await evening.crash(1 * SECOND)
    await evening.deal()
    assert evening.now.table.button != button
    assert sum(evening.stacks().values()) == 20_000 - 400
    await evening.audit()


# seats


@pytest.mark.law("P-8")
async def test_the_banker_chooses_and_the_first_dealer_sits_at_his_left(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000, Dee=10_000)
    await evening.tables.draw_for_deal(evening.asked("Bo"))
    dealer = next(
        line for line in evening.now.table.seats if line.number == evening.session.standing.table.drawn_button
    )
    await evening.tables.choose_seat(evening.asked("Ann"), 5)
    with pytest.raises(errors.OnlyTheirChoice):
        await evening.tables.choose_seat(evening.asked("Cy" if dealer.name != "Cy" else "Bo"), 3)
    if dealer.name != "Ann":
        await evening.tables.choose_place(evening.asked(dealer.name), left=True)
    await evening.crash(1 * SECOND)
    await evening.tables.draw_seats(evening.asked("Dee"))
    seats = {line.name: line.number for line in evening.now.table.seats}
    assert seats["Ann"] == 5
    if dealer.name != "Ann":
        clockwise = sorted(seats, key=lambda name: (seats[name] - 6) % 10)
        assert clockwise[0] == dealer.name


@pytest.mark.law("P-11")
async def test_a_substitute_takes_the_seat_of_the_player_he_replaces(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000)
    await evening.tables.name_substitute(evening.asked("Bo"), USERS["Cy"])
    await evening.fund("Cy", 5_000)
    with pytest.raises(errors.SubstituteTakesSeat):
        await evening.tables.sit(evening.asked("Cy"), 5_000, 7)
    await evening.crash(1 * SECOND)
    await evening.tables.sit(evening.asked("Cy"), 5_000)
    assert {line.name: line.number for line in evening.now.table.seats} == {"Ann": 1, "Cy": 2}
    await evening.audit()


async def test_staff_removes_a_player_who_is_paid_after_his_hand(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    with pytest.raises(errors.StaffOnly):
        await evening.tables.remove(evening.asked("Ann"), USERS["Cy"])
    await evening.deal()
    await evening.tables.remove(evening.asked("Ida", staff=True), USERS["Cy"])
    assert any(line.name == "Cy" for line in evening.now.table.seats), "he is dealt in"
    while evening.playing():
        await evening.act(evening.to_act, c.Fold())
    assert {line.name for line in evening.now.table.seats} == {"Ann", "Bo"}
    await evening.audit()


@pytest.mark.law("H-3")
async def test_an_adjustment_needs_everybody_and_is_booked(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000)
    shifts = (ChipShift(USERS["Ann"], -500), ChipShift(USERS["Bo"], 500))
    await evening.tables.adjust(evening.asked("Ann"), shifts)
    await evening.tables.consent(evening.asked("Bo"))
    await evening.crash(1 * SECOND)
    assert evening.stacks()["Bo"] == 10_000
    await evening.tables.consent(evening.asked("Cy"))
    assert evening.stacks() == {"Ann": 9_500, "Bo": 10_500, "Cy": 10_000}
    await evening.audit()


@pytest.mark.law("H-3")
async def test_an_adjustment_between_several_is_booked_and_listed_in_the_audit(evening: Evening) -> None:
    await evening.open()
    await evening.seat(Ann=10_000, Bo=10_000, Cy=10_000, Dee=10_000)
    moves = {"Ann": -300, "Cy": 400, "Bo": -200, "Dee": 100}
    wanted = [ChipShift(USERS[name], chips) for name, chips in moves.items()]
    await evening.tables.adjust(
        evening.asked("Ann"), (ChipShift(USERS["Ann"], 5), *wanted, ChipShift(USERS["Ann"], -5))
    )
    for name in ("Bo", "Cy", "Dee"):
        await evening.tables.consent(evening.asked(name))
    assert evening.stacks() == {"Ann": 9_700, "Bo": 9_800, "Cy": 10_400, "Dee": 10_100}
    await evening.audit()
    books = await evening.bank.audit(evening.asked("Ida", staff=True))
    assert books.faults == ()
    (listed,) = books.adjustments
    assert dict(listed.shifts) == {USERS[name]: chips for name, chips in moves.items()}
    assert listed.table == evening.now.table.number
