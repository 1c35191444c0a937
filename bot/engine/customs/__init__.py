"""The customs of the games, each in a file of its own. `bot.text.customs` has their words."""

from bot.engine.customs.ace_also_low import AceAlsoLow
from bot.engine.customs.button_blind import ButtonBlind
from bot.engine.customs.check_raise import ForbidsCheckRaise
from bot.engine.customs.door_card import DoorCardTiesBySuit
from bot.engine.customs.face_up_joker import FaceUpJokerIsBug
from bot.engine.customs.follow_rank import FollowRank
from bot.engine.customs.losers_match_pot import LosersMatchPot
from bot.engine.customs.openers import Openers
from bot.engine.customs.up_cards import ExtraCardRank, PricedRank
from bot.engine.customs.wild_board_card import WildBoardCard

AnyCustom = (
    ButtonBlind
    | DoorCardTiesBySuit
    | AceAlsoLow
    | Openers
    | ForbidsCheckRaise
    | WildBoardCard
    | FaceUpJokerIsBug
    | FollowRank
    | PricedRank
    | ExtraCardRank
    | LosersMatchPot
)
"""In this order a rule card lists its customs."""

__all__ = [
    "AceAlsoLow",
    "AnyCustom",
    "ButtonBlind",
    "DoorCardTiesBySuit",
    "ExtraCardRank",
    "FaceUpJokerIsBug",
    "FollowRank",
    "ForbidsCheckRaise",
    "LosersMatchPot",
    "Openers",
    "PricedRank",
    "WildBoardCard",
]
