// Saves a file that has come from the server. A run that sends the same file again does not save it.

export default function ({ parentElement, data }) {
  const box = parentElement.querySelector(".hand-over") ?? build(parentElement);
  if (isSame(box.data, data)) return;
  box.data = data;
  const length = data[0] + 256 * data[1];
  const [name, words, again] = new TextDecoder().decode(data.subarray(2, 2 + length)).split("\n");
  const file = new Blob([data.subarray(2 + length)]);
  const save = () => download(file, name);
  box.querySelector("span").textContent = words;
  Object.assign(box.querySelector("button"), { textContent: again, onclick: save });
  save();
}

function build(parent) {
  const box = Object.assign(document.createElement("div"), { className: "hand-over" });
  const words = document.createElement("span");
  words.setAttribute("role", "status");
  const again = Object.assign(document.createElement("button"), { type: "button" });
  box.append(words, again);
  parent.append(box);
  return box;
}

function download(file, name) {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // some browsers read it later
}

function isSame(one, other) {
  return one?.length === other.length && one.every((byte, i) => byte === other[i]);
}
