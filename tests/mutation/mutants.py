"""The faults that can be planted in a file: each changes one thing that a person could have written wrongly.

What is never touched: docstrings and other words, log lines, imports, annotations, assertions that narrow a type, the keywords of a class,
and `strict` of a `zip`. A number below ten becomes the next one, a larger one ten times as large: nobody promises 61 seconds instead of 60.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_NAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}
_SQL = re.compile(r"\b(SELECT|UPDATE|DELETE|INSERT|WHERE|ORDER BY)\b")
_IN_SQL = {
    " < ": " <= ",
    " <= ": " < ",
    " > ": " >= ",
    " >= ": " > ",
    " <> ": " = ",
    " AND ": " OR ",
    " DESC": "",
    " + ": " - ",
    " - ": " + ",
}
_UNTOUCHED = (ast.Import, ast.ImportFrom, ast.Assert, ast.Global, ast.Nonlocal, ast.Pass)
_LARGE = 10


@dataclass(frozen=True)
class Mutant:
    """One fault. It is known by what it changes, not by its line: it stays the same when lines move.

    Attributes:
        file: where it is planted, from the root of the repository.
        function: the function or class around it, with those around that; empty at the top of a module.
        operator: what kind of fault it is.
        before, after: the statement, or the first line of one with a body.
        repeat: how many like it stand above it in the same function.
        first, last: lines, from 1; no part of its key.
    """

    file: str
    function: str
    operator: str
    before: str
    after: str
    repeat: int
    first: int
    last: int

    @property
    def key(self) -> str:
        """What it is known by."""
        return "\n".join((self.file, self.function, self.operator, self.before, self.after, str(self.repeat)))


@dataclass(frozen=True)
class _Slot:
    """A child of a node: a field, or one of a list of them."""

    parent: ast.AST
    field: str
    index: int | None = None

    def put(self, node: object) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class _Change:
    operator: str
    slot: _Slot
    old: object
    new: object


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """Return the faults of one file, in the order of its lines."""
    return [mutant for mutant, _ in _planted(ast.parse((root / file).read_text(encoding="utf-8")), file)]


def plant(root: Path, mutant: Mutant) -> str:
    """Return the text of a file with one fault in it.

    Raises:
        LookupError: the file has no such place any more.
    """
    tree = ast.parse((root / mutant.file).read_text(encoding="utf-8"))
    for one, change in _planted(tree, mutant.file):
        if one.key == mutant.key:
            change.slot.put(change.new)
            return ast.unparse(ast.fix_missing_locations(tree))
    raise LookupError(mutant.key)


def _planted(tree: ast.Module, file: str) -> Iterator[tuple[Mutant, _Change]]:
    seen: Counter[tuple[str, str, str, str]] = Counter()
    for function, unit, changes in _units(tree, "", None):
        before = _heading(unit)
        last = max((getattr(part, "end_lineno", 0) or 0 for part in _own_parts(unit)), default=0)
        for change in changes:
            after = _after(unit, change)
            if after == before:
                continue
            known = function, change.operator, before, after
            first: int = unit.pattern.lineno if isinstance(unit, ast.match_case) else getattr(unit, "lineno", 0)
            yield Mutant(file, *known, seen[known], first, max(first, last)), change
            seen[known] += 1


def _after(unit: ast.AST, change: _Change) -> str:
    if change.old is unit:  # the whole statement is another one
        return _heading(change.new) if isinstance(change.new, ast.AST) else ""
    change.slot.put(change.new)
    try:
        return _heading(unit)
    finally:
        change.slot.put(change.old)


_BODIES = ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list")


def _heading(unit: ast.AST) -> str:
    """A statement as text; of one with a body its first lines."""
    fields: dict[str, Any] = {name: getattr(unit, name, None) for name in unit._fields}
    shortened = unit
    if isinstance(unit, ast.stmt | ast.match_case | ast.ExceptHandler) and "body" in fields:
        fields |= {name: [] for name in ("orelse", "handlers", "cases") if name in fields}
        fields["body"] = [_short(one) for one in fields["body"][:1]]
        if isinstance(unit, ast.Try | ast.TryStar):
            fields["finalbody"] = [_short(one) for one in unit.finalbody[:1]] or [ast.Pass()]
        make: Callable[..., ast.AST] = type(unit)
        shortened = make(**fields)
    elif isinstance(unit, ast.Match):
        shortened = ast.Match(unit.subject, [])
    return ast.unparse(ast.fix_missing_locations(shortened)).strip()


def _short(statement: ast.stmt) -> ast.stmt:
    """A statement of a body as it is shown below the first line."""
    if isinstance(statement, ast.Pass | ast.Raise | ast.Return | ast.Continue | ast.Break):
        return statement
    return ast.Expr(ast.Constant(...))


def _own_parts(unit: ast.AST) -> Iterator[ast.AST]:
    """A statement without the statements in it."""
    has_body = hasattr(unit, "body") and isinstance(unit, ast.stmt | ast.match_case)
    if not has_body and not isinstance(unit, ast.Match):
        yield unit
    for name, value in ast.iter_fields(unit):
        if name not in _BODIES:
            yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.expr))


def _units(scope: ast.AST, function: str, around: _Function | None) -> Iterator[tuple[str, ast.AST, Iterator[_Change]]]:
    """Every statement and case of a module with the faults in it, and the name of the function around it."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        children = getattr(scope, field, None)
        if not isinstance(children, list):
            continue
        for index, child in enumerate(children):
            if isinstance(child, _UNTOUCHED) or _is_docstring(child) or _is_log_line(child) or _is_for_types(child):
                continue
            slot = _Slot(scope, field, index)
            yield function, child, _changes(child, slot, around)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _units(child, f"{function}.{child.name}".lstrip("."), child)
            elif isinstance(child, ast.ClassDef):
                yield from _units(child, f"{function}.{child.name}".lstrip("."), None)
            else:
                yield from _units(child, function, around)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_log_line(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "warnings")))):
            return True
    return False


