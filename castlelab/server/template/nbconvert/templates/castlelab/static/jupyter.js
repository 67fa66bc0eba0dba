// All that is taken from inner parts of Jupyter's front end: what no documentation promises.
// The next release may have them no more. So each is looked for before it is used, and where one
// is missing, the front end goes its own way, more slowly, and the console says why in one line.
// What the server and its kernels take is fenced in the same way in ``jupyter.py``.
"use strict";

const frontEnd = {
  /** What each of our ways leans on: methods of the widgets' manager, the one we change first. */
  leansOn: {
    patience: ["get_model", "has_model"],
    anyOutput: ["loadClass"],
    inTurn: ["_create_comm", "_loadFromKernel", "get_model", "has_model"],
  },
  taught: new Set(),
  isPlain: false,

  /** Name the kernel of this visitor to Voilà, on a page that everybody gets. */
  kernel(id) {
    const settings = document.getElementById("jupyter-config-data");
    settings.textContent = JSON.stringify({ ...JSON.parse(settings.textContent), kernelId: id });
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
        await castlelab.pause(20);
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
      this.parts ??= frontEnd.parts(frontEnd.told(), this.wanted ?? []);
      if (this.parts.length) return frontEnd.echo(this.parts.shift());
      const comm = await open.call(this, target, ...rest);
      const listen = comm.on_msg.bind(comm);
      comm.on_msg = (hear) =>
        listen((message) => {
          this.parts = frontEnd.parts(message, this.wanted ?? []);
          hear(this.parts.length ? this.parts.shift() : message);
        });
      return comm;
    };
    kind._loadFromKernel = async function () {
      const late = frontEnd.keepLate(this);
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

  /** Have what draws outputs of any kind before a widget shows some. */
  anyOutput(kind) {
    const load = kind.loadClass;
    kind.loadClass = async function (name, module, ...rest) {
      if (module === "@jupyter-widgets/output") await sparing.outputs();
      return load.call(this, name, module, ...rest);
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

  /** The states that came with the page, as its kernel would tell them; null if none did. */
  told() {
    const held = document.getElementById("castlelab-states");
    if (!held) return null;
    const { texts, states } = JSON.parse(held.textContent);
    held.remove();
    for (const { state } of Object.values(states)) frontEnd.fillIn(state, texts);
    if (Object.values(states).some((state) => state.buffers)) return null;
    return { buffers: [], content: { data: { method: "update_states", states, buffer_paths: [] } } };
  },

  /** Put the texts that many states share into one of them. */
  fillIn(state, texts) {
    for (const [name, value] of Object.entries(state)) {
      if (!value?.texts) continue;
      const text = value.texts.map((part) => texts[part] ?? part).join("");
      state[name] = name === "_esm" ? frontEnd.program(text) : text;
    }
  },

  programs: new Map(),

  /** What stands for the program of many boards, so that a browser reads it only once. */
  program(text) {
    if (!frontEnd.programs.has(text)) {
      const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      frontEnd.programs.set(text, `export { default } from "${address}";`);
    }
    return frontEnd.programs.get(text);
  },

  /** The states of all boards, divided: what each wanted one is made of, then the rest. */
  parts(message, wanted) {
    const states = message?.content?.data?.states;
    if (!states) return [];
    const left = new Set(Object.keys(states));
    const take = (id, part = {}) => {
      if (!left.delete(id)) return part;
      part[id] = states[id];
      for (const [, other] of JSON.stringify(states[id]).matchAll(/"IPY_MODEL_(\w+)"/g)) {
        take(other, part);
      }
      return part;
    };
    const inOrder = [...wanted].sort((one, other) => shell.isOpen(other) - shell.isOpen(one));
    const parts = inOrder.map((id) => take(id)).filter((part) => Object.keys(part).length);
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

  /** Change the front end's ways, once, as far as it is what we know. */
  teach(managers) {
    for (const [way, methods] of Object.entries(frontEnd.leansOn)) {
      for (const manager of Object.values(managers)) {
        const [first] = methods;
        let kind = manager?.prototype;
        while (kind && !Object.hasOwn(kind, first)) kind = Object.getPrototypeOf(kind);
        if (!kind || kind[first].taught) continue;
        const missing = methods.find((name) => typeof manager.prototype[name] !== "function");
        if (missing) {
          frontEnd.plainly(`its widget manager has no ${missing}`);
          continue;
        }
        frontEnd[way](kind);
        kind[first].taught = true;
        frontEnd.taught.add(way);
      }
    }
  },

  /** Reach the front end as soon as its code is there, and before it shows anything. */
  expect(name) {
    let found;
    try {
      window._JUPYTERLAB ??= {};
      Object.defineProperty(window._JUPYTERLAB, name, {
        enumerable: true,
        configurable: true,
        get: () => found,
        set: (container) => {
          const get = container.get;
          const listening = async (part) => {
            const make = await get(part);
            return () => {
              const made = make();
              frontEnd.teach(made);
              return made;
            };
          };
          found = typeof get === "function" ? { ...container, get: listening } : container;
        },
      });
    } catch (error) {
      frontEnd.plainly(error.message);
    }
  },

  /** Say, once all boards are there, what could not be taught. */
  report() {
    const untaught = Object.keys(frontEnd.leansOn).filter((way) => !frontEnd.taught.has(way));
    if (untaught.length) frontEnd.plainly(`nobody was there to learn ${untaught.join(" and ")}`);
  },

  /** Leave the front end to its own ways, and say why: one line in the console. */
  plainly(why) {
    if (!frontEnd.isPlain) console.info(`castlelab: boards come as Voilà brings them: ${why}`);
    frontEnd.isPlain = true;
  },
};

frontEnd.expect("@jupyter-widgets/jupyterlab-manager");
