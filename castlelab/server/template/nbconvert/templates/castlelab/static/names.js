// Names for what Jupyter shows without any, so that a screen reader can say what it is:
// the handles of sliders, which are called like their label, and pictures, which carry their
// title and description inside.
"use strict";

{
  const SIGNS = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };

  /** The words of an SVG's title or description. */
  const wordsOf = (svg, tag) => {
    const found = svg.match(new RegExp(`<${tag}>([^<]*)</${tag}>`))?.[1] ?? "";
    return found.replace(/&(?:lt|gt|quot|#x27|amp);/g, (sign) => SIGNS[sign]).trim();
  };

  const nameHandle = (handle) => {
    const label = handle.closest(".jupyter-widgets")?.querySelector(".widget-label");
    handle.setAttribute("aria-label", label?.textContent.trim() || "Slider");
  };

  const nameImage = (image) => {
    const svg = decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1));
    const words = ["title", "desc"].map((tag) => wordsOf(svg, tag)).filter(Boolean);
    image.alt = words.join(". ") || "Picture";
  };

  const nameAll = () => {
    waiting = false;
    document.querySelectorAll(".noUi-handle:not([aria-label])").forEach(nameHandle);
    document.querySelectorAll(".jp-RenderedSVG img:not([alt])").forEach(nameImage);
  };

  // Boards change all the time, so once a frame is enough.
  let waiting = false;
  new MutationObserver(() => {
    if (!waiting) requestAnimationFrame(nameAll);
    waiting = true;
  }).observe(document, { childList: true, subtree: true });
}
