// What Voilà's front end brings along for notebooks and their editors, pages of boards do without:
// it is neither fetched nor run before somebody asks for it.
//
// Whoever asks for a spared module gets an empty one, which is filled when it is fetched after
// all. Where anything goes wrong before the first board, the page is loaded again, and this time
// as Voilà has it.
"use strict";

const sparing = {
  /** What the front end takes at once from what is spared. */
  TAKEN: { "@jupyterlab/codemirror": { jupyterHighlightStyle: {} } },
  WIDGET: "application/vnd.jupyter.widget-view+json",
  SCOPE: "default", // as Jupyter's packages call what they share
  OUTPUTS: "script[type='application/vnd.voila.cell-output+json']",
  CUT: /chunk|network|fetch|abort/i, // errors of a line that is cut: to load again would not help
  FORMULA: /\$|\\\(|\\\[|\\begin\{/,

  spared: new Map(), // by its name, a module that is empty and what fetches it
  shared: null, // what the parts of the front end share, by name and version

  /** Leave out what can be, before the front end begins; it says where its modules are. */
  begin(names) {
    if (castlelab.reloads() || sparing.needed()) return;
    sparing.atOnce();
    (self.webpackChunk_JUPYTERLAB_CORE_OUTPUT ??= []).push([["castlelab"], {}, (runtime) => {
      const { I: share } = runtime;
      if (typeof share !== "function" || !runtime.S) return;
      runtime.I = (scope, ...rest) => {
        const done = share(scope, ...rest);
        if (scope === sparing.SCOPE && !sparing.shared) sparing.empty(names, runtime.S[scope] ?? {});
        return done;
      };
    }]);
    sparing.watch();
  },

  /** Whether the page shows what only a spared module can draw. */
  needed() {
    const kinds = [...document.querySelectorAll(sparing.OUTPUTS)].flatMap((script) => {
      const { data = {} } = JSON.parse(script.textContent);
      return sparing.WIDGET in data ? [] : Object.keys(data);
    });
    return kinds.some((kind) => /markdown|latex|javascript|json|vega/.test(kind));
  },

  /** Put empty modules in the place of those that are spared. */
  empty(names, shared) {
    sparing.shared = shared;
    for (const name of names) {
      const [version] = Object.values(shared[name] ?? {});
      if (typeof version?.get !== "function") continue;
      const module = { __esModule: true, default: [], ...sparing.TAKEN[name] };
      sparing.spared.set(name, { module, fetch: version.get });
      version.get = () => () => module;
    }
  },

  /** Begin when the first picture is seen: Voilà would wait until every one of them is. */
  atOnce() {
    const listen = window.addEventListener;
    window.addEventListener = function (type, hear, ...rest) {
      const isLate = document.readyState === "complete";
      if (isLate || type !== "load") return listen.call(this, type, hear, ...rest);
      window.addEventListener = listen;
      sparing.pictured().then(() => hear.call(window, new Event("load")));
    };
  },

  /** Wait for the first picture, but not for long. */
  async pictured() {
    const picture = [...document.images].find((image) => image.checkVisibility());
    const isDrawn = async () => {
      await picture?.decode().catch(() => {}); // then there is none to wait for
      await new Promise(requestAnimationFrame);
    };
    await Promise.race([isDrawn(), castlelab.pause(200)]);
  },

  /** Load the page again, as Voilà has it, if the front end does not get under way like this. */
  async watch() {
    let failed = false;
    const hear = ({ error, reason = error }) => {
      failed ||= !sparing.CUT.test(`${reason?.name} ${reason?.message}`);
    };
    for (const news of ["error", "unhandledrejection"]) window.addEventListener(news, hear);
    while (!window.jupyterapp && !failed) await castlelab.pause(100);
    for (const news of ["error", "unhandledrejection"]) window.removeEventListener(news, hear);
    const isUnderWay = window.jupyterapp?.widgetManager && window.themeLoaded;
    if (!isUnderWay && !castlelab.leaving) castlelab.reload();
  },

  // -- what is asked for after all -------------------------------------------------------------

  /** A module that was spared, filled now. */
  async fetched(name) {
    const { module, fetch } = sparing.spared.get(name);
    const found = (await fetch())();
    for (const key of Object.keys(found)) {
      Object.defineProperty(module, key, { configurable: true, enumerable: true, get: () => found[key] });
    }
    return found;
  },

  async app() {
    while (!window.jupyterapp) await castlelab.pause(20);
    return window.jupyterapp;
  },

  /** Start a plugin as if it had been there from the beginning; returns what it provides. */
  async started(plugin) {
    const app = await sparing.app();
    if (!app.hasPlugin(plugin.id)) app.registerPlugin(plugin);
    await app.activatePlugin(plugin.id);
    return plugin.provides ? app.resolveOptionalService(plugin.provides) : null;
  },

  /** What renders outputs. */
  async renderers() {
    const [{ get }] = Object.values(sparing.shared["@jupyterlab/rendermime"]);
    const { IRenderMimeRegistry } = (await get())();
    return (await sparing.app()).resolveRequiredService(IRenderMimeRegistry);
  },

  /** Draw the formulas of the page, if it has any. */
  formulas() {
    return (sparing.drawing ??= sparing.drawFormulas());
  },

  async drawFormulas() {
    if (!sparing.spared.has("@jupyterlab/mathjax-extension")) return;
    const words = [...document.querySelectorAll("div.jp-MarkdownOutput, div.jp-RenderedHTML")];
    const open = (node) => Boolean(node.closest(".castlelab-open"));
    const written = words
      .filter((node) => sparing.FORMULA.test(node.textContent))
      .sort((one, other) => open(other) - open(one));
    if (!written.length) return;
    const typesetter = await sparing.typesetter();
    for (const node of written) await typesetter.typeset(node);
  },

  typesetter() {
    return (sparing.typesetting ??= (async () => {
      const { default: plugin } = await sparing.fetched("@jupyterlab/mathjax-extension");
      return ((await sparing.renderers()).latexTypesetter = await sparing.started(plugin));
    })());
  },

  /** Fetch what draws outputs of any kind: some are to come. */
  outputs() {
    return (sparing.fetching ??= (async () => {
      if (!sparing.spared.size) return;
      const renderers = await sparing.renderers();
      const plugins = async (name) => [(await sparing.fetched(`@jupyterlab/${name}`)).default].flat();
      await sparing.fetched("@jupyterlab/codemirror");
      for (const plugin of await plugins("codemirror-extension")) {
        if (plugin.id.endsWith(":languages")) await sparing.started(plugin);
      }
      for (const plugin of await plugins("markedparser-extension")) {
        renderers.markdownParser = await sparing.started(plugin);
      }
      for (const kind of ["javascript", "json", "vega5"]) {
        for (const { rendererFactory, rank } of await plugins(`${kind}-extension`)) {
          renderers.addFactory(rendererFactory, rank);
        }
      }
      await sparing.typesetter();
    })());
  },
};
