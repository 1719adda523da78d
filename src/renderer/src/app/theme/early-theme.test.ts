import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { themeKey } from "./theme.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** What the script sets, by what is stored and what the system has. */
function run(stored: () => string | null, isSystemDark: boolean) {
  const set = { root: "", meta: { content: "light dark" } };
  runInNewContext(read("public/theme.js"), {
    localStorage: { getItem: (key: string) => (key === themeKey ? stored() : null) },
    matchMedia: () => ({ matches: isSystemDark }),
    document: {
      documentElement: { setAttribute: (_name: string, value: string) => Object.assign(set, { root: value }) },
      querySelector: () => set.meta,
    },
  });
  expect(set.meta.content).toBe(set.root);
  return set.root;
}

test("the chosen theme is set before anything is drawn, else the system's", () => {
  const refuse = () => {
    throw new Error("SecurityError");
  };
  expect([run(() => "dark", false), run(() => "light", true)]).toEqual(["dark", "light"]);
  expect([run(() => "auto", true), run(() => null, false), run(refuse, true)]).toEqual(["dark", "light", "dark"]);
  // Mantine reads what it doesn't know as the system's theme, too.
  for (const odd of ["", "sepia", '"dark"', "null"]) {
    expect([run(() => odd, true), run(() => odd, false)]).toEqual(["dark", "light"]);
  }
  const page = read("index.html");
  expect(page.indexOf('<script src="/theme.js">')).toBeLessThan(page.indexOf("<body>"));
});
