// Small pictures of heads, each a button. The words above them show how many heads do what; a click on one
// leaves only those heads bright. Many heads are a map: a row for each layer, so small that all of them are seen
// at once, and the head that is looked at stands large beside it.

const MANY = 64; // more heads than these are a map
const INK = [111, 96, 200]; // stands out on light and dark pages

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".head-tiles") ?? build(parentElement);
  if (root.shown === data.tiles) return; // pictures that are there stay
  root.shown = data.tiles;
  root.dataset.kind = data.kind;
  const tiles = JSON.parse(data.tiles);
  const isMap = data.kind === "heads" && tiles.length > MANY;
  const pick = (place) => setTriggerValue("pick", place);
  const buttons = tiles.map((tile, place) => button(tile, isMap, () => pick(place)));
  const chips = legend(root, tiles, JSON.parse(data.legend), data.filter);
  const sections = groups(tiles, buttons, data.kind === "texts" ? "h3" : "h2");
  root.toggleAttribute("data-map", isMap);
  root.style.setProperty("--across", String(largestGroup(tiles)));
  root.style.setProperty("--down", String(sections.length));
  root.look = undefined;
  root.replaceChildren(...(chips ? [chips] : []), ...(isMap ? [map(root, tiles, buttons, sections, data, pick)] : sections));
  if (root.only !== undefined) showOnly(root, root.only);
}

function build(parent) {
  const root = block("head-tiles");
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
      section.append(block("row"));
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

function button(tile, isTiny, pick) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.label = tile.label;
  made.style.setProperty("--label", tile.color);
  made.setAttribute("aria-label", tile.spoken);
  made.title = tile.spoken;
  const name = text("span", tile.name);
  name.className = "name";
  made.append(text("b", tile.title), picture(tile, isTiny), name, text("small", tile.says));
  made.onclick = pick;
  return made;
}

export function picture(tile, isTiny = false) {
  const bytes = Uint8Array.from(atob(tile.cells), (letter) => letter.charCodeAt(0));
  const canvas = Object.assign(document.createElement("canvas"), { width: tile.across, height: bytes.length / tile.across });
  const context = canvas.getContext("2d");
  context?.putImageData(new ImageData(inked(bytes, isTiny), tile.across), 0, 0);
  return canvas;
}

// The colour of the ink everywhere, and as opaque as the weight is large: so it fits each ground. A tiny picture has
// it twice, or a line of one pixel would be too faint to be seen.
export function inked(bytes, isTiny = false) {
  const pixels = new Uint8ClampedArray(4 * bytes.length);
  const opaque = isTiny ? (weight) => 255 - (255 - weight) ** 2 / 255 : (weight) => weight;
  bytes.forEach((weight, cell) => pixels.set([...INK, opaque(weight)], 4 * cell));
  return pixels;
}

// All heads at once. Tab comes to one of them and goes on behind the map; the arrows go from head to head.
function map(root, tiles, buttons, sections, data, pick) {
  const made = block("map");
  const box = block("box", ...(tiles[0].group ? [columns(largestGroup(tiles))] : []), ...sections);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", data.all);
  const large = block("looked-at");
  const largeOf = data.large ?? ((tile) => [picture(tile)]);
  const look = (place) => {
    if (place === root.looked && large.firstChild) return;
    buttons[root.looked]?.classList.remove("is-looked-at");
    root.looked = place;
    root.lookedAt = nameOf(tiles[place]);
    buttons[place].classList.add("is-looked-at");
    large.replaceChildren(...largeOf(tiles[place]), text("p", tiles[place].spoken), ...(data.open ? [open] : []));
  };
  const open = Object.assign(text("button", data.open), { type: "button", onclick: () => pick(root.looked) });
  buttons.forEach((each, place) => {
    let wasElsewhere = false;
    each.tabIndex = -1;
    each.onpointerdown = (event) => (wasElsewhere = event.pointerType === "touch" && root.looked !== place);
    each.onpointermove = ({ movementX, movementY, pointerType }) => {
      const isMoved = movementX || movementY; // not the page below it, which scrolls
      if (isMoved && pointerType !== "touch") look(place);
    };
    each.onfocus = () => {
      for (const other of buttons) other.tabIndex = other === each ? 0 : -1;
      look(place);
    };
    each.onclick = () => (wasElsewhere && data.open ? look(place) : pick(place)); // a finger cannot look first
  });
  box.onkeydown = (event) => {
    const at = buttons.indexOf(event.target);
    const to = stepTo(buttons.map(({ offsetLeft, offsetTop }) => [offsetLeft, offsetTop]), at, event.key);
    if (to === undefined) return;
    event.preventDefault();
    buttons[to].focus();
  };
  root.look = look;
  look(tiles[root.looked] && nameOf(tiles[root.looked]) === root.lookedAt ? root.looked : 0); // sorted anew, the first
  buttons[root.looked].tabIndex = 0;
  made.append(box, large);
  return made;
}

const nameOf = ({ group, title }) => `${group} ${title}`;

// The numbers of the heads, above their columns. Each head says its own.
function columns(count) {
  const made = block("columns", ...Array.from({ length: count }, (_, head) => text("span", String(head + 1))));
  made.setAttribute("aria-hidden", "true");
  return made;
}

// Where a key leads from a place: to the next one in the order, to the nearest of the next row, to an end.
export function stepTo(corners, at, key) {
  const last = corners.length - 1;
  const inOrder = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
  if (inOrder !== undefined) return inOrder < 0 || inOrder > last ? undefined : inOrder;
  const way = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (!way) return undefined;
  const [left, top] = corners[at];
  const far = ([x, y]) => (way * (y - top) > 0 ? way * (y - top) * 1e4 + Math.abs(x - left) : Infinity);
  const nearest = corners.reduce((best, corner, place) => (far(corner) < far(corners[best]) ? place : best), at);
  return nearest === at ? undefined : nearest;
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
      chip.onclick = () => {
        showOnly(root, root.only === label ? undefined : label);
        if (root.only === label) root.look?.(tiles.findIndex((tile) => tile.label === label));
      };
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

function block(name, ...inside) {
  const made = document.createElement("div");
  made.className = name;
  made.append(...inside);
  return made;
}

function text(tag, words) {
  return Object.assign(document.createElement(tag), { textContent: words });
}
