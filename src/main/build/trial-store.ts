import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { spanSchema, trialInputSchema } from "#contract";
import { createQueue } from "#main/base";
import { type Notices, readJsonFile, type WriteRules, writeJsonFile } from "#main/storage";
import { checkId } from "./errors.ts";

/** The last trial of a version of a draft. Its answers are those of its batch. */
const storedTrialSchema = z.object({
  input: trialInputSchema,
  batchId: z.string(),
  /** The rows that became lines. */
  written: z.array(spanSchema),
  /** How long it took; null for one that did not end. */
  milliseconds: z.number().nullable(),
});
export type StoredTrial = z.infer<typeof storedTrialSchema>;
const fileSchema = z.object({ trials: z.array(z.unknown()) });

/** Trials of one draft that are kept: those of versions that were renamed or removed go first. */
const mostTrials = 30;

export interface TrialStoreDeps {
  /** The folder of the drafts. */
  readonly folder: string;
  readonly writeRules: WriteRules;
  readonly notices: Pick<Notices, "add">;
}

/** What was tried of each draft, in a file beside it: the answers were paid. */
export interface TrialStore {
  /** The last trial of each version, the latest last. */
  list(draftId: string): Promise<readonly StoredTrial[]>;
  /** Replaces the trial of the same version. */
  keep(trial: StoredTrial): Promise<void>;
  remove(draftId: string): Promise<void>;
}

export function createTrialStore({ folder, writeRules, notices }: TrialStoreDeps): TrialStore {
  const inTurn = createQueue();
  const pathOf = (draftId: string) => join(folder, `${checkId(draftId, "This draft is no longer there.")}.trials.json`);

  /** Keeps the whole file as `.broken`, and writes the readable trials to a new one. */
  async function setAside(path: string, sound: readonly StoredTrial[], message: string): Promise<void> {
    writeRules.assertHeld();
    await rename(path, `${path}.broken`);
    if (sound.length > 0) await writeJsonFile(path, { trials: sound }, writeRules);
    notices.add({ code: "file_set_aside", count: 1, message, details: `${path}.broken` });
  }

  async function read(draftId: string): Promise<readonly StoredTrial[]> {
    const path = pathOf(draftId);
    let stored: readonly unknown[];
    try {
      const content = await readJsonFile(path);
      if (content === undefined) return [];
      stored = fileSchema.parse(content).trials;
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
      await setAside(path, [], "The trials of a draft could not be read and were set aside. The draft is as it was.");
      return [];
    }
    const sound = stored.flatMap((trial) => storedTrialSchema.safeParse(trial).data ?? []);
    const lost = stored.length - sound.length;
    if (lost > 0) {
      const message = `${lost} of ${stored.length} trials of a draft could not be read and were set aside.`;
      await setAside(path, sound, message);
    }
    return sound;
  }

  return {
    list: (draftId) => inTurn(() => read(draftId)),
    keep: (trial) =>
      inTurn(async () => {
        const { draftId, version } = trial.input;
        // A trial may outlive its draft: its file would come back.
        if (!existsSync(join(folder, `${draftId}.json`))) return;
        const kept = await read(draftId);
        // It was kept when it began: a later one of its version has taken its place, or it went as one of the oldest.
        if (trial.milliseconds !== null && !kept.some(({ batchId }) => batchId === trial.batchId)) return;
        const others = kept.filter(({ input }) => input.version !== version);
        writeRules.assertHeld();
        await mkdir(folder, { recursive: true });
        await writeJsonFile(pathOf(draftId), { trials: [...others, trial].slice(-mostTrials) }, writeRules);
      }),
    remove: (draftId) =>
      inTurn(async () => {
        writeRules.assertHeld();
        await rm(pathOf(draftId), { force: true });
      }),
  };
}
