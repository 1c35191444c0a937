"""The ceremonies of the deal and of the seats: shuffle, cut, first deal, choosing before seats are drawn, substitutes, misdeals."""

import pytest
from msgspec.structs import replace

from bot.engine.cards import JOKER, parse_all
from bot.engine.commands import Check
from bot.engine.evolve import evolve_all
from bot.engine.misdeal import misdeal
from bot.engine.options import Cut, FirstDealer, Misdeal, Options
from bot.engine.refusals import PlayStands
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.ceremonies import right_of_dealer
from bot.table.cutting import cut, cut_order
from bot.table.deal import Deal
from bot.table.legal import table_legal
from bot.table.queries import misdeal_agreed
from bot.table.view import view
from bot.variants import game
from tests.table.story import PACK, Evening, player
from tests.variants.play import Dealt

ANN, BO, CY, DI = map(player, ("Ann", "Bo", "Cy", "Di"))


def four(**options: object) -> Evening:
    """Ann, Bo, Cy and Di in seats 1 to 4 after a hand that Ann, the host, has dealt."""
    evening = Evening(replace(Options(), **options))
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.hand()
    return evening


def lots(words: str) -> tuple[int, ...]:
    """A pack with these cards on top."""
    top = tuple(parse_all(words))
    return (*top, *(card for card in range(52) if card not in top))


def began(deal: Deal) -> e.HandBegan:
    return next(event for event in deal.events if isinstance(event, e.HandBegan))


# Shuffle and cut


@pytest.mark.law("D-3", "D-4")
def test_any_player_may_have_the_pack_shuffled_before_the_deal() -> None:
    evening = four()
    for who in (CY, BO, CY):
        evening.ask(c.Shuffle(who))
    evening.refuses(c.Shuffle(player("Nobody")), errors.NotSeated)
    deal = evening.begin()
    assert began(deal).shuffles == 4, "and the dealer last"
    evening.refuses(c.Shuffle(CY), errors.CardsAreOut)
    evening.end()
    assert began(evening.begin()).shuffles == 3, "at least three in all"


@pytest.mark.law("D-5", "D-7", "D-11")
def test_the_player_at_the_dealers_right_cuts() -> None:
    evening = four(cut=Cut.MUST)
    right = right_of_dealer(evening.table)
    who = evening.at(right).player
    other = next(seat.player for seat in evening.table.seats if seat.number != right)
    refused = evening.refuses(c.CutPack(other, (20,)), errors.NotYoursToCut)
    assert (refused.value.law, refused.value.seat) == ("D-5", right)
    assert table_legal(evening.table, who, evening.now).cut == 52
    for points in ((4,), (48,), (), (20, 24), (10, 20, 30)):
        assert evening.refuses(c.CutPack(who, points), errors.PacketTooThin).value.law == "D-7"
    evening.ask(c.CutPack(who, (30, 12)))
    evening.refuses(c.CutPack(who, (20,)), errors.PackIsCut)
    evening.refuses(c.Shuffle(who), errors.PackIsCut)
    deal = evening.begin()
    assert deal.cut == (12, 30)
    assert deal.started.seats[-2] == right, "who sat right of the dealer"
    evening.refuses(c.CutPack(who, (20,)), errors.CardsAreOut)


@pytest.mark.law("D-5", "TL-41")
def test_a_cut_that_must_be_is_made_for_who_does_not() -> None:
    evening = four(cut=Cut.MUST)
    evening.refuses(c.DeclineCut(evening.at(right_of_dealer(evening.table)).player), errors.MustCut)
    assert evening.begin().cut == (26,)


@pytest.mark.law("D-6")
def test_a_cut_that_may_be_can_be_declined_and_then_anybody_cuts_once() -> None:
    evening = four()
    right = evening.at(right_of_dealer(evening.table)).player
    other = next(seat.player for seat in evening.table.seats if seat.player != right)
    evening.refuses(c.CutPack(other, (20,)), errors.NotYoursToCut)
    evening.refuses(c.DeclineCut(other), errors.NotYoursToCut)
    evening.ask(c.DeclineCut(right))
    evening.ask(c.CutPack(other, (20,)))
    assert evening.refuses(c.CutPack(right, (20,)), errors.PackIsCut).value.law == "D-6"
    evening.begin()
    evening.end()
    assert evening.begin().cut == ()


