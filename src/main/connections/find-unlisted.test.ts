import { expect, it, onTestFinished } from "vitest";
import { connectionSchema } from "#contract";
import { createFakeMachine } from "../service/testing/index.ts";
import { findUnlisted } from "./find-unlisted.ts";
import { type Reply, startStandIn } from "./testing/stand-in.ts";

async function find(models: readonly string[], list: Reply, about: object = {}) {
  const standIn = await startStandIn(() => list);
  onTestFinished(() => standIn.close());
  const settings = { id: "conn_1", name: "Mine", adapter: "chat", preset: null, url: `${standIn.url}/v1`, ...about };
  const parts = { key: null, machine: createFakeMachine() };
  return await findUnlisted(connectionSchema.parse(settings), models, parts, new AbortController().signal);
}
const listOf = (...names: string[]): Reply => ({ body: { object: "list", data: names.map((id) => ({ id })) } });

it("names the models that are not listed with the nearest that are; a tag, letters in another case and a name of ours are the same", async () => {
  const list = listOf("llama3.2:latest", "qwen3:8b", "qwen3:32b", "mistral-nemo:latest");
  const models = { ours: "qwen3:8b", wrong: "qwen4:8b" };
  expect(await find(["llama3.2", "LLAMA3.2:latest", "qwen3:8b", "ours"], list, { models })).toEqual([]);
  expect(await find(["llama3.3", "qwen3", "wrong"], list, { models })).toEqual([
    { model: "llama3.3", nearest: ["llama3.2:latest", expect.any(String), expect.any(String)], isProblem: false },
    { model: "qwen3", nearest: ["qwen3:8b", "qwen3:32b", expect.any(String)], isProblem: false },
    { model: "wrong", nearest: ["qwen3:8b", "qwen3:32b", expect.any(String)], isProblem: false },
  ]);
});

it("says nothing where no model is listed or the list can't be read, and is sure where the service lists all", async () => {
  expect(await find(["any"], listOf())).toEqual([]);
  expect(await find(["any"], { status: 404, body: { error: "no" } })).toEqual([]);
  expect(await find(["any"], listOf("one"), { preset: "vllm" })).toEqual([
    { model: "any", nearest: ["one"], isProblem: true },
  ]);
});
