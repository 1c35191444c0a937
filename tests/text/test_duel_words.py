"""Whatever is refused in a duel is said of a duel."""

from __future__ import annotations

from bot.engine.errors import LawError
from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go.decide import decide
from bot.events.sit_and_go.state import AgreementKind
from bot.events.sit_and_go.structures import Speed
from bot.text.refusals.wording import refusal_text
from tests.events.sit_and_go.test_duels import begun, duel
from tests.events.sit_and_go.told import ID, Told

STACKS = ((ID["Ann"], 1_500), (ID["Bo"], 1_500))


def everything(user: int) -> list[c.SitAndGoCommand]:
    """All that somebody can ask of a duel, with old buttons and made-up ones."""
    return [
        c.ChooseStructure(user, Speed.DEEP),
        c.Enter(user, "somebody"),
        c.WithdrawEntry(user),
        c.StartSitAndGo(user, (1, 2)),
        c.AnswerRebuyOffer(user, rebuys=True),
        c.LeaveByChoice(user),
        c.PlayOn(user),
        c.PauseEvent(user, 11),
        c.PauseEvent(user, 5),
        c.ResumeEvent(user),
        *[c.OfferAgreement(user, kind, STACKS) for kind in AgreementKind],
        c.AnswerAgreement(user, agrees=False),
        c.CancelSitAndGo(user),
    ]


def over() -> Told:
    told = begun(buy_in=100)
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0))
    return told


def test_no_refusal_in_a_duel_names_a_tournament() -> None:
    read = set()
    for told in (duel(), duel(buy_in=100), begun(), begun(buy_in=100, best_of=3), over()):
        for name in ("Ann", "Bo", "Cy"):
            for command in everything(ID[name]):
                try:
                    decide(told.event, command, told.now)
                except LawError as refusal:
                    read.add(refusal_text(refusal))
    assert len(read) > 12
    assert not [text for text in read if "sit-and-go" in text.replace("a sit-and-go nor a duel", "")]
