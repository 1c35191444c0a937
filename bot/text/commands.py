"""Slash commands in words: what Discord shows while someone types one.

Names of commands and options are the same in every language, because sentences name them (``/sit``). Descriptions and choices are
translated. Discord takes at most 100 characters of each.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from bot.text.language import Message, message
from bot.text.leaderboards import ORDER_CHOICES, PERIOD_CHOICES
from bot.text.mixed_games import BOMB_POTS
from bot.text.rebuys import BOUNTY_CHOICES
from bot.text.sit_and_go import PRIZE_CHOICES, STRUCTURE_CHOICES
from bot.text.word_table import WordRow, word_table

TEXT_MAX = 100
"""The most characters that Discord takes of a description or a choice."""


class CommandText(Struct, frozen=True):
    """One command in words.

    Attributes:
        description: what the command does.
        options: what each option means, by its name.
        choices: by option, the values that Discord offers for it and what they are called. Those of `page` are the pages of a menu.
    """

    description: Message
    options: Mapping[str, Message] = {}
    choices: Mapping[str, Mapping[str, Message]] = {}


_PAGE = message("What to open; the menu itself by default")
WHERE = {
    "here": message("here, in this channel"),
    "thread": message("in a new thread"),
    "private": message("in a private thread, for people you invite"),
    "forum": message("as a post in the server's forum"),
}
_CHOICES: dict[str, dict[str, Mapping[str, Message]]] = {
    "stats": {"by": ORDER_CHOICES, "period": PERIOD_CHOICES},
    "play": {
        "where": WHERE,
        "bomb": BOMB_POTS,
        "structure": STRUCTURE_CHOICES,
        "bounty": BOUNTY_CHOICES,
        "prizes": PRIZE_CHOICES,
    },
}
"""Choices that have their words elsewhere, by command and option."""

_TABLE = word_table(
    """
    play | Play: open a table here and sit down; a form asks for game and stakes
        game | A game, a mixed game or a house game, or several with / between them. Default: No-Limit Hold'em
        where | Where the table opens. Default: here, or as a post in the server's forum of tables
        big_blind | Big blind (or small bet) in chips: 100 or 1k. With this or any below it opens without a form
        seats | Number of seats
        buy_in | Minimum buy-in, in chips
        most | Maximum buy-in, in chips
        ante | Ante in chips, besides the blinds
        seconds | Seconds to act. From 3,600 (an hour) to 604,800 (7 days) the table waits, in a thread of its own
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
        sit | Off: open it without sitting down
        sit_and_go | A sit-and-go instead: a tournament of one table
            free | free: for honour
            chips | for chips: the minimum buy-in, from each wallet
        structure | How a sit-and-go rises. Default: turbo, by minutes
        late | Sit-and-go: late entry until this level begins
        rebuys | Sit-and-go: who has no chips can rebuy until that level too
        bounty | Sit-and-go: a bounty on each player, beside the buy-in
        prizes | Sit-and-go: the prize table
    lobby | The open tables: join one, watch one, or open one
    sit | Take a seat at this channel's table
        chips | Chips to sit down with: 5000 or 5k. Default: 100 big blinds
        seat | The seat's number; any free one by default
    leave | Leave the table with your chips, after the hand you're in
    rebuy | Add chips from your wallet, now or before the next hand
        chips | How many chips: 5000 or 5k
    seat | Your place at the table: a break, back again, the waiting list
        what | What to do; by default you see what you can do
            sit out | sit out from the next hand on
            back | play again
            post | play again and post the blinds I owe
            wait | play again at the big blind
            buy the button | play again by buying the button
            break | ask for a break of the whole table
            waiting list | wait for a seat
            off the list | leave the waiting list
        minutes | How long the break is (5 to 30). Default: 10
    myhand | See your cards; nobody else does
    fold | Fold your hand
    check | Check: stay in without betting, if nobody has bet
    call | Match the highest bet, or go all-in for less
    bet | Bet first on this street, in chips
        to | How much: 200, 1.5k, ½, pot, all
    raise | Raise to a total for this street, in chips
        to | To how much: 200, 1.5k, ½, pot, all
    allin | Bet everything you have
    draw | Draw new cards, discard or pass cards; leave it empty to choose privately
        cards | The cards to discard: 7h 4c 2s
    act | Everything else you can do in a hand; each is a button in My hand too
        what | What to do
            stand pat | stand pat: keep all your cards
            show | show your cards to everyone
            muck | muck: give up your hand unseen at the showdown
            declare | declare in secret how you play
            yes | answer yes, as to running it twice
            no | answer no
            time | use your time bank
            straddle | take the straddle, or ask for one next hand
            no straddle | decline the straddle, or take it back
            check or fold | ahead of your turn: check or fold
            take back | take back what you chose ahead
        cards | With show, after the hand: only these, As 7h
        word | With declare: high, low, both, in, out
    hand | Find hands and replay them, the last one here by default; hands as files, and from a file
        number | A hand's number, or a reference such as 3-1284 or 3-1284-9
        table | The table's number; closed tables too
        player | Somebody who was dealt in
        game | Which game
        date | When: today, yesterday, 2026-11-20, 20 Nov, November; in UTC
        file | Get it as a file
            text | text to read
            pokerstars | hand history as PokerStars writes it, for trackers
            phh | PHH, for poker programs
        hands | Many hands as one file, or hands from a file
            evening | mine since I sat down, as one file
            mine | all of mine, as one file
            table | everybody's at this table, as one file
            import | from a file of mine: played by the rules and checked
    stats | Your statistics, another player's, or two against each other; leaderboard, achievements
        page | Something else than statistics
            leaderboard | who has won the most here, or has the most chips
            achievements | your firsts here, or somebody's
        player | Whose; yours by default
        versus | Another player, to compare them
        game | One game only; all games by default
        period | Since when; all time by default
        chips | Hands for other chips instead; each kind is counted by itself
            practice | practice chips
            home | table chips: home games
        by | What the leaderboard is ordered by. Default: net chips won
    night | Game nights: plan one, or see those that are planned
        when | Day and hour: Friday 20:00, 4 Dec 20:00 or tomorrow 8pm. With it no form is needed
        game | A game, a mixed game or a house game. Default: No-Limit Hold'em
        every | How it recurs. Default: every week
            once | once
            weekly | every week
            fortnightly | every two weeks
            monthly | every month, on the same weekday
        chips | Which chips are played for. Default: table chips
            table | table chips: everybody starts with the same, and no wallet is touched
            server | server chips: those of people's wallets
        seats | Number of seats
        players | From how many people on it is dealt. Default: 3
        hands | It ends after so many hands
        minutes | It ends so many minutes after its start
        name | What it is called. Default: its game
        zone | The time zone: a city, or a zone. Default: that of the server
    duel | Challenge somebody heads-up, for honour or for chips
        player | Whom you challenge. Default: a practice player, for honour
        chips | What each pays from their wallet: 500 or 5k. Default: nothing, for honour
        game | A game, a mixed game or a house game. Default: No-Limit Hold'em
        matches | How many matches, each until somebody has all chips. Default: one
            1 | one match
            3 | best of three
        blinds | How the blinds rise. Default: turbo
            hyper | hyper: every 2 minutes
            turbo | turbo: every 4 minutes
            regular | regular: every 8 minutes
            deep | deep: every 12 minutes
            fixed | they stay as they are
        seconds | Seconds to act
    season | Seasons: who leads, results, hall of fame; staff open and close them
        page
            results | how a season ended
            hall | hall of fame: who won which season
            open | staff: open a season
            close | staff: close the season
            settings | staff: calendar, chips at the end, winner's role
        number | With results: the season's number; the last one by default
    me | Your chips, your cards, DMs, pings, quiet hours, and what is kept about you
        page
            chips | my chips, and when the next free ones come
            daily | claim my daily chips
            free | claim free chips, when I have none left
            history | where my chips came from and went
            achievements | my achievements
            quiet | my quiet hours
            vacation | a vacation from tables that wait for days
            privacy | what the bot keeps about me
            export | all that is kept about me, as files
            delete | delete what is kept about me; it asks first
    laws | The rules of this table, or one law
        law | A law's id, like B-8 or TL-4, or words to look for
        game | The rules of a game, as a new table here would play it
    table | This table: its settings, people, seats and deal
        page
            info | this table in words: players, stakes, clocks
            settings | what this table plays by
            notes | house rules of our own, in writing
            games | the house games of this server
            invite | invite people
            remove | remove a player
            close | close this table and pay everyone out
            seats | draw for seats
            choose | choose a seat before seats are drawn
            left | as first dealer: sit left of the banker
            among | as first dealer: draw with the others
            exchange | exchange seats with somebody
            substitute | name who can take my seat when I leave
            adjust | correct stacks, if everyone agrees
            cut | cut the deck
            nocut | pass on the cut
            shuffle | shuffle the deck once more
            first | draw for the first deal
            lot | cut for the first deal: the lowest card deals
            skip | not be the dealer this time
            misdeal | call a misdeal
            next | choose the next game
            bomb | ask for a bomb pot, or take it back
        number | With info: the table's number; by default this channel's table
    house | For staff: house rules, chips, cancelled hands, books, bans, reports
        page
            rules | house rules and their amounts
            server | roles, channels and looks
            quiet | hours without pings
            zone | the time zone of game nights
            lobby | keep a list of the open tables here
            nolobby | take that list away
            grant | add chips to a wallet
            take | remove chips from a wallet
            correct | correct chips in the book of this table
            flow | who gives chips to whom
            books | check the books
            cancel | cancel this table's hand; all bets go back
            remove | remove a player from this table
            ban | ban a player
            unban | lift a ban
            bans | who is banned, and why
            reports | reported hands
            save | save this table's rules as a house game
            delete | delete a house game
        player | Whom it is about
    help | How to play, and all commands
    """
)
"""The commands; indented below a command its options, and below an option its choices."""


def _command(row: WordRow) -> CommandText:
    return CommandText(
        row.messages[0],
        {each.code: each.messages[0] if each.messages else _PAGE for each in row.rows},
        {each.code: {one.code: one.messages[0] for one in each.rows} for each in row.rows if each.rows}
        | _CHOICES.get(row.code, {}),
    )


COMMANDS = {row.code: _command(row) for row in _TABLE}
"""Every slash command by its name."""

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
