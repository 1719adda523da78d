/** How the examples of tests are run in a folder that has the package, and what is printed when all pass. */
export const exampleRuns = [
  ["vitest", ["node_modules/vitest/vitest.mjs", "run", "tests/vitest.test.ts"], "3 passed"],
  ["jest", ["node_modules/jest/bin/jest.js", "--testMatch", "**/tests/*.test.cjs"], "3 passed"],
  ["node:test", ["--test", "tests/node-test.test.mjs"], "pass 2"],
] as const;

/** The same for suites with fake timers and with the environment of a page. */
export const trickRuns = [
  ["fake timers of sinon", ["tricks/sinon.mjs"], "passed"],
  [
    "fake timers of vitest, jsdom and happy-dom",
    ["node_modules/vitest/vitest.mjs", "run", "--config", "tricks/vitest.config.mjs"],
    "3 passed",
  ],
  [
    "fake timers of jest, and jsdom in it",
    ["node_modules/jest/bin/jest.js", "--testMatch", "**/tricks/*.jest.cjs", "--testTimeout=60000"],
    "2 passed",
  ],
] as const;