def _is_for_types(node: ast.AST) -> bool:
    """Whether only a type checker reads it: imports, overloads, what can never be reached."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return True
        case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
            return True
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            return any(isinstance(one, ast.Name) and one.id in ("overload", "abstractmethod") for one in decorators)
    return False


def _changes(unit: ast.AST, slot: _Slot, around: _Function | None) -> Iterator[_Change]:
    for operator, new in _of_statement(unit, around):
        yield _Change(operator, slot, unit, new)
    match unit:
        case ast.Try() | ast.TryStar():
            if unit.finalbody:
                yield _Change("finally dropped", _Slot(unit, "finalbody"), unit.finalbody, [ast.Pass()])
            return
        case ast.ExceptHandler():
            if not isinstance(unit.body[-1], ast.Raise):
                yield _Change("not caught", _Slot(unit, "body"), unit.body, [ast.Raise()])
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for field in ("defaults", "kw_defaults"):
                for index, default in enumerate(getattr(unit.args, field)):
                    if default is not None:
                        yield from _in_expression(default, _Slot(unit.args, field, index))
            return
        case ast.ClassDef():
            return
        case ast.match_case():
            if unit.guard is not None:
                yield _Change("guard dropped", _Slot(unit, "guard"), unit.guard, None)
                yield from _in_expression(unit.guard, _Slot(unit, "guard"))
            return
    for name, value in ast.iter_fields(unit):
        if name in _BODIES or name in ("annotation", "target", "targets", "type_params", "type_comment"):
            continue
        if isinstance(value, ast.expr):
            yield from _in_expression(value, _Slot(unit, name))
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if isinstance(one, ast.withitem):
                    yield from _in_expression(one.context_expr, _Slot(one, "context_expr"))
                elif isinstance(one, ast.expr):
                    yield from _in_expression(one, _Slot(unit, name, index))


def _of_statement(unit: ast.AST, around: _Function | None) -> Iterator[tuple[str, ast.stmt]]:
    """Faults that make another statement of one."""
    nothing = ast.Pass()
    match unit:
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Delete():
            yield "statement removed", nothing
            if isinstance(unit, ast.AugAssign) and type(unit.op) in _CALCULATED:
                yield "arithmetic", ast.AugAssign(unit.target, _CALCULATED[type(unit.op)](), unit.value)
        case ast.Assign(targets=targets) if any(isinstance(one, ast.Attribute | ast.Subscript) for one in targets):
            yield "statement removed", nothing
        case ast.Raise(exc=exc) if exc is not None:
            yield "not raised", nothing
        case ast.Continue():
            yield "statement removed", nothing
        case ast.Break():
            yield "not broken off", ast.Continue()
        case ast.Return(value=value) if value is not None:
            other = _returned(value, around)
            if other is not None:
                yield "returned value", ast.Return(other)
        case ast.If():
            yield "condition negated", ast.If(_negated(unit.test), unit.body, unit.orelse)
            if not unit.orelse:
                yield "branch removed", nothing
        case ast.While() if not isinstance(unit.test, ast.Constant):
            yield "condition negated", ast.While(_negated(unit.test), unit.body, unit.orelse)
        case ast.With(items=items) | ast.AsyncWith(items=items) if all(one.optional_vars is None for one in items):
            yield "context removed", ast.If(ast.Constant(value=True), unit.body, [])


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
    return ast.UnaryOp(ast.Not(), test)


_EMPTY: dict[str, ast.expr] = {
    "tuple": ast.Tuple([], ast.Load()),
    "list": ast.List([], ast.Load()),
    "str": ast.Constant(value=""),
    "bytes": ast.Constant(value=b""),
}
_WHOLE = ("int", "Chips", "SeatIndex", "SeatNumber", "CardIndex", "Milliseconds", "float")


def _returned(value: ast.expr, around: _Function | None) -> ast.expr | None:
    """What a function gives back instead; None if there is nothing else that it could."""
    returns = around.returns if around is not None else None
    hint = ast.unparse(returns) if returns is not None else ""
    other: ast.expr
    if hint == "bool":
        other = _negated(value)
    elif hint in _WHOLE:
        other = ast.BinOp(value, ast.Add(), ast.Constant(value=1))
    elif hint.partition("[")[0] in _EMPTY and "|" not in hint:
        other = _EMPTY[hint.partition("[")[0]]
    else:
        other = ast.Constant(value=None)
    return None if ast.unparse(other) == ast.unparse(value) else other


def _in_expression(node: ast.expr, slot: _Slot) -> Iterator[_Change]:
    """The faults of an expression and of all in it."""
    for operator, new in _of_expression(node):
        yield _Change(operator, slot, node, new)
    if isinstance(node, ast.Lambda):
        yield from _in_expression(node.body, _Slot(node, "body"))
        return
    if isinstance(node, ast.FormattedValue):
        yield from _in_expression(node.value, _Slot(node, "value"))
        return
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            yield from _in_expression(value, _Slot(node, name))
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if isinstance(one, ast.expr):
                    yield from _in_expression(one, _Slot(node, name, index))
                elif isinstance(one, ast.keyword) and not (
                    isinstance(node, ast.Call) and _is_check_of_zip(node.func, one)
                ):
                    yield from _in_expression(one.value, _Slot(one, "value"))
                elif isinstance(one, ast.comprehension):
                    yield from _in_expression(one.iter, _Slot(one, "iter"))
                    for at, condition in enumerate(one.ifs):
                        fewer = [*one.ifs[:at], *one.ifs[at + 1 :]]
                        yield _Change("condition dropped", _Slot(one, "ifs"), one.ifs, fewer)
                        yield from _in_expression(condition, _Slot(one, "ifs", at))


def _of_expression(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for at, op in enumerate(ops):
                for other in _COMPARED[type(op)]:
                    yield "comparison", ast.Compare(left, [*ops[:at], other(), *ops[at + 1 :]], comparators)
        case ast.BoolOp(op=op, values=values):
            yield "and, or", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for at in range(len(values)):
                fewer = [*values[:at], *values[at + 1 :]]
                yield "operand dropped", fewer[0] if len(fewer) == 1 else ast.BoolOp(op, fewer)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not dropped", operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _CALCULATED and not _is_of_types(node):
            yield "arithmetic", ast.BinOp(left, _CALCULATED[type(op)](), right)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "condition negated", ast.IfExp(_negated(test), body, orelse)
        case ast.Constant(value=bool() as value):
            yield "constant", ast.Constant(value=not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", ast.Constant(value=value + 1 if value < _LARGE else value * 10)
        case ast.Constant(value=str() as text) if _SQL.search(text):
            for old, new in _IN_SQL.items():
                for found in re.finditer(re.escape(old), text):
                    yield "SQL", ast.Constant(value=text[: found.start()] + new + text[found.end() :])
        case ast.Name(id=name) if name in _NAMED:
            yield "other function", ast.Name(_NAMED[name], ast.Load())
        case ast.Call(func=function, args=arguments, keywords=keywords):
            in_any_order = isinstance(function, ast.Name) and function.id in ("min", "max")
            for at in range(0 if in_any_order else len(arguments) - 1):
                one, two = arguments[at : at + 2]
                if not isinstance(one, ast.Starred) and not isinstance(two, ast.Starred):
                    swapped = [*arguments[:at], two, one, *arguments[at + 2 :]]
                    yield "arguments swapped", ast.Call(function, swapped, keywords)
            for at, keyword in enumerate(keywords):
                if keyword.arg is not None and not _is_check_of_zip(function, keyword):
                    yield "argument dropped", ast.Call(function, arguments, [*keywords[:at], *keywords[at + 1 :]])


def _is_check_of_zip(function: ast.expr, keyword: ast.keyword) -> bool:
    """Whether it only asks that lists are equally long, which they are."""
    return isinstance(function, ast.Name) and function.id == "zip" and keyword.arg == "strict"


def _is_of_types(node: ast.BinOp) -> bool:
    """Whether ``|`` joins types, as in ``isinstance(one, A | B)``."""
    return isinstance(node.op, ast.BitOr) and all(
        (isinstance(one, ast.Name) and one.id[:1].isupper() and not one.id.isupper())
        or (isinstance(one, ast.Constant) and one.value is None)
        for one in (node.left, node.right)
    )
