"""A scene holds what the panels read, and the surfaces fill in all of it."""

import ast
from pathlib import Path

from bot.render.hand.scene import Scene

ROOT = Path(__file__).parents[2]


def attributes_read(folder: Path) -> set[str]:
    """Return the attributes that the files of a folder read of anything called `scene` or, in the scene's own methods, `self`."""
    return {
        node.attr
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in {"scene", "self"}
    }


def fields_set(folder: Path) -> set[str]:
    """Return the fields that the files of a folder give a value when they make a `Scene`."""
    calls = [
        node
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Scene"
    ]
    by_position = {name for call in calls for name, _ in zip(Scene.__struct_fields__, call.args, strict=False)}
    return by_position | {keyword.arg for call in calls for keyword in call.keywords if keyword.arg is not None}


def test_every_scene_field_is_read_and_set() -> None:
    fields = set(Scene.__struct_fields__)
    assert fields <= attributes_read(ROOT / "bot" / "render" / "hand"), "a field that no panel reads"
    assert fields <= fields_set(ROOT / "bot" / "surfaces"), "a field that panels read and nobody sets"
