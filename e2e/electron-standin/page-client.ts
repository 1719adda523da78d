import { once } from "node:events";
import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { ContractRouterClient } from "@orpc/contract";
import { z } from "zod";
import {
  type BatchDetail,
  channels,
  finalStatuses,
  type RequestTemplate,
  type rpcContract,
  type Source,
  sourceChunkBytes,
} from "#contract";
import type { Launched } from "./launch.ts";
import type { PageMessage, PageWindow } from "./page.ts";

export type Client = ContractRouterClient<typeof rpcContract>;

/** The page's half of the handshake: reports that it is ready, and takes the port that comes. */
export async function askForPort(page: PageWindow): Promise<MessagePort> {
  const { promise, resolve } = Promise.withResolvers<MessagePort>();
  const take = (event: Event & Partial<PageMessage>) => {
    const [port] = event.ports ?? [];
    if (event.data === channels.portForPage && event.source === page && port) resolve(port);
  };
  page.addEventListener("message", take);
  page.postMessage(channels.pageReady, page.location.origin);
  const port = await promise;
  page.removeEventListener("message", take);
  return port;
}

/** The RPC client of the page, on a port that it got. */
export function createClient(port: MessagePort): Client {
  const client: Client = createORPCClient(new RPCLink({ port }));
  port.start();
  return client;
}

/** Connects to the page that the app's window shows. */
export async function connectPage({ window }: Pick<Launched, "window">): Promise<Client> {
  const { page } = window.webContents;
  if (page === null) throw new Error("The window shows no page.");
  return createClient(await askForPort(page.window));
}

/** Resolves when the other end of a port has been closed. The port has to be started for that. */
export async function untilClosed(port: MessagePort): Promise<void> {
  await once(port, "close");
}

const example = join(import.meta.dirname, "../../examples/gsm8k-200.jsonl");

/**
 * Does over the RPC what a person does in Build with the example of 200 questions, as if it had been dropped there, and
 * waits until the batch has ended.
 */
export async function runExample(
  client: Client,
  template: Partial<RequestTemplate> = {},
): Promise<{ batch: BatchDetail; ids: string[] }> {
  const changes = await client.batches.watch();
  const batchId = await submitTable(client, example, template);
  for await (const { id, status } of changes) {
    if (id === batchId && finalStatuses.has(status)) break;
  }
  return { batch: await client.batches.get({ id: batchId }), ids: await readIds() };
}

/** Submits the questions of a table; the answer is the batch's id. */
export async function submitTable(
  client: Client,
  path: string,
  template: Partial<RequestTemplate> = {},
): Promise<string> {
  const { id: sourceId } = await uploadSource(client, path);
  const [model] = await client.app.models();
  const whole: RequestTemplate = {
    connectionId: null,
    messages: [{ role: "user", content: "{{ question }}" }],
    model: model?.id ?? "",
    temperature: 0,
    maxCompletionTokens: 100,
    customId: "{{ id }}",
    ...template,
  };
  for await (const event of await client.build.submit({ sourceId, template: whole, name: "Example" })) {
    if (event.phase === "submitted") return event.batchId;
  }
  throw new Error("The batch was not submitted.");
}

/** Gives Build a file, as the page does with one that is dropped. */
export async function uploadSource(client: Client, path: string): Promise<Source> {
  const { id } = await client.sources.begin({ name: basename(path) });
  const file = await openAsBlob(path);
  for (let offset = 0; offset < file.size; offset += sourceChunkBytes) {
    await client.sources.append({ id, offset, chunk: file.slice(offset, offset + sourceChunkBytes) });
  }
  for await (const event of await client.sources.finish({ id })) if (event.phase === "read") return event.source;
  throw new Error(`${path} was not read to its end.`);
}

/** What the custom_ids of the batch have to be, in their order. */
async function readIds(): Promise<string[]> {
  const lines = (await readFile(example, "utf8")).trimEnd().split("\n");
  return lines.map((line) => z.object({ id: z.string() }).parse(JSON.parse(line)).id);
}
