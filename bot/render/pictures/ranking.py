"""What beats what in a game, as the values of a picture. No game is known here by its name: everything follows from its rankings."""

from bot.engine.options.types import Options
from bot.engine.ranking.examples import ExampleHand
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.examples_in_force import examples_in_force
from bot.pictures.types import CardMark, Look, PictureCard, RankingPicture, RankingRow, RankingSection
from bot.text import rankings as words
from bot.text.game_names import game_name
from bot.text.game_words import share_name
from bot.text.language import t

RANKING_PICTURE = "ranking.webp"


def ranking_picture(card: RuleCard, options: Options, look: Look) -> RankingPicture:
    """Return the picture of what beats what in a game under these options."""
    sections = examples_in_force(card, options)
    is_wild = any(example.wild for _, examples in sections for example in examples)
    return RankingPicture(
        look,
        game_name(card.name),
        t(words.BEST_FIRST_WILD if is_wild else words.BEST_FIRST),
        tuple(
            RankingSection(_capitalised(share_name(share)) if share else "", tuple(map(_row, examples)))
            for share, examples in sections
        ),
    )


def _row(example: ExampleHand) -> RankingRow:
    playing = [PictureCard(card, card in example.wild) for card in example.cards]
    idle = [PictureCard(card, card in example.wild, mark=CardMark.DIMMED) for card in example.idle]
    return RankingRow(_capitalised(words.example_title(example.name)), (*playing, *idle))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
