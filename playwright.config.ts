import { defineConfig } from "@playwright/test";

// No test keeps anything in the keychain of whoever runs it.
process.env.SHEAF_SECRETS = "memory";

const inCi = Boolean(process.env.CI);
/** A Chromium that is on the machine; `npm test` finds one. Playwright's own is used where none is named. */
const executablePath = process.env.SHEAF_CHROMIUM;

/** The tests are between the browser and this machine: nothing of its own is fetched from elsewhere. */
const quietChromium = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "e2e/specs",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: inCi,
  retries: 0,
  // One more than the cores that it is meant for: much of a test is waiting for what a person would see.
  workers: 3,
  reporter: [["list"]],
  timeout: 60_000,
  // How long something may take on a busy machine before it counts as not happening.
  expect: { timeout: 15_000 },
  projects: [
    { name: "browser", testIgnore: "electron/**", teardown: "results" },
    // In the real desktop app, where Electron and a display are to be had. REQUIRE_ELECTRON=1 insists on it.
    { name: "electron", testMatch: "electron/**/*.spec.ts" },
    { name: "results", testDir: "e2e/teardown", testMatch: "*.teardown.ts" },
  ],
  use: {
    browserName: "chromium",
    launchOptions: { args: quietChromium, ...(executablePath === undefined ? {} : { executablePath }) },
    // Recording every test takes longer than running a failed one again with `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
