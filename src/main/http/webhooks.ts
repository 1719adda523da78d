import { createHmac } from "node:crypto";
import { Agent, type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { readSecretKey, type WebhookSettings } from "./webhook-settings.ts";

/** Between two tries of a delivery, in milliseconds of the service's clock. */
const waits = [1_000, 5_000];
/** How long a receiver may take over its answer, in milliseconds of the machine's time. */
const patience = 10_000;
/** How many requests are under way at once; the others wait for their turn. */
const mostAtOnce = 8;

/** An event as it is sent: the same at each try. */
interface WebhookEvent {
  readonly type: string;
  readonly webhookId: string;
  readonly scope: string;
  readonly body: string;
}

type WebhookDeps = Pick<Service, "batches" | "clock" | "machine" | "ids" | "logger">;

/**
 * Sends `batch.completed`, `.failed`, `.expired` and `.cancelled` to each address when a batch of OpenAI's clients has ended,
 * in the shape of OpenAI's webhooks. Nothing waits for a delivery. The answer stops all of them.
 */
export function startWebhooks(
  { batches, clock, machine, ids, logger }: WebhookDeps,
  { urls, secret }: WebhookSettings,
): () => void {
  const key = readSecretKey(secret);
  const [agent, secureAgent] = [new Agent(), new SecureAgent()];
  /** What sends each request that waits for its turn. */
  const queue: (() => void)[] = [];
  let sending = 0;
  /** What ends each delivery that is not over. */
  const pending = new Set<() => void>();
  const isOwn = ({ connection, vendor }: BatchRecord) => connection === null && vendor === "openai";
  const all = batches.list({ limit: Number.POSITIVE_INFINITY, trials: true }).batches;
  /** Batches that have not ended: a change of one that has, such as its name, is no event. */
  const running = new Set(all.filter((batch) => findEnd(batch) === null).map(({ id }) => id));

  function onChange(batch: BatchRecord): void {
    if (!isOwn(batch)) return;
    const end = findEnd(batch);
    if (end === null) running.add(batch.id);
    else if (running.delete(batch.id)) {
      const event = describeEvent(batch, end);
      for (const url of urls) deliver(url, event, 1);
    }
  }

  function describeEvent({ id: batchId, scope }: BatchRecord, { status, at }: BatchEnd): WebhookEvent {
    const id = ids.create("event");
    const type = `batch.${status}`;
    const created_at = Math.floor((at ?? clock.now()) / 1_000);
    const body = JSON.stringify({ id, object: "event", created_at, type, data: { id: batchId } });
    return { type, webhookId: id.replace(/^evt_/, "wh_"), scope, body };
  }

  function sendNext(): void {
    while (sending < mostAtOnce && queue.length > 0) {
      sending += 1;
      queue.shift()?.();
    }
  }

  function deliver(url: URL, event: WebhookEvent, attempt: number): void {
    queue.push(() => tryOnce(url, event, attempt));
    sendNext();
  }

  function tryOnce(url: URL, event: WebhookEvent, attempt: number): void {
    send(url, event, (failure) => {
      sending -= 1;
      sendNext();
      if (failure === null) return;
      const wait = waits[attempt - 1];
      const about = { event: event.type, webhookId: event.webhookId, address: url.origin + url.pathname, attempt };
      if (wait === undefined) logger.warn("A webhook is given up", { ...about, reason: failure });
      else {
        logger.warn("A webhook is sent again", { ...about, reason: failure });
        const cancel = clock.after(wait, () => {
          pending.delete(cancel);
          deliver(url, event, attempt + 1);
        });
        pending.add(cancel);
      }
    });
  }

  /** Calls `onEnd` once, with null or why it failed; not after the end of all. */
  function send(url: URL, { webhookId, scope, body }: WebhookEvent, onEnd: (failure: string | null) => void): void {
    // Receivers compare it with the real time. The service's clock may show another.
    const timestamp = String(Math.floor(machine.wall() / 1_000));
    const signature = createHmac("sha256", key).update(`${webhookId}.${timestamp}.${body}`).digest("base64");
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "Sheaf",
      "webhook-id": webhookId,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
      "x-sheaf-scope": scope,
    };
    const isSecure = url.protocol === "https:";
    const sent: ClientRequest = isSecure
      ? requestHttps(url, { method: "POST", headers, agent: secureAgent })
      : requestHttp(url, { method: "POST", headers, agent });
    const cancelTimeout = machine.after(patience, () => end(`no answer within ${patience / 1_000} s`));

    function end(failure: string | null): void {
      if (!pending.delete(cancel)) return;
      cancelTimeout();
      sent.destroy();
      onEnd(failure);
    }
    function cancel(): void {
      cancelTimeout();
      sent.destroy();
    }
    pending.add(cancel);
    sent.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    sent.once("response", ({ statusCode = 0 }) =>
      end(statusCode >= 200 && statusCode < 300 ? null : `status ${statusCode}`),
    );
    sent.end(body);
  }

  const unsubscribe = batches.subscribe(onChange);
  return () => {
    unsubscribe();
    queue.length = 0;
    for (const cancel of pending) cancel();
    pending.clear();
  };
}

interface BatchEnd {
  readonly status: "completed" | "failed" | "expired" | "cancelled";
  /** In Unix milliseconds of the service's clock. */
  readonly at: number | null;
}

/** How a batch ended; null while it runs. */
function findEnd({ status, times }: BatchRecord): BatchEnd | null {
  switch (status) {
    case "completed":
    case "failed":
    case "expired":
    case "cancelled":
      return { status, at: times[status] };
    default:
      return null;
  }
}
