const { expect, jest: suite, test } = require("@jest/globals");
const { setupSheaf } = require("sheaf/jest");

suite.useFakeTimers();
const sheaf = setupSheaf();

test("a server starts and is steered under fake timers", async () => {
  await sheaf.rules.set({ rules: [{ reply: { text: "Hi." } }] });
  expect(await sheaf.requests()).toEqual([]);
});
