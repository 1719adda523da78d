import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { formatCount } from "#contract";
import { type Machine, priceRecordSchema } from "#main/base";
import { contentsSchema, hashContent } from "#main/batches";
import { isColumnFile } from "#main/results";
import {
  findNames,
  isErrno,
  judgeCallFile,
  judgeCallFolder,
  listDebris,
  listFile,
  listFolder,
  parseJson,
  priceFile,
  priceFolder,
  readJsonFile,
  scanLines,
  storedListSchema,
  unsealLine,
} from "#main/storage";
import { isHeaderOf } from "#main/verifications";
import type { Finding } from "./findings.ts";
import type { Steps } from "./steps.ts";

interface JsonFiles {
  readonly folder: readonly string[];
  readonly form: RegExp;
  readonly loss: string;
  /** What else it has to be; any object by default. */
  readonly schema?: z.ZodType;
}

/** JSON objects that are written whole, by folder, and what is lost with one. */
const jsonFiles: readonly JsonFiles[] = [
  { folder: [], form: /^connections\.json$/, loss: "Enter the connections and their keys again." },
  { folder: [], form: /^server\.json$/, loss: "The mock server uses its default settings." },
  { folder: [], form: /^storage\.json$/, loss: "Nothing is deleted by its age or size." },
  { folder: [], form: /^secrets(\.system)?\.json$/, loss: "Enter the keys in it again." },
  {
    folder: [],
    form: /^job\.json$/,
    loss: "The job is no longer listed.",
  },
  { folder: ["drafts"], form: /^draft_\w+\.json$/, loss: "It is no longer among the drafts." },
  { folder: ["drafts"], form: /^draft_\w+\.trials\.json$/, loss: "The draft no longer shows its trials." },
  {
    folder: ["origins"],
    form: /^batch_\w+\.json$/,
    loss: "The batch's table and prompt are unknown. Its exports lack the columns of the table, and report that.",
  },
  {
    folder: [priceFolder],
    form: priceFile,
    loss: "The batches that name it show today's prices.",
    schema: priceRecordSchema,
  },
  {
    folder: [listFolder],
    form: listFile,
    loss: "Links that filter by this list of values show that it is gone.",
    schema: storedListSchema,
  },
  { folder: ["sources", "*"], form: /^source\.json$/, loss: "Add the table again. Its content is kept." },
];

/** JSON Lines that are appended to, by folder. */
const lineFiles = [
  { folder: ["verdicts"], form: /^batch_\w+\.jsonl$/, hasHeader: true },
  { folder: ["grades"], form: /^batch_\w+\.jsonl$/, hasHeader: true },
  { folder: [], form: /^(verifications|verdicts)\.jsonl$/, hasHeader: false },
  { folder: [judgeCallFolder], form: judgeCallFile, hasHeader: false },
] as const;

/** The name of a table's file as it was dropped; what it was converted to is next to it. */
const originalName = "content";

export const toQuarantine = "moved to quarantine";

