"""Make any table that people can make: opened with the words of `/play`, changed as `/table page:settings` changes it, and seated.

Nothing is invented here: games and what is laid over them are found by the names people type, every option and value is one that the table
offers at that moment, amounts are those its settings name, and the deal is the table's own. So what a machine draws is what can happen.

Source: laws H-1, H-2, H-4, VC-28, VC-29.
"""

import random
from collections.abc import Iterator

from msgspec.structs import replace

from bot.engine import events as e
from bot.engine.dealing.decks import DECKS
from bot.engine.errors import LawError
from bot.engine.options.register import NOTES
from bot.engine.options.values import Ante, StakesRule, StraddleRule, Switch
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.house.rules import HouseRules
from bot.render.house import house_pages
from bot.render.table import mixed_games
from bot.runtime.table_settings import NewTableRequest
from bot.table import commands as t
from bot.table import events as te
from bot.table.decide import decide
from bot.table.evolve import evolve_all
from bot.table.finish_hand import finish_hand
from bot.table.next_hand import next_hand, straddle_seats
from bot.table.settings import TableSettings
from bot.table.state import SeatStatus, Table
from bot.table.validate_settings import validate_settings
from bot.table.view import view_table
from bot.text.mixed_games import BOMB_POTS
from bot.variants import CATALOGUE
from bot.variants.customise import LAW_PREFIX, SHEET_PREFIX, offered_options
from bot.variants.modifiers import MODIFIERS
from cogs.presses import table_settings

START = 1_700_000_000_000
HOST = 1
CHANGES = (0, 1, 2, 4, 7, 12, 20)
"""The number of settings that are changed at a table, each as likely as the others."""


def any_table(rng: random.Random, card: RuleCard) -> TableSettings:
    """Return the settings of a table that plays this game, or this game with something laid over it."""
    settings = _opened(rng, card)
    for _ in range(rng.choice(CHANGES)):
        settings = _changed(rng, settings)
    in_words = house_pages.law_setting_choices(settings)
    assert _offered(settings) == [(one.field, tuple(value for value, _ in one.options)) for one in in_words]
    return settings


def _opened(rng: random.Random, card: RuleCard) -> TableSettings:
    """Return the settings that `/play` makes. With only a game requested it always opens; a law can refuse odd requests."""
    words, bomb = (
        _words(rng, card),
        rng.choice(("off", "off", "off", *BOMB_POTS)),
    )
    if rng.random() < 0.05:
        words += " / " + rng.choice(CATALOGUE).key
    wishes = NewTableRequest(
        big_blind=rng.choice((0, 1, 2, 5, 10, 100, 1_000)),
        ante=rng.choice((0, 0, 0, 1, 7, 50)),
        seats=rng.choice((0, 0, 0, rng.randint(2, 14))),
    )
    try:
        return _lawful(table_settings.new_table_settings(words, HouseRules(), wishes, None, bomb))
    except LawError as refusal:
        assert refusal.law, f"{words} with {wishes}: a refusal without a law"
    bare = NewTableRequest()
    try:
        return _lawful(table_settings.new_table_settings(words, HouseRules(), bare, None, bomb))
    except LawError as refusal:
        assert "/" in words or bomb != "off", f"{words} cannot be opened: {refusal}"
        return _lawful(table_settings.new_table_settings(words.partition(" / ")[0], HouseRules(), bare, None, "off"))


def _words(rng: random.Random, card: RuleCard) -> str:
    """Return the game as somebody can type it, with up to three modifiers that go with it."""
    words = rng.choice((card.key, card.name, *card.aliases))
    for one in rng.sample(MODIFIERS, rng.choice((0, 0, 1, 1, 2, 3))):
        more = f"{words} + {rng.choice((one.key, one.name, *one.aliases))}"
        try:
            table_settings.new_table_settings(more, HouseRules(), NewTableRequest(), None, "off")
        except LawError as refusal:
            assert refusal.law, f"{more}: a refusal without a law"
        else:
            words = more
    return words


def _changed(rng: random.Random, settings: TableSettings) -> TableSettings:
    """Return the settings with one more of the changes that the table offers. A law option never fails; an amount can be refused."""
    if rng.random() < 0.75:
        laws = _offered(settings)
        field, values = rng.choices(laws, [4 if field.startswith(SHEET_PREFIX) else 1 for field, _ in laws])[0]
        if not values:
            return settings
        value = rng.choice(values)
        try:
            return _lawful(table_settings.with_setting(settings, field, value))
        except LawError as refusal:
            raise AssertionError(f"{field} may not be {value}, which is offered: {refusal}") from refusal
    customs = [
        one
        for one in (*mixed_games.mixed_game_choices(settings), *_customs(settings))
        if one.field != mixed_games.GAMES_FIELD
    ]
    choice = rng.choice(customs)
    value = rng.choice(choice.options)[0] if choice.options else str(_amount(rng, settings, choice.field))
    try:
        return _lawful(table_settings.with_setting(settings, choice.field, value))
    except LawError as refusal:
        assert refusal.law, f"{choice.field} {value}: a refusal without a law"
        return settings


