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

  /** Name the kernel of this visitor to Voilà, on a page that everybody gets. */
  kernel(id) {
    const settings = document.getElementById("jupyter-config-data");
    settings.textContent = JSON.stringify({ ...JSON.parse(settings.textContent), kernelId: id });
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
      castlelab.progress(1 - left / (all + 1), "Setting the table…");
      await castlelab.pause(100);
    }
    castlelab.progress(1, "");
    document.body.classList.add("castlelab-ready");
  },

  /**
   * Let the widgets' front end wait for a board that comes late. By itself it waits two seconds
   * for each; a page of many boards can take longer on a busy machine, and all were given up in
   * the moment in which they arrived.
   */
  patience(kind, seconds = 60) {
    const hasty = kind.get_model;
    kind.get_model = async function (id) {
      const end = performance.now() + 1000 * seconds;
      if (!this.has_model(id)) (this.wanted ??= []).push(id);
      while (!this.has_model(id) && performance.now() < end) {
        await castlelab.pause(100);
      }
      return hasty.call(this, id);
    };
  },

  /**
   * Let boards come one after another, in the order in which the page asks for them. By itself
   * the front end sets all of them up at the same time, so that the first is there with the last.
   */
  inTurn(kind) {
    const { _create_comm: open, _loadFromKernel: load } = kind;
    kind._create_comm = async function (target, ...rest) {
      if (target !== "jupyter.widget.control") return open.call(this, target, ...rest);
      const connecting = () => this.kernel?.connectionStatus === "connecting";
      while (!this.wanted && connecting()) await castlelab.pause(10); // until the page asks
      this.parts ??= castlelab.parts(castlelab.told(), this.wanted ?? []);
      if (this.parts.length) return castlelab.echo(this.parts.shift());
      const comm = await open.call(this, target, ...rest);
      const listen = comm.on_msg.bind(comm);
      comm.on_msg = (hear) =>
        listen((message) => {
          this.parts = castlelab.parts(message, this.wanted ?? []);
          hear(this.parts.shift());
        });
      return comm;
    };
    kind._loadFromKernel = async function () {
      const late = castlelab.keepLate(this);
      castlelab.loading = true;
      try {
        do {
          await load.call(this);
          await late.deliver();
          await castlelab.pause(0); // what is there may be drawn now
        } while (this.parts?.length);
      } finally {
        castlelab.loading = false;
        late.stop();
      }
      // It would ask for everything again in the moment in which it is connected.
      while (this.kernel?.connectionStatus === "connecting") await castlelab.pause(50);
    };
  },

  /** Keep what the kernel says to boards that are not there yet, and tell them when they are. */
  keepLate(manager) {
    let kept = [];
    const of = (message) => message.content.comm_id;
    const keep = (_, message) => {
      if (message.header.msg_type !== "comm_msg") return;
      // What follows is kept as well, so that the last word stays the last.
      if (!manager.has_model(of(message)) || kept.some((other) => of(other) === of(message))) {
        kept.push(message);
      }
    };
    const { kernel } = manager;
    kernel?.iopubMessage.connect(keep);
    return {
      async deliver() {
        const now = kept.filter((message) => manager.has_model(of(message)));
        kept = kept.filter((message) => !now.includes(message));
        for (const message of now) {
          const model = await manager.get_model(of(message));
          await model._handle_comm_msg(message);
        }
      },
      stop: () => kernel?.iopubMessage.disconnect(keep),
    };
  },

  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),

  /** The states that came with the page, as its kernel would tell them; null if none did. */
  told() {
    const held = document.getElementById("castlelab-states");
    if (!held) return null;
    const states = JSON.parse(held.textContent);
    held.remove();
    if (Object.values(states).some((state) => state.buffers)) return null;
    return { buffers: [], content: { data: { method: "update_states", states, buffer_paths: [] } } };
  },

  /** The states of all boards, divided: what each wanted one is made of, then the rest. */
  parts(message, wanted) {
    if (!message) return [];
    const { states } = message.content.data;
    const left = new Set(Object.keys(states));
    const take = (id, part = {}) => {
      if (!left.delete(id)) return part;
      part[id] = states[id];
      for (const [, other] of JSON.stringify(states[id]).matchAll(/"IPY_MODEL_(\w+)"/g)) {
        take(other, part);
      }
      return part;
    };
    const parts = wanted.map((id) => take(id)).filter((part) => Object.keys(part).length);
    const rest = Object.fromEntries([...left].map((id) => [id, states[id]]));
    return [...parts, rest].map((part) => ({
      ...message,
      content: { ...message.content, data: { ...message.content.data, states: part } },
    }));
  },

  /** Something that answers whatever is sent to it with one message. */
  echo(message) {
    let hear;
    return {
      on_msg: (listener) => (hear = listener),
      on_close: () => {},
      send: () => hear(message),
      close: () => {},
    };
  },

  /** Change the front end's ways, once. */
  teach(managers) {
    const lesson = { get_model: "patience", _create_comm: "inTurn" };
    for (const [method, way] of Object.entries(lesson)) {
      for (const manager of Object.values(managers)) {
        let kind = manager?.prototype;
        while (kind && !Object.hasOwn(kind, method)) kind = Object.getPrototypeOf(kind);
        if (!kind || kind[method].taught) continue;
        castlelab[way](kind);
        kind[method].taught = true;
      }
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
              castlelab.teach(made);
              return made;
            };
          },
        };
      },
    });
  },

  /** Notice when the line to the kernel is cut. */
  mindTheLine() {
    const Line = window.WebSocket;
    window.WebSocket = class extends Line {
      constructor(address, ...rest) {
        super(address, ...rest);
        const kernel = String(address).match(/api\/kernels\/[\w-]+/)?.[0];
        if (kernel) this.addEventListener("close", () => castlelab.findOut(kernel));
      }
    };
    window.addEventListener("pagehide", () => (castlelab.leaving = true));
  },

  /** Find out whether a kernel is still there; the front end reaches for it again by itself. */
  async findOut(kernel) {
    if (castlelab.asking || castlelab.leaving) return;
    castlelab.asking = true;
    const base = document.body.dataset.baseUrl.replace(/voila\/$/, "");
    for (let known = false; !known && !castlelab.leaving; await castlelab.pause(2000)) {
      try {
        const { ok } = await fetch(`${base}${kernel}`, { cache: "no-store" });
        known = true;
        castlelab.progress(1, "");
        if (!ok) castlelab.gone();
      } catch {
        castlelab.progress(1, "The server does not answer. Trying again…");
      }
    }
    castlelab.asking = false;
  },

  /** Say that the kernel has ended, and offer to go on. What was done is kept by the tab. */
  gone() {
    if (castlelab.leaving || document.getElementById("castlelab-gone")) return;
    const box = document.createElement("div");
    const words = document.createElement("p");
    const button = document.createElement("button");
    box.id = "castlelab-gone";
    box.setAttribute("role", "alert");
    words.textContent =
      "The boards have fallen asleep: the program behind this page has ended. " +
      "Go on to wake them up; this tab remembers your puzzles and games.";
    button.textContent = "Go on";
    button.addEventListener("click", castlelab.again);
    box.append(words, button);
    document.getElementById("castlelab-bar").after(box);
    button.focus({ preventScroll: true });
  },

  /** Load the page again if a board is lost or does not come all the same, twice at most. */
  watch(seconds = 0) {
    const key = `castlelab-reloads ${location.pathname}`;
    const reloads = Number(sessionStorage.getItem(key));
    const lost = document.body.innerText.includes("Error displaying widget: model not found");
    const awaited = castlelab.awaited() > 0;
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
castlelab.mindTheLine();
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
