"""Tables as pictures show them, by name: every family of games, every number of seats, and the worst cases of the layout."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine.cards import parse_card, parse_cards
from bot.pictures.avatars import avatar_file
from bot.pictures.types import Canvas, CardMark, Look, PictureBoard, PictureCard, PictureSeat, SeatState, TablePicture
from bot.table.picture_colours import Deck, Felt
from tests.pictures.some_avatars import some_avatar

LOOK = Look()
LIGHT = Look(theme="light")
BLUE = Look(felt=Felt.TOURNAMENT)

NAMES = ("Mia", "bob_the_builder", "Jürgen K", "Ayşe", "NightOwl", "Олег", "river_rat", "Chen Wei", "Zoë", "Giorgos")
SIX_SCRIPTS = (
    "Maximiliana_von_und_zu_Hohenfels",
    "Александра Константиновна Орлова",
    "Παναγιώτης Παπαδημητρόπουλος",
    "محمد عبد الرحمن بن عبد العزيز",
    "阿部寛之介左衛門尉源朝臣義経公方様御曹司大納言中将",
    "नरेन्द्र कुमार श्रीवास्तव",
    "🂡🂢🂣",
)
"""Names of up to 32 characters, and one that no font can draw."""


def cards(line: str, mark: CardMark = CardMark.NONE, plays: str = "") -> tuple[PictureCard, ...]:
    """Read cards: `x` is a back, `2c*` is wild, `2c*=Kh` stands for a king; those of `plays` play, and then the others do not."""
    wanted = set(parse_cards(plays))
    found = []
    for word in line.split():
        if word == "x":
            found.append(PictureCard(None, mark=mark))
            continue
        text, _, declared = word.partition("=")
        card = parse_card(text.rstrip("*"))
        found.append(
            PictureCard(
                card,
                is_wild=text.endswith("*") or text == "Jk",
                stands_for=parse_card(declared) if declared else None,
                mark=(CardMark.PLAYS if card in wanted else CardMark.DIMMED) if plays else mark,
            )
        )
    return tuple(found)


def backs(count: int) -> tuple[PictureCard, ...]:
    """Return hidden cards."""
    return (PictureCard(None),) * count


def board(line: str = "", banner: str = "", plays: str = "", size: int = 5) -> PictureBoard:
    """Return a row of common cards."""
    return PictureBoard(cards(line, plays=plays), size, banner)


def seat(
    number: int,
    chips: str = "10,000",
    hand: str = "",
    *,
    shows: str = "",
    hidden: int = 0,
    plays: str = "",
    **more: object,
) -> PictureSeat:
    """Return a seat with the house's usual name: its cards open (`shows`), or so many hidden ones."""
    held = cards(shows, plays=plays) if shows else backs(hidden)
    return replace(PictureSeat(number, NAMES[number - 1], chips, cards=held, hand=hand), **more)  # type: ignore[arg-type]


def folded(number: int, **more: object) -> PictureSeat:
    """Return a seat that has folded."""
    return seat(number, "fold", state=SeatState.FOLDED, **more)


def away(number: int) -> PictureSeat:
    """Return a seat whose player is away."""
    return seat(number, "away", state=SeatState.AWAY)


def all_in(number: int, **more: object) -> PictureSeat:
    """Return a seat that is all-in."""
    return seat(number, "ALL-IN", state=SeatState.ALL_IN, **more)  # type: ignore[arg-type]


def won(number: int, chips: str, **more: object) -> PictureSeat:
    """Return a seat that has won."""
    return seat(number, "12,900", won=chips, **more)  # type: ignore[arg-type]


def with_avatars(picture: TablePicture) -> TablePicture:
    """Return a table at which all but every fourth player have a picture of their own."""
    seats = [
        replace(one, avatar=avatar_file(some_avatar(one.number)) if one.number % 4 else b"") for one in picture.seats
    ]
    return replace(picture, seats=tuple(seats))


