import { ORPCError } from "@orpc/client";
import { createStore, type StoreApi } from "zustand/vanilla";
import { type Draft, draftSchema } from "#contract";
import { isDiskRefusal } from "../../../bridge/index.ts";

/** How long after the last change a draft is saved, in milliseconds. */
const saveDelay = 600;
/** How long after a save that the host's disk refused the next is tried, in milliseconds. */
const retryDelay = 2_000;

/**
 * Whether what is on screen is saved. `at` is when that was, in Unix milliseconds. In a conflict with another window,
 * nothing more is saved until the user has decided.
 */
export type SaveState =
  | { readonly status: "saved"; readonly at: number }
  | { readonly status: "saving" }
  | { readonly status: "failed"; readonly error: unknown }
  | { readonly status: "conflict" };

/** What a save stores of what is on screen. */
export type DraftFields = Omit<Draft, "id" | "revision" | "updatedAt">;

const fieldsSchema = draftSchema.omit({ id: true, revision: true, updatedAt: true });

/** The procedures of the `drafts` contract that saving takes. */
export interface SaveTarget {
  get(input: { id: string }): Promise<Draft>;
  save(input: Omit<Draft, "updatedAt">): Promise<Draft>;
}

/**
 * Saves a draft while it is edited: one save at a time, the latest state always last, each on the revision before it, and
 * never over one that it does not know.
 */
export interface Autosave {
  readonly state: Pick<StoreApi<SaveState>, "getState" | "getInitialState" | "subscribe">;
  /** The revision that the next save is made from. */
  revision(): number;
  /** Is called after a change: it is saved as soon as there is a pause. */
  schedule(): void;
  /** Saves what is not saved yet, now. Never rejects: a failure is in the state. */
  flush(): Promise<void>;
  /** Ends a conflict in favour of what is on screen: saves it over the `stored` draft. */
  overwrite(stored: Draft): Promise<void>;
  /** Is called when what is on screen is the `stored` draft: there is nothing to save. */
  adopt(stored: Draft): void;
  /** Drops what is not saved yet. */
  stop(): void;
}

/**
 * @param opened the draft as it was stored when it was opened
 * @param readFields what is on screen
 * @param onSaved gets each revision
 */
export function createAutosave(
  target: SaveTarget,
  opened: Pick<Draft, "id" | "revision" | "updatedAt">,
  readFields: () => DraftFields,
  onSaved: () => void = () => {},
): Autosave {
  const state = createStore<SaveState>()(() => ({ status: "saved", at: opened.updatedAt }));
  const revisions = createRevisions(target, opened);
  let isDirty = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The disk refused the last save: that is shown until one succeeds, while others are tried. */
  let isRefused = false;
  let isStopped = false;
  let running: Promise<void> | null = null;

  async function saveAll(): Promise<void> {
    while (isDirty) {
      isDirty = false;
      if (!isRefused) state.setState({ status: "saving" }, true);
      try {
        const { updatedAt } = await revisions.save(readFields());
        isRefused = false;
        onSaved();
        if (!isDirty) state.setState({ status: "saved", at: updatedAt }, true);
      } catch (error) {
        isDirty = true;
        isRefused = isDiskRefusal(error);
        state.setState(isConflict(error) ? { status: "conflict" } : { status: "failed", error }, true);
        if (isRefused && !isStopped) timer = setTimeout(flush, retryDelay);
        return;
      }
    }
  }

  function saveNow(): Promise<void> {
    clearTimeout(timer);
    running ??= saveAll().finally(() => {
      running = null;
    });
    return running;
  }

  async function flush(): Promise<void> {
    if (state.getState().status !== "conflict") await saveNow();
  }

  return {
    state,
    revision: revisions.current,
    schedule() {
      isDirty = true;
      if (state.getState().status === "conflict") return;
      if (!isRefused) state.setState({ status: "saving" }, true);
      clearTimeout(timer);
      timer = setTimeout(flush, saveDelay);
    },
    flush,
    async overwrite(stored) {
      revisions.adopt(stored);
      if (state.getState().status === "conflict") await saveNow();
    },
    adopt(stored) {
      revisions.adopt(stored);
      isDirty = false;
      isRefused = false;
      clearTimeout(timer);
      state.setState({ status: "saved", at: stored.updatedAt }, true);
    },
    stop() {
      isDirty = false;
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Saves revision after revision. A save whose answer was lost is recognised, not taken for another window's. */
function createRevisions(target: SaveTarget, { id, ...opened }: Pick<Draft, "id" | "revision">) {
  let { revision } = opened;
  /** What was sent since the last answer: it may have been stored all the same. */
  let unanswered: string[] = [];

  function adopt(stored: Draft): void {
    revision = stored.revision;
    unanswered = [];
  }

  async function send(fields: DraftFields): Promise<Draft> {
    try {
      const stored = await target.save({ ...fields, id, revision });
      adopt(stored);
      return stored;
    } catch (error) {
      if (!(error instanceof ORPCError)) unanswered.push(toText(fields));
      throw error;
    }
  }

  return {
    current: () => revision,
    adopt,
    async save(fields: DraftFields): Promise<Draft> {
      try {
        return await send(fields);
      } catch (error) {
        if (!isConflict(error) || unanswered.length === 0) throw error;
        const stored = await target.get({ id });
        if (!unanswered.includes(toText(stored))) throw error;
        adopt(stored);
        return send(fields);
      }
    },
  };
}

/** True for the answer to a save of a draft that was changed elsewhere. */
function isConflict(error: unknown): boolean {
  return error instanceof ORPCError && error.code === "CONFLICT";
}

/** The fields as text that is the same for the same fields. */
function toText(fields: DraftFields): string {
  return JSON.stringify(fieldsSchema.parse(fields));
}
