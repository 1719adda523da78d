import { expect, test } from "vitest";
import { whyNoRelease } from "./release.mjs";

const complete = { homepage: "https://sheaf.test", hasElectron: true, isTest: false, loadsKeytar: () => true };

test("what has everything can be released", () => {
  expect(whyNoRelease(complete)).toEqual([]);
});

test.each([
  ["without Electron's program", { hasElectron: false }, /npx install-electron/],
  ["as a test build", { isTest: true }, /inspector/],
  ["without keytar for this system", { loadsKeytar: () => false }, /keytar does not load here/],
  ["under a homepage that is none", { homepage: "https://sheaf.example" }, /placeholder/],
])("nothing is released %s", (_, change, reason) => {
  expect(whyNoRelease({ ...complete, ...change })).toEqual([expect.stringMatching(reason)]);
});
