// Notes, by the page's own clock, when a person does something and when the plots have answered.
// Put into every page before its own scripts.

(() => {
  const CALM_LOOKS = 5; // in a row with nothing new; a blocked page takes none
  const BETWEEN_LOOKS = 40; // ms
  const PATIENCE = 120_000; // ms

  let notes = { paints: [] }; // {entered, pointed, lit, frames, paints: [{plot, at}]}

  // Every plot counts its draws in an attribute of its own.
  const painted = new MutationObserver((changes) => {
    for (const { target } of changes) {
      notes.paints.push({ plot: keyOf(target), at: performance.now() });
    }
  });
  painted.observe(document, { subtree: true, attributes: true, attributeFilter: ["data-painted"] });

  // While a page opens: the first text that is painted, how much of the page has moved since it was
  // seen (as the browser counts it, 1 for all of the window), and when the live page is uncovered.
  const opening = { readable: NaN, shift: 0, uncovered: 0 };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") opening.readable = startTime;
  });
  observe("layout-shift", ({ value }) => (opening.shift += value));
  let wasCovered = false;
  const uncovered = new MutationObserver(() => {
    const isCovered = Boolean(document.getElementById("first-sight"));
    if (wasCovered && !isCovered) {
      opening.uncovered = performance.now();
      uncovered.disconnect();
    }
    wasCovered = isCovered;
  });
  uncovered.observe(document, { subtree: true, childList: true });

  // Forget what was; note the next event of this type, and the next light after a pointer's move.
  function start(entry) {
    const mine = (notes = { paints: [] });
    const once = { capture: true, once: true };
    window.addEventListener(entry, (event) => (mine.entered = event.timeStamp), once);
    if (entry !== "pointerup") return;
    const lights = document.querySelector(".st-key-heads .plot-stage > svg:last-of-type");
    const lit = new MutationObserver(() => {
      if (mine.pointed !== undefined) mine.lit ??= performance.now();
    });
    lit.observe(lights, { childList: true });
    window.addEventListener("pointermove", (event) => {
      Object.assign(mine, { pointed: event.timeStamp, frames: 0 });
      const count = () => {
        if (mine.lit !== undefined) return lit.disconnect();
        mine.frames++;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    }, once);
  }

  // The plots that a person sees now: what is painted out of sight keeps nobody waiting.
  function plotsInSight() {
    const plots = [...document.querySelectorAll("[data-painted]")].filter((plot) => {
      const { top, bottom } = plot.getBoundingClientRect();
      return top < window.innerHeight && bottom > 0;
    });
    return new Set(plots.map(keyOf));
  }

  const keyOf = (plot) => /st-key-([\w-]+)/.exec(plot.closest('[class*="st-key-"]').className)[1];

  // What was noted, once the heads are painted and neither server nor page has anything to do;
  // on a machine that is too slow for that, what was noted so far.
  async function settled() {
    const mine = notes;
    const giveUp = performance.now() + PATIENCE;
    for (let calm = 0, noted = 0; calm < CALM_LOOKS; ) {
      if (performance.now() > giveUp) break;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS));
      const app = document.querySelector("[data-test-script-state]");
      const isIdle = app?.dataset.testScriptState === "notRunning";
      const isPainted = mine.paints.length > 0;
      // Older versions had plotly.js, which takes long to read.
      const isRead = Boolean(window.Plotly) || !document.querySelector(".plot-graph");
      const isAtRest = isIdle && isPainted && isRead;
      calm = isAtRest && mine.paints.length === noted ? calm + 1 : 0;
      noted = mine.paints.length;
    }
    const seen = plotsInSight();
    const paints = mine.paints.filter(({ plot }) => seen.has(plot));
    return { ...mine, paints, opening, born: performance.timeOrigin };
  }

  window.stopwatch = { start, settled };
})();
