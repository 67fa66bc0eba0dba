"""The board: a picture that can be played, with its keys, words and buttons."""
