import { expect, test } from "vitest";
import { idsOf, waitingIdsOf } from "./search-params.ts";

test("six batches are compared, each once, and the others of an address wait", () => {
  const search = { ids: "a,b,a,c,,d,e,f,g,h" };
  expect(idsOf(search)).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(waitingIdsOf(search)).toEqual(["g", "h"]);
});
