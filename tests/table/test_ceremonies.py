"""Shuffling, cutting, the first deal, choices before seats are drawn, substitutes, misdeals."""

import pytest
from msgspec.structs import replace

from bot.engine.cards import JOKER, parse_cards
from bot.engine.commands import Check
from bot.engine.dealing.misdeal import claim_misdeal
from bot.engine.evolve import evolve_all
from bot.engine.options.types import Options
from bot.engine.options.values import Cut, FirstDealer, Misdeal
from bot.engine.refusals import PlayStands
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.ceremonies.deck import card_order_after_cut, cut_cards, cut_order, deck_size_to_cut, right_of_next_dealer
from bot.table.next_hand import NextHand
from bot.table.queries import misdeal_agreed
from bot.table.view import view_table
from bot.variants import game
from tests.table.evening import DECK, Evening, player_id
from tests.variants.play_hand import DealtHand

ANN, BO, CY, DI = map(player_id, ("Ann", "Bo", "Cy", "Di"))


def four(**options: object) -> Evening:
    """Ann, Bo, Cy and Di in seats 1 to 4, after a hand that Ann dealt. Ann is the host."""
    evening = Evening(replace(Options(), **options))
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.play_hand()
    return evening


def deck_with_top(words: str) -> tuple[int, ...]:
    """Return a deck with these cards on top."""
    top = tuple(parse_cards(words))
    return (*top, *(card for card in range(52) if card not in top))


def began(deal: NextHand) -> e.HandBegan:
    return next(event for event in deal.events if isinstance(event, e.HandBegan))


# Shuffle and cut


@pytest.mark.law("D-3", "D-4")
def test_any_player_can_have_the_deck_shuffled() -> None:
    evening = four()
    for who in (CY, BO, CY):
        evening.ask(c.ShuffleDeck(who))
    evening.refuses(c.ShuffleDeck(player_id("Nobody")), refusals.NotSeated)
    deal = evening.begin_hand()
    assert began(deal).shuffles == 4, "and the dealer last"
    evening.refuses(c.ShuffleDeck(CY), refusals.CardsAlreadyDealt)
    evening.end_hand()
    assert began(evening.begin_hand()).shuffles == 3, "at least three in all"


@pytest.mark.law("D-5", "D-7", "D-11")
def test_player_at_dealers_right_cuts() -> None:
    evening = four(cut=Cut.MUST)
    right = right_of_next_dealer(evening.table)
    who = evening.seat_at(right).player
    other = next(seat.player for seat in evening.table.seats if seat.number != right)
    refused = evening.refuses(c.CutDeck(other, (20,)), refusals.NotYoursToCut)
    assert (refused.value.law, refused.value.seat_number) == ("D-5", right)
    assert deck_size_to_cut(evening.table, who) == 52
    for points in ((4,), (48,), (), (20, 24), (10, 20, 30)):
        assert evening.refuses(c.CutDeck(who, points), refusals.CutPacketTooSmall).value.law == "D-7"
    evening.ask(c.CutDeck(who, (30, 12)))
    evening.refuses(c.CutDeck(who, (20,)), refusals.DeckAlreadyCut)
    evening.refuses(c.ShuffleDeck(who), refusals.DeckAlreadyCut)
    deal = evening.begin_hand()
    assert deal.cut_points == (12, 30)
    assert deal.started.seat_numbers[-2] == right, "who sat right of the dealer"
    evening.refuses(c.CutDeck(who, (20,)), refusals.CardsAlreadyDealt)


@pytest.mark.law("D-5", "TL-41")
def test_required_cut_is_made_for_a_silent_player() -> None:
    evening = four(cut=Cut.MUST)
    evening.refuses(c.DeclineCut(evening.seat_at(right_of_next_dealer(evening.table)).player), refusals.CutRequired)
    assert evening.begin_hand().cut_points == (26,)


