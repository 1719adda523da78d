import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { procedure } from "./errors.ts";

/** What an examination finds in a data folder; docs/storage.md has a row for each. */
export const findingKinds = [
  "journal_line_damaged",
  "journal_tail_lost",
  "journal_replaced",
  "journal_lost",
  "damage_unconfirmed",
  "file_missing",
  "file_damaged",
  "answer_damaged",
  "ledger_damaged",
  "ledger_replaced",
  "settings_damaged",
  "record_damaged",
  "table_damaged",
  "lines_damaged",
  "index_damaged",
  "column_damaged",
  "not_a_file",
  "file_unknown",
  "half_written",
] as const;

/** Something in the data folder that is not as it was written, or was left over. */
export const findingViewSchema = z.object({
  kind: z.enum(findingKinds),
  /** In the data folder. */
  path: z.string(),
  /** From 1; null where the whole file is meant. */
  line: z.int().nullable(),
  /** The batches that it touches. */
  batches: z.array(z.object({ id: z.string(), name: z.string() })),
  message: z.string(),
  /** False for a file that is made again or removed without a loss. */
  isDamage: z.boolean(),
  /** What a repair does about it; null where it leaves the bytes as they are. */
  repair: z.string().nullable(),
});
export type FindingView = z.infer<typeof findingViewSchema>;

/** Most findings that a page gets, damage first: of a damaged disk there may be thousands. */
export const mostFindings = 200;

const findingsSchema = z.object({
  findings: z.array(findingViewSchema).max(mostFindings),
  /** Of all findings. */
  damages: z.int(),
  repairable: z.int(),
  /** Findings beyond the most that a page gets. */
  more: z.int(),
});

const contents = { batches: z.int(), deleted: z.int(), files: z.int() };
/** When it ended, in Unix milliseconds of the computer. */
const at = z.number();

export const folderTaskSchema = z.enum(["check", "backup", "repair"]);
export type FolderTask = z.infer<typeof folderTaskSchema>;

/** What is done, or was done last, with the data folder as a whole. */
export const folderStateSchema = z.object({
  /** Null where nothing is kept beyond the end. */
  folder: z.string().nullable(),
  /** Where a copy would go if its user enters no other place; null where the system asks for it. */
  suggestedPlace: z.string().nullable(),
  /** `done` of `total` records; both 0 while the number is not known. */
  task: z.object({ kind: folderTaskSchema, done: z.int(), total: z.int() }).nullable(),
  check: z.object({ ...findingsSchema.shape, ...contents, at }).nullable(),
  backup: z.object({ path: z.string(), bytes: z.number(), damages: z.int(), ...contents, at }).nullable(),
  repair: z.object({ ...findingsSchema.shape, at }).nullable(),
  /** Why the last task did not end well. */
  failure: z.object({ kind: folderTaskSchema, message: z.string() }).nullable(),
  /** Why the folder can't be opened again after a repair; until then nothing else is answered. */
  closedBecause: z.string().nullable(),
  /** How often it was opened again: with each, all that was fetched before may be out of date. */
  openings: z.int(),
});
export type FolderState = z.infer<typeof folderStateSchema>;

/** Each task returns once it has begun, and `watch` reports its progress. A second task fails with CONFLICT meanwhile. */
export const folderContract = {
  /** The state now, and each change of it. */
  watch: procedure.output(eventIterator(folderStateSchema)),
  /** Reads all of the folder. Batches go on meanwhile. */
  check: procedure,
  /** Copies all but keys to a new folder. `place`: its path, in a browser; the desktop app asks the system's dialog. */
  backUp: procedure.input(z.object({ place: z.string().max(4_096).nullable() })),
  /** Closes the folder, repairs what is safe, and opens it again. Running batches wait meanwhile. */
  repair: procedure,
  /** Ends a check or a copy. */
  cancel: procedure,
  /** Opens a folder again that could not be opened after a repair. */
  reopen: procedure,
};
