"""Open a data folder of an earlier version, describe in plain words what it holds, and play its hands on.

The facts are made of words that stand here and of nothing that the program itself says, so they stay the same when its texts change.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, TypeAlias

from bot.engine import cards
from bot.engine import commands as c
from bot.engine.legal import Decision, LegalActions
from bot.engine.view.types import CardView, HandView, SeatView
from bot.engine.view.types import HandSeatState as HandState
from bot.fair.deck_order import master_secret
from bot.house.rules import HouseRules
from bot.ledger.accounts import Book
from bot.render.hand.hand_log import hand_log_panel
from bot.render.message.panel import payload
from bot.runtime.bank import Bank
from bot.runtime.errors import TableGone
from bot.runtime.house_games import HouseGames
from bot.runtime.journal import JournalEvent
from bot.runtime.request import Request
from bot.runtime.snapshot import HandLog, RequestOutcome, TableSnapshot
from bot.runtime.store_types import LedgerAudit, PlayerHoldings, SavedHand, TableRecord
from bot.runtime.tables import Tables
from bot.settings import DATA_FILE, SECRET_FILE
from bot.store.codec import EventCodec
from bot.store.old_hands import Retention
from bot.store.store import Store
from bot.surfaces.people.profiles import Preferences
from bot.surfaces.scenes import hand_log_scene
from bot.table.house_games import HouseGame
from bot.table.preselection.types import PreselectedAction, PreselectionView
from bot.table.settings import TableSettings
from bot.table.state import AfterHand, TableStatus
from bot.table.state import SeatStatus as TableState
from bot.table.view import SeatedPlayerView, TableView
from bot.text.cards import Emojis
from tests.runtime.manual_clock import ManualClock

Facts: TypeAlias = dict[str, Any]

ASKED: dict[Decision, str] = {
    Decision.NONE: "nothing",
    Decision.BET: "a bet",
    Decision.STRADDLE: "a straddle",
    Decision.DRAW: "cards to draw",
    Decision.GIVE_UP: "cards to give up",
    Decision.PASS_CARDS: "cards to pass on",
    Decision.ARRANGE: "the order of the cards",
    Decision.DECLARE: "a declaration",
    Decision.OFFER: "an offer",
    Decision.RUN_TWICE: "how often to run it",
    Decision.SHOW: "a show",
}
IN_HAND: dict[HandState, str] = {HandState.LIVE: "plays", HandState.ALL_IN: "is all-in", HandState.FOLDED: "has folded"}
AT_TABLE: dict[TableState, str] = {
    TableState.PLAYING: "plays",
    TableState.SITTING_OUT: "sits out",
    TableState.WAITING_FOR_BIG_BLIND: "waits for the big blind",
    TableState.POSTING: "posts",
    TableState.BUYING_BUTTON: "buys the button",
}
AFTERWARDS: dict[AfterHand, str] = {
    AfterHand.STAY: "",
    AfterHand.SIT_OUT: "sits out after the hand",
    AfterHand.LEAVE: "leaves after the hand",
}
TABLE_IS: dict[TableStatus, str] = {
    TableStatus.OPEN: "open",
    TableStatus.CLOSING: "closes after the hand",
    TableStatus.CLOSED: "closed",
}
CHOSEN: dict[PreselectedAction, str] = {
    PreselectedAction.CHECK_OR_FOLD: "checks or folds",
    PreselectedAction.CALL: "calls",
    PreselectedAction.FOLD: "folds",
}


class LeftBehind:
    """A data folder that the program of today has opened.

    Args:
        folder: what `cardroom` keeps its data in; it is written to.
        hour: what the clock shows, in ms since the epoch.
        keep_hands: how long hands are kept; None for good.
    """

    def __init__(self, folder: Path, hour: int, keep_hands: Retention | None = None) -> None:
        self.clock = ManualClock(hour)
        self.store = Store(folder / DATA_FILE, EventCodec(JournalEvent), keep_hands=keep_hands)
        secret: bytes = master_secret(folder / SECRET_FILE, create=False)
        self.tables = Tables(
            self.store, secret, on_update=lambda _change: None, clock=self.clock, rng=random.Random(1), make_nonce=lambda: bytes(16),
        )  # fmt: skip
        self.bank = Bank(self.store, self.tables, self.clock)
        self._asked = 0

    async def open(self) -> tuple[TableSnapshot, ...]:
        """Open the store and restore every open table."""
        await self.store.open()
        return await self.tables.restore()

    async def close(self) -> None:
        """Stop the clocks and close the store."""
        await self.tables.drain()
        await self.store.close()

    def asked(self, now: TableSnapshot, user: int, *, staff: bool = False) -> Request:
        """Return a request at a table."""
        self._asked += 1
        return Request(
            key=f"upgraded {self._asked}",
            guild=now.address.guild,
            channel=now.address.channel,
            user=user,
            table=now.id,
            staff=staff,
        )

    async def wait(self, seconds: int) -> None:
        """Let time pass, so that what is due happens."""
        until = self.clock.now() + 1000 * seconds
        await self.tables.wait_until_idle()
        while (at := self.clock.next_at()) and at <= until:
            self.clock.move_to(at)
            while self.clock.ring_due():
                await self.tables.wait_until_idle()
        self.clock.move_to(until)
        await self.tables.wait_until_idle()

    # the server

    async def server(self, guild: int, staff: int, users: list[int]) -> Facts:
        """Return what a server has beside its open tables: chips, claims, rules, house games, preferences."""
        preferences = Preferences(self.store)
        await preferences.load()
        rules: HouseRules = await self.bank.house_rules(guild)
        games: tuple[HouseGame, ...] = await HouseGames(self.store, self.clock).games(guild)
        audit: LedgerAudit = await self.bank.audit(Request(key="audit", guild=guild, channel=0, user=staff, staff=True))
        return {
            "people": {str(user): await self._person(guild, user, preferences) for user in users},
            "rules": {
                "opening grant": rules.opening_grant,
                "daily chips": rules.daily,
                "relief": rules.relief,
                "blinds": [rules.small_blind, rules.big_blind],
                "turn seconds": rules.turn_seconds,
            },
            "house games": {game.name: {"by": game.saved_by, "plays": settings_facts(game.settings)} for game in games},
            "books": {
                "given out": audit.minted,
                "in wallets": audit.wallets,
                "in stacks": audit.stacks,
                "in pots": audit.pots,
                "of the house": audit.house,
                "for practice": audit.practice,
                "transfers": audit.transfers,
                "adjustments": [[one.table, sorted(list(shift) for shift in one.shifts)] for one in audit.adjustments],
                "faults": [str(fault) for fault in audit.faults],
            },
        }

    async def _person(self, guild: int, user: int, preferences: Preferences) -> Facts:
        purse: PlayerHoldings = await self.store.holdings(guild, user)
        practice: PlayerHoldings = await self.store.holdings(guild, user, Book.PRACTICE)
        history = await self.bank.history(guild, user, limit=100)
        return {
            "wallet": purse.wallet,
            "stacks": purse.stacks,
            "bets": purse.bets,
            "practice chips": practice.total,
            "days in a row": purse.claims.streak,
            "history": [entry.chips for entry in history.entries],
            "cards by direct message": preferences.wants_dms(user),
            "two colours": preferences.wants_two_colours(user),
        }

    # hands that are over

    async def past(self, guild: int, numbers: list[int]) -> Facts:
        """Return every finished hand of every table by its number in the server, also of closed tables."""
        found: Facts = {}
        for number in numbers:
            record: TableRecord | None = await self.store.table_numbered(guild, number)
            assert record is not None, f"table {number} is not there"
            found[str(number)] = {
                "open": record.is_open,
                "hands": [await self._past_hand(record, hand) for hand in range(1, record.hand_count + 1)],
            }
        return found

    async def _past_hand(self, record: TableRecord, number: int) -> Facts | str:
        saved: SavedHand | None = await self.store.hand(record.id, number)
        assert saved is not None, f"hand {number} of table {record.id} is not there"
        try:
            now = self.tables.snapshot(record.id)
        except TableGone:
            return "its table is closed"
        if now.hand_running and now.hand_number == number:
            return "it is being played"
        hand_log: HandLog = await self.tables.read_hand_log(self.asked(now, 0), number)
        own: dict[int, HandView] = {}
        for seat, player in hand_log.players_by_seat.items():
            own[seat] = (await self.tables.read_hand_log(self.asked(now, player.user), number)).view
        words = str(payload(hand_log_panel(hand_log_scene(hand_log, Emojis()), hand_log.street_views)))
        for player in hand_log.players_by_seat.values():
            assert player.name in words, f"{player.name} is not told of in hand {number} of table {record.id}"
        return {"began": hand_log.started_at, "of": hand_log.mixture, **hand_facts(hand_log.view, own)}

    # hands that are played

    async def plays_on(self, now: TableSnapshot, moves: list[Facts]) -> TableSnapshot:
        """Make these moves, the last of which ends the hand. After each of them the hand must be as it is described there."""
        for move in moves:
            user = now.players_by_seat[move["seat"]].user
            outcome: RequestOutcome = await self.tables.ask(self.asked(now, user), command(now, user, move))
            now = outcome.snapshot
            assert line(now, user) == move["then"], f"table {now.address.number}: {move}"
        return now


# what is found


def table_facts(now: TableSnapshot, at: int) -> Facts:
    """Describe a table and the hand that is played there."""
    table: TableView = now.table
    facts: Facts = {
        "number": table.number,
        "channel": now.address.channel,
        "is": TABLE_IS[table.status],
        "settings": settings_facts(table.settings),
        "host": table.host,
        "hand number": table.hand_number,
        "button": table.button_seat,
        "blinds at": [table.small_blind_seat, table.big_blind_seat],
        "waits from before": table.carried_chips,
        "next hand in ms": now.table.next_hand_at - at if now.table.next_hand_at else 0,
        "seats": {str(seat.number): seat_line(seat) for seat in table.seats},
        "waiting": [one.name for one in table.waiting],
        "bomb pot": table.bomb_pot,
        "bomb votes": list(table.bomb_pot_votes),
        "deck": [table.deck.shuffles, list(table.deck.cut_points), table.deck.cut_by_seat, table.deck.cutter_seat],
        "cuts for the deal": [[seat, cards.card_text(card)] for seat, card in table.deck.first_deal_lots],
        "says it was dealt wrong": list(now.misdeal_claims),
        "replay": table.replay,
        "of": now.mixture,
    }
    if table.rotation is not None:
        mixed = table.rotation
        facts["mixed"] = [mixed.name, mixed.game_index, mixed.hands_dealt, mixed.hands_per_lap, mixed.chooser_seat]
    if table.proposal is not None:
        asked = table.proposal
        facts["proposed"] = {
            "by": asked.player,
            "settings": settings_facts(asked.settings) if asked.settings is not None else None,
            "shifts": [[shift.player, shift.chips] for shift in asked.stack_changes],
            "agreed": list(asked.consents),
            "missing": list(asked.yet_to_consent),
        }
    if now.seat_exchange is not None:
        facts["exchange"] = [now.seat_exchange.player, now.seat_exchange.other_player]
    if now.hand_running and now.hand is not None:
        facts["hand"] = running_facts(now, now.hand, at)
    return facts


def settings_facts(settings: TableSettings) -> Facts:
    """Describe what a table has agreed on: the game, the options that differ from it, and the stakes."""
    options, stakes = settings.options, settings.stakes
    return {
        "game": settings.rule_card.key,
        "seats": settings.seat_count,
        "deck": options.deck.value,
        "limit": options.limit.value,
        "ante and blinds": [stakes.ante, stakes.small_blind, stakes.big_blind],
        "bet sizes": [stakes.small_bet, stakes.big_bet, stakes.bring_in, stakes.limit],
        "price and cap": [stakes.price, stakes.cap],
        "buy-in": [settings.min_buyin, settings.max_buyin],
        "seconds": [stakes.turn_seconds, stakes.bank_seconds],
        "wild": cards.cards_text(options.wild_cards),
        "of the game alone": [list(pair) for pair in options.sheet],
        "notes": list(settings.notes),
        "games": [game.rule_card.key for game in settings.rotation.games] if settings.rotation is not None else [],
        "bomb": settings.bomb_pot.game.rule_card.key if settings.bomb_pot is not None else "",
        "practice": settings.practice,
        "starts by itself": settings.auto_start,
    }


def seat_line(seat: SeatedPlayerView) -> str:
    """Describe a seat at a table."""
    words = [seat.name, str(seat.player), f"has {seat.stack}", AT_TABLE[seat.status]]
    words += [AFTERWARDS[seat.after_hand]] if AFTERWARDS[seat.after_hand] else []
    words += [f"adds {seat.queued_top_up}"] if seat.queued_top_up else []
    words += [f"owes {seat.owed_dead} dead and {seat.owed_live} live"] if seat.owed_dead or seat.owed_live else []
    words += [f"has {seat.bank_seconds} s in the bank"]
    words += ["straddles"] if seat.wants_straddle else []
    words += ["is new"] if seat.newcomer else []
    words += ["is for practice"] if seat.practice else []
    return ", ".join(words)


def running_facts(now: TableSnapshot, view: HandView, at: int) -> Facts:
    """Describe a hand that is being played, with everybody's own cards."""
    assert now.current_turn is not None and view.legal_to_act is not None
    early: dict[str, str] = {}
    for seat in view.seats:
        chosen: PreselectionView | None = now.preselection_for(now.players_by_seat[seat.seat_number].user)
        if chosen is not None and chosen.chosen is not None:
            one = chosen.chosen
            stands = "" if one.lapse_reason is None else " no longer"
            early[str(seat.seat_number)] = f"{CHOSEN[one.action]} {one.chosen_call}{stands}"
    return {
        "asked": ASKED[now.decision],
        "of seats": awaited(view),
        "ms left": now.current_turn.bank_ends_at - at,
        "can": can(view.legal_to_act),
        "chosen early": early,
        "level": view.current_bet,
        "bets": {str(seat.seat_number): seat.bet for seat in view.seats if seat.bet},
        "draw": list(view.draw_progress),
        **hand_facts(view, own_views(now)),
    }


