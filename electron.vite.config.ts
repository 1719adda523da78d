import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";
import { createLicenseList } from "./scripts/package/licenses.ts";
import { entries } from "./src/main/app-paths.ts";
import { createTable } from "./src/main/requests/tokens/vocabulary-table.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Both hosts serve the page at the root, and its screens have paths: `./assets` would be looked for below them. */
const absoluteBase: Plugin = { name: "sheaf:absolute-base", config: () => ({ base: "/" }) };

const namedCharacters = path("node_modules/decode-named-character-reference/index.js");

const licenses = createLicenseList();

/** What the npm package has next to its code, too: the table of tokens, and the licenses of what is bundled. */
const besideTheCode: Plugin = {
  name: "sheaf:beside-the-code",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "o200k.bin", source: createTable() });
    this.emitFile({ type: "asset", fileName: "licenses.md", source: licenses.describe() });
  },
};

export default defineConfig({
  main: {
    plugins: [licenses.plugin, besideTheCode],
    build: {
      outDir: "out/main",
      // The packed app has no node_modules but keytar's, which is found at run time: everything else is bundled.
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: path("src/main/index.ts"),
          ...Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, path(`src/main/${entry}`)])),
        },
        // All next to one another: src/main/app-paths.ts finds the entries from whichever chunk it is in.
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  },
  preload: {
    build: {
      outDir: "out/preload",
      // A sandboxed preload can require nothing but electron: everything else is bundled into one CommonJS file.
      externalizeDeps: false,
      rollupOptions: {
        input: { index: path("src/preload/index.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: path("src/renderer"),
    plugins: [react(), absoluteBase],
    // Markdown is read in a worker: what this package has for browsers asks a document, and a worker has none.
    resolve: { alias: { "decode-named-character-reference": namedCharacters } },
    worker: { format: "es" },
    build: {
      minify: true,
      outDir: path("out/renderer"),
      emptyOutDir: true,
      license: { fileName: "licenses.md" },
      // The content security policy takes fonts from files only, not from data: addresses.
      assetsInlineLimit: 0,
      rollupOptions: { input: path("src/renderer/index.html") },
    },
  },
});
