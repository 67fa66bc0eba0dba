// What Voilà calls while a page is made, and the theme of the visitor's system.
// Loaded in the head: nothing here may wait.
"use strict";

const castlelab = {
  dark: window.matchMedia("(prefers-color-scheme: dark)"),

  /** Whether the page is dark: by the visitor's choice or, without one, as the system is. */
  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : castlelab.dark.matches;
  },

  /** Make the page light or dark, "" for what the system says, and tell JupyterLab's widgets. */
  theme(chosen = document.documentElement.dataset.theme) {
    if (["light", "dark"].includes(chosen)) document.documentElement.dataset.theme = chosen;
    const light = !castlelab.isDark();
    for (const sheet of document.querySelectorAll("link[href*='theme-dark.css']")) {
      sheet.media = light ? "not all" : "all";
    }
    document.body.dataset.jpThemeLight = String(light);
    document.body.dataset.jpThemeName = light ? "JupyterLab Light" : "JupyterLab Dark";
    document.body.classList.toggle("theme-light", light);
    document.body.classList.toggle("theme-dark", !light);
  },

  /** Fetch scripts that are needed soon, once something is to be seen. */
  fetchLater(...addresses) {
    const fetchThem = () => {
      for (const href of addresses) {
        document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "script", href }));
      }
    };
    requestAnimationFrame(() => requestAnimationFrame(fetchThem));
  },

  /** Run scripts in this order. Those that a page names itself are fetched before all else. */
  run(...addresses) {
    for (const src of addresses) {
      document.body.append(Object.assign(document.createElement("script"), { src, async: false }));
    }
  },

  done: 0,

  /** Draw the line under the bar: how much of the page is done, from 0 to 1. It never goes back. */
  progress(done, text) {
    const line = document.getElementById("castlelab-progress");
    const words = document.getElementById("castlelab-progress-text");
    castlelab.done = Math.max(castlelab.done, done);
    if (line) line.style.transform = `scaleX(${castlelab.done})`;
    if (words && words.textContent !== text) words.textContent = text;
  },

  /** Name the kernel of this visitor, and reach for it. */
  kernel(id) {
    frontEnd.kernel(id);
    line.reach(id);
  },

  /** Load the page again: a new kernel will be there. */
  again() {
    location.reload();
  },

  /** How many outputs are still on their way: not yet shown, or without their board. */
  awaited() {
    const raw = document.querySelectorAll("script[type='application/vnd.voila.cell-output+json']");
    const outputs = [...document.querySelectorAll(".jp-OutputArea-output")];
    const empty = outputs.filter((node) => node.textContent === "Loading widget...");
    return raw.length + empty.length;
  },

  /** Take the line away once the last board is there. */
  async ready() {
    castlelab.watch();
    const all = castlelab.awaited();
    for (let left = all; left || castlelab.loading; left = castlelab.awaited()) {
      if (left < all) sparing.formulas(); // the first board is there
      castlelab.progress(0.5 + 0.5 * (1 - left / (all + 1)), "Setting the table…");
      await castlelab.pause(100);
    }
    castlelab.progress(1, "");
    sparing.formulas();
    frontEnd.report();
    document.body.classList.add("castlelab-ready");
    castlelab.clear();
  },

  /** Take away what stood in for boards that live now; a script would find everything twice. */
  async clear() {
    for (let standins = [true]; standins.length; await castlelab.pause(200)) {
      standins = [...document.querySelectorAll("[class^='castlelab-still-']:not(:empty)")];
      for (const standin of standins) {
        const shown = standin.className.replace("still", "shown");
        const alive = document.querySelector(`.castlelab-alive.${shown}`);
        if (!alive) continue;
        castlelab.keepForPaper(standin, alive);
        standin.replaceChildren();
      }
    }
  },

  /** Keep the pictures that boards began with: a canvas has the colours of the screen. */
  keepForPaper(standin, alive) {
    const boards = [...alive.querySelectorAll(".castlelab-board > canvas")];
    const pictures = [...standin.querySelectorAll(".castlelab-picture")];
    if (boards.length !== pictures.length) return;
    boards.forEach((board, number) => {
      const picture = pictures[number].closest("picture") ?? pictures[number];
      picture.classList.add("castlelab-on-paper");
      board.after(picture);
    });
  },

  /** What is printed is light, whatever the screen is. */
  print() {
    const root = document.documentElement.dataset;
    let before;
    window.addEventListener("beforeprint", () => {
      before = root.theme;
      castlelab.theme("light");
      for (const picture of document.querySelectorAll("img[loading='lazy']")) picture.loading = "eager";
    });
    window.addEventListener("afterprint", () => {
      if (before) root.theme = before;
      else delete root.theme;
      castlelab.theme();
    });
  },

  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),

  /** What the server wants to see before it answers: as Jupyter's own front end shows it. */
  passes() {
    const { token } = JSON.parse(document.getElementById("jupyter-config-data").textContent);
    const xsrf = document.cookie.match(/\b_xsrf=([^;]*)/)?.[1];
    return {
      ...(token && { Authorization: `token ${token}` }),
      ...(xsrf && { "X-XSRFToken": xsrf }),
    };
  },

  /** Find out whether a kernel is still there; the front end reaches for it again by itself. */
  async findOut(kernel) {
    if (castlelab.asking || castlelab.leaving) return;
    castlelab.asking = true;
    const base = document.body.dataset.baseUrl.replace(/voila\/$/, "");
    for (let known = false; !known && !castlelab.leaving; await castlelab.pause(2000)) {
      try {
        const headers = castlelab.passes();
        const answer = await fetch(`${base}${kernel}`, { cache: "no-store", headers });
        castlelab.hear(answer);
        known = true;
        castlelab.progress(1, "");
      } catch {
        castlelab.progress(1, "The server does not answer. Trying again…");
      }
    }
    castlelab.asking = false;
  },

  /** Tell what an answer about the kernel means; throws if it means nothing. */
  hear({ ok, redirected, status }) {
    // Who is not logged in is refused, or led to a page where they could.
    if ((ok && redirected) || [401, 403].includes(status)) castlelab.out();
    // A Hub says 424 where a whole server has ended.
    else if ([404, 410, 424].includes(status)) castlelab.gone();
    else if (!ok) throw new Error(`status ${status}`);
  },

  /** Say that the kernel has ended, and offer to go on. What was done is kept by the tab. */
  gone() {
    castlelab.offer(
      "The boards have fallen asleep: the program behind this page has ended. " +
        "Go on to wake them up; this tab remembers your puzzles and games.",
      "Go on",
    );
  },

  /** Say that the visitor is logged out; to load the page again asks who they are. */
  out() {
    castlelab.offer(
      "You are logged out. Log in to go on; this tab remembers your puzzles and games.",
      "Log in",
    );
  },

  /** Say why the boards do not answer, with a button that loads the page again. */
  offer(news, action) {
    if (castlelab.leaving || document.getElementById("castlelab-gone")) return;
    const box = document.createElement("div");
    const words = document.createElement("p");
    const button = document.createElement("button");
    box.id = "castlelab-gone";
    box.setAttribute("role", "alert");
    words.textContent = news;
    button.textContent = action;
    button.addEventListener("click", castlelab.again);
    box.append(words, button);
    document.getElementById("castlelab-bar").after(box);
    button.focus({ preventScroll: true });
  },

  /** Load the page again if a board is lost or none has come for long, twice at most. */
  watch(seconds = 0, before = Infinity) {
    const lost = [...document.querySelectorAll(".jp-OutputArea-output")].some((node) =>
      node.textContent.includes("Error displaying widget: model not found"),
    );
    const awaited = castlelab.awaited();
    if (awaited < before) seconds = 0; // they are coming, if slowly
    if ((lost || (awaited && seconds >= 25)) && castlelab.reload()) return;
    if (seconds < 30) {
      setTimeout(() => castlelab.watch(seconds + 1, awaited), 1000);
    } else {
      sessionStorage.removeItem(castlelab.RELOADS);
    }
  },

  RELOADS: `castlelab-reloads ${location.pathname}`,

  /** How often this page was loaded again because its boards did not come. */
  reloads: () => Number(sessionStorage.getItem(castlelab.RELOADS)),

  /** Load the page again, twice at most; returns whether that is done. */
  reload() {
    if (castlelab.reloads() >= 2) return false;
    sessionStorage.setItem(castlelab.RELOADS, String(castlelab.reloads() + 1));
    location.reload();
    return true;
  },
};

castlelab.dark.addEventListener("change", () => castlelab.theme());
castlelab.print();

window.voila_heartbeat = () => {};
window.voila_process = (index, count) =>
  // A screen reader would read out every step, so the words stay the same.
  castlelab.progress(0.5 * (index / (count + 1)), "Setting the table…");
window.update_loading_text = window.voila_process;

// Called twice: by the page after its last cell, and by Voilà once its theme is there.
window.voila_finish = () => {
  window.cellLoaded = true;
  if (window.themeLoaded) castlelab.ready();
};
