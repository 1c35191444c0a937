"""The forced money of an ordinary deal: nobody owes missed blinds, the button rests on a player.

Source: laws A7, TL-7, TL-8, TL-14.
"""

from bot.engine.card import RuleCard
from bot.engine.events import Post, PostKind
from bot.engine.options import Ante, BlindsAnte, Options, Straddle
from bot.engine.stakes import Stakes, straddle_chips


def regular_posts(card: RuleCard, options: Options, stakes: Stakes, players: int) -> tuple[Post, ...]:
    """What each seat owes before the cards, seat 0 being first left of the dealer."""
    owed: list[Post] = []
    if options.ante is Ante.BLINDS:
        small, big = (players - 1, 0) if players == 2 else (0, 1)  # TL-8
        big_post = Post(big, PostKind.BIG_BLIND, stakes.big_blind)
        if stakes.ante and options.blinds_ante is BlindsAnte.EVERYONE:
            owed += [Post(seat, PostKind.ANTE, stakes.ante) for seat in range(players)]
        elif stakes.ante and options.blinds_ante is BlindsAnte.LEFT_OF_DEALER:
            owed.append(Post(0, PostKind.DEAD, stakes.ante))
        if stakes.small_blind:
            owed.append(Post(small, PostKind.SMALL_BLIND, stakes.small_blind))
        owed.append(big_post)
        if stakes.ante and options.blinds_ante is BlindsAnte.BIG_BLIND:
            owed.append(Post(big, PostKind.DEAD, stakes.ante))
    elif options.ante is Ante.EVERYONE:
        owed += [Post(seat, PostKind.ANTE, stakes.ante) for seat in range(players)]
        if card.button_blind:
            owed.append(Post(players - 1, PostKind.BIG_BLIND, stakes.ante))
    elif options.ante is Ante.LEFT_OF_DEALER:
        doubled = options.straddle is Straddle.FORCED_DOUBLE
        stake, straddle = (
            (1, 0) if doubled and players == 2 else (0, 1)
        )  # VB-2: of two players the dealer antes, as in TL-8
        owed.append(Post(stake, PostKind.STAKE, stakes.ante))
        if doubled:
            owed.append(Post(straddle, PostKind.STRADDLE, straddle_chips(stakes)))
    return tuple(owed)
