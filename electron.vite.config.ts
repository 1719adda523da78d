import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";

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
          // Entries of worker threads and processes, which src/main/desktop/backend.ts finds again next to the entry.
          "validation-worker": path("src/main/service/files/validation/worker.ts"),
          "schema-worker": path("src/main/service/engines/mock/worker.ts"),
          "judge-worker": path("src/main/service/verifications/judge-worker.ts"),
          "search-worker": path("src/main/service/results/search-worker.ts"),
          "build-worker": path("src/main/build/worker.ts"),
          "keychain-worker": path("src/main/secrets/keychain/worker.ts"),
        },
        output: { format: "es", entryFileNames: "[name].js" },
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
      // The content security policy takes fonts from files only, not from data: addresses.
      assetsInlineLimit: 0,
      rollupOptions: { input: path("src/renderer/index.html") },
    },
  },
});
