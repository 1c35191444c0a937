"""Mixed games: rotation by deals, laps, time and the dealer's choice; the button through stud; bomb pots; pots and openers carried on."""

import pytest
from msgspec.structs import replace

from bot.engine.mixes import Bomb, BombWhen, Change, Game, Rotation
from bot.engine.options import Purse
from bot.engine.stakes import Stakes, StakesNotAgreed
from bot.engine.usual import usual_stakes
from bot.table import commands as c
from bot.table import errors
from bot.table import events as e
from bot.table.decide import decide
from bot.table.house_games import HouseGame, find, forget, save
from bot.table.legal import table_legal
from bot.table.mixing import openers_asked
from bot.table.rules import check_settings
from bot.table.settings import TableSettings
from bot.table.state import Entry
from bot.table.view import view
from bot.variants import compose, find_mix, game, rotation, with_sheet_option
from bot.variants.mixes import EIGHT_GAME, HORSE, MIXES
from tests.table.story import START, Evening, player

ANN, BO, CY = map(player, ("Ann", "Bo", "Cy"))


def mixed(mix: Rotation, bomb: Bomb | None = None) -> TableSettings:
    first = mix.games[0]
    return TableSettings(card=first.card, options=first.options, stakes=first.stakes, rotation=mix, bomb=bomb)


def evening_of(settings: TableSettings, **seats: int) -> Evening:
    evening = Evening(
        settings.options, settings.stakes, card=settings.card, rotation=settings.rotation, bomb=settings.bomb
    )
    evening.seats(**(seats or {"Ann": 1, "Bo": 2, "Cy": 3}))
    return evening


def keys(evening: Evening, hands: int) -> list[str]:
    return [evening.hand().started.card.key for _ in range(hands)]


def bomb_pot(when: BombWhen = BombWhen.VOTE) -> Bomb:
    card = game("bomb_pot")
    return Bomb(Game(card, card.options, usual_stakes(card)), when)


@pytest.mark.law("VC-28")
def test_horse_and_eight_game_are_the_books() -> None:
    assert list(HORSE.games) == ["limit_holdem", "limit_omaha8", "razz", "stud", "stud8"]
    assert [game(key).name[:9] for key in EIGHT_GAME.games] == [
        "Limit 2-7", "Limit Hol", "Limit Oma", "Limit Raz", "Limit Sev", "Limit Sev", "No-Limit ", "Pot-Limit",
    ]  # fmt: skip
    for mix, seats in ((HORSE, 8), (EIGHT_GAME, 6)):
        settings = mixed(rotation(mix))
        check_settings(settings)
        assert settings.seats == seats, "as many as the smallest game seats"
    assert find_mix("h.o.r.s.e.") is HORSE
    assert all(find_mix(mix.name) is mix for mix in MIXES)


@pytest.mark.law("VC-28")
def test_a_game_lasts_a_lap_and_every_game_has_its_own_laws_and_stakes() -> None:
    evening = evening_of(mixed(rotation(HORSE)))
    assert keys(evening, 16) == [key for key in HORSE.games for _ in range(3)] + ["limit_holdem"]
    assert evening.table.settings.stakes.big_blind == 100
    evening.replays()


@pytest.mark.law("VC-28")
def test_the_button_is_advanced_once_for_stud_and_stands_still_until_stud_ends() -> None:
    evening = evening_of(mixed(rotation(HORSE)))
    buttons = [evening.hand().started.button for _ in range(18)]
    before, stud, after = buttons[:6], buttons[6:15], buttons[15:]
    assert len(set(stud)) == 1
    assert stud[0] == before[-1] % 3 + 1
    assert after == [stud[0], stud[0] % 3 + 1, (stud[0] % 3 + 1) % 3 + 1]
    assert evening.places[2], "and there are blinds again"


@pytest.mark.law("VC-28", "TL-12")
def test_a_blind_that_is_owed_is_still_owed_after_stud() -> None:
    evening = evening_of(mixed(rotation(HORSE)), Ann=1, Bo=2, Cy=3, Di=4)
    evening.hand()
    evening.sit_out("Di")
    for _ in range(7):
        evening.hand()
    assert evening.seat("Di").owes_big
    evening.back("Di", Entry.WAIT)
    assert evening.table.settings.card.key == "razz"
    assert 4 in evening.hand().started.seats, "stud has no blinds, so he is dealt in"
    assert evening.seat("Di").owes_big


