// Scrolls to the container in which it stands, when that comes. Who scrolls away afterwards is left alone.

export default function ({ parentElement }) {
  if (parentElement.hasCome) return; // Streamlit calls again with each run
  parentElement.hasCome = true;
  const container = parentElement.closest('[data-testid="stVerticalBlock"]');
  requestAnimationFrame(() => container?.scrollIntoView({ block: "nearest" })); // with all that it holds
}
