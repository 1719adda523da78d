import { existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { entries } from "../../src/main/own-files.ts";
import { inProject } from "../setup/paths.mjs";
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

const common = {
  cwd: inProject("."),
  platform: "node",
  external: [/^node:/, "vitest", "@jest/globals"],
  checks: { pluginTimings: false },
} satisfies InputOptions;

const output = {
  minify: true,
  sourcemap: "hidden",
  chunkFileNames: "chunk-[hash].js",
} satisfies OutputOptions;

/** Writes the code: every file next to the others, as src/main/own-files.ts looks for them. Returns the licenses of what is in it. */
export async function bundleCode(folder: string): Promise<string> {
  const licenses = createLicenseList();
  const input = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, `src/main/${entry}`]));
  await using modules = await rolldown({
    ...common,
    input: { ...input, ...exported, ...exportedTwice },
    plugins: [licenses.plugin],
  });
  await modules.write({ ...output, dir: folder, format: "es", entryFileNames: "[name].js" });
  await using scripts = await rolldown({ ...common, input: exportedTwice });
  const names = { entryFileNames: "[name].cjs", chunkFileNames: "chunk-[hash].cjs" };
  await scripts.write({ ...output, ...names, dir: folder, format: "cjs" });
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

/** Collects the licenses of the packages that a bundle has code of. */
function createLicenseList(): { readonly plugin: Plugin; describe(): string } {
  // Of what is no module: the table of tokens.
  const tables = inProject("node_modules/gpt-tokenizer");
  const texts = new Map([[tables, describeLicense(tables)]]);
  return {
    plugin: {
      name: "sheaf:licenses",
      generateBundle(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== "chunk") continue;
          for (const id of file.moduleIds) {
            const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
            if (folder !== undefined && !texts.has(folder)) texts.set(folder, describeLicense(folder));
          }
        }
      },
    },
    describe: () => [...new Set(texts.values())].sort().join("\n"),
  };
}

function describeLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = existsSync(folder) ? readdirSync(folder).find((each) => /^licen[cs]e/i.test(each)) : undefined;
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `## ${name} ${version} (${license})\n${text}`;
}