def played(now: TableSnapshot) -> Facts:
    """Describe a finished hand, and the table after it."""
    assert not now.hand_running, f"the hand of table {now.address.number} goes on"
    assert now.hand is not None
    return {
        "hand": hand_facts(now.hand, own_views(now)),
        "seats": {str(seat.number): seat_line(seat) for seat in now.table.seats},
        "waits from before": now.table.carried_chips,
        "game": now.settings.rule_card.key,
    }


def own_views(now: TableSnapshot) -> dict[int, HandView]:
    """Return the hand as each player sees it, by table seat number."""
    found: dict[int, HandView] = {}
    for number, player in now.players_by_seat.items():
        view = now.seen_by(player.user)
        if view is not None:
            found[number] = view
    return found


def hand_facts(view: HandView, own: dict[int, HandView]) -> Facts:
    """Describe a hand: chips, boards, everybody's own cards, and the winners."""
    return {
        "street": view.street,
        "pot": view.pot,
        "board": board(view),
        "button": view.button_seat_number,
        "seats": {
            str(seat.seat_number): f"{in_hand(seat)}: {hole(own_seat(own[seat.seat_number]))}" for seat in view.seats
        },
        "paid": [
            [pay.pot_index, view.seats[pay.seat_index].seat_number, pay.chips, pay.board_index] for pay in view.payments
        ],
        "void": view.voided,
        "shown": view.showdown,
        "kept for the next": view.carried_to_next_hand,
    }


