"""Of a pot each winner is paid by each other player in proportion to what that player put in (BO-1)."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ledger import pot_flows
from bot.ledger.pot_flows import flows_of_changes, flows_of_pot

ANN, BO, CY, DEE = 1, 2, 3, 4
PUT_IN = st.dictionaries(st.integers(1, 7), st.sampled_from([0, 5, 100, 100, 250, 1_000]), min_size=2)


def test_examples_are_true() -> None:
    found = doctest.testmod(pot_flows)
    assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.law("BO-1")
def test_short_all_in_is_paid_by_everybody_alike() -> None:
    """Cy is all-in for 100 and wins the main pot of 400; Ann wins the side pot from Bo and Dee, who both put in as much as she."""
    paid = flows_of_pot({ANN: 900, BO: 900, CY: 100, DEE: 900}, {CY: 400, ANN: 2_400})
    assert paid == ((ANN, BO, 800), (ANN, DEE, 800), (CY, ANN, 100), (CY, BO, 100), (CY, DEE, 100))


@pytest.mark.law("BO-1")
def test_split_pot_is_paid_by_whoever_lost_it() -> None:
    """Ann and Bo share what Cy and Dee put in; Dee folded early."""
    paid = flows_of_pot({ANN: 500, BO: 500, CY: 500, DEE: 100}, {ANN: 800, BO: 800})
    assert paid == ((ANN, CY, 250), (ANN, DEE, 50), (BO, CY, 250), (BO, DEE, 50))


@pytest.mark.law("H-3", "BO-1")
def test_agreed_correction_is_given_by_each_in_proportion() -> None:
    assert flows_of_changes({ANN: -300, BO: -100, CY: 200, DEE: 200}) == (
        (CY, ANN, 150), (CY, BO, 50), (DEE, ANN, 150), (DEE, BO, 50),
    )  # fmt: skip


@given(PUT_IN, st.data())
def test_every_chip_has_its_way(put_in: dict[int, int], data: st.DataObject) -> None:
    """What somebody wins from all others, less what they lose to them, is what they were paid less what they put in."""
    pot = sum(put_in.values())
    winners = data.draw(st.lists(st.sampled_from(sorted(put_in)), min_size=1, unique=True))
    cuts = sorted(data.draw(st.lists(st.integers(0, pot), min_size=len(winners) - 1, max_size=len(winners) - 1)))
    parts = [end - begin for begin, end in zip([0, *cuts], [*cuts, pot], strict=True)]
    won = dict(zip(winners, parts, strict=True))
    net = dict.fromkeys(put_in, 0)
    for winner, loser, chips in flows_of_pot(put_in, won):
        assert chips > 0 and winner != loser
        net[winner] += chips
        net[loser] -= chips
    assert net == {user: won.get(user, 0) - chips for user, chips in put_in.items()}