@pytest.mark.law("VC-28")
def test_games_change_after_so_many_deals_or_minutes_but_never_during_a_deal() -> None:
    deals = replace(rotation(HORSE), change=Change.DEALS, deals=2)
    assert keys(evening_of(mixed(deals)), 5) == ["limit_holdem"] * 2 + ["limit_omaha8"] * 2 + ["razz"]
    minutes = replace(rotation(HORSE), change=Change.TIME, minutes=3)
    evening = evening_of(mixed(minutes))
    assert keys(evening, 2) == ["limit_holdem"] * 2
    evening.begin()
    evening.later(600)
    assert evening.table.settings.card.key == "limit_holdem"
    evening.end()
    assert evening.table.settings.card.key == "limit_omaha8"


@pytest.mark.law("VC-28", "TL-41")
def test_the_dealer_chooses_from_the_allowed_list_or_the_default_is_played() -> None:
    mix = compose("Anything", [game("holdem"), game("razz"), game("badugi")], change=Change.CHOICE)
    evening = evening_of(mixed(mix))
    assert evening.table.mixed.chooser == 1
    assert table_legal(evening.table, ANN, evening.now).games == ("No-Limit Hold'em", "Limit Razz", "Limit Badugi")
    assert evening.refuses(c.ChooseGame(BO, 1), errors.NotYourChoice).value.law == "VC-28"
    refused = evening.refuses(c.ChooseGame(ANN, 3), errors.ChooseOneOf)
    assert refused.value.why == "choose one of No-Limit Hold'em, Limit Razz, Limit Badugi"
    evening.ask(c.ChooseGame(ANN, 1))
    evening.refuses(c.ChooseGame(ANN, 1), errors.ChooseOneOf)
    assert evening.begin().started.card.key == "razz"
    evening.refuses(c.ChooseGame(BO, 1), errors.HandRunning)
    evening.end()
    assert evening.table.mixed.chooser == 2, "the marker has gone round by itself"
    assert view(evening.table).mixed.chooser == 2  # type: ignore[union-attr]
    assert evening.begin().started.card.key == "holdem", "Bo has said nothing"
    evening.end()
    evening.leave("Cy")
    assert evening.table.mixed.chooser == 1, "who left chooses nothing"
    evening.replays()


@pytest.mark.law("VC-28")
def test_one_game_makes_no_mixture_and_nobody_chooses_from_hundreds() -> None:
    one = mixed(compose("One", [game("holdem")]))
    for settings, error in (
        (one, errors.NotEnoughGames),
        (replace(mixed(rotation(HORSE)), card=game("badugi")), errors.NotEnoughGames),
        (mixed(replace(rotation(HORSE), change=Change.DEALS)), errors.SettingOutOfBounds),
        (mixed(replace(rotation(HORSE), change=Change.CHOICE, default=5)), errors.SettingOutOfBounds),
        (mixed(compose("Many", [game("holdem")] * 101)), errors.SettingOutOfBounds),
        (mixed(compose("Every one", [game("holdem")] * 100)), None),
        (mixed(rotation(EIGHT_GAME)), None),
    ):
        if error is None:
            check_settings(settings)
        else:
            with pytest.raises(error):
                check_settings(settings)
    nine = replace(mixed(rotation(HORSE)), options=replace(mixed(rotation(HORSE)).options, max_seats=9))
    with pytest.raises(errors.GameSeats, match="2 to 8") as refused:
        check_settings(nine)
    assert refused.value.law in ("VC-5", "VC-7")


# Bomb pots