@pytest.mark.law("D-7", "D-8")
def test_a_cut_changes_the_places_of_packets_and_shows_no_card() -> None:
    deck = tuple(range(52))
    assert cut(deck, (20,)) == (*range(20, 52), *range(20))
    assert cut(deck, (10, 30)) == (*range(30, 52), *range(10, 30), *range(10))
    assert sorted(cut_order(52, (5, 47))) == list(range(52))
    assert cut(deck, ()) == deck
    evening = four()
    evening.ask(c.CutPack(evening.at(right_of_dealer(evening.table)).player, (20,)))
    assert view(evening.table).pack.points == (20,)
    assert view(evening.table).pack.lots == ()


# The first deal


@pytest.mark.law("D-1", "D-13")
def test_the_first_deal_is_drawn_for_once() -> None:
    evening = Evening(Options(first_dealer=FirstDealer.JACK))
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.ask(c.DrawForDeal(BO, lots("2c 3c 4c 5c Jh")))
    assert evening.table.drawn_button == 2, "the fifth card is the first jack, and Bo's"
    refused = evening.refuses(c.DrawForDeal(BO, lots("Jc")), errors.DealIsSettled)
    assert (refused.value.law, refused.value.why) == ("D-1", "the deal is settled")
    assert evening.begin().started.button == 2


@pytest.mark.law("D-2")
def test_the_lowest_cut_deals_and_those_tied_cut_again() -> None:
    evening = Evening(Options(first_dealer=FirstDealer.LOW_CUT))
    evening.seats(Ann=1, Bo=2, Cy=3)
    pack = lots("4c Kc 4d 9c 7c")
    evening.ask(c.CutForDeal(ANN, 10, pack))
    assert evening.refuses(c.CutForDeal(ANN, 11, pack), errors.BadLot).value.why == "you have cut"
    assert evening.refuses(c.CutForDeal(BO, 10, pack), errors.BadLot).value.why == "position taken"
    evening.refuses(c.CutForDeal(BO, 53, pack), errors.BadLot)
    evening.ask(c.CutForDeal(BO, 11, pack))
    evening.ask(c.CutForDeal(CY, 12, pack))
    assert evening.table.cutting == (1, 3), "two fours cut again"
    evening.refuses(c.CutForDeal(BO, 13, pack), errors.BadLot)
    evening.ask(c.CutForDeal(ANN, 10, pack))
    evening.ask(c.CutForDeal(CY, 11, pack))
    assert evening.table.drawn_button == 3, "the nine against the seven"
    evening.replays()


@pytest.mark.law("D-2", "TL-41")
def test_who_does_not_cut_for_the_deal_is_cut_for() -> None:
    evening = Evening(Options(first_dealer=FirstDealer.LOW_CUT))
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.ask(c.CutForDeal(BO, 10, lots("3c")))
    assert evening.begin(lots("3c Kc 9c")).started.button == 2
    tied = Evening(Options(first_dealer=FirstDealer.LOW_CUT))
    tied.seats(Ann=1, Bo=2, Cy=3)
    tied.ask(c.CutForDeal(BO, 10, lots("3c")))
    assert tied.begin(lots("3d 3c Kc 8c 4c")).started.button == 2


@pytest.mark.law("D-1", "D-2")
def test_nobody_cuts_for_the_deal_where_it_is_dealt_for() -> None:
    evening = Evening()
    evening.seats(Ann=1)
    evening.refuses(c.DrawForDeal(ANN, PACK), errors.TooFewPlayers)
    evening.seats(Bo=2)
    evening.refuses(c.CutForDeal(ANN, 10, PACK), errors.NoCutForDeal)


@pytest.mark.law("D-12")
def test_a_player_may_not_pass_up_his_deal() -> None:
    evening = four()
    refused = evening.refuses(c.SkipDeal(BO), errors.DealNotDeclined)
    assert (refused.value.law, refused.value.why) == ("D-12", "the deal may not be declined")
    evening.refuses(c.SkipDeal(player("Nobody")), errors.NotSeated)


# Seats


