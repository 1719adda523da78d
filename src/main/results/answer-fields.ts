import { finalStatuses, findAnswerFields } from "#contract";
import { readAnswerFields } from "#main/answers";
import { ServiceError } from "#main/base";
import { schemaOf } from "#main/judging";
import type { Store, StoredFolder } from "#main/storage";
import type { Results } from "./results.ts";

/** Answers from which fields are found. */
const sampleSize = 100;

export interface AnswerFieldsDeps {
  /** With the batches of other folders. */
  readonly readable: StoredFolder;
  readonly store: Pick<Store, "batches">;
  readonly results: Pick<Results, "numbers" | "lines">;
}

/** The fields of a batch's answers that are columns: empty for answers in text; null before enough have come. */
export type FindAnswerFields = (batchId: string) => Promise<readonly string[] | null>;

/** Finds the fields of a batch's answers once, at a hundred answers or at the end, and stores them with the batch. */
export function createAnswerFields({ readable, store, results }: AnswerFieldsDeps): FindAnswerFields {
  return async (batchId) => {
    const batch = readable.batches.get(batchId);
    if (batch === undefined) throw new ServiceError("not_found", `No such batch: ${batchId}.`, "batch_id");
    if (batch.answerFields !== null) return batch.answerFields;
    if (batch.counts.completed < sampleSize && !finalStatuses.has(batch.status)) {
      // What a schema asks for is known before the first answer.
      const [first] = batch.counts.total === 0 ? [] : await results.lines(batchId, [1]);
      const asked = findAnswerFields(first === undefined ? null : schemaOf(first.rawRequest), []);
      return asked.length === 0 ? null : asked;
    }
    const lines = (await results.numbers(batchId, { states: ["answered"] })).slice(0, sampleSize);
    const details = await results.lines(batchId, lines);
    const schemas = details.map(({ rawRequest }) => schemaOf(rawRequest));
    const schema = schemas.find((one) => one !== null) ?? null;
    const answerFields = findAnswerFields(
      schema,
      details.map(({ answer }) => readAnswerFields(answer)),
    );
    const current = store.batches.get(batchId);
    if (current !== undefined && details.length > 0) store.batches.put({ ...current, answerFields });
    return answerFields;
  };
}
