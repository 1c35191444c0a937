"""What is wrong with a rule card from a file is named with its values."""

import pytest
from msgspec.structs import replace

from bot.history.validate_card import CardFault, CardFaultKind, find_fault
from bot.variants import game


@pytest.mark.parametrize("boards", [0, 3])
def test_card_of_no_board_or_three_is_refused(boards: int) -> None:
    card = game("holdem")
    assert find_fault(replace(card, boards=boards), card.options) == CardFault(CardFaultKind.BOARDS, value=boards)
    assert find_fault(card, card.options) is None
