"""The command line: one module per subcommand of `cardroom`."""
