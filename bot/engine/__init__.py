"""One hand of poker: pure values in, pure values out.

`start` begins a deal, `decide` rules on a command, `evolve` applies what happened, `legal` says what a seat may do, `view` what it may see.
"""