/** Small files that are not as they were written, and what was left half written. */
export async function checkSmallFiles(dir: string, machine: Machine, steps: Steps): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { folder, form, loss, schema } of jsonFiles) {
    for (const path of findNames(dir, folder, form)) {
      steps.assertWanted();
      const value = await readJsonFile(join(dir, path)).catch((error: unknown) => {
        if (error instanceof SyntaxError) return null;
        throw error;
      });
      if (value === undefined) continue;
      if (typeof value === "object" && value !== null && (schema?.safeParse(value).success ?? true)) {
        if (basename(path) === "source.json")
          found.push(...(await checkTable(dir, dirname(path), value, steps.signal)));
        continue;
      }
      const kind = folder.length === 0 ? "settings_damaged" : "record_damaged";
      const message = `${basename(path)} is not as it was written. ${loss}`;
      found.push({ kind, path, line: null, ids: [], message, isDamage: true, repair: toQuarantine });
    }
  }
  for (const { folder, form, hasHeader } of lineFiles) {
    for (const path of findNames(dir, folder, form)) {
      steps.assertWanted();
      const { lines, isTorn } = await findDamagedLines(join(dir, path), hasHeader);
      const [first = null] = lines;
      if (isTorn) {
        const message =
          "Its last line is half written: a process or the computer ended meanwhile, or is writing it now.";
        const repair = "written anew without it; a copy kept in quarantine";
        found.push({ kind: "lines_damaged", path, line: null, ids: [], message, isDamage: false, repair });
      }
      if (first === null) continue;
      const isHeaderLost = hasHeader && first === 1;
      found.push({
        kind: "lines_damaged",
        path,
        line: first,
        ids: [],
        message: isHeaderLost
          ? "Its first line is not as it was written: the batch counts as not verified or graded."
          : `${formatCount(lines.length, "line")} can't be read, the first is line ${first}. The others count.`,
        isDamage: true,
        repair: isHeaderLost ? toQuarantine : "written anew without them; a copy kept in quarantine",
      });
    }
  }
  for (const path of findNames(dir, ["indexes"], /\.column$/)) {
    if (await isColumnFile(join(dir, path))) continue;
    const message = "Another version wrote this, or it is damaged. Sheaf rebuilds it when needed.";
    found.push({ kind: "column_damaged", path, line: null, ids: [], message, isDamage: false, repair: "removed" });
  }
  for (const path of listDebris(dir, machine)) {
    const message = "A process that ended left it half written, unless one is writing it now.";
    found.push({ kind: "half_written", path, line: null, ids: [], message, isDamage: false, repair: "removed" });
  }
  return found;
}

const tableSchema = z.object({ name: z.string(), contents: contentsSchema });

/** The files of a table that are not as they were stored. Records of earlier versions don't know how they were. */
async function checkTable(
  dir: string,
  folder: string,
  record: object,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const { name: table = "", contents = {} } = tableSchema.safeParse(record).data ?? {};
  const damaged: string[] = [];
  for (const [name, known] of Object.entries(contents)) {
    const content = await hashContent(join(dir, folder, name), signal).catch((error: unknown) => {
      if (isErrno(error, "ENOENT") || isErrno(error, "EIO")) return null;
      throw error;
    });
    if (!isDeepStrictEqual(content, known)) damaged.push(name);
  }
  return damaged.map((name) => {
    const about = { kind: "table_damaged" as const, path: join(folder, name), line: null, ids: [basename(folder)] };
    const what = `The table ${table} is not as it was stored`;
    if (!damaged.includes(originalName)) {
      const message = `${what}: it is converted anew from its file when it is next used.`;
      return { ...about, message, isDamage: false, repair: "removed" };
    }
    return {
      ...about,
      message: `${what}: it has to be added again. What is sound of it, or was converted of it, is still read.`,
      isDamage: true,
      repair: null,
    };
  });
}

/** The numbers of the lines that are not as they were written, and whether there is a part of a line behind the last one. */
async function findDamagedLines(
  path: string,
  hasHeader: boolean,
): Promise<{ lines: readonly number[]; isTorn: boolean }> {
  const damaged: number[] = [];
  let line = 0;
  let isTorn = false;
  await scanLines(path, ({ bytes, terminated }) => {
    line += 1;
    isTorn = !terminated;
    if (!terminated) return;
    const json = bytes && unsealLine(bytes);
    const isOther = hasHeader && line === 1 && json !== null && !isHeaderOf(path, json);
    if (bytes === null || !isSoundLine(bytes) || isOther) damaged.push(line);
  });
  return { lines: damaged, isTorn };
}

/** Whether a line of a file that is appended to is as it was written. */
export function isSoundLine(bytes: Buffer): boolean {
  const json = unsealLine(bytes);
  return json !== null && parseJson(json.toString()) !== undefined;
}
