"""Playing without Discord: a stand-in for the part of Discord that a guild bot uses, on one machine.

It speaks REST v10 and the gateway to an unmodified discord.py, keeps users, channels, messages and files in a data
directory, and shows them on one page in the browser. It is a process of its own and imports nothing of the dealer.
"""
