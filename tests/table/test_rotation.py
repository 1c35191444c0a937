"""Mixed games: rotation by hands, laps, time and dealer's choice; the button during stud; bomb pots; carried pots and openers."""

import pytest
from msgspec.structs import replace

from bot.engine.mixes import BombPot, BombPotTrigger, Game, Rotation, RotationChange
from bot.engine.options.values import StakesRule
from bot.engine.stakes import Stakes, StakesNotAgreed
from bot.engine.usual_stakes import usual_stakes
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.decide import decide
from bot.table.house_games import HouseGame, find_house_game, forget_house_game, save_house_game
from bot.table.mixed.rotation import required_openers
from bot.table.settings import TableSettings
from bot.table.state import EntryMethod
from bot.table.validate_settings import validate_settings
from bot.table.view import view_table
from bot.variants import compose_rotation, find_mix, game, mix_rotation
from bot.variants.customise import change_option
from bot.variants.mixes import EIGHT_GAME, HORSE, MIXES
from tests.table.evening import START_MS, Evening, player_id
from tests.table.legal import table_legal

ANN, BO, CY = map(player_id, ("Ann", "Bo", "Cy"))


def mixed_settings(mix: Rotation, bomb: BombPot | None = None) -> TableSettings:
    first = mix.games[0]
    return TableSettings(
        rule_card=first.rule_card, options=first.options, stakes=first.stakes, rotation=mix, bomb_pot=bomb
    )


def evening_of(settings: TableSettings, **seats: int) -> Evening:
    evening = Evening(
        settings.options,
        settings.stakes,
        rule_card=settings.rule_card,
        rotation=settings.rotation,
        bomb_pot=settings.bomb_pot,
    )
    evening.sit_all(**(seats or {"Ann": 1, "Bo": 2, "Cy": 3}))
    return evening


def game_keys(evening: Evening, hands: int) -> list[str]:
    return [evening.play_hand().started.rule_card.key for _ in range(hands)]


def bomb_pot(when: BombPotTrigger = BombPotTrigger.VOTE) -> BombPot:
    card = game("bomb_pot")
    return BombPot(Game(card, card.options, usual_stakes(card)), when)


@pytest.mark.law("VC-28")
def test_horse_and_eight_game_follow_the_law_book() -> None:
    assert list(HORSE.games) == ["limit_holdem", "limit_omaha8", "razz", "stud", "stud8"]
    assert [game(key).name[:9] for key in EIGHT_GAME.games] == [
        "Limit 2-7",
        "Limit Hol",
        "Limit Oma",
        "Limit Raz",
        "Limit Sev",
        "Limit Sev",
        "No-Limit ",
        "Pot-Limit",
    ]
    for mix, seats in ((HORSE, 8), (EIGHT_GAME, 6)):
        settings = mixed_settings(mix_rotation(mix))
        validate_settings(settings)
        assert settings.seat_count == seats, "as many as the smallest game seats"
    assert find_mix("h.o.r.s.e.") is HORSE
    assert all(find_mix(mix.name) is mix for mix in MIXES)


@pytest.mark.law("VC-28")
def test_each_game_lasts_one_lap_with_its_own_rules() -> None:
    evening = evening_of(mixed_settings(mix_rotation(HORSE)))
    assert game_keys(evening, 16) == [key for key in HORSE.games for _ in range(3)] + ["limit_holdem"]
    assert evening.table.settings.stakes.big_blind == 100
    evening.assert_replays()


@pytest.mark.law("VC-28")
def test_button_advances_once_then_freezes_during_stud() -> None:
    evening = evening_of(mixed_settings(mix_rotation(HORSE)))
    buttons = [evening.play_hand().started.button_seat_number for _ in range(18)]
    before, stud, after = buttons[:6], buttons[6:15], buttons[15:]
    assert len(set(stud)) == 1
    assert stud[0] == before[-1] % 3 + 1
    assert after == [stud[0], stud[0] % 3 + 1, (stud[0] % 3 + 1) % 3 + 1]
    assert evening.positions[2], "and there are blinds again"


@pytest.mark.law("VC-28", "TL-12")
def test_owed_blind_is_still_owed_after_stud() -> None:
    evening = evening_of(mixed_settings(mix_rotation(HORSE)), Ann=1, Bo=2, Cy=3, Di=4)
    evening.play_hand()
    evening.sit_out("Di")
    for _ in range(7):
        evening.play_hand()
    assert evening.seat("Di").owes_big
    evening.come_back("Di", EntryMethod.WAIT)
    assert evening.table.settings.rule_card.key == "razz"
    assert 4 in evening.play_hand().started.seat_numbers, "stud has no blinds, so seat 4 is dealt in"
    assert evening.seat("Di").owes_big


