// Lines that are dragged to another place, or moved and removed by buttons, which a finger and a keyboard
// reach too. It reports which lines stay, by the places they had, in their new order.

export default function ({ parentElement, data, setTriggerValue }) {
  const list = parentElement.querySelector(".order-list") ?? build(parentElement);
  const report = (order) => setTriggerValue("order", order);
  list.setAttribute("aria-label", data.label);
  const lines = JSON.parse(data.lines);
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement ? activeElement.dataset.act : undefined;
  const wanted = list.wanted;
  list.replaceChildren(...lines.map((text, place) => line(text, place, lines.length, report, data)));
  list.wanted = null;
  // The pressed button keeps the focus, and goes along with its line.
  if (wanted !== null && wanted !== undefined) {
    const place = Math.min(wanted.place, lines.length - 1);
    list.children[place]?.querySelector(`[data-act="${wanted.act}"]:enabled, button:enabled`)?.focus();
  } else if (focused) list.querySelector("button:enabled")?.focus();
}

function build(parent) {
  const list = document.createElement("ol");
  list.className = "order-list";
  parent.append(list);
  return list;
}

// `said` holds the words for what the buttons do.
function line(text, place, count, report, said) {
  /** @type {any} */
  const item = document.createElement("li");
  item.draggable = true;
  const words = Object.assign(document.createElement("span"), { textContent: text });
  const all = () => Array.from({ length: count }, (_, i) => i);
  const act = (name, sign, label, isPossible, order, to) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign, disabled: !isPossible });
    button.dataset.act = name;
    button.setAttribute("aria-label", `${label}: ${text}`);
    button.onclick = () => {
      item.parentElement.wanted = { place: to, act: name };
      report(order());
    };
    return button;
  };
  item.append(
    words,
    act("up", "↑", said.up, place > 0, () => moved(all(), place, place - 1), place - 1),
    act("down", "↓", said.down, place < count - 1, () => moved(all(), place, place + 1), place + 1),
    act("remove", "×", said.remove, count > 1, () => all().filter((i) => i !== place), place),
  );
  item.ondragstart = (event) => {
    event.dataTransfer.setData("text/plain", String(place));
    event.dataTransfer.effectAllowed = "move";
    item.parentElement.dragged = place;
    item.classList.add("is-dragged");
  };
  item.ondragend = () => item.classList.remove("is-dragged");
  item.ondragover = (event) => {
    if (item.parentElement.dragged === undefined) return; // something from elsewhere
    event.preventDefault();
    item.classList.add("is-target");
  };
  item.ondragleave = () => item.classList.remove("is-target");
  item.ondrop = (event) => {
    event.preventDefault();
    const from = item.parentElement.dragged;
    item.parentElement.dragged = undefined;
    item.classList.remove("is-target");
    if (from !== undefined && from !== place) report(moved(all(), from, place));
  };
  return item;
}

export function moved(order, from, to) {
  const [taken] = order.splice(from, 1);
  order.splice(to, 0, taken);
  return order;
}
