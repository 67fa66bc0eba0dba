// The line to the kernel, opened while the front end is still being read: a board waits for it.
//
// The front end asks whether its kernel is there and then opens a line, by itself only when all
// its scripts have run. Here both are on their way before; it is handed what it asks for. Where it
// asks for something else, or too late, it gets its own.
"use strict";

const line = {
  PROTOCOL: "v1.kernel.websocket.jupyter.org",
  WAITS: 20, // seconds for the front end to come and take what is there

  /** Begin to reach a kernel, named by its id. */
  reach(kernel) {
    const { token, baseUrl } = JSON.parse(document.getElementById("jupyter-config-data").textContent);
    if (token) return; // the front end knows where to show it
    const path = `${baseUrl}api/kernels/${kernel}`;
    line.asked = { path, answer: line.fetch.call(window, path, { cache: "no-store", headers: castlelab.passes() }) };
    line.asked.answer.catch(() => {}); // then it is asked again
    const address = new URL(`${path}/channels?session_id=${line.session()}`, location.href);
    address.protocol = location.protocol.replace("http", "ws");
    const opened = new WebSocket(address.href, [line.PROTOCOL]);
    const heard = [];
    const hear = (message) => heard.push(message);
    opened.binaryType = "arraybuffer";
    opened.addEventListener("message", hear);
    line.opened = { path: address.pathname, opened, heard, hear };
    setTimeout(() => line.taken(address.href, [line.PROTOCOL])?.close(), 1000 * line.WAITS);
  },

  /** A name for this end of the line, as the front end makes one for its own. */
  session() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  },

  /** The line that is there already, for whoever asks for the same; nothing otherwise. */
  taken(address, [protocols]) {
    const early = line.opened;
    if (!early || new URL(address, location.href).pathname !== early.path) return undefined;
    line.opened = null;
    const { opened, heard, hear } = early;
    if (opened.readyState > WebSocket.OPEN || ![protocols].flat().includes(line.PROTOCOL)) {
      opened.close();
      return undefined;
    }
    // Who takes it will listen in a moment, and has missed what was said before.
    const isOpen = opened.readyState === WebSocket.OPEN;
    queueMicrotask(() => {
      opened.removeEventListener("message", hear);
      if (isOpen) opened.onopen?.(new Event("open"));
      for (const message of heard) opened.onmessage?.(message);
    });
    return opened;
  },

  /** The answer that is on its way, for whoever asks for the same; nothing otherwise. */
  answered(request) {
    const { asked } = line;
    const isSame = asked && request.method === "GET" && new URL(request.url).pathname === asked.path;
    if (!isSame) return undefined;
    line.asked = null;
    const again = () => line.fetch.call(window, request);
    return asked.answer.then((answer) => (answer.ok ? answer : again()), again);
  },

  fetch: window.fetch,

  /** Hand out what is there, and notice when a line to the kernel is cut. */
  hold() {
    const Line = window.WebSocket;
    window.WebSocket = class extends Line {
      constructor(address, ...rest) {
        const early = line.taken(address, rest);
        if (early) return early;
        super(address, ...rest);
        const kernel = String(address).match(/api\/kernels\/[\w-]+/)?.[0];
        if (kernel) this.addEventListener("close", () => castlelab.findOut(kernel));
      }
    };
    window.fetch = (request, ...rest) => {
      const early = request instanceof Request ? line.answered(request) : undefined;
      return early ?? line.fetch.call(window, request, ...rest);
    };
    window.addEventListener("pagehide", () => (castlelab.leaving = true));
  },
};

line.hold();
