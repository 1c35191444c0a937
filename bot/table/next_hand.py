"""Set up the next hand: who is dealt in, what each of them posts, and where the button is.

Laws: D-3 to D-6, D-11 to D-13, TL-7 to TL-14, TL-33, TL-42, A-1, A-2, A-10.
"""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.betting.posts import regular_posts
from bot.engine.dealing.decks import DECKS
from bot.engine.events import HandStarted, Post, PostKind
from bot.engine.options.values import Ante, BlindsAnte, Cut, Limit, StraddleRule, StraddleSeat, Switch
from bot.engine.units import NO_SEAT_NUMBER, SeatIndex, SeatNumber
from bot.table import events as e
from bot.table.ceremonies.deck import default_cut
from bot.table.ceremonies.first_deal import draw_first_button
from bot.table.evolve import evolve, evolve_all
from bot.table.mixed.next_game import bomb_pot_is_due, with_next_hand_settings
from bot.table.mixed.rotation import default_game_choice, required_openers
from bot.table.positions import HandPositions, clockwise, is_between, next_hand_positions
from bot.table.queries import RATHOLE_MS, can_deal, exchange_due_at, is_absent
from bot.table.state import Positions, Seat, SeatStatus, Table

SHUFFLES_MIN = 3
"""The deck is shuffled at least so often before a hand, the last time by the dealer (D-3, D-4)."""


class NextHand(Struct, frozen=True):
    """A hand that can begin.

    Attributes:
        events: the table's events, `HandBegan` among them.
        started: the engine's first event of the hand; it follows them.
        cut_points: where the deck is cut before it is dealt (see `bot.table.ceremonies.deck.cut_cards`); empty for no cut.
    """

    events: tuple[e.TableEvent, ...]
    started: HandStarted
    cut_points: tuple[int, ...] = ()


def next_hand(table: Table, now: int, deck: Sequence[int]) -> NextHand | None:
    """Set up the next hand, or return None when none can be dealt.

    `deck` is a shuffled deck. It is only used to draw for the first button of a game (see `must_draw_button`). The caller checks whether
    the hand is due (`Table.next_hand_at`).
    """
    events: list[e.TableEvent] = []
    if 0 < exchange_due_at(table) <= now:
        events += seat_exchange(table)
        table = evolve_all(table, tuple(events))
    if not can_deal(table):
        return None
    for event in default_game_choice(table, now):
        events.append(event)
        table = evolve(table, event)
    if must_draw_button(table):
        events.append(draw_first_button(table, tuple(deck)))
        table = evolve(table, events[-1])
    bomb_pot = bomb_pot_is_due(table)
    rotation = None if bomb_pot else table.settings.rotation
    table = with_next_hand_settings(table)
    settings = table.settings
    positions = next_hand_positions(table)
    assert positions is not None, "enough players and a button, but no positions"
    posts = posts_for_hand(table, positions)
    straddle_seat = _straddle_seat(table, positions, posts)
    if straddle_seat:
        straddler = positions.dealt_seats.index(straddle_seat)
        posts += (Post(SeatIndex(straddler), PostKind.STRADDLE, 2 * settings.stakes.big_blind),)
    cut_points, cut_by_seat = _deck_cut(table)
    began = e.HandBegan(
        number=table.hands_dealt + 1,
        at=now,
        dealt_seats=positions.dealt_seats,
        button_seat=positions.button_seat,
        small_blind_seat=positions.small_blind_seat,
        big_blind_seat=positions.big_blind_seat,
        straddle_seat=straddle_seat,
        button_stands_still=positions.button_stands_still,
        bomb_pot=bomb_pot,
        shuffles=max(SHUFFLES_MIN, table.deck.shuffles + 1),
        cut_points=cut_points,
        cut_by_seat=cut_by_seat,
        posting_seats=positions.posting_seats,
        button_buyer_seat=positions.button_buyer_seat,
        mixture_name=rotation.name if rotation is not None else "",
    )
    stacks = {seat.number: seat.stack for seat in table.seats}
    started = HandStarted(
        rule_card=settings.rule_card,
        options=settings.options,
        stakes=settings.stakes,
        seat_numbers=positions.dealt_seats,
        stacks=tuple(stacks[number] for number in positions.dealt_seats),
        posts=posts,
        button_seat_number=positions.button_seat,
        ask_show=settings.ask_show,
        carried=table.carried_chips,
        openers_rank=required_openers(settings.rule_card, table.passed_out_hands),
        ask_run_twice=settings.options.run_twice is Switch.ON,
        absent_seats=_absent_seats(table, positions.dealt_seats),
        keeps_cap=settings.is_event and len(positions.dealt_seats) > 2,
    )
    return NextHand((*events, began, *_blinds_missed(table, positions, now)), started, cut_points)


