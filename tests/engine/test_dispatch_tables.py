"""Every dispatch table has one entry for each member of its union, and each entry takes what it is called with."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints

import pytest

from bot.engine import events as e
from bot.engine import steps
from bot.engine.commands import HandCommand
from bot.engine.dealing.dealer import _RUN_STEP
from bot.engine.decide import _DECIDE_BY_COMMAND, _LEGAL_BY_DECISION
from bot.engine.events import HandEvent, HandStarted
from bot.engine.evolve import APPLY_EVENT
from bot.engine.legal import Decision
from bot.history.lines import _LINES_BY_EVENT

TOLD_AS_ACTIONS = {
    e.Posted, e.Checked, e.Called, e.BetTo, e.RaisedTo, e.Straddled, e.StraddleDeclined, e.CardTurnedUp, e.PricePaid, e.ExtraCardDealt,
}  # fmt: skip
NOT_TOLD = {
    e.HandStarted,  # is the head of a text
    e.AllPosted, e.ActionOn, e.DecisionRequested, e.SecretChoiceOpened, e.OffersOpened, e.OffersClosed,
    e.DealtDown, e.DealtUp, e.DealtUpToSeat, e.DealtUpOrDown, e.DealtBoard,  # cards dealt are gathered
    e.Burned, e.BetsLeftUntilDraw, e.StraddlesClosed, e.DrawClosed, e.OutOfTurnActionResolved, e.OutOfTurnChipsReturned,
    e.HandEnded,
}  # fmt: skip
"""Events without a line of their own in the text of a hand."""

Table = Mapping[type, Callable[..., Any]]

TABLES: dict[str, tuple[Table, set[type]]] = {
    "evolve: apply": (APPLY_EVENT, {*get_args(HandEvent)} - {HandStarted}),
    "decide: rule": (_DECIDE_BY_COMMAND, {*get_args(HandCommand)}),
    "dealer: run": (_RUN_STEP, {*get_args(steps.AnyStep)}),
    "history: lines": (_LINES_BY_EVENT, {*get_args(HandEvent)} - TOLD_AS_ACTIONS - NOT_TOLD),
}


@pytest.mark.parametrize("name", TABLES)
def test_dispatch_table_is_complete(name: str) -> None:
    table, union = TABLES[name]
    assert set(table) == union


@pytest.mark.parametrize("name", TABLES)
def test_each_entry_takes_what_it_is_called_with(name: str) -> None:
    """mypy cannot see that the parameter of an entry has the type that the entry stands for."""
    for kind, function in TABLES[name][0].items():
        parameter = [*inspect.signature(function).parameters][-1]
        expected = get_type_hints(function).get(parameter)
        assert kind is expected or issubclass(kind, expected or object), (kind, function)


def test_every_other_decision_has_its_legal_actions() -> None:
    """A bet and a draw are asked so often that `legal` answers them itself."""
    assert set(_LEGAL_BY_DECISION) == set(Decision) - {Decision.NONE, Decision.BET, Decision.DRAW}
