// Small pictures of heads, each a button. The words above them show how many heads do what; a click on one
// leaves only those heads bright.

const INK = [111, 96, 200]; // stands out on light and dark pages

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".head-tiles") ?? build(parentElement);
  if (root.shown === data.tiles) return; // pictures that are there stay
  root.shown = data.tiles;
  root.dataset.kind = data.kind;
  const tiles = JSON.parse(data.tiles);
  const places = tiles.map((tile, place) => button(tile, () => setTriggerValue("pick", place)));
  const chips = legend(root, tiles, JSON.parse(data.legend), data.filter);
  root.style.setProperty("--across", String(largestGroup(tiles)));
  root.replaceChildren(...(chips ? [chips] : []), ...groups(tiles, places, data.kind === "texts" ? "h3" : "h2"));
  if (root.only !== undefined) showOnly(root, root.only);
}

function build(parent) {
  const root = document.createElement("div");
  root.className = "head-tiles";
  parent.append(root);
  return root;
}

// Tiles with one heading stand together, below it.
function groups(tiles, buttons, heading) {
  const made = [];
  tiles.forEach((tile, place) => {
    if (!place || tile.group !== tiles[place - 1].group) {
      const section = document.createElement("section");
      if (tile.group) section.append(text(heading, tile.group));
      const row = document.createElement("div");
      row.className = "row";
      section.append(row);
      made.push(section);
    }
    made.at(-1).lastChild.append(buttons[place]);
  });
  return made;
}

// How many tiles the largest group has.
export function largestGroup(tiles) {
  const sizes = new Map();
  for (const { group } of tiles) sizes.set(group, 1 + (sizes.get(group) ?? 0));
  return Math.max(1, ...sizes.values());
}

function button(tile, pick) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.label = tile.label;
  made.style.setProperty("--label", tile.color);
  made.setAttribute("aria-label", tile.spoken);
  made.title = tile.spoken;
  const name = text("span", tile.name);
  name.className = "name";
  made.append(text("b", tile.title), picture(tile), name, text("small", tile.says));
  made.onclick = pick;
  return made;
}

export function picture(tile) {
  const bytes = Uint8Array.from(atob(tile.cells), (letter) => letter.charCodeAt(0));
  const canvas = Object.assign(document.createElement("canvas"), { width: tile.across, height: bytes.length / tile.across });
  const context = canvas.getContext("2d");
  context?.putImageData(new ImageData(inked(bytes), tile.across), 0, 0);
  return canvas;
}

// The colour of the ink everywhere, and as opaque as the weight is large: so it fits each ground.
export function inked(bytes) {
  const pixels = new Uint8ClampedArray(4 * bytes.length);
  bytes.forEach((weight, cell) => pixels.set([...INK, weight], 4 * cell));
  return pixels;
}

function legend(root, tiles, labels, said) {
  const counted = counts(tiles, labels);
  if (counted.length < 2) return null;
  const chips = document.createElement("div");
  chips.className = "legend";
  chips.setAttribute("role", "group");
  chips.setAttribute("aria-label", said);
  chips.append(
    ...counted.map(({ label, name, color, count }) => {
      const chip = Object.assign(text("button", `${name} ${count}`), { type: "button" });
      chip.dataset.only = label;
      chip.style.setProperty("--label", color);
      chip.setAttribute("aria-pressed", "false");
      chip.onclick = () => showOnly(root, root.only === label ? undefined : label);
      return chip;
    }),
  );
  return chips;
}

// How many tiles have each label; none of which there is no tile.
export function counts(tiles, labels) {
  return labels
    .map((label) => ({ ...label, count: tiles.filter((tile) => tile.label === label.label).length }))
    .filter(({ count }) => count);
}

function showOnly(root, label) {
  root.only = label;
  for (const chip of root.querySelectorAll("[data-only]")) chip.setAttribute("aria-pressed", String(Number(chip.dataset.only) === label));
  for (const tile of root.querySelectorAll("[data-label]")) tile.classList.toggle("is-pale", label !== undefined && Number(tile.dataset.label) !== label);
}

function text(tag, words) {
  return Object.assign(document.createElement(tag), { textContent: words });
}
