// @vitest-environment jsdom
import { test } from "sheaf/vitest";
import { expect } from "vitest";
import { asExpected, tryOut } from "./try-out.mjs";

test("a server in the environment jsdom answers, also the page's own fetch", async ({ sheaf }) => {
  expect(document.body).toBeDefined();
  expect(await tryOut(sheaf)).toEqual(asExpected);
  const response = await fetch(`${sheaf.baseURL}/models`, { headers: { authorization: `Bearer ${sheaf.apiKey}` } });
  expect((await response.json()).object).toBe("list");
});
