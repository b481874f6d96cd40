// Sentences that a person may close. The browser remembers it, and asks nobody.
// They stand in the place that a picture leaves free, if they fit into it: closable.css puts them there.

export default function ({ parentElement, data: { name, sentences, close } }) {
  const item = `closed: ${name}`;
  const box = parentElement.querySelector(".closable") ?? build(parentElement);
  box.hidden = isKept(item);
  const button = box.querySelector("button");
  button.setAttribute("aria-label", close);
  button.onclick = () => {
    box.hidden = true;
    keep(item);
  };
  if (box.dataset.sentences === sentences) return; // to measure them anew lays out the page
  box.dataset.sentences = sentences;
  const items = sentences.split("\n").map((text) => Object.assign(document.createElement("li"), { textContent: text }));
  box.querySelector("ol").replaceChildren(...items);
  findPlace(box);
}

function build(parent) {
  const box = Object.assign(document.createElement("aside"), { className: "closable" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "\u00d7" });
  const place = Object.assign(document.createElement("div"), { className: "closable-place" });
  box.append(document.createElement("ol"), button);
  parent.append(box, place);
  const follow = () => findPlace(box);
  new ResizeObserver(follow).observe(place); // it is as large as what is free, and empty where nothing is
  document.fonts.ready.then(follow);
  return box;
}

function findPlace(box) {
  const { offsetWidth, offsetHeight } = box.nextElementSibling;
  box.classList.add("is-beside");
  const fits = box.offsetWidth <= offsetWidth && box.offsetHeight <= offsetHeight;
  box.classList.toggle("is-beside", fits);
}

// A browser may refuse to keep anything: then they come again.
function isKept(item) {
  try {
    return localStorage.getItem(item) !== null;
  } catch {
    return false;
  }
}

function keep(item) {
  try {
    localStorage.setItem(item, "1");
  } catch {
    // it stays closed until the page is loaded again
  }
}