def table(*seats: PictureSeat, count: int = 9, pot: str = "9,450", **more: object) -> TablePicture:
    """Return a table of these seats."""
    return replace(
        TablePicture(LOOK, count, seats, pot="POT", pot_chips=pot, small_print="chips at the deal · Hand #1284"), **more
    )


TURN = table(
    folded(1),
    seat(2, "15,200", hidden=2),
    folded(3, is_dealer=True),
    seat(4, "23,365", hidden=2),
    all_in(5, hidden=2),
    folded(6),
    seat(7, "13,700", hidden=2),
    folded(8),
    folded(9),
    boards=(board("Ah Kd 9c 9s"),),
    heading="TURN",
)
"""The turn of a hand at a full table."""

SHOWDOWN = table(
    folded(1),
    folded(2),
    folded(3, is_dealer=True),
    seat(4, "21,315", shows="Kc Qh", plays="Ks"),
    won(5, "+9,450", shows="Ks Kh", plays="KsKh"),
    folded(6),
    won(7, "+4,100", shows="Ac 9h"),
    folded(8),
    folded(9),
    pot="13,550",
    pots="Main 9,450  ·  Side 4,100",
    small_print="",
    boards=(board("Ah Kd 9c 9s 2d", plays="Kd9c9s"),),
    banners=("Full house, kings full of nines",),
)
"""A showdown for a main pot and a side pot."""

REPLAY = replace(
    TURN,
    seats=(
        folded(1),
        seat(2, "15,200", hidden=2, note="check"),
        folded(3, is_dealer=True),
        seat(4, "22,340", hidden=2, bet="1,025"),
        all_in(5, hidden=2),
        folded(6),
        seat(7, "13,700", hidden=2, is_to_act=True),
        folded(8),
        folded(9),
    ),
    small_print="Blinds 50/100 · Hand #1284",
)
"""One step of a replay: a moment, with the turn and the bets of it."""

DRAW = table(
    seat(1, "4,150", hidden=5, note="drew 2"),
    seat(2, "9,800", hidden=5, note="stood pat"),
    folded(3),
    seat(4, "12,025", hidden=5, is_dealer=True),
    seat(5, "7,300", hidden=5),
    folded(6),
    count=6,
    pot="1,850",
    heading="DRAW 1 OF 1",
    small_print="chips at the deal · Hand #88",
)
"""Five-card draw while some have drawn."""

_STUD_SHOWS = (
    "As Kd Qc Jh Ts 9d 8c",
    "2s 2d 7c 7h Kc 4s 4d",
    "3s 5d 6c 8h 9s Jd Qs",
    "Ad Ac Th Td 5c 5h 2c",
    "6s 6d 6h 3c 3d Jc Js",
    "9c 9h Kh Ks 7s 7d 2h",
    "Ah 4c 4h 8s 8d Qd Qh",
    "5s Tc 3h Jh 6c 2d Kc",
)

_OMAHA = (
    "As Ad Kc Qh",
    "Ts Td 9c 8h",
    "2s 3d 4c 5h",
    "Ks Kd Jc Jh",
    "7s 7d 6c 6h",
    "Qs Qd Tc 9h",
    "Ac Kh 5d 4s",
    "8s 8d 3c 2h",
    "Js Jd 9s 9d",
    "Ah Qc Th 5c",
)


def _stud_open() -> TablePicture:
    seats = [
        seat(n, "3,200", hand="Two pair, sevens and fours", shows=shows, plays="6s6d6hJcJs")
        for n, shows in enumerate(_STUD_SHOWS, 1)
    ]
    seats[4] = won(
        5,
        "+18,400",
        hand="Full house, sixes full of jacks",
        banners=("Full house, sixes full of jacks",),
        shows=_STUD_SHOWS[4],
        plays="6s6d6hJcJs",
    )
    return table(*seats, count=8, pot="18,400", banners=("Full house, sixes full of jacks",), small_print="")


