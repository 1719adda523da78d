import type { BatchQuality, GradeRun, VerificationRun } from "#contract";
import type { Service } from "#main/service";

/** The accuracy and verdict counts of batches that have some; counted once, and again after each run. */
export interface BatchQualities {
  list(): Promise<BatchQuality[]>;
}

interface Known {
  readonly accuracy: BatchQuality["accuracy"];
  readonly verdicts: BatchQuality["verdicts"];
  readonly rulesAlone: number;
}

export function createBatchQualities({
  batches,
  grades,
  verifications,
}: Pick<Service, "batches" | "grades" | "verifications">): BatchQualities {
  const known = new Map<string, Promise<Known>>();

  async function read(batchId: string): Promise<Known> {
    const [grading, verification] = await Promise.all([grades.get(batchId), verifications.get(batchId)]);
    const rulesAlone = verification?.rulesAlone.reduce((sum, { count }) => sum + count, 0) ?? 0;
    return { accuracy: toAccuracy(grading), verdicts: toVerdicts(verification), rulesAlone };
  }

  /** A batch whose results can't be read doesn't hide the others. */
  const find = (batchId: string) => read(batchId).catch(() => ({ accuracy: null, verdicts: null, rulesAlone: 0 }));

  // Its files are in memory while a run continues.
  const drop = ({ batchId }: { readonly batchId: string }) => void known.delete(batchId);
  grades.subscribe(drop);
  verifications.subscribe(drop);

  return {
    async list() {
      const found: BatchQuality[] = [];
      const ids = new Set(batches.list({ limit: Number.POSITIVE_INFINITY }).batches.map(({ id }) => id));
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      for (const batchId of ids) {
        const quality = known.get(batchId) ?? find(batchId);
        known.set(batchId, quality);
        const { accuracy, verdicts, rulesAlone } = await quality;
        if (accuracy !== null || verdicts !== null) found.push({ batchId, accuracy, verdicts, rulesAlone });
      }
      return found;
    },
  };
}

function toAccuracy(run: GradeRun | null): BatchQuality["accuracy"] {
  if (run === null || run.summary.accuracy === null) return null;
  const { accuracy, passed, failed } = run.summary;
  return { share: accuracy, passed, graded: passed + failed };
}

function toVerdicts(run: VerificationRun | null): BatchQuality["verdicts"] {
  return run === null || run.isEarlier || run.done === 0 ? null : { ...run.counts };
}
