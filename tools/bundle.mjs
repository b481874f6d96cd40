// Builds what a browser is sent: of the app all modules and styles as one file, of each page in one file its modules,
// and the script of the first answer.
//
//     node tools/bundle.mjs FOLDER
//
// Streamlit would send the styles of a component with each of its messages. They were a third of all
// that a small change sends. Here the script gives them to the document, once.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build, transform } from "esbuild";

const PLOT = resolve(import.meta.dirname, "..", "ui", "plot");
const STYLES = ["form.css", "plot.css", "help.css", "present.css"]; // where two say different things, the later one holds
const APP = [
  ...STYLES.map((name, place) => `import style${place} from "./${name}";`),
  `for (const style of [${STYLES.map((_, place) => `style${place}`)}]) {`,
  "  const sheet = new CSSStyleSheet();",
  "  sheet.replaceSync(style);",
  "  document.adoptedStyleSheets.push(sheet);",
  "}",
  'export * from "./js/streamlit.js";',
].join("\n");

// A style sheet is imported as a text, without what only people read.
const styleAsText = {
  name: "style as text",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf-8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

const ALIKE = {
  bundle: true,
  format: "esm",
  charset: "utf8",
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: false, // names in a browser's errors; and git keeps a change, not the whole file again
  legalComments: "inline",
  tsconfigRaw: "{}", // that of the checks says nothing about what is sent
  plugins: [styleAsText],
  logLevel: "warning",
};

const [folder] = process.argv.slice(2);
await build({ ...ALIKE, stdin: { contents: APP, resolveDir: PLOT }, outfile: resolve(folder, "plot.js") });
for (const page of [["saved", "packed.js"], ["saved", "saved_page.js"], ["saved", "map_page.js"], ["building", "puzzle_page.js"]]) {
  // Not as modules: the browser would run them only later.
  await build({ ...ALIKE, format: "iife", entryPoints: [resolve(PLOT, "js", ...page)], outdir: folder });
}
await build({
  ...ALIKE,
  minifyIdentifiers: true, // it is sent with each first answer
  format: "iife",
  entryPoints: [resolve(PLOT, "js", "first_sight", "first_sight.js")],
  outdir: folder,
});
