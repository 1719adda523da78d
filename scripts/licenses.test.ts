import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { parseLicenses, readLicenses } from "../src/main/app/licenses.ts";

const root = join(import.meta.dirname, "..");
const isBuilt = ["main", "renderer"].every((part) => existsSync(join(root, "out", part, "licenses.md")));
if (!isBuilt)
  console.warn("The licences of what is bundled are not checked: the app has not been built (npm run build).");

/** Those that allow what Sheaf does: to be bundled with code under MIT, with their text in About. */
const known = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1"]);
/** Their packages come without a text; the identifier in their package.json is all there is. */
const withoutText = ["abstract-logging", "franc-min", "react-remove-scroll-bar", "saxes"];

const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

it.skipIf(!isBuilt)("every package that is bundled has a licence that is known, and its text", async () => {
  const packages = await readLicenses();
  const names = packages.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(150);
  // Of main, of the page, of its fonts, and of the table of tokens, which is no module.
  expect(names).toEqual(
    expect.arrayContaining(["fastify", "react", "@fontsource-variable/inter", "gpt-tokenizer", "zod"]),
  );
  expect(packages.filter(({ license }) => !known.has(license))).toEqual([]);
  const bare = packages.filter(({ text }) => text.length < 100).map(({ name }) => name);
  expect(bare.filter((name) => !withoutText.includes(name))).toEqual([]);
});

it.skipIf(!isBuilt)("the list has the versions that are installed, and none twice", async () => {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const installed = new Set(
    Object.entries(lock.packages).map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")} ${version}`),
  );
  const listed = (await readLicenses()).map(({ name, version }) => `${name} ${version}`);
  expect(listed.filter((one) => !installed.has(one))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

it("reads what the two builds write, headings in the texts included", () => {
  const list = [
    "# Licenses",
    "The app bundles dependencies.",
    "## one 1.2.3 (MIT)",
    "",
    "The MIT License",
    "## Its terms",
    "All of them.",
    "## @scope/two - 4.0.0-rc.1 (Apache-2.0)",
    "## three 3.0.0 ((MIT OR CC0-1.0))",
    "Text.",
  ].join("\n");
  expect(parseLicenses(list)).toEqual([
    { name: "one", version: "1.2.3", license: "MIT", text: "The MIT License\n## Its terms\nAll of them." },
    { name: "@scope/two", version: "4.0.0-rc.1", license: "Apache-2.0", text: "" },
    { name: "three", version: "3.0.0", license: "(MIT OR CC0-1.0)", text: "Text." },
  ]);
});