@pytest.mark.law("VC-28")
def test_games_change_by_hands_or_minutes_never_mid_hand() -> None:
    deals = replace(mix_rotation(HORSE), change=RotationChange.HANDS, hands=2)
    assert game_keys(evening_of(mixed_settings(deals)), 5) == ["limit_holdem"] * 2 + ["limit_omaha8"] * 2 + ["razz"]
    minutes = replace(mix_rotation(HORSE), change=RotationChange.TIME, minutes=3)
    evening = evening_of(mixed_settings(minutes))
    assert game_keys(evening, 2) == ["limit_holdem"] * 2
    evening.begin_hand()
    evening.wait(600)
    assert evening.table.settings.rule_card.key == "limit_holdem"
    evening.end_hand()
    assert evening.table.settings.rule_card.key == "limit_omaha8"


@pytest.mark.law("VC-28", "TL-41")
def test_dealer_chooses_a_listed_game_or_default_is_played() -> None:
    mix = compose_rotation(
        "Anything", [game("holdem"), game("razz"), game("badugi")], change=RotationChange.DEALERS_CHOICE
    )
    evening = evening_of(mixed_settings(mix))
    assert evening.table.rotation_state.chooser_seat == 1
    assert evening.table.rotation_state.choice_due_at == evening.now + 1000 * mix.choice_seconds
    assert table_legal(evening.table, ANN, evening.now).game_choices == (
        "No-Limit Hold'em",
        "Limit Razz",
        "Limit Badugi",
    )
    assert evening.refuses(c.ChooseGame(BO, 1), refusals.NotYourGameChoice).value.law == "VC-28"
    refused = evening.refuses(c.ChooseGame(ANN, 3), refusals.InvalidGameChoice)
    assert refused.value.games == ("No-Limit Hold'em", "Limit Razz", "Limit Badugi")
    evening.ask(c.ChooseGame(ANN, 1))
    evening.refuses(c.ChooseGame(ANN, 1), refusals.NoGameChoiceNow)
    assert evening.begin_hand().started.rule_card.key == "razz"
    evening.refuses(c.ChooseGame(BO, 1), refusals.HandRunning)
    evening.end_hand()
    assert evening.table.rotation_state.chooser_seat == 2, "the marker has gone round by itself"
    assert view_table(evening.table).rotation.chooser_seat == 2  # type: ignore[union-attr]
    assert evening.begin_hand().started.rule_card.key == "holdem", "Bo has said nothing"
    evening.end_hand()
    evening.leave("Cy")
    assert evening.table.rotation_state.chooser_seat == 1, "who left chooses nothing"
    evening.assert_replays()


@pytest.mark.law("VC-28")
def test_rotation_has_two_to_one_hundred_games() -> None:
    one = mixed_settings(compose_rotation("One", [game("holdem")]))
    for settings, error in (
        (one, refusals.NotEnoughGames),
        (replace(mixed_settings(mix_rotation(HORSE)), rule_card=game("badugi")), refusals.FirstGameNotInMix),
        (mixed_settings(replace(mix_rotation(HORSE), change=RotationChange.HANDS)), refusals.SettingOutOfBounds),
        (
            mixed_settings(replace(mix_rotation(HORSE), change=RotationChange.DEALERS_CHOICE, default_game_index=5)),
            refusals.SettingOutOfBounds,
        ),
        (mixed_settings(compose_rotation("Many", [game("holdem")] * 101)), refusals.SettingOutOfBounds),
        (mixed_settings(compose_rotation("Every one", [game("holdem")] * 100)), None),
        (mixed_settings(mix_rotation(EIGHT_GAME)), None),
    ):
        if error is None:
            validate_settings(settings)
        else:
            with pytest.raises(error):
                validate_settings(settings)
    nine = replace(
        mixed_settings(mix_rotation(HORSE)), options=replace(mixed_settings(mix_rotation(HORSE)).options, max_seats=9)
    )
    with pytest.raises(refusals.SeatCountOutOfBounds) as refused:
        validate_settings(nine)
    assert refused.value.law in ("VC-5", "VC-7")
    assert (refused.value.minimum, refused.value.maximum) == (2, 8)


# Bomb pots


