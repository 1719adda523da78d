import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Commands and threads that tests start load what others have compiled before them. */
const compileCache = join(import.meta.dirname, "node_modules/.cache/sheaf");

/** Where `npm test` reads how long each test took, and what failed. */
const reports = process.env.SHEAF_TEST_REPORTS;

export default defineConfig({
  test: {
    environment: "node",
    // The browser tests run beside them: how long something may take before it counts as not happening.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Concurrent tests of a file wait for one another no less than its files do.
    maxConcurrency: 20,
    // No test keeps anything in the keychain of whoever runs it, but those that bring one of their own.
    env: { SHEAF_SECRETS: "memory", SHEAF_PASSPHRASE: "", NODE_COMPILE_CACHE: compileCache },
    // Many tests wait for processes and threads of their own: one more runs meanwhile.
    maxWorkers: availableParallelism() + 1,
    reporters: [
      "default",
      ...(reports === undefined
        ? []
        : [
            ["json", { outputFile: join(reports, "unit.json") }] satisfies ["json", object],
            {
              // vitest's own report leaves them out.
              onTestRunEnd(_: unknown, errors: readonly { stack?: string; message: string }[]) {
                const reasons = errors.map(({ stack, message }) => stack ?? message);
                writeFileSync(join(reports, "unhandled.json"), JSON.stringify(reasons));
              },
            },
          ]),
    ],
    projects: [
      {
        extends: true,
        // Files share the modules of their worker: loading them anew for each took a third of the time.
        test: {
          name: "unit",
          isolate: false,
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "packaging/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          // What is built, as its users run it.
          name: "built",
          include: ["e2e/{electron-standin,package,packaging}/**/*.test.ts"],
          globalSetup: "e2e/electron-standin/setup-build.ts",
          // The built app is run as it is, by Node itself.
          server: { deps: { external: [/\/out\/main\//] } },
        },
      },
    ],
  },
});
