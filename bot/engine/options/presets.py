"""The columns of laws 0.6: the options of each family of games by default.

A preset names only what differs from Texas hold'em. Where a column says that something cannot happen, or has a dash, hold'em's value
stands there unused.

Source: laws 0.6.
"""

from collections.abc import Mapping

import msgspec

from bot.engine.options.types import Options


def _columns(table: str) -> dict[str, dict[str, str | int]]:
    """Read a table of options: by the name of each column, its values that differ from hold'em's."""
    (_, *names), *rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return {
        name: {row[0]: int(row[at]) if row[0] == "max_seats" else row[at] for row in rows if row[at] != "·"}
        for at, name in enumerate(names, 1)
    }


_COLUMNS = _columns(
    """
                  | OE              | BD             | HD                 | SL       | SH             | LB       | HL
    max_seats     | 6               | 7              | 8                  | 9        | 9              | 6        | 8
    suit_rank     | hearts_first    | ·              | ·                  | ·        | ·              | ·        | ·
    ace_straight  | low_only        | ·              | ·                  | ·        | ·              | ·        | ·
    ante          | left_of_dealer  | left_of_dealer | everyone           | everyone | everyone       | ·        | everyone
    straddle      | chain           | forced_double  | ·                  | ·        | ·              | ·        | ·
    straddle_laps | again           | ·              | ·                  | ·        | ·              | ·        | ·
    limit         | stake_limit     | doubling_flat  | stake_limit        | limit    | stake_limit    | limit    | limit
    min_raise     | one_chip        | by_ladder      | one_chip           | by_limit | match_call     | by_limit | by_limit
    raise_cap     | none            | none           | none               | ·        | none           | ·        | ·
    predraw       | one_round       | ·              | ·                  | ·        | ·              | ·        | ·
    check         | stand_once      | ·              | ·                  | ·        | ·              | ·        | ·
    first_1       | ·               | ·              | left_of_dealer     | low_card | high_card      | ·        | left_of_dealer
    first_n       | after_ante      | ·              | opener             | ·        | high_showing   | ·        | opener
    announce      | ·               | ·              | void_without_chips | ·        | ·              | ·        | ·
    draw_max      | 5               | 3              | 3                  | ·        | ·              | 5        | 3
    draw_timing   | with_equalising | ·              | ·                  | ·        | ·              | ·        | ·
    show          | all             | all            | all                | all      | all            | ·        | all
    odd_chip      | ·               | ·              | lot                | ·        | last_aggressor | ·        | ·
    passed_out    | ·               | ·              | next_dealer_reante | ·        | ·              | ·        | next_dealer_reante
    first_dealer  | low_cut         | jack           | jack               | jack     | jack           | ·        | jack
    cut           | must            | must           | must               | must     | ·              | ·        | ·
    misdeal       | next_dealer     | next_dealer    | next_dealer        | ·        | next_dealer    | ·        | next_dealer
    """
)
PRESETS: Mapping[str, Mapping[str, str | int]] = {
    "TH": {},
    **_COLUMNS,
    "HL_STUD": _COLUMNS["HL"]
    | {"max_seats": 9, "first_1": "high_card", "first_n": "high_showing"}
    | {"passed_out": "blinds_play"},  # its forced bet stands, so it cannot be passed out
    "strict": {"wild_call": "declare", "out_of_turn": "hold", "stakes": "open_purse"},
}
"""By the column's letters: Old English draw, basic draw, Hoyle draw, five-card stud with the low and the high card opening, lowball,
high-low draw; HL_STUD is high-low on a stud sheet, and *strict* is laid over another."""


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
