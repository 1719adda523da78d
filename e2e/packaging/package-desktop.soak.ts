import { describe, expect, test, vi } from "vitest";
import { run } from "../../scripts/setup/child.mjs";
import { runNpm } from "../../scripts/setup/npm.mjs";
import { areInstalled } from "../../scripts/setup/packages.mjs";

/** Desktop packages, from the command to the app that was taken out of one. It takes minutes, and tools of its own. */
const lacking = areInstalled("packaging/") ? null : "the packaging tools are not installed: npm run package:desktop";

describe.skipIf(lacking !== null)(`npm run package:desktop${lacking === null ? "" : ` (skipped: ${lacking})`}`, () => {
  test("-- --check finds nothing, and the app passes its tests outside of this project", async () => {
    const { code, output } = await runNpm(["run", "-s", "package:desktop", "--", "--check"], { quiet: true });
    expect(output).toMatch(/passed .*without keytar/);
    expect(code).toBe(0);
  });

  test("-- --check fails when a module is left out", async () => {
    const { check } = await import("../../packaging/check.mjs");
    const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await check({ leaveOut: ["out/main/search-worker.js"] })).toBe(false);
    expect(printed.mock.calls.flat().join("")).toContain("out/main/search-worker.js is missing.");
    printed.mockRestore();
  });

  test("refuses a target that it doesn't know, and a release of what can't be used", async () => {
    const call = (...args: string[]) => run(process.execPath, ["packaging/index.mjs", ...args], { quiet: true });
    expect(await call("snap")).toMatchObject({ code: 1, output: expect.stringContaining("no target snap") });
    expect(await call("--releas")).toMatchObject({ code: 1, output: expect.stringContaining("Unknown option") });
    expect(await call("dir", "--release")).toMatchObject({ code: 1, output: expect.stringContaining("placeholder") });
  });
});
