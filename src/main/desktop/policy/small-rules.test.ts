import { describe, expect, it } from "vitest";
import { shouldStayAwake } from "./awake.ts";
import { listFilters } from "./file-filters.ts";
import { recentFiles, withoutRecentFile } from "./recent-files.ts";
import { nextZoom } from "./zoom.ts";

describe("recentFiles", () => {
  it("has the latest first, each once, ten at most", () => {
    expect(recentFiles([], "/a.csv")).toEqual(["/a.csv"]);
    expect(recentFiles(["/a.csv", "/b.csv"], "/b.csv")).toEqual(["/b.csv", "/a.csv"]);
    const ten = Array.from({ length: 10 }, (_, at) => `/${at}.csv`);
    expect(recentFiles(ten, "/new.csv")).toEqual(["/new.csv", ...ten.slice(0, 9)]);
  });

  it("loses one that is gone", () => {
    expect(withoutRecentFile(["/a.csv", "/b.csv"], "/a.csv")).toEqual(["/b.csv"]);
    expect(withoutRecentFile(["/a.csv"], "/b.csv")).toEqual(["/a.csv"]);
  });
});

describe("listFilters", () => {
  it("offers the kind of a file and all others, and none for a folder", () => {
    const all = { name: "All files", extensions: ["*"] };
    expect(listFilters("answers.csv")).toEqual([{ name: "CSV", extensions: ["csv"] }, all]);
    expect(listFilters("answers.txt")).toEqual([{ name: "File", extensions: ["txt"] }, all]);
    expect(listFilters("sheaf-backup-2026-11-28")).toEqual([]);
  });
});

describe("nextZoom", () => {
  it.each([
    [1, "in", 1.1],
    [1, "out", 0.9],
    [3, "in", 3],
    [0.5, "out", 0.5],
    [1.3, "in", 1.5],
    [1.3, "out", 1.25],
    [2.5, "reset", 1],
  ] as const)("from %d one step %s is %d", (current, step, next) => {
    expect(nextZoom(current, step)).toBe(next);
  });
});

describe("shouldStayAwake", () => {
  const batch = { id: "b", name: "b", total: 1, done: 0, failed: 0, asksItself: true, paidAt: null };
  const elsewhere = { ...batch, asksItself: false };
  it.each([
    ["nothing runs", [], {}, false],
    ["Sheaf asks the lines", [elsewhere, batch], {}, true],
    ["a service has the batch", [elsewhere], {}, false],
    ["the user does not want it", [batch], { keepsAwake: false }, false],
    ["there is only a battery", [batch], { isOnBattery: true }, false],
  ])("while %s: %s", (_what, running, change, stays) => {
    expect(shouldStayAwake(running, { keepsAwake: true, isOnBattery: false, ...change })).toBe(stays);
  });
});
