"""The panel of an event in the channel above its room."""
