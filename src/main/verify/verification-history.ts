import { appendFile, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { type Verification, type VerificationSummary, verificationSchema, verifyResultSchema } from "#contract";
import { createQueue, type Logger, verdictOf } from "#service";

/** Most verifications that are kept. */
const mostKept = 100;
/** Most bytes that they take together, but for the newest, which is always kept. */
const mostBytes = 32 * 1024 * 1024;
/** Older ones are cleared out of the file when there are so many times more than are kept. */
const slack = 1.25;
/** Most characters of a text in a summary. */
const longestText = 200;

const newline = 0x0a;

/** The last verifications, in a file with one line of JSON each. */
export interface VerificationHistory {
  add(verification: Verification): Promise<void>;
  /** Newest first. */
  list(): Promise<VerificationSummary[]>;
  get(id: string): Promise<Verification | null>;
  /** Answers with how many there were. */
  clear(): Promise<number>;
}

interface Entry {
  readonly summary: VerificationSummary;
  /** In bytes; the length is without the line end. */
  readonly start: number;
  readonly length: number;
}

/** Opens the history in a file, which is read when it is first asked for. Lines that can't be read are left out. */
export function createVerificationHistory(path: string, logger: Logger): VerificationHistory {
  /** Oldest first; null until the file has been read. */
  let entries: Entry[] | null = null;
  let end = 0;
  // Changes and readings follow one another: a line that moves is not read meanwhile.
  const inTurn = createQueue();

  async function load(): Promise<Entry[]> {
    if (entries !== null) return entries;
    const content = await readFile(path).catch(orEmpty);
    const found = readEntries(content);
    const bytes = found.reduce((sum, { length }) => sum + length + 1, 0);
    end = content.length;
    if (bytes === content.length) {
      entries = found;
      return found;
    }
    logger.warn("lines of the verification history can't be read", { path });
    return rewrite(content, found);
  }

  /** Replaces the file by one that holds these entries of it. */
  async function rewrite(content: Buffer, kept: readonly Entry[]): Promise<Entry[]> {
    const lines = kept.map(({ start, length }) => content.subarray(start, start + length));
    const next = `${path}.next`;
    await writeFile(
      next,
      lines.flatMap((line) => [line, Buffer.of(newline)]),
      { mode: 0o600, flush: true },
    );
    await rename(next, path);
    end = 0;
    entries = kept.map(({ summary, length }) => {
      const start = end;
      end += length + 1;
      return { summary, start, length };
    });
    return entries;
  }

  return {
    add: (verification) =>
      inTurn(async () => {
        const known = await load();
        const line = Buffer.from(`${JSON.stringify(verification)}\n`);
        await mkdir(dirname(path), { recursive: true });
        try {
          await appendFile(path, line, { mode: 0o600 });
        } catch (error) {
          // How much of the line is there is for the next reading to find out.
          entries = null;
          throw error;
        }
        known.push({ summary: summarize(verification), start: end, length: line.length - 1 });
        end += line.length;
        if (known.length <= mostKept * slack && end <= mostBytes * slack) return;
        await rewrite(await readFile(path), chooseKept(known));
      }),
    list: () =>
      inTurn(async () =>
        chooseKept(await load())
          .map(({ summary }) => summary)
          .reverse(),
      ),
    get: (id) =>
      inTurn(async () => {
        const entry = (await load()).find(({ summary }) => summary.id === id);
        return entry === undefined ? null : parseVerification(JSON.parse(await readLine(path, entry)));
      }),
    clear: () =>
      inTurn(async () => {
        const { length } = await load();
        await rm(path, { force: true });
        entries = [];
        end = 0;
        return length;
      }),
  };
}

/** The newest, within the limits. */
function chooseKept(entries: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  let bytes = 0;
  for (const entry of entries.slice(-mostKept).reverse()) {
    bytes += entry.length + 1;
    if (kept.length > 0 && bytes > mostBytes) break;
    kept.push(entry);
  }
  return kept.reverse();
}

function readEntries(content: Buffer): Entry[] {
  const entries: Entry[] = [];
  let start = 0;
  for (let end = content.indexOf(newline); end !== -1; end = content.indexOf(newline, start)) {
    const verification = parseVerification(parseJson(content.toString("utf8", start, end)));
    if (verification !== null) entries.push({ summary: summarize(verification), start, length: end - start });
    start = end + 1;
  }
  return entries;
}

/** What an earlier version wrote, whose claims had other verdicts: they are left out. */
const earlierSchema = verificationSchema.omit({ strict: true, isEarlier: true }).extend({
  result: verifyResultSchema.extend({ claims: z.array(z.unknown()).transform(() => []) }),
});

function parseVerification(value: unknown): Verification | null {
  const current = verificationSchema.safeParse(value);
  if (current.success) return current.data;
  const earlier = earlierSchema.safeParse(value);
  return earlier.success ? { ...earlier.data, strict: false, isEarlier: true } : null;
}

function summarize({ id, at, result, isEarlier }: Verification): VerificationSummary {
  const { prompt, response, explanation } = result;
  const verdict = isEarlier ? null : verdictOf(result);
  return { id, at, prompt: cut(prompt), response: cut(response), verdict, explanation };
}

/** The first characters; half of a character that is two units long is left out. */
function cut(text: string): string {
  return text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, "");
}

async function readLine(path: string, { start, length }: Entry): Promise<string> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
    return buffer.toString("utf8");
  } finally {
    await file.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function orEmpty(error: unknown): Buffer {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
  throw error;
}
