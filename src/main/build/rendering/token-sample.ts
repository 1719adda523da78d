import { z } from "zod";
import { chatMessageSchema } from "#contract";
import { countPromptTokens, parseJson } from "#service/validation";
import { readSomeRows } from "../sources/read-rows.ts";
import type { StoredSource } from "../sources/stored-source.ts";

const requestSchema = z.object({ body: z.object({ messages: z.array(chatMessageSchema) }) });

/** Counting takes about as long as all the rest of a check: this many lines, spread over the file, are enough. */
const sampleLines = 200;
/** A longer line is counted as if it were like the others. */
const longestSample = 200_000;
/** At so many positions of a file of requests prompts are counted, and so many at each. */
const positions = 20;
const linesAtPosition = 10;

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
  return {
    /** Adds the next line, which has this many bytes. */
    add(line: string, lineBytes: number): void {
      bytes += lineBytes;
      seen += 1;
      if ((seen - 1) % every !== 0 || lineBytes > longestSample) return;
      const tokens = countLineTokens(line);
      if (tokens === null) return;
      sampledTokens += tokens;
      sampledBytes += lineBytes;
    },
    /** Tokens of all lines so far, or of a file of `fileBytes`. */
    estimate: (fileBytes = bytes): number =>
      sampledBytes === 0 ? 0 : Math.round((sampledTokens * fileBytes) / sampledBytes),
  };
}

/** Guesses the tokens of all prompts of a file of requests. */
export async function sampleRequests(path: string, source: StoredSource): Promise<number> {
  const sample = createTokenSample(positions * linesAtPosition);
  const step = Math.max(linesAtPosition, Math.floor(source.rowCount / positions));
  for (let row = 1; row <= source.rowCount; row += step) {
    for (const { cells } of await readSomeRows(path, source, row, linesAtPosition)) {
      const [line = ""] = cells;
      sample.add(line, Buffer.byteLength(line) + 1);
    }
  }
  return sample.estimate(source.bytes);
}
