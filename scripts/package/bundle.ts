import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type InputOptions, type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { entries } from "../../src/main/own-files.ts";
import { inProject } from "../setup/paths.mjs";
import { describeWireTypes } from "./wire-types.ts";

/** What the package exports, by its name, with the source of each. */
const exported = {
  testing: inProject("src/testing/index.ts"),
} as const;

const common = {
  cwd: inProject("."),
  platform: "node",
  checks: { pluginTimings: false },
  external: [/^node:/, "vitest"],
} satisfies InputOptions;

/** Writes the code: every file next to the others, as src/main/own-files.ts looks for them. Answers with the licenses of what is in it. */
export async function bundleCode(folder: string): Promise<string> {
  const licenses = createLicenseList();
  const workers = Object.entries(entries).map(([name, entry]) => [name, `src/main/${entry}`]);
  await using bundle = await rolldown({
    ...common,
    input: { cli: "src/main/headless.ts", ...Object.fromEntries(workers), ...exported },
    plugins: [licenses.plugin],
  });
  await bundle.write({
    dir: folder,
    format: "es",
    minify: true,
    sourcemap: "hidden",
    entryFileNames: "[name].js",
    chunkFileNames: "chunk-[hash].js",
  });
  return licenses.describe();
}

/** Writes the declarations, one file for each export. */
export async function bundleTypes(folder: string): Promise<void> {
  await using bundle = await rolldown({
    ...common,
    input: exported,
    // None of the other types are part of what is exported.
    external: /^[^./]/,
    plugins: [
      // What the sources derive from zod schemas is written out, so that the declarations need no zod.
      { name: "sheaf:wire-types", load: { filter: { id: /\/testing\/wire-types\.ts$/ }, handler: describeWireTypes } },
      // Each function that is exported has its types written next to it, so no checker is needed.
      dts({ generator: "oxc", emitDtsOnly: true }),
    ],
  });
  await bundle.write({ dir: folder, format: "es" });
}

/** Collects the licenses of the packages that a bundle has code of. */
function createLicenseList(): { readonly plugin: Plugin; describe(): string } {
  const texts = new Map<string, string>();
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
