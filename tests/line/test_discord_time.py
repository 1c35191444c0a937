"""An interaction is answered in time, counted from when it was made, on a machine whose clock can be wrong."""

from __future__ import annotations

from bot.line.by_token import ANSWER_MS, DISCORD_EPOCH_MS, SEEN, WINDOW_MS, DiscordTime

NOON = 1_800_000_000_000


class Evening:
    """Discord's clock, the machine's, and interactions that arrive late."""

    def __init__(self, machine_ahead: int = 0) -> None:
        self.discord, self.ahead = NOON, machine_ahead
        self.time = DiscordTime(lambda: self.discord + self.ahead)

    def pressed(self, late: int) -> int:
        """Somebody presses. Returns how old the interaction is when it must be answered, by what the dealer thinks, in ms."""
        self.discord += 60_000
        made, self.discord = self.discord, self.discord + late
        return late + round(1000 * self.time.seconds_left(snowflake(made)))

    def send(self, takes: int = 80) -> None:
        """The dealer posts a message."""
        sent_at, made = self.discord + self.ahead, self.discord + takes // 2
        self.discord += takes
        self.time.note_own(snowflake(made), sent_at)


def snowflake(made: int) -> int:
    return (made - DISCORD_EPOCH_MS) << 22


def test_deadline_counts_from_the_birth_of_an_interaction() -> None:
    evening = Evening()
    assert [evening.pressed(late) for late in (40, 500, 2_000)] == [ANSWER_MS] * 3


def test_late_interactions_are_answered_at_once() -> None:
    """Events come 2.4 s late, one after another, from the first on: none is left unanswered."""
    evening = Evening()
    answered_at = [evening.pressed(2_400) for _ in range(50)]
    assert answered_at == [2_400] * 50 and max(answered_at) < WINDOW_MS


def test_clock_far_ahead_does_not_make_everything_late() -> None:
    evening = Evening(machine_ahead=90_000)
    assert [evening.pressed(50) for _ in range(3)] == [ANSWER_MS + 50] * 3
    assert evening.pressed(1_000) == ANSWER_MS + 50


def test_clock_two_seconds_ahead_is_found_out_by_own_messages() -> None:
    evening = Evening(machine_ahead=2_500)
    assert evening.pressed(50) == 50, "it looks late, and is answered at once"
    evening.send()
    answered_at = evening.pressed(50)
    assert ANSWER_MS - 50 <= answered_at <= ANSWER_MS + 100
    assert evening.pressed(2_500) == 2_500, "what is late is seen to be late"


def test_clock_behind_is_found_out_by_the_first_event() -> None:
    evening = Evening(machine_ahead=-4_000)
    assert evening.pressed(50) == ANSWER_MS + 50
    assert evening.pressed(2_400) == 2_400


def test_clock_that_is_set_right_is_soon_believed() -> None:
    evening = Evening(machine_ahead=-4_000)
    evening.pressed(50)
    evening.ahead = 0
    for _ in range(SEEN):
        evening.pressed(50)
    assert evening.pressed(50) == ANSWER_MS
