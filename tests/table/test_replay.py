"""A deal that does not count is played again: the same players, the button where it was, and nobody joins."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine.mixes import Bomb, BombWhen, Change, Game
from bot.engine.options import Button, Limit, Misdeal, Options, Straddle
from bot.engine.usual import usual_stakes
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.deal import straddle_seats
from bot.table.queries import exchange_due
from bot.table.state import Entry, SeatState
from bot.table.view import view
from bot.variants import game
from bot.variants.mixes import compose
from tests.table.story import MINUTE, Evening, player


def four(options: Options | None = None, **house: Any) -> Evening:
    """Ann 1, Bo 3, Cy 5, Di 7; one hand is over, and the second would have its button at 3, blinds at 5 and 7."""
    evening = Evening(options, **house)
    evening.seats(Ann=1, Bo=3, Cy=5, Di=7)
    evening.hand()
    return evening


def joins_later(evening: Evening) -> list[str]:
    return [seat.name for seat in view(evening.table).seats if seat.kept_out]


@pytest.mark.law("TL-29")
def test_who_sat_down_meanwhile_joins_at_the_next_hand() -> None:
    evening = four()
    before = evening.begin().started
    evening.void()
    evening.sit("Eve", 2)
    assert joins_later(evening) == ["Eve"]
    again = evening.begin().started
    assert (again.seats, again.button, again.posts) == (before.seats, before.button, before.posts)
    evening.end()
    assert joins_later(evening) == []
    evening.begin()
    assert 2 in evening.dealt
    evening.replays()


@pytest.mark.law("TL-29")
def test_who_sat_down_while_the_cards_were_out_is_kept_out_as_well() -> None:
    evening = four()
    evening.begin()
    evening.sit("Eve", 6)
    evening.void()
    evening.begin()
    assert 6 not in evening.dealt


@pytest.mark.law("TL-29")
def test_who_was_sitting_out_comes_back_after_the_replay_and_has_missed_nothing_by_it() -> None:
    """Ann's big blind passes her twice, in the deal that does not count and in its replay; she was ready for the second."""
    evening = four()
    evening.hand()
    evening.sit_out("Ann")  # the next big blind
    evening.begin()
    assert evening.places == (5, 7, 3)
    assert evening.seat("Ann").owes_big
    evening.void()
    evening.back("Ann")
    assert joins_later(evening) == ["Ann"]
    evening.begin()
    assert evening.places == (5, 7, 3)
    assert 1 not in evening.dealt
    assert evening.seat("Ann").settled
    evening.end()
    evening.begin()
    assert 1 in evening.dealt
    assert 1 not in evening.posted


@pytest.mark.law("TL-29", "TL-10")
def test_who_stays_away_misses_the_blind_that_passes_him() -> None:
    evening = four()
    evening.hand()
    evening.sit_out("Ann")
    evening.begin()
    evening.void()
    assert not evening.seat("Ann").owes_big
    evening.begin()
    assert evening.seat("Ann").owes_big


@pytest.mark.law("TL-29", "TL-1")
def test_a_rebuy_does_not_buy_a_seat_in_the_replay() -> None:
    evening = four()
    evening.begin()
    evening.end({"Di": -10_000, "Ann": 10_000})
    evening.begin()
    evening.void()
    evening.ask(c.TopUp(player("Di"), 10_000))
    assert joins_later(evening) == ["Di"]
    evening.begin()
    assert 7 not in evening.dealt
    assert evening.seat("Di").state is SeatState.IN


@pytest.mark.law("TL-29")
def test_a_substitute_takes_no_cards_in_the_replay() -> None:
    evening = four()
    evening.begin()
    evening.void()
    evening.ask(c.NameSubstitute(player("Bo"), player("Eve")))
    evening.sit("Eve")
    assert evening.seat("Eve").number == 3
    evening.begin()
    assert evening.dealt == (5, 7, 1)
    assert evening.places == (3, 5, 7)


