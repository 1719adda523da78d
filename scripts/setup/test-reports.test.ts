import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./paths.mjs";
import { describeFailed, describeSlowest } from "./test-reports.mjs";

test("the slowest tests of both runners are listed, and what failed with its reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(describeSlowest(folder)).toBe("");
  const assertionResults = [
    { fullName: "a quick one", duration: 3 },
    {
      fullName: "a slow one",
      duration: 7_000,
      status: "failed",
      failureMessages: ["expected 1 to be 2\n  at a.test.ts"],
    },
    { fullName: "one that was left out" },
  ];
  const broken = { name: join(root, "src", "c.test.ts"), message: "no such module", assertionResults: [] };
  const unit = { testResults: [{ name: join(root, "src", "a.test.ts"), assertionResults }, broken] };
  const spec = {
    file: "b.spec.ts",
    title: "a page",
    ok: false,
    tests: [{ results: [{ duration: 2_000 }, { duration: 6_000, error: { message: "not found" } }] }],
  };
  const browser = { suites: [{ suites: [{ specs: [spec] }] }] };
  await writeFile(join(folder, "unit.json"), JSON.stringify(unit));
  await writeFile(join(folder, "browser.json"), JSON.stringify(browser));
  await writeFile(join(folder, "unhandled.json"), JSON.stringify(["Error: closed\n  at b.ts"]));
  expect(describeSlowest(folder, 2).split("\n")).toEqual([
    expect.stringMatching(/^ +8.* b\.spec\.ts › a page$/),
    expect.stringMatching(/^ +7.* src.a\.test\.ts › a slow one$/),
  ]);
  expect(describeFailed(folder).replaceAll("\\", "/").split("\n")).toEqual([
    "  src/a.test.ts › a slow one: expected 1 to be 2",
    "  src/c.test.ts › the whole file: no such module",
    "  unit › outside of tests: Error: closed",
    "  b.spec.ts › a page: not found",
  ]);
});
