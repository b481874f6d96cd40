// Keeps in the address what the page shows, as long as the browser is there.

export default function ({ data: { page, query } }) {
  if (!location.pathname.endsWith(`/${page}`)) return;
  const embed = [...new URLSearchParams(location.search)].filter(([name]) => name.startsWith("embed"));
  const search = [new URLSearchParams(embed).toString(), query].filter(Boolean).join("&");
  history.replaceState(history.state, "", `?${search}`);
}