def _offered(settings: TableSettings) -> list[tuple[str, tuple[str, ...]]]:
    """Return the fields and values of `law_setting_choices`, whose words take most of its time."""
    offered = offered_options(settings.rule_card, settings.options)
    found = [
        (LAW_PREFIX + field if field in Stakes.__struct_fields__ else field, option) for field, option, _ in offered
    ]
    return [*((field, option.values) for field, option in found if option.values or option.is_text), (NOTES.field, ())]


def _customs(settings: TableSettings) -> tuple[house_pages.SettingChoice, ...]:
    table = evolve_all(None, decide(None, t.OpenTable(HOST, settings), START))
    return house_pages.table_setting_choices(view_table(table))


def _amount(rng: random.Random, settings: TableSettings, field: str) -> int:
    if field == "doublings":
        return rng.choice((3, 4))
    now = getattr(settings.stakes, field, 0) or settings.buy_in_unit
    return rng.choice((0, 1, now - 1, now + 1, now // 2, 2 * now, 3 * now, rng.randint(1, 20 * settings.buy_in_unit)))


def _lawful(settings: TableSettings) -> TableSettings:
    validate_settings(settings)
    return settings


def any_deal(rng: random.Random, settings: TableSettings) -> tuple[e.HandStarted, tuple[int, ...]]:
    """Return the first event of a hand at a table of these settings, and its deck: players and stacks are random, as far as the table
    allows."""
    table = _seated(rng, settings)
    deck = list(DECKS[settings.options.deck])
    rng.shuffle(deck)
    deal = next_hand(table, START, deck)
    assert deal is not None, "players sit there, and nothing can be dealt"
    started = replace(deal.started, ask_show=rng.random() < 0.5, ask_run_twice=rng.random() < 0.5)
    started = replace(started, options=replace(started.options, run_twice=Switch.ON))
    deck = list(DECKS[started.options.deck])
    rng.shuffle(deck)
    return started, tuple(deck)


def _seated(rng: random.Random, settings: TableSettings) -> Table:
    """Return a table with people at it, some of them new or short of chips, and perhaps after some hands."""
    table = evolve_all(None, decide(None, t.OpenTable(HOST, settings), START))
    players = rng.randint(2, settings.seat_count)
    for number in sorted(rng.sample(range(1, settings.seat_count + 1), players)):
        table = _asks(table, t.TakeSeat(number, f"P{number}", settings.min_buyin, number))
    seats = tuple(
        replace(seat, stack=stack) for seat, stack in zip(table.seats, _stacks(rng, settings, players), strict=True)
    )
    table = replace(
        table,
        seats=seats,
        carried_chips=rng.choice((0, 0, 0, rng.randint(1, 5 * settings.buy_in_unit))),
        passed_out_hands=rng.choice((0, 0, 1, 2, 3, 4, 5)),
        hands_since_bomb_pot=rng.choice((0, 0, 20)),
    )
    if rng.random() < 0.5:
        table = _under_way(table)
    if settings.options.ante is Ante.BLINDS and table.positions is not None and players > 3 and rng.random() < 0.5:
        table = _owing(rng, table)
    if settings.options.straddle is StraddleRule.LIVE:
        table = table if table.positions is not None else _drawn(table)
        for number in straddle_seats(table):
            seat = table.seat(number)
            if seat is not None and seat.stack >= 2 * settings.stakes.big_blind and rng.random() < 0.7:
                table = _asks(table, t.PledgeStraddle(number, wanted=True))
    return table


def _drawn(table: Table) -> Table:
    """Return the table after its first button has been drawn, so that the positions are known."""
    deal = next_hand(table, START, DECKS[table.settings.options.deck])
    assert deal is not None
    return evolve_all(table, tuple(event for event in deal.events if isinstance(event, te.ButtonDrawn)))


def _under_way(table: Table) -> Table:
    """Return the table after one more hand that has changed nothing."""
    deal = next_hand(table, START, DECKS[table.settings.options.deck])
    assert deal is not None
    stacks = {seat.number: seat.stack for seat in table.seats if seat.number in deal.started.seat_numbers}
    dealt = evolve_all(table, deal.events)
    return evolve_all(dealt, finish_hand(dealt, stacks, START, {}, carried_chips=table.carried_chips))


def _owing(rng: random.Random, table: Table) -> Table:
    """Let some players come back and post the blinds that they missed (TL-10)."""
    away = rng.choice(table.seats).number
    seats = tuple(
        replace(seat, status=SeatStatus.POSTING, owes_big=True, owes_small=rng.random() < 0.5)
        if seat.number == away
        else seat
        for seat in table.seats
    )
    return replace(table, seats=seats)


def _stacks(rng: random.Random, settings: TableSettings, players: int) -> Iterator[int]:
    """Return uneven stacks: shorter than the blinds, a few bets deep, or deep; never too short to play if that is required (VB-13)."""
    unit = max(settings.buy_in_unit, settings.stakes.ante, settings.stakes.small_bet, 1)
    least = max(1, settings.forced_chips)
    if settings.bomb_pot is not None and settings.options.stakes is StakesRule.OPEN_PURSE:
        least = max(least, 4 * unit)
    for _ in range(players):
        yield least + rng.choice((0, rng.randint(0, 3 * unit), rng.randint(unit, rng.choice((12, 60, 200)) * unit)))


def _asks(table: Table, command: t.TableCommand) -> Table:
    return evolve_all(table, decide(table, command, START))
