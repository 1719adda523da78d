import { z } from "zod";
import { chatMessageSchema } from "#contract";
import { countPromptTokens, parseJson } from "#service/validation";
import { readSomeRows } from "../sources/read-rows.ts";
import type { StoredSource } from "../sources/stored-source.ts";

const requestSchema = z.object({ body: z.object({ messages: z.array(chatMessageSchema) }) });

/** Counting takes about as long as all the rest of a check: of a longer file this many lines, spread over it, are counted. */
const sampleLines = 1_000;
/** A longer line is counted as if it were like the others. */
const longestSample = 200_000;
/** At so many positions of a file of requests prompts are counted, and so many at each. */
const positions = 20;
const linesAtPosition = 50;

/** Tokens of the prompt that a line of a batch input file holds; null where it holds none that can be read. */
export function countLineTokens(line: string): number | null {
  const request = requestSchema.safeParse(parseJson(line));
  return request.success ? countPromptTokens(request.data.body.messages) : null;
}

/** Guesses the tokens of all prompts from those of some lines, by the bytes of the lines. */
export function createTokenSample(expectedLines: number) {
  const every = Math.max(1, Math.floor(expectedLines / sampleLines));
  let seen = 0;
  let bytes = 0;
  let sampledBytes = 0;
  let sampledTokens = 0;
  let unread = 0;
  return {
    /** Adds the next line, which has this many bytes. */
    add(line: string, lineBytes: number): void {
      bytes += lineBytes;
      seen += 1;
      if ((seen - 1) % every !== 0 || lineBytes > longestSample) return;
      const tokens = countLineTokens(line);
      if (tokens === null) {
        unread += lineBytes;
        return;
      }
      sampledTokens += tokens;
      sampledBytes += lineBytes;
    },
    /** Tokens of all lines so far, or of a file of `fileBytes`; never less than those that were counted. */
    estimate: (fileBytes = bytes): number =>
      sampledBytes === 0
        ? 0
        : Math.max(sampledTokens, Math.round((sampledTokens * (fileBytes - unread)) / sampledBytes)),
    /** Whether every line with a prompt was counted. */
    isExact: () => sampledBytes + unread === bytes,
  };
}

/** The tokens of all prompts of a file of requests: counted in a small file, guessed in a large one. */
export async function sampleRequests(
  path: string,
  source: StoredSource,
): Promise<{ estimate: number; isExact: boolean }> {
  const sample = createTokenSample(positions * linesAtPosition);
  const step = Math.max(linesAtPosition, Math.floor(source.rowCount / positions));
  for (let row = 1; row <= source.rowCount; row += step) {
    for (const { cells } of await readSomeRows(path, source, row, linesAtPosition)) {
      const [line = ""] = cells;
      sample.add(line, Buffer.byteLength(line) + 1);
    }
  }
  const isExact = step === linesAtPosition && sample.isExact();
  return { estimate: isExact ? sample.estimate() : sample.estimate(source.bytes), isExact };
}
