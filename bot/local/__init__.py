"""Play without Discord: a stand-in for the part of Discord that a bot in a server uses, on one machine.

It offers REST v10 and the gateway to an unmodified discord.py bot, keeps users, channels, messages and files in a data
directory, and shows them on a page in the browser. It runs as its own process and imports nothing of the dealer.
"""
