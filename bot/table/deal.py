"""The next hand: who is dealt in, what each posts, and where the button is.

Source: laws D-11 to D-13, TL-7 to TL-14, TL-33, TL-42, A-1, A-2, A-10.
"""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.events import HandStarted, Post, PostKind
from bot.engine.options import Ante, BlindsAnte, Cut, Limit, Straddle, StraddleSeat
from bot.engine.packs import PACKS
from bot.engine.posts import regular_posts
from bot.table import events as e
from bot.table.ceremonies import button_drawn
from bot.table.cutting import cut_for
from bot.table.evolve import evolve, evolve_all
from bot.table.mixing import choice_left_out, openers_asked
from bot.table.next_game import as_dealt, bomb_is_due
from bot.table.positions import Placement, between, clockwise, placement
from bot.table.queries import RATHOLE_MS, exchange_due, ready
from bot.table.state import SeatState, Table

SHUFFLES_MIN = 3
"""The pack is shuffled at least so often before a deal, the last time by the dealer (D-3, D-4)."""


class Deal(Struct, frozen=True):
    """A deal that may begin: the table's events, `HandBegan` among them, and the engine's first event of the hand, which follows.

    `cut`: where the pack is cut before it is dealt (`bot.table.cutting.cut`); empty: nowhere.
    """

    events: tuple[e.Any, ...]
    started: HandStarted
    cut: tuple[int, ...] = ()


def next_hand(table: Table, now: int, pack: Sequence[int]) -> Deal | None:
    """Deal the next hand in, or None when none can be dealt.

    `pack` is a shuffled pack, looked at only when the first button of a game must be drawn for (`draws_button`). Whether the deal is due
    (`Table.next_hand_at`) is the caller's to see.
    """
    happened: list[e.Any] = []
    if 0 < exchange_due(table) <= now:
        happened += exchange_now(table)
        table = evolve_all(table, tuple(happened))
    if not ready(table):
        return None
    for event in choice_left_out(table, now):
        happened.append(event)
        table = evolve(table, event)
    if draws_button(table):
        happened.append(button_drawn(table, tuple(pack)))
        table = evolve(table, happened[-1])
    bomb = bomb_is_due(table)
    rotation = None if bomb else table.settings.rotation
    table = as_dealt(table)
    placed = placement(table)
    assert placed is not None, "enough players and a button, and yet no deal"
    posts = posts_of(table, placed)
    straddler = _straddler(table, placed, posts)
    if straddler:
        posts += (Post(placed.dealt.index(straddler), PostKind.STRADDLE, 2 * table.settings.stakes.big_blind),)
    points, by = _cut(table)
    happened.append(
        e.HandBegan(
            table.hands + 1, now, placed.dealt, placed.button, placed.small, placed.big, straddle=straddler,
            frozen=placed.stands, bomb=bomb, shuffles=max(SHUFFLES_MIN, table.pack.shuffles + 1), cut=points, cut_by=by,
            posting=placed.posting, bought=placed.bought, mixture=rotation.name if rotation is not None else "",
        )
    )  # fmt: skip
    happened += _blinds_missed(table, placed, now)
    stacks = {seat.number: seat.stack for seat in table.seats}
    settings = table.settings
    started = HandStarted(
        card=settings.card,
        options=settings.options,
        stakes=settings.stakes,
        seats=placed.dealt,
        stacks=tuple(stacks[number] for number in placed.dealt),
        posts=posts,
        button=placed.button,
        ask_show=settings.ask_show,
        carried=table.carried,
        openers=openers_asked(settings.card, table.passed),
        ask_run_twice=settings.ask_run_twice,
    )
    return Deal(tuple(happened), started, points)


def _cut(table: Table) -> tuple[tuple[int, ...], int]:
    """Where the pack is cut, and by which seat: as somebody did, else in the middle where it must be (D-5, D-6, TL-41)."""
    done = table.pack
    if done.points or table.settings.options.cut is Cut.MAY:
        return done.points, done.by
    return cut_for(len(PACKS[table.settings.options.deck])), 0


def draws_button(table: Table) -> bool:
    """Tell whether the next deal draws for the button: it is the first of a game, or who drew it plays no more (D-13)."""
    if table.replay is not None:
        return False  # the button stays (TL-29)
    players = {seat.number for seat in table.players}
    return table.positions is None and table.drawn_button not in players


def exchange_now(table: Table) -> tuple[e.SeatsExchanged, ...]:
    """Two players who agreed change seats; nothing if one of them has left (P-12)."""
    if table.exchange is None:
        return ()
    one, other = table.seat_of(table.exchange.player), table.seat_of(table.exchange.other)
    return (e.SeatsExchanged(one.number, other.number),) if one and other else ()


