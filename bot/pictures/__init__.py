"""Pictures of tables, hands and cards: values in, WebP files out. It knows no game, no law and no language."""
