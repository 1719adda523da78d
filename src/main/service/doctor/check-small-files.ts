import { basename, join } from "node:path";
import { formatCount } from "#contract";
import { parseJson, readJsonFile, scanLines, unsealLine } from "../io/index.ts";
import type { Machine } from "../ports.ts";
import { isColumnFile } from "../results/index.ts";
import { findNames, listDebris } from "../store/index.ts";
import type { Finding } from "./findings.ts";

/** JSON objects that are written whole, by folder, and what is lost with one. */
const jsonFiles = [
  { folder: [], form: /^connections\.json$/, loss: "The connections have to be entered again, with their keys." },
  { folder: [], form: /^server\.json$/, loss: "The mock server has its first settings." },
  { folder: [], form: /^storage\.json$/, loss: "Nothing is deleted by its age or size." },
  { folder: [], form: /^secrets(\.system)?\.json$/, loss: "The keys in it have to be entered again." },
  {
    folder: [],
    form: /^job\.json$/,
    loss: "Neither sheaf status nor the app lists the job.",
  },
  { folder: ["drafts"], form: /^draft_\w+\.json$/, loss: "It is no longer among the drafts." },
  {
    folder: ["origins"],
    form: /^batch_\w+\.json$/,
    loss: "The batch does not know its table and its prompt any more.",
  },
  { folder: ["sources", "*"], form: /^source\.json$/, loss: "The table has to be added again; its content is kept." },
] as const;

/** JSON Lines that are appended to, by folder. */
const lineFiles = [
  { folder: ["verdicts"], form: /^batch_\w+\.jsonl$/, hasHeader: true },
  { folder: ["grades"], form: /^batch_\w+\.jsonl$/, hasHeader: true },
  { folder: [], form: /^verifications\.jsonl$/, hasHeader: false },
] as const;

export const toQuarantine = "moved to quarantine";

/** Small files that are not as they were written, and what was left half written. */
export async function checkSmallFiles(dir: string, machine: Machine): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { folder, form, loss } of jsonFiles) {
    for (const path of findNames(dir, folder, form)) {
      const isSound = await readJsonFile(join(dir, path)).then(
        (value) => value === undefined || (typeof value === "object" && value !== null),
        (error: unknown) => {
          if (error instanceof SyntaxError) return false;
          throw error;
        },
      );
      if (isSound) continue;
      const kind = folder.length === 0 ? "settings_damaged" : "record_damaged";
      const message = `${basename(path)} is not as it was written. ${loss}`;
      found.push({ kind, path, line: null, ids: [], message, isDamage: true, repair: toQuarantine });
    }
  }
  for (const { folder, form, hasHeader } of lineFiles) {
    for (const path of findNames(dir, folder, form)) {
      const { lines, isTorn } = await findDamagedLines(join(dir, path));
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
    const message = "It is not as this version writes it: it is made anew when it is next needed.";
    found.push({ kind: "column_damaged", path, line: null, ids: [], message, isDamage: false, repair: "removed" });
  }
  for (const path of listDebris(dir, machine)) {
    const message = "A process that ended left it half written, unless one is writing it now.";
    found.push({ kind: "half_written", path, line: null, ids: [], message, isDamage: false, repair: "removed" });
  }
  return found;
}

/** The numbers of the lines that are not as they were written, and whether there is a part of a line behind the last one. */
async function findDamagedLines(path: string): Promise<{ lines: readonly number[]; isTorn: boolean }> {
  const damaged: number[] = [];
  let line = 0;
  let isTorn = false;
  await scanLines(path, ({ bytes, terminated }) => {
    line += 1;
    isTorn = !terminated;
    if (terminated && (bytes === null || !isSoundLine(bytes))) damaged.push(line);
  });
  return { lines: damaged, isTorn };
}

/** Whether a line of a file that is appended to is as it was written. */
export function isSoundLine(bytes: Buffer): boolean {
  const json = unsealLine(bytes);
  return json !== null && parseJson(json.toString()) !== undefined;
}