def posts_of(table: Table, placed: Placement) -> tuple[Post, ...]:
    """List what is posted before the cards, in the order of payment; the voluntary straddle comes after it.

    Antes of everyone come first; a blind is paid before the ante that its poster pays for all (TL-14), and the live part of what a
    returning player owes before the dead part. Stacks may be shorter: the engine posts what there is (TL-7).
    """
    options, stakes = table.settings.options, table.settings.stakes
    place = {seat: index for index, seat in enumerate(placed.dealt)}
    if options.ante is not Ante.BLINDS:
        return regular_posts(table.settings.card, options, stakes, len(placed.dealt))
    posts: list[Post] = []
    if stakes.ante and options.blinds_ante is BlindsAnte.EVERYONE:
        posts += [Post(seat, PostKind.ANTE, stakes.ante) for seat in range(len(placed.dealt))]
    if placed.small_posted:
        posts.append(Post(place[placed.small_posted], PostKind.SMALL_BLIND, stakes.small_blind))
    posts.append(Post(place[placed.big], PostKind.BIG_BLIND, stakes.big_blind))
    if stakes.ante and options.blinds_ante is BlindsAnte.BIG_BLIND:
        posts.append(Post(place[placed.big], PostKind.DEAD, stakes.ante))
    if stakes.ante and options.blinds_ante is BlindsAnte.LEFT_OF_DEALER:
        posts.append(Post(0, PostKind.DEAD, stakes.ante))
    for index, number in enumerate(placed.dealt):
        seat = table.seat(number)
        assert seat is not None, "dealt in and not seated"
        bought = number == placed.bought
        if bought or (number in placed.posting and seat.owes_big):
            posts.append(Post(index, PostKind.LIVE, stakes.big_blind))
        if bought or (number in placed.posting and seat.owes_small):
            posts.append(Post(index, PostKind.DEAD, stakes.small_blind))
    return tuple(posts)


def straddle_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that may straddle at the next deal, as things stand, the one asked first first (TL-13).

    The button, where the table allows it and the game is no limit game, then the player left of the big blind; nobody with two players,
    and nobody anew where a deal is replayed (TL-29).
    """
    placed = placement(table)
    return () if placed is None or table.replay is not None else _may_straddle(table, placed)


def _may_straddle(table: Table, placed: Placement) -> tuple[int, ...]:
    options = table.settings.options
    if options.straddle is not Straddle.LIVE or options.ante is not Ante.BLINDS or len(placed.dealt) < 3:
        return ()
    seats: list[int] = []
    on_button = options.straddle_seat is not StraddleSeat.UNDER_THE_GUN and options.limit is not Limit.LIMIT
    if on_button and placed.button in placed.dealt:
        seats.append(placed.button)
    if options.straddle_seat is not StraddleSeat.BUTTON:
        seats.append(clockwise(placed.dealt, placed.big)[0])
    return tuple(seat for seat in dict.fromkeys(seats) if seat not in placed.posting and seat != placed.bought)


def _straddler(table: Table, placed: Placement, posts: tuple[Post, ...]) -> int:
    """The seat whose straddle stands, 0 for none. There is one at most, and it is posted in full (TL-13, TL-42)."""
    replay = table.replay
    for number in _may_straddle(table, placed):
        seat = table.seat(number)
        assert seat is not None, "dealt in and not seated"
        posted = sum(post.chips for post in posts if placed.dealt[post.seat] == number)
        straddles = seat.straddles if replay is None else number == replay.straddle
        if straddles and seat.stack - posted >= 2 * table.settings.stakes.big_blind:
            return number
    return 0


def _blinds_missed(table: Table, placed: Placement, now: int) -> tuple[e.BlindMissed, ...]:
    """The blinds that pass players who take no cards, or who left within the hour (TL-10, TL-12, TL-33).

    The big blind passes every seat between its last place and its next, the small blind every seat from its last place to that of the
    last big blind, this one included. A newcomer who has had no hand yet misses nothing, nor does who only waits for the end of a
    replay (TL-29). Who sits out is told of every big blind.
    """
    last = table.positions
    if last is None or not last.big or not placed.big:
        return ()
    misses_nothing = {seat.number for seat in table.kept_out}
    away = [
        (seat.player, seat.number, seat.owes_small, seat.owes_big and seat.state is not SeatState.OUT)
        for seat in table.seats
        if seat.number not in placed.dealt and not seat.fresh and seat.number not in misses_nothing
    ]
    away += [
        (left.player, left.seat, left.owes_small, left.owes_big)
        for left in table.departures
        if now < left.at + RATHOLE_MS and not left.fresh
    ]
    missed = []
    for player, number, owes_small, owes_big in away:
        big = not owes_big and between(last.big, placed.big, number)
        small = not owes_small and (number == last.big or between(last.small, last.big, number))
        if big or small:
            missed.append(e.BlindMissed(player, number, small, big))
    return tuple(missed)
