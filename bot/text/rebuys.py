"""What a sit-and-go says of rebuys, bounties, and the choices of its host about chips."""

from __future__ import annotations

from bot.events.sit_and_go.finishes import prize_table
from bot.events.sit_and_go.state import SitAndGo, SitAndGoSettings
from bot.text import escape
from bot.text.formatting import join_and, join_list, relative_time_ms
from bot.text.language import Message, message, plural, t
from bot.text.people import is_former

REBUY = message("Rebuy")
REBUY_FOR = message("Rebuy · {chips:,}")
REBUY_WITH_BOUNTY = message("With a bounty · {chips:,}")
NO_REBUY = message("No rebuy")
REBOUGHT = message("You have {chips:,} chips again and play the next hand.")
NO_REBUY_TAKEN = message("You don't rebuy.")
NO_REBUY_NO_RANK = message("You don't rebuy. You'll read where you came in once the others have answered.")
_ASKED = message("**{names}: do you rebuy?** Your time to answer ends {when}; no answer means no.\n-# Law SG-9")
_YOU_ARE_ASKED = message(
    "You're out of chips at table {number}. **Do you rebuy?** Your time to answer ends {when}; no answer means no."
)
_YOU_CANNOT_PAY = message(
    "You're out of chips at table {number}. A rebuy costs {chips:,}, and your wallet has {wallet:,}."
)
_COSTS = message(
    "-# A rebuy costs {chips:,} from your wallet and gives you {stack:,} chips here. The prizes grow by it."
)
_COSTS_NOTHING = message("-# It costs nothing: you get {stack:,} chips again.")
_COSTS_WITH_BOUNTY = message(
    "-# With a new bounty of {bounty:,} it costs {chips:,}. Without one, whoever puts you out gets nothing for it."
)
_REBUYS = message("**{name}** rebuys.")
_BOUNTY_GOES = message("The bounty of **{name}** goes to {winners}.")
_SHARE = message("{name} ({chips:,})")

# What the host has chosen

LATE = message("late entry until level {level}")
LATE_AND_REBUYS = message("late entry and rebuys until level {level}")
NO_LATE_ENTRY = message("no late entry, no rebuys")
LATE_UNTIL = message("late entry until level {level} begins")
LATE_AND_REBUYS_UNTIL = message("late entry and rebuys until level {level} begins")
BOUNTY = message("bounty **{chips:,}**")
_BOUNTY_MEANS = message(
    "-# Whoever wins the pot with your last chip gets your bounty. Who is still in at the end keeps their own."
)
_BOUNTIES_WON = message("-# Bounties won: {players}")
REBUY_COUNT = plural("{count} rebuy", "{count} rebuys")
BOUNTIES_TOLD = message("bounties **{chips:,}**")
OWN_BOUNTIES = message("Your bounties so far: **{chips:,}**.")
LATE_ENTRY = message("Late entry and rebuys…")
CHOOSE_BOUNTY = message("Bounty…")
BOUNTY_CHOICES = {
    "25": message("a quarter of the buy-in"),
    "50": message("half the buy-in"),
    "100": message("as much as the buy-in"),
}
"""In percent of the buy-in."""
NO_BOUNTY = message("no bounty")
BOUNTY_LABEL = message("a bounty of {chips:,} beside the buy-in")
CHOOSE_PRIZES = message("Prizes…")
OWN_PRIZES = message("a prize table of your own…")
OWN_PRIZES_NOW = message("a prize table of your own: {percents}")
OWN_PRIZES_TITLE = message("Prize table")
OWN_PRIZES_FIELD = message("Percents, first place first")
OWN_PRIZES_HINT = message("They sum to 100, such as 50/30/20. With fewer players the first ones count.")
CHOOSE_SHORT_POST = message("Short big blind…")
BLIND_FIRST = message("a short big blind pays the blind first")
ANTE_FIRST = message("a short big blind pays the ante first")
AMOUNTS_TITLE = message("Divide the prizes")
AMOUNTS_FIELD = message("What each gets, a line each")
AMOUNTS_HINT = message("Together {chips:,}, which is what is left.")
AMOUNTS_LINE = message("{name}: {chips}")


def late_text(settings: SitAndGoSettings) -> str:
    """``late entry and rebuys until level 3``."""
    return t(LATE_AND_REBUYS if settings.rebuys else LATE, level=settings.late_until)


