import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import usual from "../../vitest.config.ts";

/** A folder with other versions of the clients, and their names. */
const { SHEAF_CLIENTS: folder = "", SHEAF_CLIENT_NAMES: names = "" } = process.env;
const isClient = new RegExp(`^(${names.replaceAll(",", "|")})(/|$)`);

/** Runs unit tests with clients that are installed elsewhere than in this project. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, projects: undefined } },
  defineConfig({
    root: join(import.meta.dirname, "../.."),
    plugins: [
      {
        name: "other-clients",
        enforce: "pre",
        resolveId(id) {
          return isClient.test(id) ? this.resolve(id, join(folder, "index.js"), { skipSelf: true }) : null;
        },
      },
    ],
    test: { maxWorkers: 1, isolate: false },
  }),
);
