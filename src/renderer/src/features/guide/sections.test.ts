import { expect, it } from "vitest";
import { guidePages } from "./guide-pages.ts";
import { readLink, searchGuide, slugOf, splitPage } from "./sections.ts";

const page = splitPage(
  "tea",
  [
    "# Tea, **hot**",
    "How it is _made_.",
    "![A cup](cup.png)",
    "## 1. Boil `water`",
    "Use [a kettle](kettle.md), fresh_water and 2 litres.",
    "```sh",
    "# no heading",
    "boil --now",
    "```",
    "| what | when |",
    "| --- | --- |",
    "| green | 80 °C |",
    "### Steep",
    "Three minutes.",
  ].join("\n"),
);

it("finds the headings of a page and the words under each, without the marks", () => {
  expect(page.title).toBe("Tea, hot");
  expect(page.sections.map(({ id, depth, words }) => [id, depth, words])).toEqual([
    ["tea-hot", 1, "How it is made."],
    ["1-boil-water", 2, "Use a kettle, fresh_water and 2 litres. # no heading boil --now what when green 80 °C"],
    ["steep", 3, "Three minutes."],
  ]);
});

it("finds sections by all words of a query, those with them in the heading first", () => {
  const found = (query: string) => searchGuide([page], query).map(({ section }) => section.id);
  expect(found("boil")).toEqual(["1-boil-water"]);
  expect(found("STEEP minutes")).toEqual(["steep"]);
  expect(found("kettle steep")).toEqual([]);
  expect(found("  ")).toEqual([]);
  expect(searchGuide([page], "80")[0]?.excerpt).toContain("green 80 °C");
  const long = splitPage("long", `# Long\n${"some words before ".repeat(20)}needle${" and after it".repeat(20)}`);
  const [hit] = searchGuide([long], "needle");
  expect(hit?.excerpt).toMatch(/^… .*needle.* …$/);
  expect(hit?.excerpt.length).toBeLessThan(150);
});

it("has every page and section that its own links name", () => {
  const links = guidePages.flatMap(({ name, text }) =>
    Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, href = ""]) => ({ from: name, href })),
  );
  expect(links.length).toBeGreaterThan(30);
  for (const { from, href } of links) {
    const place = readLink(href, from, guidePages);
    if (place === null || place === "web" || place.section === undefined) continue;
    const target = guidePages.find(({ name }) => name === place.page);
    expect(
      target?.sections.map(({ id }) => id),
      `${from}: ${href}`,
    ).toContain(place.section);
  }
  expect(readLink("connections.md#on-the-command-line", "guide", guidePages)).toEqual({
    page: "connections",
    section: "on-the-command-line",
  });
  expect(readLink("#keys", "connections", guidePages)).toEqual({ page: "connections", section: "keys" });
  expect(readLink("https://example.org/a", "guide", guidePages)).toBe("web");
  for (const elsewhere of [
    "security.md#where-keys-are-kept",
    "../examples/rules/a.yaml",
    "adr/0008.md",
    "javascript:alert(1)",
  ]) {
    expect(readLink(elsewhere, "guide", guidePages), elsewhere).toBeNull();
  }
  expect(slugOf("Before a batch is sent")).toBe("before-a-batch-is-sent");
});

it("has no two headings of one name on a page, so that each can be linked to", () => {
  for (const { name, sections } of guidePages) {
    const ids = sections.map(({ id }) => id);
    expect(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      name,
    ).toEqual([]);
  }
});

it.each([
  ["disk full", "when-the-disk-is-full"],
  ["damaged", "when-something-on-the-disk-is-damaged"],
  ["backup", "a-backup"],
  ["doctor", "when-something-on-the-disk-is-damaged"],
])("tells a user what to do about %s", (query, id) => {
  expect(searchGuide(guidePages, query).map(({ page, section }) => `${page.name}#${section.id}`)).toContain(
    `guide#${id}`,
  );
});
