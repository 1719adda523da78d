import { expect, it, onTestFinished } from "vitest";
import { createSystemMachine, nextTurn } from "#main/base";
import { createFakeMachine } from "../service/testing/index.ts";
import { findLocalModels, usualModelPorts } from "./find-local-models.ts";
import { type Reply, type StandIn, startStandIn } from "./testing/stand-in.ts";

const model = (id: string, more: object = {}) => ({ id, object: "model", created: 1, ...more });
const list = (...data: object[]) => ({ object: "list", data });
const notFound = { status: 404, body: { detail: "Not Found" } };
const portOf = ({ url }: StandIn) => Number(new URL(url).port);

/** A server that answers these paths, and everything else as the imitated server does. */
async function serve(paths: Readonly<Record<string, Reply>>, otherwise: Reply = notFound): Promise<StandIn> {
  const standIn = await startStandIn(({ path }) => paths[path] ?? otherwise);
  onTestFinished(() => standIn.close());
  return standIn;
}

/** What is found where these answer at the ports of these presets. */
async function find(servers: Readonly<Record<string, StandIn>>, machine = createSystemMachine()) {
  const ports = Object.fromEntries(Object.entries(servers).map(([preset, server]) => [preset, portOf(server)]));
  const found = await findLocalModels({ ports, machine });
  return found.map(({ preset, state, models }) => [preset, state, models]);
}

const ollama = (data: object[] | null = [model("llama3.2:latest", { owned_by: "library" })]) => ({
  "/api/version": { body: { version: "0.12.6" } },
  "/v1/models": { body: { object: "list", data } },
});
const studioUnknown = { body: { error: "Unexpected endpoint or method. (GET /)" } };
const studio = {
  "/api/v0/models": {
    body: list(
      model("qwen2-vl-7b-instruct", { type: "vlm", state: "not-loaded" }),
      model("text-embedding-nomic-embed-text-v1.5", { type: "embeddings", state: "not-loaded" }),
    ),
  },
  "/v1/models": { body: list(model("qwen2-vl-7b-instruct"), model("text-embedding-nomic-embed-text-v1.5")) },
};
const llamaCpp = {
  "/health": { body: { status: "ok" } },
  "/props": { body: { default_generation_settings: { n_ctx: 65_536 }, total_slots: 4, build_info: "b8681" } },
  "/v1/models": { body: list(model("qwen.gguf", { owned_by: "llamacpp", meta: {} })) },
};
const vllm = {
  "/version": { body: { version: "0.11.0" } },
  "/v1/models": { body: list(model("Qwen/Qwen2.5-0.5B", { owned_by: "vllm", max_model_len: 8192 })) },
};
const rayServe = {
  "/v1/models": {
    body: list(model("qwen-0.5b", { owned_by: "organization-owner", metadata: { model_id: "qwen-0.5b" } })),
  },
};

it("finds the servers that are there, each by what it alone answers, with its models", async () => {
  const at8000 = await serve(rayServe);
  expect(
    await find({
      ollama: await serve(ollama()),
      "lm-studio": await serve(studio, studioUnknown),
      "llama-cpp": await serve(llamaCpp),
      vllm: at8000,
      "ray-serve": at8000,
    }),
  ).toEqual([
    ["ollama", "ready", ["llama3.2:latest"]],
    ["lm-studio", "ready", ["qwen2-vl-7b-instruct"]],
    ["llama-cpp", "ready", ["qwen.gguf"]],
    ["ray-serve", "ready", ["qwen-0.5b"]],
  ]);
  const both = await serve(vllm);
  expect(await find({ vllm: both, "ray-serve": both })).toEqual([["vllm", "ready", ["Qwen/Qwen2.5-0.5B"]]]);
  expect(usualModelPorts).toEqual({
    ollama: 11434,
    "lm-studio": 1234,
    "llama-cpp": 8080,
    vllm: 8000,
    "ray-serve": 8000,
  });
});