def _absent_seats(table: Table, dealt_seats: tuple[SeatNumber, ...]) -> tuple[SeatIndex, ...]:
    """Return the seats of those who are absent from an event (SG-3)."""
    if not table.settings.is_event:
        return ()
    return tuple(
        [SeatIndex(at) for at, number in enumerate(dealt_seats) if is_absent(table, _dealt_seat(table, number))]
    )


def _deck_cut(table: Table) -> tuple[tuple[int, ...], SeatNumber]:
    """Return where the deck is cut, and by which seat. If a cut is required and nobody cut, the dealer cuts (D-5, D-6, TL-41)."""
    deck = table.deck
    if deck.cut_points or table.settings.options.cut is Cut.MAY:
        return deck.cut_points, deck.cut_by_seat
    return default_cut(len(DECKS[table.settings.options.deck])), NO_SEAT_NUMBER


def must_draw_button(table: Table) -> bool:
    """Tell whether the next hand draws for the button (D-13).

    It does in the first hand of a game, and when the player who drew the button no longer plays. A replay keeps its button (TL-29).
    """
    if table.replay is not None or table.positions is not None:
        return False
    return table.drawn_button_seat not in {seat.number for seat in table.seats_for_next_hand}


def seat_exchange(table: Table) -> tuple[e.SeatsExchanged, ...]:
    """Exchange the seats of two players who agreed on it; nothing happens if one of them has left (P-12)."""
    if table.exchange is None:
        return ()
    seat, other = table.seat_of(table.exchange.player), table.seat_of(table.exchange.other_player)
    return (e.SeatsExchanged(seat.number, other.number),) if seat and other else ()


def posts_for_hand(table: Table, positions: HandPositions) -> tuple[Post, ...]:
    """Return what is posted before the cards, in the order of payment. The voluntary straddle comes after it.

    Antes of everyone come first. A blind is paid before the ante that its poster pays for all (TL-14), unless the event has it otherwise
    (SG-5). Of what a returning player owes, the live part comes before the dead part. Stacks can be shorter than that: the engine posts
    what is there (TL-7).
    """
    options, stakes = table.settings.options, table.settings.stakes
    dealt_seats = positions.dealt_seats
    if options.ante is not Ante.BLINDS:
        return regular_posts(table.settings.rule_card, options, stakes, len(dealt_seats))
    posts: list[Post] = []
    if stakes.ante and options.blinds_ante is BlindsAnte.EVERYONE:
        posts += [Post(SeatIndex(seat_index), PostKind.ANTE, stakes.ante) for seat_index in range(len(dealt_seats))]
    if positions.small_blind_poster_seat:
        small_blind = dealt_seats.index(positions.small_blind_poster_seat)
        posts.append(Post(SeatIndex(small_blind), PostKind.SMALL_BLIND, stakes.small_blind))
    big_blind = dealt_seats.index(positions.big_blind_seat)
    of_big_blind = [Post(SeatIndex(big_blind), PostKind.BIG_BLIND, stakes.big_blind)]
    if stakes.ante and options.blinds_ante is BlindsAnte.BIG_BLIND:
        ante = Post(SeatIndex(big_blind), PostKind.DEAD, stakes.ante)
        of_big_blind = [ante, *of_big_blind] if table.settings.ante_first else [*of_big_blind, ante]
    posts += of_big_blind
    if stakes.ante and options.blinds_ante is BlindsAnte.LEFT_OF_DEALER:
        posts.append(Post(SeatIndex(0), PostKind.DEAD, stakes.ante))
    for seat_index, number in enumerate(dealt_seats):
        seat = _dealt_seat(table, number)
        buys_button, posts_debt = number == positions.button_buyer_seat, number in positions.posting_seats
        if buys_button or (posts_debt and seat.owes_big):
            posts.append(Post(SeatIndex(seat_index), PostKind.LIVE, stakes.big_blind))
        if buys_button or (posts_debt and seat.owes_small):
            posts.append(Post(SeatIndex(seat_index), PostKind.DEAD, stakes.small_blind))
    return tuple(posts)


