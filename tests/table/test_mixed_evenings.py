"""Random evenings at mixed tables, every hand really played: chips, seats, journal and button are looked at after each."""

import random

import pytest
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.engine.events import HandStarted
from bot.engine.mixes import Bomb, BombWhen, Change, Game, Rotation
from bot.engine.options import FirstOpener, PassedOut
from bot.engine.rules import rules_for
from bot.engine.ruling import rule, start
from bot.engine.usual import usual_stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table.cutting import cut
from bot.table.deal import next_hand
from bot.table.decide import decide
from bot.table.evolve import evolve, evolve_all
from bot.table.finish import finish_hand, void_hand
from bot.table.legal import table_legal
from bot.table.positions import between
from bot.table.settings import TableSettings
from bot.table.state import Entry, Status, Table
from bot.table.view import view
from bot.variants import CATALOGUE, compose, game, rotation
from bot.variants.mixes import EIGHT_GAME, HORSE
from tests.table.story import START
from tests.variants.play import choice

PEOPLE = range(1, 9)


class Mixed:
    """An evening: people come, go, shuffle, cut, choose and vote; whatever is due is dealt and played."""

    def __init__(self, mix: Rotation, seed: int, bomb: Bomb | None) -> None:
        self.dice, self.now = random.Random(seed), START
        self.journal: list[e.Any] = []
        self.table: Table | None = None
        self.at_home = dict.fromkeys(PEOPLE, 10**6)
        self.keys: list[str] = []
        self.voided: HandStarted | None = None
        first = mix.games[0]
        settings = TableSettings(
            card=first.card, options=first.options, stakes=first.stakes, rotation=mix, bomb=bomb, idle_minutes=0
        )
        self.happen(decide(None, c.Open(1, settings), self.now))

    def happen(self, events: tuple[e.Any, ...]) -> Table:
        for event in events:
            if isinstance(event, e.SeatTaken):
                self.at_home[event.player] -= event.chips
            elif isinstance(event, e.SeatLeft):
                self.at_home[event.player] += event.chips
            elif isinstance(event, e.ToppedUp):
                seat = self.there.seat(event.seat)
                assert seat is not None
                self.at_home[seat.player] -= event.chips
            self.table = evolve(self.table, event)
        self.journal += events
        return self.there

    @property
    def there(self) -> Table:
        assert self.table is not None
        return self.table

    def step(self) -> None:
        dice, table = self.dice, self.there
        self.now += dice.choice((1_000, 10_000, 60_000))
        player = dice.choice(PEOPLE)
        pack = tuple(dice.sample(range(52), 52))
        ask: c.Any = dice.choice(
            (
                c.Sit(player, str(player), 20_000, lot=dice.randrange(99)), c.Sit(player, str(player), 20_000),
                c.Leave(player), c.SitOut(player), c.Back(player, dice.choice((None, *Entry))), c.TopUp(player, 5_000), c.Shuffle(player),
                c.CutPack(player, (dice.randrange(52),)), c.DeclineCut(player), c.ChooseGame(player, dice.randrange(5)),
                c.VoteBomb(player), c.DrawSeats(player, pack), c.DrawForDeal(player, pack), c.Tick(),
                c.CutForDeal(player, dice.randrange(53), pack), c.NameSubstitute(player, dice.choice(PEOPLE)),
            )
        )  # fmt: skip
        try:
            table = self.happen(decide(table, ask, self.now))
        except TableError as refusal:
            assert refusal.args
        if table.seat_of(player) is not None:
            table_legal(table, player, self.now)
        view(table)
        if table.status is Status.OPEN and 0 < table.next_hand_at <= self.now:
            self.deal()
        self.check()

    def deal(self) -> None:
        dice, before = self.dice, self.there
        deal = next_hand(before, self.now, tuple(dice.sample(range(52), 52)))
        if deal is None:
            return
        self.happen(deal.events)
        if before.replay is not None:
            check_replay(self.voided, deal.started)
        self.keys.append(deal.started.card.key)
        check_blinds(before, deal.events)
        self.check_button(before, next(one for one in deal.events if isinstance(one, e.HandBegan)))
        deck = list(rules_for(deal.started.card, deal.started.options, deal.started.stakes).pack)
        dice.shuffle(deck)
        _, hand = start(deal.started, cut(deck, deal.cut))
        for _ in range(600):
            if hand.over:
                break
            _, hand = rule(hand, hand.to_act, choice(dice, hand))
        assert hand.over
        stacks = dict(zip(hand.started.seats, hand.stacks, strict=True))
        again = hand.passed_out and hand.rules.options.passed_out is PassedOut.SAME_DEALER_REANTE
        if hand.voided or dice.random() < 0.05:
            self.voided = deal.started
            self.happen(void_hand(self.there, self.now, self.at_home))
        else:
            self.happen(
                finish_hand(self.there, stacks, self.now, self.at_home, carried=hand.carried_on, same_dealer=again)
            )

    def check_button(self, before: Table, began: e.HandBegan) -> None:
        """The button stands still through stud and a bomb pot; seats dealt in begin at its left (VC-28)."""
        after = self.there
        stud = after.settings.options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
        assert began.frozen == (stud or began.bomb)
        if began.frozen and before.frozen:
            assert began.button == before.frozen
        if not began.frozen and before.frozen and began.big and len(began.dealt) > 2 and not began.bomb:
            assert after.frozen == 0
        order = [(number - began.button - 1) % 14 for number in began.dealt]
        assert order == sorted(order)

    def check(self) -> None:
        table = self.there
        assert sum(self.at_home.values()) + sum(seat.stack for seat in table.seats) + table.carried == 8 * 10**6
        if table.settings.rotation is not None and table.mixed.due:
            assert table.mixed.chooser in {seat.number for seat in table.players} or not table.players
        assert all(seat.number <= table.settings.seats for seat in table.seats)


