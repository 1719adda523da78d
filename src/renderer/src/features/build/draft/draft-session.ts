import type { QueryClient } from "@tanstack/react-query";
import { createContext, use, useMemo } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { BuildInput, Draft, Source } from "#contract";
import type { Bridge } from "../../../bridge/index.ts";
import { createSubmission, type Submission } from "../footer/submission.ts";
import { createTrial, type Trial } from "../preview/trial-store.ts";
import { applySource } from "../source/source-defaults.ts";
import { createSourceLayout, type SourceLayout } from "../source/source-layout.ts";
import { createSourceUpload, type SourceUpload } from "../source/source-upload.ts";
import { type Autosave, createAutosave } from "./autosave.ts";
import { type BuildContent, type DraftContent, toBuildInput, toRequestTemplate } from "./draft-content.ts";
import { createDraftStore, type DraftStore } from "./draft-store.ts";

/** What belongs to a draft on screen and is not part of what can be undone. */
export interface DraftView {
  /** The row that is previewed, from 1. */
  readonly row: number;
  /** The batch that was last submitted from the draft. */
  readonly batchId: string | null;
  /** What was typed into number fields and is no number, by field: it stays, and keeps the draft from being submitted. */
  readonly unread: Readonly<Record<string, string>>;
}

/**
 * A draft that is open: what is edited, its history, its upload, the saving and the submitting of it. It lives on while
 * another page is on screen, so that all of this goes on and undo still works on the way back.
 */
export interface DraftSession {
  readonly id: string;
  readonly store: DraftStore;
  readonly autosave: Autosave;
  readonly upload: SourceUpload;
  readonly layout: SourceLayout;
  readonly submission: Submission;
  readonly trial: Trial;
  readonly view: Pick<StoreApi<DraftView>, "getState" | "getInitialState" | "subscribe">;
  showRow(row: number): void;
  /** Keeps what was typed into a number field and is no number; null when it is one. */
  keepUnread(field: string, text: string | null): void;
  /** Makes the source the draft's own; what follows from it (name, line id) is one step of the history with it. */
  setSource(source: Source): void;
  /** Records the batch that came of the draft. */
  recordBatch(batchId: string): void;
  /** Shows the draft as another window has stored it, unless something here is not saved yet. Undo leads back. */
  follow(stored: Draft): void;
  /** Ends a conflict with another window by saving over what is stored. */
  overwriteStored(): Promise<void>;
  /** Ends a conflict with another window by showing what is stored. Undo leads back. */
  loadStored(): Promise<void>;
  /** Stops everything that still goes on for the draft. */
  close(): void;
}

/** Opens a draft as it is stored. */
export function createDraftSession(draft: Draft, { rpc, api }: Bridge, queryClient: QueryClient): DraftSession {
  const store = createDraftStore(draft);
  const view = createStore<DraftView>()(() => ({ row: 1, batchId: draft.batchId ?? null, unread: {} }));
  const autosave = createAutosave(rpc.drafts, draft, readFields, () => {
    void queryClient.invalidateQueries({ queryKey: api.drafts.list.key() });
  });
  const upload = createSourceUpload(rpc.sources, setSource);
  const layout = createSourceLayout(store, rpc, api, queryClient);
  const submission = createSubmission(rpc.build.submit);
  const trial = createTrial(rpc.build.trial);
  const stopSaving = store.content.subscribe(autosave.schedule);

  function readFields() {
    const content = store.content.getState();
    const { batchId } = view.getState();
    return {
      name: content.name,
      sourceId: content.sourceId,
      template: toRequestTemplate(content),
      rows: content.rows,
      ...(batchId === null ? {} : { batchId }),
    };
  }

  function load(stored: Draft): void {
    store.load(stored);
    view.setState({ batchId: stored.batchId ?? null });
    autosave.adopt(stored);
  }

  function setSource(source: Source): void {
    const content = store.content.getState();
    const keyOf = (id: string) => api.sources.get.queryKey({ input: { id } });
    const previous = content.sourceId === null ? undefined : queryClient.getQueryData(keyOf(content.sourceId));
    queryClient.setQueryData(keyOf(source.id), source);
    store.edit(applySource(content, source, previous));
    view.setState({ row: 1 });
  }

  return {
    id: draft.id,
    store,
    autosave,
    upload,
    layout,
    submission,
    trial,
    view,
    showRow: (row) => view.setState({ row }),
    keepUnread(field, text) {
      const { [field]: _, ...others } = view.getState().unread;
      view.setState({ unread: text === null ? others : { ...others, [field]: text } });
    },
    setSource,
    recordBatch(batchId) {
      view.setState({ batchId });
      autosave.schedule();
    },
    follow(stored) {
      if (autosave.state.getState().status === "saved" && stored.revision > autosave.revision()) load(stored);
    },
    async overwriteStored() {
      const stored = await rpc.drafts.get({ id: draft.id });
      view.setState(({ batchId }) => ({ batchId: batchId ?? stored.batchId ?? null }));
      await autosave.overwrite(stored);
    },
    loadStored: async () => load(await rpc.drafts.get({ id: draft.id })),
    close() {
      stopSaving();
      trial.stop();
      autosave.stop();
      layout.stop();
      upload.cancel();
    },
  };
}

const SessionContext = createContext<DraftSession | null>(null);

/** Gives the open draft to everything below it. */
export const SessionProvider = SessionContext.Provider;

/** The draft that is open. */
export function useSession(): DraftSession {
  const session = use(SessionContext);
  if (session === null) throw new Error("useSession() needs a <SessionProvider> above it.");
  return session;
}

/** A part of what the user edits, kept current. */
export function useContent<Part>(select: (content: DraftContent) => Part): Part {
  return useStore(useSession().store.content, select);
}

/** What is on screen, as the procedures of `build` take it; null as long as there is no source. */
export function useBuildInput(source: Source | null): BuildInput | null {
  const content = useContent(useShallow(({ name, sourceId, layout, ...content }): BuildContent => content));
  return useMemo(() => (source === null ? null : toBuildInput(source.id, content)), [source, content]);
}
