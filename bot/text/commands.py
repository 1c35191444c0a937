"""Slash commands in words: what Discord shows while someone types one, and under which topic `/help` lists it.

Names of commands and options are the same in every language, because sentences name them (``/sit``). Descriptions and choices are
translated. Discord takes at most 100 characters of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from bot.table.state import EntryMethod
from bot.text.house import rule_choices, rule_options
from bot.text.language import Message, message
from bot.text.leaderboards import ORDER_CHOICES, PERIOD_CHOICES
from bot.text.mixed_games import BOMB_POTS

TEXT_MAX = 100
"""The most characters that Discord takes of a description or a choice."""


class Topic(StrEnum):
    """The pages of `/help`, in the order of their buttons. The values stand in the ids of these buttons."""

    PLAY = "play"
    BETS = "bets"
    SEATS = "seats"
    CHIPS = "chips"
    HANDS = "hands"
    TABLES = "tables"
    STAFF = "staff"


class CommandText(Struct, frozen=True):
    """One command in words.

    Attributes:
        description: what the command does.
        options: what each option means, by its name.
        choices: by option, the values that Discord offers for it and what they are called.
        topic: where `/help` lists it. A command of a group stands where its group does.
    """

    description: Message
    options: Mapping[str, Message] = {}
    choices: Mapping[str, Mapping[str, Message]] = {}
    topic: Topic | None = None


class GroupText(Struct, frozen=True):
    """What a group of commands is for.

    Attributes:
        topic: where `/help` lists it.
        one_line: `/help` lists the group as a whole, rather than each of its commands.
    """

    description: Message
    topic: Topic
    one_line: bool = True


_YES_NO = {"yes": message("yes"), "no": message("no")}
_CHIPS = message("How many chips: 5000 or 5k")
_REASON = message("The reason; it's kept on record")

GROUPS: dict[str, GroupText] = {
    "table": GroupText(message("Open, close and find tables"), Topic.TABLES, one_line=False),
    "deal": GroupText(message("The cut, the first deal and the next game"), Topic.SEATS),
    "seats": GroupText(
        message("Draw, exchange and hand over seats; correct stacks (everyone must agree)"), Topic.SEATS
    ),
    "chips": GroupText(message("Your chips: balance, daily chips, free chips, history"), Topic.CHIPS),
    "privacy": GroupText(message("What the bot keeps about you: have it as a file, or have it deleted"), Topic.CHIPS),
    "season": GroupText(message("Seasons: who leads, results, hall of fame; staff open and close them"), Topic.HANDS),
    "house": GroupText(
        message("For staff: house rules, chips, cancelled hands, books, bans, reports"),
        Topic.STAFF,
        one_line=False,
    ),
}
"""The groups of commands by name."""

_WHERE = message("Where the table opens. Default: here, or as a post in the server's forum of tables")
WHERE = {
    "here": message("here, in this channel"),
    "thread": message("in a new thread"),
    "private": message("in a private thread, for people you invite"),
    "forum": message("as a post in the server's forum"),
}

COMMANDS: dict[str, CommandText] = {
    "fold": CommandText(message("Fold your hand"), topic=Topic.BETS),
    "check": CommandText(message("Check: stay in without betting, if nobody has bet"), topic=Topic.BETS),
    "call": CommandText(message("Match the highest bet, or go all-in for less"), topic=Topic.BETS),
    "bet": CommandText(
        message("Bet first on this street, in chips"),
        {"to": message("How much: 200, 1.5k, ½, pot, all")},
        topic=Topic.BETS,
    ),
    "raise": CommandText(
        message("Raise to a total for this street, in chips"),
        {"to": message("To how much: 200, 1.5k, ½, pot, all")},
        topic=Topic.BETS,
    ),
    "allin": CommandText(message("Bet everything you have"), topic=Topic.BETS),
    "myhand": CommandText(message("See your cards; nobody else does"), topic=Topic.PLAY),
    "preselect": CommandText(
        message("Decide ahead of your turn, for this street only; nobody else sees it"),
        {"choice": message("What to do when your turn comes")},
        {
            "choice": {
                "check or fold": message("check or fold"),
                "call": message("call the current bet"),
                "fold": message("fold"),
                "nothing": message("take back what you chose"),
            }
        },
        topic=Topic.BETS,
    ),
    "time": CommandText(message("Use your time bank, on your turn"), topic=Topic.BETS),
    "straddle": CommandText(
        message("Take the straddle you're offered, or ask for one next hand"),
        {"on": message("Off: decline it, or take it back")},
        topic=Topic.BETS,
    ),
    "draw": CommandText(
        message("Draw new cards; leave it empty to choose privately"),
        {"cards": message("The cards to discard: 7h 4c 2s")},
        topic=Topic.PLAY,
    ),
    "standpat": CommandText(message("Keep all your cards at the draw"), topic=Topic.PLAY),
    "discard": CommandText(
        message("Discard or pass cards"),
        {"cards": message("The cards: 7h 4c 2s; leave it empty to choose privately")},
        topic=Topic.PLAY,
    ),
    "declare": CommandText(
        message("Declare in secret how you play: high, low, both, in, out"),
        {"word": message("What you declare; it's revealed when everyone has chosen")},
        topic=Topic.PLAY,
    ),
    "runtwice": CommandText(
        message("All-in: deal the rest of the board twice, half the pot each, or once"),
        {"answer": message("Everyone in the hand must say yes")},
        {"answer": _YES_NO},
        topic=Topic.PLAY,
    ),
    "answer": CommandText(
        message("Answer yes or no"), {"answer": message("Yes or no")}, {"answer": _YES_NO}, topic=Topic.PLAY
    ),
    "show": CommandText(
        message("Show your cards to everyone"),
        {"cards": message("After the hand: only these, As 7h. Empty: all of them")},
        topic=Topic.PLAY,
    ),
    "muck": CommandText(message("Muck: give up your hand unseen at the showdown"), topic=Topic.PLAY),
    "sit": CommandText(
        message("Take a seat at this channel's table"),
        {
            "chips": message("Chips to sit down with: 5000 or 5k. Default: 100 big blinds"),
            "seat": message("The seat's number; any free one by default"),
        },
        topic=Topic.SEATS,
    ),
    "leave": CommandText(message("Leave the table with your chips, after the hand you're in"), topic=Topic.SEATS),
    "sitout": CommandText(message("Take a break from the next hand on"), topic=Topic.SEATS),
    "break": CommandText(
        message("Ask for a break of the whole table"),
        {"minutes": message("How many minutes (5 to 30)")},
        topic=Topic.SEATS,
    ),
    "back": CommandText(
        message("Play again after a break"),
        {"how": message("If you owe blinds: how to come in")},
        {
            "how": {
                EntryMethod.POST.value: message("Post what I owe"),
                EntryMethod.WAIT.value: message("Wait for the big blind"),
                EntryMethod.BUY_BUTTON.value: message("Buy the button"),
            }
        },
        topic=Topic.SEATS,
    ),
    "rebuy": CommandText(
        message("Add chips from your wallet, now or before the next hand"), {"chips": _CHIPS}, topic=Topic.SEATS
    ),
    "waitinglist": CommandText(
        message("Wait for a seat at this channel's table"),
        {"wait": message("Off: leave the waiting list")},
        topic=Topic.SEATS,
    ),
    "seats draw": CommandText(message("Draw for seats: before the first hand, or an hour after the last draw")),
    "seats choose": CommandText(
        message("Before seats are drawn: choose yours, as banker (the host) or dealer"),
        {"seat": message("The seat's number")},
    ),
    "seats dealer": CommandText(
        message("Before seats are drawn, as first dealer: sit left of the banker, or draw"),
        {"left": message("On: left of the banker. Off: draw with the others")},
    ),
    "seats exchange": CommandText(
        message("Ask another player to exchange seats with you"), {"seat": message("The number of their seat")}
    ),
    "seats substitute": CommandText(
        message("Name who can take your seat when you leave; it can't be undone"),
        {"player": message("Who takes your seat; nobody if you leave this empty")},
    ),
    "seats adjust": CommandText(
        message("Propose to correct stacks; it's done if everyone at the table agrees"),
        {"changes": message("Who gives and who gets, by name or seat: @Ann -500 @Bo +300 @Cy +200")},
    ),
    "deal cut": CommandText(
        message("Cut the deck for the next hand, as the player on the dealer's right"),
        {"at": message("Cards from the top: 20. Two numbers make three packets: 20 35")},
    ),
    "deal nocut": CommandText(
        message("Pass on the cut, where allowed; of the others who ask, the nearest to you cuts")
    ),
    "deal shuffle": CommandText(message("Have the deck shuffled once more before the next hand")),
    "deal first": CommandText(message("Draw for the first deal now, the way this table does it")),
    "deal lot": CommandText(
        message("Cut for the first deal: the lowest card deals"), {"at": message("Which card, counted from the top")}
    ),
    "deal skip": CommandText(message("Ask not to be the dealer this time")),
    "deal misdeal": CommandText(message("Call a misdeal: the hand doesn't count if everyone dealt in agrees")),
    "deal choose": CommandText(
        message("Choose the next game, when it's your turn to choose"), {"game": message("One of this table's games")}
    ),
    "deal bomb": CommandText(
        message("Ask for a bomb pot; it's dealt once everyone playing asks for it"),
        {"on": message("Off: take it back")},
    ),
    "chips balance": CommandText(message("Your chips, and when the next free ones come")),
    "chips daily": CommandText(message("Claim your daily chips")),
    "chips free": CommandText(message("Claim free chips, when you have none left anywhere")),
    "chips history": CommandText(message("Where your chips came from and went")),
    "privacy about": CommandText(message("What the bot keeps about you")),
    "privacy export": CommandText(message("Get all that is kept about you here, as files only you see")),
    "privacy delete": CommandText(message("Delete what is kept about you here; it asks first")),
    "leaderboard": CommandText(
        message("Who has the most chips here, or has won the most"),
        {
            "page": message("Which page"),
            "by": message("What it's ordered by. Default: chips in wallets and on tables"),
            "period": message("Which hands count. Default: all"),
        },
        {"by": ORDER_CHOICES, "period": PERIOD_CHOICES},
        topic=Topic.HANDS,
    ),
    "stats": CommandText(
        message("Your statistics, another player's, or two players against each other"),
        {
            "player": message("Whose statistics; yours by default"),
            "versus": message("Another player, to compare them"),
            "game": message("One game only; all games by default"),
            "period": message("Since when; all time by default"),
            "practice": message("Hands for practice chips instead"),
        },
        {
            "period": {
                "month": message("this month"),
                "week": message("this week"),
                "season": message("this season"),
            }
        },
        topic=Topic.HANDS,
    ),
    "achievements": CommandText(
        message("What you have done here for the first time"),
        {
            "player": message("Whose achievements; yours by default"),
            "tell": message("Whether a result tells what you have achieved in the hand"),
        },
        topic=Topic.HANDS,
    ),
    "season status": CommandText(message("The season that runs: who is in the lead, when it ends")),
    "season results": CommandText(
        message("How a season ended"), {"number": message("The season's number; the last one by default")}
    ),
    "season hall": CommandText(message("Hall of fame: who won which season")),
    "season open": CommandText(
        message("For staff: open a season; hands count from now on"),
        {"name": message("What it's called"), "by": message("What its results are ordered by. Default: net chips")},
        {"by": {name: ORDER_CHOICES[name] for name in ("net", "per100", "hands")}},
    ),
    "season close": CommandText(message("For staff: close the season for good; it asks first")),
    "season settings": CommandText(
        message("For staff: the calendar, chips at a season's end, the winner's role"),
        rule_options("season settings") | {"remove": message("What to remove")},
        rule_choices("season settings")
        | {"remove": {"winner_role": message("the winner's role"), "channel": message("the channel")}},
    ),
    "hand": CommandText(
        message("Find hands that were played, and replay them; the last hand of this table by default"),
        {
            "number": message("A hand's number, or a reference such as 3-1284 or 3-1284-9"),
            "table": message("The table's number; closed tables too"),
            "player": message("Somebody who was dealt in"),
            "game": message("Which game"),
            "date": message("When: today, yesterday, 2026-11-20, 20 Nov, November; in UTC"),
            "file": message("Get it as a file"),
        },
        {
            "file": {
                "text": message("text to read"),
                "pokerstars": message("hand history as PokerStars writes it, for trackers"),
                "phh": message("PHH, for poker programs"),
            }
        },
        topic=Topic.HANDS,
    ),
    "download": CommandText(
        message("Your hands as one file: this evening's, a day's, or a whole table's"),
        {
            "hands": message("Which hands; since you sat down by default"),
            "date": message("Only of a day, week or month: today, yesterday, Nov 20, last month"),
            "table": message("Only of one table, by its number"),
            "file": message("Which kind of file"),
        },
        {
            "hands": {
                "evening": message("mine since I sat down"),
                "mine": message("all of mine"),
                "table": message("everybody's at this table"),
            },
            "file": {
                "pokerstars": message("hand history as PokerStars writes it, for trackers"),
                "phh": message("PHH, for poker programs"),
                "text": message("text to read"),
            },
        },
        topic=Topic.HANDS,
    ),
    "import": CommandText(
        message("Give the bot a file of hands: it plays them by the rules and shows what's wrong"), topic=Topic.HANDS
    ),
    "report": CommandText(
        message("Report a hand to the staff of this server"),
        {
            "about": message("What happened, in a sentence"),
            "number": message("Which hand; the last one by default"),
            "table": message("The table's number; by default this channel's table"),
        },
        topic=Topic.HANDS,
    ),
    "laws": CommandText(
        message("The rules of this table, or one law"),
        {
            "law": message("A law's id, like B-8 or TL-4, or words to look for"),
            "game": message("The rules of a game, as a new table here would play it"),
        },
        topic=Topic.CHIPS,
    ),
    "cards": CommandText(
        message("How your cards look to you, and whether they come by direct message"),
        {
            "colours": message("The colours of the suits, wherever only you see them"),
            "dms": message("Whether your hole cards come by direct message"),
            "every_hand": message("Whether a DM comes in every hand, also while you play from My hand"),
            "large": message("Whether My hand draws your cards as one large picture"),
        },
        {
            "colours": {
                "four": message("four colours: clubs green, diamonds blue"),
                "two": message("two colours: black and red"),
            }
        },
        topic=Topic.CHIPS,
    ),
    "pings": CommandText(
        message("When I ping you: your quiet hours, and whether you're told of new tables"),
        {
            "quiet": message("Your quiet hours and where you are, as 22:00-08:00 Berlin or 22:00-08:00 +01:00; or off"),
            "tables": message("Whether you're told when somebody opens a table here"),
        },
        topic=Topic.CHIPS,
    ),
    "play": CommandText(
        message("Play: open a table here and sit down; a form asks for game and stakes"),
        {"game": message("The game chosen in the form at first. Default: No-Limit Hold'em"), "where": _WHERE},
        {"where": WHERE},
        topic=Topic.TABLES,
    ),
    "lobby": CommandText(message("The open tables: join one, watch one, or open one"), topic=Topic.TABLES),
    "table open": CommandText(
        message("Open a table in this channel; you are its host"),
        {
            "game": message(
                "A game, a mixed game or a house game, or several with / between them. Default: No-Limit Hold'em"
            ),
            "big_blind": message("Big blind (or small bet) in chips: 100 or 1k"),
            "seats": message("Number of seats"),
            "buy_in": message("Minimum buy-in, in chips"),
            "most": message("Maximum buy-in, in chips"),
            "ante": message("Ante in chips, besides the blinds"),
            "seconds": message("Seconds to act"),
            "practice": message("Add practice players (separate play chips)"),
            "change": message("With several games: when the game changes"),
            "every": message("After how many hands or minutes the game changes"),
            "bomb": message("Bomb pots: everyone antes and the flop comes at once"),
            "where": _WHERE,
        },
        {
            "where": WHERE,
            "change": {
                "lap": message("after each round of the button"),
                "deals": message("after a number of hands"),
                "time": message("after a number of minutes"),
                "choice": message("dealer's choice"),
            },
            "bomb": BOMB_POTS,
        },
    ),
    "table list": CommandText(message("The open tables of this server")),
    "table info": CommandText(
        message("A table in words: players, stakes, clocks"),
        {"number": message("The table's number; by default this channel's table")},
    ),
    "table settings": CommandText(message("See or change what this table plays by")),
    "table notes": CommandText(message("Write down house rules of your own for this table")),
    "table games": CommandText(message("The house games of this server: rules saved under a name")),
    "table invite": CommandText(
        message("Invite people to this private table, or let somebody back whom you removed"),
        {name: message("Whom to invite") for name in ("player", "second", "third", "fourth", "fifth")},
    ),
    "table remove": CommandText(
        message("Remove a player from this table, with all their chips, after the hand they are in"),
        {"player": message("Whom to remove")},
    ),
    "table close": CommandText(message("Close this table and pay everyone out")),
    "house settings": CommandText(
        message("See or change the house rules"),
        rule_options("house settings"),
        rule_choices("house settings"),
    ),
    "house forum": CommandText(message("Make each new table a post in a forum"), rule_options("house forum")),
    "house grant": CommandText(
        message("Add chips to a player's wallet"), {"player": message("To whom"), "chips": _CHIPS, "reason": _REASON}
    ),
    "house take": CommandText(
        message("Remove chips from a player's wallet"),
        {"player": message("From whom"), "chips": _CHIPS, "reason": _REASON},
    ),
    "house cancel": CommandText(
        message("Cancel this table's hand; all bets go back"),
        {"reason": message("Why; everyone reads it")},
    ),
    "house books": CommandText(message("Check the books against the tables")),
    "house save": CommandText(
        message("Save this table's rules as a house game"),
        {"name": message("Name of the house game; it replaces one of the same name")},
    ),
    "house delete": CommandText(message("Delete a house game"), {"name": message("Name of the house game")}),
    "house remove": CommandText(
        message("Remove a player"),
        {"player": message("Who"), "reason": _REASON},
    ),
    "house ban": CommandText(
        message("Ban a player"),
        {"player": message("Who"), "reason": _REASON},
    ),
    "house unban": CommandText(message("Lift a ban"), {"player": message("Who"), "reason": _REASON}),
    "house bans": CommandText(message("Who is banned, and why")),
    "house reports": CommandText(message("Reported hands")),
    "house lobby": CommandText(
        message("Keep a list of the open tables here"),
        {"remove": message("On: take the lobby away")},
    ),
    "house quiet": CommandText(message("Hours without pings"), rule_options("house quiet")),
    "house flow": CommandText(
        message("Who gives chips to whom"),
        {"days": message("The last days to look at (1 to 90). Default: 30")},
    ),
    "help": CommandText(message("How to play")),
}
"""Every slash command by its whole name, in the order of `/help`."""

MENU_NAME_MAX = 32
"""The most characters that Discord takes of the name of a menu's command."""

REPLAY_MENU = message("Replay")
STATISTICS_MENU = message("Stats")

MENU_COMMANDS: tuple[Message, ...] = (REPLAY_MENU, STATISTICS_MENU)
"""The commands in the menus of messages and people, "Apps" in Discord. Nobody types these names, so they are translated."""

BET_SIZES: dict[str, Message] = {
    "⅓": message("⅓ pot"),
    "½": message("½ pot"),
    "⅔": message("⅔ pot"),
    "¾": message("¾ pot"),
    "pot": message("Pot"),
    "min": message("Minimum"),
    "all": message("All-in"),
}
"""What the amount of `/bet` and `/raise` completes to."""
