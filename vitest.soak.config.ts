import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import { readSeed } from "./scripts/soak/random.ts";
import usual from "./vitest.config.ts";

// One for all of them, which their processes inherit: with it they draw the same again.
process.env.SHEAF_SEED = String(readSeed());
process.stdout.write(`SHEAF_SEED=${process.env.SHEAF_SEED}\n`);

/** Tests that make up their inputs. */
const fuzz = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => join("src", path))
  .filter((path) => readFileSync(path, "utf8").includes('from "fast-check"'));

/** `npm run soak`: tests that make up their inputs make up far more, and those that take long run at all. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, projects: undefined } },
  defineConfig({
    resolve: {
      alias: [{ find: /^fast-check$/, replacement: join(import.meta.dirname, "scripts/soak/fast-check.ts") }],
    },
    test: { include: [...fuzz, "{src,e2e,scripts}/**/*.soak.ts"], testTimeout: 1_200_000, isolate: false },
  }),
);
