"""The local page, looked at without a browser: complete, self-contained, and unable to turn text into markup."""

import re
from importlib.resources import files

import pytest

PAGE = files("bot.local") / "page"
SOURCES = {
    item.name: item.read_text(encoding="utf-8")
    for item in PAGE.iterdir()
    if item.name.endswith((".html", ".js", ".css", ".svg"))
}
SCRIPTS = {name: text for name, text in SOURCES.items() if name.endswith(".js")}
HTML, CSS = SOURCES["page.html"], SOURCES["page.css"]


def test_the_package_holds_every_file_the_page_names() -> None:
    named = set(re.findall(r"/static/([\w.-]+)", "".join(SOURCES.values())))
    named |= {name for text in SCRIPTS.values() for name in re.findall(r'from "\./([\w.-]+)"', text)}
    assert {"page.js", "page.css", "icon.svg", "Inter-Regular.woff2"} <= named
    missing = [name for name in named if not (PAGE / name).is_file()]
    assert missing == []
    assert set(SCRIPTS) <= named, "a script that nothing loads"


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_nothing_is_loaded_from_elsewhere(name: str) -> None:
    """The page works without the internet; what it shows comes from the stand-in alone."""
    text = SOURCES[name].replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"""["'(](?:https?:)?//[a-z0-9]""", text) == []


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_script_turns_text_into_markup(name: str) -> None:
    """Names and messages are anybody's: nodes are built, never parsed."""
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc|createContextualFragment"
    assert re.findall(forbidden, SCRIPTS[name]) == []


def test_the_page_obeys_a_strict_content_security_policy() -> None:
    """No handler, style or script stands in the markup, and no script sets a style attribute."""
    assert re.findall(r"\son\w+\s*=", HTML) == []
    assert re.findall(r"\sstyle\s*=|<style", HTML) == []
    assert re.findall(r"<script(?![^>]*\ssrc=)", HTML) == []
    assert all('setAttribute("style"' not in text and "style:" not in text for text in SCRIPTS.values())
    assert "data:" not in CSS


def test_every_place_a_script_looks_for_is_in_the_page() -> None:
    ids = set(re.findall(r'\bid="([\w-]+)"', HTML))
    sought = set(re.findall(r'\$\("([\w-]+)"\)', SOURCES["page.js"]))
    sought |= set(re.findall(r'querySelector\("#([\w-]+)"\)', SOURCES["picker.js"]))
    assert sought - ids == set()


def test_every_control_has_a_name_for_those_who_do_not_see_it() -> None:
    for button, inner in re.findall(r"<button([^>]*)>(.*?)</button>", HTML, re.DOTALL):
        words = re.sub(r"<[^>]*>|[^\w ]", "", inner).strip()
        assert words or "aria-label=" in button or "hidden" in button, button
    labelled = set(re.findall(r'<label for="([\w-]+)"', HTML))
    for control in re.findall(r"<(?:input|select)\b([^>]*)>", HTML):
        found = re.search(r'id="([\w-]+)"', control)
        assert found
        assert found[1] in labelled or "aria-label=" in control


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_script_holds_one_idea(name: str) -> None:
    assert len(SCRIPTS[name].splitlines()) < 600


# Contrast ---------------------------------------------------------------------------------------------------------------

_PAIR = re.compile(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)")
COLOURS = {name: (light, dark) for name, light, dark in _PAIR.findall(CSS)}
FIXED = dict(re.findall(r"--(green|blurple|red): (#\w+)", CSS))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.1 defines it, 0 to 1."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("words", "grounds"),
    [
        ("words", ("page", "side", "card", "well", "code", "hover", "me-back")),
        ("soft", ("page", "side", "card", "well", "me-back")),
        ("link", ("page", "card", "me-back")),
        ("wrong", ("page", "card")),
        ("mention", ("mention-back",)),
        ("grey-words", ("grey", "grey-hover")),
    ],
)
def test_words_can_be_read(theme: str, words: str, grounds: tuple[str, ...]) -> None:
    """At least 4.5 : 1 in both themes (ui §8)."""
    at = ("light", "dark").index(theme)
    for ground in grounds:
        ratio = contrast(COLOURS[words][at], COLOURS[ground][at])
        assert ratio >= 4.5, f"{words} on {ground}, {theme}: {ratio:.2f}"


@pytest.mark.parametrize("ground", sorted(FIXED))
def test_white_button_labels_can_be_read(ground: str) -> None:
    assert contrast("#ffffff", FIXED[ground]) >= 4.5
