/** How the examples of tests are run in a folder that has the package, and what is printed when all pass. */
export const exampleRuns = [
  ["vitest", ["node_modules/vitest/vitest.mjs", "run", "tests/vitest.test.ts"], "3 passed"],
  ["jest", ["node_modules/jest/bin/jest.js", "--testMatch", "**/tests/*.test.cjs"], "3 passed"],
  ["node:test", ["--test", "tests/node-test.test.mjs"], "pass 2"],
] as const;