@pytest.mark.law("VC-29")
def test_a_bomb_pot_is_dealt_when_all_want_one() -> None:
    base = game("holdem")
    settings = TableSettings(card=base, options=base.options, stakes=usual_stakes(base), bomb=bomb_pot())
    evening = evening_of(settings)
    before = evening.hand().started.button
    for who in (ANN, BO):
        evening.ask(c.VoteBomb(who))
    evening.ask(c.VoteBomb(BO, on=False))
    evening.ask(c.VoteBomb(BO))
    assert not view(evening.table).bomb
    evening.ask(c.VoteBomb(CY))
    assert view(evening.table).bomb
    bomb = evening.begin().started
    assert (bomb.card.key, len(bomb.posts)) == ("bomb_pot", 3)
    evening.end()
    after = evening.hand().started
    assert after.card.key == "holdem"
    assert bomb.button == after.button != before, "nobody's blind is passed over"
    plain = Evening()
    plain.seats(Ann=1, Bo=2)
    plain.refuses(c.VoteBomb(ANN), errors.NoBombPot)


@pytest.mark.law("VC-29")
def test_a_bomb_pot_comes_round_once_a_lap() -> None:
    card, bomb = game("omaha + joker bug"), game("omaha + joker bug + bomb")
    every = Bomb(Game(bomb, bomb.options, usual_stakes(bomb)), BombWhen.LAP)
    settings = TableSettings(card=card, options=card.options, stakes=usual_stakes(card), bomb=every)
    found = keys(evening_of(settings), 8)
    assert found == [card.key] * 3 + [bomb.key] + [card.key] * 3 + [bomb.key]


@pytest.mark.law("VC-28", "VC-29")
def test_every_deal_knows_the_mixture_it_is_of() -> None:
    """Also when the games are changed before the next one; a bomb pot between is of none, and so is a table of one game."""
    evening = evening_of(replace(mixed(rotation(HORSE)), bomb=bomb_pot()))
    evening.hand()
    assert evening.table.mixture == "H.O.R.S.E."
    for who in (ANN, BO, CY):
        evening.ask(c.VoteBomb(who))
    assert evening.hand().started.card.key == "bomb_pot"
    assert evening.table.mixture == ""
    evening.hand()
    assert evening.table.mixture == "H.O.R.S.E."
    evening.replays()
    base = game("holdem")
    alone = evening_of(TableSettings(card=base, options=base.options, stakes=usual_stakes(base)))
    alone.hand()
    assert alone.table.mixture == ""


# Pots and openers carried on


@pytest.mark.law("VC-20", "N-1")
def test_openers_go_up_while_nobody_opens_and_the_same_dealer_deals() -> None:
    card = game("jackpots")
    evening = evening_of(TableSettings(card=card, options=card.options, stakes=usual_stakes(card)))
    asked, buttons, carried = [], [], 0
    for _ in range(6):
        started = evening.begin().started
        asked.append(started.openers)
        buttons.append(started.button)
        assert started.carried == carried
        carried += 3 * 10
        evening.end({"Ann": -10, "Bo": -10, "Cy": -10}, carried=carried, same_dealer=True)
    assert asked == [9, 10, 11, 12, 12, 12], "jacks, queens, kings, and aces from then on"
    assert len(set(buttons)) == 1
    assert view(evening.table).openers == 12
    evening.begin()
    evening.end({"Ann": carried})
    started = evening.begin().started
    assert (started.openers, started.carried) == (9, 0)
    assert started.button != buttons[0]
    evening.replays()


@pytest.mark.law("VC-20")
def test_openers_may_come_down_again() -> None:
    card = game("jackpots")
    back, _ = with_sheet_option(card, card.options, "jackpots.back_down", "on")
    assert [openers_asked(back, passed) for passed in range(9)] == [9, 10, 11, 12, 11, 10, 9, 10, 11]
    assert openers_asked(game("holdem"), 3) == -1


@pytest.mark.law("VC-27")
def test_a_matched_pot_waits_for_the_next_deal_and_the_deal_passes_on() -> None:
    card = game("guts")
    evening = evening_of(TableSettings(card=card, options=card.options, stakes=usual_stakes(card)))
    first = evening.begin().started
    evening.end({"Ann": -30}, carried=30)
    second = evening.begin().started
    assert (second.carried, second.openers) == (30, -1)
    assert second.button != first.button


# What a table of any game needs


