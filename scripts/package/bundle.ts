import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type InputOptions, type OutputOptions, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { entries } from "../../src/main/app-paths.ts";
import { inProject } from "../setup/paths.mjs";
import { createLicenseList } from "./licenses.ts";
import { describeWireTypes } from "./wire-types.ts";

/** What the package exports, by the names of its files. */
const exported = {
  testing: inProject("src/testing/index.ts"),
  vitest: inProject("src/testing/vitest.ts"),
};

/** What it exports for `require` besides: jest loads no ES modules by default. */
const exportedTwice = {
  process: inProject("src/testing/process.ts"),
  jest: inProject("src/testing/jest.ts"),
};

/** Put in place of the global ones in each file of the package. */
const nodeGlobals = { "node-globals": inProject("src/testing/node-globals.ts") };
const globalNames = Object.keys(await import("../../src/testing/node-globals.ts")).sort();

const common = {
  cwd: inProject("."),
  platform: "node",
  external: [/^node:/, "vitest", "@jest/globals"],
  checks: { pluginTimings: false },
} satisfies InputOptions;

/** Parts of fastify that the service doesn't use, with what fastify reads of them. They would be loaded with each start. */
const unused: Readonly<Record<string, string>> = {
  "light-my-request": "",
  "@fastify/ajv-compiler": "module.exports = () => null;",
  "@fastify/fast-json-stringify-compiler": "module.exports = () => null;",
  pino: "exports.symbols = exports.stdSerializers = {};",
};
const withoutUnused = {
  name: "sheaf:unused",
  resolveId: {
    filter: { id: new RegExp(`^(${Object.keys(unused).join("|")})$`) },
    handler: (id: string, importer?: string) => (importer?.includes("/fastify/") ? `\0unused:${id}.cjs` : null),
  },
  load: {
    filter: { id: /^\0unused:/ },
    handler: (id: string) => unused[id.replace(/^\0unused:(.*)\.cjs$/, "$1")] ?? null,
  },
};

const output = {
  minify: true,
  sourcemap: "hidden",
  chunkFileNames: "chunk-[hash].js",
} satisfies OutputOptions;

/** Writes the code: every file next to the others, as src/main/app-paths.ts looks for them. Returns the licenses of what is in it. */
export async function bundleCode(folder: string): Promise<string> {
  const licenses = createLicenseList();
  const input = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, `src/main/${entry}`]));
  await using globals = await rolldown({ ...common, input: nodeGlobals });
  await globals.write({ ...output, dir: folder, format: "es", entryFileNames: "[name].js" });
  await globals.write({ ...output, dir: folder, format: "cjs", entryFileNames: "[name].cjs" });
  await using modules = await rolldown({
    ...common,
    input: { ...input, ...exported, ...exportedTwice },
    plugins: [withoutUnused, licenses.plugin],
  });
  const postBanner = `import{${globalNames}}from"./node-globals.js";`;
  await modules.write({ ...output, postBanner, dir: folder, format: "es", entryFileNames: "[name].js" });
  await using scripts = await rolldown({ ...common, input: exportedTwice });
  const names = { entryFileNames: "[name].cjs", chunkFileNames: "chunk-[hash].cjs" };
  const required = `const{${globalNames}}=require("./node-globals.cjs");`;
  await scripts.write({ ...output, ...names, postBanner: required, dir: folder, format: "cjs" });
  return licenses.describe();
}

/** Writes the declarations, one file for each export. */
export async function bundleTypes(folder: string): Promise<void> {
  for (const [name, entry] of Object.entries({ ...exported, ...exportedTwice })) {
    await using bundle = await rolldown({
      ...common,
      input: { [name]: entry },
      // None of the other types are part of what is exported.
      external: /^[^./]/,
      plugins: [
        // What the sources derive from zod schemas is written out, so that the declarations need no zod.
        {
          name: "sheaf:wire-types",
          load: { filter: { id: /\/testing\/wire-types\.ts$/ }, handler: describeWireTypes },
        },
        // Each function that is exported has its types written next to it, so no checker is needed.
        dts({ generator: "oxc", emitDtsOnly: true }),
      ],
    });
    await bundle.write({ dir: folder, format: "es" });
    if (name in exportedTwice) await copyFile(join(folder, `${name}.d.ts`), join(folder, `${name}.d.cts`));
  }
}