def check_replay(voided: HandStarted | None, again: HandStarted) -> None:
    """The same game, button and players, as far as they are still there (TL-29)."""
    assert voided is not None
    assert (again.card, again.options, again.stakes) == (voided.card, voided.options, voided.stakes)
    assert set(again.seats) <= set(voided.seats)
    if len(again.seats) > 2:
        assert again.button == voided.button


def check_blinds(before: Table, happened: tuple[e.Any, ...]) -> None:
    """Nobody skips a blind or is rid of one because another game is played in between (VC-28, TL-9, TL-10)."""
    at = next(place for place, event in enumerate(happened) if isinstance(event, e.HandBegan))
    began = happened[at]
    assert isinstance(began, e.HandBegan)
    for event in happened[:at]:
        before = evolve(before, event)
    after = evolve(before, began)
    last = before.positions
    for seat in before.seats:
        now = after.seat(seat.number)
        assert now is not None
        if not began.big:
            assert (now.owes_small, now.owes_big, now.fresh) == (seat.owes_small, seat.owes_big, seat.fresh)
    if began.big and last is not None and last.big and before.replay is None and len(began.dealt) > 2:
        assert began.small == last.big
        assert not any(between(last.big, began.big, number) for number in began.dealt)
        if sum(seat.settled for seat in before.players) >= 2:
            owing = {seat.number for seat in before.players if seat.owes_big or seat.owes_small} & set(began.dealt)
            assert owing <= {*began.posting, began.big, began.bought}


def bomb_pot() -> Bomb:
    card = game("bomb_pot")
    return Bomb(Game(card, card.options, usual_stakes(card)), BombWhen.LAP)


@pytest.mark.law("VC-28", "VC-29")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["horse", "eight", "choice", "anything", "draws", "draw by draw"])
def test_mixed_evenings(name: str, seed: int) -> None:
    dice = random.Random(seed)
    draws = [game(name) for name in ("limit_holdem", "jackpots", "hoyle_draw", "holdem")]
    mix = {
        "draws": compose("Draws", draws),
        "draw by draw": replace(compose("Draw by draw", draws), change=Change.DEALS, deals=1),
        "horse": rotation(HORSE),
        "eight": rotation(EIGHT_GAME),
        "choice": compose("Choice", dice.sample(CATALOGUE, 5), change=Change.CHOICE),
        "anything": compose("Anything", dice.sample(CATALOGUE, 5)),
    }[name]
    evening = Mixed(mix, seed, bomb_pot() if seed % 2 else None)
    for _ in range(250):
        evening.step()
    assert len(evening.keys) > 20
    assert evolve_all(None, tuple(evening.journal)) == evening.there