@pytest.mark.law("D-6")
def test_optional_cut_can_be_declined_and_another_player_cuts_once() -> None:
    evening = four()
    right = evening.seat_at(right_of_next_dealer(evening.table)).player
    other = next(seat.player for seat in evening.table.seats if seat.player != right)
    evening.refuses(c.CutDeck(other, (20,)), refusals.NotYoursToCut)
    evening.refuses(c.DeclineCut(other), refusals.NotYoursToCut)
    evening.ask(c.DeclineCut(right))
    evening.ask(c.CutDeck(other, (20,)))
    assert evening.refuses(c.CutDeck(right, (20,)), refusals.DeckAlreadyCut).value.law == "D-6"
    evening.begin_hand()
    evening.end_hand()
    assert evening.begin_hand().cut_points == ()


@pytest.mark.law("D-6")
def test_cut_goes_to_who_asks_nearest_the_dealers_right() -> None:
    """The player at the right has declined. The dealer asks first, then two others: the nearer one cuts, whoever was first."""
    evening = four()
    right, *others, dealer = [evening.seat_at(number).player for number in cut_order(evening.table)]
    near, far = others
    evening.refuses(c.CutDeck(near, (20,)), refusals.NotYoursToCut)
    evening.ask(c.DeclineCut(right))
    evening.ask(c.CutDeck(dealer, (10,)))
    evening.refuses(c.ShuffleDeck(near), refusals.DeckAlreadyCut)
    evening.ask(c.CutDeck(far, (20,)))
    evening.refuses(c.CutDeck(dealer, (40,)), refusals.DeckAlreadyCut)
    evening.ask(c.CutDeck(near, (30,)))
    for who in (right, near, far, dealer):
        evening.refuses(c.CutDeck(who, (40,)), refusals.DeckAlreadyCut)
    hand = evening.begin_hand()
    assert (hand.cut_points, began(hand).cut_by_seat) == ((30,), evening.table.seat_of(near).number)


@pytest.mark.law("D-5", "D-6")
def test_cut_at_the_dealers_right_is_nobodys_to_take_over() -> None:
    evening = four()
    right, *others = [evening.seat_at(number).player for number in cut_order(evening.table)]
    evening.ask(c.CutDeck(right, (20,)))
    for who in others:
        evening.refuses(c.CutDeck(who, (40,)), refusals.DeckAlreadyCut)


@pytest.mark.law("D-7", "D-8")
def test_cut_reorders_packets_and_shows_no_card() -> None:
    deck = tuple(range(52))
    assert cut_cards(deck, (20,)) == (*range(20, 52), *range(20))
    assert cut_cards(deck, (10, 30)) == (*range(30, 52), *range(10, 30), *range(10))
    assert sorted(card_order_after_cut(52, (5, 47))) == list(range(52))
    assert cut_cards(deck, ()) == deck
    evening = four()
    evening.ask(c.CutDeck(evening.seat_at(right_of_next_dealer(evening.table)).player, (20,)))
    assert view_table(evening.table).deck.cut_points == (20,)
    assert view_table(evening.table).deck.first_deal_lots == ()


# The first deal


@pytest.mark.law("D-1", "D-13")
def test_first_deal_is_drawn_for_once() -> None:
    evening = Evening(Options(first_dealer=FirstDealer.JACK))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.ask(c.DrawForFirstDeal(BO, deck_with_top("2c 3c 4c 5c Jh")))
    assert evening.table.drawn_button_seat == 2, "the fifth card is the first jack, and Bo's"
    refused = evening.refuses(c.DrawForFirstDeal(BO, deck_with_top("Jc")), refusals.FirstDealerAlreadyFound)
    assert refused.value.law == "D-1"
    assert evening.begin_hand().started.button_seat_number == 2


