import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const repository = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, repository), "utf8");
const promises = read("docs/promises.md");

/** Rows of the tables, without their heads. */
const rows = promises
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|\s*(-+|rule)\s*\|/.test(line))
  .map((line) => line.split("|").slice(1, -1));

/** Names of the tests in a file: each is followed by a function. */
function readTestNames(path: string): Set<string> {
  const names = read(path).matchAll(/\(\s*"((?:[^"\\]|\\.)*)",\s*(?:async\s*)?\(/g);
  return new Set(Array.from(names, ([, name = ""]) => name.replaceAll('\\"', '"')));
}

test.each(rows.map(([rule = "", proof = ""]) => [rule.trim(), proof.trim()]))("'%s' has a proof", (_rule, proof) => {
  const [, file = "", name = ""] = /^`([^`]+)` › (.+)$/.exec(proof) ?? [];
  expect(proof, "a proof names a file and a test in it").toMatch(/^`[^`]+\.test\.ts` › ./);
  expect(readTestNames(`src/main/service/${file}`)).toContain(name);
});

const pages = ["service-interface.md", "decisions.md"].map((name) => new URL(`../shared/spec/${name}`, repository));
const headings = new Set(promises.split("\n").filter((line) => line.startsWith("## ")));

/** A checkout alone does not have the two pages: they lie beside the project where it is made. */
const arePagesMissing = !pages.every((page) => existsSync(page));
const missing = "the pages of the interface are not beside this checkout";

test("every section of the two pages is here", ({ skip }) => {
  skip(arePagesMissing, missing);
  for (const page of pages) {
    const sections = readFileSync(page, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("## "));
    expect(sections.filter((section) => !headings.has(section))).toEqual([]);
  }
});

test("every code of a problem in an input file is here", ({ skip }) => {
  skip(arePagesMissing, missing);
  const text = readFileSync(pages[1] ?? "", "utf8");
  const [, section = ""] = /## Validation errors of an input file\n(.*?)\n## /s.exec(text) ?? [];
  const table = section.split("\n").filter((line) => line.startsWith("| `"));
  const codes = table.flatMap((row) => (row.split("|")[1] ?? "").match(/`\w+`/g) ?? []);
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(promises).toContain(code);
});
