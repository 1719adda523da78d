import type { Problem } from "#contract";
import { countPromptTokens, listProblems, type PartLine } from "#main/requests";
import type { BatchAdapter } from "../adapters/batch-adapter.ts";

/** The most that a service takes in one batch; null where it sets no limit. */
export interface PartLimits {
  readonly lines: number | null;
  readonly bytes: number | null;
  readonly tokens: number | null;
}

/** Lines `from` … `to` of a file, from 1, both included. */
export interface PartRange {
  readonly from: number;
  readonly to: number;
}

/** A part and its estimated size: its tokens are 0 where the service doesn't limit what is queued. */
export interface PlannedPart extends PartRange {
  readonly bytes: number;
  readonly tokens: number;
}

/**
 * Cuts a job into as few parts as a service's limits allow, in the order of its lines. A line that is over a limit by
 * itself is a part of its own: the service's error explains it best.
 */
export interface PartPlanner {
  /** Adds the next line that is to be sent; returns what the service doesn't support in it. */
  add(line: PartLine): readonly Problem[];
  /** Cuts these lines into parts, those that aren't sent included; none where there are no lines. */
  parts(range: PartRange): PlannedPart[];
}

export function createPartPlanner(adapter: Pick<BatchAdapter, "encode">, limits: PartLimits): PartPlanner {
  const most = {
    lines: limits.lines ?? Number.POSITIVE_INFINITY,
    bytes: limits.bytes ?? Number.POSITIVE_INFINITY,
    tokens: limits.tokens ?? Number.POSITIVE_INFINITY,
  };
  const sizes = [{ first: 0, lines: 0, bytes: 0, tokens: 0 }];

  return {
    add(line) {
      const encoded = adapter.encode(line);
      if (!("text" in encoded)) return listProblems(encoded, line.line);
      const bytes = Buffer.byteLength(encoded.text) + 1;
      const tokens = limits.tokens === null ? 0 : countPromptTokens(line.request.messages, line.request.model);
      let size = sizes.at(-1);
      const isFull =
        size === undefined ||
        size.lines + 1 > most.lines ||
        size.bytes + bytes > most.bytes ||
        size.tokens + tokens > most.tokens;
      if (size === undefined || (isFull && size.lines > 0)) {
        size = { first: line.line, lines: 0, bytes: 0, tokens: 0 };
        sizes.push(size);
      }
      size.lines += 1;
      size.bytes += bytes;
      size.tokens += tokens;
      return [];
    },
    parts({ from, to }) {
      if (from > to) return [];
      return sizes.map(({ first, bytes, tokens }, at) => {
        const next = sizes[at + 1];
        return { from: at === 0 ? from : first, to: next === undefined ? to : next.first - 1, bytes, tokens };
      });
    },
  };
}

/** Delays parts so that no more tokens are queued at a service than it allows. */
export interface QueueRoom {
  /** Reserves tokens as soon as there is room, first come, first served; a part larger than the whole room runs alone. */
  reserve(tokens: number, signal: AbortSignal): Promise<void>;
  /** Reserves tokens for a part that is at the service already, whether there is room or not. */
  forceReserve(tokens: number): void;
  free(tokens: number): void;
}

/** `most` tokens at a time; null for a service that does not limit them. */
export function createQueueRoom(most: number | null): QueueRoom {
  let used = 0;
  const queue: { readonly tokens: number; readonly enter: () => void }[] = [];

  function letIn(): void {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const fits = most === null || used === 0 || used + first.tokens <= most;
      if (!fits) return;
      used += first.tokens;
      queue.shift();
      first.enter();
    }
  }

  return {
    async reserve(tokens, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry = { tokens, enter: resolve };
      const giveUp = () => {
        const at = queue.indexOf(entry);
        if (at >= 0) queue.splice(at, 1);
        letIn();
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      queue.push(entry);
      letIn();
      await promise.finally(() => signal.removeEventListener("abort", giveUp));
    },
    forceReserve(tokens) {
      used += tokens;
    },
    free(tokens) {
      used -= tokens;
      letIn();
    },
  };
}
