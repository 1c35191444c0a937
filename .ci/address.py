"""Write the repository's address into this tree, for a release: PyPI shows README and links without the files beside them.

    python .ci/address.py https://github.com/OWNER/cardroom v0.2.0

`pyproject.toml` gets `[project.urls]`, and each link of `README.md` to a file becomes an address of that file in this version. A clone
keeps its relative links: they work wherever it lies.
"""

import re
import sys
from pathlib import Path

LINK = re.compile(r'(?P<before>\]\(|(?:src|href)=")(?P<target>[^)"#\s]+)(?P<after>#[^)"]*)?(?P<end>[)"])')
PICTURES = (".png", ".svg", ".webp")


def absolute_links(text: str, address: str, version: str) -> str:
    """Return a document whose links to files of the repository are addresses of them in a version."""

    def made_absolute(link: re.Match[str]) -> str:
        target = link["target"]
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        kind = "raw" if target.endswith(PICTURES) else "blob"
        return f"{link['before']}{address}/{kind}/{version}/{target}{link['after'] or ''}{link['end']}"

    return LINK.sub(made_absolute, text)


def with_urls(project: str, address: str) -> str:
    """Return `pyproject.toml` with the addresses that PyPI lists."""
    urls = {
        "Homepage": address,
        "Documentation": f"{address}#readme",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
        "Security": f"{address}/security/policy",
    }
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    return project.replace("[project.scripts]\n", f"[project.urls]\n{lines}\n[project.scripts]\n")


def main() -> None:
    address, version = sys.argv[1].rstrip("/"), sys.argv[2]
    for name, changed in (
        ("README.md", lambda text: absolute_links(text, address, version)),
        ("pyproject.toml", lambda text: with_urls(text, address)),
    ):
        file = Path(name)
        before = file.read_text(encoding="utf-8")
        after = changed(before)
        if before == after:
            sys.exit(f"{name} has nothing to change: was this done already?")
        file.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
