import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./paths.mjs";
import { describeSlowest } from "./slowest-tests.mjs";

test("the slowest tests of both runners are listed together, the slowest first", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(describeSlowest(folder)).toBe("");
  const assertionResults = [
    { fullName: "a quick one", duration: 3 },
    { fullName: "a slow one", duration: 7_000 },
    { fullName: "one that was left out" },
  ];
  const unit = { testResults: [{ name: join(root, "src", "a.test.ts"), assertionResults }] };
  const spec = { file: "b.spec.ts", title: "a page", tests: [{ results: [{ duration: 2_000 }, { duration: 6_000 }] }] };
  const browser = { suites: [{ suites: [{ specs: [spec] }] }] };
  await writeFile(join(folder, "unit.json"), JSON.stringify(unit));
  await writeFile(join(folder, "browser.json"), JSON.stringify(browser));
  expect(describeSlowest(folder, 2).split("\n")).toEqual([
    expect.stringMatching(/^ +8.* b\.spec\.ts › a page$/),
    expect.stringMatching(/^ +7.* src.a\.test\.ts › a slow one$/),
  ]);
});
