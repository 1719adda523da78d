import { expect, test } from "vitest";
import { keepModels } from "./keep-models.ts";

const before = { model: "local", otherModels: ["other", "shared"] };

test("models that a connection does not offer are no longer chosen", () => {
  expect(keepModels(before, before, ["shared"])).toEqual({ model: "", otherModels: ["shared"] });
  expect(keepModels(before, before, ["local", "other", "shared"])).toBeNull();
});

test("models that were typed while the list was loading stay", () => {
  const typed = { model: "unlisted", otherModels: ["shared", "typed"] };
  expect(keepModels(before, typed, ["shared"])).toBeNull();
  expect(keepModels({ model: "", otherModels: [] }, { model: "", otherModels: [] }, ["shared"])).toBeNull();
});
