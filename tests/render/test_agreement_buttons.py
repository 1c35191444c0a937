"""The buttons under an offer to divide the prizes of a sit-and-go."""

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.state import AgreementKind
from bot.render.message.custom_ids import PagePress, parse_custom_id
from bot.render.message.panel import Button, Buttons
from bot.render.table.sit_and_go import agreement_blocks
from tests.events.sit_and_go.told import ID, Told


def offers_of_buttons(told: Told) -> set[int]:
    """Return which offer the buttons answer."""
    (_, buttons) = agreement_blocks(7, told.event)
    assert isinstance(buttons, Buttons)
    pressed = [parse_custom_id(one.custom_id) for one in buttons.buttons if isinstance(one, Button)]
    assert len(pressed) == 2
    return {one.number(1) for one in pressed if isinstance(one, PagePress)}


def test_buttons_answer_the_offer_that_they_stand_under() -> None:
    told = Told(2, buy_in=100)
    told.start("Ann", "Bo")
    stacks = ((ID["Ann"], 1_500), (ID["Bo"], 1_500))
    told.do(c.OfferAgreement(ID["Ann"], AgreementKind.EQUAL, stacks))
    assert offers_of_buttons(told) == {1}
    told.do(c.AnswerAgreement(ID["Bo"], False))
    told.do(c.OfferAgreement(ID["Bo"], AgreementKind.CHIPS, stacks))
    assert offers_of_buttons(told) == {2}
