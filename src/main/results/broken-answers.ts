import { z } from "zod";
import { loadGraders, schemaOf } from "#main/judging";
import { customIdOf, readAnswered } from "./join-line.ts";
import { eachKnownLine, knownLinesSchema } from "./known-lines.ts";

/** A file and its lines. */
export const knownFileSchema = z.object({ path: z.string(), known: knownLinesSchema });
type KnownFile = z.infer<typeof knownFileSchema>;

/** The requests of a batch and their answers. */
interface BatchFilePair {
  readonly input: KnownFile;
  readonly output: KnownFile;
}

interface Reading {
  readonly onProgress: (bytes: number, size: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Where the lines of an output file start whose answer breaks the JSON schema that its request asks for: it is not JSON, or
 * does not fit.
 */
export async function findBrokenAnswers(
  { input, output }: BatchFilePair,
  onFound: (start: number) => void,
  reading: Reading,
): Promise<void> {
  const schemaFor = await readSchemas(input, reading);
  const { createSchemaGrader } = await loadGraders();
  const grader = createSchemaGrader();
  await eachLine(output, reading, (text, start) => {
    const answer = readAnswered(text);
    const schema = answer === null ? null : schemaFor(customIdOf(text) ?? "");
    if (answer !== null && schema !== null && !grader.grade(answer, "", schema).passed) onFound(start);
  });
}

/** The schemas that requests ask for, by custom_id. Most batches have one for all lines: then it alone is in memory. */
async function readSchemas(file: KnownFile, reading: Reading): Promise<(customId: string) => string | null> {
  const found = new Set<string | null>();
  await eachLine(file, reading, (text) => found.add(schemaOf(text)));
  const [only = null, ...others] = found;
  if (others.length === 0) return () => only;
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