def in_hand(seat: SeatView) -> str:
    """Describe a seat in a hand."""
    words = [IN_HAND[seat.state], f"{seat.stack} behind of {seat.starting_stack}", f"put in {seat.put_in}"]
    words += [f"won {seat.won}"] if seat.won else []
    words += [f"drew {list(seat.draw_counts)}"] if seat.draw_counts else []
    words += [f"says {seat.declaration}"] if seat.declaration else []
    return ", ".join(words)


def own_seat(view: HandView) -> SeatView:
    """Return the viewer's own seat."""
    assert view.viewer is not None
    return view.seats[view.viewer]


def hole(seat: SeatView) -> str:
    """Return the cards of a seat; those that lie open to all are marked."""
    return " ".join(_card(seen) for seen in seat.cards) or "nothing"


def _card(seen: CardView) -> str:
    return ("?" if seen.card is None else cards.card_text(seen.card)) + ("^" if seen.face_up else "")


def line(now: TableSnapshot, user: int) -> str:
    """Describe a hand after a move of `user` in a line."""
    view, own = now.hand, now.seen_by(user)
    assert view is not None and own is not None
    asked = f"{ASKED[now.decision]} of seat {awaited(view)[0]}" if now.hand_running else "it is over"
    return f"{board(view) or 'no board'}; pot {view.pot}; holds {hole(own_seat(own))}; {asked}"


