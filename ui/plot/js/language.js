// The words that people read, in the language of the page.
//
// English stands in the code. The server puts the words of another language before this script, where
// there are any: see docs/languages.md.

// A text in that language. What stands at a {name} in it is named.
/** @param {string} text @param {Record<string, any>} named */
export function say(text, named = {}) {
  const words = globalThis.explorerWords?.[text] ?? text;
  return words.replace(/\{(\w+)\}/g, (whole, name) => named[name] ?? whole);
}