def _stud_street(count: int, shows: str, hidden: int) -> TablePicture:
    """Seven-card stud while it is played: hidden cards left, up cards open."""
    deck = [card for line in _STUD_SHOWS for card in line.split()]
    ups = len([word for word in shows.split() if word == "u"])
    seats = []
    for number in range(1, count + 1):
        mine = iter(deck[(number - 1) * ups : number * ups])
        line = " ".join(next(mine) if word == "u" else "x" for word in shows.split())
        seats.append(
            seat(number, "2,400", shows=line, hidden_count=hidden, bet="25" if number == 3 and ups == 1 else "")
        )
    return table(
        *seats, count=count, pot="640", heading={1: "THIRD STREET", 3: "FIFTH STREET", 4: "SEVENTH STREET"}[ups]
    )


def _omaha(count: int, held: int, look: Look = LOOK) -> TablePicture:
    """A showdown of everybody, with so many cards each."""
    deck = [card for line in _OMAHA for card in line.split()]
    seats = []
    for number in range(1, count + 1):
        shows = " ".join((deck + deck)[(number - 1) * held : number * held])
        if number == 5:
            seats.append(
                won(5, "+48,000", hand="Full house, sevens full of aces", shows=shows, plays=shows.replace(" ", "")[:4])
            )
        else:
            seats.append(
                seat(number, "6,150", hand="Two pair, aces and sevens", shows=shows, plays="2c", is_dealer=number == 3)
            )
    return table(
        *seats,
        count=count,
        pot="48,000",
        boards=(board("Ac 7c 7h 2d 9s", plays="Ac7c7h"),),
        look=look,
        banners=("Full house, sevens full of aces",),
        small_print="",
    )


def _deal(count: int, look: Look = LOOK) -> TablePicture:
    """Hold'em, just dealt, with posted blinds."""
    seats = []
    for number in range(1, count + 1):
        bet = {2: "50", 3: "100"}.get(number, "") if count > 2 else {1: "50", 2: "100"}[number]
        seats.append(seat(number, "9,950", hidden=2, bet=bet, is_dealer=number == 1))
    return table(*seats, count=count, pot="150", boards=(board(),), heading="PRE-FLOP", look=look)


def _declared(note: str, held: int, count: int) -> TablePicture:
    return table(
        *(seat(n, "2,050", hidden=held, note=note if n % 2 else "out") for n in range(1, count + 1)),
        count=count,
        pot="900",
        heading="DECLARED",
    )


def _names(look: Look) -> TablePicture:
    seats = [replace(seat(n, "1.23M", hidden=2, is_dealer=n == 4), name=name) for n, name in enumerate(SIX_SCRIPTS, 1)]
    return table(*seats, folded(8), away(9), pot="12.5M", boards=(board("Ts 9s 8d"),), heading="FLOP", look=look)


