import { afterEach, expect, test, vi } from "vitest";
import { createWebSession } from "./web-session.ts";

afterEach(() => vi.unstubAllGlobals());

test("a browser without room for its token is let in until its page is left", async () => {
  vi.stubGlobal("fetch", async () => new Response("token"));
  const localStorage = {
    getItem: () => null,
    removeItem: () => {},
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  const location = { hash: "#code=c", pathname: "/", search: "" };
  const session = createWebSession({ location, history: { state: null, replaceState: () => {} }, localStorage });
  expect(await session.readToken()).toBe("token");
  session.dropToken("token");
  location.hash = "";
  expect(await session.readToken()).toBeNull();
});
