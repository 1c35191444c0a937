"""What lies below the parts of the dealer: the data, the tables and Discord's client, as the options of a dealer say.

Each function makes one thing of those whose types it names (`bot.surfaces.part.Parts`).
"""

import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NewType

from bot.backups import Backups
from bot.fair.deck_order import master_secret
from bot.house.rules import LOCAL_HOUSE_RULES, HouseRules
from bot.ledger.books import BookFault
from bot.line.api import DiscordApi
from bot.line.by_token import TokenRequests
from bot.line.client import GUILD_READY_SECONDS, HEARS_MESSAGES_UP_TO, DiscordClient, all_shards
from bot.line.dm_channels import AT_ONCE, PAUSE_MS, ChannelBucket
from bot.line.identify_turns import IdentifyTurns
from bot.line.request_slots import BURST, REQUESTS_PER_SECOND
from bot.line.shared_allowance import SharedAllowance
from bot.line.site import IN_DISCORD, BotDuties, DealerSite
from bot.line.slot_marks import SlotMark
from bot.pictures.maker import PictureMaker
from bot.runtime.awaited import AwaitedList
from bot.runtime.clock import AlarmClock, SystemClock
from bot.runtime.full_deletions import FullDeletionOrders
from bot.runtime.journal import JournalEvent
from bot.runtime.luck_teller import LuckTeller
from bot.runtime.passed_clicks import PassedClicks
from bot.runtime.practice import PracticePolicies
from bot.runtime.privacy import Privacy
from bot.runtime.saved_values import (
    PersonalStorage,
    SealedStorage,
    SharedPersonalStorage,
    ValueStorage,
    declared_kinds,
    forget_person,
)
from bot.runtime.sessions import Sessions
from bot.runtime.staff_log import StaffLog
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.tables import Tables
from bot.runtime.taken import TakenList
from bot.settings import DATA_FILE, SECRET_FILE, STATISTICS_FILE, Secret, house_schema_of, schema_of, slot_folder
from bot.signals import Signals
from bot.store.codec import EventCodec
from bot.store.data_source import DataSource, source_of
from bot.store.engine import Engine
from bot.store.old_hands import Retention
from bot.store.sealed_values import SealedValues
from bot.store.slots import ALL_SERVERS, ServerSlot
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from bot.surfaces.people.profiles import CardsCome
from bot.surfaces.staff.channel import StaffLogStorage
from bot.surfaces.table.run_out_odds import OddsTeller
from cogs.support.commands import CommandTree

if TYPE_CHECKING:
    from bot.store.postgres.fence import Fence
    from bot.store.postgres.house import House
    from bot.store.postgres.ownership import Ownership

MasterSecret = NewType("MasterSecret", bytes)


@dataclass(frozen=True, slots=True)
class DealerOptions:
    """How a dealer deals.

    Attributes:
        data: the directory that keeps chips, hands and the master secret.
        database: the address of a PostgreSQL database that keeps chips and hands in the place of that directory; empty for none.
        slot: which servers it deals to.
        house: what all dealers of the bot share; None for a dealer who is alone with a file.
        owned: that this process owns the schema of its slot; None if it is taken when the store opens.
        site: where it deals.
        policies: how practice players play; None for no practice players.
        clock: the time, for everything; the machine's own unless a test passes one.
        rng: random draws other than cards.
        guild_ready_seconds: how long after connecting to wait for one more server before the bot counts as ready.
        default_rules: the rules of a house whose staff have changed none; None for the usual ones.
        requests_per_second: how many requests are made with the bot's token; Discord allows 50.
        backups: how many hourly backups are kept; 0 for none.
        keep_hands: how many days finished hands are kept; None for good.
        my_hand_first: hole cards of people who have chosen nothing come in *My hand*, not by direct message.
        message_events: in how many servers the bot is told of messages at most.
        pictures: draws the table; None for tables in text alone.
        tells_luck: odds and the luck of all-in hands are told, in a process of its own; otherwise luck stays due, and there are no odds.
        odds: tells odds instead of that process.
        count_response: is told of the status of every response of Discord.
        ready: called once the bot is logged in and its tables are shown.
        warm: called once everything that can be prepared is prepared.
        books_disagree: called for each server whose books do not agree after the start, with what is wrong.
    """

    data: Path
    database: Secret = field(default_factory=Secret)
    slot: ServerSlot = ALL_SERVERS
    house: "House | None" = None
    owned: "Ownership | None" = None
    site: DealerSite = IN_DISCORD
    policies: PracticePolicies | None = None
    clock: AlarmClock | None = None
    rng: random.Random | None = None
    guild_ready_seconds: float = GUILD_READY_SECONDS
    default_rules: HouseRules | None = None
    requests_per_second: float = REQUESTS_PER_SECOND
    backups: int = 0
    keep_hands: int | None = None
    my_hand_first: bool = False
    message_events: int = HEARS_MESSAGES_UP_TO
    pictures: PictureMaker | None = None
    tells_luck: bool = False
    odds: OddsTeller | None = None
    count_response: Callable[[int], None] | None = None
    ready: Callable[[], None] | None = None
    warm: Callable[[], None] | None = None
    books_disagree: Callable[[int, tuple[BookFault, ...]], None] | None = None

    @property
    def schema(self) -> str:
        """Where in a database its chips and hands are."""
        return schema_of(local=self.site.local, slot=self.slot.number)

    @property
    def own_folder(self) -> Path:
        """What no other dealer on this machine touches."""
        return slot_folder(self.data, self.slot.number, self.slot.count)


