"""Random evenings at mixed tables. Every hand is really played; chips, seats, journal and button are checked after each."""

import random

import pytest
from msgspec.structs import replace

from bot.engine.decide import decide_and_evolve, start
from bot.engine.errors import TableError
from bot.engine.events import HandStarted
from bot.engine.mixes import BombPot, BombPotTrigger, Game, Rotation, RotationChange
from bot.engine.options.values import FirstOpener, PassedOutRule
from bot.engine.rules_in_force import rules_in_force
from bot.engine.usual_stakes import usual_stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.ceremonies.deck import cut_cards
from bot.table.decide import decide
from bot.table.evolve import evolve, evolve_all
from bot.table.finish_hand import finish_hand, void_hand
from bot.table.next_hand import next_hand
from bot.table.positions import is_between
from bot.table.settings import TableSettings
from bot.table.state import EntryMethod, Table, TableStatus
from bot.table.view import view_table
from bot.text.refusals.explain import UNEXPLAINED
from bot.text.refusals.wording import explain
from bot.variants import CATALOGUE, compose_rotation, game, mix_rotation
from bot.variants.mixes import EIGHT_GAME, HORSE
from tests.table.evening import START_MS
from tests.table.legal import table_legal
from tests.variants.play_hand import random_command

PEOPLE = range(1, 9)


class MixedEvening:
    """An evening: people come, go, shuffle, cut, choose and vote. Every hand that is due is dealt and played."""

    def __init__(self, mix: Rotation, seed: int, bomb: BombPot | None) -> None:
        self.dice, self.now = random.Random(seed), START_MS
        self.journal: list[e.TableEvent] = []
        self.table: Table | None = None
        self.at_home = dict.fromkeys(PEOPLE, 10**6)
        self.keys: list[str] = []
        self.voided: HandStarted | None = None
        first = mix.games[0]
        settings = TableSettings(
            rule_card=first.rule_card,
            options=first.options,
            stakes=first.stakes,
            rotation=mix,
            bomb_pot=bomb,
            idle_minutes=0,
        )
        self.apply(decide(None, c.OpenTable(1, settings), self.now))

    def apply(self, events: tuple[e.TableEvent, ...]) -> Table:
        for event in events:
            if isinstance(event, e.SeatTaken):
                self.at_home[event.player] -= event.chips
            elif isinstance(event, e.SeatLeft):
                self.at_home[event.player] += event.chips
            elif isinstance(event, e.ToppedUp):
                seat = self.current_table.seat(event.seat_number)
                assert seat is not None
                self.at_home[seat.player] -= event.chips
            self.table = evolve(self.table, event)
        self.journal += events
        return self.current_table

    @property
    def current_table(self) -> Table:
        assert self.table is not None
        return self.table

    def step(self) -> None:
        dice, table = self.dice, self.current_table
        self.now += dice.choice((1_000, 10_000, 60_000))
        player = dice.choice(PEOPLE)
        deck = tuple(dice.sample(range(52), 52))
        ask: c.TableCommand = dice.choice(
            (
                c.TakeSeat(player, str(player), 20_000, random_number=dice.randrange(99)),
                c.TakeSeat(player, str(player), 20_000),
                c.LeaveTable(player),
                c.SitOut(player),
                c.ComeBack(player, dice.choice((None, *EntryMethod))),
                c.TopUp(player, 5_000),
                c.ShuffleDeck(player),
                c.CutDeck(player, (dice.randrange(52),)),
                c.DeclineCut(player),
                c.ChooseGame(player, dice.randrange(5)),
                c.VoteForBombPot(player),
                c.DrawSeats(player, deck),
                c.DrawForFirstDeal(player, deck),
                c.Tick(),
                c.CutForFirstDeal(player, dice.randrange(53), deck),
                c.NameSubstitute(player, dice.choice(PEOPLE)),
            )
        )
        try:
            table = self.apply(decide(table, ask, self.now))
        except TableError as refusal:
            assert explain(refusal, {}) != UNEXPLAINED
        if table.seat_of(player) is not None:
            table_legal(table, player, self.now)
        view_table(table)
        if table.status is TableStatus.OPEN and 0 < table.next_hand_at <= self.now:
            self.play_hand()
        self.check()

    def play_hand(self) -> None:
        dice, before = self.dice, self.current_table
        deal = next_hand(before, self.now, tuple(dice.sample(range(52), 52)))
        if deal is None:
            return
        self.apply(deal.events)
        if before.replay is not None:
            check_replay(self.voided, deal.started)
        self.keys.append(deal.started.rule_card.key)
        check_blinds(before, deal.events)
        self.check_button(before, next(one for one in deal.events if isinstance(one, e.HandBegan)))
        deck = list(rules_in_force(deal.started.rule_card, deal.started.options, deal.started.stakes).deck_cards)
        dice.shuffle(deck)
        _, hand = start(deal.started, cut_cards(deck, deal.cut_points))
        for _ in range(600):
            if hand.over:
                break
            _, hand = decide_and_evolve(hand, hand.to_act, random_command(dice, hand))
        assert hand.over
        stacks = dict(zip(hand.started.seat_numbers, hand.stacks, strict=True))
        again = hand.passed_out and hand.rules.options.passed_out is PassedOutRule.SAME_DEALER_REANTE
        if hand.voided or dice.random() < 0.05:
            self.voided = deal.started
            self.apply(void_hand(self.current_table, self.now, self.at_home))
        else:
            self.apply(
                finish_hand(
                    self.current_table,
                    stacks,
                    self.now,
                    self.at_home,
                    carried_chips=hand.carried_to_next_hand,
                    same_dealer=again,
                )
            )

    def check_button(self, before: Table, began: e.HandBegan) -> None:
        """The button stands still for stud and for a bomb pot. The seats dealt in begin at its left (VC-28)."""
        after = self.current_table
        stud = after.settings.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
        assert began.button_stands_still == (stud or began.bomb_pot)
        if began.button_stands_still and before.frozen_button:
            assert began.button_seat == before.frozen_button
        if (
            not began.button_stands_still
            and before.frozen_button
            and began.big_blind_seat
            and len(began.dealt_seats) > 2
            and not began.bomb_pot
        ):
            assert after.frozen_button == 0
        order = [(number - began.button_seat - 1) % 14 for number in began.dealt_seats]
        assert order == sorted(order)

    def check(self) -> None:
        table = self.current_table
        assert sum(self.at_home.values()) + sum(seat.stack for seat in table.seats) + table.carried_chips == 8 * 10**6
        if table.settings.rotation is not None and table.rotation_state.choice_due_at:
            assert (
                table.rotation_state.chooser_seat in {seat.number for seat in table.seats_for_next_hand}
                or not table.seats_for_next_hand
            )
        assert all(seat.number <= table.settings.seat_count for seat in table.seats)


