import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";
import { entries } from "./src/main/own-files.ts";

const { cli: _, ...loaded } = entries;

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Both hosts serve the page at the root, and its screens have paths: `./assets` would be looked for below them. */
const absoluteBase: Plugin = { name: "sheaf:absolute-base", config: () => ({ base: "/" }) };

export default defineConfig({
  main: {
    build: {
      outDir: "out/main",
      rollupOptions: {
        input: {
          index: path("src/main/index.ts"),
          ...Object.fromEntries(Object.entries(loaded).map(([name, entry]) => [name, path(`src/main/${entry}`)])),
        },
        // All next to one another: src/main/own-files.ts finds the entries from whichever chunk it is in.
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
