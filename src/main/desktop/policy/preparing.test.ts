import { expect, it } from "vitest";
import { describePreparing, figureScript, preparingPage } from "./preparing.ts";

it.each([
  [null, "Sheaf opens your data.", null],
  [{ done: 20_000, total: 900_000 }, "Sheaf opens your data.", null],
  [{ done: 312_400_000, total: 1_024_000_000 }, "312 of 1,024 MB of records read.", 312.4 / 1024],
  [{ done: 1_024_000_000, total: 1_024_000_000 }, "Sheaf continues your batches.", null],
] as const)("a long start shows how far it is (%j)", (reading, text, share) => {
  expect(describePreparing(reading)).toEqual({ text, share });
});

it("its page has no script and loads nothing; the figures are text in it", () => {
  const page = decodeURIComponent(preparingPage);
  expect(page).toContain("Preparing your data…");
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/<script|src=|href=|url\(/);
  expect(figureScript({ text: '"</p>', share: 0.5 })).toContain('textContent = "\\"</p>"; bar.value = 0.5');
});