def board(view: HandView) -> str:
    """Return the common cards, by board."""
    return " / ".join(cards.cards_text(one) for one in view.boards)


def awaited(view: HandView) -> list[int]:
    """Return the numbers of the seats that the dealer waits for: one, or all that choose at once."""
    return [seat.seat_number for seat in view.seats if seat.choice_awaited] or [view.seats[view.to_act].seat_number]


def can(legal: LegalActions) -> str:
    """Describe the legal actions of a seat."""
    words = ["fold"] * legal.fold + ["check"] * legal.check
    words += [f"call {legal.call_chips}"] if legal.call_chips else []
    words += [f"bring in {legal.bring_in}"] if legal.bring_in else []
    words += [f"{'bet' if legal.opening else 'raise'} {legal.min_to} to {legal.max_to}"] if legal.max_to else []
    words += [f"{legal.min_cards} to {legal.max_cards} cards"] if legal.max_cards else []
    words += [f"pay {legal.offer_amount}"] if legal.offer_amount else []
    words += list(legal.declarable_words)
    words += ["show"] * legal.show + ["muck"] * legal.muck
    return ", ".join(words)


# what is done


def command(now: TableSnapshot, user: int, move: Facts) -> c.HandCommand:
    """Read a written move as a command."""
    match move["does"]:
        case "folds":
            return c.Fold()
        case "checks":
            return c.Check()
        case "calls":
            return c.Call()
        case "bets":
            return c.Bet(move["to"])
        case "raises":
            return c.RaiseTo(move["to"])
        case "goes all-in":
            return c.AllIn()
        case "shows":
            return c.Show(ace_word=move.get("word", ""))
        case "mucks":
            return c.Muck()
        case "straddles":
            return c.TakeStraddle()
        case "accepts":
            return c.Accept()
        case "declines":
            return c.Decline()
        case "declares":
            return c.Declare(move["word"])
        case "gives up":
            return c.ChooseCards(places(now, user, move["cards"].split()))
        case other:
            raise AssertionError(f"nobody can do that: {other}")


def places(now: TableSnapshot, user: int, words: list[str]) -> tuple[int, ...]:
    """Return the indices of a player's own cards in the deck, in the order in which they are named."""
    view = now.seen_by(user)
    assert view is not None
    held = {cards.card_text(seen.card): seen.card_index for seen in own_seat(view).cards if seen.card is not None}
    return tuple(held[word] for word in words)
