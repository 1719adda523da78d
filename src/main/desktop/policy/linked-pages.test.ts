import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findOwnFile } from "#app-paths";
import { presets } from "#main/connections";
import { decideDestination } from "./addresses.ts";
import { linkedPages } from "./linked-pages.ts";

const read = (path: string) => readFileSync(findOwnFile(path), "utf8");

it("has each page of others that the guide or a connection's form links to, and no other", () => {
  const pages = read("src/renderer/src/features/guide/guide-pages.ts").matchAll(/docs\/([\w-]+\.md)\?raw/g);
  const links = Array.from(pages, ([, name]) =>
    Array.from(read(`docs/${name}`).matchAll(/\]\((https?:[^)]+)\)/g), ([, address = ""]) => new URL(address).href),
  ).flat();
  expect(links.length).toBeGreaterThan(10);
  const keyPages = presets.flatMap(({ keyPage }) => keyPage ?? []);
  expect(keyPages).toContain("https://platform.openai.com/api-keys");
  expect([...linkedPages].toSorted()).toEqual([...new Set([...links, ...keyPages])].toSorted());
  for (const url of linkedPages) expect(decideDestination(url)).toEqual({ kind: "external", url });
});
