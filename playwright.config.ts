import { join } from "node:path";
import { defineConfig } from "@playwright/test";

// No test keeps anything in the keychain of whoever runs it. What the processes of a run load is compiled once.
process.env.SHEAF_SECRETS = "memory";
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, "node_modules/.cache/sheaf");

const inCi = Boolean(process.env.CI);
/** A Chromium that is on the machine; `npm test` finds one. Playwright's own is used where none is named. */
const executablePath = process.env.SHEAF_CHROMIUM;

/** Where `npm test` reads how long each test took. */
const reports = process.env.SHEAF_TEST_REPORTS;

/** The tests are between the browser and this machine: nothing of its own is fetched from elsewhere. */
const quietChromium = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Only the last list counts, so it begins with those of Playwright's own that matter to a page on this machine. A whole
  // Chromium has a page of its own under the address bar of each window, which costs as much as loading the app.
  `--disable-features=${[
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
  ]}`,
  // A page of a test is gone before it would pay to optimize its code.
  "--js-flags=--no-opt",
];

export default defineConfig({
  testDir: "e2e/specs",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: inCi,
  retries: 0,
  // In `npm test` the unit tests run beside them.
  workers: 2,
  reporter: [
    ["list"],
    ...(reports === undefined
      ? []
      : [["json", { outputFile: join(reports, "browser.json") }] satisfies ["json", object]]),
  ],
  timeout: 120_000,
  // How long something may take on a busy machine before it counts as not happening, polls included.
  expect: { timeout: 30_000 },
  projects: [
    { name: "browser", testIgnore: "electron/**", teardown: "results" },
    // In the real desktop app, where Electron and a display are to be had. REQUIRE_ELECTRON=1 insists on it.
    { name: "electron", testMatch: "electron/**/*.spec.ts" },
    { name: "results", testDir: "e2e/teardown", testMatch: "*.teardown.ts" },
  ],
  use: {
    browserName: "chromium",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { args: quietChromium, ...(executablePath === undefined ? {} : { executablePath }) },
    // Recording every test takes longer than running a failed one again with `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
