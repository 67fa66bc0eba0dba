// Reads and writes one text in the visitor's own browser; knows the page's address and width.
//
// It tells the kernel by messages only, never by changing the model: what the kernel says back
// about an older text must not be taken for a wish to store it.

const LONGEST = 1_000_000; // characters; the kernel holds the same bounds
const LONGEST_QUERY = 16_000;
const PATIENCE = 3_000; // milliseconds for the kernel to answer
const STORES = { browser: "localStorage", tab: "sessionStorage" };
// Other storages on this page hear of a change from here; the browser tells other tabs only.
const CHANGED = "castlelab-kept";

/** What is stored; a browser that forbids storage throws as soon as one names it. */
function read(where, key) {
  const text = window[STORES[where]].getItem(key) ?? "";
  if (text.length > LONGEST) throw new Error(`what is stored is longer than ${LONGEST} characters`);
  return text;
}

function write(where, key, text) {
  const store = window[STORES[where]];
  if (text) store.setItem(key, text);
  else store.removeItem(key);
}

/**
 * The key as it is stored. People who share a browser have servers of their own behind a Hub, at
 * addresses that begin differently; what one of them keeps is not for the others.
 */
function keyOf(model) {
  const settings = document.getElementById("jupyter-config-data")?.textContent ?? "{}";
  const base = JSON.parse(settings).baseUrl ?? "/";
  return base === "/" || model.get("nameless") ? model.get("key") : `${base} ${model.get("key")}`;
}

function initialize({ model }) {
  const leave = new AbortController();
  const { signal } = leave;
  const [where, key] = [model.get("where"), keyOf(model)];

  const attempt = (job) => {
    try {
      return { kept: job(), trouble: "" };
    } catch (error) {
      return { kept: "", trouble: String(error?.message ?? error) };
    }
  };
  const tellKept = () => model.send({ do: "kept", ...attempt(() => read(where, key)) });

  /** Store a text, unless somebody else has stored another one than the kernel knows of. */
  const swap = ({ was, text, number }) => {
    const now = attempt(() => read(where, key));
    if (!now.trouble && now.kept !== was) {
      model.send({ do: "kept", ...now });
      return;
    }
    const { trouble } = attempt(() => write(where, key, text));
    model.send({ do: "swapped", number, trouble });
    if (!trouble) window.dispatchEvent(new CustomEvent(CHANGED, { detail: { where, key, model } }));
  };

  const turnTo = (query) => {
    // JupyterLab reads its own address; only a page that Voilà made may change it.
    if (!document.body.dataset.voila) return;
    history.replaceState(history.state, "", `${location.pathname}${query}${location.hash}`);
  };

  let isHeard = false;
  const hear = (message) => {
    if (message.do === "welcome") isHeard = true;
    else if (message.do === "swap") swap(message);
    else if (message.do === "turn to") turnTo(message.query);
  };
  model.on("msg:custom", hear);
  window.addEventListener(CHANGED, ({ detail }) => {
    if (detail.model !== model && detail.where === where && detail.key === key) tellKept();
  }, { signal });
  window.addEventListener("storage", (event) => {
    // A key of null: everything was forgotten at once.
    if (where === "browser" && (event.key === key || event.key === null)) tellKept();
  }, { signal });

  /** Say that the page is there, again if nobody answers: what is said early can get lost. */
  const arrive = (times) => {
    if (isHeard || signal.aborted || !times) return;
    const query = location.search.slice(0, LONGEST_QUERY);
    const narrow = matchMedia("(max-width: 700px)").matches;
    model.send({ do: "ready", query, narrow, ...attempt(() => read(where, key)) });
    setTimeout(() => arrive(times - 1), PATIENCE);
  };
  arrive(20);
  return () => {
    leave.abort();
    model.off("msg:custom", hear);
  };
}

export default { initialize };
