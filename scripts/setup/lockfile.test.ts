import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inProject } from "./paths.mjs";

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

const { packages }: Lockfile = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));

/** Where npm looks for a package that `from` asks for: next to it, and in every folder above. */
function isLocked(name: string, from: string): boolean {
  const steps = from.split("/node_modules/");
  const places = steps.map((_, at) => `${steps.slice(0, at + 1).join("/node_modules/")}/node_modules/${name}`);
  return [`node_modules/${name}`, ...places].some((place) => place in packages);
}

test("npm ci can install from the lockfile: it has the binaries of every platform, not of the one it was made on alone", () => {
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(name, from)),
  );
  expect(missing).toEqual([]);
});