@pytest.mark.law("D-2")
def test_lowest_cut_deals_and_tied_players_cut_again() -> None:
    evening = Evening(Options(first_dealer=FirstDealer.LOW_CUT))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    deck = deck_with_top("4c Kc 4d 9c 7c")
    evening.ask(c.CutForFirstDeal(ANN, 10, deck))
    evening.refuses(c.CutForFirstDeal(ANN, 11, deck), refusals.AlreadyCutForFirstDeal)
    evening.refuses(c.CutForFirstDeal(BO, 10, deck), refusals.CutPointTaken)
    evening.refuses(c.CutForFirstDeal(BO, 53, deck), refusals.CutPointOutsideDeck)
    evening.ask(c.CutForFirstDeal(BO, 11, deck))
    evening.ask(c.CutForFirstDeal(CY, 12, deck))
    assert evening.table.seats_to_cut == (1, 3), "two fours cut again"
    evening.refuses(c.CutForFirstDeal(BO, 13, deck), refusals.AlreadyCutForFirstDeal)
    evening.ask(c.CutForFirstDeal(ANN, 10, deck))
    evening.ask(c.CutForFirstDeal(CY, 11, deck))
    assert evening.table.drawn_button_seat == 3, "the nine against the seven"
    evening.assert_replays()


@pytest.mark.law("D-2", "TL-41")
def test_missing_first_deal_cut_is_made_for_the_player() -> None:
    evening = Evening(Options(first_dealer=FirstDealer.LOW_CUT))
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.ask(c.CutForFirstDeal(BO, 10, deck_with_top("3c")))
    assert evening.begin_hand(deck_with_top("3c Kc 9c")).started.button_seat_number == 2
    tied = Evening(Options(first_dealer=FirstDealer.LOW_CUT))
    tied.sit_all(Ann=1, Bo=2, Cy=3)
    tied.ask(c.CutForFirstDeal(BO, 10, deck_with_top("3c")))
    assert tied.begin_hand(deck_with_top("3d 3c Kc 8c 4c")).started.button_seat_number == 2


@pytest.mark.law("D-1", "D-2")
def test_no_first_deal_cut_where_cards_are_dealt() -> None:
    evening = Evening()
    evening.sit_all(Ann=1)
    evening.refuses(c.DrawForFirstDeal(ANN, DECK), refusals.TooFewPlayers)
    evening.sit_all(Bo=2)
    evening.refuses(c.CutForFirstDeal(ANN, 10, DECK), refusals.NoFirstDealCut)


@pytest.mark.law("D-12")
def test_player_cannot_decline_the_deal() -> None:
    evening = four()
    refused = evening.refuses(c.DeclineDeal(BO), refusals.DealCannotBeDeclined)
    assert refused.value.law == "D-12"
    evening.refuses(c.DeclineDeal(player_id("Nobody")), refusals.NotSeated)


# Seats


@pytest.mark.law("P-8")
def test_seat_draw_follows_choices_of_banker_and_first_dealer() -> None:
    """AT-11: the banker Ann takes seat 5, the first dealer Di the seat left of her; Bo, Cy and Ed get 9, K, 9 in dealing order."""
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=6, Ed=4)
    evening.ask(c.DrawForFirstDeal(ANN, deck_with_top("2c 3c 4c As 5c")))
    dealer = evening.seat_at(evening.table.drawn_button_seat)
    evening.refuses(c.ChooseSeat(BO, 3), refusals.NotYourSeatChoice)
    evening.refuses(c.ChooseDealerSeat(BO if dealer.player != BO else CY, True), refusals.NotYourSeatChoice)
    evening.refuses(c.ChooseSeat(ANN, 15), refusals.NoSuchSeat)
    evening.ask(c.ChooseSeat(ANN, 1))
    evening.ask(c.ChooseDealerSeat(dealer.player, True))
    evening.ask(c.DrawSeats(ANN, deck_with_top("9c Kc 9d")))
    order = [evening.seat_at(number).name for number in sorted(seat.number for seat in evening.table.seats)]
    assert order[:2] == ["Ann", dealer.name], "the dealer sits left of the banker"
    others = [name for name in ("Bo", "Cy", "Ed", "Di") if name != dealer.name]
    assert sorted(order[2:]) == sorted(others)
    assert evening.seat("Ann").number == 1
    evening.assert_replays()


