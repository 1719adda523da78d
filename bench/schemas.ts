/**
 * How long `GET /health` takes while the mock answers batches whose JSON schemas are large, refer to themselves, or have no
 * end: 100 ms at most is the aim, since all of that is the work of other threads.
 */
import { setTimeout as wait } from "node:timers/promises";
import OpenAI, { toFile } from "openai";
import { startSheaf } from "./servers.ts";

type Schema = Readonly<Record<string, unknown>>;

const required = (properties: Schema): Schema => ({ type: "object", properties, required: Object.keys(properties) });
const range = <T>(length: number, create: (at: number) => T): T[] => Array.from({ length }, (_, at) => create(at));
const definitions = (count: number, create: (next: Schema) => Schema): Schema => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(range(count, (at) => [`d${at}`, create({ $ref: `#/$defs/d${(at + 1) % count}` })])),
});

/** Each line has a schema of its own, so that nothing is cached. */
const batches: readonly { readonly name: string; readonly lines: number; readonly schema: Schema }[] = [
  {
    name: "a tree",
    lines: 300,
    schema: required({ name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } }),
  },
  {
    name: "twenty of itself, or none",
    lines: 100,
    schema: required(Object.fromEntries(range(20, (at) => [`p${at}`, { anyOf: [{ $ref: "#" }, { type: "null" }] }]))),
  },
  {
    name: "600 definitions",
    lines: 25,
    schema: definitions(600, (next) => ({ type: "object", properties: { next } })),
  },
  {
    name: "20,000 definitions",
    lines: 20,
    schema: definitions(20_000, (next) => ({ type: "object", properties: { next } })),
  },
  { name: "made of itself", lines: 400, schema: { allOf: [{ $ref: "#" }] } },
  {
    name: "a pattern that backtracks",
    lines: 6,
    schema: { type: "string", minLength: 9_000, not: { pattern: "^(\\w+ ?)+!$" } },
  },
];

function writeLine(schema: Schema, at: number): string {
  const format = { type: "json_schema", json_schema: { name: "it", schema: { ...schema, title: String(at) } } };
  const body = { model, messages: [{ role: "user", content: "?" }], response_format: format };
  return JSON.stringify({ custom_id: String(at), method: "POST", url: "/v1/chat/completions", body });
}

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const server = await startSheaf();
const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.apiKey });
for (const { name, lines, schema } of batches) {
  const text = range(lines, (at) => writeLine(schema, at)).join("\n");
  const file = await openai.files.create({ file: await toFile(Buffer.from(text), "schemas.jsonl"), purpose: "batch" });
  const times: number[] = [];
  const { id } = await openai.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  for (let isOver = false; !isOver; ) {
    const start = performance.now();
    await (await fetch(`${server.url}/health`)).text();
    times.push(performance.now() - start);
    await wait(5);
    if (times.length % 20 === 0) isOver = (await openai.batches.retrieve(id)).status === "completed";
  }
  const [longest = 0, ...others] = times.toSorted((a, b) => b - a);
  const median = others[Math.floor(others.length / 2)] ?? longest;
  report(
    `${name.padEnd(28)} longest ${longest.toFixed(1)} ms, median ${median.toFixed(1)} ms of ${times.length} calls`,
  );
}
await server.stop();

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