def _dealt_seat(table: Table, number: SeatNumber) -> Seat:
    seat = table.seat(number)
    assert seat is not None, "dealt in and not seated"
    return seat


def straddle_seats(table: Table) -> tuple[SeatNumber, ...]:
    """Return the seats that can straddle in the next hand, as things stand, in the order in which they are asked (TL-13).

    The button comes first, if the table allows it and the game is not a limit game, then the player left of the big blind. Nobody can
    straddle heads-up, or in the replay of a hand (TL-29).
    """
    positions = next_hand_positions(table)
    return () if positions is None or table.replay is not None else _straddle_seats_at(table, positions)


def _straddle_seats_at(table: Table, positions: HandPositions) -> tuple[SeatNumber, ...]:
    options = table.settings.options
    if options.straddle is not StraddleRule.LIVE or options.ante is not Ante.BLINDS or len(positions.dealt_seats) < 3:
        return ()
    seats: list[SeatNumber] = []
    on_button = options.straddle_seat is not StraddleSeat.UNDER_THE_GUN and options.limit is not Limit.LIMIT
    if on_button and positions.button_seat in positions.dealt_seats:
        seats.append(positions.button_seat)
    if options.straddle_seat is not StraddleSeat.BUTTON:
        seats.append(clockwise(positions.dealt_seats, positions.big_blind_seat)[0])
    posting = {*positions.posting_seats, positions.button_buyer_seat}
    return tuple(seat for seat in dict.fromkeys(seats) if seat not in posting)


def _straddle_seat(table: Table, positions: HandPositions, posts: tuple[Post, ...]) -> SeatNumber:
    """Return the seat that straddles, 0 for none. There is at most one straddle, and it is posted in full (TL-13, TL-42)."""
    replay = table.replay
    for number in _straddle_seats_at(table, positions):
        seat = _dealt_seat(table, number)
        posted = sum(post.chips for post in posts if positions.dealt_seats[post.seat] == number)
        straddles = seat.wants_straddle if replay is None else number == replay.straddle_seat
        if straddles and seat.stack - posted >= 2 * table.settings.stakes.big_blind:
            return number
    return NO_SEAT_NUMBER


def _blinds_missed(table: Table, positions: HandPositions, now: int) -> tuple[e.BlindMissed, ...]:
    """Return the blinds that pass players who are not dealt in, or who left within the hour (TL-10, TL-12, TL-33).

    A newcomer who has not had a hand yet misses nothing. Neither does a player who only waits for the end of a replay (TL-29). A player who
    sits out misses every big blind, even if they owe one already: it counts towards their absence.
    """
    last = table.positions
    if last is None or not last.big_blind_seat or not positions.big_blind_seat:
        return ()
    kept_out = {seat.number for seat in table.kept_out_of_replay}
    missed = []
    for seat in table.seats:
        if seat.number in positions.dealt_seats or seat.newcomer or seat.number in kept_out:
            continue
        small, big = _blinds_passing(seat.number, last, positions)
        missed.append(
            e.BlindMissed(
                seat.player,
                seat.number,
                small_blind=small and not seat.owes_small,
                big_blind=big and (seat.status is SeatStatus.SITTING_OUT or not seat.owes_big),
            )
        )
    for gone in table.departures:
        if now < gone.at + RATHOLE_MS and not gone.newcomer:
            small, big = _blinds_passing(gone.seat_number, last, positions)
            missed.append(
                e.BlindMissed(gone.player, gone.seat_number, small and not gone.owes_small, big and not gone.owes_big)
            )
    return tuple(event for event in missed if event.small_blind or event.big_blind)


def _blinds_passing(number: SeatNumber, last: Positions, positions: HandPositions) -> tuple[bool, bool]:
    """Tell whether the small and the big blind pass a seat on their way from the last hand to this one.

    The big blind passes every seat between its last seat and its next. The small blind passes every seat between its last seat and the last
    big blind, and that one too.
    """
    small = number == last.big_blind_seat or is_between(last.small_blind_seat, last.big_blind_seat, number)
    big = is_between(last.big_blind_seat, positions.big_blind_seat, number)
    return small, big
