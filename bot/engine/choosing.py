"""Secret choices that all live players make at once: cards to drop or to pass, an order to show them in, a word to declare.

Nothing of a choice is known to anybody until all have chosen; then they take effect together.

Source: laws primitives e9, e16, e17, e18; VC-18, VC-19, VC-26, VC-27, TL-25, TL-41.
"""

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine import steps
from bot.engine.hand import Hand, seats_in
from bot.engine.happening import Happened, happen
from bot.engine.legal import Decision, Legal

AT_ONCE = frozenset({Decision.DROP, Decision.PASS, Decision.ARRANGE, Decision.DECLARE, Decision.RUN_TWICE})
"""Decisions that several seats take at the same time."""
YES, NO = "yes", "no"


def choose(
    hand: Hand, happened: Happened, step: steps.Drop | steps.PassCards | steps.Arrange | steps.DeclareStep
) -> bool:
    """Ask all live seats at once; settle when the last has chosen."""
    if hand.unserved < 0:
        happen(hand, happened, e.ChoiceOpened(_DECISION[type(step)]))
        return True
    if hand.unserved & hand.live:
        return True
    happen(hand, happened, e.ChoicesSettled())
    if isinstance(step, steps.DeclareStep) and "out" in step.words:
        _drop_out(hand, happened)
    return False


def _drop_out(hand: Hand, happened: Happened) -> None:
    """Who declared himself out drops; with nobody in, the pot waits for the next deal (VC-27)."""
    outs = [seat for seat in seats_in(hand.live) if hand.words[seat] == "out"]
    if len(outs) == hand.live.bit_count():
        happen(hand, happened, e.PassedOut(hand.pot))
        happen(hand, happened, e.HandEnded())
        return
    for seat in outs:
        happen(hand, happened, e.Folded(seat))


def legal_choice(hand: Hand, seat: int) -> Legal:
    """What a seat may choose among: so many of its cards, or one of the words."""
    step = hand.rules.steps[hand.step]
    plain = Legal(seat, hand.decision, pot=hand.pot, stack=hand.stacks[seat], level=hand.level)
    if hand.decision is Decision.RUN_TWICE:
        return Legal(seat, hand.decision, pot=plain.pot, stack=plain.stack, words=(YES, NO))
    match step:
        case steps.Drop(count) | steps.PassCards(count):
            return Legal(seat, hand.decision, pot=plain.pot, stack=plain.stack, least=count, most=count)
        case steps.Arrange():
            held = len(hand.down[seat])
            return Legal(seat, hand.decision, pot=plain.pot, stack=plain.stack, least=held, most=held)
        case steps.DeclareStep(words):
            return Legal(seat, hand.decision, pot=plain.pot, stack=plain.stack, words=words)
        case _:
            raise AssertionError(step)


def rule_places(hand: Hand, seat: int, places: tuple[int, ...]) -> Happened:
    """Rule on the cards a seat drops, passes or puts in order.

    Raises:
        ChooseExactly: not as many as asked for. NotYourCard: a card it does not hold, or one named twice.
    """
    count = legal_choice(hand, seat).most
    if len(places) != count:
        raise r.ChooseExactly(law=hand.rules.card.sheet, count=count)
    if len(set(places)) != count or not set(places) <= set(hand.down[seat]):
        raise r.NotYourCard
    return [e.Chosen(seat, places if hand.decision is Decision.ARRANGE else tuple(sorted(places)))]


def rule_word(hand: Hand, seat: int, word: str) -> Happened:
    """Rule on a declaration.

    Raises:
        UnknownWord: none of the words that may be said.
    """
    words = legal_choice(hand, seat).words
    if word not in words:
        law = "TL-25" if hand.decision is Decision.RUN_TWICE else hand.rules.card.sheet
        raise r.UnknownWord(law=law, words=words)
    return [e.Chosen(seat, word=word)]


def silent_choice(hand: Hand, seat: int) -> tuple[tuple[int, ...], str]:
    """What silence chooses: the first cards dealt, the order dealt, the word the card names, no (TL-41)."""
    step = hand.rules.steps[hand.step]
    if hand.decision is Decision.RUN_TWICE:
        return (), NO
    if isinstance(step, steps.DeclareStep):
        return (), step.silence
    return hand.down[seat][: legal_choice(hand, seat).most], ""


_DECISION: dict[type[steps.Step], Decision] = {
    steps.Drop: Decision.DROP,
    steps.PassCards: Decision.PASS,
    steps.Arrange: Decision.ARRANGE,
    steps.DeclareStep: Decision.DECLARE,
}