@pytest.mark.law("P-8")
def test_seats_are_drawn_as_the_banker_and_the_first_dealer_choose() -> None:
    """AT-11: banker Ann takes seat 5, the first dealer Di her left; Bo, Cy and Ed get 9, K, 9 in dealing order."""
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3, Di=6, Ed=4)
    evening.ask(c.DrawForDeal(ANN, lots("2c 3c 4c As 5c")))
    dealer = evening.at(evening.table.drawn_button)
    evening.refuses(c.ChooseSeat(BO, 3), errors.OnlyTheirChoice)
    evening.refuses(c.ChoosePlace(BO if dealer.player != BO else CY, True), errors.OnlyTheirChoice)
    evening.refuses(c.ChooseSeat(ANN, 15), errors.NoSuchSeat)
    evening.ask(c.ChooseSeat(ANN, 1))
    evening.ask(c.ChoosePlace(dealer.player, True))
    evening.ask(c.DrawSeats(ANN, lots("9c Kc 9d")))
    order = [evening.at(number).name for number in sorted(seat.number for seat in evening.table.seats)]
    assert order[:2] == ["Ann", dealer.name], "the dealer sits left of the banker"
    others = [name for name in ("Bo", "Cy", "Ed", "Di") if name != dealer.name]
    assert sorted(order[2:]) == sorted(others)
    assert evening.seat("Ann").number == 1
    evening.replays()


@pytest.mark.law("P-8")
def test_the_banker_may_choose_an_empty_seat() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.ask(c.ChooseSeat(ANN, 7))
    evening.ask(c.DrawSeats(BO, lots("9c Kc")))
    assert evening.seat("Ann").number == 7
    assert {seat.number for seat in evening.table.seats} == {2, 3, 7}
    assert evening.seat("Cy").number == 3, "the higher card sits right of the banker"


@pytest.mark.law("P-9")
def test_without_a_banker_the_dealer_chooses_first() -> None:
    """Zed has opened the table and not sat down: nobody keeps the bank."""
    evening = Evening(host="Zed")
    evening.seats(Ann=1, Bo=2, Cy=3)
    assert evening.refuses(c.ChooseSeat(ANN, 5), errors.OnlyTheirChoice).value.law == "P-9"
    evening.ask(c.DrawForDeal(ANN, lots("2c As 3c")))
    assert evening.refuses(c.ChooseSeat(ANN, 5), errors.OnlyTheirChoice).value.chooser == BO
    evening.refuses(c.ChoosePlace(BO, True), errors.OnlyTheirChoice)
    evening.ask(c.ChooseSeat(BO, 5))
    evening.ask(c.DrawSeats(ANN, lots("9c Kc")))
    assert evening.seat("Bo").number == 5


@pytest.mark.law("P-11")
def test_a_substitute_takes_the_seat_of_the_player_replaced() -> None:
    evening = four()
    evening.refuses(c.NameSubstitute(CY, BO), errors.AlreadySeated)
    evening.ask(c.NameSubstitute(CY, player("Sub")))
    refused = evening.refuses(c.Sit(player("Sub"), "Sub", 10_000, 6), errors.SubstituteTakesSeat)
    assert (refused.value.law, refused.value.seat) == ("P-11", 3)
    evening.begin()
    evening.refuses(c.Sit(player("Sub"), "Sub", 10_000), errors.HandRunning)
    evening.end()
    happened = evening.ask(c.Sit(player("Sub"), "Sub", 10_000))
    assert isinstance(happened[0], e.SeatLeft)
    assert happened[0].reason is e.LeaveReason.REPLACED
    assert evening.seat("Sub").number == 3
    assert not evening.seated("Cy")
    evening.replays()


@pytest.mark.law("P-11", "TL-27")
def test_a_substitute_who_left_within_the_hour_brings_back_what_he_took_away() -> None:
    evening = four()
    evening.begin()
    evening.end({"Bo": -5_000, "Di": 5_000})
    evening.ask(c.Leave(DI))
    evening.ask(c.NameSubstitute(CY, DI))
    refused = evening.refuses(c.Sit(DI, "Di", 10_000), errors.BringBack)
    assert (refused.value.law, refused.value.least) == ("TL-27", 15_000)


