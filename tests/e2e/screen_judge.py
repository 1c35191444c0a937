"""What people have on their screens is right: nothing twice, nothing lost, no old cards. It is read from Discord alone.

The judge knows the table as it is saved, and looks at what Discord holds: the channel, the direct messages, the private answers.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime

import msgspec

from bot.runtime.snapshot import TableSnapshot
from tests.e2e.faulty_evening import FaultyEvening, Guest, pressable
from tests.e2e.leak_watcher import cards_named
from tests.support.discord_double import Json, _lines

FOLLOW_UPS_A_MINUTE, FOLLOW_UPS_USED_UP = 20, 15
"""How many follow-ups there can be in a channel, and after how many the rest is kept for the table and for whoever is to act."""
REDRAW_SECONDS = 20.0
"""The time between two redraws of a table by the bot's own token, of turns that follow one another in a street."""
PANEL_IS_BELOW, BELOW_SECONDS = "Your cards are below.", 6.0
"""What a panel says that has moved, and within how many seconds it goes."""
_HAND = re.compile(r"[Hh]and #(\d+)")
_OVER = re.compile(
    r"\b(?:wins?|won|loses?|lost|over|ended|closed|paid|cancelled|undone|returned)\b|Show the table what you had"
)
"""What a message says of a hand that is over."""


def text_of(message: Json) -> str:
    """Return what a person reads in a message, without what can be pressed."""
    lines = [message["content"], *_lines(message["components"])]
    return "\n".join(line for line in lines if line and not line.startswith(("[", "(")))


def live_tables(messages: list[Json], table: int) -> list[Json]:
    """Return the messages that carry buttons of a table."""
    return [each for each in messages if any(id_.startswith(f"t:{table}:") for id_ in pressable(each))]


