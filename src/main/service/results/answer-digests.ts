import { hash } from "node:crypto";
import type { BatchRecord, StoredFolder } from "../store/index.ts";
import { pathsOf } from "./batch-paths.ts";
import { inSteps } from "./export-lines.ts";
import { readOutcome } from "./join-line.ts";
import type { LineIndex } from "./line-index.ts";
import { createLruCache } from "./lru-cache.ts";
import { readAnswers } from "./read-lines.ts";

/**
 * Digests of answers, 8 bytes each, so that millions of them can be compared. Only what has been answered since the last
 * time is read; they are compared line by line, so that 48 bits are enough.
 */
export function createAnswerDigests(store: StoredFolder, mostInMemory: number) {
  const known = createLruCache<{ readonly index: LineIndex; readonly digests: Float64Array }>(mostInMemory);
  return {
    async read(batch: BatchRecord, index: LineIndex): Promise<Float64Array> {
      const found = known.get(batch.id);
      const { digests } =
        found?.index === index ? found : known.set(batch.id, { index, digests: new Float64Array(index.total) });
      const missing: number[] = [];
      for (let line = 1; line <= index.total; line++) {
        if (digests[line - 1] === 0 && index.answer(line)?.file === "output") missing.push(line);
      }
      const paths = missing.length === 0 ? null : pathsOf(batch, store);
      for (const lines of inSteps(missing)) {
        const texts = paths === null ? [] : await readAnswers(paths, lines.map(index.answer));
        lines.forEach((line, at) => {
          const text = texts[at];
          if (text) digests[line - 1] = digestOf(readOutcome(text.toString()).answer);
        });
      }
      return digests;
    },
  };
}

/** The text without what is around it: a line end more is no other answer. */
function digestOf(answer: string): number {
  return Number.parseInt(hash("sha1", answer.trim(), "hex").slice(0, 12), 16) || 1;
}
