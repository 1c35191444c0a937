"""Sentences for the refusals of sit-and-gos and duels (`bot.events.sit_and_go.refusals`)."""

from __future__ import annotations

from bot.events.sit_and_go import refusals as r
from bot.table.refusals import OffInEvents
from bot.text import escape
from bot.text.game_names import game_name
from bot.text.language import message, plural, t
from bot.text.refusals.explain import Counted, Either, NamesBySeat, explain, register_sentences

register_sentences(
    {
        r.EventHasStarted: Either(
            "duel",
            message("This duel has begun. Only its two players are in it."),
            message("This sit-and-go has started. Nobody enters or withdraws any more."),
        ),
        r.EventNotStarted: Either(
            "duel",
            message("This duel hasn't begun yet."),
            message("This sit-and-go hasn't started yet."),
        ),
        r.EventIsOver: Either(
            "duel",
            message("This duel is over."),
            message("This sit-and-go is over."),
        ),
        r.EventIsFull: message("All {seats} seats of this sit-and-go are taken."),
        r.EnteredAlready: Either(
            "duel",
            message("You're in this duel already."),
            message("You've already entered this sit-and-go."),
        ),
        r.StructureAgreed: Either(
            "duel",
            message("A challenge stays as it was made. Take it back to make another one."),
            message("Somebody has entered already, so the structure stays as they saw it."),
        ),
        r.NotEntered: Either(
            "duel",
            message("You're not in this duel."),
            message("You're not in this sit-and-go."),
        ),
        r.TooFewEntrants: message("It takes two to start. Wait until somebody else enters."),
        r.NoPracticeInEvent: message("Practice players play for honour only, in free sit-and-gos and duels."),
        r.NotChallenged: Either(
            "is_own",
            message("That's your own challenge: {opponent} can accept it."),
            message("This challenge is for {opponent}. `/duel` makes your own."),
        ),
        r.CannotDuelYourself: message("That's you. Without a player, `/duel` is for practice."),
        r.CannotChallengeBot: message("Bots don't play. Without a player, `/duel` is for practice."),
        r.OpponentCannotPlay: Either(
            "hidden",
            message("{opponent} can't read this channel. Choose another one."),
            message("{opponent} can't play here right now. Choose somebody else."),
        ),
        r.PauseUsedUp: Either(
            "minutes_left",
            Counted(
                "minutes_left",
                plural("You can pause for {count:,} more minute.", "You can pause for {count:,} more minutes."),
            ),
            message("Your pauses are used up: ten minutes in all."),
        ),
        r.NotPaused: message("There's no break and no pause right now."),
        r.NoEventHere: message("Neither a sit-and-go nor a duel is played at this table."),
        r.ClockTooSlow: Either(
            "duel",
            message("A duel needs turns under an hour. Choose a shorter time to act."),
            message("A sit-and-go needs turns under an hour. Choose a shorter time to act."),
        ),
        r.NoRebuyOffered: message("You aren't asked for a rebuy, or its time is over."),
        r.RebuysPending: message("Somebody hasn't answered whether they rebuy. Wait until they have."),
        r.BountyAgreed: message("Somebody has paid for the bounty as it is. Leave first, if that is you."),
        r.BountyTooLarge: message("A bounty is at most the buy-in, which is {maximum:,} here."),
        r.NotAPrizeTable: message("Percents sum to 100, and none is above the one before it: 50/30/20."),
        r.AmountsDoNotSum: message("{left:,} are left to divide among all still in, and yours come to {offered:,}."),
        r.NothingToDivide: message("There are no prizes to divide: nobody has paid."),
        r.AgreementPending: message("Another offer is open. Answer that one first."),
        r.OfferedInThisLevel: message("You've made an offer in this level. Wait for the next level."),
        r.NoOpenOffer: message("That offer isn't open any more."),
        r.NoVoteInAgreement: message("Only those who are still playing have a vote."),
        r.AgreementBetweenDeals: message("You can offer that between two hands. The host's pause leaves time for it."),
        OffInEvents: message("That isn't possible in a sit-and-go or a duel."),
    }
)


@explain.register
def _(refusal: r.EventHostOnly, names: NamesBySeat) -> str:
    sentence = message("Only the host, {host}, can do that.")
    if refusal.staff_only:
        sentence = message("It's being played, so only staff can do that.")
    elif refusal.duel:
        sentence = message("Only {host}, who has made the challenge, can do that.")
    return t(sentence, host=f"<@{refusal.host}>")


@explain.register
def _(refusal: r.InAnotherEvent, names: NamesBySeat) -> str:
    sentence = message("You're in another sit-and-go or duel: {channel}. Finish that one first.")
    return t(sentence, channel=f"<#{refusal.channel}>")


@explain.register
def _(refusal: r.GameNotInEvents, names: NamesBySeat) -> str:
    sentence = message("{game} isn't played in events. Choose another game.")
    return t(sentence, game=escape.text(game_name(refusal.game), 60))


@explain.register
def _(refusal: r.ChallengerCannotPlay, names: NamesBySeat) -> str:
    sentence = message("**{name}** can't play right now. Try again in a while.")
    if refusal.short:
        sentence = message("**{name}** doesn't have the chips for this duel any more.")
    elif refusal.channel:
        sentence = message("**{name}** is in another sit-and-go or duel: {channel}.")
    return t(sentence, name=escape.name(refusal.name), channel=f"<#{refusal.channel}>")
