// What Voilà calls while a page is made, and the theme of the visitor's system.
// Loaded in the head: nothing here may wait.
"use strict";

const castlelab = {
  dark: window.matchMedia("(prefers-color-scheme: dark)"),

  /** Tell JupyterLab's widgets which theme the style sheets have chosen. */
  theme() {
    const light = !castlelab.dark.matches;
    document.body.dataset.jpThemeLight = String(light);
    document.body.dataset.jpThemeName = light ? "JupyterLab Light" : "JupyterLab Dark";
    document.body.classList.toggle("theme-light", light);
    document.body.classList.toggle("theme-dark", !light);
  },

  /** Draw the line under the bar: how much of the page is done, from 0 to 1. */
  progress(done, text) {
    const line = document.getElementById("castlelab-progress");
    const words = document.getElementById("castlelab-progress-text");
    if (line) line.style.transform = `scaleX(${done})`;
    if (words && words.textContent !== text) words.textContent = text;
  },

  /** Take the line away once the page is ready. */
  ready() {
    castlelab.progress(1, "");
    document.body.classList.add("castlelab-ready");
    castlelab.watch();
  },

  /**
   * Load the page again if a board was given up or does not come, twice at most. The widgets'
   * front end waits two seconds for each, and on a busy machine a page of many can take longer.
   */
  watch(seconds = 0) {
    const key = `castlelab-reloads ${location.pathname}`;
    const reloads = Number(sessionStorage.getItem(key));
    const texts = [...document.querySelectorAll(".jp-OutputArea-output")].map(
      (node) => node.textContent,
    );
    const lost = texts.includes("Error displaying widget: model not found");
    const awaited = texts.includes("Loading widget...");
    if ((lost || (awaited && seconds >= 25)) && reloads < 2) {
      sessionStorage.setItem(key, String(reloads + 1));
      location.reload();
    } else if (seconds < 30) {
      setTimeout(() => castlelab.watch(seconds + 1), 1000);
    } else {
      sessionStorage.removeItem(key);
    }
  },
};

castlelab.dark.addEventListener("change", castlelab.theme);

window.voila_heartbeat = () => {};
window.voila_process = (index, count) =>
  // A screen reader would read out every step, so the words stay the same.
  castlelab.progress(index / (count + 1), "Setting the table…");
window.update_loading_text = window.voila_process;

// Called twice: by the page after its last cell, and by Voilà once its theme is there.
window.voila_finish = () => {
  window.cellLoaded = true;
  if (window.themeLoaded) castlelab.ready();
};