@pytest.mark.law("VC-29")
def test_bomb_pot_is_dealt_when_everyone_votes_for_it() -> None:
    base = game("holdem")
    settings = TableSettings(rule_card=base, options=base.options, stakes=usual_stakes(base), bomb_pot=bomb_pot())
    evening = evening_of(settings)
    before = evening.play_hand().started.button_seat_number
    for who in (ANN, BO):
        evening.ask(c.VoteForBombPot(who))
    evening.ask(c.VoteForBombPot(BO, wanted=False))
    evening.ask(c.VoteForBombPot(BO))
    assert not view_table(evening.table).bomb_pot
    evening.ask(c.VoteForBombPot(CY))
    assert view_table(evening.table).bomb_pot
    bomb = evening.begin_hand().started
    assert (bomb.rule_card.key, len(bomb.posts)) == ("bomb_pot", 3)
    evening.end_hand()
    after = evening.play_hand().started
    assert after.rule_card.key == "holdem"
    assert bomb.button_seat_number == after.button_seat_number != before, "nobody's blind is passed over"
    plain = Evening()
    plain.sit_all(Ann=1, Bo=2)
    plain.refuses(c.VoteForBombPot(ANN), refusals.NoBombPot)


@pytest.mark.law("VC-29")
def test_bomb_pot_is_dealt_once_a_lap() -> None:
    card, bomb = game("omaha + joker bug"), game("omaha + joker bug + bomb")
    every = BombPot(Game(bomb, bomb.options, usual_stakes(bomb)), BombPotTrigger.LAP)
    settings = TableSettings(rule_card=card, options=card.options, stakes=usual_stakes(card), bomb_pot=every)
    found = game_keys(evening_of(settings), 8)
    assert found == [card.key] * 3 + [bomb.key] + [card.key] * 3 + [bomb.key]


@pytest.mark.law("VC-28", "VC-29")
def test_every_hand_names_its_mixture() -> None:
    """That holds even if the games change before the next hand. A bomb pot and a table of one game have no mixture."""
    evening = evening_of(replace(mixed_settings(mix_rotation(HORSE)), bomb_pot=bomb_pot()))
    evening.play_hand()
    assert evening.table.mixture_name == "H.O.R.S.E."
    for who in (ANN, BO, CY):
        evening.ask(c.VoteForBombPot(who))
    assert evening.play_hand().started.rule_card.key == "bomb_pot"
    assert evening.table.mixture_name == ""
    evening.play_hand()
    assert evening.table.mixture_name == "H.O.R.S.E."
    evening.assert_replays()
    base = game("holdem")
    alone = evening_of(TableSettings(rule_card=base, options=base.options, stakes=usual_stakes(base)))
    alone.play_hand()
    assert alone.table.mixture_name == ""


# Carried pots and openers


@pytest.mark.law("VC-20", "N-1")
def test_required_openers_rise_while_nobody_opens() -> None:
    card = game("jackpots")
    evening = evening_of(TableSettings(rule_card=card, options=card.options, stakes=usual_stakes(card)))
    asked, buttons, carried = [], [], 0
    for _ in range(6):
        started = evening.begin_hand().started
        asked.append(started.openers_rank)
        buttons.append(started.button_seat_number)
        assert started.carried == carried
        carried += 3 * 10
        evening.end_hand({"Ann": -10, "Bo": -10, "Cy": -10}, carried_chips=carried, same_dealer=True)
    assert asked == [9, 10, 11, 12, 12, 12], "jacks, queens, kings, and aces from then on"
    assert len(set(buttons)) == 1
    assert view_table(evening.table).required_openers == 12
    evening.begin_hand()
    evening.end_hand({"Ann": carried})
    started = evening.begin_hand().started
    assert (started.openers_rank, started.carried) == (9, 0)
    assert started.button_seat_number != buttons[0]
    evening.assert_replays()


@pytest.mark.law("VC-20")
def test_required_openers_can_come_down_again() -> None:
    card = game("jackpots")
    back, _ = change_option(card, card.options, "sheet.back_down", "on")
    assert [required_openers(back, passed) for passed in range(9)] == [9, 10, 11, 12, 11, 10, 9, 10, 11]
    assert required_openers(game("holdem"), 3) == -1


@pytest.mark.law("VC-27")
def test_matched_pot_carries_over_and_the_dealer_changes() -> None:
    card = game("guts")
    evening = evening_of(TableSettings(rule_card=card, options=card.options, stakes=usual_stakes(card)))
    first = evening.begin_hand().started
    evening.end_hand({"Ann": -30}, carried_chips=30)
    second = evening.begin_hand().started
    assert (second.carried, second.openers_rank) == (30, -1)
    assert second.button_seat_number != first.button_seat_number


# What every game needs