def site(options: DealerOptions) -> DealerSite:
    return options.site


def duties(options: DealerOptions) -> BotDuties:
    return BotDuties(are_mine=options.slot.number == 0)


def cards(options: DealerOptions) -> CardsCome:
    return CardsCome.IN_MY_HAND if options.my_hand_first else CardsCome.BY_DM


def clock(options: DealerOptions) -> AlarmClock:
    return options.clock or SystemClock()


def codec() -> EventCodec:
    return EventCodec(JournalEvent)


def secret(options: DealerOptions) -> MasterSecret:
    options.data.mkdir(parents=True, exist_ok=True)
    return MasterSecret(master_secret(options.data / SECRET_FILE, create=True))


def sessions() -> Sessions:
    return Sessions()


def _data_to_open(options: DealerOptions) -> Path | Engine:
    address = options.database.reveal()
    if not address:
        return options.data / DATA_FILE
    from bot.store.postgres.engine import PostgresEngine  # which needs psycopg

    return PostgresEngine(address, options.schema, options.own_folder, slot=options.slot, owned=options.owned)


def _data_to_read(options: DealerOptions) -> DataSource:
    house = house_schema_of(local=options.site.local) if options.house is not None and options.slot.count > 1 else ""
    return source_of(options.data / DATA_FILE, options.database.reveal(), options.schema, house)


def statistics(options: DealerOptions, clock: AlarmClock, sessions: Sessions, signals: Signals) -> Statistics:
    """The statistics, made before the store: it lets them count hands before old ones go."""
    options.own_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Statistics(
        options.own_folder / STATISTICS_FILE,
        _data_to_read(options),
        statistics_decoder(),
        unshown=sessions.unshown_hands,
        unshown_since=sessions.unshown_since,
        now=clock.now,
        signals=signals,
    )


def store(options: DealerOptions, codec: EventCodec, clock: AlarmClock, statistics: Statistics) -> Store:
    return Store(
        _data_to_open(options),
        codec,
        default_rules=options.default_rules or (LOCAL_HOUSE_RULES if options.site.local else HouseRules()),
        keep_hands=Retention(options.keep_hands, clock.now) if options.keep_hands is not None else None,
        count_hands=statistics.count_all,
        slot=options.slot,
    )


def values(made: Store) -> ValueStorage:
    return made


def shared_people(options: DealerOptions, made: Store) -> SharedPersonalStorage | None:
    """What is kept about persons in all servers, where several dealers keep it."""
    if options.house is None or options.slot.count == 1:
        return None
    from bot.store.postgres.personal_values import SharedValues

    return SharedValues(options.house, _fence(options, made))


def _fence(options: DealerOptions, made: Store) -> "Callable[[], Fence]":
    """Return what tells which slot this dealer owns: what it saves for all servers is saved only while it does."""
    from bot.store.postgres.engine import PostgresEngine
    from bot.store.postgres.fence import Fence

    engine = made.engine
    assert isinstance(engine, PostgresEngine)
    return lambda: Fence(options.schema, engine.ownership.epoch)


def taken_list(options: DealerOptions, made: Store) -> TakenList | None:
    """The seats and tables of persons, where several dealers count them together."""
    if options.house is None or options.slot.count == 1:
        return None
    from bot.store.postgres.shared_list import SharedTakenList

    return SharedTakenList(options.house, options.slot.number, _fence(options, made))


def awaited_list(options: DealerOptions, made: Store) -> AwaitedList | None:
    """Whom tables wait for, where several dealers tell each other."""
    if options.house is None or options.slot.count == 1:
        return None
    from bot.store.postgres.shared_awaited import SharedAwaitedList

    return SharedAwaitedList(options.house, options.slot.number, _fence(options, made))


def people(made: Store, shared: SharedPersonalStorage | None = None) -> PersonalStorage:
    return shared if shared is not None else made


def full_deletion_orders(options: DealerOptions, personal: PersonalStorage) -> FullDeletionOrders:
    return FullDeletionOrders(personal, options.slot.number, options.slot.count)


def staff_log_lines(made: Store) -> StaffLogStorage:
    return made


def sealed_values(storage: ValueStorage, secret: MasterSecret) -> SealedStorage:
    return SealedValues(storage, secret)


