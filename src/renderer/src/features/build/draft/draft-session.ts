import type { QueryClient } from "@tanstack/react-query";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Draft, Source } from "#contract";
import type { Bridge } from "../../../bridge/index.ts";
import { createSubmission, type Submission } from "../footer/submission.ts";
import { takeSource } from "../source/source-defaults.ts";
import { createSourceUpload, type SourceUpload } from "../source/source-upload.ts";
import { createDraftKeeper, type DraftKeeper } from "./autosave.ts";
import { toRequestTemplate } from "./draft-content.ts";
import { createDraftSaver } from "./draft-saver.ts";
import { createDraftStore, type DraftStore } from "./draft-store.ts";

/** What belongs to a draft on screen and is not part of what can be undone. */
export interface DraftView {
  /** The row that is previewed, from 1. */
  readonly row: number;
  /** The batch that was last submitted from the draft. */
  readonly batchId: string | null;
}

/**
 * A draft that is open: what is edited, its history, its upload, the saving and the submitting of it. It lives on while
 * another place is on screen, so that all of this goes on and undo still works on the way back.
 */
export interface DraftSession {
  readonly id: string;
  readonly store: DraftStore;
  readonly keeper: DraftKeeper;
  readonly upload: SourceUpload;
  readonly submission: Submission;
  readonly view: Pick<StoreApi<DraftView>, "getState" | "getInitialState" | "subscribe">;
  showRow(row: number): void;
  /** Makes the source the draft's own; what follows from it (name, line id) is one step of the history with it. */
  giveSource(source: Source): void;
  /** Notes the batch that came of the draft. */
  noteBatch(batchId: string): void;
  /** Shows the draft as another window has kept it, unless something here is not kept yet. Undo leads back. */
  follow(kept: Draft): void;
  /** Ends a conflict with another window by saving over what is kept. */
  keepMine(): Promise<void>;
  /** Ends a conflict with another window by showing what is kept. Undo leads back. */
  loadOther(): Promise<void>;
  /** Stops everything that still goes on for the draft. */
  end(): void;
}

/** Opens a draft as it was kept. */
export function createDraftSession(draft: Draft, { rpc, api }: Bridge, queryClient: QueryClient): DraftSession {
  const store = createDraftStore(draft);
  const view = createStore<DraftView>()(() => ({ row: 1, batchId: draft.batchId ?? null }));
  const saver = createDraftSaver(rpc.drafts, draft);
  const keeper = createDraftKeeper(save, draft.updatedAt);
  const upload = createSourceUpload(rpc.sources, giveSource);
  const submission = createSubmission(rpc.build.submit);
  const stopKeeping = store.content.subscribe(keeper.touch);

  async function save(): Promise<number> {
    const content = store.content.getState();
    const { batchId } = view.getState();
    const kept = await saver.save({
      name: content.name,
      sourceId: content.sourceId,
      template: toRequestTemplate(content),
      ...(batchId === null ? {} : { batchId }),
    });
    void queryClient.invalidateQueries({ queryKey: api.drafts.list.key() });
    return kept.updatedAt;
  }

  function load(kept: Draft): void {
    saver.adopt(kept);
    store.load(kept);
    view.setState({ batchId: kept.batchId ?? null });
    keeper.settle(kept.updatedAt);
  }

  function giveSource(source: Source): void {
    const content = store.content.getState();
    const keyOf = (id: string) => api.sources.get.queryKey({ input: { id } });
    const previous = content.sourceId === null ? undefined : queryClient.getQueryData(keyOf(content.sourceId));
    queryClient.setQueryData(keyOf(source.id), source);
    store.edit(takeSource(content, source, previous));
    view.setState({ row: 1 });
  }

  return {
    id: draft.id,
    store,
    keeper,
    upload,
    submission,
    view,
    showRow: (row) => view.setState({ row }),
    giveSource,
    noteBatch(batchId) {
      view.setState({ batchId });
      keeper.touch();
    },
    follow(kept) {
      if (keeper.state.getState().status === "kept" && kept.revision > saver.revision()) load(kept);
    },
    async keepMine() {
      const kept = await rpc.drafts.get({ id: draft.id });
      saver.adopt(kept);
      view.setState(({ batchId }) => ({ batchId: batchId ?? kept.batchId ?? null }));
      await keeper.overwrite();
    },
    loadOther: async () => load(await rpc.drafts.get({ id: draft.id })),
    end() {
      stopKeeping();
      keeper.stop();
      upload.cancel();
    },
  };
}
