"""The columns of laws 0.6: the options of each family of games by default.

A preset names only what differs from Texas hold'em. Where a column says that something cannot happen, or has a dash, hold'em's value
stands there unused.

Source: laws 0.6.
"""

from collections.abc import Mapping

import msgspec

from bot.engine.options.types import Options

OLD_ENGLISH_DRAW: Mapping[str, str | int] = {
    "max_seats": 6,
    "suit_rank": "hearts_first",
    "ace_straight": "low_only",
    "first_dealer": "low_cut",
    "cut": "must",
    "ante": "left_of_dealer",
    "straddle": "chain",
    "straddle_laps": "again",
    "predraw": "one_round",
    "limit": "stake_limit",
    "min_raise": "one_chip",
    "raise_cap": "none",
    "check": "stand_once",
    "first_n": "after_ante",
    "draw_max": "5",
    "draw_timing": "with_equalising",
    "show": "all",
    "misdeal": "next_dealer",
}
BASIC_DRAW: Mapping[str, str | int] = {
    "max_seats": 7,
    "first_dealer": "jack",
    "cut": "must",
    "ante": "left_of_dealer",
    "straddle": "forced_double",
    "limit": "doubling_flat",
    "min_raise": "by_ladder",
    "raise_cap": "none",
    "draw_max": "3",
    "show": "all",
    "misdeal": "next_dealer",
}
HOYLE_DRAW: Mapping[str, str | int] = {
    "max_seats": 8,
    "first_dealer": "jack",
    "cut": "must",
    "ante": "everyone",
    "limit": "stake_limit",
    "min_raise": "one_chip",
    "raise_cap": "none",
    "first_1": "left_of_dealer",
    "first_n": "opener",
    "draw_max": "3",
    "show": "all",
    "odd_chip": "lot",
    "announce": "void_without_chips",
    "misdeal": "next_dealer",
    "passed_out": "next_dealer_reante",
}
STUD_LOW_OPENS: Mapping[str, str | int] = {
    "max_seats": 9,
    "first_dealer": "jack",
    "cut": "must",
    "ante": "everyone",
    "limit": "limit",
    "min_raise": "by_limit",
    "first_1": "low_card",
    "show": "all",
}
STUD_HIGH_OPENS: Mapping[str, str | int] = {
    "max_seats": 9,
    "first_dealer": "jack",
    "ante": "everyone",
    "limit": "stake_limit",
    "min_raise": "match_call",
    "raise_cap": "none",
    "first_1": "high_card",
    "first_n": "high_showing",
    "show": "all",
    "odd_chip": "last_aggressor",
    "misdeal": "next_dealer",
}
LOWBALL: Mapping[str, str | int] = {
    "max_seats": 6,
    "limit": "limit",
    "min_raise": "by_limit",
    "draw_max": "5",
}
HIGH_LOW_DRAW: Mapping[str, str | int] = {
    "max_seats": 8,
    "first_dealer": "jack",
    "ante": "everyone",
    "limit": "limit",
    "min_raise": "by_limit",
    "first_1": "left_of_dealer",
    "first_n": "opener",
    "draw_max": "3",
    "show": "all",
    "misdeal": "next_dealer",
    "passed_out": "next_dealer_reante",
}
HIGH_LOW_STUD: Mapping[str, str | int] = {
    **HIGH_LOW_DRAW,
    "max_seats": 9,
    "first_1": "high_card",
    "first_n": "high_showing",
    "passed_out": "blinds_play",  # its forced bet stands, so it cannot be passed out
}
STRICT: Mapping[str, str | int] = {"wild_call": "declare", "out_of_turn": "hold", "stakes": "open_purse"}

PRESETS: Mapping[str, Mapping[str, str | int]] = {
    "TH": {},
    "OE": OLD_ENGLISH_DRAW,
    "BD": BASIC_DRAW,
    "HD": HOYLE_DRAW,
    "SL": STUD_LOW_OPENS,
    "SH": STUD_HIGH_OPENS,
    "LB": LOWBALL,
    "HL": HIGH_LOW_DRAW,
    "HL_STUD": HIGH_LOW_STUD,
    "strict": STRICT,
}
"""By the column's letters. HL is high-low draw, HL_STUD the same on a stud sheet; *strict* is laid over another."""


def apply_preset(options: Options, preset: Mapping[str, str | int]) -> Options:
    """Lay a preset over options."""
    fields = {name: getattr(options, name) for name in options.__struct_fields__}
    return msgspec.convert({**msgspec.to_builtins(fields), **preset}, Options)


def preset_options(*names: str) -> Options:
    """Build the options of one or more `PRESETS`, later ones over earlier ones: ``preset_options("HD", "strict")``.

    Raises:
        KeyError: there is no such preset. Names come from our own rule cards, never from a player.
    """
    chosen: dict[str, str | int] = {}
    for name in names:
        chosen.update(PRESETS[name])
    return msgspec.convert(chosen, Options)
