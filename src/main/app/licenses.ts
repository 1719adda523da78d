import { readFile } from "node:fs/promises";
import { findOwnFile } from "#app-paths";
import type { BundledPackage } from "#contract";

/** Written by the build, of the packages that each bundle has code of. */
const lists = ["out/main/licenses.md", "out/renderer/licenses.md"];

/** The packages whose code is part of the app, by name, each with its licence. Without a build there are none. */
export async function readLicenses(): Promise<BundledPackage[]> {
  const texts = await Promise.all(lists.map((path) => readFile(findOwnFile(path), "utf8").catch(() => "")));
  const packages = new Map(texts.flatMap(parseLicenses).map((one) => [`${one.name} ${one.version}`, one]));
  return [...packages.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The entries of a list. Vite writes a dash before the version. */
export function parseLicenses(list: string): BundledPackage[] {
  const heads = list.matchAll(/^## (\S+) (?:- )?(\d\S*) \((.+)\)$/gm);
  return Array.from(heads, ({ 0: head, 1: name = "", 2: version = "", 3: license = "", index }) => {
    const rest = list.slice(index + head.length);
    const end = rest.search(/^## \S+ (?:- )?\d\S* \(.+\)$/m);
    return { name, version, license, text: (end === -1 ? rest : rest.slice(0, end)).trim() };
  });
}
