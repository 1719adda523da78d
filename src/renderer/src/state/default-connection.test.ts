import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
const { chooseModel, newDraftInput, useDefaultConnection } = await import("./default-connection.ts");

test("a new draft is answered where one was added, chosen or submitted last, by the model that was used there", () => {
  const { choose, noteUse } = useDefaultConnection.getState();
  expect(newDraftInput()).toEqual({ connectionId: null });
  choose("conn_1");
  expect(newDraftInput()).toEqual({ connectionId: "conn_1" });
  expect(chooseModel("conn_1", ["a", "b"])).toBe("");
  expect(chooseModel("conn_1", ["a"])).toBe("a");

  noteUse("conn_1", "b");
  noteUse("conn_2", "c");
  expect(newDraftInput()).toEqual({ connectionId: "conn_2" });
  expect(chooseModel("conn_1", ["a", "b"])).toBe("b");
  // One that lists none may still have it; one that no longer offers it has not.
  expect(chooseModel("conn_1", [])).toBe("b");
  expect(chooseModel("conn_1", ["a", "d"])).toBe("");
  noteUse(null, "mock");
  expect(newDraftInput()).toEqual({ connectionId: null });
});
