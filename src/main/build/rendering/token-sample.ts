import { z } from "zod";
import { chatMessageSchema, type PromptGroup } from "#contract";
import { countPromptTokens } from "#main/requests";
import { parseJson } from "#main/storage";
import { readSomeRows } from "../sources/read-rows.ts";
import type { StoredSource } from "../sources/stored-source.ts";

const requestSchema = z.object({
  body: z.object({ messages: z.array(chatMessageSchema), model: z.string().optional().catch(undefined) }),
});

/** Counting takes as long as the rest of a check: in a longer file only so many lines, spread over it, are counted. */
const sampleLines = 1_000;
/** A longer line is not counted: its tokens are estimated from its bytes. */
const longestSample = 200_000;
/** Used where no line could be counted. */
const usualTokensPerByte = 0.25;
/** The number of positions in a file of requests at which prompts are counted, and how many at each. */
const positions = 20;
const linesAtPosition = 50;

/** Prompts are grouped by so many tokens: the lengths from which prices change are multiples of it. */
const groupWidth = 1_000;

/** Tokens of the prompt that a line of a batch input file holds; null where it holds none that can be read. */
export function countLineTokens(line: string): number | null {
  return readPrompt(line)?.tokens ?? null;
}

function readPrompt(line: string): { readonly tokens: number; readonly model: string | undefined } | null {
  const request = requestSchema.safeParse(parseJson(line));
  if (!request.success) return null;
  const { messages, model } = request.data.body;
  return { tokens: countPromptTokens(messages, model), model };
}

/** Of a picture, enough characters to read its size. */
const pictureHead = 64 * 1_024;
const picture = new RegExp(`(data:image/[\\w.+-]+;base64,[A-Za-z0-9+/=]{1,${pictureHead}})([A-Za-z0-9+/=]*)`, "g");

/** A long line with the heads of its pictures alone: their tokens follow from their sizes. Null where the rest of it is long, too. */
function cutPictures(line: string): string | null {
  let pictures = 0;
  const cut = line.replace(picture, (whole, head: string) => {
    pictures += whole.length;
    return head;
  });
  return line.length - pictures > longestSample ? null : cut;
}

/** Estimates the tokens of all prompts from those of some lines, by the bytes of the lines. */
export function createTokenSample(expectedLines: number) {
  const every = Math.max(1, Math.floor(expectedLines / sampleLines));
  let seen = 0;
  let bytes = 0;
  let sampledBytes = 0;
  let sampledTokens = 0;
  let unread = 0;
  const groups = new Map<string, PromptGroup>();
  /** Bytes of the lines that are too long to be counted. */
  const longLines: number[] = [];

  const tokensPerByte = () => (sampledBytes === 0 ? usualTokensPerByte : sampledTokens / sampledBytes);
  const estimate = (fileBytes = bytes): number =>
    Math.max(sampledTokens, Math.round(tokensPerByte() * (fileBytes - unread)));

  return {
    /** Adds the next line, which has this many bytes. */
    add(line: string, lineBytes: number): void {
      bytes += lineBytes;
      seen += 1;
      const isLong = lineBytes > longestSample;
      const hasPictures = isLong && line.includes("data:image/");
      if (isLong && !hasPictures) longLines.push(lineBytes);
      if ((seen - 1) % every !== 0 || (isLong && !hasPictures)) return;
      const counted = isLong ? cutPictures(line) : line;
      if (counted === null) {
        longLines.push(lineBytes);
        return;
      }
      const prompt = readPrompt(counted);
      if (prompt === null) {
        unread += lineBytes;
        return;
      }
      const { tokens, model } = prompt;
      sampledTokens += tokens;
      sampledBytes += lineBytes;
      const key = `${Math.ceil(tokens / groupWidth)} ${model ?? ""}`;
      const group = groups.get(key) ?? { lines: 0, promptTokens: 0, ...(model !== undefined && { model }) };
      groups.set(key, { ...group, lines: group.lines + 1, promptTokens: group.promptTokens + tokens });
    },
    /** Tokens of all lines so far, or of a file of `fileBytes`; never less than those that were counted. */
    estimate,
    /** The same by length and model, extrapolated from the lines that were counted. */
    groups(fileBytes = bytes): PromptGroup[] {
      const long = longLines.map((lineBytes) => ({ lines: 1, promptTokens: lineBytes * tokensPerByte() }));
      const longTokens = long.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
      const share = sampledTokens === 0 ? 1 : Math.max(1, (estimate() - longTokens) / sampledTokens);
      const whole = bytes === 0 ? 1 : fileBytes / bytes;
      return [
        ...Array.from(groups.values(), (group) => multiplyGroup(group, share * whole)),
        ...long.map((group) => multiplyGroup(group, whole)),
      ];
    },
    /** Whether every line with a prompt was counted. */
    isExact: () => sampledBytes + unread === bytes,
  };
}

function multiplyGroup({ lines, promptTokens, ...group }: PromptGroup, by: number): PromptGroup {
  return { ...group, lines: lines * by, promptTokens: promptTokens * by };
}

/** The tokens of all prompts of a file of requests: counted in a small file, estimated in a large one. */
export async function sampleRequests(
  path: string,
  source: StoredSource,
): Promise<{ estimate: number; groups: PromptGroup[]; isExact: boolean }> {
  const sample = createTokenSample(positions * linesAtPosition);
  const step = Math.max(linesAtPosition, Math.floor(source.rowCount / positions));
  for (let row = 1; row <= source.rowCount; row += step) {
    for (const { cells } of await readSomeRows(path, source, row, linesAtPosition)) {
      const [line = ""] = cells;
      sample.add(line, Buffer.byteLength(line) + 1);
    }
  }
  const isExact = step === linesAtPosition && sample.isExact();
  const fileBytes = isExact ? undefined : source.bytes;
  return { estimate: sample.estimate(fileBytes), groups: sample.groups(fileBytes), isExact };
}
