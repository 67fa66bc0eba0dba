"""Cards: puzzles, guesses, rules, and what was solved."""
