// What a popover opens stands at the end of the page, and Streamlit leaves the focus on its button. So
// a person at the keyboard would go through the whole page to get there. This gives the focus to what
// has opened, and back to the button when it closes.

export default function ({ parentElement }) {
  return (parentElement.leave ??= come(parentElement)); // Streamlit may call again while it is open
}

function come(parentElement) {
  const dialog = parentElement.closest('[data-testid="stPopoverBody"]');
  /** @type {any} */
  const opener = document.activeElement;
  if (!dialog || opener?.getAttribute("aria-haspopup") !== "dialog") return undefined;
  const name = opener.querySelector("p");
  if (name) dialog.setAttribute("aria-label", name.textContent); // Streamlit's has the Markdown in it
  dialog.tabIndex = -1;
  dialog.style.outline = "none";
  dialog.focus({ preventScroll: true });
  const close = (event) => event.key === "Escape" && opener.focus();
  dialog.addEventListener("keydown", close);
  return () => {
    dialog.removeEventListener("keydown", close);
    if (document.activeElement === document.body) opener.focus();
  };
}
