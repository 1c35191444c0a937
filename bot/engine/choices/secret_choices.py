"""Secret choices that all live players make at once: cards to give up or to pass, an order to show them in, a word to
declare.

Nothing of a choice is known to anybody until all have chosen; then they take effect together.

Laws: primitives e9, e16, e17, e18; VC-18, VC-19, VC-26, VC-27, TL-25, TL-41.
"""

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine import steps
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, LegalActions
from bot.engine.units import CardIndex, SeatIndex

YES, NO = "yes", "no"


def run_secret_choice(
    hand: Hand,
    events: EmittedEvents,
    step: steps.GiveUpCards | steps.PassCards | steps.ArrangeCards | steps.DeclareInSecret,
) -> bool:
    """Ask all live seats at once; apply the choices when the last has chosen."""
    if not hand.choice_open:
        emit(hand, events, e.SecretChoiceOpened(_DECISION_BY_STEP[type(step)]))
        return True
    if hand.seats_to_choose & hand.live_seats:
        return True
    emit(hand, events, e.SecretChoicesApplied())
    if isinstance(step, steps.DeclareInSecret) and "out" in step.words:
        _fold_declared_out(hand, events)
    return False


def _fold_declared_out(hand: Hand, events: EmittedEvents) -> None:
    """Players who declared themselves out fold; with nobody in, the pot waits for the next hand (VC-27)."""
    outs = [seat for seat in seats_in(hand.live_seats) if hand.declarations[seat] == "out"]
    if len(outs) == hand.live_seats.bit_count():
        emit(hand, events, e.HandPassedOut(hand.pot))
        emit(hand, events, e.HandEnded())
        return
    for seat in outs:
        emit(hand, events, e.Folded(seat))


def legal_choice(hand: Hand, seat: SeatIndex) -> LegalActions:
    """What a seat can choose among: a number of its cards, or one of the words."""
    step = hand.rules.steps[hand.step_index]
    plain = LegalActions(seat, hand.decision, pot=hand.pot, stack=hand.stacks[seat], current_bet=hand.current_bet)
    if hand.decision is Decision.RUN_TWICE:
        return LegalActions(seat, hand.decision, pot=plain.pot, stack=plain.stack, declarable_words=(YES, NO))
    match step:
        case steps.GiveUpCards(count) | steps.PassCards(count):
            return LegalActions(seat, hand.decision, pot=plain.pot, stack=plain.stack, min_cards=count, max_cards=count)
        case steps.ArrangeCards():
            held = len(hand.down_indices[seat])
            return LegalActions(seat, hand.decision, pot=plain.pot, stack=plain.stack, min_cards=held, max_cards=held)
        case steps.DeclareInSecret(words):
            return LegalActions(seat, hand.decision, pot=plain.pot, stack=plain.stack, declarable_words=words)
        case _:
            raise AssertionError(step)


def decide_chosen_cards(hand: Hand, seat: SeatIndex, card_indices: tuple[CardIndex, ...]) -> EmittedEvents:
    """Rule on the cards that a seat gives up, passes or arranges.

    Raises:
        WrongCardCount: not as many as asked for.
        NotYourCard: a card it does not hold, or one named twice.
    """
    count = legal_choice(hand, seat).max_cards
    if len(card_indices) != count:
        raise r.WrongCardCount(law=hand.rules.rule_card.law_id, count=count)
    if len(set(card_indices)) != count or not set(card_indices) <= set(hand.down_indices[seat]):
        raise r.NotYourCard
    return [
        e.SecretChoiceMade(seat, card_indices if hand.decision is Decision.ARRANGE else tuple(sorted(card_indices)))
    ]


def decide_declaration(hand: Hand, seat: SeatIndex, word: str) -> EmittedEvents:
    """Rule on a declaration.

    Raises:
        UnknownDeclaration: none of the words that can be declared.
    """
    words = legal_choice(hand, seat).declarable_words
    if word not in words:
        law = "TL-25" if hand.decision is Decision.RUN_TWICE else hand.rules.rule_card.law_id
        raise r.UnknownDeclaration(law=law, words=words)
    return [e.SecretChoiceMade(seat, word=word)]


def default_choice(hand: Hand, seat: SeatIndex) -> tuple[tuple[CardIndex, ...], str]:
    """What is chosen for a seat that does not act: the first cards dealt, the order dealt, the word that the card
    names, no (TL-41)."""
    step = hand.rules.steps[hand.step_index]
    if hand.decision is Decision.RUN_TWICE:
        return (), NO
    if isinstance(step, steps.DeclareInSecret):
        return (), step.default_word
    return tuple(map(CardIndex, hand.down_indices[seat][: legal_choice(hand, seat).max_cards])), ""


_DECISION_BY_STEP: dict[type[steps.Step], Decision] = {
    steps.GiveUpCards: Decision.GIVE_UP,
    steps.PassCards: Decision.PASS_CARDS,
    steps.ArrangeCards: Decision.ARRANGE,
    steps.DeclareInSecret: Decision.DECLARE,
}
