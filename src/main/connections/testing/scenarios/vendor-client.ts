import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import Groq from "groq-sdk";
import OpenAI, { toFile } from "openai";
import Together from "together-ai";
import type { Kind } from "./kinds.ts";

/** One row of results: a line's id, and its answer or the whole row where it has none. */
export interface ClientRow {
  readonly id: string;
  readonly answer: string | null;
}

/** What a client shows of a batch. */
export interface ClientBatch {
  readonly id: string;
  readonly word: string;
  readonly completed: number | null;
  readonly output: string | null;
  readonly error: string | null;
}

/** What each vendor's own client does, in the same words. Nothing is tried twice. */
export interface VendorClient {
  create(ids: readonly string[]): Promise<ClientBatch>;
  retrieve(id: string): Promise<ClientBatch>;
  cancel(id: string): Promise<void>;
  list(): Promise<ClientBatch[]>;
  /** The rows of one file of results, of the outputs when left out. */
  read(batch: ClientBatch, file?: "output" | "error"): Promise<ClientRow[]>;
  models(): Promise<string[]>;
  /** Asks one question; the answer's text and finish reason. */
  ask(question: string, isStream?: boolean): Promise<{ text: string; finish: string | null | undefined }>;
}

const model = "some-model";
const toMessages = (content: string) => [{ role: "user" as const, content }];

function readRows(text: string, pick: (row: never) => ClientRow): ClientRow[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => pick(JSON.parse(line) as never));
}

