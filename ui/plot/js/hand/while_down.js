// Follows a pointer that is down, wherever it goes, until the function that this returns is called. `end(keeps)` is
// told that it is let go, or given up, as by Escape.
export function whileDown(move, end) {
  const stop = new AbortController();
  const on = (type, act) => window.addEventListener(type, act, { capture: true, signal: stop.signal });
  on("pointermove", move);
  on("pointerup", () => end(true));
  on("pointercancel", () => end(false));
  on("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  });
  return () => stop.abort();
}