@pytest.mark.law("TL-29")
def test_who_has_left_is_not_dealt_in_and_the_others_keep_their_places() -> None:
    evening = four()
    evening.begin()
    assert evening.places == (3, 5, 7)
    evening.void()
    evening.leave("Bo")
    evening.begin()
    assert evening.places == (3, 5, 7), "the button rests on the empty seat"
    assert evening.dealt == (5, 7, 1)


@pytest.mark.law("TL-29")
def test_with_a_moving_button_it_stays_as_well() -> None:
    evening = four(Options(button=Button.MOVING))
    evening.begin()
    places = evening.places
    evening.void()
    evening.leave("Bo")  # he had the button
    evening.begin()
    assert evening.places == places == (3, 5, 7)


@pytest.mark.law("TL-29", "TL-12")
def test_who_leaves_and_sits_down_again_has_joined() -> None:
    evening = four()
    evening.begin()
    evening.void()
    evening.leave("Ann")
    evening.sit("Ann", 1)
    evening.begin()
    assert evening.dealt == (5, 7, 3)


@pytest.mark.law("TL-29")
def test_who_only_sat_out_for_a_moment_is_of_the_deal() -> None:
    evening = four()
    before = evening.begin().started
    evening.void()
    evening.sit_out("Ann")
    evening.back("Ann")
    assert evening.begin().started.seats == before.seats


@pytest.mark.law("TL-29", "TL-7")
def test_where_the_big_blind_has_left_the_next_player_posts_it() -> None:
    evening = four()
    evening.begin()
    evening.void()
    evening.leave("Di")
    evening.begin()
    assert evening.places == (3, 5, 1)
    assert evening.posted == {5: {"small blind": 50}, 1: {"big blind": 100}}


@pytest.mark.law("TL-29", "TL-8")
def test_two_who_are_left_replay_it_heads_up() -> None:
    evening = four()
    evening.begin()
    evening.void()
    evening.leave("Ann")
    evening.leave("Bo")
    evening.sit("Eve", 6)
    evening.begin()
    assert evening.places == (5, 5, 7)
    assert evening.dealt == (7, 5)


@pytest.mark.law("TL-29")
def test_with_fewer_than_two_of_them_the_replay_is_off_and_an_ordinary_deal_follows() -> None:
    evening = four()
    evening.begin()
    evening.void()
    evening.sit("Eve", 6)
    evening.leave("Ann")
    evening.leave("Bo")
    assert view(evening.table).replay
    happened = evening.leave("Cy")
    assert e.ReplayDropped() in happened
    assert not view(evening.table).replay
    assert joins_later(evening) == []
    evening.begin()
    assert set(evening.dealt) == {6, 7}
    evening.replays()


@pytest.mark.law("TL-29", "TL-10", "TL-11")
def test_what_was_posted_is_posted_again() -> None:
    """Di owes and posts; she wavers before the replay, which is exact all the same."""
    evening = four()
    evening.sit_out("Di")
    evening.hand()
    evening.hand()
    evening.back("Di", Entry.POST)
    before = evening.begin().started
    assert 7 in evening.dealt
    assert evening.posted[7]["live post"] == 100
    evening.void()
    assert evening.seat("Di").owes_big
    evening.back("Di", Entry.WAIT)
    assert evening.begin().started.posts == before.posts


@pytest.mark.law("TL-29", "TL-11")
def test_the_button_that_was_bought_stays_bought() -> None:
    evening = Evening()
    evening.seats(Ann=1, Cy=3, Flo=6)
    evening.hand()
    evening.sit("Eve", 4)
    evening.back("Eve", Entry.BUY_BUTTON)
    before = evening.begin().started
    assert evening.places == (4, 6, 1)
    evening.void()
    again = evening.begin().started
    assert (again.button, again.posts, again.seats) == (before.button, before.posts, before.seats)


@pytest.mark.law("TL-29", "TL-13")
def test_the_straddle_stands_and_no_other_is_taken() -> None:
    evening = four(Options(straddle=Straddle.LIVE))
    evening.ask(c.PledgeStraddle(player("Ann")))
    before = evening.begin().started
    assert evening.posted[1] == {"straddle": 200}
    evening.void()
    assert straddle_seats(evening.table) == ()
    evening.refuses(c.PledgeStraddle(player("Bo")), errors.StraddleNotYours)
    assert evening.begin().started.posts == before.posts


