"""The options of commands that change house rules: each follows from what its rule declares."""

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.house.rules import HOUSE_RULES, RuleKind, rules_by_option
from cogs.support.commands import CommandWork

Chosen: TypeAlias = discord.Role | discord.TextChannel | bool | int | str
"""What Discord gives for an option."""


def with_rule_options(command: str) -> Callable[[CommandWork], CommandWork]:
    """Give the method of a command an option for each house rule that the command changes, before its own.

    The method takes them as keywords; one that nobody chose is None or missing.
    """

    def decorate(work: CommandWork) -> CommandWork:
        cog, invocation, *own = inspect.signature(work, eval_str=True).parameters.values()
        options = [
            inspect.Parameter(option, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=_type(field))
            for option, field in rules_by_option(command).items()
        ]
        named = [parameter for parameter in own if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
        work.__signature__ = inspect.Signature([cog, invocation, *options, *named])  # type: ignore[attr-defined]
        return work

    return decorate


def _type(field: str) -> Any:
    """Return the type of a rule's option, as discord.py reads it."""
    rule = HOUSE_RULES[field]
    match rule.kind:
        case RuleKind.ROLE:
            return discord.Role | None
        case RuleKind.CHANNEL:
            return discord.TextChannel | None
        case RuleKind.SWITCH:
            return bool | None
        case RuleKind.NUMBER if not rule.choices:
            return app_commands.Range[int, rule.minimum, rule.maximum] | None
        case RuleKind.NUMBER | RuleKind.THEME | RuleKind.HOURS:
            return str | None


def chosen_rules(command: str, options: dict[str, Chosen | None]) -> dict[str, int | str]:
    """Return the values of house rules that somebody chose with a command, by the fields of `HouseRules`."""
    fields = rules_by_option(command)
    return {fields[option]: _value(fields[option], chosen) for option, chosen in options.items() if chosen is not None}


def _value(field: str, chosen: Chosen) -> int | str:
    choices = HOUSE_RULES[field].choices
    match chosen:
        case bool() | int():
            return int(chosen)
        case str():
            return choices[chosen] if choices else chosen
        case _:
            return chosen.id
