"""How deep a text of TOML nests, seen in one scan before it is read.

The parser of the standard library takes quadratic time for a key of many parts, such as ``a.a.a.a = 1``, and a level of recursion for each
bracket. A file that a stranger gives can have a hundred thousand of either; no recorded hand has more than a few.
"""

import re

PARTS_MAX = 16
"""So many parts a key can have."""
DEPTH_MAX = 32
"""So many brackets can be open at a time."""

_WITHOUT_MEANING = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?+'
    r"|'''(?:[^']++|'(?!''))*+(?:''')?+"
    r'|"(?:[^"\\\n]++|\\[^\n])*+"?+'
    r"|'[^'\n]*+'?+"
    r"|#[^\n]*+",
    re.DOTALL,
)
"""Texts and comments. One that does not end reaches to the end of its line, or of the file, so each character is read once."""
_MANY_PARTS = re.compile(rf"(?:\.[ \t]*+[\w-]*+[ \t]*+){{{PARTS_MAX}}}")
_BRACKET = re.compile(r"[\[\]{}]")


def nests_too_deep(text: str) -> bool:
    """Return whether a key has too many parts, or too many brackets are open at once. Takes time in proportion to the text."""
    bare = _WITHOUT_MEANING.sub("_", text)
    if _MANY_PARTS.search(bare) is not None:
        return True
    depth = 0
    for found in _BRACKET.finditer(bare):
        if found[0] in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                return True
        elif depth:
            depth -= 1
    return False
