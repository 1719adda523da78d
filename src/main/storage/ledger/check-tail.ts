import type { AnswerFile } from "./answer.ts";
import { readAnswerLines } from "./read-answers.ts";
import { type FoundAnswer, type LedgerReading, readLedger } from "./read-ledger.ts";
import type { LedgerPlace } from "./records.ts";

/** Answers that are compared at a time. */
const step = 1_000;

/**
 * Where the first entry begins, of those that no mark says were on the disk, that is not as it was written, or whose answer isn't: a power
 * cut may have taken the bytes of either. Null when there is none.
 */
export async function findUnsound(
  place: LedgerPlace,
  { synced, tornAt }: Pick<LedgerReading, "synced" | "tornAt">,
  paths: Readonly<Record<AnswerFile, string | null>>,
): Promise<number | null> {
  let entries: FoundAnswer[] = [];
  // Of a file that the batch does not name no byte is there, whatever was synced: its name was not.
  const from = paths.output === null || paths.error === null ? 0 : synced;
  await readLedger(
    place,
    (found) => {
      if (found.at >= synced || paths[found.answer.file] === null) entries.push(found);
    },
    { from, ...(tornAt !== null && { to: tornAt }) },
  );
  for (; entries.length > 0; entries = entries.slice(step)) {
    const some = entries.slice(0, step).filter(({ answer }) => !answer.damaged);
    const lines = await readAnswerLines(
      paths,
      some.map(({ answer }) => answer),
    );
    const unsound = some.find((_, at) => lines[at] === null);
    if (unsound !== undefined) return unsound.at;
  }
  return tornAt;
}
