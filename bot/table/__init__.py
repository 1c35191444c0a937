"""The table between hands: seats, button, blinds owed, buy-ins, waiting list, settings, closing. Pure.

`decide` rules on a command and answers with events or a refusal, `evolve` applies events, `next_hand` deals the next hand in, `finish_hand`
books what it left behind. Times are ms since the epoch and come in as arguments, like every lot and every shuffled pack.
"""
