"""What people, and the dealer himself, may ask of a table: each a small function that asks it of a draft.

Source: design §4; laws TL-35, I-1, P-7.
"""

from collections.abc import Callable
from typing import TypeAlias

from bot.engine import commands as c
from bot.engine.refusals import HandOver, NotDealtIn
from bot.runtime.asked import Asked
from bot.runtime.draft import Draft, Thought, usual_buy_in
from bot.runtime.errors import StaleButton
from bot.table import commands as t
from bot.table.errors import HostOnly, PracticeTablesOnly, TableFull
from bot.table.preselected import Choice
from bot.table.preselecting import of_this_street
from bot.table.queries import check_void, host_of, vacant

Ruling: TypeAlias = Callable[[Draft], None]
"""Asks something of a draft; raises a `TableError` where it is refused. It may be run again, on a newer table."""

PRACTICE_IDS = 100
"""Practice player number n of table t has the id -(100 t + n)."""


def act(asked: Asked, command: c.Command) -> Ruling:
    """An action in the hand, by whoever asks."""

    def ruling(draft: Draft) -> None:
        hand = draft.hand
        if asked.hand >= 0 and hand is not None:
            over = hand.over and isinstance(command, c.Show)  # showing after the end: any moment of that hand will do
            if asked.hand != draft.table.hands or (asked.turn not in (-1, hand.turn) and not over):
                raise StaleButton(hand=asked.hand, turn=asked.turn, now_hand=draft.table.hands, now_turn=hand.turn)
        if hand is None:
            raise HandOver
        for seat, player in enumerate(draft.dealt):
            if player.user == asked.user:
                draft.play(seat, command)
                return
        raise NotDealtIn

    return ruling


def preselect(asked: Asked, choice: Choice | None, chips: int = 0) -> Ruling:
    """Choose before one's turn what one does at it; None takes it back. `chips`: the call that was offered, 0 for whatever it is (TL-34).

    A button is good for its street: those who are before him may have acted since it was drawn.
    """

    def ruling(draft: Draft) -> None:
        hand = draft.hand
        if hand is None or draft.table.running is None:
            raise HandOver
        if asked.hand >= 0 and (asked.hand != draft.table.hands or not of_this_street(hand, asked.turn)):
            raise StaleButton(hand=asked.hand, turn=asked.turn, now_hand=draft.table.hands, now_turn=hand.turn)
        seat = next((place for place, player in enumerate(draft.dealt) if player.user == asked.user), None)
        if seat is None:
            raise NotDealtIn
        if choice is None:
            draft.forget_preselection(seat)
        else:
            draft.preselect(seat, choice, chips)

    return ruling


def table_command(command: t.Any) -> Ruling:
    """Something the table rules on."""

    def ruling(draft: Draft) -> None:
        draft.ask_table(command)

    return ruling


def call_time(asked: Asked) -> Ruling:
    """The player to act says that he takes his time bank (TL-31)."""

    def ruling(draft: Draft) -> None:
        draft.ask_table(t.CallTime(asked.user, draft.due.seat if draft.due is not None else 0))

    return ruling


def draw_seats(asked: Asked) -> Ruling:
    """Draw for seats (P-7, P-10)."""

    def ruling(draft: Draft) -> None:
        draft.ask_table(t.DrawSeats(asked.user, draft.shuffled()))

    return ruling


def draw_for_deal(asked: Asked) -> Ruling:
    """Draw for the first deal (D-1, D-2, D-13)."""

    def ruling(draft: Draft) -> None:
        draft.ask_table(t.DrawForDeal(asked.user, draft.shuffled()))

    return ruling


def cut_for_deal(asked: Asked, position: int) -> Ruling:
    """Cut for the first deal (D-2)."""

    def ruling(draft: Draft) -> None:
        draft.ask_table(t.CutForDeal(asked.user, position, draft.shuffled()))

    return ruling


def claim_misdeal(asked: Asked) -> Ruling:
    """Say that the deal was irregular (I-2, TL-29)."""

    def ruling(draft: Draft) -> None:
        draft.claim_misdeal(asked.user, "the players agree that the deal was irregular")

    return ruling


def void(asked: Asked, reason: str) -> Ruling:
    """Void the running hand (design §3)."""

    def ruling(draft: Draft) -> None:
        check_void(draft.table, asked.user, reason, staff=asked.staff)
        draft.void("I-1", reason.strip())

    return ruling


def close_at_once(reason: str) -> Ruling:
    """Void a running hand and close the table: nobody can play there any more."""

    def ruling(draft: Draft) -> None:
        if draft.table.running is not None:
            draft.void("I-1", reason)
            draft.settle()
        draft.close()

    return ruling


def move(channel: int) -> Ruling:
    """The table goes on in another channel."""

    def ruling(draft: Draft) -> None:
        draft.move_to(channel)

    return ruling


def seat_practice(asked: Asked, players: int, names: tuple[str, ...]) -> Ruling:
    """Seat practice players, as far as there are seats. For host and staff."""

    def ruling(draft: Draft) -> None:
        table = draft.table
        if not table.settings.practice:
            raise PracticeTablesOnly
        if not asked.staff and asked.user != host_of(table):
            raise HostOnly(host=host_of(table))
        if not vacant(table):
            raise TableFull(seats=table.settings.seats, pack_limit=False)
        for _ in range(min(players, len(vacant(table)))):
            _seat_one(draft, names)

    return ruling


def _seat_one(draft: Draft, names: tuple[str, ...]) -> None:
    table = draft.table
    taken = {seat.player for seat in table.seats} | {left.player for left in table.departures}
    number = next(n for n in range(1, PRACTICE_IDS) if -(PRACTICE_IDS * draft.place.id + n) not in taken)
    player = -(PRACTICE_IDS * draft.place.id + number)
    chips = usual_buy_in(table)
    draft.pay_practice(player, chips)
    name = names[(number - 1) % len(names)] if names else f"Practice {number}"
    lot = draft.lot()
    draft.ask_table(t.Sit(player, name, chips, 0, lot, practice=True))


def practice(thought: Thought, command: Callable[[], c.Command]) -> Ruling:
    """What a practice player has come to; `command` raises what went wrong with it. Nothing, where the turn is another one by now."""

    def ruling(draft: Draft) -> None:
        if draft.awaits(thought):
            draft.play_practice(thought.place, command())

    return ruling


def time_passes(draft: Draft) -> None:
    """What is due by now: a turn that ran out, the next deal, an offer that lapsed, an idle table. Nothing, if nothing is."""
    if draft.overdue():
        draft.time_out()
    elif draft.deal_due():
        if not draft.deal():
            draft.ask_table(t.Tick())
    elif draft.tick_due():
        draft.ask_table(t.Tick())