def check_replay(voided: HandStarted | None, again: HandStarted) -> None:
    """A replay has the same game, the same button, and those of its players who are still there (TL-29)."""
    assert voided is not None
    assert (again.rule_card, again.options, again.stakes) == (voided.rule_card, voided.options, voided.stakes)
    assert set(again.seat_numbers) <= set(voided.seat_numbers)
    if len(again.seat_numbers) > 2:
        assert again.button_seat_number == voided.button_seat_number


def check_blinds(before: Table, events: tuple[e.TableEvent, ...]) -> None:
    """Nobody skips a blind or loses a debt because another game is played in between (VC-28, TL-9, TL-10)."""
    at = next(index for index, event in enumerate(events) if isinstance(event, e.HandBegan))
    began = events[at]
    assert isinstance(began, e.HandBegan)
    for event in events[:at]:
        before = evolve(before, event)
    after = evolve(before, began)
    last = before.positions
    for seat in before.seats:
        now = after.seat(seat.number)
        assert now is not None
        if not began.big_blind_seat:
            assert (now.owes_small, now.owes_big, now.newcomer) == (seat.owes_small, seat.owes_big, seat.newcomer)
    if (
        began.big_blind_seat
        and last is not None
        and last.big_blind_seat
        and before.replay is None
        and len(began.dealt_seats) > 2
    ):
        assert began.small_blind_seat == last.big_blind_seat
        assert not any(is_between(last.big_blind_seat, began.big_blind_seat, number) for number in began.dealt_seats)
        if sum(seat.is_settled for seat in before.seats_for_next_hand) >= 2:
            owing = {seat.number for seat in before.seats_for_next_hand if seat.owes_big or seat.owes_small} & set(
                began.dealt_seats
            )
            assert owing <= {*began.posting_seats, began.big_blind_seat, began.button_buyer_seat}


def bomb_pot() -> BombPot:
    card = game("bomb_pot")
    return BombPot(Game(card, card.options, usual_stakes(card)), BombPotTrigger.LAP)


@pytest.mark.law("VC-28", "VC-29")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["horse", "eight", "choice", "anything", "draws", "draw by draw"])
def test_mixed_evenings(name: str, seed: int) -> None:
    dice = random.Random(seed)
    draws = [game(name) for name in ("limit_holdem", "jackpots", "hoyle_draw", "holdem")]
    mix = {
        "draws": compose_rotation("Draws", draws),
        "draw by draw": replace(compose_rotation("Draw by draw", draws), change=RotationChange.HANDS, hands=1),
        "horse": mix_rotation(HORSE),
        "eight": mix_rotation(EIGHT_GAME),
        "choice": compose_rotation("Choice", dice.sample(CATALOGUE, 5), change=RotationChange.DEALERS_CHOICE),
        "anything": compose_rotation("Anything", dice.sample(CATALOGUE, 5)),
    }[name]
    evening = MixedEvening(mix, seed, bomb_pot() if seed % 2 else None)
    for _ in range(250):
        evening.step()
    assert len(evening.keys) > 20
    assert evolve_all(None, tuple(evening.journal)) == evening.current_table
