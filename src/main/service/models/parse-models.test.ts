import { expect, test } from "vitest";
import { parseModels } from "./parse-models.ts";

test("a model is an id, or a map that says more of it", () => {
  const text = "- acme/small\n- id: thinker\n  owned_by: acme\n  aliases: [acme/thinker-1]\n  reasoning: true\n";
  expect(parseModels(text, "models.yaml")).toEqual([
    { id: "acme/small", ownedBy: "acme", aliases: [], reasoning: false },
    { id: "thinker", ownedBy: "acme", aliases: ["acme/thinker-1"], reasoning: true },
  ]);
  expect(parseModels('["plain"]', "models.json")).toEqual([
    { id: "plain", ownedBy: "local", aliases: [], reasoning: false },
  ]);
});

test("all mistakes are told, each with its line", () => {
  const text = "- a/b\n- id: 7\n- id: c\n  color: red\n- id: d\n  aliases: [a/b]\n";
  expect(() => parseModels(text, "models.yaml")).toThrowErrorMatchingInlineSnapshot(`
    [TextError: models.yaml:2: [1].id must be a text, not the number 7
    models.yaml:4: [2] has the unknown key 'color']
  `);
  expect(() => parseModels("", "models.yaml")).toThrowErrorMatchingInlineSnapshot(
    `[TextError: models.yaml:1: the file must be a list, not empty]`,
  );
  expect(() => parseModels("[", "models.yaml")).toThrow("models.yaml:1: ");
  expect(() => parseModels("- a\n- id: b\n- id: a\n", "models.yaml")).toThrow(
    "models.yaml:3: [2] has the name 'a' of an earlier model",
  );
});
