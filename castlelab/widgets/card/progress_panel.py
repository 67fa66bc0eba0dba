"""The visitor's progress on the welcome page: what was solved, a way on, files in and out."""

from __future__ import annotations

from html import escape

import ipywidgets

from castlelab.draw.card import card_scene
from castlelab.game import GAMES, game_class
from castlelab.progress import LARGEST_TEXT, Progress, ProgressError, way_on
from castlelab.puzzles import LEVELS, address_of, kinds, lessons
from castlelab.rules import counted, listed
from castlelab.system.files import export_name
from castlelab.widgets.browser.file_transfer import FileTransfer
from castlelab.widgets.card.progress_book import book, pips
from castlelab.widgets.card.rule_card import html_card, status_html, style
from castlelab.widgets.controls import button, html, labelled, layout, row
from castlelab.widgets.shown import ShownBox, Still

_NOTHING = (
    "Nothing solved yet. What you solve stays in this browser and nowhere else, "
    "and it will be here when you come back."
)


class ProgressPanel(ShownBox):
    """What was solved of each game; it can be saved as a file, read from one and forgotten.

    There is nothing to save before something is tried. A file may come at any time.
    """

    def __init__(self) -> None:
        self._summary = html_card("")
        self._answer = html()
        self._name = labelled(
            *(ipywidgets.Text, "Nickname", "280px"),
            most="100%",
            placeholder="if you like, for the file",
            continuous_update=False,
        )
        self._transfer = FileTransfer("Import a file", self.take_in, self.fail, LARGEST_TEXT)
        self._forget = button("Forget everything", self.ask_to_forget, self.fail)
        self._surely = (
            button("Yes, forget it", self.forget, self.fail),
            button("No, keep it", self.keep, self.fail),
        )
        self._doubt = row(self._forget)
        self._files = row(self._name, button("Export a file", self.export, self.fail))
        self._elsewhere = row(button("Bring progress from elsewhere", self.unfold, self.fail))
        super().__init__(layout=layout())
        self.add_class("castlelab-progress-panel")
        book().observe(self._show, ["progress", "trouble"])
        self._show()

    def still(self) -> Still:
        solved = book().progress
        begun = [game for game in GAMES if solved.solved_in(game)]
        told = [
            f"{game_class(game).title}: {len(solved.solved_in(game))} solved." for game in begun
        ]
        return Still.of(card_scene("What you have solved", more="\n".join(told) or _NOTHING))

    def unfold(self) -> None:
        """Show how a file comes in; once more, and it is folded again."""
        fold, *shown = self._elsewhere.children
        self._elsewhere.children = (fold,) if shown else (fold, self._transfer)

    def export(self) -> None:
        """Let the browser save the progress as a file, under the nickname that was typed."""
        named = book().progress.called(self._name.value)
        file = export_name("castlelab", named.name or "progress", ".json")
        self._transfer.save(file, named.dumps())
        self._say("right", f"Saved as {file}. Keep it, or give it to your teacher.")

    def take_in(self, text: str) -> None:
        """Merge a file into the progress; one that is damaged changes nothing."""
        try:
            found = Progress.loads(text)
        except ProgressError as error:
            self.fail(f"This file cannot be imported: {error}. Your progress is as it was.")
            return
        before = book().progress
        book().take_over(found.called(""))
        new = sum(not before.is_solved(code) for code in found.solved if found.is_solved(code))
        number = counted(len(found.solved), "puzzle")
        self._say("right", f"{number} in the file, {new} of them new.")

    def ask_to_forget(self) -> None:
        """Forget nothing yet: ask first."""
        known = book().progress
        counts = (("puzzle", len({*known.solved, *known.tried})), ("question", len(known.guesses)))
        kept = listed([counted(number, what) for what, number in counts if number])
        self._doubt.children = (self._forget, *self._surely)
        self._say("hint", f"Forget {kept}? This cannot be undone. An exported file stays.")

    def forget(self) -> None:
        """Forget everything that was solved."""
        self._doubt.children = (self._forget,)
        book().forget()
        self._say("right", "Forgotten.")

    def keep(self) -> None:
        """Think better of it."""
        self._doubt.children = (self._forget,)
        self._say("right", "Everything is as it was.")

    def fail(self, words: str) -> None:
        """Tell that something went wrong."""
        self._say("wrong", words)

    def _say(self, mood: str, *lines: str) -> None:
        self._answer.value = status_html(mood, *lines)

    def _show(self, _: object = None) -> None:
        trouble = status_html("wrong", book().trouble) if book().trouble else ""
        self._summary.value = style() + trouble + summary_html(book().progress)
        known = book().progress
        saved = (self._files, self._doubt) if known.solved or known.tried or known.guesses else ()
        self.children = (self._summary, *saved, self._elsewhere, self._answer)


def summary_html(progress: Progress) -> str:
    """A line for each game of which something was solved, with a way on."""
    begun = [game for game in GAMES if progress.solved_in(game)]
    ways = "".join(_game_html(progress, game) for game in begun) + _questions_html(progress)
    if not ways:
        return f'<p class="castlelab-tally">{_NOTHING}</p>'
    return f'<ul class="castlelab-ways">{ways}</ul>'


def _questions_html(progress: Progress) -> str:
    """What became of the questions of the courses; "" if none was tried."""
    made = progress.guesses.values()
    solved, given_up = sum(each.solved for each in made), sum(each.gave_up for each in made)
    told = f"{solved} of {counted(len(made), 'question')} solved"
    told += f", {given_up} given up" if given_up else ""
    return f"<li><strong>Questions of the courses</strong> {told}.</li>" if made else ""


def _game_html(progress: Progress, game: str) -> str:
    title = escape(game_class(game).title)
    counts = progress.counts()
    authored = lessons(game)
    learnt = sum(map(progress.is_solved, authored))
    own = len(progress.solved_in(game, 0)) - learnt
    names = kinds(game)
    by_level = {level: sum(counts[kind, level] for kind in names) for level in LEVELS}
    parts = [f"{learnt} of {len(authored)} lessons"] if authored else []
    if number := sum(by_level.values()):
        parts.append(counted(number, "puzzle"))
    if own:
        parts.append(f"{counted(own, 'puzzle')} of one's own")
    levels = "".join(
        f"<span>Level {level} {pips(count)}</span>" for level, count in by_level.items() if count
    )
    way = ""
    if names:
        code = way_on(progress, game)
        way = f'<a href="{address_of(str(code))}">Go on with {title}, level {code.level}</a>'
    return (
        f"<li><strong>{title}</strong> {escape(listed(parts))} solved. "
        f'<span class="castlelab-levels">{levels}</span>{way}</li>'
    )