@pytest.mark.law("VC-27")
def test_guts_without_table_stakes_needs_a_loss_cap() -> None:
    card = game("guts")
    options = replace(card.options, stakes=StakesRule.OPEN_PURSE)
    stakes = replace(usual_stakes(card), cap=0)
    with pytest.raises(refusals.LossCapMissing) as refused:
        validate_settings(TableSettings(rule_card=card, options=options, stakes=stakes))
    assert refused.value.law == "VC-27"
    validate_settings(TableSettings(rule_card=card, options=card.options, stakes=stakes))


@pytest.mark.law("H-4", "VC-5", "VC-24")
@pytest.mark.parametrize(("key", "missing"), [("stud", "bring_in"), ("baseball", "price"), ("hoyle_draw", "limit")])
def test_game_requires_its_own_stake_amounts(key: str, missing: str) -> None:
    card = game(key)
    stakes = replace(usual_stakes(card), **{missing: 0})
    with pytest.raises(StakesNotAgreed) as refused:
        validate_settings(TableSettings(rule_card=card, options=card.options, stakes=stakes))
    assert missing in refused.value.missing


@pytest.mark.law("VC-9", "P-6", "VB-1", "P-3")
def test_seat_limit_comes_from_the_game_or_the_deck() -> None:
    def seats(key: str, wished: int) -> None:
        card = game(key)
        options = replace(card.options, max_seats=wished)
        validate_settings(TableSettings(rule_card=card, options=options, stakes=usual_stakes(card)))

    seats("old_english", 10)
    with pytest.raises(refusals.DeckTooSmall) as by_pack:
        seats("old_english", 11)
    assert by_pack.value.law == "P-6"
    with pytest.raises(refusals.SeatCountOutOfBounds) as by_sheet:
        seats("triple_draw_27", 7)
    assert by_sheet.value.law == "VC-9"
    assert (by_sheet.value.minimum, by_sheet.value.maximum) == (2, 6)


@pytest.mark.law("VB-13")
def test_players_unable_to_pay_forced_bets_are_not_dealt_in() -> None:
    card = game("holdem + strict")
    stakes = Stakes(small_blind=50, big_blind=100, min_buyin=100, max_buyin=20_000)
    evening = evening_of(TableSettings(rule_card=card, options=card.options, stakes=stakes))
    evening.begin_hand()
    evening.end_hand({"Cy": -9_950, "Ann": 9_950})
    assert set(evening.begin_hand().started.seat_numbers) == {1, 2}


@pytest.mark.law("H-2")
def test_server_saves_house_games_by_name() -> None:
    horse, plain = mixed_settings(mix_rotation(HORSE)), Evening().table.settings
    known = save_house_game((), HouseGame("  Friday   mix ", horse, ANN, START_MS))
    known = save_house_game(known, HouseGame("Ann's table", plain, ANN, START_MS))
    known = save_house_game(known, HouseGame("friday MIX", plain, BO, START_MS + 1))
    assert [one.name for one in known] == ["Ann's table", "friday MIX"]
    assert find_house_game(known, "FRIDAY mix").saved_by == BO
    assert [one.name for one in forget_house_game(known, "ann's table")] == ["friday MIX"]
    for name in ("", "x" * 41):
        with pytest.raises(refusals.InvalidHouseGameName):
            save_house_game(known, HouseGame(name, plain, ANN, START_MS))
    with pytest.raises(refusals.UnknownHouseGame):
        find_house_game(known, "nothing")
    assert isinstance(
        decide(None, c.OpenTable(ANN, find_house_game(known, "friday mix").settings), START_MS)[0], e.TableOpened
    )


@pytest.mark.law("VC-29", "VB-13")
def test_bomb_pot_waits_until_everyone_can_pay() -> None:
    """Without all-in, a player who cannot pay the forced bets is not dealt in. A bomb pot needs everyone, so the own game goes on."""
    base, dear = game("holdem"), game("bomb_pot+strict")
    bomb = BombPot(Game(dear, replace(dear.options, max_seats=9), usual_stakes(dear, 10_000)), BombPotTrigger.VOTE)
    settings = TableSettings(
        rule_card=base, options=replace(base.options, max_seats=9), stakes=usual_stakes(base), bomb_pot=bomb
    )
    evening = evening_of(settings)
    for who in (ANN, BO, CY):
        evening.ask(c.VoteForBombPot(who))
    assert evening.begin_hand().started.rule_card.key == "bomb_pot+strict", "10,000 each are enough"
    evening.end_hand({"Ann": -1, "Bo": 1})
    for who in (ANN, BO, CY):
        evening.ask(c.VoteForBombPot(who))
    assert not view_table(evening.table).bomb_pot
    assert evening.begin_hand().started.rule_card.key == "holdem"
