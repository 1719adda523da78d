import type { ModelGraderDeps } from "#main/judging";
import type { ReadColumn } from "#main/results";
import type { Store } from "#main/storage";
import { createGradeFiles, createGrades } from "./grades.ts";
import { createFindVerifier, type JudgeThread } from "./judge-thread.ts";
import type { RunDeps } from "./runs.ts";
import { createVerdictFiles, createVerifications } from "./verifications.ts";
import type { OpenQueue } from "./work.ts";

/** The files of verdicts and grades, which need not be there yet. */
export const openRunFiles = (store: Store) => ({
  verdicts: createVerdictFiles(store),
  grades: createGradeFiles(store),
});

interface RunsDeps extends RunDeps {
  readonly files: ReturnType<typeof openRunFiles>;
  readonly thread: JudgeThread;
  /** What a model judges and grades with. */
  readonly model: ModelGraderDeps & Parameters<typeof createFindVerifier>[1];
  readonly openQueue: OpenQueue;
}

/** All runs over the answers of batches: verifying and grading. */
export function openRuns({ files, ...deps }: RunsDeps) {
  const verifierFor = createFindVerifier(deps.thread, deps.model);
  const verifying = createVerifications({ ...deps, files: files.verdicts, verifierFor });
  const grading = createGrades({ ...deps, files: files.grades });
  return {
    verifications: verifying.verifications,
    grades: grading.grades,
    /** The judge that a choice asks for; the rules work in a thread of their own. Throws a ServiceError when it can't be had. */
    verifierFor,
    isRunning: (batchId: string) => verifying.isRunning(batchId) || grading.isRunning(batchId),
    /** Has the rules judge answers that came late, where they have judged the others. A model is asked only by its user. */
    async judgeLate(batchId: string, lines: number, readColumn: ReadColumn | undefined): Promise<void> {
      for (const { judgeLate } of [verifying, grading]) {
        await judgeLate(batchId, lines, readColumn).catch((error: unknown) => {
          deps.logger.warn("Answers that came late are not judged", { batch: batchId, error: String(error) });
        });
      }
    },
    /** Gives up what is in work, and removes what has come of the batch. */
    async forget(batchId: string): Promise<void> {
      await Promise.all([verifying.forget(batchId), grading.forget(batchId)]);
    },
    /** Gives up what is in work; what has come of the batch stays. */
    async stop(batchId: string): Promise<void> {
      await Promise.all([verifying.stop(batchId), grading.stop(batchId)]);
    },
    async close(): Promise<void> {
      await Promise.all([verifying.close(), grading.close()]);
    },
  };
}
