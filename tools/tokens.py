"""Write the colours of the pages, which the themes hold, into the style sheet that is served.

Usage: ``python -m tools.tokens``. A test says when it has grown old.
"""

from castlelab.draw.theme import style_sheet
from castlelab.server.pages import DATA_FOLDER, TEMPLATE

PATH = DATA_FOLDER / "nbconvert" / "templates" / TEMPLATE / "static" / "tokens.css"

if __name__ == "__main__":
    PATH.write_text(style_sheet(), encoding="utf-8")
