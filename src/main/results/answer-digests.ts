import { hash } from "node:crypto";
import { answerPrefix } from "#contract";
import { parseAnswer, sortKeys, toEqualForm, valueAt } from "#main/answers";
import type { BatchRecord, StoredFolder } from "#main/storage";
import { pathsOf } from "./batch-paths.ts";
import { inSteps } from "./export-lines.ts";
import { readOutcome } from "./join-line.ts";
import type { LineIndex } from "./line-index.ts";
import { createLruCache } from "./lru-cache.ts";
import { readAnswers } from "./read-lines.ts";

/**
 * What a comparison looks at in an answer, as text; null where there is nothing at the path. Values of JSON are equal when
 * their texts are: keys are in alphabetical order, and numbers that are the same decimal are written alike. A whole answer
 * that is an object or a list is such a value, too; for any other, a line end more is no other answer.
 */
export function comparedText(answer: string, by: string): string | null {
  const value = parseAnswer(answer);
  if (by === "answer") return value === undefined ? answer.trim() : JSON.stringify(value, toEqualForm);
  const found = valueAt(value, by.slice(answerPrefix.length));
  return found === undefined ? null : JSON.stringify(found, toEqualForm);
}

/** The same for people: a text as it is, and numbers as they were written. */
export function shownText(answer: string, by: string): string | null {
  if (by === "answer") return answer.trim();
  const found = valueAt(parseAnswer(answer), by.slice(answerPrefix.length));
  if (found === undefined) return null;
  return typeof found === "string" ? found : JSON.stringify(found, sortKeys);
}

/**
 * Digests of answers, or of their values at a path, 8 bytes each, so that millions of them can be compared. Only what has
 * been answered since the last time is read; they are compared line by line, so that 48 bits are enough.
 */
export function createAnswerDigests(store: StoredFolder, mostInMemory: number) {
  const known = createLruCache<{ readonly index: LineIndex; readonly digests: Float64Array }>(mostInMemory);
  return {
    async read(batch: BatchRecord, index: LineIndex, by: string): Promise<Float64Array> {
      const key = `${batch.id} ${by}`;
      const found = known.get(key);
      const { digests } =
        found?.index === index ? found : known.set(key, { index, digests: new Float64Array(index.total) });
      const missing: number[] = [];
      for (let line = 1; line <= index.total; line++) {
        if (digests[line - 1] === 0 && index.hasAnswer(line)) missing.push(line);
      }
      const paths = missing.length === 0 ? null : pathsOf(batch, store);
      for (const lines of inSteps(missing)) {
        const texts = paths === null ? [] : await readAnswers(paths, index, lines);
        lines.forEach((line, at) => {
          const text = texts[at];
          if (text && text !== "damaged")
            digests[line - 1] = digestOf(comparedText(readOutcome(text.toString()).answer, by));
        });
      }
      return digests;
    },
  };
}

/** Never 0, which stands for no answer; a missing value is equal to other missing ones alone. */
function digestOf(text: string | null): number {
  if (text === null) return missingValue;
  return Number.parseInt(hash("sha1", text, "hex").slice(0, 12), 16) + missingValue + 1;
}

const missingValue = 1;
