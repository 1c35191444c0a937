"""The stakes of a level and the options of an event, for any game: with blinds, fixed limits, or antes and a bring-in.

Laws: SG-2, SG-4, SG-5, SG-14.
"""

from msgspec.structs import replace

from bot.engine.customs import LosersMatchPot
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, BlindsAnte, ButtonRule, StakesRule, StraddleRule, StraddleSeat, Switch
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.usual_stakes import usual_stakes
from bot.events.sit_and_go.refusals import GameNotInEvents
from bot.events.sit_and_go.structures import Level


def level_stakes(card: RuleCard, options: Options, level: Level, clocks: Stakes) -> Stakes:
    """Return what a level is played for in a game. Of an ante of games with blinds the big blind pays for all (SG-5).

    Args:
        clocks: the stakes whose turn clock and time bank stay.
    """
    usual = usual_stakes(replace(card, options=options), level.big_blind)
    ante = level.ante if options.ante is Ante.BLINDS else usual.ante
    return replace(
        usual,
        ante=ante,
        min_buyin=0,
        max_buyin=0,
        turn_seconds=clocks.turn_seconds,
        bank_seconds=clocks.bank_seconds,
    )


def require_game_for_events(card: RuleCard, options: Options) -> None:
    """Refuse a game that events do not play: one that goes on with a pot which those who lost have to match, so that nobody is ever out by
    a hand, one without table stakes, and one that two cannot play.

    Raises:
        GameNotInEvents.
    """
    if card.has_custom(LosersMatchPot) or options.stakes is not StakesRule.TABLE or card.seats_min > 2:
        raise GameNotInEvents(law=card.law_id, game=card.name)


def event_options(options: Options) -> Options:
    """Return a game's options as events play them: dead button, big-blind ante, nothing that is off in events (SG-4, SG-5, SG-14)."""
    live_straddle = options.straddle is StraddleRule.LIVE
    return replace(
        options,
        straddle=StraddleRule.OFF if live_straddle else options.straddle,
        straddle_seat=StraddleSeat.UNDER_THE_GUN if live_straddle else options.straddle_seat,
        run_twice=Switch.OFF,
        rabbit=Switch.OFF,
        house_blinds=Switch.OFF,
        button=ButtonRule.DEAD,
        blinds_ante=BlindsAnte.BIG_BLIND if options.ante is Ante.BLINDS else options.blinds_ante,
    )
