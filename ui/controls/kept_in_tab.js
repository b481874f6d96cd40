// Keeps in this tab a scenario that is too large for the address, and offers it after a reload.
// Where the server was started anew, the page shows it again without a question.

const ours = new Map(); // by the name of a session: its id, once it has kept something in this document
const told = new Map(); // by the same: whether the server was told that this component is needed

export default function ({ parentElement, data: { session, name, text, lost, kept, bring, forget }, setStateValue, setTriggerValue }) {
  const item = `attention explorer ${name}`;
  const need = (isNeeded) => {
    if ((told.get(name) ?? false) !== isNeeded) setStateValue("is_needed", isNeeded);
    told.set(name, isNeeded);
  };
  const isOurs = ours.get(name) === session;
  if (text) {
    ours.set(name, session);
    say(parentElement, write(item, text) ? "" : lost);
    need(true);
  } else if (isOurs) { // it fits the address again
    forgetIt();
  } else if (ours.has(name) && read(item)) {
    ours.delete(name);
    setTriggerValue("back", read(item));
  } else if (read(item)) {
    const bringBack = () => {
      say(parentElement, "");
      setTriggerValue("back", read(item));
    };
    say(parentElement, kept, { [bring]: bringBack, [forget]: forgetIt });
    need(true);
  }

  function forgetIt() {
    ours.delete(name);
    write(item, "");
    say(parentElement, "");
    need(false);
  }
}

// A sentence with buttons, in the place of the one before.
function say(parent, sentence, buttons = {}) {
  const before = parent.querySelector(".kept-offer");
  if ((before?.firstChild.textContent ?? "") === sentence) return;
  before?.remove();
  if (!sentence) return;
  const said = Object.assign(document.createElement("div"), { className: "kept-offer" });
  said.setAttribute("role", "status");
  said.append(Object.assign(document.createElement("p"), { textContent: sentence }));
  for (const [textContent, onclick] of Object.entries(buttons)) {
    said.append(Object.assign(document.createElement("button"), { type: "button", textContent, onclick }));
  }
  parent.append(said);
}

// A browser may forbid it, and its room is limited.
function write(item, text) {
  try {
    if (text) sessionStorage.setItem(item, text);
    else sessionStorage.removeItem(item);
    return true;
  } catch {
    return false;
  }
}

function read(item) {
  try {
    return sessionStorage.getItem(item);
  } catch {
    return null;
  }
}
