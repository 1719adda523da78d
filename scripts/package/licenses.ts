import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import { inProject } from "../setup/paths.mjs";

/** Collects the licenses of the packages that a bundle has code of. The plugin is one of Rolldown and of Vite. */
export function createLicenseList(): { readonly plugin: Plugin; describe(): string } {
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
