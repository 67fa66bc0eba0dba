// The frame round a page: its chapters and their steps, what is solved, light or dark, the code.
// Chapters and steps have addresses of their own (castell.ipynb#festivals). Without this script
// all of them stand below one another.
"use strict";

const shell = {
  KEY: "castlelab-progress",
  THEME: "castlelab-theme",
  PLACE: "castlelab-place",
  SOUNDS: "castlelab-sounds",

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

  // -- sounds ----------------------------------------------------------------------------------

  /** Let boards make sounds, or none; they look here each time. */
  watchSounds() {
    const button = document.querySelector(".castlelab-sounds");
    const isOn = () => shell.kept(shell.SOUNDS) === "on";
    button.setAttribute("aria-pressed", String(isOn()));
    button.addEventListener("click", () => {
      try {
        localStorage.setItem(shell.SOUNDS, isOn() ? "off" : "on");
      } catch {
        // A browser that keeps nothing stays silent.
      }
      button.setAttribute("aria-pressed", String(isOn()));
    });
  },

  // -- chapters and steps ----------------------------------------------------------------------

  chapters: () => [...document.querySelectorAll(".castlelab-chapter")],
  steps: (chapter = document) => [...chapter.querySelectorAll(".castlelab-step")],

  /** What the address points at, if it is on the page. */
  pointed: () => document.getElementById(decodeURIComponent(location.hash.slice(1))),

  /** The step that the address means: the first one of a chapter, or of the page. */
  wanted() {
    const there = shell.pointed();
    const step = there?.closest(".castlelab-step");
    return step ?? shell.steps(there?.closest(".castlelab-chapter") ?? document)[0];
  },

  /** Scroll the contents, and nothing else, until a link in them is seen. */
  reveal(link) {
    const rail = document.querySelector("#castlelab-rail");
    const [outer, inner] = [rail.getBoundingClientRect(), link.getBoundingClientRect()];
    rail.scrollTop += Math.max(0, inner.bottom - outer.bottom + 12)
      - Math.max(0, outer.top - inner.top + 12);
  },

  /** Show one step of one chapter; what the address points at in it comes into view. */
  open(moved = true) {
    const step = shell.wanted();
    if (!step) return;
    const chapter = step.parentElement;
    for (const each of [...shell.chapters(), ...shell.steps()]) {
      each.classList.toggle("castlelab-open", each === step || each === chapter);
    }
    const addresses = [`#${chapter.id}`, `#${step.id}`];
    for (const link of document.querySelectorAll("#castlelab-rail a")) {
      if (addresses.includes(link.hash)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      if (link.hash === addresses[1]) shell.reveal(link);
      link.tabIndex = link.hash === addresses[1] ? 0 : -1;
    }
    document.title = `${step.getAttribute("aria-label")} – ${shell.title}`;
    shell.keepPlace(step);
    if (!moved) return;
    const there = shell.pointed();
    shell.fold();
    if (there && ![step, chapter].includes(there)) there.scrollIntoView();
    else window.scrollTo(0, 0);
    const heading = step.querySelector("h3, h2, h1") ?? step;
    heading.setAttribute("tabindex", "-1");
    heading.focus({ preventScroll: true });
  },

  /** Remember where somebody is, so that they can go on from the first page. */
  keepPlace(step) {
    const page = location.pathname.split("/").pop();
    const title = step.getAttribute("aria-label");
    try {
      localStorage.setItem(shell.PLACE, JSON.stringify({ page, step: step.id, title }));
    } catch {
      // Then they find the way by themselves.
    }
  },

  /** The boards of a step by the ids of their models, as long as they are still to come. */
  boardsOf(step) {
    const scripts = step.querySelectorAll("script[type='application/vnd.voila.cell-output+json']");
    return [...scripts].map((script) => script.textContent.match(/"model_id":\s*"(\w+)"/)?.[1]);
  },

  /** Whether a board belongs to the step that is open: such boards come first. */
  isOpen: (model) => shell.boards?.get(shell.wanted())?.includes(model) ?? false,

  // -- the rail --------------------------------------------------------------------------------

  fold(open = false) {
    document.body.classList.toggle("castlelab-rail-open", open);
    document.querySelector(".castlelab-contents")?.setAttribute("aria-expanded", String(open));
  },

  /** Tab leads to the contents once, and arrow keys from one of them to the next. */
  roveRail() {
    const rail = document.querySelector("#castlelab-rail");
    rail?.addEventListener("keydown", (event) => {
      const links = [...rail.querySelectorAll("a")].filter((link) => link.checkVisibility());
      const here = links.indexOf(event.target);
      const there = {
        ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: links.length - 1,
      }[event.key];
      if (here < 0 || there === undefined) return;
      event.preventDefault();
      links[Math.max(0, Math.min(there, links.length - 1))].focus();
    });
    rail?.addEventListener("focusin", ({ target }) => {
      if (!target.matches("a")) return;
      for (const link of rail.querySelectorAll("a")) link.tabIndex = link === target ? 0 : -1;
    });
  },

  /** Headings that are called alike have addresses of their own, as all things on a page do. */
  tellHeadingsApart() {
    const taken = new Map();
    for (const heading of document.querySelectorAll("h1[id], h2[id], h3[id], h4[id]")) {
      const number = (taken.get(heading.id) ?? 0) + 1;
      taken.set(heading.id, number);
      if (number > 1) heading.id += `-${number}`;
    }
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

  /** Lead from a solved lesson to the next one: in this step, or to the next step. */
  goOn(button) {
    const here = button.closest(".castlelab-puzzle");
    const step = here.closest(".castlelab-step");
    const cards = [...(step ?? document).querySelectorAll(".castlelab-puzzle")].filter(
      (card) => card.checkVisibility() && !here.contains(card) && !card.contains(here) &&
        here.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    if (cards.length) {
      cards[0].closest("[cell-index]").scrollIntoView({ behavior: "smooth" });
      cards[0].querySelector("canvas, input, button")?.focus({ preventScroll: true });
    } else {
      step?.querySelector(".castlelab-way-on")?.click();
    }
  },

  // -- what is solved --------------------------------------------------------------------------

  /** This visitor's progress; the widgets keep it under the same key. */
  progress() {
    const settings = document.getElementById("jupyter-config-data")?.textContent ?? "{}";
    const base = JSON.parse(settings).baseUrl ?? "/";
    try {
      return JSON.parse(shell.kept(base === "/" ? shell.KEY : `${base} ${shell.KEY}`)) ?? {};
    } catch {
      return {};
    }
  },

  /** What is solved, by code. */
  solved() {
    return shell.progress().solved ?? {};
  },

  /** How the lessons and figures in a part of the page ended, in their order. */
  endingsIn(part, { solved = {}, guesses = {} }) {
    return [...part.querySelectorAll("[data-lesson], [data-questions]")].map(({ dataset }) => {
      if (dataset.lesson) return shell.ending(solved[dataset.lesson]);
      return JSON.parse(dataset.questions).some((each) => guesses[each]?.solved) ? "solved" : "open";
    });
  },

  /** How a puzzle ended, as a word for its dot. */
  ending(solve) {
    if (!solve) return "open";
    if (solve.gave_up) return "given up";
    if (solve.hints) return "solved with hints";
    return solve.wrong ? "solved after tries" : "solved";
  },

  /** The dot of a step: as its lessons ended, the least of them. */
  dotOf(step, progress) {
    const order = ["open", "given up", "solved with hints", "solved after tries", "solved"];
    const ended = shell.endingsIn(step, progress).map((ending) => order.indexOf(ending));
    return ended.length ? order[Math.min(...ended)] : "plain";
  },

  /** A dot for every lesson of a chapter, and how many are solved of all. */
  count() {
    const progress = shell.progress();
    const solved = progress.solved ?? {};
    for (const link of document.querySelectorAll("#castlelab-rail li li > a")) {
      const step = document.getElementById(link.hash.slice(1));
      const ending = step ? shell.dotOf(step, progress) : "plain";
      link.firstElementChild.className = `castlelab-dot castlelab-dot-${ending.replaceAll(" ", "-")}`;
      link.title = ending === "plain" ? "" : ending;
    }
    shell.chapters().forEach((chapter, number) => {
      const dots = document.querySelectorAll("#castlelab-rail .castlelab-dots")[number];
      const endings = shell.endingsIn(chapter, progress);
      dots?.replaceChildren(...endings.map((ending) => {
        const dot = document.createElement("i");
        dot.className = `castlelab-dot castlelab-dot-${ending.replaceAll(" ", "-")}`;
        return dot;
      }));
      const done = endings.filter((ending) => ending.startsWith("solved")).length;
      const words = document.createElement("span");
      words.className = "castlelab-unseen";
      words.textContent = endings.length ? `, ${done} of ${endings.length} solved` : "";
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
    shell.boards = new Map(shell.steps().map((step) => [step, shell.boardsOf(step)]));
    shell.watchTheme();
    shell.watchSounds();
    shell.watchRail();
    shell.roveRail();
    shell.tellHeadingsApart();
    shell.open(Boolean(location.hash));
    document.documentElement.classList.remove("castlelab-seeking");
    shell.count();
    window.addEventListener("hashchange", () => shell.open());
    window.addEventListener("castlelab-kept", shell.count);
    window.addEventListener("storage", shell.count);
  },
};

document.documentElement.classList.toggle("castlelab-seeking", Boolean(location.hash));
