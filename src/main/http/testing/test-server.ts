import { readFile } from "node:fs/promises";
import OpenAI from "openai";
import { expect } from "vitest";
import { z } from "zod";
import { type DialectName, type ErrorBody, errorBodySchema } from "#contract";
import { type AdjustableClock, createAdjustableClock } from "#main/base";
import { createFixedRules, createMockEngine, type Pace, type RulesInput } from "#main/engines";
import type { FileLimits } from "#main/requests";
import type { Service } from "#main/service";
import { createRandomIds } from "../../base/ids.ts";
import type { Engine, Logger, Machine } from "../../base/ports.ts";
import { createModelCatalog, type Tier } from "../../requests/model-catalog.ts";
import { createService } from "../../service/create-service.ts";
import { sharedThreads } from "../../service/testing/index.ts";
import { openHttpApp } from "../open-http-app.ts";
import type { WebhookSettings } from "../webhook-settings.ts";
import { checkAnswers } from "./check-answers.ts";

export const apiKey = "sk-sheaf-test-0123456789abcdef";
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";

export interface TestServer {
  readonly url: string;
  readonly service: Service;
  /** What was logged as an error: faults of ours. */
  readonly faults: string[];
  readonly client: OpenAI;
  /** A request with the key. */
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly dialect?: DialectName;
  readonly pace?: Pace;
  readonly hosts?: readonly string[];
  readonly cors?: readonly string[];
  /** Whether a key is asked for; it is by default. */
  readonly auth?: boolean;
  readonly fileLimits?: Partial<FileLimits>;
  readonly tier?: Tier;
  /** Whether any name is a model; not by default. */
  readonly anyModel?: boolean;
  /** Whether direct calls are held to the tier's limits; not unless a test is about them. */
  readonly rateLimit?: boolean;
  readonly lenient?: boolean;
  readonly clock?: AdjustableClock;
  /** The computer's by default. */
  readonly machine?: Machine;
  readonly rules?: RulesInput;
  readonly webhooks?: WebhookSettings;
  /** Nothing is logged by default but faults of ours. */
  readonly onWarning?: (message: string, fields?: object) => void;
  /** Whether answers are passed on from elsewhere: they are not held to our description. */
  readonly isForeign?: boolean;
  /** In place of the mock engine. */
  readonly engine?: Engine;
  /** In place of parts of the real service. */
  readonly change?: (service: Service) => Service;
}

/** A real service behind a real server that listens on a free port. Its answers are held to its own description. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { dialect = "service", pace = "instant", hosts = [], fileLimits = {}, change = (service) => service } = options;
  const { tier = "standard", rateLimit = false, lenient = false, clock = createAdjustableClock() } = options;
  const faults: string[] = [];
  const ids = createRandomIds();
  const { engine = createMockEngine({ pace, seed: 1, clock, ids, catalog: createModelCatalog(tier) }) } = options;
  const logger = { ...noteFaults(faults), ...(options.onWarning && { warn: options.onWarning }) };
  const service = await createService({
    ephemeral: true,
    ...sharedThreads(),
    engine,
    ...(options.rules && { rules: createFixedRules(options.rules) }),
    tier,
    dialect,
    rateLimit,
    lenient,
    clock,
    ...(options.machine && { machine: options.machine }),
    ids,
    fileLimits,
    anyModel: options.anyModel === true,
    logger,
  });
  const check = checkAnswers(service, dialect);
  const webhooks = options.webhooks ?? null;
  const key = options.auth === false ? null : apiKey;
  const access = { apiKey: key, cors: options.cors ?? [], hosts };
  const app = await openHttpApp({ service: change(service), webhooks, clock, ...access }, check.prepare);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  await check.begin(url);
  return {
    url,
    service,
    faults,
    client: new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 }),
    request: (path, init = {}) => fetch(url + path, { ...init, headers: { ...withKey, ...init.headers } }),
    async close() {
      await app.close();
      await service.close(0);
      if (options.isForeign !== true) expect(check.problems).toEqual([]);
    },
  };
}

const withKey: Record<string, string> = { authorization: `Bearer ${apiKey}` };

function noteFaults(faults: string[]): Logger {
  const ignore = () => undefined;
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (message, fields) => faults.push(`${message} ${JSON.stringify(fields)}`),
  };
}

/** The error of a response, once it is sure that it has the shape that every error has. */
export async function readError(response: Response, status: number): Promise<ErrorBody["error"]> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  return z.strictObject({ error: z.strictObject(errorBodySchema.shape.error.shape) }).parse(JSON.parse(text)).error;
}

/** A batch input file with one request for each prompt. */
export function toBatchFile(prompts: readonly { id: string; content: string }[], body: object = {}): string {
  return prompts
    .map(({ id, content }) => ({
      custom_id: id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model, messages: [{ role: "user", content }], ...body },
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

export const twoPrompts = toBatchFile([
  { id: "a", content: "What is 2 + 2?" },
  { id: "b", content: "What is 3 + 3?" },
]);

const questionSchema = z.object({ id: z.string(), question: z.string() });

/** The 1,319 questions of GSM8K's test set. */
export async function readQuestions(): Promise<{ id: string; content: string }[]> {
  const text = await readFile(new URL("../../../../examples/gsm8k-1319.jsonl", import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => questionSchema.parse(JSON.parse(line)))
    .map(({ id, question }) => ({ id, content: question }));
}

/** Uploads content as a batch input file. */
export async function upload(server: TestServer, content: string, filename = "batch.jsonl"): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([content]), filename);
  form.append("purpose", "batch");
  const response = await server.request("/v1/files", { method: "POST", body: form });
  return z.object({ id: z.string() }).parse(await response.json()).id;
}

/** A POST with a JSON body. */
export function json(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** Uploads content and creates a batch of it. */
export async function createBatch(server: TestServer, content: string): Promise<string> {
  const response = await server.request(
    "/v1/batches",
    json({
      input_file_id: await upload(server, content),
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    }),
  );
  return z.object({ id: z.string() }).parse(await response.json()).id;
}
