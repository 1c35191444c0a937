"""The forced bets of an ordinary hand: nobody owes missed blinds, the button rests on a player (laws A7, TL-7, TL-8,
TL-14)."""

from bot.engine.customs import ButtonBlind
from bot.engine.events import Post, PostKind
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, BlindsAnte, StraddleRule
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes, forced_straddle_chips
from bot.engine.units import SeatIndex


def regular_posts(rule_card: RuleCard, options: Options, stakes: Stakes, players: int) -> tuple[Post, ...]:
    """What each seat owes before the cards; seat 0 is first left of the dealer."""
    owed: list[Post] = []
    if options.ante is Ante.BLINDS:
        small, big = (players - 1, 0) if players == 2 else (0, 1)  # TL-8
        big_post = Post(SeatIndex(big), PostKind.BIG_BLIND, stakes.big_blind)
        if stakes.ante and options.blinds_ante is BlindsAnte.EVERYONE:
            owed += [Post(SeatIndex(seat), PostKind.ANTE, stakes.ante) for seat in range(players)]
        elif stakes.ante and options.blinds_ante is BlindsAnte.LEFT_OF_DEALER:
            owed.append(Post(SeatIndex(0), PostKind.DEAD, stakes.ante))
        if stakes.small_blind:
            owed.append(Post(SeatIndex(small), PostKind.SMALL_BLIND, stakes.small_blind))
        owed.append(big_post)
        if stakes.ante and options.blinds_ante is BlindsAnte.BIG_BLIND:
            owed.append(Post(SeatIndex(big), PostKind.DEAD, stakes.ante))
    elif options.ante is Ante.EVERYONE:
        owed += [Post(SeatIndex(seat), PostKind.ANTE, stakes.ante) for seat in range(players)]
        if (blind := rule_card.custom(ButtonBlind)) is not None:
            owed.append(Post(SeatIndex(players - 1), PostKind.BIG_BLIND, blind.chips(stakes)))
    elif options.ante is Ante.LEFT_OF_DEALER:
        owed.append(Post(SeatIndex(0), PostKind.STAKE, stakes.ante))
        if options.straddle is StraddleRule.FORCED_DOUBLE:
            owed.append(
                Post(SeatIndex(1), PostKind.STRADDLE, forced_straddle_chips(stakes))
            )  # two alone: the dealer (VB-2)
    return tuple(owed)
