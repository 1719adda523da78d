import type { Agent } from "undici";
import { z } from "zod";
import type { LocalModels } from "#contract";
import type { Machine } from "#main/base";
import { readText } from "#main/engines";
import { parseJson } from "#main/storage";
import { presets } from "./presets.ts";

/** How long the server at one port has for all its answers, in milliseconds. */
const timeout = 1_000;
/** More than a list of models takes, in bytes: whatever else is at a port may send without an end. */
const longestAnswer = 4_000_000;

/** The ports of this computer that are asked, by the preset of the server that is looked for there. */
export type ModelPorts = Readonly<Record<string, number>>;

/** The presets of servers that run on this computer, at their usual ports. */
export const usualModelPorts: ModelPorts = Object.fromEntries(
  presets.flatMap(({ id, adapter, url }) =>
    adapter === "chat" && url !== null ? [[id, Number(new URL(url).port)]] : [],
  ),
);

interface Answer {
  readonly status: number;
  /** Parsed; undefined where it is no JSON. */
  readonly body: unknown;
}

type Answers = ReadonlyMap<string, Answer>;

const lists = "/v1/models";
/** Ollama without a model answers with `data: null`. */
const listSchema = z.object({
  object: z.literal("list"),
  data: z
    .array(z.looseObject({ id: z.string(), object: z.literal("model") }))
    .nullable()
    .transform((models) => models ?? []),
});
const versionSchema = z.object({ version: z.string() });

/** What distinguishes a server from others: what only that one answers, and what its states look like. */
interface Kind {
  readonly preset: string;
  readonly paths: readonly string[];
  recognize(answers: Answers): Omit<LocalModels, "preset" | "url"> | null;
}

/** In the order in which they are tried at a port that several of them use. */
const kinds: readonly Kind[] = [
  {
    // https://docs.ollama.com/api-reference/get-version
    preset: "ollama",
    paths: ["/api/version"],
    recognize: (answers) => (read(answers, "/api/version", versionSchema) ? readList(answers) : null),
  },
  {
    // https://lmstudio.ai/docs/developer/rest/endpoints; a path that it doesn't know gets status 200 and an `error`. Since 0.4 its
    // user can have it ask for a token, and a refusal names it.
    preset: "lm-studio",
    paths: ["/api/v0/models"],
    recognize(answers) {
      if (read(answers, lists, studioLockSchema, 401)) return { state: "needs_key", models: [] };
      const own = read(answers, "/api/v0/models", studioSchema);
      const embeddings = new Set(own?.data.filter(({ type }) => type === "embeddings").map(({ id }) => id));
      return own && readList(answers, (id) => !embeddings.has(id));
    },
  },
  {
    // https://github.com/ggml-org/llama.cpp/tree/master/tools/server: /health and /v1/models want no key, /props does.
    preset: "llama-cpp",
    paths: ["/health", "/props"],
    recognize(answers) {
      if (read(answers, "/health", loadingSchema, 503)) return { state: "loading", models: [] };
      const list = readList(answers);
      if (read(answers, "/props", propsSchema)) return list;
      const isOwn = read(answers, lists, ownedBy("llamacpp")) !== null;
      return list && isOwn
        ? { ...list, state: answers.get("/props")?.status === 401 ? "needs_key" : list.state }
        : null;
    },
  },
  {
    // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html: with a key, all below /v1 wants it.
    preset: "vllm",
    paths: ["/version"],
    recognize(answers) {
      if (!read(answers, "/version", versionSchema)) return null;
      const isLocked = read(answers, lists, z.object({ error: z.literal("Unauthorized") }), 401) !== null;
      return isLocked ? { state: "needs_key", models: [] } : readList(answers);
    },
  },
  {
    // ray/llm/_internal/serve/configs/openai_api_models.py: each model of its list has `metadata` of its own.
    preset: "ray-serve",
    paths: [],
    recognize: (answers) => (read(answers, lists, rayListSchema) ? readList(answers) : null),
  },
  {
    // LocalAI, MLX and others use these ports, too. Without a model in its list, it may be anything.
    preset: "chat",
    paths: [],
    recognize(answers) {
      const list = readList(answers);
      return list?.state === "ready" ? list : null;
    },
  },
];

/** It comes with an embeddings model: an empty list is another server's. */
const studioSchema = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string(), state: z.string() })).min(1),
});
const studioLockSchema = z.object({ error: z.object({ message: z.string().startsWith("An LM Studio API token ") }) });
const propsSchema = z.object({ default_generation_settings: z.looseObject({}).nullable() });
const loadingSchema = z.object({ error: z.object({ message: z.literal("Loading model") }) });
const rayListSchema = z.object({
  data: z.array(z.object({ id: z.string(), metadata: z.object({ model_id: z.string() }) })).min(1),
});
const ownedBy = (owner: string) => z.object({ data: z.array(z.object({ owned_by: z.literal(owner) })).min(1) });

function read<T>(answers: Answers, path: string, schema: z.ZodType<T>, status = 200): T | null {
  const answer = answers.get(path);
  return answer?.status === status ? (schema.safeParse(answer.body).data ?? null) : null;
}

function readList(answers: Answers, isWanted = (_id: string) => true): Pick<LocalModels, "state" | "models"> | null {
  const list = read(answers, lists, listSchema);
  if (list === null) return null;
  const models = list.data.map(({ id }) => id).filter(isWanted);
  return { state: models.length === 0 ? "no_model" : "ready", models };
}

interface FindDeps {
  readonly machine: Pick<Machine, "after">;
  /** Those asked; the usual ones by default. */
  readonly ports?: ModelPorts;
}

/**
 * Asks the ports of 127.0.0.1 at which model servers usually are, all at once, and a second each. Sends no key, follows no
 * redirect and uses no proxy. Answers with those that were recognized by what they answer, in the order of the presets.
 */
export async function findLocalModels({ machine, ports = usualModelPorts }: FindDeps): Promise<LocalModels[]> {
  const asked = [...new Set(Object.values(ports))];
  const found = await Promise.all(
    asked.map((port) =>
      recognizePort(
        port,
        kinds.filter(({ preset }) => preset === "chat" || ports[preset] === port),
        machine,
      ),
    ),
  );
  return found.filter((server) => server !== null);
}

async function recognizePort(
  port: number,
  own: readonly Kind[],
  machine: FindDeps["machine"],
): Promise<LocalModels | null> {
  const url = `http://127.0.0.1:${port}`;
  const { Agent } = await import("undici");
  const limit = new AbortController();
  const cancel = machine.after(timeout, () => limit.abort());
  const dispatcher = new Agent({ maxResponseSize: longestAnswer });
  const answers = new Map<string, Answer>();
  try {
    const paths = new Set([lists, ...own.flatMap(({ paths }) => paths)]);
    await Promise.all(
      Array.from(paths, async (path) => {
        const answer = await ask(`${url}${path}`, dispatcher, limit.signal);
        if (answer !== null) answers.set(path, answer);
      }),
    );
  } finally {
    cancel();
    await dispatcher.destroy();
  }
  for (const { preset, recognize } of own) {
    const recognized = recognize(answers);
    if (recognized !== null) return { preset, url: `${url}/v1`, ...recognized };
  }
  return null;
}

/** Null where nothing answers in time, or no HTTP. */
async function ask(url: string, dispatcher: Agent, signal: AbortSignal): Promise<Answer | null> {
  const { request } = await import("undici");
  try {
    const { statusCode, body } = await request(url, { dispatcher, signal, headers: { accept: "application/json" } });
    return { status: statusCode, body: parseJson(await readText(body)) };
  } catch {
    return null;
  }
}
