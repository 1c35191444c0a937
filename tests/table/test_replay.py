"""A hand that does not count is replayed: with the same players, the same button, and nobody new."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine.mixes import BombPot, BombPotTrigger, Game, RotationChange
from bot.engine.options.types import Options
from bot.engine.options.values import ButtonRule, Limit, Misdeal, StraddleRule
from bot.engine.usual_stakes import usual_stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.next_hand import straddle_seats
from bot.table.queries import exchange_due_at
from bot.table.state import EntryMethod, SeatStatus
from bot.table.view import view_table
from bot.variants import game
from bot.variants.mixes import compose_rotation
from tests.table.evening import MINUTE_MS, Evening, player_id


def four(options: Options | None = None, **house: Any) -> Evening:
    """Ann 1, Bo 3, Cy 5, Di 7 after one hand. The second would have its button at 3 and the blinds at 5 and 7."""
    evening = Evening(options, **house)
    evening.sit_all(Ann=1, Bo=3, Cy=5, Di=7)
    evening.play_hand()
    return evening


def kept_out_players(evening: Evening) -> list[str]:
    return [seat.name for seat in view_table(evening.table).seats if seat.kept_out_of_replay]


@pytest.mark.law("TL-29")
def test_player_seated_before_the_replay_joins_afterwards() -> None:
    evening = four()
    before = evening.begin_hand().started
    evening.void_hand()
    evening.sit("Eve", 2)
    assert kept_out_players(evening) == ["Eve"]
    again = evening.begin_hand().started
    assert (again.seat_numbers, again.button_seat_number, again.posts) == (
        before.seat_numbers,
        before.button_seat_number,
        before.posts,
    )
    evening.end_hand()
    assert kept_out_players(evening) == []
    evening.begin_hand()
    assert 2 in evening.dealt
    evening.assert_replays()


@pytest.mark.law("TL-29")
def test_player_seated_during_the_voided_hand_misses_the_replay() -> None:
    evening = four()
    evening.begin_hand()
    evening.sit("Eve", 6)
    evening.void_hand()
    evening.begin_hand()
    assert 6 not in evening.dealt


@pytest.mark.law("TL-29")
def test_player_sitting_out_returns_after_replay_without_missed_blinds() -> None:
    """The big blind passes Ann twice, in the voided hand and in its replay; she was ready for the second."""
    evening = four()
    evening.play_hand()
    evening.sit_out("Ann")  # the next big blind
    evening.begin_hand()
    assert evening.positions == (5, 7, 3)
    assert evening.seat("Ann").owes_big
    evening.void_hand()
    evening.come_back("Ann")
    assert kept_out_players(evening) == ["Ann"]
    evening.begin_hand()
    assert evening.positions == (5, 7, 3)
    assert 1 not in evening.dealt
    assert evening.seat("Ann").is_settled
    evening.end_hand()
    evening.begin_hand()
    assert 1 in evening.dealt
    assert 1 not in evening.posted


@pytest.mark.law("TL-29", "TL-10")
def test_player_still_away_misses_the_blind_in_replay() -> None:
    evening = four()
    evening.play_hand()
    evening.sit_out("Ann")
    evening.begin_hand()
    evening.void_hand()
    assert not evening.seat("Ann").owes_big
    evening.begin_hand()
    assert evening.seat("Ann").owes_big


@pytest.mark.law("TL-29", "TL-1")
def test_rebuy_gives_no_seat_in_the_replay() -> None:
    evening = four()
    evening.begin_hand()
    evening.end_hand({"Di": -10_000, "Ann": 10_000})
    evening.begin_hand()
    evening.void_hand()
    evening.ask(c.TopUp(player_id("Di"), 10_000))
    assert kept_out_players(evening) == ["Di"]
    evening.begin_hand()
    assert 7 not in evening.dealt
    assert evening.seat("Di").status is SeatStatus.PLAYING


@pytest.mark.law("TL-29")
def test_substitute_gets_no_cards_in_the_replay() -> None:
    evening = four()
    evening.begin_hand()
    evening.void_hand()
    evening.ask(c.NameSubstitute(player_id("Bo"), player_id("Eve")))
    evening.sit("Eve")
    assert evening.seat("Eve").number == 3
    evening.begin_hand()
    assert evening.dealt == (5, 7, 1)
    assert evening.positions == (3, 5, 7)


@pytest.mark.law("TL-29")
def test_departed_player_is_skipped_and_positions_stay() -> None:
    evening = four()
    evening.begin_hand()
    assert evening.positions == (3, 5, 7)
    evening.void_hand()
    evening.leave("Bo")
    evening.begin_hand()
    assert evening.positions == (3, 5, 7), "the button rests on the empty seat"
    assert evening.dealt == (5, 7, 1)


@pytest.mark.law("TL-29")
def test_moving_button_stays_for_the_replay() -> None:
    evening = four(Options(button=ButtonRule.MOVING))
    evening.begin_hand()
    positions = evening.positions
    evening.void_hand()
    evening.leave("Bo")  # Bo had the button
    evening.begin_hand()
    assert evening.positions == positions == (3, 5, 7)


@pytest.mark.law("TL-29", "TL-12")
def test_player_who_leaves_and_returns_misses_the_replay() -> None:
    evening = four()
    evening.begin_hand()
    evening.void_hand()
    evening.leave("Ann")
    evening.sit("Ann", 1)
    evening.begin_hand()
    assert evening.dealt == (5, 7, 3)


@pytest.mark.law("TL-29")
def test_player_who_briefly_sat_out_is_in_the_replay() -> None:
    evening = four()
    before = evening.begin_hand().started
    evening.void_hand()
    evening.sit_out("Ann")
    evening.come_back("Ann")
    assert evening.begin_hand().started.seat_numbers == before.seat_numbers


@pytest.mark.law("TL-29", "TL-7")
def test_next_player_posts_the_departed_players_big_blind() -> None:
    evening = four()
    evening.begin_hand()
    evening.void_hand()
    evening.leave("Di")
    evening.begin_hand()
    assert evening.positions == (3, 5, 1)
    assert evening.posted == {5: {"small blind": 50}, 1: {"big blind": 100}}


@pytest.mark.law("TL-29", "TL-8")
def test_two_remaining_players_replay_heads_up() -> None:
    evening = four()
    evening.begin_hand()
    evening.void_hand()
    evening.leave("Ann")
    evening.leave("Bo")
    evening.sit("Eve", 6)
    evening.begin_hand()
    assert evening.positions == (5, 5, 7)
    assert evening.dealt == (7, 5)


@pytest.mark.law("TL-29")
def test_replay_is_cancelled_with_fewer_than_two_players() -> None:
    evening = four()
    evening.begin_hand()
    evening.void_hand()
    evening.sit("Eve", 6)
    evening.leave("Ann")
    evening.leave("Bo")
    assert view_table(evening.table).replay
    events = evening.leave("Cy")
    assert e.ReplayCancelled() in events
    assert not view_table(evening.table).replay
    assert kept_out_players(evening) == []
    evening.begin_hand()
    assert set(evening.dealt) == {6, 7}
    evening.assert_replays()


@pytest.mark.law("TL-29", "TL-10", "TL-11")
def test_posts_are_posted_again_in_the_replay() -> None:
    """Di owes blinds and posts them. She changes her mind before the replay, but the replay is exact."""
    evening = four()
    evening.sit_out("Di")
    evening.play_hand()
    evening.play_hand()
    evening.come_back("Di", EntryMethod.POST)
    before = evening.begin_hand().started
    assert 7 in evening.dealt
    assert evening.posted[7]["live post"] == 100
    evening.void_hand()
    assert evening.seat("Di").owes_big
    evening.come_back("Di", EntryMethod.WAIT)
    assert evening.begin_hand().started.posts == before.posts


@pytest.mark.law("TL-29", "TL-11")
def test_bought_button_stays_bought_in_the_replay() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Cy=3, Flo=6)
    evening.play_hand()
    evening.sit("Eve", 4)
    evening.come_back("Eve", EntryMethod.BUY_BUTTON)
    before = evening.begin_hand().started
    assert evening.positions == (4, 6, 1)
    evening.void_hand()
    again = evening.begin_hand().started
    assert (again.button_seat_number, again.posts, again.seat_numbers) == (
        before.button_seat_number,
        before.posts,
        before.seat_numbers,
    )


@pytest.mark.law("TL-29", "TL-13")
def test_replay_keeps_its_straddle_and_allows_no_other() -> None:
    evening = four(Options(straddle=StraddleRule.LIVE))
    evening.ask(c.PledgeStraddle(player_id("Ann")))
    before = evening.begin_hand().started
    assert evening.posted[1] == {"straddle": 200}
    evening.void_hand()
    assert straddle_seats(evening.table) == ()
    evening.refuses(c.PledgeStraddle(player_id("Bo")), refusals.StraddleNotYours)
    assert evening.begin_hand().started.posts == before.posts


@pytest.mark.law("TL-29", "D-13")
def test_first_hand_is_replayed_from_the_drawn_button() -> None:
    evening = Evening(Options(limit=Limit.LIMIT))
    evening.sit_all(Ann=1, Bo=3, Cy=5)
    evening.begin_hand()
    assert evening.positions == (1, 3, 5)
    evening.void_hand()
    evening.leave("Ann")
    evening.sit("Di", 2)
    assert evening.seat("Di").owes_big, "the game has begun: a newcomer to limit waits or posts (TL-11)"
    deal = evening.begin_hand()
    assert not any(isinstance(event, e.ButtonDrawn) for event in deal.events)
    assert set(evening.dealt) == {3, 5}


@pytest.mark.law("TL-29", "P-12", "P-10")
def test_seats_do_not_change_before_the_replay() -> None:
    evening = four()
    evening.begin_hand()
    evening.void_hand()
    evening.ask(c.ExchangeSeats(player_id("Ann"), 3))
    evening.ask(c.ExchangeSeats(player_id("Bo"), 1))
    assert exchange_due_at(evening.table) == 0
    evening.now += 61 * MINUTE_MS
    refused = evening.refuses(c.DrawSeats(player_id("Ann"), tuple(range(52))), refusals.HandRunning)
    assert refused.value.law == "TL-29"
    evening.begin_hand()
    assert evening.seat("Ann").number == 1
    evening.end_hand()
    evening.begin_hand()
    assert evening.seat("Ann").number == 3


@pytest.mark.law("TL-29", "H-1")
def test_agreed_change_of_game_ends_the_replay() -> None:
    evening = four(pause_seconds=30)
    evening.begin_hand()
    evening.void_hand()
    evening.sit("Eve", 6)
    now = evening.table.settings
    evening.ask(c.ChangeSettings(player_id("Ann"), replace(now, stakes=replace(now.stakes, ante=10))))
    for name in ("Bo", "Cy", "Di", "Eve"):
        evening.ask(c.Consent(player_id(name)))
    assert evening.table.settings.stakes.ante == 10
    evening.begin_hand()
    assert 6 in evening.dealt


@pytest.mark.law("I-3", "TL-29")
def test_anybody_can_join_when_next_dealer_redeals() -> None:
    evening = four(Options(misdeal=Misdeal.NEXT_DEALER))
    evening.begin_hand()
    evening.void_hand()
    evening.sit("Eve", 6)
    assert not view_table(evening.table).replay
    evening.begin_hand()
    assert 6 in evening.dealt


@pytest.mark.law("TL-29", "VC-29")
def test_bomb_pot_is_replayed_as_a_bomb_pot() -> None:
    card = game("bomb_pot")
    bomb = BombPot(Game(card, card.options, usual_stakes(card)), BombPotTrigger.VOTE)
    evening = four(bomb_pot=bomb)
    for name in ("Ann", "Bo", "Cy", "Di"):
        evening.ask(c.VoteForBombPot(player_id(name)))
    before = evening.begin_hand().started
    assert before.rule_card == card
    evening.void_hand()
    evening.sit("Eve", 6)
    again = evening.begin_hand().started
    assert (again.rule_card, again.seat_numbers, again.button_seat_number) == (
        card,
        before.seat_numbers,
        before.button_seat_number,
    )
    evening.end_hand()
    assert evening.begin_hand().started.rule_card != card


@pytest.mark.law("TL-29", "VC-28")
def test_mixed_table_keeps_its_game_until_the_replay() -> None:
    rotation = replace(
        compose_rotation("Short", [game("holdem"), game("razz")], change=RotationChange.TIME), minutes=30
    )
    first = rotation.games[0]
    evening = Evening(first.options, first.stakes, rule_card=first.rule_card, rotation=rotation)
    evening.sit_all(Ann=1, Bo=3, Cy=5)
    evening.begin_hand()
    evening.now += rotation.minutes * MINUTE_MS
    evening.void_hand()
    assert evening.begin_hand().started.rule_card == first.rule_card
    evening.end_hand()
    assert evening.begin_hand().started.rule_card.key == "razz"