@pytest.mark.law("VC-27")
def test_guts_without_table_stakes_need_a_cap() -> None:
    card = game("guts")
    options = replace(card.options, stakes=Purse.OPEN_PURSE)
    stakes = replace(usual_stakes(card), cap=0)
    with pytest.raises(errors.CapMissing) as refused:
        check_settings(TableSettings(card=card, options=options, stakes=stakes))
    assert (refused.value.law, refused.value.why) == ("VC-27", "set a cap or table stakes")
    check_settings(TableSettings(card=card, options=card.options, stakes=stakes))


@pytest.mark.law("H-4", "VC-5", "VC-24")
@pytest.mark.parametrize(("key", "missing"), [("stud", "bring_in"), ("baseball", "price"), ("hoyle_draw", "limit")])
def test_the_amounts_of_a_sheet_are_asked_for(key: str, missing: str) -> None:
    card = game(key)
    stakes = replace(usual_stakes(card), **{missing: 0})
    with pytest.raises(StakesNotAgreed) as refused:
        check_settings(TableSettings(card=card, options=card.options, stakes=stakes))
    assert missing in refused.value.missing


@pytest.mark.law("VC-9", "P-6", "VB-1", "P-3")
def test_a_game_seats_what_its_sheet_or_the_pack_allows() -> None:
    def seats(key: str, wished: int) -> None:
        card = game(key)
        options = replace(card.options, max_seats=wished)
        check_settings(TableSettings(card=card, options=options, stakes=usual_stakes(card)))

    seats("old_english", 10)
    with pytest.raises(errors.PackCannotServe) as by_pack:
        seats("old_english", 11)
    assert by_pack.value.law == "P-6"
    with pytest.raises(errors.GameSeats, match="seats 2 to 6") as by_sheet:
        seats("triple_draw_27", 7)
    assert by_sheet.value.law == "VC-9"


@pytest.mark.law("VB-13")
def test_at_a_strict_table_only_who_can_pay_the_forced_money_is_dealt_in() -> None:
    card = game("holdem + strict")
    stakes = Stakes(small_blind=50, big_blind=100, min_buyin=100, max_buyin=20_000)
    evening = evening_of(TableSettings(card=card, options=card.options, stakes=stakes))
    evening.begin()
    evening.end({"Cy": -9_950, "Ann": 9_950})
    assert set(evening.begin().started.seats) == {1, 2}


@pytest.mark.law("H-2")
def test_a_server_keeps_its_own_games_by_name() -> None:
    horse, plain = mixed(rotation(HORSE)), Evening().table.settings
    known = save((), HouseGame("  Friday   mix ", horse, ANN, START))
    known = save(known, HouseGame("Ann's table", plain, ANN, START))
    known = save(known, HouseGame("friday MIX", plain, BO, START + 1))
    assert [one.name for one in known] == ["Ann's table", "friday MIX"]
    assert find(known, "FRIDAY mix").by == BO
    assert [one.name for one in forget(known, "ann's table")] == ["friday MIX"]
    for name in ("", "x" * 41):
        with pytest.raises(errors.BadHouseName):
            save(known, HouseGame(name, plain, ANN, START))
    with pytest.raises(errors.BadHouseName):
        find(known, "nothing")
    assert isinstance(decide(None, c.Open(ANN, find(known, "friday mix").settings), START)[0], e.TableOpened)


@pytest.mark.law("VC-29", "VB-13")
def test_a_bomb_pot_waits_while_somebody_cannot_pay_for_it() -> None:
    """Without all-in nobody is dealt in who cannot pay what is forced; the bomb pot is for all who play, so the own game goes on."""
    base, dear = game("holdem"), game("bomb_pot+strict")
    bomb = Bomb(Game(dear, replace(dear.options, max_seats=9), usual_stakes(dear, 10_000)), BombWhen.VOTE)
    settings = TableSettings(
        card=base, options=replace(base.options, max_seats=9), stakes=usual_stakes(base), bomb=bomb
    )  # fmt: skip
    evening = evening_of(settings)
    for who in (ANN, BO, CY):
        evening.ask(c.VoteBomb(who))
    assert evening.begin().started.card.key == "bomb_pot+strict", "10,000 each are enough"
    evening.end({"Ann": -1, "Bo": 1})
    for who in (ANN, BO, CY):
        evening.ask(c.VoteBomb(who))
    assert not view(evening.table).bomb
    assert evening.begin().started.card.key == "holdem"
