import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const repository = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, repository), "utf8");
const promises = read("docs/promises.md");

/** Rows of the tables whose first column has the rules, without their heads. */
const rows = [promises, read("docs/security.md")]
  .flatMap((page) => page.split(/\n(?=\|\s*rule\s*\|)/).slice(1))
  .flatMap((table) => (/^(\|.*\n)+/.exec(table)?.[0] ?? "").trim().split("\n").slice(2))
  .map((line) => line.split("|").slice(1, -1));

/** Names of the tests in a file: each is followed by a function. */
function readTestNames(path: string): Set<string> {
  const names = read(path).matchAll(/\(\s*"((?:[^"\\]|\\.)*)",\s*(?:async\s*)?\(/g);
  return new Set(Array.from(names, ([, name = ""]) => name.replaceAll('\\"', '"')));
}

test.each(rows.map(([rule = "", proof = ""]) => [rule.trim(), proof.trim()]))("'%s' has a proof", (_rule, proof) => {
  const [, file = "", name = ""] = /^`([^`]+)` › (.+)$/.exec(proof) ?? [];
  expect(proof, "a proof names a file and a test in it").toMatch(/^`[^`]+\.(test|spec)\.ts` › ./);
  const path = /^(src|e2e|scripts|packaging)\//.test(file) ? file : `src/main/${file}`;
  expect(readTestNames(path)).toContain(name);
});

const pages = ["docs/spec/service-interface.md", "docs/spec/decisions.md"].map(read);
const headings = new Set(promises.split("\n").filter((line) => line.startsWith("## ")));

test("every section of the two pages is here", () => {
  for (const page of pages) {
    const sections = page.split("\n").filter((line) => line.startsWith("## "));
    expect(sections.length).toBeGreaterThan(5);
    expect(sections.filter((section) => !headings.has(section))).toEqual([]);
  }
});

test("every code of a problem in an input file is here", () => {
  const [, section = ""] = /## Validation errors of an input file\n(.*?)\n## /s.exec(pages[1] ?? "") ?? [];
  const table = section.split("\n").filter((line) => line.startsWith("| `"));
  const codes = table.flatMap((row) => (row.split("|")[1] ?? "").match(/`\w+`/g) ?? []);
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(promises).toContain(code);
});

/** Comments name a page of the spec and a section of it: both are there. */
test("what comments cite is in the spec", () => {
  const sources = readdirSync(new URL("src", repository), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  const cited = sources.flatMap((source) =>
    Array.from(source.matchAll(/\((service-interface|decisions)\.md, ([^;:)]+)/g), ([, page, section]) => ({
      page,
      section,
    })),
  );
  expect(cited.length).toBeGreaterThan(10);
  const lacking = cited.filter(({ page, section = "" }) => !read(`docs/spec/${page}.md`).includes(` ${section}`));
  expect(lacking).toEqual([]);
});