@pytest.mark.law("P-8")
def test_cards_for_seats_go_out_from_the_dealers_left_and_a_joker_is_passed_over() -> None:
    """Two queens: of equal ranks the card dealt first is the higher, and Di, left of the dealer, gets the first."""
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3, Di=4)
    evening.ask(c.DrawForDeal(ANN, lots("2c 3c As 4c")))  # Ann 2, Bo 3, Cy ace: Cy deals
    evening.ask(c.DrawSeats(BO, (JOKER, *lots("Qc Qd 5c"))))  # Di, Bo, Cy
    assert {name: evening.seat(name).number for name in ("Ann", "Di", "Bo", "Cy")} == {
        "Ann": 1,
        "Di": 4,
        "Bo": 3,
        "Cy": 2,
    }


@pytest.mark.law("TL-40")
def test_staff_may_remove_a_player() -> None:
    evening = four()
    evening.refuses(c.Remove(BO, CY), errors.StaffOnly)
    evening.begin()
    evening.ask(c.Remove(player("Staff"), CY, staff=True))
    assert evening.seated("Cy"), "he is in the hand; it is played to its end"
    evening.end()
    assert not evening.seated("Cy")
    evening.ask(c.Remove(player("Staff"), DI, staff=True))
    assert not evening.seated("Di")


@pytest.mark.law("I-5", "P-12")
def test_seats_do_not_change_while_cards_are_out() -> None:
    """So nobody can be left out of a deal."""
    evening = four()
    evening.begin()
    assert evening.refuses(c.ExchangeSeats(ANN, 2), errors.HandRunning).value.law == "P-12"
    evening.refuses(c.DrawSeats(ANN, PACK), errors.HandRunning)
    evening.refuses(c.ChooseSeat(ANN, 2), errors.HandRunning)


# Misdeals


@pytest.mark.law("I-2", "TL-29")
def test_a_misdeal_is_claimed_by_those_who_are_dealt_in() -> None:
    evening = four()
    evening.refuses(c.ClaimMisdeal(ANN), errors.NoHandRunning)
    evening.begin()
    refused = evening.refuses(c.ClaimMisdeal(player("Nobody")), errors.ClaimNotYours)
    assert refused.value.law == "I-2"
    for who in (ANN, BO, CY):
        evening.ask(c.ClaimMisdeal(who))
        assert not misdeal_agreed(evening.table)
    assert evening.ask(c.ClaimMisdeal(CY)) == ()
    evening.ask(c.ClaimMisdeal(DI))
    assert misdeal_agreed(evening.table)
    evening.replays()


@pytest.mark.law("I-2", "TL-29")
def test_a_misdeal_is_replayed_with_the_button_where_it_was() -> None:
    evening = four()
    before = evening.begin().started
    evening.void()
    again = evening.begin().started
    assert (again.button, again.seats, again.stacks) == (before.button, before.seats, before.stacks)


@pytest.mark.law("I-2", "I-3", "TL-29")
def test_antes_stay_in_the_pot_of_a_misdeal_that_the_next_dealer_puts_right() -> None:
    """Hoyle draw, antes of 10: 30 stay. Where the same dealer deals again, each takes back all he put in."""
    card = game("hoyle_draw")
    for how, kept in ((Misdeal.NEXT_DEALER, 10), (Misdeal.REPLAY, 0)):
        dealt = Dealt(card, 3, options=replace(card.options, misdeal=how))
        after = evolve_all(dealt.hand, misdeal(dealt.hand, "cards fell off the table"))
        assert after.voided
        assert (after.stacks, after.carried_on) == ([10_000 - kept] * 3, 3 * kept)
    acted = Dealt(card, 3).does(Check())
    with pytest.raises(PlayStands):
        misdeal(acted.hand, "too late")


@pytest.mark.law("I-3", "N-1")
def test_after_a_misdeal_the_next_dealer_deals_for_the_antes_that_stay() -> None:
    evening = four(misdeal=Misdeal.NEXT_DEALER)
    first = evening.begin().started
    evening.end({"Ann": -10, "Bo": -10, "Cy": -10, "Di": -10}, carried=40, passed_out=False)
    second = evening.begin().started
    assert second.carried == 40
    assert second.button != first.button