FULL: dict[str, TablePicture] = {
    "turn_nine_seats": TURN,
    "showdown_two_pots": SHOWDOWN,
    "replay_step": REPLAY,
    "draw_once": DRAW,
    **{f"deal_{count}_seats": _deal(count) for count in range(2, 11)},
    "deal_tournament": _deal(9, BLUE),
    "turn_light": replace(TURN, look=LIGHT),
    "showdown_light": replace(SHOWDOWN, look=LIGHT),
    "replay_light": replace(REPLAY, look=LIGHT),
    "turn_two_colours": replace(TURN, look=Look(deck=Deck.TWO_COLOURS)),
    "turn_filled": replace(TURN, look=Look(deck=Deck.FILLED)),
    "showdown_tournament": replace(SHOWDOWN, look=BLUE),
    "omaha_showdown_ten": _omaha(10, 4),
    "omaha_showdown_five_cards": _omaha(8, 5),
    "omaha_showdown_six_cards": _omaha(6, 6),
    "omaha_showdown_light": _omaha(10, 4, LIGHT),
    "stud_all_open": _stud_open(),
    "stud_third_street": _stud_street(8, "x x u", 2),
    "stud_fifth_street": _stud_street(8, "x x u u u", 2),
    "stud_seventh_street": _stud_street(8, "x x u u u u x", 3),
    "stud_five_cards_ten_seats": _stud_street(10, "x u u u u", 1),
    "draw_three_of_three": table(
        *(
            seat(n, "5,400", hidden=5, note=note, is_dealer=n == 6)
            for n, note in enumerate(("drew 1", "stood pat", "drew 3", "drew 2", "stood pat", "drew 1"), 1)
        ),
        count=6,
        pot="2,400",
        heading="DRAW 3 OF 3",
    ),
    "draw_ten_seats": table(
        *(seat(n, "5,400", hidden=5, note="stood pat" if n % 3 else "drew 4", is_dealer=n == 10) for n in range(1, 11)),
        count=10,
        pot="2,400",
        heading="DRAW 1 OF 1",
    ),
    "draw_showdown": table(
        won(
            1,
            "+2,650",
            hand="Flush, ace high",
            banners=("Flush, ace high",),
            shows="As Js 9s 5s 2s",
            plays="AsJs9s5s2s",
        ),
        folded(2),
        seat(3, "7,225", hand="Three of a kind, queens", shows="Qs Qd Qh 7c 4c", plays="2s"),
        folded(4, is_dealer=True),
        folded(5),
        count=5,
        pot="2,650",
        banners=("Flush, ace high",),
        small_print="",
    ),
    "badugi_showdown": table(
        won(1, "+1,200", hand="Badugi, 7-5-3-A", banners=("Badugi, 7-5-3-A",), shows="7s 5d 3c Ah", plays="7s5d3cAh"),
        seat(2, "880", hand="Badugi, 9-6-4-2", shows="9s 6d 4c 2h", plays="As"),
        *(folded(n) for n in range(3, 9)),
        count=8,
        pot="1,200",
        banners=("Badugi, 7-5-3-A",),
        small_print="",
    ),
    "high_low": table(
        folded(1),
        folded(2, is_dealer=True),
        won(3, "+4,725", hand="Low 7-5-4-3-A", shows="Ah 3d 5c Js", plays="Ah3d"),
        folded(4),
        won(5, "+4,725", hand="Flush, king high", shows="Ks Ts 6h 2d", plays="KsTs"),
        folded(6),
        seat(7, "3,300", hand="Two pair, queens and sevens", shows="Qs Qd 9h 8h", plays="As"),
        folded(8),
        folded(9),
        boards=(board("4s 7s Qh 5s 4d", plays="4s7s5s"),),
        banners=("High  Flush, king high", "Low  7-5-4-3-A"),
        small_print="",
    ),
    "high_low_stud": table(
        won(1, "+1,610", banners=("Low  7-5-4-2-A",), shows="As 2d 4c 5h 7s Kd Qc", plays="As2d4c5h7s"),
        folded(2),
        won(
            3,
            "+1,610",
            banners=("High  Full house, nines full of kings",),
            shows="9s 9d 9c Kh Ks 3d 2c",
            plays="9s9d9cKhKs",
        ),
        *(folded(n) for n in range(4, 9)),
        count=8,
        pot="3,220",
        banners=("High  Full house, nines full of kings", "Low  7-5-4-2-A"),
        small_print="",
    ),
    "four_side_pots": table(
        all_in(1, shows="As Ah"),
        all_in(2, shows="Ks Kh"),
        all_in(3, shows="Qs Qh", is_dealer=True),
        folded(4),
        all_in(5, shows="Js Jh"),
        folded(6),
        seat(7, "40,100", shows="Ts Th"),
        folded(8),
        folded(9),
        pot="58,400",
        boards=(board("2c 7d 9h 4s"),),
        heading="TURN",
        pots="Main 5,000 · Side A 8,400 · Side B 12,000 · Side C 14,000 · Side D 19,000",
    ),
    "run_out_flop": table(
        all_in(1, shows="As Ah"),
        seat(2, "2,000", shows="Ks Kh"),
        folded(3, is_dealer=True),
        count=3,
        boards=(board("Kd 7c 2s"),),
        heading="FLOP",
    ),
    "run_out_odds_flop": table(
        all_in(1, shows="As Ah", odds="62 %"),
        seat(2, "2,000", shows="Ks Kh", odds="30 %", is_dealer=True),
        *(folded(n) for n in (3, 4, 6, 7, 8)),
        all_in(5, shows="Jd Td", odds="7 %"),
        all_in(9, shows="7h 7d", odds="1 %"),
        boards=(board("Kd 7c 2s"),),
        heading="ALL-IN",
        small_print="Split pot: 5 % · Hand #1284",
    ),
    "run_out_odds_omaha_ten": table(
        *(
            all_in(number, shows=shows, odds=f"≈ {percent} %", is_dealer=number == 3)
            for number, (shows, percent) in enumerate(zip(_OMAHA, (14, 12, 8, 11, 9, 10, 6, 13, 9, 8), strict=True), 1)
        ),
        count=10,
        pot="48,000",
        boards=(board("Ac 7c 7h"),),
        heading="ALL-IN",
    ),
    "run_out_odds_stud": table(
        *(
            all_in(number, shows=" ".join(_STUD_SHOWS[number - 1].split()[:5]), odds=odds)
            for number, odds in ((1, "≈ 11 %"), (4, "≈ 48 %"), (6, "≈ 41 %"))
        ),
        *(folded(n) for n in (2, 3, 5, 7, 8)),
        count=8,
        pot="6,400",
        heading="ALL-IN",
    ),
    "run_out_odds_two_boards": table(
        all_in(1, shows="As Ah", odds="91 %"),
        all_in(2, shows="Ks Kh", odds="9 %"),
        count=2,
        boards=(board("Kd 7c 2s 4h 9d"), board("Kd 7c 2s Ac")),
        heading="ALL-IN",
    ),
    "two_boards_flop": table(
        *(seat(n, "8,000", hidden=4, is_dealer=n == 2) for n in range(1, 9)),
        count=8,
        pot="4,000",
        boards=(board("Ah Kd 9c"), board("2s 2d Jh")),
        heading="FLOP",
    ),
    "two_boards_showdown": table(
        won(1, "+6,000", hand="Full house", shows="9s 9h Kc Kh", plays="9s9h"),
        folded(2),
        won(3, "+6,000", hand="Straight", shows="Qs Tc 8d 3c", plays="QsTc"),
        folded(4),
        folded(5, is_dealer=True),
        folded(6),
        seat(7, "900", shows="As Ac 4h 4s", plays="2s"),
        folded(8),
        count=8,
        pot="12,000",
        pots="Main 9,450 · Side 2,550",
        boards=(
            board("Ah Kd 9c 9d 5s", "Four of a kind, nines", "Kd9c9d"),
            board("2s 2d Jh Kc 9h", "Straight, king high", "JhKc9h"),
        ),
        small_print="",
    ),
    "run_twice_open": table(
        all_in(1, shows="As Ah"),
        all_in(2, shows="Ks Kh"),
        count=2,
        boards=(board("Kd 7c 2s 4h 9d"), board("Kd 7c 2s Ac")),
        heading="TURN",
    ),
    "three_boards": table(
        won(1, "+6,000", shows="As Ah"),
        won(2, "+3,000", shows="Ks Kh"),
        *(folded(n) for n in range(3, 7)),
        count=6,
        pot="9,000",
        boards=(
            board("Kd 7c 2s 4h 9d", "Three of a kind, kings", "Kd"),
            board("Kd 7c 2s Ac 3h", "Three of a kind, aces", "Ac"),
            board("Kd 7c 2s Td Ad", "Three of a kind, aces", "Ad"),
        ),
        small_print="",
    ),
    "three_boards_turn": table(
        all_in(1, shows="As Ah"),
        all_in(6, shows="Ks Kh"),
        count=10,
        boards=(board("Kd 7c 2s 4h"), board("Kd 7c 2s Ac"), board("Kd 7c 2s Td")),
        heading="TURN",
    ),
    "anaconda_pass": table(
        *(seat(n, "1,900", hidden=7, note="passed 3", is_dealer=n == 7) for n in range(1, 8)),
        count=7,
        pot="350",
        heading="PASS 1 OF 3",
    ),
    "anaconda_roll_out": table(
        *(
            seat(n, "1,900", shows=f"{shows} x x x", hidden_count=3)
            for n, shows in enumerate(
                (
                    "As Kd Qc Jh",
                    "2s 2d 7c 7h",
                    "3s 5d 6c 8h",
                    "Ad Ac Th Td",
                    "6s 6d 6h 3c",
                    "9c 9h Kh Ks",
                    "Ah 4c 4h 8s",
                ),
                1,
            )
        ),
        count=7,
        pot="350",
        heading="ROLL 4 OF 5",
    ),
    "guts_declared": _declared("in", 3, 10),
    "high_low_declared": _declared("high", 7, 7),
    "wild_cards": table(
        won(
            1,
            "+800",
            hand="Five of a kind, kings",
            banners=("Five of a kind, kings",),
            shows="Ks Kd 2c*=Kh 2h*=Kc Jk=Ks",
            plays="KsKd2c2hJk",
        ),
        folded(2),
        seat(3, "2,100", hand="Full house", shows="Qs Qd 7s 7d 2s*=7c"),
        folded(4),
        count=4,
        pot="800",
        banners=("Five of a kind, kings",),
        small_print="",
    ),
    "baseball_showdown": table(
        seat(1, "7,065", "Queen high", shows="4d 6c Th 7s Qd", plays="As"),
        won(
            2,
            "+4,175",
            hand="Five of a kind, queens",
            banners=("Five of a kind, queens",),
            shows="Qh Tc 3c* Qc 3s* 9h* 4s 6s",
            plays="Qh3cQc3s9h",
        ),
        folded(3),
        folded(5),
        seat(6, "8,665", "Pair of aces", shows="Ks 5c Ac 9c* Ad 2d Js", plays="As", is_dealer=True),
        count=6,
        pot="4,175",
        banners=("Five of a kind, queens",),
        small_print="",
    ),
    "rare_hand": replace(
        SHOWDOWN,
        seats=(
            won(5, "+9,450", shows="Ks Qs", plays="KsQs"),
            seat(7, "900", shows="Ac Ad", plays="Qs"),
            *(folded(n) for n in (1, 2, 3, 4, 6, 8, 9)),
        ),
        boards=(board("As Js Ts Ah 2d", plays="AsJsTs"),),
        pot_chips="9,450",
        pots="",
        banners=("Royal flush",),
        is_rare=True,
    ),
    "rare_hand_light": table(
        won(
            1,
            "+2,650",
            hand="Four of a kind, tens",
            banners=("Four of a kind, tens",),
            shows="Ts Th Td Tc 2s",
            plays="TsThTdTc2s",
        ),
        seat(3, "7,225", hand="Flush, ace high", shows="As Js 9s 5s 3s", plays="2c"),
        *(folded(n) for n in (2, 4, 5, 6)),
        count=6,
        pot="2,650",
        banners=("Four of a kind, tens",),
        small_print="",
        look=LIGHT,
        is_rare=True,
    ),
    "stud_scooped": table(
        won(
            5,
            "+6,400",
            shows="As 2d 4c 5h 3s Kd Qc",
            plays="As2d4c5h3s",
            banners=("High  Straight, five high", "Low  5-4-3-2-A"),
        ),
        seat(2, "900", "Three of a kind, nines", shows="9s 9d 9c Kh 7s 4d 2c", plays="Js"),
        *(folded(n) for n in (1, 3, 4, 6, 7, 8)),
        count=8,
        pot="6,400",
        banners=("High  Straight, five high", "Low  5-4-3-2-A"),
        small_print="",
    ),
    "wild_stud": table(
        *(
            seat(n, "1,500", shows=shows, hidden_count=2)
            for n, shows in enumerate(("x x Qs* 5d", "x x Kc 5h*", "x x Ad 8s", "x x Jk* 3c"), 1)
        ),
        count=6,
        pot="220",
        heading="FOURTH STREET",
    ),
    "last_fold": table(
        folded(1),
        won(2, "+1,850"),
        folded(3, is_dealer=True),
        folded(4),
        away(5),
        folded(6),
        count=6,
        pot="1,850",
        boards=(board("Ah Kd 9c"),),
        heading="FLOP",
    ),
    "away_and_empty": table(
        away(1),
        seat(4, "800", hidden=2, bet="50"),
        seat(9, "12,300", hidden=2, bet="100", is_dealer=True),
        count=10,
        pot="150",
        boards=(board(),),
        heading="PRE-FLOP",
    ),
    "blind_and_note": table(
        *(seat(n, "1,000", hidden=5, bet="1,025", note="stood pat", is_dealer=n == 3) for n in range(1, 11)),
        count=10,
        pot="12,400",
        heading="DRAW 1 OF 1",
    ),
    "names_in_six_scripts": _names(LOOK),
    "names_in_six_scripts_light": _names(LIGHT),
    "spit_one_common_card": table(
        *(seat(n, "600", shows="Ks Kd 2c Jd 9h" if n == 1 else "Qs 7c 7d 4s 3h") for n in (1, 2)),
        *(folded(n) for n in range(3, 9)),
        count=8,
        pot="90",
        boards=(board("7s*", size=1),),
        banners=("Three of a kind, sevens",),
        small_print="",
    ),
    "no_pot": TablePicture(LOOK, 6, (seat(1), seat(2), away(3))),
}
"""What fills a whole canvas."""