type OpenaiRow = { custom_id: string; response: { body: { choices?: { message: { content: string } }[] } } | null };
const pickOpenai = ({ custom_id: id, response }: OpenaiRow): ClientRow => ({
  id,
  answer: response?.body.choices?.[0]?.message.content ?? null,
});
const writeInput = (ids: readonly string[]): string =>
  ids
    .map((id) => ({
      custom_id: id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model, messages: toMessages(id) },
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

interface ShownBatch {
  id?: string;
  status?: string;
  output_file_id?: string | null;
  error_file_id?: string | null;
  request_counts?: { completed: number };
}
const showBatch = (batch: ShownBatch): ClientBatch => ({
  id: batch.id ?? "",
  word: batch.status ?? "",
  completed: batch.request_counts?.completed ?? null,
  output: batch.output_file_id ?? null,
  error: batch.error_file_id ?? null,
});

function openOpenai(kind: "openai" | "azure" | "chat", baseURL: string, key: string, timeout: number): VendorClient {
  const defaultHeaders = kind === "azure" ? { "api-key": key, authorization: null } : {};
  const client = new OpenAI({ apiKey: key, baseURL, maxRetries: 0, timeout, defaultHeaders });
  return {
    async create(ids) {
      const file = await client.files.create({
        file: await toFile(Buffer.from(writeInput(ids)), "in.jsonl"),
        purpose: "batch",
      });
      const batch = { input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
      return showBatch(await client.batches.create({ ...batch, metadata: { token: "t-1" } }));
    },
    retrieve: async (id) => showBatch(await client.batches.retrieve(id)),
    cancel: async (id) => void (await client.batches.cancel(id)),
    list: async () => (await Array.fromAsync(client.batches.list({ limit: 100 }))).map(showBatch),
    read: async (batch, file = "output") =>
      readRows(await (await client.files.content(batch[file] ?? "")).text(), pickOpenai),
    models: async () => (await Array.fromAsync(client.models.list())).map(({ id }) => id),
    async ask(question, isStream = false) {
      const call = { model, messages: toMessages(question) };
      if (!isStream) {
        const { choices } = await client.chat.completions.create(call);
        return { text: choices[0]?.message.content ?? "", finish: choices[0]?.finish_reason };
      }
      const chunks = await Array.fromAsync(await client.chat.completions.create({ ...call, stream: true }));
      const choices = chunks.flatMap((chunk) => chunk.choices);
      return { text: choices.map(({ delta }) => delta.content ?? "").join(""), finish: choices.at(-1)?.finish_reason };
    },
  };
}

function openGroq(baseURL: string, key: string, timeout: number): VendorClient {
  const client = new Groq({ apiKey: key, baseURL, maxRetries: 0, timeout });
  return {
    async create(ids) {
      const file = await client.files.create({ file: new File([writeInput(ids)], "in.jsonl"), purpose: "batch" });
      const batch = {
        input_file_id: file.id ?? "",
        endpoint: "/v1/chat/completions",
        completion_window: "24h",
      } as const;
      return showBatch(await client.batches.create(batch));
    },
    retrieve: async (id) => showBatch(await client.batches.retrieve(id)),
    cancel: async (id) => void (await client.batches.cancel(id)),
    list: async () => (await client.batches.list()).data.map(showBatch),
    read: async (batch, file = "output") =>
      readRows(await (await client.files.content(batch[file] ?? "")).text(), pickOpenai),
    models: async () => (await client.models.list()).data.map(({ id }) => id),
    async ask(question) {
      const { choices } = await client.chat.completions.create({ model, messages: toMessages(question) });
      return { text: choices[0]?.message.content ?? "", finish: choices[0]?.finish_reason };
    },
  };
}

function openTogether(baseURL: string, key: string, timeout: number): VendorClient {
  const client = new Together({ apiKey: key, baseURL, maxRetries: 0, timeout });
  return {
    async create(ids) {
      // Its `files.upload` reads the address of the environment when it is loaded: the same two requests by hand.
      const place = await fetch(`${baseURL}/files?purpose=batch-api&file_name=in.jsonl&file_type=jsonl`, {
        method: "POST",
        redirect: "manual",
        headers: { authorization: `Bearer ${key}` },
      });
      await fetch(place.headers.get("location") ?? "", { method: "PUT", body: writeInput(ids) });
      const file = await client.files.retrieve(place.headers.get("x-together-file-id") ?? "");
      const { job } = await client.batches.create({ input_file_id: file.id, endpoint: "/v1/chat/completions" });
      return showBatch(job ?? {});
    },
    retrieve: async (id) => showBatch(await client.batches.retrieve(id)),
    cancel: async (id) => void (await client.batches.cancel(id)),
    list: async () => (await client.batches.list()).map(showBatch),
    read: async (batch, file = "output") =>
      readRows(await (await client.files.content(batch[file] ?? "")).text(), pickOpenai),
    // Its list is an array where the service's is an object.
    models: async () => [],
    async ask(question) {
      const { choices } = await client.chat.completions.create({ model, messages: toMessages(question) });
      return { text: choices[0]?.message?.content ?? "", finish: choices[0]?.finish_reason };
    },
  };
}

function openAnthropic(baseURL: string, key: string, timeout: number): VendorClient {
  const client = new Anthropic({ apiKey: key, baseURL, maxRetries: 0, timeout });
  const toCall = (question: string) => ({ model, max_tokens: 9, messages: toMessages(question) });
  const show = (batch: Anthropic.Messages.MessageBatch): ClientBatch => ({
    id: batch.id,
    word: batch.processing_status,
    completed: batch.request_counts?.succeeded ?? null,
    output: batch.results_url,
    error: null,
  });
  const readText = ({ content }: Anthropic.Messages.Message): string =>
    content.map((block) => (block.type === "text" ? block.text : "")).join("");
  return {
    create: async (ids) =>
      show(
        await client.messages.batches.create({ requests: ids.map((id) => ({ custom_id: id, params: toCall(id) })) }),
      ),
    retrieve: async (id) => show(await client.messages.batches.retrieve(id)),
    cancel: async (id) => void (await client.messages.batches.cancel(id)),
    list: async () => (await Array.fromAsync(client.messages.batches.list({ limit: 100 }))).map(show),
    async read({ id }) {
      const rows = await Array.fromAsync(await client.messages.batches.results(id));
      return rows.map(({ custom_id, result }) => ({
        id: custom_id,
        answer: result.type === "succeeded" ? readText(result.message) : null,
      }));
    },
    models: async () => (await Array.fromAsync(client.models.list())).map(({ id }) => id),
    async ask(question, isStream = false) {
      const message = isStream
        ? await client.messages.stream(toCall(question)).finalMessage()
        : await client.messages.create(toCall(question));
      return { text: readText(message), finish: message.stop_reason };
    },
  };
}

function openGemini(baseUrl: string, apiKey: string, timeout: number, folder: string): VendorClient {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl, timeout } });
  const show = (batch: Awaited<ReturnType<typeof client.batches.get>>): ClientBatch => ({
    id: batch.name ?? "",
    word: batch.state ?? "",
    // Its batches of the Gemini API have no counts.
    completed: null,
    output: batch.dest?.fileName ?? null,
    error: null,
  });
  return {
    async create(ids) {
      const lines = ids.map((key) => ({ key, request: { contents: [{ role: "user", parts: [{ text: key }] }] } }));
      const file = new Blob([lines.map((line) => `${JSON.stringify(line)}\n`).join("")], { type: "application/jsonl" });
      const { name } = await client.files.upload({ file, config: { mimeType: "application/jsonl" } });
      return show(
        await client.batches.create({ model, src: { fileName: name ?? "" }, config: { displayName: "t-1" } }),
      );
    },
    retrieve: async (name) => show(await client.batches.get({ name })),
    cancel: (name) => client.batches.cancel({ name }),
    list: async () => (await Array.fromAsync(await client.batches.list({ config: { pageSize: 100 } }))).map(show),
    async read({ output }, file) {
      const downloadPath = join(folder, "results.jsonl");
      if (file === undefined) await client.files.download({ file: output ?? "", downloadPath });
      else {
        // Its download ends the process when the connection is cut: the same request by hand.
        const headers = { "x-goog-api-key": apiKey };
        const signal = AbortSignal.timeout(timeout);
        const response = await fetch(`${baseUrl}/v1beta/${output}:download?alt=media`, { headers, signal });
        if (!response.ok) throw new Error(`${response.status}`);
        await writeFile(downloadPath, await response.text());
      }
      type Row = { key: string; response?: { candidates?: { content: { parts: { text: string }[] } }[] } };
      return readRows(await readFile(downloadPath, "utf8"), ({ key, response }: Row) => ({
        id: key,
        answer: response?.candidates?.[0]?.content.parts?.[0]?.text ?? null,
      }));
    },
    models: async () => (await Array.fromAsync(await client.models.list())).map(({ name }) => name ?? ""),
    async ask(question, isStream = false) {
      const call = { model, contents: question };
      if (!isStream) {
        const { text, candidates } = await client.models.generateContent(call);
        return { text: text ?? "", finish: candidates?.[0]?.finishReason };
      }
      const events = await Array.fromAsync(await client.models.generateContentStream(call));
      const finish = events.at(-1)?.candidates?.[0]?.finishReason;
      return { text: events.map(({ text }) => text ?? "").join(""), finish };
    },
  };
}

/** The vendor's own client. `timeout` is in milliseconds, for answers that never come; `folder` is for what is downloaded. */
export function openVendorClient(
  kind: Kind,
  { url, key, timeout = 30_000, folder }: { url: string; key: string; timeout?: number; folder: string },
): VendorClient {
  if (kind === "groq") return openGroq(url, key, timeout);
  if (kind === "together") return openTogether(url, key, timeout);
  if (kind === "anthropic") return openAnthropic(url, key, timeout);
  if (kind === "gemini") return openGemini(url, key, timeout, folder);
  return openOpenai(kind, url, key, timeout);
}
