"""The files of the local page: they are complete, load nothing from elsewhere, and never turn text into markup."""

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


def test_package_has_every_file_that_page_uses() -> None:
    used = set(re.findall(r"/static/([\w.-]+)", "".join(SOURCES.values())))
    used |= {name for text in SCRIPTS.values() for name in re.findall(r'from "\./([\w.-]+)"', text)}
    assert {"page.js", "page.css", "icon.svg", "Inter-Regular.woff2"} <= used
    missing = [name for name in used if not (PAGE / name).is_file()]
    assert missing == []
    assert set(SCRIPTS) <= used, "every script is loaded by something"


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_page_loads_nothing_from_elsewhere(name: str) -> None:
    """The page works without the internet. Everything it shows comes from the stand-in."""
    text = SOURCES[name].replace("http://www.w3.org/2000/svg", "")
    assert re.findall(r"""["'(](?:https?:)?//[a-z0-9]""", text) == []


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_script_turns_text_into_markup(name: str) -> None:
    """Anybody can choose names and texts, so the scripts build nodes and never parse markup."""
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc|createContextualFragment"
    assert re.findall(forbidden, SCRIPTS[name]) == []


def test_page_obeys_strict_content_security_policy() -> None:
    """The markup has no inline handlers, styles or scripts, and no script sets a style attribute."""
    assert re.findall(r"\son\w+\s*=", HTML) == []
    assert re.findall(r"\sstyle\s*=|<style", HTML) == []
    assert re.findall(r"<script(?![^>]*\ssrc=)", HTML) == []
    assert all('setAttribute("style"' not in text and "style:" not in text for text in SCRIPTS.values())
    assert "data:" not in CSS


def test_page_has_every_id_that_scripts_use() -> None:
    ids = set(re.findall(r'\bid="([\w-]+)"', HTML))
    needed = set(re.findall(r'\$\("([\w-]+)"\)', SOURCES["page.js"]))
    needed |= set(re.findall(r'querySelector\("#([\w-]+)"\)', SOURCES["composer.js"]))
    assert needed - ids == set()


def test_every_control_has_accessible_name() -> None:
    for button, inner in re.findall(r"<button([^>]*)>(.*?)</button>", HTML, re.DOTALL):
        label = re.sub(r"<[^>]*>|[^\w ]", "", inner).strip()
        assert label or "aria-label=" in button or "hidden" in button, button
    labelled = set(re.findall(r'<label for="([\w-]+)"', HTML))
    for control in re.findall(r"<(?:input|select)\b([^>]*)>", HTML):
        found = re.search(r'id="([\w-]+)"', control)
        assert found
        assert found[1] in labelled or "aria-label=" in control


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_scripts_are_short(name: str) -> None:
    assert len(SCRIPTS[name].splitlines()) < 600


# Contrast ---------------------------------------------------------------------------------------------------------------

_COLOUR_PAIR = re.compile(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)")
COLOURS = {name: (light, dark) for name, light, dark in _COLOUR_PAIR.findall(CSS)}
BUTTON_COLOURS = dict(re.findall(r"--(green|blurple|red): (#\w+)", CSS))


def luminance(colour: str) -> float:
    """Return the relative luminance that WCAG 2.1 defines, from 0 to 1."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "backgrounds"),
    [
        ("text", ("page", "sidebar", "card", "field", "code", "hover", "mention-row")),
        ("muted", ("page", "sidebar", "card", "field", "mention-row")),
        ("link", ("page", "card", "mention-row")),
        ("error", ("page", "card")),
        ("mention", ("mention-background",)),
        ("grey-text", ("grey", "grey-hover")),
    ],
)
def test_texts_have_enough_contrast(theme: str, text: str, backgrounds: tuple[str, ...]) -> None:
    """WCAG 2.1 requires at least 4.5 : 1."""
    index = ("light", "dark").index(theme)
    for background in backgrounds:
        ratio = contrast(COLOURS[text][index], COLOURS[background][index])
        assert ratio >= 4.5, f"{text} on {background}, {theme}: {ratio:.2f}"


@pytest.mark.parametrize("background", sorted(BUTTON_COLOURS))
def test_button_labels_have_enough_contrast(background: str) -> None:
    assert contrast("#ffffff", BUTTON_COLOURS[background]) >= 4.5
