import { z } from "zod";
import { type Received, type Reply, type StandIn, startStandIn } from "./stand-in.ts";

/** The vendors whose forms of the widely used batch API it can answer in (docs/connections.md). */
export type Flavour = "openai" | "azure" | "groq" | "together";

const requestSchema = z.looseObject({ custom_id: z.string(), body: z.looseObject({ model: z.string() }) });
type Request = z.infer<typeof requestSchema>;

interface Batch {
  readonly id: string;
  readonly inputFileId: string;
  readonly metadata: unknown;
  readonly requests: readonly Request[];
  status: "in_progress" | "completed" | "cancelled";
  outputFileId: string | null;
  errorFileId: string | null;
}

/** A stand-in for a service of the widely used batch API. */
export interface OpenaiService extends StandIn {
  readonly batches: readonly { readonly id: string; readonly lines: number }[];
  /** Answers every line of all batches and ends them; lines for which `fails` is true have an error. */
  end(fails?: (customId: string) => boolean): void;
  /** How many lines a batch has answered when it is cancelled. */
  holdCancelled(customIds: readonly string[]): void;
}

/** The times of the stand-in, in Unix seconds. */
const created = 1_793_900_000;

/** Starts it; it takes one key. Its base address ends where the vendor's client begins: `/v1`, Groq's at the root. */
export async function startOpenaiService(flavour: Flavour, key: string): Promise<OpenaiService> {
  const files = new Map<string, Buffer>();
  const batches: Batch[] = [];
  let answeredBeforeCancel: readonly string[] = [];

  const addFile = (content: Buffer): string => {
    const id = `file-${files.size + 1}`;
    files.set(id, content);
    return id;
  };

  function show(batch: Batch): Record<string, unknown> {
    const isOver = batch.status !== "in_progress";
    const common = {
      id: batch.id,
      endpoint: "/v1/chat/completions",
      input_file_id: batch.inputFileId,
      output_file_id: batch.outputFileId,
      error_file_id: batch.errorFileId,
    };
    if (flavour === "together") {
      return {
        ...common,
        status: batch.status.toUpperCase(),
        progress: isOver ? 100 : 0,
        created_at: new Date(created * 1_000).toISOString(),
        completed_at: isOver ? new Date((created + 60) * 1_000).toISOString() : undefined,
        error: "",
      };
    }
    const isAnswered = ({ custom_id }: Request) => answeredBeforeCancel.includes(custom_id);
    const answered = batch.status === "cancelled" ? batch.requests.filter(isAnswered) : batch.requests;
    const done = isOver ? answered.length : 0;
    return {
      ...common,
      object: "batch",
      status: batch.status,
      completion_window: "24h",
      created_at: created,
      expires_at: created + 86_400,
      completed_at: isOver ? created + 60 : null,
      errors: null,
      request_counts: { total: batch.requests.length, completed: done, failed: 0 },
      metadata: batch.metadata ?? null,
    };
  }

  const refuse = (status: number, message: string, code: string | null = null): Reply => ({
    status,
    body: { error: { message, type: "invalid_request_error", param: null, code } },
  });

  async function upload(request: Received): Promise<Reply> {
    if (flavour === "together") {
      if (request.query.get("purpose") !== "batch-api") return refuse(400, "unknown purpose");
      const id = addFile(Buffer.alloc(0));
      const location = `http://${request.headers.host}/signed/${id}`;
      return { status: 302, headers: { location, "x-together-file-id": id }, body: "" };
    }
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const form = await new Response(new Uint8Array(request.body), { headers }).formData();
    const file = form.get("file");
    if (form.get("purpose") !== "batch" || !(file instanceof Blob)) return refuse(400, "no file, or unknown purpose");
    return { body: showFile(addFile(Buffer.from(await file.arrayBuffer()))) };
  }

  const showFile = (id: string) => ({
    id,
    object: "file",
    bytes: files.get(id)?.length ?? 0,
    created_at: created,
    filename: "batch.jsonl",
    purpose: flavour === "together" ? "batch-api" : "batch",
  });

  function createBatch(request: Received): Reply {
    const body = z
      .looseObject({ input_file_id: z.string(), metadata: z.unknown().optional() })
      .parse(JSON.parse(request.body.toString("utf8")));
    const content = files.get(body.input_file_id);
    if (content === undefined) return refuse(400, "no such file");
    if (flavour === "together" && body.metadata !== undefined) return refuse(400, "unknown field metadata");
    const lines = content.toString("utf8").split("\n").filter(Boolean);
    const requests = lines.map((line) => requestSchema.parse(JSON.parse(line)));
    const batch: Batch = {
      id: `batch-${batches.length + 1}`,
      inputFileId: body.input_file_id,
      metadata: body.metadata,
      requests,
      status: "in_progress",
      outputFileId: null,
      errorFileId: null,
    };
    batches.push(batch);
    return { body: flavour === "together" ? { job: show(batch), warning: "" } : show(batch) };
  }

  async function answer(request: Received): Promise<Reply> {
    const signed = /^\/signed\/(.+)$/.exec(request.path)?.[1];
    if (signed !== undefined) {
      if (request.headers.authorization !== undefined) return refuse(400, "a key has no business here");
      files.set(signed, request.body);
      return { body: "" };
    }
    const { authorization, "api-key": azureKey } = request.headers;
    const isAllowed = flavour === "azure" ? azureKey === key : authorization === `Bearer ${key}`;
    if (!isAllowed) return refuse(401, "Incorrect API key", "invalid_api_key");
    const path = request.path.replace(/^(\/openai)?\/v1(\/deployments\/[^/]+)?/, "");
    const [, kind, id, act] = /^\/(files|batches|models)(?:\/([^/]+))?(?:\/(content|cancel))?$/.exec(path) ?? [];
    if (path === "/chat/completions") {
      const { model, messages } = JSON.parse(request.body.toString("utf8"));
      const { custom_id, body } = { custom_id: messages.at(-1).content, body: { model } };
      return { body: writeLine({ custom_id, body }, 0, false).response.body };
    }
    if (kind === "models") return { body: { object: "list", data: [{ id: "some-model", object: "model" }] } };
    if (kind === "files" && id === undefined && request.method === "POST") return await upload(request);
    if (kind === "files" && id !== undefined) {
      const content = files.get(id);
      if (content === undefined) return refuse(404, "no such file");
      return { body: act === "content" ? content : showFile(id) };
    }
    if (kind !== "batches") return refuse(404, "no such path");
    if (request.method === "POST" && id === undefined) return createBatch(request);
    if (id === undefined) {
      const data = batches.toReversed().map(show);
      return { body: flavour === "together" ? data : { object: "list", data, has_more: false } };
    }
    const batch = batches.find((other) => other.id === id);
    if (batch === undefined) return refuse(404, "no such batch");
    if (act === "cancel") {
      batch.status = "cancelled";
      const answered = batch.requests.filter(({ custom_id }) => answeredBeforeCancel.includes(custom_id));
      const lines = answered.map((line, at) => `${JSON.stringify(writeLine(line, at, false))}\n`);
      if (lines.length > 0) batch.outputFileId = addFile(Buffer.from(lines.join("")));
    }
    return { body: show(batch) };
  }

  const standIn = await startStandIn(answer);
  return {
    ...standIn,
    url: standIn.url + { openai: "/v1", together: "/v1", azure: "/openai/v1", groq: "" }[flavour],
    get batches() {
      return batches.map(({ id, requests }) => ({ id, lines: requests.length }));
    },
    holdCancelled(customIds) {
      answeredBeforeCancel = customIds;
    },
    end(fails = () => false) {
      for (const batch of batches.filter(({ status }) => status === "in_progress")) {
        const answers = batch.requests.toReversed().map((line, at) => writeLine(line, at, fails(line.custom_id)));
        const write = (isError: boolean) => {
          const lines = answers.filter((line) => (line.response.status_code !== 200) === isError);
          return lines.length === 0
            ? null
            : addFile(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
        };
        batch.outputFileId = write(false);
        batch.errorFileId = write(true);
        batch.status = "completed";
      }
    },
  };
}

function writeLine({ custom_id, body: { model } }: Request, at: number, fails: boolean) {
  const message = { role: "assistant", content: `answer to ${custom_id}` };
  const body = fails
    ? { error: { message: "The model is busy.", type: "server_error", param: null, code: "busy" } }
    : {
        id: `chatcmpl-${at}`,
        object: "chat.completion",
        created,
        model,
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
      };
  return {
    id: `batch_req_${at}`,
    custom_id,
    response: { status_code: fails ? 503 : 200, request_id: `req_${at}`, body },
    error: null,
  };
}
