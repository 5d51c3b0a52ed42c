// Bundles the editor into one file of the page.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.env.TRUNK_STAGING_DIR ?? resolve(here, "../../dist");

/**
 * The editor uses style sheets that the document constructs, in every browser that has them: the page's policy
 * forbids `style` elements.
 */
const adopted = {
  name: "adopted",
  setup(bundle) {
    bundle.onLoad({ filter: /style-mod\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const contents = source.replace("!root.head && root.adoptedStyleSheets", "root.adoptedStyleSheets");
      if (contents === source) throw new Error(`${path} no longer creates its style sheets in this way`);
      return { contents };
    });
  },
};

await build({
  entryPoints: [join(here, "editor.mjs")],
  outfile: join(target, "editor.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  // The editor has no grammar: stubs replace the grammar packages, which saves a tenth of the bundle.
  alias: { "@codemirror/language": join(here, "language.mjs"), "@lezer/common": join(here, "language.mjs") },
  loader: { ".css": "text" },
  plugins: [adopted],
});
