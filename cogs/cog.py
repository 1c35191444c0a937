"""What every cog begins as: commands that work with the parts of the dealer."""

from discord.ext import commands

from cogs.support.services import Services


class ServicesCog(commands.Cog):
    """Commands with names of their own: `/fold`."""

    def __init__(self, services: Services) -> None:
        self.services = services
