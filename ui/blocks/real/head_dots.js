// Heads as dots between two axes from 0 to 1, each a button.

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".head-dots") ?? build(parentElement);
  const said = JSON.stringify([data.dots, data.across, data.up]);
  if (root.shown === said) return;
  root.shown = said;
  const field = document.createElement("div");
  field.className = "field";
  field.append(
    ...JSON.parse(data.dots).map((dot, place) => {
      const made = document.createElement("button");
      made.type = "button";
      made.title = dot.spoken;
      made.setAttribute("aria-pressed", String(dot.is_chosen));
      made.setAttribute("aria-label", dot.spoken);
      Object.assign(made.style, { left: `${100 * dot.across}%`, bottom: `${100 * dot.up}%`, background: dot.label });
      made.onclick = () => setTriggerValue("pick", place);
      return made;
    }),
  );
  root.replaceChildren(words("up", `${data.up} →`), field, words("across", `${data.across} →`), words("least", "0"), words("most", "1"));
}

function build(parent) {
  const root = document.createElement("div");
  root.className = "head-dots";
  parent.append(root);
  return root;
}

function words(name, said) {
  return Object.assign(document.createElement("span"), { className: name, textContent: said });
}
