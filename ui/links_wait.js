// Streamlit sends what was typed into a field once it is left, and its run goes on from the page that is shown. A tap
// on a link leaves the field and asks for another page at once: the text would then lead back from there, or the
// address of one page would stand at the other. So such a link waits until the text has been taken.

{
  const SENT = 40; // milliseconds until the text is on its way
  const BEGUN = 600; // until its run has begun, if there is one: the text may be the same as before
  const ENDED = 3000; // until that has ended
  const AGAIN = 20;
  let typedIn = null; // the field with a text that was not entered
  let isLeaving = false; // it, just now

  const on = (event, act) => addEventListener(event, act, true);
  on("input", ({ target }) => { typedIn = target; });
  on("keydown", ({ key, target }) => { if (key === "Enter" && target.matches("input")) typedIn = null; });
  on("focusout", ({ target }) => {
    if (target !== typedIn) return;
    [typedIn, isLeaving] = [null, true];
    setTimeout(() => { isLeaving = false; }, SENT);
  });
  on("click", (event) => {
    const link = event.target.closest("a[href]:not([target=_blank], [download])");
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!link || !isLeaving || opensElsewhere) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    follow(link);
  });

  const isRunning = () => !document.querySelector('[data-test-script-state="notRunning"]');

  async function follow(link) {
    const words = link.textContent;
    await until(isRunning, BEGUN);
    await until(() => !isRunning(), ENDED);
    const isItself = link.isConnected;
    (isItself ? link : [...document.links].find(({ textContent }) => textContent === words))?.click();
  }

  async function until(holds, milliseconds) {
    for (let waited = 0; !holds() && waited < milliseconds; waited += AGAIN) {
      await new Promise((later) => setTimeout(later, AGAIN));
    }
  }
}
