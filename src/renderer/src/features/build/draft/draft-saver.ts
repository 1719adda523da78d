import { ORPCError } from "@orpc/client";
import { type Draft, draftSchema } from "#contract";

/** What a save keeps of what is on screen. */
export type DraftContents = Pick<Draft, "name" | "sourceId" | "template" | "batchId">;

const contentsSchema = draftSchema.pick({ name: true, sourceId: true, template: true, batchId: true });

/** The procedures of the `drafts` contract that saving takes. */
export interface SaveTarget {
  get(input: { id: string }): Promise<Draft>;
  save(input: Omit<Draft, "updatedAt">): Promise<Draft>;
}

/** Saves a draft revision after revision, and never over one that it does not know. */
export interface DraftSaver {
  /** The revision that the next save is made from. */
  revision(): number;
  /** Rejects with the contract's CONFLICT when the draft was saved from elsewhere meanwhile. */
  save(contents: DraftContents): Promise<Draft>;
  /** Takes the draft as it is kept for the one that the next save is made from. */
  adopt(kept: Draft): void;
}

export function createDraftSaver(target: SaveTarget, { id, ...opened }: Pick<Draft, "id" | "revision">): DraftSaver {
  let { revision } = opened;
  /** What was sent since the last answer: it may have been kept all the same. */
  let unanswered: string[] = [];

  function adopt(kept: Draft): void {
    revision = kept.revision;
    unanswered = [];
  }

  async function send(contents: DraftContents): Promise<Draft> {
    try {
      const kept = await target.save({ ...contents, id, revision });
      adopt(kept);
      return kept;
    } catch (error) {
      if (!(error instanceof ORPCError)) unanswered.push(print(contents));
      throw error;
    }
  }

  return {
    revision: () => revision,
    adopt,
    async save(contents) {
      try {
        return await send(contents);
      } catch (error) {
        if (!isConflict(error) || unanswered.length === 0) throw error;
        const kept = await target.get({ id });
        if (!unanswered.includes(print(kept))) throw error;
        adopt(kept);
        return send(contents);
      }
    },
  };
}

/** True for the answer to a save of a draft that was changed elsewhere. */
export function isConflict(error: unknown): boolean {
  return error instanceof ORPCError && error.code === "CONFLICT";
}

/** The contents as text that is the same for the same contents. */
function print(contents: DraftContents): string {
  return JSON.stringify(contentsSchema.parse(contents));
}
