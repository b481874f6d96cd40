// Making elements. Text is never read as HTML: a token called "<img src=x>" stays a token.

const SVG = "http://www.w3.org/2000/svg";

export function html(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

export function setAll(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
}

// Only what is another value: the browser styles and lays out all below an element that is told the same.
export function setOthers(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

// Puts these children in the place of those that are there. Of equal ones the old one stays: the browser
// has laid it out.
export function putChildren(parent, children) {
  let old = parent.firstChild;
  for (const child of children) {
    const same = sameSoon(old, child);
    if (same) {
      removeUntil(old, same);
      old = same.nextSibling;
    } else {
      parent.insertBefore(child, old);
    }
  }
  removeUntil(old, null);
}

const SOON = 3; // a line below a heading comes or goes, and what follows is the same

function sameSoon(from, child) {
  for (let old = from, left = SOON; old && left; old = old.nextSibling, left--) {
    if (old === child || old.isEqualNode(child)) return old;
  }
  return null;
}

function removeUntil(from, end) {
  for (let old = from; old !== end;) {
    const next = old.nextSibling;
    old.remove();
    old = next;
  }
}

export function button(text, act) {
  const made = html("button", { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}

// A drop-down list of [value, text] with a name. `act` gets what a person chooses.
export function list(label, options, act = (_chosen) => {}) {
  const made = html("select", { "aria-label": label });
  setOptions(made, options);
  made.onchange = () => act(made.value);
  return made;
}

// Other options for such a list. It keeps its choice when they change, where it can.
export function setOptions(select, options, wished = select.value) {
  select.replaceChildren(...options.map(([value, text]) => html("option", { value }, text)));
  if (options.some(([value]) => value === wished)) select.value = wished;
}

// Acts in the next frame, once, however often it is called before.
export const onceAFrame = (act) => once((then) => requestAnimationFrame(then), act);

// The same, when the browser has nothing else to do, or had for long.
export const onceIdle = (act) => once("requestIdleCallback" in window ? whenIdle : later, act);

const whenIdle = (act) => requestIdleCallback(act, { timeout: LONG_BUSY });
const LONG_BUSY = 2000; // ms

const later = (act) => setTimeout(act, WITHOUT_IDLE);
const WITHOUT_IDLE = 200; // ms, in a browser that does not say when it is idle

// Acts when what there is now is on the screen: in the frame after the next one. Where nothing is shown there are no
// frames, so it waits no longer than a moment.
export function onceShown(act) {
  let waits = true;
  const go = () => {
    if (waits) act();
    waits = false;
  };
  requestAnimationFrame(() => requestAnimationFrame(go));
  setTimeout(go, A_MOMENT);
}

const A_MOMENT = 500; // ms

function once(askFor, act) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    askFor(() => {
      waits = false;
      act();
    });
  };
}

// The place of an event in an element that may be scaled.
/** @returns {[number, number]} */
export function placeIn(element, { clientX, clientY }) {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

// Puts an element that lies over the page where `placed` says, which gets its size and that of the window.
export function putOver({ offsetWidth, offsetHeight, style }, placed) {
  const size = { width: offsetWidth, height: offsetHeight };
  const { left, top } = placed(size, { width: window.innerWidth, height: window.innerHeight });
  Object.assign(style, { left: `${left}px`, top: `${top}px` });
}

// A box in such an element as a box in the window.
export function boxInWindow(element, { x, y, w, h }) {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return { x: left + x * scale, y: top + y * scale, w: w * scale, h: h * scale };
}

function scaleOf({ style }) {
  return Number(style.scale) || 1;
}

// Whether nobody works anywhere: what had the focus was taken out of the page.
export function isFocusFree() {
  return !document.activeElement || document.activeElement === document.body;
}

// Whether a person wants little motion.
export function isCalm() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function isTouched() {
  return window.matchMedia("(pointer: coarse)").matches;
}

function filled(element, attributes, children) {
  setAll(element, attributes);
  element.append(...children);
  return element;
}
