import { expect, it } from "vitest";
import { guidePages } from "./guide-pages.ts";
import { createGuideSearch } from "./search-guide.ts";
import { readLink, slugOf, splitPage } from "./sections.ts";

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

it("finds sections by the words of a query and their forms, those first that have them in the heading", () => {
  const search = createGuideSearch([page]);
  const found = (query: string) => search(query).map(({ section }) => section.id);
  expect(found("boiling")).toEqual(["1-boil-water"]);
  expect(found("STEEP minutes")).toEqual(["steep"]);
  expect(found("how do I steep it in a kettle")).toEqual(["steep", "1-boil-water"]);
  expect(found("  ")).toEqual([]);
  expect(found("the")).toEqual([]);
  expect(search("80")[0]?.excerpt).toContain("green 80 °C");
  const long = splitPage("long", `# Long\n${"some words before ".repeat(20)}needle${" and after it".repeat(20)}`);
  const [hit] = createGuideSearch([long])("needles");
  expect(hit?.excerpt).toMatch(/^… .*needle.* …$/);
  expect(hit?.excerpt.length).toBeLessThan(150);
});

const search = createGuideSearch(guidePages);
const placesOf = (query: string) =>
  search(query).map(({ page: { name }, section: { id, depth } }) => (depth === 1 ? name : `${name}#${id}`));

it.each([
  ["where is my data stored", "privacy#where-is-my-data-stored"],
  ["how much does it cost", "questions#how-much-does-it-cost"],
  ["compare two models", "questions#how-do-i-compare-two-models-or-two-prompts"],
  ["keyboard shortcuts", "questions#keyboard-shortcuts"],
  ["is my data sent anywhere", "privacy#what-leaves-my-computer"],
  ["delete my data", "privacy#delete-my-data"],
  ["move to a new laptop", "privacy#move-to-another-computer"],
  ["where is my api key kept", "keys#where-is-my-key-stored"],
  ["key refused", "keys#my-key-is-refused"],
  ["connect ollama", "guide#1-connect-a-model"],
  ["how many rows", "questions#how-many-rows-can-i-use"],
  ["file formats", "questions#which-file-formats-can-i-open"],
  ["why did my rows fail", "questions#why-did-rows-fail"],
  ["answers cut off", "questions#answers-are-cut-off"],
  ["batch is stuck", "questions#my-batch-waits-or-nothing-happens"],
  ["can I close my laptop", "questions#can-i-close-the-app-or-turn-off-the-computer"],
  ["cancel a batch", "questions#stop-a-batch"],
  ["disk full", "guide#when-the-disk-is-full"],
  ["backup", "guide#a-backup"],
  ["can I use it offline", "questions#does-sheaf-work-offline"],
  ["run from the terminal", "questions#install-the-command-line-and-run-it-in-a-terminal"],
  ["command line install", "questions#install-the-command-line-and-run-it-in-a-terminal"],
  ["how do I update", "questions#update-sheaf"],
  ["import csv", "questions#which-file-formats-can-i-open"],
  ["export to excel", "questions#export-the-answers-to-excel-or-csv"],
])("answers the question “%s” among the first two sections", (query, place) => {
  expect(placesOf(query).slice(0, 2)).toContain(place);
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
  ["damaged", "when-something-on-the-disk-is-damaged"],
  ["doctor", "when-something-on-the-disk-is-damaged"],
])("tells a user what to do about %s", (query, id) => {
  expect(placesOf(query)).toContain(`guide#${id}`);
});