@pytest.mark.law("P-8")
def test_banker_can_choose_an_empty_seat() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.ask(c.ChooseSeat(ANN, 7))
    evening.ask(c.DrawSeats(BO, deck_with_top("9c Kc")))
    assert evening.seat("Ann").number == 7
    assert {seat.number for seat in evening.table.seats} == {2, 3, 7}
    assert evening.seat("Cy").number == 3, "the higher card sits right of the banker"


@pytest.mark.law("P-9")
def test_dealer_chooses_first_without_a_banker() -> None:
    """Zed opened the table and never sat down: there is no banker."""
    evening = Evening(host="Zed")
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    assert evening.refuses(c.ChooseSeat(ANN, 5), refusals.NotYourSeatChoice).value.law == "P-9"
    evening.ask(c.DrawForFirstDeal(ANN, deck_with_top("2c As 3c")))
    assert evening.refuses(c.ChooseSeat(ANN, 5), refusals.NotYourSeatChoice).value.chooser == BO
    evening.refuses(c.ChooseDealerSeat(BO, True), refusals.NotYourSeatChoice)
    evening.ask(c.ChooseSeat(BO, 5))
    evening.ask(c.DrawSeats(ANN, deck_with_top("9c Kc")))
    assert evening.seat("Bo").number == 5


@pytest.mark.law("P-11")
def test_substitute_takes_the_seat_of_the_replaced_player() -> None:
    evening = four()
    evening.refuses(c.NameSubstitute(CY, BO), refusals.AlreadySeated)
    evening.ask(c.NameSubstitute(CY, player_id("Sub")))
    refused = evening.refuses(c.TakeSeat(player_id("Sub"), "Sub", 10_000, 6), refusals.SubstituteMustTakeSeat)
    assert (refused.value.law, refused.value.seat_number) == ("P-11", 3)
    evening.begin_hand()
    evening.refuses(c.TakeSeat(player_id("Sub"), "Sub", 10_000), refusals.HandRunning)
    evening.end_hand()
    events = evening.ask(c.TakeSeat(player_id("Sub"), "Sub", 10_000))
    assert isinstance(events[0], e.SeatLeft)
    assert events[0].reason is e.LeaveReason.REPLACED
    assert evening.seat("Sub").number == 3
    assert not evening.is_seated("Cy")
    evening.assert_replays()


@pytest.mark.law("P-11", "TL-27")
def test_substitute_returning_within_an_hour_brings_chips_back() -> None:
    evening = four()
    evening.begin_hand()
    evening.end_hand({"Bo": -5_000, "Di": 5_000})
    evening.ask(c.LeaveTable(DI))
    evening.ask(c.NameSubstitute(CY, DI))
    refused = evening.refuses(c.TakeSeat(DI, "Di", 10_000), refusals.MustBringChipsBack)
    assert (refused.value.law, refused.value.minimum) == ("TL-27", 15_000)


@pytest.mark.law("P-8")
def test_seat_draw_starts_left_of_dealer_and_skips_jokers() -> None:
    """Two queens: of equal ranks the card dealt first is the higher, and Di, left of the dealer, gets the first."""
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3, Di=4)
    evening.ask(c.DrawForFirstDeal(ANN, deck_with_top("2c 3c As 4c")))  # Ann 2, Bo 3, Cy ace: Cy deals
    evening.ask(c.DrawSeats(BO, (JOKER, *deck_with_top("Qc Qd 5c"))))  # Di, Bo, Cy
    assert {name: evening.seat(name).number for name in ("Ann", "Di", "Bo", "Cy")} == {
        "Ann": 1,
        "Di": 4,
        "Bo": 3,
        "Cy": 2,
    }


@pytest.mark.law("TL-40")
def test_staff_can_remove_a_player() -> None:
    evening = four()
    evening.refuses(c.RemovePlayer(BO, CY), refusals.StaffOnly)
    evening.begin_hand()
    evening.ask(c.RemovePlayer(player_id("Staff"), CY, staff=True))
    assert evening.is_seated("Cy"), "Cy is in the hand, which is played to its end"
    evening.end_hand()
    assert not evening.is_seated("Cy")
    evening.ask(c.RemovePlayer(player_id("Staff"), DI, staff=True))
    assert not evening.is_seated("Di")
    evening.sit("Di", 4)
    assert evening.is_seated("Di"), "only who is kept out cannot come back"
    evening.assert_replays()


