"""Names of any script can be read, and no name can spoil a picture."""

import glob
import tomllib
from pathlib import Path

import pytest
from PIL import ImageStat, features

from bot.pictures.coverage import FALLBACKS, FOLDER, Weight, coverage, font_for
from bot.pictures.names import clean_name
from bot.pictures.text import ELLIPSIS, PAD, fit_text, text_mask, text_width

NOTHING_DRAWN = "\uffff"


def ink(text: str, size: int = 34) -> bytes:
    return text_mask(text, size, Weight.BOLD).ink.tobytes()


@pytest.mark.parametrize(
    "name",
    [
        "river_rat", "Ayşe Öztürk", "Nguyễn Văn", "Олег", "Νίκος", "Զորա", "გიორგი", "דוד לוי", "محمد علي", "陈伟", "さくら",
        "ユキ", "한국어 박찬욱", "ประสิทธิ์", "नरेन्द्र मोदी", "O'Neil-Smith", "$$$ Max",
    ],
)  # fmt: skip
def test_names_of_many_scripts_are_kept_and_drawn(name: str) -> None:
    assert clean_name(name) == name
    assert all(font_for(letter, Weight.BOLD) for letter in name)
    assert len({ink(letter) for letter in set(name) if letter not in " '"}) > 1


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Z̷̢̛͓̐͊a̸l̵g̶o̷̿̈́͑ ̴̊", "Zalgo"),
        ("e\u0301\u0301\u0301\u0301\u0301ric", "é\u0301ric"),
        ("ก" + "็" * 20, "ก็็"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bn\u200dn\ufeff", "ann"),
        ("𝓐𝓷𝓷𝓲𝓮", "Annie"),
        ("Ａｎｎ", "Ann"),
        ("Kai 🇩🇪 🃏♠", "Kai"),
        ("two\nlines\tand more", "two lines and more"),
        ("  much   space  ", "much space"),
        ("x\u3164y", "xy"),
    ],
)
def test_hostile_or_playful_names_are_made_plain(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize(
    "name", ["", "   ", "😀😀", "\u200b\u200b", "\u202e", "\u3164", "̷̷̷", "...", "ᚠᚢᚦ", "\ue000", "★ ★"]
)
def test_name_without_anything_to_read_is_empty(name: str) -> None:
    assert clean_name(name) == ""


def test_cleaned_name_is_never_longer_than_discord_allows() -> None:
    assert len(clean_name("ﷺ" * 32)) <= 32


@pytest.mark.parametrize(
    "name", ["W" * 32, "محمد علي بن عبد الله بن يوسف", "陈" * 32, "ประสิทธิ์ประสิทธิ์ประสิทธิ์", "bob_the_builder"]
)
def test_wide_name_is_cut_with_an_ellipsis(name: str) -> None:
    cut = fit_text(name, 30, Weight.SEMIBOLD, 160)
    assert cut.endswith(ELLIPSIS) and name.startswith(cut[:-1].rstrip())
    assert 100 < text_width(cut, 30, Weight.SEMIBOLD) <= 160


def test_name_that_fits_is_not_cut() -> None:
    assert fit_text("Mia", 30, Weight.SEMIBOLD, text_width("Mia", 30, Weight.SEMIBOLD)) == "Mia"


def test_mark_is_not_parted_from_its_letter_by_a_cut() -> None:
    name = "กิ" * 20
    assert (len(fit_text(name, 30, Weight.BOLD, 150)) - 1) % 2 == 0


def test_fallback_runs_stand_side_by_side() -> None:
    """A name in two scripts is as wide as its parts, and both have ink."""
    both, first = text_mask("Ann 陈", 34, Weight.BOLD), text_width("Ann ", 34, Weight.BOLD)
    assert abs(both.width - first - text_width("陈", 34, Weight.BOLD)) <= 1
    assert both.ink.crop((PAD + first, 0, both.ink.width, both.ink.height)).getbbox() is not None


@pytest.mark.parametrize("has_raqm", [True, False])
def test_right_to_left_name_begins_at_the_right(has_raqm: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wide letter and narrow ones: the ink lies where the wide letter is, with and without the library that knows directions."""
    if has_raqm and not features.check("raqm"):
        pytest.skip("Pillow finds no Raqm here")
    monkeypatch.setattr(features, "check", lambda feature: has_raqm)

    def leans_right(text: str) -> bool:
        drawn = text_mask(text, 34, Weight.BOLD).ink
        middle = drawn.width // 2
        left, right = (
            ImageStat.Stat(drawn.crop(box)).sum[0] for box in ((0, 0, middle, 45), (middle, 0, drawn.width, 45))
        )
        return right > left

    assert leans_right("שיי") and not leans_right("ייש")


def test_latin_words_look_alike_with_and_without_raqm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of most tables have the same bytes on every machine."""
    before = ink("Full house, kings full of nines")
    monkeypatch.setattr(features, "check", lambda feature: False)
    assert ink("Full house, kings full of nines") == before


def test_marks_cannot_leave_their_line() -> None:
    tall = text_mask("ก" + "็" * 30, 34, Weight.BOLD)
    assert tall.ink.height == text_mask("A", 34, Weight.BOLD).ink.height


def test_figures_of_each_weight_differ() -> None:
    assert len({text_mask("9,450", 54, weight).ink.tobytes() for weight in Weight}) == 3


@pytest.mark.parametrize("font", [*Weight, *FALLBACKS])
def test_coverage_says_what_a_font_draws(font: str) -> None:
    assert (FOLDER / font).exists()
    found = coverage(font)
    assert len(found.firsts) > 5 and list(found.firsts) == sorted(found.firsts)
    assert not found.has(NOTHING_DRAWN) and not found.has("\ud800")


def test_every_font_has_its_licence_beside_it() -> None:
    fonts = {path.name for path in FOLDER.iterdir() if path.suffix in {".otf", ".ttf"}}
    assert fonts == {*Weight, *FALLBACKS}
    licences = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("LICENSE-*.txt")}
    unlicensed = {
        font for font in fonts
        if not any(font.startswith(name.removeprefix("LICENSE-").removesuffix(".txt")) for name in licences)
    }  # fmt: skip
    assert unlicensed == set()
    assert all("Copyright" in text and len(text) > 2000 for text in licences.values())


def test_package_names_every_licence_in_its_metadata() -> None:
    """The build tool reads these patterns without walking through folders, so that "**" finds nothing deep."""
    root = FOLDER.parents[2]
    patterns = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["license-files"]
    named = {Path(found) for pattern in patterns for found in glob.glob(str(root / pattern))}  # noqa: PTH207
    assert named == {root / "LICENSE", *(root / "bot").rglob("LICENSE*")}


def test_fonts_and_themes_add_at_most_six_megabytes() -> None:
    assert sum(path.stat().st_size for path in FOLDER.parent.rglob("*.*") if path.suffix != ".pyc") <= 6_000_000