FULL["avatars_nine_seats"] = with_avatars(SHOWDOWN)


def _strip(name: str, **more: object) -> TablePicture:
    return replace(FULL[name], canvas=Canvas.STRIP, **more)


TWO_BOARDS = (board("Ah Kd 9c", "Board 1"), board("2s 2d Jh", "Board 2"))

STRIPS: dict[str, TablePicture] = {
    **{f"strip_deal_{count}_seats": _strip(f"deal_{count}_seats") for count in (2, 6, 8, 10)},
    "strip_turn_nine_seats": _strip("turn_nine_seats"),
    "strip_turn_light": _strip("turn_light"),
    "strip_stud_fifth_street": _strip("stud_fifth_street"),
    "strip_stud_seventh_street": _strip("stud_seventh_street"),
    "strip_stud_five_cards_ten_seats": _strip("stud_five_cards_ten_seats"),
    "strip_wild_stud": _strip("wild_stud"),
    "strip_draw_ten_seats": _strip("draw_ten_seats"),
    "strip_anaconda_pass": _strip("anaconda_pass"),
    "strip_anaconda_roll_out": _strip("anaconda_roll_out"),
    "strip_two_boards": _strip("two_boards_flop", boards=TWO_BOARDS),
    "strip_three_boards": _strip("three_boards_turn", boards=(*TWO_BOARDS, board("Kd 7c 2s", "Board 3"))),
    "strip_side_pots": table(
        all_in(1, hidden=2),
        all_in(2, hidden=2),
        *(seat(n, "40,100", hidden=2, is_dealer=n == 5) for n in (3, 5, 6)),
        folded(4),
        pot="58,400",
        boards=(board("2c 7d 9h"),),
        heading="FLOP",
        pots="Main 5,000 · Side A 8,400 · Side B 45,000",
        count=6,
        canvas=Canvas.STRIP,
    ),
    "strip_open_cards_and_board": table(
        *(seat(n, "900", shows=f"x x {two}", hidden_count=2) for n, two in enumerate(("Ks 2c", "Qd 7s", "Ac Ah"), 1)),
        pot="640",
        boards=(board("2d 7d 9h Tc"),),
        heading="FOURTH COMMON CARD",
        count=6,
        canvas=Canvas.STRIP,
    ),
    "strip_names_in_six_scripts": _strip("names_in_six_scripts"),
    "strip_odds": _strip("run_out_odds_flop", small_print=""),
    "strip_avatars": with_avatars(_strip("turn_nine_seats")),
    "strip_blind_and_note": _strip("blind_and_note"),
}
"""Hands that are being played, as a table's message shows them."""

STATES: dict[str, TablePicture] = {**FULL, **STRIPS}
"""Every state by its name, which is also the name of its golden picture."""
