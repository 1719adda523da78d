import type { AnswerFile } from "./answer.ts";
import { readAnswerLines } from "./read-answers.ts";
import { type FoundAnswer, type LedgerReading, readLedger } from "./read-ledger.ts";
import type { LedgerPlace } from "./records.ts";

/** Answers that are compared at a time. */
const step = 1_000;

/**
 * Where the first entry begins, of those that no mark says were on the disk, whose answer is not as it was written: a power cut may have
 * taken its bytes and left the entry. Null when there is none.
 */
export async function findUnsound(
  place: LedgerPlace,
  { synced }: Pick<LedgerReading, "synced">,
  paths: Readonly<Record<AnswerFile, string | null>>,
): Promise<number | null> {
  let entries: FoundAnswer[] = [];
  await readLedger(place, (found) => entries.push(found), { from: synced });
  for (; entries.length > 0; entries = entries.slice(step)) {
    const some = entries.slice(0, step).filter(({ answer }) => !answer.damaged);
    const lines = await readAnswerLines(
      paths,
      some.map(({ answer }) => answer),
    );
    const unsound = some.find((_, at) => lines[at] === null);
    if (unsound !== undefined) return unsound.at;
  }
  return null;
}
