"""What a player has done for the first time, and whether they are told after the hand."""

from bot.line.interaction import InteractionInfo
from bot.render.message.notice import notice_panel
from bot.render.message.panel import RANKINGS, Panel, Text
from bot.text import achievements as words
from bot.text import statistics as statistics_words
from bot.text.language import t
from cogs.support.services import Effort, Services


async def achievements_panel(services: Services, info: InteractionInfo, user: int) -> Panel:
    """Return the achievements of a player, as whoever asks can see them.

    Raises:
        OneMoment, WorkTimeUsed: the reader has asked for too much.
    """
    preferences, guild = services.preferences, info.guild
    own = user == info.user
    if not own and preferences.keeps_statistics_private(user):
        return notice_panel(t(statistics_words.KEPT_PRIVATE, player=f"<@{user}>"))
    services.spend_time(Effort.STATISTICS, info.user)
    results = await services.seasons.own_results(guild, user)
    won = tuple(number for number, result in results if result.rank == 1)
    heading = t(words.YOURS) if own else t(words.OF_PLAYER, player=f"<@{user}>")
    earned = await services.statistics.achievements(guild, user)
    request = await services.request(info)
    hidden = [
        one.achievement
        for one in (() if own else earned)
        if not await services.tables.can_know_of(request, one.hand.table, one.hand.number)
    ]
    progress = await services.statistics.achievement_progress(guild, user) if own else None
    text = words.achievements(heading, earned, won, own=own, hidden=hidden, progress=progress)
    if own:
        rules = await services.bank.house_rules(guild)
        note = words.told_note(person=preferences.hears_of_achievements(user), server=bool(rules.achievements))
        text = f"{text}\n{note}"
    return Panel(RANKINGS, (Text(text),))
