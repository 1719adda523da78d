import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runChecks } from "./checks.mjs";
import { findChromium, leaveOutBrowser } from "./chromium.mjs";
import { SetupError } from "./setup-error.mjs";

let shown = "";
beforeEach(() => {
  shown = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      shown += text;
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const passing = (name: string, output = "") => ({ name, run: async () => ({ passed: true, output }) });
const failing = (name: string, output = "") => ({ name, run: async () => ({ passed: false, output }) });

test("checks of a stage run side by side, and the output of each is shown in one piece", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = { name: "first", run: () => promise.then(() => ({ passed: true, output: "one\ntwo" })) };
  const second = { name: "second", run: async () => resolve() ?? { passed: true, output: "three" } };
  expect(await runChecks([[first, second]])).toBe(true);
  expect(shown).toContain("── first says:\none\ntwo\n── second says:\nthree\n");
  expect(shown).toMatch(/\npassed +[\d.]+ s {2}first\npassed +[\d.]+ s {2}second\npassed +[\d.]+ s {2}in all\n$/);
});

test("a stage runs to its end, and none after the one that failed; the end says which failed and which did not run", async () => {
  const broken = { name: "broken", run: () => Promise.reject(new SetupError("There is no disk.")) };
  const stages = [[failing("types", "a.ts(1,1): no"), passing("lint"), broken], [passing("unit")]];
  expect(await runChecks(stages)).toBe(false);
  expect(shown).toContain("── types says:\na.ts(1,1): no\n── broken says:\nThere is no disk.\n");
  expect(shown).toMatch(/FAILED .*types\npassed .*lint\nFAILED .*broken\nnot run .*unit\nFAILED .*in all\n$/);
});

test("a check that is always due runs also after a stage that failed", async () => {
  const last = { ...passing("nothing left running"), always: true };
  expect(await runChecks([[failing("unit")], [passing("e2e"), last]])).toBe(false);
  expect(shown).toMatch(/FAILED .*unit\nnot run .*e2e\npassed .*nothing left running\nFAILED .*in all\n$/);
});

test("where no browser is, one sentence says how to get one, and it is a failure only where all is to be checked", async () => {
  vi.stubEnv("SHEAF_CHROMIUM", "");
  vi.stubEnv("PATH", "/nowhere");
  vi.stubEnv("PLAYWRIGHT_BROWSERS_PATH", "/nowhere");
  expect(findChromium(process.execPath)).toBeNull();
  expect(leaveOutBrowser({}).passed).toBe(true);
  expect(leaveOutBrowser({ CI: "true" }).passed).toBe(false);
  expect(await runChecks([[{ name: "browser tests", run: async () => leaveOutBrowser({}) }]])).toBe(true);
  expect(shown).toMatch(/left out\. No Chromium was found: install .* or name one in SHEAF_CHROMIUM\.\n/);
  expect(shown).toMatch(/\nleft out .* browser tests\n/);
});

test("a browser that is named and does not run is an error", () => {
  vi.stubEnv("SHEAF_CHROMIUM", "/nowhere/chromium");
  expect(() => findChromium(process.execPath)).toThrow("SHEAF_CHROMIUM names /nowhere/chromium, which does not run.");
});
