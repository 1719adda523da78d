import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  main: {
    build: {
      outDir: "out/main",
      rollupOptions: {
        input: {
          index: path("src/main/index.ts"),
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
    plugins: [react()],
    build: {
      outDir: path("out/renderer"),
      emptyOutDir: true,
      rollupOptions: { input: path("src/renderer/index.html") },
    },
  },
});