class ScreenJudge:
    """Judges the screens of an evening, five quiet seconds after the last fault."""

    def __init__(self, evening: FaultyEvening) -> None:
        self._evening = evening

    async def faults(self) -> list[str]:
        """Return what is wrong on the screens, in words."""
        now = self._evening.table
        if now is None:
            return ["the table is gone"]
        found = [f"the dealer logged an error: {text}" for text in self._evening.errors.texts]
        found += [f"asked before the login: {asked}" for asked in self._evening.line.before_login]
        found += self.faults_of_channel(now) + self.faults_of_posts()
        for guest in self._evening.guests:
            found += self.faults_of_direct_messages(guest, now)
            found += self.faults_of_old_cards(guest, now)
            found += self.faults_of_panels(guest, now)
            found += await self.faults_of_own_cards(guest, now)
        return found

    def faults_of_channel(self, now: TableSnapshot) -> list[str]:
        """There is exactly one live message of the table, and it shows the turn that it is.

        Where no click's token can edit it, the bot's own redraws it every twenty seconds, and sooner only for more than a turn.
        """
        messages = self._evening.public()
        live = live_tables(messages, now.id)
        if len(live) != 1:
            return [f"{len(live)} live messages of the table", *(f"  live: {text_of(each)!r}" for each in live)]
        turn = f"t:{now.id}:{now.hand_number}:"
        if now.hand_running and now.current_turn is not None:
            turn += f"{now.decision_number}:" if not self._is_redrawn_later(live[0]) else ""
        if not any(id_.startswith(turn) for id_ in pressable(live[0])) and now.hand_running:
            return [
                f"the table does not show hand #{now.hand_number}, turn {now.decision_number}: {text_of(live[0])!r}"
            ]
        return []

    def _is_redrawn_later(self, table: Json) -> bool:
        is_fresh = self._evening.stand_in.clock.now() < _drawn_at(table) + REDRAW_SECONDS
        return is_fresh and not self._evening.has_token(table)

    def faults_of_posts(self) -> list[str]:
        """No two public messages and no two direct messages say the same. A private answer can have a twin."""
        found = []
        places = {f"the channel {name}": messages for name, messages in self._evening.all_public().items()}
        places |= {f"the direct messages of {each.name}": self._evening.direct(each) for each in self._evening.guests}
        for place, messages in places.items():
            own = [each for each in messages if each["author"]["id"] == self._evening.stand_in.world.bot.id]
            said = Counter((text_of(each), tuple(pressable(each))) for each in own)
            found += [f"twice in {place}: {text!r}" for (text, _), count in said.items() if count > 1]
        called = Counter(self._evening.calls)
        found += [f"called twice: {text!r}" for (_, text), count in called.items() if count > 1]
        return found

    def faults_of_direct_messages(self, guest: Guest, now: TableSnapshot) -> list[str]:
        """A table has one direct message with a person's cards."""
        with_cards = [each for each in self._evening.direct(guest) if self._shows_cards(each)]
        if len(with_cards) > 1:
            return [f"{guest.name} has {len(with_cards)} direct messages with cards: {list(map(text_of, with_cards))}"]
        return []

    def faults_of_old_cards(self, guest: Guest, now: TableSnapshot) -> list[str]:
        """Private cards name their hand. It is the current one, or they say that it is over.

        A private answer that the dealer may not know of can only name its hand. So does, for a while, a panel
        where the follow-ups of the minute are used up.
        """
        found = []
        turn = now.current_turn
        waits = turn is None or turn.user != int(guest.user)
        used = self._evening.edits_by_token()
        is_late = used >= FOLLOW_UPS_A_MINUTE or (waits and used >= FOLLOW_UPS_USED_UP)
        for place, messages in (
            ("a direct message", self._evening.direct(guest)),
            ("a panel", self._evening.private(guest)),
        ):
            for message in filter(self._shows_cards, messages):
                text = text_of(message)
                numbers = [int(number) for number in _HAND.findall(text)]
                if not numbers:
                    found.append(f"{place} of {guest.name} shows cards of no hand: {text!r}")
                elif message["id"] in self._evening.doubtful or (is_late and place == "a panel"):
                    continue
                elif max(numbers) < now.hand_number and now.hand_running and not _OVER.search(text):
                    found.append(f"{place} of {guest.name} shows old cards in hand #{now.hand_number}: {text!r}")
        return found

    def faults_of_panels(self, guest: Guest, now: TableSnapshot) -> list[str]:
        """A person has one panel with buttons of the hand, and none that has said for longer than it should that it goes on below.

        A private answer that the dealer may not know of can be one more.
        """
        found = []
        of_hand = f"t:{now.id}:{now.hand_number}:"
        private = [each for each in self._evening.private(guest) if each["id"] not in self._evening.doubtful]
        panels = [
            each
            for each in private
            if "My hand #" in text_of(each) and any(id_.startswith(of_hand) for id_ in pressable(each))
        ]
        if len(panels) > 1:
            found.append(f"{guest.name} has {len(panels)} panels with buttons: {list(map(text_of, panels))}")
        since = self._evening.stand_in.clock.now() - BELOW_SECONDS
        below = [each for each in private if PANEL_IS_BELOW in text_of(each) and _drawn_at(each) < since]
        return found + [f"{guest.name} still reads: {text_of(each)!r}" for each in below]

    async def faults_of_own_cards(self, guest: Guest, now: TableSnapshot) -> list[str]:
        """Who has been dealt cards reads them in a direct message or a panel, or after one press of *My hand*."""
        cards = _own_cards(guest, now)
        if not now.hand_running or not cards or self._can_read(guest, now, cards):
            return []
        answered = await self._evening.open_panel(guest)
        if self._can_read(guest, now, cards):
            return []
        screens = [text_of(each) for each in (*self._evening.direct(guest), *self._evening.private(guest))]
        how = "also after pressing My hand" if answered else "and My hand does not answer"
        return [f"{guest.name} cannot read their cards of hand #{now.hand_number}, {how}: {screens}"]

    def _can_read(self, guest: Guest, now: TableSnapshot, cards: set[int]) -> bool:
        return any(
            f"and #{now.hand_number}" in text_of(each) and cards <= cards_named(_written(each))
            for each in (*self._evening.direct(guest), *self._evening.private(guest))
        )

    @staticmethod
    def _shows_cards(message: Json) -> bool:
        return bool(cards_named(_written(message)))


def _drawn_at(message: Json) -> float:
    return datetime.fromisoformat(message["edited_timestamp"] or message["timestamp"]).timestamp()


def _written(message: Json) -> str:
    return msgspec.json.encode([message["content"], message["components"]]).decode()


def _own_cards(guest: Guest, now: TableSnapshot) -> set[int]:
    """Return the cards that a guest has been dealt in the hand, as the dealer has saved it."""
    own = now.seen_by(int(guest.user)) if now.hand is not None else None
    if own is None:
        return set()
    return {
        seen.card
        for seat in own.seats
        if now.players_by_seat[seat.seat_number].user == int(guest.user)
        for seen in seat.cards
        if seen.card is not None
    }
