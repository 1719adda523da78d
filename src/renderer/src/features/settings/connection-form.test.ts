import { expect, it } from "vitest";
import { connectionSchema, type Preset } from "#contract";
import {
  type ConnectionFields,
  emptyModelPrice,
  fieldsOfConnection,
  fieldsOfService,
  findService,
  readConnectionFields,
  readNumber,
} from "./connection-form.ts";

const preset = {
  name: "vLLM",
  url: "http://127.0.0.1:8000/v1",
  concurrency: 64,
  windows: ["24h"],
} as Preset;
const service = { id: "vllm", label: "vLLM", preset, adapter: "chat" } as const;
const ollama = { preset: "vllm", adapter: "chat" } as const;
const read = (changes: Partial<ConnectionFields>) =>
  readConnectionFields({ ...fieldsOfService(service, []), ...changes }, ollama);

it("reads what it fills in, and fills in what it has read", () => {
  const filled = fieldsOfService(service, ["vLLM"]);
  expect(filled).toMatchObject({ name: "vLLM 2", url: preset.url, concurrency: "64" });
  const typed = {
    ...filled,
    models: "gpt = llama3.2:1b\n\n* = qwen",
    requestsPerMinute: "1,000",
    proxy: "socks5h://127.0.0.1:1080",
    caFile: "/etc/company.pem",
    mostMegabytes: "0.5",
    inputPrice: "0.15",
    outputPrice: "0.6",
    modelPrices: [
      {
        ...emptyModelPrice,
        model: "gpt-4o",
        input: "2.5",
        cached: "1.25",
        cacheWrite: "3",
        output: "10",
        factor: "0.5",
      },
      { ...emptyModelPrice, model: "other", factor: "0.25" },
    ],
  };
  const result = readConnectionFields(typed, ollama);
  if ("errors" in result) throw new Error(JSON.stringify(result.errors));
  expect(result.connection).toMatchObject({
    models: { gpt: "llama3.2:1b", "*": "qwen" },
    requestsPerMinute: 1_000,
    proxy: "socks5h://127.0.0.1:1080",
    caFile: "/etc/company.pem",
    tokensPerMinute: null,
    limits: { lines: null, bytes: 500_000, tokens: null },
    prices: { input: 0.15, output: 0.6, cached: null, cacheWrite: null, cacheWrite1h: null },
    modelPrices: [
      {
        model: "gpt-4o",
        prices: { input: 2.5, output: 10, cached: 1.25, cacheWrite: 3, cacheWrite1h: null },
        factor: 0.5,
      },
      { model: "other", prices: null, factor: 0.25 },
    ],
  });
  const learned = connectionSchema.shape.learned.parse(undefined);
  const own = {
    id: "conn_1",
    keyVariable: null,
    learned,
    hasKey: false,
    hasMcpToken: false,
    hasMcp: false,
    unfinishedBatches: 0,
  };
  const view = { ...result.connection, ...own };
  expect(fieldsOfConnection(view)).toEqual({
    ...typed,
    models: "gpt = llama3.2:1b\n* = qwen",
    requestsPerMinute: "1000",
  });
});

it.each<[Partial<ConnectionFields>, object]>([
  [{ name: " " }, { name: "A name tells it from others." }],
  [{ url: "" }, { url: "Where the server is, usually with /v1 at the end." }],
  [{ url: "localhost:11434" }, { url: "It begins with http:// or https://." }],
  [{ url: "https://me:secret@example.com" }, { url: "The key has a field of its own: leave it out here." }],
  [{ mcpUrl: "/mcp" }, { mcpUrl: "It begins with http:// or https://." }],
  [{ url: "http://" }, { url: "This is no address." }],
  [{ models: "a = b\nc" }, { models: "Line 2 is not of the form “name = their name”." }],
  [{ concurrency: "" }, { concurrency: "From 1 to 4,096." }],
  [{ inputPrice: "1" }, { outputPrice: "Type both prices, or neither." }],
  [{ cachedPrice: "1", outputPrice: "1" }, { inputPrice: "Type both prices, or neither." }],
  [{ modelPrices: [{ ...emptyModelPrice, input: "1" }] }, { modelPrices: "Name the model that these prices are of." }],
  [{ modelPrices: [{ ...emptyModelPrice, model: "a", output: "x" }] }, { modelPrices: "a: This is no number." }],
  [
    { modelPrices: [{ ...emptyModelPrice, model: "a", output: "1" }] },
    { modelPrices: "a: Type both prices, or neither." },
  ],
])("says at the field what is wrong with %o", (changes, errors) => {
  expect(read(changes)).toEqual({ errors });
});

it.each([
  ["", null],
  ["50,000", 50_000],
  ["0.7", 0.7],
  ["0,7", "Write it with a point: 0.7"],
  ["-1", "1 or more."],
  ["two", "This is no number."],
])("reads the number %o", (text, expected) => {
  expect(readNumber(text, { least: text.startsWith("0") ? 0 : 1 })).toBe(expected);
});

it("finds what a connection was made to, also one that was made by hand", () => {
  const known = { ...preset, id: "vllm", adapter: "chat" } as Preset;
  const usual = { ...preset, id: "chat", name: "Another chat server", adapter: "chat" } as Preset;
  const find = (id: string | null) => findService([known, usual], { adapter: "chat", preset: id }).id;
  expect([find("vllm"), find(null), find("one that is gone")]).toEqual(["vllm", "chat", "chat"]);
  expect(findService([], { adapter: "openai-batch", preset: null }).id).toBe("other");
  expect(findService([], { adapter: "gemini-batch", preset: null })).toMatchObject({ adapter: "gemini-batch" });
});