def tables(
    options: DealerOptions,
    store: Store,
    secret: MasterSecret,
    sessions: Sessions,
    statistics: Statistics,
    clock: AlarmClock,
    signals: Signals,
    shared: SharedPersonalStorage | None = None,
    taken: TakenList | None = None,
) -> Tables:
    return Tables(
        store,
        secret,
        on_update=signals.send,
        clock=clock,
        policies=options.policies,
        rng=options.rng,
        show_run_outs=True,
        sessions=sessions,
        signals=signals,
        follow_deletions=statistics.follow_deletions,
        forget_elsewhere=partial(forget_person, shared) if shared is not None else None,
        taken=taken,
    )


def staff_log(tables: Tables) -> StaffLog:
    return tables.staff_log


def luck(statistics: Statistics, store: Store, tables: Tables) -> LuckTeller:
    return LuckTeller(statistics, store, lambda: tables.context)


def odds_teller(options: DealerOptions, luck: LuckTeller) -> OddsTeller:
    return options.odds or luck.odds


def privacy(
    store: Store, tables: Tables, clock: AlarmClock, statistics: Statistics, personal: PersonalStorage
) -> Privacy:
    return Privacy(store, tables, clock, declared_kinds(), statistics, personal)


def backups(options: DealerOptions, store: Store, codec: EventCodec, clock: AlarmClock) -> Backups:
    return Backups(store, codec, clock, options.backups, _data_to_read(options), options.own_folder)


def pictures(options: DealerOptions) -> PictureMaker:
    return options.pictures or PictureMaker()


def turns(options: DealerOptions) -> IdentifyTurns | None:
    """Whose turn it is at the gateway: also where one dealer deals, others wait beside it."""
    if options.house is None:
        return None
    from bot.store.postgres.ownership import this_process
    from bot.store.postgres.shared_turns import SharedTurns

    return IdentifyTurns(SharedTurns(options.house), f"{this_process()}, {secrets.token_hex(4)}")


def client(options: DealerOptions, signals: Signals, turns: IdentifyTurns | None = None) -> DiscordClient:
    return DiscordClient(
        signals,
        CommandTree,
        hears_messages_up_to=options.message_events,
        guild_ready_seconds=options.guild_ready_seconds,
        count=options.count_response,
        turns=turns,
        choose_shards=partial(_shards, options) if options.slot.count > 1 else all_shards,
    )


async def _shards(options: DealerOptions, recommended: int) -> tuple[int, Sequence[int]]:
    """Return how many connections to the gateway the bot has in all, and which of them are this dealer's."""
    assert options.house is not None, "who shares the servers with others shares a house with them"
    count = await options.house.agree_on_shards(recommended)
    return count, options.slot.shards(count)


def allowance(options: DealerOptions) -> SharedAllowance | None:
    """Discord's limit of requests, where several dealers share it."""
    if options.house is None or options.slot.count == 1:
        return None
    from bot.store.postgres.buckets import RequestTokens

    rate, house = options.requests_per_second, house_schema_of(local=options.site.local)
    tokens = RequestTokens(options.database.reveal(), house, rate, BURST)
    return SharedAllowance(tokens, options.slot.count, rate, BURST)


def slot_mark(options: DealerOptions) -> SlotMark | None:
    return SlotMark(options.slot.number) if options.slot.count > 1 else None


def passed_clicks(options: DealerOptions, made: Store) -> PassedClicks | None:
    """Clicks in direct messages, where several dealers pass them on to each other."""
    if options.house is None or options.slot.count == 1:
        return None
    from bot.store.postgres.shared_clicks import SharedClicks

    return SharedClicks(options.house, options.slot.number, _fence(options, made))


def channel_bucket(options: DealerOptions) -> ChannelBucket | None:
    """Discord's limit of new channels of direct messages, where several dealers share it."""
    if options.house is None or options.slot.count == 1:
        return None
    from bot.store.postgres.buckets import DM_CHANNELS, SharedBucket

    return SharedBucket(options.house, DM_CHANNELS, 1000 / PAUSE_MS, AT_ONCE)


def discord_api(
    options: DealerOptions,
    client: DiscordClient,
    allowance: SharedAllowance | None = None,
    mark: SlotMark | None = None,
) -> DiscordApi:
    api = DiscordApi(client, options.requests_per_second, allowance, mark)
    client.watch_messages(api.echoes)
    client.after_login(partial(api.open, options.count_response))
    return api


def token_requests(api: DiscordApi) -> TokenRequests:
    return api.by_token


FOUNDATION: tuple[Callable[..., object], ...] = (
    Signals, site, duties, cards, clock, codec, secret, sessions, statistics, store, values, shared_people, people, taken_list,
    awaited_list, full_deletion_orders, staff_log_lines, sealed_values, tables, staff_log, luck, odds_teller, privacy, backups, pictures,
    turns, client, allowance, slot_mark, passed_clicks, channel_bucket, discord_api, token_requests,
)  # fmt: skip
