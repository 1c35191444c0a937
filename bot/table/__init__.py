"""A table between hands: seats, button, missed blinds, buy-ins, waiting list, settings, closing. Pure functions over plain values.

`decide` rules on a command and returns events or raises a refusal. `evolve` applies events. `next_hand` sets up the next hand, and
`finish_hand` records its end. Times are ms since the epoch. They are arguments, and so are random numbers and shuffled decks.
"""
