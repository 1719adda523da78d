import { randomFillSync } from "node:crypto";
import type { IdKind, Ids } from "./ports.ts";

/** What an id of each kind begins with on the wire. */
const prefixes: Readonly<Record<IdKind, string>> = {
  file: "file-",
  batch: "batch_",
  batch_req: "batch_req_",
  request: "req_",
  completion: "chatcmpl-",
  response: "resp_",
  text_completion: "cmpl-",
  moderation: "modr-",
  draft: "draft_",
  source: "source_",
  verification: "verification_",
  event: "evt_",
};

const idBytes = 16;
const poolBytes = 256 * idBytes;

/** Ids of 128 random bits. The bits are drawn in bulk: a batch takes three ids for each of its lines. */
export function createRandomIds(): Ids {
  const pool = Buffer.alloc(poolBytes);
  let used = poolBytes;
  return {
    create(kind) {
      if (used === poolBytes) {
        randomFillSync(pool);
        used = 0;
      }
      used += idBytes;
      return prefixes[kind] + pool.toString("hex", used - idBytes, used);
    },
  };
}

/** Ids that count from 1 for each kind (`file-1`, `batch_1`). For tests. */
export function createCountingIds(): Ids {
  const counts = new Map<IdKind, number>();
  return {
    create(kind) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${prefixes[kind]}${count}`;
    },
  };
}
