// Games to choose from: a radio button for each, drawn as a card with its cover.

function render({ model, el }) {
  const group = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = "Game";
  group.append(legend);
  globalThis.castlelabIds = (globalThis.castlelabIds ?? 0) + 1;
  const name = `castlelab-tiles-${globalThis.castlelabIds}`;
  for (const [value, title, cover] of model.get("games")) {
    const tile = document.createElement("label");
    const radio = Object.assign(document.createElement("input"), { type: "radio", name, value });
    const picture = Object.assign(document.createElement("img"), { src: cover, alt: "", ariaHidden: "true" });
    const words = document.createElement("span");
    words.textContent = title;
    radio.addEventListener("change", () => model.send({ do: "choose", game: value }));
    tile.append(radio, picture, words);
    group.append(tile);
  }
  const mark = () => {
    for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === model.get("value");
  };
  model.on("change:value", mark);
  mark();
  el.append(group);
  return () => model.off("change:value", mark);
}

export default { render };
