"""The line to Discord: the gateway, the API with its queue, interactions, and one tree of failures."""