def late_label(level: int, *, rebuys: bool) -> str:
    """``late entry and rebuys until level 3 begins``; 0 for neither."""
    if not level:
        return t(NO_LATE_ENTRY)
    return t(LATE_AND_REBUYS_UNTIL if rebuys else LATE_UNTIL, level=level)


def bounty_label(chips: int) -> str:
    """``a bounty of 200 beside the buy-in``; 0 for none."""
    return t(BOUNTY_LABEL, chips=chips) if chips else t(NO_BOUNTY)


def choices_text(settings: SitAndGoSettings) -> list[str]:
    """What the host has chosen beside the structure, in facts."""
    facts = [t(BOUNTY, chips=settings.bounty)] if settings.bounty else []
    if settings.late_until:
        facts.append(late_text(settings))
    if settings.ante_first:
        facts.append(t(ANTE_FIRST))
    return facts


def percents_text(percents: tuple[int, ...]) -> str:
    """``50/30/20``."""
    return "/".join(map(str, percents))


def bounties_text(event: SitAndGo) -> str:
    """What bounties are before the start; then who has won some. Empty where there are none."""
    if not event.settings.bounty:
        return ""
    if not event.started_at:
        return t(_BOUNTY_MEANS)
    won = [(one.player, one.bounties_won) for one in event.entrants if one.bounties_won]
    won.sort(key=lambda one: -one[1])
    return t(_BOUNTIES_WON, players=join_list([_share(event, *one) for one in won])) if won else ""


def bounties_of_hand(event: SitAndGo) -> str:
    """``The bounty of Bo goes to Ann (50).``, for each who has no chips after the last hand."""
    return " ".join(
        [
            t(
                _BOUNTY_GOES,
                name=_name(event, player),
                winners=join_and([_share(event, winner, chips) for winner, chips in won]),
            )
            for player, won in event.bounties_of_hand
        ]
    )


def question_text(event: SitAndGo) -> str:
    """Who is asked whether they rebuy, and until when."""
    question = event.rebuy_question
    assert question is not None, "nobody is asked"
    names = join_and([_name(event, player) for player in question.waiting])
    return t(_ASKED, names=names, when=relative_time_ms(question.until))


def own_question(event: SitAndGo, number: int, wallet: int) -> str:
    """What somebody reads who is asked, at a table of this number, with so many chips in their wallet."""
    question, settings = event.rebuy_question, event.settings
    assert question is not None, "nobody is asked"
    stack = settings.structure.starting_stack
    if wallet < settings.buy_in:
        return t(_YOU_CANNOT_PAY, number=number, chips=settings.buy_in, wallet=wallet)
    lines = [t(_YOU_ARE_ASKED, number=number, when=relative_time_ms(question.until))]
    if settings.is_free:
        lines.append(t(_COSTS_NOTHING, stack=stack))
    else:
        lines.append(t(_COSTS, chips=settings.buy_in, stack=stack))
    if settings.bounty and wallet >= settings.entry_cost:
        lines.append(t(_COSTS_WITH_BOUNTY, bounty=settings.bounty, chips=settings.entry_cost))
    return "\n".join(lines)


def rebuys_text(names: list[str]) -> str:
    """``Bo rebuys.``, a sentence for each. `names`: safe for markdown."""
    return " ".join([t(_REBUYS, name=name) for name in names])


def amounts_lines(event: SitAndGo, amounts: dict[int, int]) -> str:
    """What each would get, a line each, as the form of an offer has it."""
    names = {one.player: escape.plain_name(one.name) for one in event.entrants}
    return "\n".join([t(AMOUNTS_LINE, name=names[player], chips=str(chips)) for player, chips in amounts.items()])


def left_to_divide(event: SitAndGo) -> int:
    """The chips that an agreement divides."""
    return sum(prize_table(event)[: len(event.players_in)])


def _share(event: SitAndGo, player: int, chips: int) -> str:
    return t(_SHARE, name=_name(event, player), chips=chips)


def _name(event: SitAndGo, player: int) -> str:
    if is_former(player):
        return t(escape.FORMER_PLAYER)
    return escape.name(next(one.name for one in event.entrants if one.player == player))


SHORT_POSTS: dict[bool, Message] = {False: BLIND_FIRST, True: ANTE_FIRST}