it("tells apart a server without a model, one that loads it, and one that wants a key", async () => {
  const loading = { status: 503, body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } } };
  const locked = {
    status: 401,
    body: { error: { code: 401, message: "Invalid API Key", type: "authentication_error" } },
  };
  expect(await find({ ollama: await serve(ollama(null)) })).toEqual([["ollama", "no_model", []]]);
  expect(await find({ ollama: await serve(ollama([])) })).toEqual([["ollama", "no_model", []]]);
  expect(await find({ "llama-cpp": await serve({}, loading) })).toEqual([["llama-cpp", "loading", []]]);
  expect(await find({ "llama-cpp": await serve({ ...llamaCpp, "/props": locked }) })).toEqual([
    ["llama-cpp", "needs_key", ["qwen.gguf"]],
  ]);
  const message = "An LM Studio API token is required to make requests to this server, but none was provided.";
  const refused = { status: 401, body: { error: { type: "invalid_request", code: "invalid_api_key", message } } };
  expect(await find({ "lm-studio": await serve({}, refused) })).toEqual([["lm-studio", "needs_key", []]]);
  const unauthorized = { status: 401, body: { error: "Unauthorized" } };
  expect(await find({ vllm: await serve({ ...vllm, "/v1/models": unauthorized }) })).toEqual([
    ["vllm", "needs_key", []],
  ]);
});

it("calls nothing a model that is something else at one of the ports", async () => {
  const page = { body: "<!doctype html><title>Jenkins</title>" };
  const others: [string, Readonly<Record<string, Reply>>, Reply][] = [
    ["a page", {}, page],
    ["an API that knows none of it", {}, notFound],
    ["one that answers everything with an empty list", {}, { body: { object: "list", data: [] } }],
    ["one that answers everything with an object", {}, { body: { status: "ok", version: "1.2", data: [{ id: "1" }] } }],
    [
      "one that has a version and a lock",
      { "/version": { body: { version: "3" } } },
      { status: 401, body: { error: "no" } },
    ],
    [
      "a service that wants a key of its own",
      {},
      { status: 401, body: { error: { type: "invalid_request_error", code: "invalid_api_key", message: "No key." } } },
    ],
    ["one that redirects", {}, { status: 302, headers: { location: "/v1/models" }, body: "" }],
    ["LM Studio's answer to what it does not know", {}, studioUnknown],
    ["an answer that is cut", {}, (response) => response.writeHead(200, { "content-length": "9" }).destroy()],
  ];
  for (const [what, paths, otherwise] of others) {
    const server = await serve(paths, otherwise);
    const presets = Object.keys(usualModelPorts).map((preset): [string, StandIn] => [preset, server]);
    expect(await find(Object.fromEntries(presets)), what).toEqual([]);
  }
  // One that is known by its list alone is a chat server, whatever its name.
  const mlx = await serve({ "/v1/models": { body: list(model("mlx-community/Qwen3")) } });
  expect(await find({ "llama-cpp": mlx })).toEqual([["chat", "ready", ["mlx-community/Qwen3"]]]);
});

it("sends no key, follows no redirect, and reads no answer without an end", async () => {
  const elsewhere = await serve(ollama());
  const redirecting = await serve({}, { status: 307, headers: { location: `${elsewhere.url}/v1/models` }, body: "" });
  expect(await find({ ollama: redirecting })).toEqual([]);
  expect(elsewhere.received).toEqual([]);
  const endless = await serve({}, (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (response.write(" ".repeat(100_000)));
    };
    response.on("drain", more);
    more();
  });
  expect(await find({ ollama: endless })).toEqual([]);
  for (const { headers, method } of [...redirecting.received, ...endless.received]) {
    expect(method).toBe("GET");
    expect(Object.keys(headers).filter((name) => /auth|key|cookie/.test(name))).toEqual([]);
  }
});

it("waits one second by the computer's clock for a port that accepts and says nothing", async () => {
  const machine = createFakeMachine();
  const calls = Promise.withResolvers<void>();
  const silent = await serve({}, () => calls.resolve());
  const there = await serve(ollama());
  const finding = find({ "llama-cpp": silent, ollama: there }, machine);
  await calls.promise;
  while (machine.pending > 1) await nextTurn();
  await machine.advance(1_000);
  expect(await finding).toEqual([["ollama", "ready", ["llama3.2:latest"]]]);
  expect(machine.pending).toBe(0);
  expect(await findLocalModels({ machine, ports: { ollama: 9 } })).toEqual([]);
});
