// The frame round a page: its chapters, what is solved, light or dark, and the code.
// Chapters have addresses of their own (castell.ipynb#festivals). Without this script all of them
// stand below one another.
"use strict";

const shell = {
  KEY: "castlelab-progress",
  THEME: "castlelab-theme",

  /** What a browser keeps under a name; "" where it keeps nothing. */
  kept(key) {
    try {
      return localStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  },

  // -- light and dark --------------------------------------------------------------------------

  /** Follow the visitor's choice or, without one, the system's. */
  chooseTheme(theme) {
    try {
      if (theme) localStorage.setItem(shell.THEME, theme);
    } catch {
      // It holds for this page then.
    }
    castlelab.theme(theme);
  },

  watchTheme() {
    const button = document.querySelector(".castlelab-theme");
    button.setAttribute("aria-pressed", String(castlelab.isDark()));
    button.addEventListener("click", () => {
      shell.chooseTheme(castlelab.isDark() ? "light" : "dark");
      button.setAttribute("aria-pressed", String(castlelab.isDark()));
    });
  },

  // -- chapters --------------------------------------------------------------------------------

  chapters: () => [...document.querySelectorAll(".castlelab-chapter")],

  /** The chapter that the address means, the first one if it means none. */
  wanted() {
    const chapters = shell.chapters();
    const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    return chapters.find((chapter) => chapter.contains(there)) ?? chapters[0];
  },

  /** Show one chapter; what the address points at in it comes into view. */
  open(moved = true) {
    const chapter = shell.wanted();
    if (!chapter) return;
    for (const each of shell.chapters()) each.classList.toggle("castlelab-open", each === chapter);
    for (const link of document.querySelectorAll("#castlelab-rail li > a")) {
      const is = link.hash === `#${chapter.id}`;
      if (is) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    document.title = `${chapter.getAttribute("aria-label")} – ${shell.title}`;
    if (!moved) return;
    const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    shell.fold();
    if (there && there !== chapter) there.scrollIntoView();
    else window.scrollTo(0, 0);
    const heading = chapter.querySelector("h1, h2");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  },

  /** The boards of a chapter by the ids of their models, as long as they are still to come. */
  boardsOf(chapter) {
    const scripts = chapter.querySelectorAll("script[type='application/vnd.voila.cell-output+json']");
    return [...scripts].map((script) => script.textContent.match(/"model_id":\s*"(\w+)"/)?.[1]);
  },

  /** Whether a board belongs to the chapter that is open: such boards come first. */
  isOpen: (model) => shell.boards?.get(shell.wanted())?.includes(model) ?? false,

  // -- the rail --------------------------------------------------------------------------------

  fold(open = false) {
    document.body.classList.toggle("castlelab-rail-open", open);
    document.querySelector(".castlelab-contents")?.setAttribute("aria-expanded", String(open));
  },

  watchRail() {
    const button = document.querySelector(".castlelab-contents");
    const isOpen = () => button.getAttribute("aria-expanded") === "true";
    button?.addEventListener("click", () => {
      shell.fold(!isOpen());
      if (isOpen()) document.querySelector("#castlelab-rail a[aria-current]")?.focus();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      document.querySelector(".castlelab-learn[open]")?.removeAttribute("open");
      if (button && isOpen()) {
        shell.fold();
        button.focus();
      }
    });
    document.addEventListener("click", ({ target }) => {
      const next = target.closest(".castlelab-next:not(.castlelab-next-here)");
      if (next) shell.goOn(next);
      const menu = document.querySelector(".castlelab-learn[open]");
      if (menu && !menu.contains(target)) menu.removeAttribute("open");
      if (button && isOpen() && !target.closest("#castlelab-rail, .castlelab-contents")) shell.fold();
    });
    const code = document.querySelector(".castlelab-show-code");
    code?.addEventListener("click", () => {
      const shown = document.body.classList.toggle("castlelab-shows-code");
      code.setAttribute("aria-pressed", String(shown));
    });
  },

  // -- from lesson to lesson -------------------------------------------------------------------

  /** Lead from a solved lesson to the next one, in this chapter or at the head of another. */
  goOn(button) {
    const cards = [...document.querySelectorAll(".castlelab-puzzle, .castlelab-guess")];
    const here = button.closest(".castlelab-puzzle");
    const next = cards.find(
      (card) => here.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING &&
        !here.contains(card),
    );
    const chapter = next?.closest(".castlelab-chapter");
    if (next && chapter === here.closest(".castlelab-chapter")) {
      next.closest("[cell-index]").scrollIntoView({ behavior: "smooth" });
      next.querySelector("canvas, input, button")?.focus({ preventScroll: true });
    } else {
      here.closest(".castlelab-chapter")?.querySelector(".castlelab-way-on")?.click();
    }
  },

  // -- what is solved --------------------------------------------------------------------------

  /** What this visitor has solved, by code; the widgets keep it under the same key. */
  solved() {
    const settings = document.getElementById("jupyter-config-data")?.textContent ?? "{}";
    const base = JSON.parse(settings).baseUrl ?? "/";
    try {
      return JSON.parse(shell.kept(base === "/" ? shell.KEY : `${base} ${shell.KEY}`)).solved ?? {};
    } catch {
      return {};
    }
  },

  /** How a puzzle ended, as a word for its dot. */
  ending(solve) {
    if (!solve) return "open";
    if (solve.gave_up) return "given up";
    if (solve.hints) return "solved with hints";
    return solve.wrong ? "solved after tries" : "solved";
  },

  /** A dot for every lesson of a chapter, and how many are solved of all. */
  count() {
    const solved = shell.solved();
    shell.chapters().forEach((chapter, number) => {
      const dots = document.querySelectorAll("#castlelab-rail .castlelab-dots")[number];
      const cards = [...chapter.querySelectorAll("[data-lesson]")];
      const endings = cards.map(({ dataset }) => shell.ending(solved[dataset.lesson]));
      dots?.replaceChildren(...endings.map((ending) => {
        const dot = document.createElement("i");
        dot.className = `castlelab-dot castlelab-dot-${ending.replaceAll(" ", "-")}`;
        return dot;
      }));
      const done = endings.filter((ending) => ending.startsWith("solved")).length;
      const words = document.createElement("span");
      words.className = "castlelab-unseen";
      words.textContent = cards.length ? `, ${done} of ${cards.length} solved` : "";
      dots?.append(words);
    });
    const lessons = JSON.parse(document.getElementById("castlelab-lessons").textContent);
    const done = lessons.filter((lesson) => solved[lesson] && !solved[lesson].gave_up).length;
    const meter = document.querySelector(".castlelab-meter");
    meter.hidden = !done;
    meter.querySelector("span").textContent = `${done} of ${lessons.length} solved`;
    meter.querySelectorAll("circle")[1].style.strokeDasharray = `${(100 * done) / lessons.length} 100`;
    const own = lessons.filter((lesson) => lesson.startsWith(`${document.body.dataset.game}/`));
    const mine = own.filter((lesson) => solved[lesson] && !solved[lesson].gave_up).length;
    const title = document.querySelector(".castlelab-course-title small");
    if (title && own.length) title.textContent = `${mine} of ${own.length} lessons solved`;
  },

  /** Once the text of the page is there, before its boards are. */
  begin() {
    shell.title = document.title;
    shell.boards = new Map(shell.chapters().map((chapter) => [chapter, shell.boardsOf(chapter)]));
    shell.watchTheme();
    shell.watchRail();
    shell.open(Boolean(location.hash));
    shell.count();
    window.addEventListener("hashchange", () => shell.open());
    window.addEventListener("castlelab-kept", shell.count);
    window.addEventListener("storage", shell.count);
  },
};
