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
   * Let the widgets' front end wait for a board that comes late. By itself it waits two seconds
   * for each; a page of many boards can take longer on a busy machine, and all were given up in
   * the moment in which they arrived.
   */
  patience(managers, seconds = 60) {
    for (const manager of Object.values(managers)) {
      let kind = manager?.prototype;
      while (kind && !Object.hasOwn(kind, "get_model")) kind = Object.getPrototypeOf(kind);
      if (!kind || kind.get_model.patient) continue;
      const hasty = kind.get_model;
      kind.get_model = async function (id) {
        const end = performance.now() + 1000 * seconds;
        while (!this.has_model(id) && performance.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return hasty.call(this, id);
      };
      kind.get_model.patient = true;
    }
  },

  /** Reach the front end as soon as its code is there, and before it shows anything. */
  expect(name) {
    let found;
    window._JUPYTERLAB ??= {};
    Object.defineProperty(window._JUPYTERLAB, name, {
      enumerable: true,
      configurable: true,
      get: () => found,
      set: (container) => {
        const get = container.get;
        found = {
          ...container,
          get: async (part) => {
            const make = await get(part);
            return () => {
              const made = make();
              castlelab.patience(made);
              return made;
            };
          },
        };
      },
    });
  },

  /** Load the page again if a board is lost or does not come all the same, twice at most. */
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
castlelab.expect("@jupyter-widgets/jupyterlab-manager");

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
