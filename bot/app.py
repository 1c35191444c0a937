"""The parts of the dealer, in the order in which they are made. A new part is its import and its line here.

What is below them is in `bot.foundation`; what becomes of them is in `bot.dealer`.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.foundation import FOUNDATION
from bot.line.dm_channels import DmChannels
from bot.runtime.bank import Bank
from bot.runtime.buy_ins import BuyIns
from bot.runtime.flow_alarms import FlowAlarms
from bot.runtime.house_games import HouseGames
from bot.runtime.listed_people import ListedPeople
from bot.runtime.nights import Nights
from bot.runtime.seasons import Seasons
from bot.surfaces.achievements.lines import AchievementLines
from bot.surfaces.answer_pictures import AnswerPictures
from bot.surfaces.card_emojis import CardEmojis
from bot.surfaces.direct_messages.hole_cards import DirectMessages
from bot.surfaces.evenings.calls import ReturnCalls
from bot.surfaces.evenings.sheets import EveningSheets
from bot.surfaces.events.calls import DuelCalls
from bot.surfaces.events.panels import EventPanels
from bot.surfaces.greeting.greeter import Greeter
from bot.surfaces.imports.hand_imports import HandImports
from bot.surfaces.lobby.boards import LobbyBoards
from bot.surfaces.lobby.pings import SeatPings, TableCalls
from bot.surfaces.my_hand.panels import HandPanels
from bot.surfaces.nights.evenings import GameNights
from bot.surfaces.nights.host_news import HostNews
from bot.surfaces.nights.lines import NightLines
from bot.surfaces.nights.own_nights import OwnNights
from bot.surfaces.nights.posts import NightPosts
from bot.surfaces.nights.scheduled import NightEvents
from bot.surfaces.notices.notices import PrivateNotices
from bot.surfaces.people.avatars import Avatars
from bot.surfaces.people.full_deletions import FullDeletions
from bot.surfaces.people.members import Members
from bot.surfaces.people.profiles import DisplayNames, Preferences
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.people.shared_news import SharedNews, personal_news
from bot.surfaces.private_answers import LivePanels, PrivateAnswers
from bot.surfaces.rooms.lost_channels import LostChannels
from bot.surfaces.rooms.room_archive import RoomArchive
from bot.surfaces.rooms.room_guests import RoomGuests
from bot.surfaces.rooms.room_maker import RoomMaker
from bot.surfaces.rooms.saved_rooms import TableRooms
from bot.surfaces.scenes import EmojiDecks
from bot.surfaces.seasons.news import SeasonNews
from bot.surfaces.seasons.trophies import Trophies
from bot.surfaces.sheets.session_sheets import SessionSheets
from bot.surfaces.staff.channel import StaffChannel
from bot.surfaces.staff.flow_watch import FlowWatch
from bot.surfaces.table.display import TableDisplay
from bot.surfaces.table.run_out_odds import RunOutOdds
from bot.surfaces.waiting.next_table import NextTables
from bot.surfaces.waiting.reminders import TurnReminders
from bot.surfaces.waiting.vacations import Vacations
from cogs import create_cogs, listen_to_clicks
from cogs.direct_clicks import DirectClicks
from cogs.support.did_you_mean import Corrections
from cogs.support.services import Services
from cogs.sync import CommandSync
from cogs.welcome_table import WelcomeTables

PARTS: tuple[Callable[..., object], ...] = (
    *FOUNDATION,
    Bank,
    BuyIns,
    HouseGames,
    ListedPeople,
    Seasons,
    FlowAlarms,
    Nights,
    SharedNews,
    personal_news,
    DmChannels,
    EmojiDecks,
    CardEmojis,
    Preferences,
    QuietTimes,
    Vacations,
    DisplayNames,
    Avatars,
    Members,
    AnswerPictures,
    PrivateAnswers,
    LivePanels,
    DirectMessages,
    TableRooms,
    EveningSheets,
    RunOutOdds,
    TableDisplay,
    HandPanels,
    SessionSheets,
    PrivateNotices,
    TurnReminders,
    NextTables,
    RoomMaker,
    RoomGuests,
    RoomArchive,
    ReturnCalls,
    GameNights,
    NightLines,
    NightPosts,
    OwnNights,
    NightEvents,
    HostNews,
    LostChannels,
    StaffChannel,
    FlowWatch,
    SeasonNews,
    Trophies,
    FullDeletions,
    AchievementLines,
    EventPanels,
    DuelCalls,
    LobbyBoards,
    SeatPings,
    TableCalls,
    HandImports,
    Greeter,
    Corrections,
    Services,
    create_cogs,
    listen_to_clicks,
    DirectClicks,
    CommandSync,
    WelcomeTables,
)
"""Each is made of those before it, by the types of its arguments."""
