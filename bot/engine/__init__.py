"""The dealer's rules: values in, values out. No clock, no chance, no Discord.

A hand begins with `start`. `legal` tells what a seat can do, `decide` rules on a command, `evolve` applies what happened, `view` is what
one seat or the public can see. Events are the whole truth: `replay` makes the same hand of them again.

>>> from bot.engine import HandStarted, Stakes, decide, decide_and_evolve, evolve, legal, replay, start, view
>>> from bot.engine.betting.posts import regular_posts
>>> from bot.engine.cards import STANDARD_52
>>> from bot.engine.commands import RaiseTo
>>> from bot.variants import game

Three players sit down to no-limit hold'em for 50/100. The deck is an argument: who shuffles is not the engine's business.

>>> holdem, stakes = game("holdem"), Stakes(small_blind=50, big_blind=100)
>>> posts = regular_posts(holdem, holdem.options, stakes, 3)
>>> started = HandStarted(holdem, holdem.options, stakes, (1, 2, 3), (5000, 5000, 5000), posts, button_seat_number=3)
>>> events, hand = start(started, STANDARD_52)
>>> hand
<Hand of holdem, pre-flop, pot 150, seat 2 to act>

`legal` is all that a button, a practice player or a fuzzer needs. Amounts are chips; a raise is a street total.

>>> can = legal(hand, hand.to_act)
>>> can.fold, can.call_chips, can.min_to, can.max_to
(True, 100, 200, 5000)

A command is ruled on. What is lawful becomes events; what is not raises a `LawError` and leaves no trace.

>>> happened, after = decide_and_evolve(hand, 2, RaiseTo(300))
>>> happened
(RaisedTo(seat=2, to=300, chips=300, all_in=False), ActionOn(seat=0))
>>> after.pot, hand.pot
(450, 150)
>>> decide(hand, 2, RaiseTo(150))
Traceback (most recent call last):
bot.engine.refusals.RaiseTooSmall: ...

`evolve` applies one event to a copy of the hand, `replay` all of them.

>>> evolve(hand, happened[0]).current_bet
300
>>> replay((*events, *happened), STANDARD_52).pot
450

A view holds no card that its reader cannot know: a hidden card is None.

>>> [card.card for card in view(after, 0).seats[0].cards]
[0, 3]
>>> [card.card for card in view(after, 0).seats[1].cards]
[None, None]
"""

from bot.engine.commands import HandCommand
from bot.engine.decide import decide, decide_and_evolve, legal, start, void
from bot.engine.errors import LawError
from bot.engine.events import HandEvent, HandStarted
from bot.engine.evolve import evolve, evolve_all, replay
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.timeout import default_action
from bot.engine.view.build import view
from bot.engine.view.types import HandView

__all__ = (
    "Decision",
    "Hand",
    "HandCommand",
    "HandEvent",
    "HandStarted",
    "HandView",
    "LawError",
    "LegalActions",
    "Options",
    "RuleCard",
    "Stakes",
    "decide",
    "decide_and_evolve",
    "default_action",
    "evolve",
    "evolve_all",
    "legal",
    "replay",
    "start",
    "view",
    "void",
)
