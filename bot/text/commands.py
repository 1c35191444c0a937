"""Slash commands in words: what Discord shows while someone types one, and under which topic `/help` lists it.

Names of commands and options are the same in every language, because sentences name them (``/sit``). Descriptions and choices are
translated. Discord takes at most 100 characters of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from bot.text.house import rule_choices, rule_options
from bot.text.language import Message, message
from bot.text.leaderboards import ORDER_CHOICES, PERIOD_CHOICES
from bot.text.mixed_games import BOMB_POTS
from bot.text.word_table import WordRow, word_table

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
        topic: where `/help` lists it, or the group that it belongs to; None for `/help` itself.
    """

    description: Message
    options: Mapping[str, Message] = {}
    choices: Mapping[str, Mapping[str, Message]] = {}
    topic: Topic | None = None


class GroupText(Struct, frozen=True):
    """What a group of commands is for. With `one_line` `/help` lists the group as a whole, rather than each of its commands."""

    description: Message
    one_line: bool = True


GROUPS: dict[str, GroupText] = {
    "table": GroupText(message("Open, close and find tables"), one_line=False),
    "deal": GroupText(message("The cut, the first deal and the next game")),
    "seats": GroupText(message("Draw, exchange and hand over seats; correct stacks (everyone must agree)")),
    "chips": GroupText(message("Your chips: balance, daily chips, free chips, history")),
    "privacy": GroupText(message("What the bot keeps about you: have it as a file, or have it deleted")),
    "season": GroupText(message("Seasons: who leads, results, hall of fame; staff open and close them")),
    "house": GroupText(message("For staff: house rules, chips, cancelled hands, books, bans, reports"), one_line=False),
}
"""The groups of commands by name."""

_COMMON_OPTIONS = {
    "chips": message("How many chips: 5000 or 5k"),
    "reason": message("The reason; it's kept on record"),
    "where": message("Where the table opens. Default: here, or as a post in the server's forum of tables"),
}
"""The words of an option that has none of its own in `_TABLES`."""
WHERE = {
    "here": message("here, in this channel"),
    "thread": message("in a new thread"),
    "private": message("in a private thread, for people you invite"),
    "forum": message("as a post in the server's forum"),
}
_CHOICES: dict[str, dict[str, Mapping[str, Message]]] = {
    "leaderboard": {"by": ORDER_CHOICES, "period": PERIOD_CHOICES},
    "season open": {"by": {name: ORDER_CHOICES[name] for name in ("net", "per100", "hands")}},
    "play": {"where": WHERE},
    "table open": {"where": WHERE, "bomb": BOMB_POTS},
}
"""Choices that have their words elsewhere, by command and option. The options that change house rules have theirs in `bot.text.house`."""

