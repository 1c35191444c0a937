"""What is kept about a person, in words: on a page, and in the file that they can take along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from bot.runtime.store_types import HistoryEntry, OwnEvent, PlayerHoldings
from bot.statistics.seasons import SeasonResult
from bot.statistics.types import Counts
from bot.text.adjustments import signed_chips
from bot.text.chips import REASONS
from bot.text.durations import ordinal
from bot.text.language import message, plural, t
from bot.text.rebuys import REBUY_COUNT

EXPORT = message("Send me my data")
DELETE = message("Delete my data…")
DELETE_EVERYWHERE = message("Delete it in all servers…")
DELETE_EVERYWHERE_NOW = message("Delete it in all servers")
DELETE_NOW = message("Delete it all")
KEEP = message("Keep it")

_ABOUT = (
    message("### What the bot keeps about you"),
    message("Kept here: your Discord id, your names at tables, your chips and where they went, and your hands."),
    message("Sheets of games are kept for 30 days, so that people can play again from them."),
    message("It counts those hands: your statistics, your achievements and your results in seasons follow from them."),
    message("`/stats` shows them to this server unless you keep them private; a season's results stay public."),
    message(
        "For all servers it keeps what you chose with `/me`, the language of your Discord, which DM channel is yours, "
        "and for a day the file you last gave to `/hand hands:import`."
    ),
    message("It doesn't read your messages, and keeps none of them."),
    message("Nobody else ever gets cards you didn't show."),
    message("You can have all of it as a file, once a day, or have it deleted."),
)

_ABOUT_ALL_SERVERS = (
    message("### What the bot keeps about you"),
    message(
        "In each server where you've played: your Discord id, your names at tables, your chips, your hands and what they add up to."
    ),
    message("`/me page:privacy` in a server tells more, and gives you what is kept there as a file."),
    message(
        "For all servers it keeps what you chose with `/me`, the language of your Discord, which DM channel is yours, "
        "and for a day the file you last gave to `/hand hands:import`."
    ),
    message("You can have all of it deleted, in all servers at once."),
)

_QUESTION = message("### Delete your data?")
_QUESTION_TEXT = message(
    "Your name and id leave everything kept in this server. Hands of others stay, with “a former player” in your place. What you "
    "chose with `/me` goes too."
)
_QUESTION_CHIPS = plural("Your {count:,} chip goes to the house.", "Your {count:,} chips go to the house.")
_NO_WAY_BACK = message("It can't be undone, and coming back brings no second starting chips.")
_QUESTION_EVERYWHERE = message("### Delete your data in all servers?")
_QUESTION_EVERYWHERE_TEXT = message(
    "Your name and id leave everything kept in every server where you've used this bot, also where you have left. Hands of others "
    "stay, with “a former player” in your place. Your chips go to the house. What you chose with `/me` goes too."
)
_SEATS_FIRST = message("Leave your tables first, in all servers. You can't sit down until it's done.")
_BEING_DELETED = message("### Your data is being deleted in all servers")
_SO_FAR = plural("{count:,} server is done so far.", "{count:,} servers are done so far.")
_WAIT_HERE = message("This message tells you when all of it is gone. You can go on meanwhile, but not sit down.")
_SEATED = plural(
    "You have a seat in {count:,} server: your data there goes once you leave it.",
    "You have seats in {count:,} servers: your data there goes once you leave them.",
)
_TOLD_BY_DM = message("It takes a little longer. I'll send you a direct message when all of it is gone.")
_DONE_EVERYWHERE = message("### Your data is deleted in all servers")
_WAS_IN = plural(
    "Something was kept in {count:,} server. It's gone.", "Something was kept in {count:,} servers. It's gone."
)
_WAS_NOWHERE = message("No server had anything about you.")
_BANNED = plural(
    "Staff of {count:,} server have banned you. What is kept there stays, so that the ban holds; whoever runs the bot can help.",
    "Staff of {count:,} servers have banned you. What is kept there stays, so that the bans hold; whoever runs the bot can help.",
)
_CHOICES_GONE = message("What you chose with `/me` is gone too.")
_DONE = message("### Your data is deleted")
_DONE_TEXT = message(
    "Messages in the channels are Discord's; ask staff to delete those. Backups that still hold your data are deleted within days."
)

FILES = message("What is kept about you in this server: to read, and for programs.")
FILE_FOR_PROGRAMS = message("The same for programs, as JSON. Hands are in PHH.")
_HEADING = message("What is kept about user {user} in server {server}, on {date}")
_CHIPS = message("Chips: {wallet:,} in the wallet, {on_tables:,} on tables")
_PRACTICE_CHIPS = message("Practice chips: {wallet:,} in the wallet, {on_tables:,} on tables")
_COUNTED = plural("Statistics: {count:,} hand, net {net}", "Statistics: {count:,} hands, net {net}")
_PRACTICE_COUNTED = plural(
    "Statistics of practice: {count:,} hand, net {net}", "Statistics of practice: {count:,} hands, net {net}"
)
_GRANTED = message("Starting chips given: {date}")
_PREFERENCE = message("Preference {name}: {value}")
GIVEN_FILE = message("{name}, a file of hands, given on {date:%Y-%m-%d %H:%M} UTC")
_TRANSFERS = message("Your wallet, newest first:")
_PRACTICE_TRANSFERS = message("Your wallet of practice chips, newest first:")
_HOME_COUNTED = plural(
    "Statistics of home games: {count:,} hand, net {net}", "Statistics of home games: {count:,} hands, net {net}"
)
_HOME_TRANSFERS = message("Table chips that you bought, brought and took away, newest first:")
_AT_TABLE = message("table {table}")
_EVENT_KINDS = {"sit-and-go": message("sit-and-go"), "duel": message("duel")}
_EVENT_STATUS = {
    "registering": message("not started"),
    "running": message("being played"),
    "cancelled": message("cancelled"),
}
_ENTRANTS = plural("{count} player", "{count} players")
_BUY_IN = message("buy-in {chips:,}")
_BOUNTIES = message("bounties {chips:,}")
_PRIZE = message("prize {chips:,}")
_HANDS = message("Hands you were dealt into, newest first, with the cards you could know:")
_OLDER_HANDS = message("There are older hands. Whoever runs the bot can give you those too.")
_NONE = message("none")


def about_lines() -> list[str]:
    """Tell what is kept, a sentence a line."""
    return [t(line) for line in _ABOUT]


def deletion_question(chips: int) -> str:
    """Say what deleting does. `chips` would go to the house."""
    lines = [t(_QUESTION), t(_QUESTION_TEXT), t(_QUESTION_CHIPS, count=chips) if chips else "", t(_NO_WAY_BACK)]
    return "\n".join([line for line in lines if line])


def deletion_done(chips: int) -> str:
    """Say that everything is deleted, and what went to the house."""
    lines = [t(_DONE), t(_DONE_TEXT)]
    return "\n".join(lines)


def about_all_servers_lines() -> list[str]:
    """The same in a direct message, where no server is asked about."""
    return [t(line) for line in _ABOUT_ALL_SERVERS]


def full_deletion_question() -> str:
    """Say what deleting everything in all servers does."""
    return "\n".join(
        [t(line) for line in (_QUESTION_EVERYWHERE, _QUESTION_EVERYWHERE_TEXT, _SEATS_FIRST, _NO_WAY_BACK)]
    )


def full_deletion_under_way(deleted: int, seated: int, *, told_by_dm: bool) -> str:
    """Say how far it is.

    Args:
        deleted, seated: in how many servers it is done, and waits for a seat to be left.
        told_by_dm: no answer tells of the end any more.
    """
    lines = [t(_BEING_DELETED), t(_SO_FAR, count=deleted)]
    lines += [t(_SEATED, count=seated)] if seated else []
    lines.append(t(_TOLD_BY_DM if told_by_dm else _WAIT_HERE))
    return "\n".join(lines)


def full_deletion_done(deleted: int, banned: int) -> str:
    """Say that everything is deleted: in how many servers, and in how many a ban keeps it."""
    lines = [t(_DONE_EVERYWHERE), t(_WAS_IN, count=deleted) if deleted else t(_WAS_NOWHERE)]
    lines += [t(_BANNED, count=banned)] if banned else []
    return "\n".join([*lines, t(_CHOICES_GONE), t(_DONE_TEXT)])


_SEASON = plural(
    "Season {number}: rank {rank} (0: none), net {net}, {count:,} hand",
    "Season {number}: rank {rank} (0: none), net {net}, {count:,} hands",
)


def export_as_text(
    server: int,
    at: int,
    holdings: Mapping[str, PlayerHoldings],
    history: Mapping[str, Sequence[HistoryEntry]],
    preferences: Mapping[str, str],
    hands: Iterable[str],
    *,
    older_hands: bool,
    counts: Mapping[str, Counts],
    seasons: Mapping[int, SeasonResult],
    events: Sequence[OwnEvent] = (),
) -> str:
    """Write all that is kept about a person to be read.

    Args:
        at: when it was gathered, in ms since the epoch.
        holdings, history: for ``people`` and for ``practice``; the history also for ``table`` chips.
        hands: each as text.
        counts: what all hands add up to, by book. The file for programs has it by game too.
        seasons: their results, by number.
        events: sit-and-gos and duels that they entered.
    """
    own, practice = holdings["people"], holdings["practice"]
    lines = [t(_HEADING, user=own.user, server=server, date=_date(at)), ""]
    lines.append(t(_CHIPS, wallet=own.wallet, on_tables=own.on_tables))
    lines.append(t(_PRACTICE_CHIPS, wallet=practice.wallet, on_tables=practice.on_tables))
    if own.claims.granted_at:
        lines.append(t(_GRANTED, date=_date(own.claims.granted_at)))
    for sentence, book in ((_COUNTED, "people"), (_PRACTICE_COUNTED, "practice"), (_HOME_COUNTED, "table")):
        if book in counts and counts[book].hands:
            lines.append(t(sentence, count=counts[book].hands, net=signed_chips(counts[book].net)))
    lines += [t(_PREFERENCE, name=name, value=value) for name, value in preferences.items()]
    lines += [
        t(_SEASON, number=number, rank=one.rank, net=signed_chips(one.net), count=one.hands)
        for number, one in seasons.items()
    ]
    lines += [_event(one) for one in events]
    for heading, book in ((_TRANSFERS, "people"), (_PRACTICE_TRANSFERS, "practice"), (_HOME_TRANSFERS, "table")):
        if book == "table" and not history[book]:
            continue
        lines += ["", t(heading), *([_transfer(entry) for entry in history[book]] or [t(_NONE)])]
    told = list(hands)
    lines += ["", t(_HANDS), *(told or [t(_NONE)])]
    if older_hands:
        lines.append(t(_OLDER_HANDS))
    return "\n".join(lines) + "\n"


def _event(one: OwnEvent) -> str:
    """``2026-11-28 20:11 UTC  sit-and-go · at table 3 · 9 players · buy-in 1,000 · 2nd · prize 2,700``."""
    facts = [t(_EVENT_KINDS[one.kind]), t(_AT_TABLE, table=one.table), t(_ENTRANTS, count=one.entrants)]
    if one.buy_in:
        facts.append(t(_BUY_IN, chips=one.buy_in))
    if one.rank:
        facts.append(ordinal(one.rank))
    elif one.status in _EVENT_STATUS:
        facts.append(t(_EVENT_STATUS[one.status]))
    if one.prize:
        facts.append(t(_PRIZE, chips=one.prize))
    if one.rebuys:
        facts.append(t(REBUY_COUNT, count=one.rebuys))
    if one.bounties:
        facts.append(t(_BOUNTIES, chips=one.bounties))
    return f"{_date(one.opened_at)}  {' · '.join(facts)}"


def _transfer(entry: HistoryEntry) -> str:
    facts = [t(REASONS[entry.reason])]
    if entry.table:
        facts.append(t(_AT_TABLE, table=entry.table))
    if entry.note:
        facts.append(entry.note)
    return f"{_date(entry.at)}  {signed_chips(entry.chips)}  {' · '.join(facts)}"


def _date(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
