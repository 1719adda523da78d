import { defineConfig } from "@playwright/test";

const inCi = Boolean(process.env.CI);
/** A Chromium that is on the machine; `npm test` finds one. Playwright's own is used where none is named. */
const executablePath = process.env.SHEAF_CHROMIUM;

export default defineConfig({
  testDir: "e2e/specs",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: inCi,
  retries: 0,
  workers: 2,
  reporter: [["list"]],
  timeout: 60_000,
  projects: [
    { name: "browser", testIgnore: "electron/**" },
    // In the real desktop app, where Electron and a display are to be had. REQUIRE_ELECTRON=1 insists on it.
    { name: "electron", testMatch: "electron/**/*.spec.ts" },
  ],
  use: {
    browserName: "chromium",
    launchOptions: executablePath === undefined ? {} : { executablePath },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