def test_staff_remove_from_the_waiting_list_too() -> None:
    evening = Evening()
    evening.sit_all(**{name: at for at, name in enumerate(("Ann", "Bo", "C", "D", "E", "F", "G", "H", "I", "J"), 1)})
    evening.ask(c.JoinWaitingList(DI, "Di"))
    staff = player_id("Staff")
    evening.ask(c.RemovePlayer(staff, DI, staff=True))
    assert not evening.table.waiting
    assert evening.refuses(c.RemovePlayer(staff, DI, staff=True), refusals.NotAtTable).value.player == DI


@pytest.mark.law("I-5", "P-12")
def test_seats_do_not_change_during_a_hand() -> None:
    """So nobody can be left out of a hand."""
    evening = four()
    evening.begin_hand()
    assert evening.refuses(c.ExchangeSeats(ANN, 2), refusals.HandRunning).value.law == "P-12"
    evening.refuses(c.DrawSeats(ANN, DECK), refusals.HandRunning)
    evening.refuses(c.ChooseSeat(ANN, 2), refusals.HandRunning)


# Misdeals


@pytest.mark.law("I-2", "TL-29")
def test_only_players_dealt_in_can_claim_a_misdeal() -> None:
    evening = four()
    evening.refuses(c.ClaimMisdeal(ANN), refusals.NoHandRunning)
    evening.begin_hand()
    refused = evening.refuses(c.ClaimMisdeal(player_id("Nobody")), refusals.MisdealClaimNotYours)
    assert refused.value.law == "I-2"
    for who in (ANN, BO, CY):
        evening.ask(c.ClaimMisdeal(who))
        assert not misdeal_agreed(evening.table)
    assert evening.ask(c.ClaimMisdeal(CY)) == ()
    evening.ask(c.ClaimMisdeal(DI))
    assert misdeal_agreed(evening.table)
    evening.assert_replays()


@pytest.mark.law("I-2", "TL-29")
def test_misdeal_is_replayed_with_the_same_button() -> None:
    evening = four()
    before = evening.begin_hand().started
    evening.void_hand()
    again = evening.begin_hand().started
    assert (again.button_seat_number, again.seat_numbers, again.stacks) == (
        before.button_seat_number,
        before.seat_numbers,
        before.stacks,
    )


@pytest.mark.law("I-2", "I-3", "TL-29")
def test_antes_stay_in_when_next_dealer_redeals_a_misdeal() -> None:
    """Hoyle draw with antes of 10: 30 chips stay. If the same dealer deals again, everyone takes back all they put in."""
    card = game("hoyle_draw")
    for how, kept in ((Misdeal.NEXT_DEALER, 10), (Misdeal.REPLAY, 0)):
        dealt = DealtHand(card, 3, options=replace(card.options, misdeal=how))
        after = evolve_all(dealt.hand, claim_misdeal(dealt.hand, "cards fell off the table"))
        assert after.voided
        assert (after.stacks, after.carried_to_next_hand) == ([10_000 - kept] * 3, 3 * kept)
    acted = DealtHand(card, 3).does(Check())
    with pytest.raises(PlayStands):
        claim_misdeal(acted.hand, "too late")


@pytest.mark.law("I-3", "N-1")
def test_next_dealer_deals_for_antes_left_by_a_misdeal() -> None:
    evening = four(misdeal=Misdeal.NEXT_DEALER)
    first = evening.begin_hand().started
    evening.end_hand({"Ann": -10, "Bo": -10, "Cy": -10, "Di": -10}, carried_chips=40, passed_out=False)
    second = evening.begin_hand().started
    assert second.carried == 40
    assert second.button_seat_number != first.button_seat_number
