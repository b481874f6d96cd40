// Scrolls the page up when it is about something else.

let last = ""; // what the page was about

export default function ({ data: { about } }) {
  const isOther = last !== about;
  last = about;
  if (isOther) document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0, behavior: "instant" });
}
