import { z } from "zod";
import type { Machine } from "#main/base";
import { loadGraders, schemaOf } from "#main/judging";
import { fits, headerOf, readRecords, writeColumn } from "./column-file.ts";
import { customIdOf, type ResultLine, readAnswered, readOutcome } from "./join-line.ts";
import { eachKnownLine, knownLinesSchema } from "./known-lines.ts";

/** A file and its lines. */
const knownFileSchema = z.object({ path: z.string(), known: knownLinesSchema });
type KnownFile = z.infer<typeof knownFileSchema>;

/** The requests of a batch and their answers, and where what is found is kept; null for nowhere. */
export const checkedFilesSchema = z.object({
  input: knownFileSchema,
  output: knownFileSchema,
  column: z.object({ name: z.string(), file: z.string().nullable() }),
});
export type CheckedFiles = z.infer<typeof checkedFilesSchema>;

interface Reading {
  readonly onProgress: (bytes: number, size: number) => void;
  readonly signal: AbortSignal;
}

/** Whether an answer is to fit a schema: one that calls tools has arguments instead. */
export function isForSchema({ state, calls }: Pick<ResultLine, "state" | "calls">): boolean {
  return state === "answered" && calls.length === 0;
}

/**
 * Finds the answers that are no JSON, or don't fit the JSON schema of their request. Reports where their lines start in the
 * output file. Resolves with whether a request may have a schema.
 */
export async function findBrokenAnswers(
  { input, output, column: { name, file } }: CheckedFiles,
  onFound: (start: number) => void,
  reading: Reading,
  machine: Machine,
): Promise<boolean> {
  const target = file === null ? null : { file, header: headerOf(name, output.path), isSpare: true };
  if (target !== null && (await fits(target.file, target.header))) {
    await readRecords(target.file, { ...reading, onValue: onFound }, machine);
    return true;
  }
  return await writeColumn(target, async (append) => {
    const schemaFor = await readSchemas(input, reading);
    if (schemaFor === null) return false;
    const { createSchemaGrader } = await loadGraders();
    const grader = createSchemaGrader();
    await eachLine(output, reading, (text, start) => {
      const answer = readAnswered(text);
      const schema = answer === null ? null : schemaFor(customIdOf(text) ?? "");
      if (answer === null || schema === null || grader.grade(answer, "", schema).passed) return;
      // Its calls are in the rest of the line, which takes longer to read.
      if (!isForSchema(readOutcome(text))) return;
      onFound(start);
      append(start, true);
    });
    return true;
  });
}

/** Finds the schema that a request asks for by its custom_id; null where none does. */
type FindSchema = ((customId: string) => string | null) | null;

/** The schemas of the input file that was read last: answers of a running batch are checked again and again. */
let last: { readonly path: string; readonly lines: number; readonly find: FindSchema } | null = null;

async function readSchemas(file: KnownFile, reading: Reading): Promise<FindSchema> {
  const [path, lines] = [file.path, file.known.starts.length];
  if (last?.path === path && last.lines === lines) return last.find;
  last = null;
  const find = await scanSchemas(file, reading);
  last = { path, lines, find };
  return find;
}

/** Most batches have one schema for all lines: then it alone is in memory. */
async function scanSchemas(file: KnownFile, reading: Reading): Promise<FindSchema> {
  const found = new Set<string | null>();
  await eachLine(file, reading, (text) => found.add(schemaOf(text)));
  const [only = null, ...others] = found;
  if (others.length === 0) return only === null ? null : () => only;
  const schemas = [...found];
  const places = new Map(schemas.map((schema, place) => [schema, place]));
  const byId = new Map<string, number>();
  await eachLine(file, reading, (text) => {
    byId.set(customIdOf(text) ?? "", places.get(schemaOf(text)) ?? 0);
  });
  return (customId) => schemas[byId.get(customId) ?? -1] ?? null;
}

async function eachLine({ path, known }: KnownFile, reading: Reading, onLine: (text: string, start: number) => void) {
  await eachKnownLine(path, known, onLine, reading);
}
