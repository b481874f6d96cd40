// As much of a page as small scripts ask for while they decide something: elements without a place,
// listeners that a test calls, an address, and what a tab keeps.

class Listeners {
  #all = [];
  addEventListener(name, act, { signal } = {}) {
    this.#all.push({ name, act, signal });
  }
  dispatch(name, event) {
    for (const each of this.#all) if (each.name === name && !each.signal?.aborted) each.act(event);
  }
}

export class Element extends Listeners {
  /** @type {Record<string, any>} */
  dataset = {};
  /** @type {Record<string, string>} */
  attributes = {};
  /** @type {any[]} */
  children = [];
  textContent = "";
  innerHTML = "";
  className = "";
  isConnected = true;
  classList = { add() {}, remove() {}, toggle() {} };

  constructor(tag = "div") {
    super();
    this.tagName = tag.toUpperCase();
  }
  append(...children) {
    const elements = children.filter((child) => typeof child !== "string");
    for (const child of elements) child.parent = this;
    this.textContent += children.filter((child) => typeof child === "string").join("");
    this.children.push(...elements);
  }
  remove() {
    const { parent } = this;
    if (parent) parent.children = parent.children.filter((each) => each !== this);
  }
  setAttribute(name, value) { this.attributes[name] = value; }
  getAttribute(name) { return this.attributes[name] ?? null; }
  contains(other) { return other === this || this.children.some((each) => each.contains(other)); }
  closest(tag) { return this.tagName === tag.toUpperCase() ? this : null; }
  getBoundingClientRect() { return { height: 0, top: 0, bottom: 0 }; }
  // A child by its class, or by its tag in what was written as HTML.
  querySelector(selector) {
    const child = this.children.find(({ className }) => selector === `.${className}`);
    const [, text] = this.innerHTML.match(`<${selector}>(.*?)</${selector}>`) ?? [];
    const written = text && Object.assign(new Element(selector), { textContent: text, innerHTML: text });
    return child ?? written ?? null;
  }
  get firstChild() { return this.children[0]; }
  get allText() { return this.textContent + this.children.map((each) => each.allText).join(" "); }
}

// It says whom it watches; a test tells it what there is to see.
class Observer {
  watched = new Set();

  constructor(tell) { this.tell = tell; }
  observe(element) { this.watched.add(element); }
  unobserve(element) { this.watched.delete(element); }
  disconnect() { this.watched.clear(); }
}

let page; // one for all, as the tests of all scripts run in one process

// Puts the page where scripts look for it, before they are imported.
export function standInForPage() {
  return page ??= putInPlace();
}

function putInPlace() {
  const document = Object.assign(new Listeners(), {
    createElement: (tag) => new Element(tag),
    querySelector: () => null,
    getElementsByClassName: () => [],
  });
  const tab = new Map();
  const sessionStorage = {
    getItem: (name) => tab.get(name) ?? null,
    setItem: (name, text) => { tab.set(name, text); },
    removeItem: (name) => { tab.delete(name); },
  };
  const made = {
    document,
    window: new Listeners(),
    location: { pathname: "/", search: "" },
    history: {
      state: null,
      replaceState(_state, _title, address) { made.location.search = address; },
      pushState(_state, _title, address) {
        made.history.pushed.push(address);
        made.location.search = address;
      },
      /** @type {string[]} */
      pushed: [],
    },
    navigator: { platform: "Linux" },
    sessionStorage,
    Element,
    IntersectionObserver: class extends Observer {},
    ResizeObserver: class extends Observer {},
  };
  for (const [name, value] of Object.entries(made)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return made;
}
