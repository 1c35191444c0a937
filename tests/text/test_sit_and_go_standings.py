"""Where everybody stands in a sit-and-go, in words."""

from bot.text.sit_and_go import standings_text
from tests.events.sit_and_go.told import Told
from tests.render.test_lobby import SETTINGS


def test_one_big_blind_is_one() -> None:
    told = Told(2)
    told.start("Ann", "Bo")
    big = told.event.current_level.big_blind
    text = standings_text(told.event, SETTINGS, [("Ann", 3_000 - big), ("Bo", big)], 1_500)
    assert text.splitlines()[-1].endswith("· 1 big blind") and "big blinds" in text
