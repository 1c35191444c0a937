"""Draw house rules that staff do not type: each with what it means, its value now, and a select for another one."""

from bot.house.rules import HOUSE_RULES, HouseRules, RuleKind, rules_of_page
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import Block, ChannelSelect, Option, RoleSelect, Select, Text
from bot.text import house
from bot.text.language import t

TEXT_CHANNEL, FORUM = 0, 15
"""Discord's types of channels."""
RULE, NUMBER = "rule", "number"
"""The verbs of these selects: a value of the rule that the id names, and a rule to type a number for."""


def rule_controls(page: str, rules: HouseRules) -> tuple[Block, ...]:
    """Return a select for each rule of a page of `/house` or `/season`; one for all of those that are typed."""
    name, fields = page.partition(".")[0], rules_of_page(page)
    typed = [field for field in fields if _is_typed(field)]
    selects: list[Block] = [_select(name, field, getattr(rules, field)) for field in fields if not _is_typed(field)]
    if typed:
        options = tuple([Option(house.rule_name(field), field) for field in typed])
        selects.append(Select(page_id(name, NUMBER), t(house.CHANGE_A_RULE), options))
    return tuple(selects)


def rule_lines(page: str, rules: HouseRules) -> Text:
    """Return the rules of a page with their values, and what each is for."""
    return Text("\n".join([house.rule_line(field, getattr(rules, field)) for field in rules_of_page(page)]))


def _is_typed(field: str) -> bool:
    return HOUSE_RULES[field].kind is RuleKind.NUMBER and not HOUSE_RULES[field].choices


def _select(name: str, field: str, value: int | str) -> Block:
    id_, label = page_id(name, RULE, field), house.rule_name(field)
    match HOUSE_RULES[field].kind:
        case RuleKind.ROLE:
            return RoleSelect(id_, label, int(value))
        case RuleKind.CHANNEL:
            return ChannelSelect(id_, label, int(value), FORUM if field == "forum_channel" else TEXT_CHANNEL)
        case _:
            options = tuple(
                [
                    Option(house.rule_choice(field, text), code, default=code == str(value))
                    for code, text in house.rule_values(field)
                ]
            )
            return Select(id_, label, options)


def chosen_value(field: str, values: tuple[str, ...]) -> int | str | None:
    """Return the value that was chosen in a rule's select; None for one that it does not offer, 0 for no role and no channel."""
    rule, chosen = HOUSE_RULES[field], values[0] if values else ""
    if rule.kind in {RuleKind.ROLE, RuleKind.CHANNEL}:
        return int(chosen) if chosen.isdecimal() and len(chosen) <= 19 else 0
    if chosen not in {code for code, _ in house.rule_values(field)}:
        return None
    return chosen if rule.kind is RuleKind.THEME else int(chosen)
