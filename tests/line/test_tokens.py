"""What a token can do, and how many follow-ups a channel can have."""

from __future__ import annotations

import msgspec

from bot.line.budgets import FOLLOW_UPS_PER_MINUTE, REMEMBERED_MAX, FollowUp, FollowUpBudget
from bot.line.by_token import TOKEN_MS, Token

NOW, TABLE, PANEL, OTHER = 1_000_000, 71, 72, 73


def token() -> Token:
    return Token(application=1, interaction=2, token="secret", at=NOW, channel=3, original=TABLE)


def test_token_edits_what_it_posted_for_fourteen_minutes() -> None:
    ours = token()
    ours.has_sent(PANEL)
    assert [ours.can_edit(message, NOW + TOKEN_MS - 1) for message in (TABLE, PANEL, OTHER, 0)] == [
        True,
        True,
        False,
        False,
    ]
    assert not ours.can_edit(TABLE, NOW + TOKEN_MS)


def test_token_that_discord_has_ended_is_used_no_more() -> None:
    ours = token()
    ours.end()
    assert not ours.is_open(NOW) and not ours.can_edit(TABLE, NOW)


def test_token_is_saved_whole_and_shows_itself_in_no_log() -> None:
    ours = token()
    ours.has_sent(PANEL)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(ours), type=Token) == ours
    assert "secret" not in repr(ours)


def sent_in_a_minute(budget: FollowUpBudget, kind: FollowUp, channel: int = 3) -> int:
    """Send as many follow-ups of a kind as can go at once."""
    count = 0
    while budget.possible_at(channel, kind, NOW) == NOW:
        budget.spend(channel, NOW)
        count += 1
    return count


def test_last_follow_ups_are_kept_for_the_table() -> None:
    budget = FollowUpBudget()
    sent = [sent_in_a_minute(budget, kind) for kind in (FollowUp.REST, FollowUp.ACTING, FollowUp.TABLE)]
    assert sent == [10, 6, 4] and sum(sent) == FOLLOW_UPS_PER_MINUTE
    assert sent_in_a_minute(budget, FollowUp.TABLE, channel=4) == FOLLOW_UPS_PER_MINUTE, "each channel has its own"


def test_quiet_channels_are_forgotten() -> None:
    budget = FollowUpBudget()
    for minute in range(5 * REMEMBERED_MAX):
        budget.spend(minute, NOW + 60_000 * minute)
    assert len(budget._channels._known) <= REMEMBERED_MAX + 1


def test_budget_says_when_a_follow_up_can_go() -> None:
    budget = FollowUpBudget()
    for second in range(FOLLOW_UPS_PER_MINUTE):
        budget.spend(3, NOW + 1_000 * second)
    now = NOW + 1_000 * FOLLOW_UPS_PER_MINUTE
    at = {kind: budget.possible_at(3, kind, now) for kind in FollowUp}
    assert at == {FollowUp.TABLE: NOW + 60_000, FollowUp.ACTING: NOW + 64_000, FollowUp.REST: NOW + 70_000}
    assert [budget.possible_at(3, kind, when) == when for kind, when in at.items()] == [True, True, True]
