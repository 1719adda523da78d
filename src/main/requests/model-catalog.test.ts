import { beforeAll, describe, expect, test } from "vitest";
import { loadConfigReader } from "#main/storage";
import { createModelCatalog, parseModels, type Tier } from "./model-catalog.ts";

beforeAll(loadConfigReader);

test("the four models are found by id and by the document's neutral names", () => {
  const catalog = createModelCatalog("standard");
  expect(catalog.list().map(({ id }) => id)).toEqual([
    "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
    "klusterai/Meta-Llama-3.1-405B-Instruct-Turbo",
    "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
    "deepseek-ai/DeepSeek-R1",
  ]);
  const names = ["<vendor_a>/<Family1>-3.3-70B-Instruct-Turbo", "vendor_a/Family1-3.3-70B-Instruct-Turbo"];
  for (const name of names) expect(catalog.find(name)?.id).toBe("klusterai/Meta-Llama-3.3-70B-Instruct-Turbo");
  expect(catalog.find("vendor_b/Family2-R1")?.reasoning).toBe(true);
  expect(catalog.find("gpt-9")).toBeUndefined();
});

describe("limits", () => {
  test.each([
    ["free", "deepseek-ai/DeepSeek-R1", 32_000, 4_000],
    ["free", "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", 32_000, 4_000],
    ["standard", "deepseek-ai/DeepSeek-R1", 164_000, 164_000],
    ["standard", "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", 131_000, 131_000],
  ] as const)("of the %s tier for %s", (tier, name, context, output) => {
    const catalog = createModelCatalog(tier);
    const model = catalog.find(name);
    expect(model && catalog.limits(model)).toEqual({ context, output });
  });

  test("of 131k are 131,072 in the openai dialect", () => {
    const limitsOf = (name: string, tier: Tier) => {
      const catalog = createModelCatalog(() => ({ tier, dialect: "openai" }));
      const model = catalog.find(name);
      return model && catalog.limits(model);
    };
    expect(limitsOf("klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", "standard")).toEqual({
      context: 131_072,
      output: 131_072,
    });
    expect(limitsOf("deepseek-ai/DeepSeek-R1", "standard")).toEqual({ context: 164_000, output: 164_000 });
    expect(limitsOf("klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", "free")).toEqual({ context: 32_000, output: 4_000 });
  });
});

test("a list of one's own replaces the models; a name stands for one of them only", () => {
  const own = { id: "own/model", ownedBy: "own", aliases: ["mine"], reasoning: false };
  const catalog = createModelCatalog("free", [own]);
  expect(catalog.find("mine")).toBe(own);
  expect(catalog.find("deepseek-ai/DeepSeek-R1")).toBeUndefined();
  expect(() => createModelCatalog("free", [own, { ...own, id: "mine", aliases: [] }])).toThrow('the name "mine"');
});

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
    [ConfigFileError: models.yaml:2: [1].id must be a text, not the number 7
    models.yaml:4: [2] has the unknown key 'color']
  `);
  expect(() => parseModels("", "models.yaml")).toThrowErrorMatchingInlineSnapshot(
    `[ConfigFileError: models.yaml:1: the file must be a list, not empty]`,
  );
  expect(() => parseModels("[", "models.yaml")).toThrow("models.yaml:1: ");
  expect(() => parseModels("- a\n- id: b\n- id: a\n", "models.yaml")).toThrow(
    "models.yaml:3: [2] has the name 'a' of an earlier model",
  );
});
