// Scrolls the page up when it is about something else. A page that is opened stays where it is.

let last; // what the page was about

export default function ({ data: about }) {
  const isOther = last !== undefined && last !== about;
  last = about;
  if (isOther) document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0, behavior: "instant" });
}