_TABLES = {
    Topic.PLAY: word_table(
        """
        myhand | See your cards; nobody else does
        draw | Draw new cards; leave it empty to choose privately
            cards | The cards to discard: 7h 4c 2s
        standpat | Keep all your cards at the draw
        discard | Discard or pass cards
            cards | The cards: 7h 4c 2s; leave it empty to choose privately
        declare | Declare in secret how you play: high, low, both, in, out
            word | What you declare; it's revealed when everyone has chosen
        runtwice | All-in: deal the rest of the board twice, half the pot each, or once
            answer | Everyone in the hand must say yes
                yes | yes
                no | no
        answer | Answer yes or no
            answer | Yes or no
                yes | yes
                no | no
        show | Show your cards to everyone
            cards | After the hand: only these, As 7h. Empty: all of them
        muck | Muck: give up your hand unseen at the showdown
        """
    ),
    Topic.BETS: word_table(
        """
        fold | Fold your hand
        check | Check: stay in without betting, if nobody has bet
        call | Match the highest bet, or go all-in for less
        bet | Bet first on this street, in chips
            to | How much: 200, 1.5k, ½, pot, all
        raise | Raise to a total for this street, in chips
            to | To how much: 200, 1.5k, ½, pot, all
        allin | Bet everything you have
        preselect | Decide ahead of your turn, for this street only; nobody else sees it
            choice | What to do when your turn comes
                check or fold | check or fold
                call | call the current bet
                fold | fold
                nothing | take back what you chose
        time | Use your time bank, on your turn
        straddle | Take the straddle you're offered, or ask for one next hand
            on | Off: decline it, or take it back
        """
    ),
    Topic.SEATS: word_table(
        """
        sit | Take a seat at this channel's table
            chips | Chips to sit down with: 5000 or 5k. Default: 100 big blinds
            seat | The seat's number; any free one by default
        leave | Leave the table with your chips, after the hand you're in
        sitout | Take a break from the next hand on
        break | Ask for a break of the whole table
            minutes | How many minutes (5 to 30)
        back | Play again after a break
            how | If you owe blinds: how to come in
                post | Post what I owe
                wait | Wait for the big blind
                buy the button | Buy the button
        rebuy | Add chips from your wallet, now or before the next hand
            chips
        waitinglist | Wait for a seat at this channel's table
            wait | Off: leave the waiting list
        seats draw | Draw for seats: before the first hand, or an hour after the last draw
        seats choose | Before seats are drawn: choose yours, as banker (the host) or dealer
            seat | The seat's number
        seats dealer | Before seats are drawn, as first dealer: sit left of the banker, or draw
            left | On: left of the banker. Off: draw with the others
        seats exchange | Ask another player to exchange seats with you
            seat | The number of their seat
        seats substitute | Name who can take your seat when you leave; it can't be undone
            player | Who takes your seat; nobody if you leave this empty
        seats adjust | Propose to correct stacks; it's done if everyone at the table agrees
            changes | Who gives and who gets, by name or seat: @Ann -500 @Bo +300 @Cy +200
        deal cut | Cut the deck for the next hand, as the player on the dealer's right
            at | Cards from the top: 20. Two numbers make three packets: 20 35
        deal nocut | Pass on the cut, where allowed; of the others who ask, the nearest to you cuts
        deal shuffle | Have the deck shuffled once more before the next hand
        deal first | Draw for the first deal now, the way this table does it
        deal lot | Cut for the first deal: the lowest card deals
            at | Which card, counted from the top
        deal skip | Ask not to be the dealer this time
        deal misdeal | Call a misdeal: the hand doesn't count if everyone dealt in agrees
        deal choose | Choose the next game, when it's your turn to choose
            game | One of this table's games
        deal bomb | Ask for a bomb pot; it's dealt once everyone playing asks for it
            on | Off: take it back
        """
    ),
    Topic.CHIPS: word_table(
        """
        chips balance | Your chips, and when the next free ones come
        chips daily | Claim your daily chips
        chips free | Claim free chips, when you have none left anywhere
        chips history | Where your chips came from and went
        privacy about | What the bot keeps about you
        privacy export | Get all that is kept about you here, as files only you see
        privacy delete | Delete what is kept about you here; it asks first
        laws | The rules of this table, or one law
            law | A law's id, like B-8 or TL-4, or words to look for
            game | The rules of a game, as a new table here would play it
        cards | How your cards look to you, and whether they come by direct message
            colours | The colours of the suits, wherever only you see them
                four | four colours: clubs green, diamonds blue
                two | two colours: black and red
            dms | Whether your hole cards come by direct message
            every_hand | Whether a DM comes in every hand, also while you play from My hand
            large | Whether My hand draws your cards as one large picture
        pings | When I ping you: your quiet hours, and whether you're told of new tables
            quiet | Your quiet hours and where you are, as 22:00-08:00 Berlin or 22:00-08:00 +01:00; or off
            tables | Whether you're told when somebody opens a table here
        """
    ),
    Topic.HANDS: word_table(
        """
        leaderboard | Who has won the most here, or has the most chips
            page | Which page
            by | What it's ordered by. Default: net chips won
            period | Which hands count. Default: all
        stats | Your statistics, another player's, or two players against each other
            player | Whose statistics; yours by default
            versus | Another player, to compare them
            game | One game only; all games by default
            period | Since when; all time by default
                month | this month
                week | this week
                season | this season
            chips | Hands for other chips instead; each kind is counted by itself
                practice | practice chips
                home | table chips: home games
        achievements | What you have done here for the first time
            player | Whose achievements; yours by default
            tell | Whether a result tells what you have achieved in the hand
        season status | The season that runs: who is in the lead, when it ends
        season results | How a season ended
            number | The season's number; the last one by default
        season hall | Hall of fame: who won which season
        season open | For staff: open a season; hands count from now on
            name | What it's called
            by | What its results are ordered by. Default: net chips
        season close | For staff: close the season for good; it asks first
        season settings | For staff: the calendar, chips at a season's end, the winner's role
            remove | What to remove
                winner_role | the winner's role
                channel | the channel
        hand | Find hands that were played, and replay them; the last hand of this table by default
            number | A hand's number, or a reference such as 3-1284 or 3-1284-9
            table | The table's number; closed tables too
            player | Somebody who was dealt in
            game | Which game
            date | When: today, yesterday, 2026-11-20, 20 Nov, November; in UTC
            file | Get it as a file
                text | text to read
                pokerstars | hand history as PokerStars writes it, for trackers
                phh | PHH, for poker programs
        download | Your hands as one file: this evening's, a day's, or a whole table's
            hands | Which hands; since you sat down by default
                evening | mine since I sat down
                mine | all of mine
                table | everybody's at this table
            date | Only of a day, week or month: today, yesterday, Nov 20, last month
            table | Only of one table, by its number
            file | Which kind of file
                pokerstars | hand history as PokerStars writes it, for trackers
                phh | PHH, for poker programs
                text | text to read
        import | Give the bot a file of hands: it plays them by the rules and shows what's wrong
        report | Report a hand to the staff of this server
            about | What happened, in a sentence
            number | Which hand; the last one by default
            table | The table's number; by default this channel's table
        """
    ),
    Topic.TABLES: word_table(
        """
        play | Play: open a table here and sit down; a form asks for game and stakes
            game | The game chosen in the form at first. Default: No-Limit Hold'em
            where
        lobby | The open tables: join one, watch one, or open one
        table open | Open a table in this channel; you are its host
            game | A game, a mixed game or a house game, or several with / between them. Default: No-Limit Hold'em
            big_blind | Big blind (or small bet) in chips: 100 or 1k
            seats | Number of seats
            buy_in | Minimum buy-in, in chips
            most | Maximum buy-in, in chips
            ante | Ante in chips, besides the blinds
            seconds | Seconds to act
            practice | Add practice players (separate play chips)
            chips | Which chips are played for. Default: server chips, at a private table table chips
                server | server chips: those of people's wallets
                table | table chips: everybody starts with the same, and no wallet is touched
            change | With several games: when the game changes
                lap | after each round of the button
                deals | after a number of hands
                time | after a number of minutes
                choice | dealer's choice
            every | After how many hands or minutes the game changes
            bomb | Bomb pots: everyone antes and the flop comes at once
            where
        table list | The open tables of this server
        table info | A table in words: players, stakes, clocks
            number | The table's number; by default this channel's table
        table settings | See or change what this table plays by
        table notes | Write down house rules of your own for this table
        table games | The house games of this server: rules saved under a name
        table invite | Invite people to this private table, or let somebody back whom you removed
            player | Whom to invite
            second | Whom to invite
            third | Whom to invite
            fourth | Whom to invite
            fifth | Whom to invite
        table remove | Remove a player from this table, with all their chips, after the hand they are in
            player | Whom to remove
        table close | Close this table and pay everyone out
        """
    ),
    Topic.STAFF: word_table(
        """
        house settings | See or change the house rules
        house forum | Make each new table a post in a forum
        house grant | Add chips to a player's wallet
            player | To whom
            chips
            reason
        house take | Remove chips from a player's wallet
            player | From whom
            chips
            reason
        house cancel | Cancel this table's hand; all bets go back
            reason | Why; everyone reads it
        house books | Check the books against the tables
        house save | Save this table's rules as a house game
            name | Name of the house game; it replaces one of the same name
        house delete | Delete a house game
            name | Name of the house game
        house remove | Remove a player
            player | Who
            reason
        house ban | Ban a player
            player | Who
            reason
        house unban | Lift a ban
            player | Who
            reason
        house bans | Who is banned, and why
        house reports | Reported hands
        house lobby | Keep a list of the open tables here
            remove | On: take the lobby away
        house quiet | Hours without pings
        house flow | Who gives chips to whom
            days | The last days to look at (1 to 90). Default: 30
        """
    ),
}
"""The commands of each topic, in the order of `/help`; indented below a command its options, and below an option its choices."""


def _command(row: WordRow, topic: Topic | None) -> CommandText:
    return CommandText(
        row.messages[0],
        rule_options(row.code)
        | {each.code: each.messages[0] if each.messages else _COMMON_OPTIONS[each.code] for each in row.rows},
        rule_choices(row.code)
        | {each.code: {one.code: one.messages[0] for one in each.rows} for each in row.rows if each.rows}
        | _CHOICES.get(row.code, {}),
        topic,
    )


COMMANDS = {row.code: _command(row, topic) for topic, rows in _TABLES.items() for row in rows} | {
    "help": CommandText(message("How to play"))
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