@pytest.mark.law("TL-29", "D-13")
def test_the_first_deal_of_a_game_is_replayed_from_the_button_that_was_drawn() -> None:
    evening = Evening(Options(limit=Limit.LIMIT))
    evening.seats(Ann=1, Bo=3, Cy=5)
    evening.begin()
    assert evening.places == (1, 3, 5)
    evening.void()
    evening.leave("Ann")
    evening.sit("Di", 2)
    assert evening.seat("Di").owes_big, "the game has begun: a newcomer to limit waits or posts (TL-11)"
    deal = evening.begin()
    assert not any(isinstance(event, e.ButtonDrawn) for event in deal.events)
    assert set(evening.dealt) == {3, 5}


@pytest.mark.law("TL-29", "P-12", "P-10")
def test_seats_do_not_change_before_the_replay() -> None:
    evening = four()
    evening.begin()
    evening.void()
    evening.ask(c.ExchangeSeats(player("Ann"), 3))
    evening.ask(c.ExchangeSeats(player("Bo"), 1))
    assert exchange_due(evening.table) == 0
    evening.now += 61 * MINUTE
    refused = evening.refuses(c.DrawSeats(player("Ann"), tuple(range(52))), errors.HandRunning)
    assert refused.value.law == "TL-29"
    evening.begin()
    assert evening.seat("Ann").number == 1
    evening.end()
    evening.begin()
    assert evening.seat("Ann").number == 3


@pytest.mark.law("TL-29", "H-1")
def test_another_game_by_everybodys_consent_is_no_replay() -> None:
    evening = four(pause_seconds=30)
    evening.begin()
    evening.void()
    evening.sit("Eve", 6)
    now = evening.table.settings
    evening.ask(c.ChangeSettings(player("Ann"), replace(now, stakes=replace(now.stakes, ante=10))))
    for name in ("Bo", "Cy", "Di", "Eve"):
        evening.ask(c.Consent(player(name)))
    assert evening.table.settings.stakes.ante == 10
    evening.begin()
    assert 6 in evening.dealt


@pytest.mark.law("I-3", "TL-29")
def test_where_the_next_dealer_deals_anybody_may_join() -> None:
    evening = four(Options(misdeal=Misdeal.NEXT_DEALER))
    evening.begin()
    evening.void()
    evening.sit("Eve", 6)
    assert not view(evening.table).replay
    evening.begin()
    assert 6 in evening.dealt


@pytest.mark.law("TL-29", "VC-29")
def test_a_bomb_pot_is_replayed_as_a_bomb_pot() -> None:
    card = game("bomb_pot")
    bomb = Bomb(Game(card, card.options, usual_stakes(card)), BombWhen.VOTE)
    evening = four(bomb=bomb)
    for name in ("Ann", "Bo", "Cy", "Di"):
        evening.ask(c.VoteBomb(player(name)))
    before = evening.begin().started
    assert before.card == card
    evening.void()
    evening.sit("Eve", 6)
    again = evening.begin().started
    assert (again.card, again.seats, again.button) == (card, before.seats, before.button)
    evening.end()
    assert evening.begin().started.card != card


@pytest.mark.law("TL-29", "VC-28")
def test_a_mixed_table_does_not_go_on_to_the_next_game_before_the_replay() -> None:
    rotation = replace(compose("Short", [game("holdem"), game("razz")], change=Change.TIME), minutes=30)
    first = rotation.games[0]
    evening = Evening(first.options, first.stakes, card=first.card, rotation=rotation)
    evening.seats(Ann=1, Bo=3, Cy=5)
    evening.begin()
    evening.now += rotation.minutes * MINUTE
    evening.void()
    assert evening.begin().started.card == first.card
    evening.end()
    assert evening.begin().started.card.key == "razz"
