import { rm } from "node:fs/promises";
import { z } from "zod";
import {
  countClaims,
  storedVerifyResultSchema,
  type Verification,
  type VerificationSummary,
  verdictOf,
  verificationSchema,
  verifyResultSchema,
} from "#contract";
import type { Logger } from "#main/base";
import { createQueue } from "#main/base";
import {
  type Appender,
  createAppender,
  type Durability,
  isErrno,
  openFiles,
  parseJson,
  readFully,
  replaceFile,
  scanLines,
  sealLine,
  unsealLine,
} from "#main/storage";

/** Most verifications that are listed. */
const mostEntries = 100;
/** Most bytes that they take together, but for the newest, which is always there. */
const mostBytes = 32 * 1024 * 1024;
/** Older ones are cleared out of the file when there are so many times more. */
const slack = 1.25;
/** Most characters of a text in a summary. */
const longestText = 200;

/** The last single verifications, in a file with one line of JSON each, with its checksum. */
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
  /** In bytes; the length is with the line end. */
  readonly start: number;
  readonly length: number;
}

interface OpenHistory {
  /** Oldest first. */
  readonly entries: Entry[];
  readonly appender: Appender;
}

/** Opens the history in a file, which is read when it is first asked for. Lines that can't be read are left out. */
export function createVerificationHistory(
  path: string,
  { durability, logger }: { readonly durability: Durability; readonly logger: Logger },
): VerificationHistory {
  // Changes and readings follow one another: a line that moves is not read meanwhile.
  const inTurn = createQueue();
  let opened: OpenHistory | null = null;

  async function load(): Promise<OpenHistory> {
    opened ??= await readHistory();
    return opened;
  }

  /** Replaces the file by one with these entries of it. */
  async function rewrite(entries: readonly Entry[]): Promise<void> {
    const lines: Buffer[] = [];
    const file = await openFiles.open(path);
    try {
      for (const { start, length } of entries) lines.push(await readFully(file, start, length));
    } finally {
      await file.close();
    }
    await forgetUnsynced();
    await replaceFile(path, Buffer.concat(lines), durability, 0o600);
    let size = 0;
    const moved = entries.map(({ summary, length }) => {
      const start = size;
      size += length;
      return { summary, length, start };
    });
    opened = { entries: moved, appender: createAppender(path, size, durability) };
  }

  /** After a sync that failed, lines would be written again into the file that takes the place of this one. */
  const forgetUnsynced = () => durability.synced();

  /** A last line without its end was being written when the process ended: the next one takes its place. */
  async function readHistory(): Promise<OpenHistory> {
    const entries: Entry[] = [];
    let end = 0;
    let unread = 0;
    try {
      await scanLines(path, (line) => {
        const verification = line.bytes === null ? null : parseVerification(line.bytes);
        if (!line.terminated || verification === null) unread += 1;
        else entries.push({ summary: summarize(verification), start: line.start, length: line.end - line.start });
        if (line.terminated) end = line.end;
      });
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error;
    }
    if (unread > 0) logger.warn("lines of the verification history can't be read", { path, lines: unread });
    return { entries, appender: createAppender(path, end, durability) };
  }

  return {
    add: (verification) =>
      inTurn(async () => {
        const { entries, appender } = await load();
        const line = sealLine(verification);
        const start = await appender.append(line);
        // The file is closed between two verifications, which are minutes apart.
        await appender.close();
        entries.push({ summary: summarize(verification), start, length: line.length });
        if (entries.length <= mostEntries * slack && appender.size <= mostBytes * slack) return;
        await rewrite(chooseNewest(entries));
      }),
    list: () =>
      inTurn(async () =>
        chooseNewest((await load()).entries)
          .map(({ summary }) => summary)
          .reverse(),
      ),
    get: (id) =>
      inTurn(async () => {
        const entry = (await load()).entries.find(({ summary }) => summary.id === id);
        if (entry === undefined) return null;
        const file = await openFiles.open(path);
        try {
          return parseVerification(await readFully(file, entry.start, entry.length - 1));
        } finally {
          await file.close();
        }
      }),
    clear: () =>
      inTurn(async () => {
        const { entries } = await load();
        await forgetUnsynced();
        await rm(path, { force: true });
        opened = null;
        return entries.length;
      }),
  };
}

/** The newest, within the limits. */
function chooseNewest(entries: readonly Entry[]): Entry[] {
  const newest: Entry[] = [];
  let bytes = 0;
  for (const entry of entries.slice(-mostEntries).reverse()) {
    bytes += entry.length;
    if (newest.length > 0 && bytes > mostBytes) break;
    newest.push(entry);
  }
  return newest.reverse();
}

const storedSchema = verificationSchema.extend({ result: storedVerifyResultSchema });

/** What an earlier version wrote, whose claims had other verdicts: they are left out. */
const earlierSchema = verificationSchema.omit({ strict: true, isEarlier: true }).extend({
  result: verifyResultSchema
    .omit({ counts: true })
    .extend({ claims: z.array(z.unknown()).transform(() => []) })
    .transform((result) => ({ ...result, counts: countClaims([]) })),
});

/** Null for a line that is not as it was written. */
function parseVerification(line: Buffer): Verification | null {
  const json = unsealLine(line);
  const value = json === null ? undefined : parseJson(json.toString());
  const current = storedSchema.safeParse(value);
  if (current.success) return current.data;
  const earlier = earlierSchema.safeParse(value);
  return earlier.success ? { ...earlier.data, strict: false, isEarlier: true } : null;
}

function summarize({ id, at, result, isEarlier }: Verification): VerificationSummary {
  const { prompt, response, explanation } = result;
  const counts = isEarlier ? null : result.counts;
  const verdict = counts && verdictOf(counts);
  return { id, at, prompt: cut(prompt), response: cut(response), verdict, counts, explanation };
}

/** The first characters; half of a character that is two units long is left out. */
function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}
