import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ChunkingContext,
  type CodeSplittingGroup,
  type InputOptions,
  type OutputOptions,
  rolldown,
} from "rolldown";
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
  // A module of the project that nothing uses does nothing: its schemas need not be made.
  treeshake: { moduleSideEffects: [{ test: /\/src\/(contract|main)\//, sideEffects: false }] },
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

/** What imports them by name gets them from the same file. */
const shareNodeGlobals = (extension: "js" | "cjs") => ({
  name: "sheaf:node-globals",
  resolveId: {
    filter: { id: /\/node-globals\.ts$/ },
    handler: (_id: string, importer?: string) =>
      importer === undefined ? null : { id: `./node-globals.${extension}`, external: true },
  },
});

const output = {
  minify: true,
  sourcemap: "hidden",
  chunkFileNames: "chunk-[hash].js",
} satisfies OutputOptions;

/**
 * What test files import shares no code with the rest, and is in few files: one for the import, one for the start. Each file
 * takes time to load.
 */
function groupFiles(): CodeSplittingGroup[] {
  let ofStart: ReadonlySet<string> | undefined;
  return [
    { name: "testing-import", tags: ["$initial"], test: (id) => !Object.values(exported).includes(id) },
    {
      name(id, graph) {
        ofStart ??= listImports(inProject("src/main/http/app.ts"), graph);
        return ofStart.has(id) ? "testing-start" : null;
      },
    },
  ];
}

/** The module and all that it imports, but for what waits for its first use. */
function listImports(entry: string, graph: ChunkingContext): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** The program, by the names of its files. */
const programs = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, `src/main/${entry}`]));

/** Writes the code of the command alone. Returns the licenses of what is in it. */
export async function bundleCommand(folder: string): Promise<string> {
  const licenses = createLicenseList();
  await using bundle = await rolldown({ ...common, input: programs, plugins: [withoutUnused, licenses.plugin] });
  await bundle.write({ ...output, sourcemap: false, dir: folder, format: "es", entryFileNames: "[name].js" });
  return licenses.describe();
}

/** Writes the code: every file next to the others, as src/main/app-paths.ts looks for them. Returns the licenses of what is in it. */
export async function bundleCode(folder: string): Promise<string> {
  const licenses = createLicenseList();
  await using globals = await rolldown({ ...common, input: nodeGlobals });
  await globals.write({ ...output, dir: folder, format: "es", entryFileNames: "[name].js" });
  await globals.write({ ...output, dir: folder, format: "cjs", entryFileNames: "[name].cjs" });
  const postBanner = `import{${globalNames}}from"./node-globals.js";`;
  const written = { ...output, postBanner, dir: folder, format: "es", entryFileNames: "[name].js" } as const;
  const plugins = [withoutUnused, shareNodeGlobals("js"), licenses.plugin];
  await using all = await rolldown({ ...common, input: { ...programs, ...exportedTwice }, plugins });
  await all.write(written);
  await using modules = await rolldown({ ...common, input: exported, plugins });
  await modules.write({ ...written, codeSplitting: { groups: groupFiles() } });
  await using scripts = await rolldown({ ...common, input: exportedTwice, plugins: [shareNodeGlobals("cjs")] });
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
    // vitest itself can't be required.
    if (name !== "vitest") await copyFile(join(folder, `${name}.d.ts`), join(folder, `${name}.d.cts`));
  }
}
