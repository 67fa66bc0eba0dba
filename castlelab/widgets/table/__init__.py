"""The table: whole games with people and bots."""
