import type { QueryClient } from "@tanstack/react-query";
import { createContext, use, useMemo } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { shallow } from "zustand/shallow";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { BuildInput, Draft, KeptTrial, Source } from "#contract";
import type { Bridge } from "../../../bridge/index.ts";
import { createSubmission, type Submission } from "../footer/submission.ts";
import { createTrial, isOutdated, type Trial } from "../preview/trial-store.ts";
import { applySource } from "../source/source-defaults.ts";
import { createSourceLayout, type SourceLayout } from "../source/source-layout.ts";
import { createSourceUpload, type SourceUpload } from "../source/source-upload.ts";
import { type Autosave, createAutosave } from "./autosave.ts";
import {
  type DraftContent,
  type PromptVersion,
  selectedVersion,
  toBuildInput,
  toRequestTemplate,
  toWholeTemplate,
} from "./draft-content.ts";
import { createDraftStore, type DraftStore } from "./draft-store.ts";

/** What belongs to a draft on screen and is not part of what can be undone. */
export interface DraftView {
  /** The row that is previewed, from 1. */
  readonly row: number;
  /** The batch that was last submitted from the draft. */
  readonly batchId: string | null;
  /** What was typed into number fields and is no number: it stays, and keeps the draft from being submitted. */
  readonly unread: readonly UnreadNumber[];
}

export interface UnreadNumber {
  /** The key of the version that it belongs to. */
  readonly version: string;
  readonly field: string;
  readonly text: string;
}

/**
 * A draft that is open: what is edited, its history, its upload, the saving and the submitting of it. It stays while
 * another page is on screen: all of this continues, and undo still works on the way back.
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
  /** Keeps what was typed into a number field of the version that is looked at, and is no number; null when it is one. */
  keepUnread(field: string, text: string | null): void;
  /** Makes the source the draft's own; what follows from it (name, line id) is one step of the history with it. */
  setSource(source: Source): void;
  /** Records the batch that was made from the draft. */
  recordBatch(batchId: string): void;
  /** Shows the draft as another window has stored it, unless something here is not saved yet. Undo leads back. */
  follow(stored: Draft): void;
  /** Shows what was tried before the page was loaded: each trial at the version of its name, else of its prompt. */
  restoreTrials(kept: readonly KeptTrial[]): void;
  /** Ends a conflict with another window by saving over what is stored. */
  overwriteStored(): Promise<void>;
  /** Ends a conflict with another window by showing what is stored. Undo leads back. */
  loadStored(): Promise<void>;
  /** Stops everything that still runs for the draft. */
  close(): void;
}

/** Opens a draft as it is stored. */
export function createDraftSession(draft: Draft, { rpc, api }: Bridge, queryClient: QueryClient): DraftSession {
  const store = createDraftStore(draft);
  const view = createStore<DraftView>()(() => ({ row: 1, batchId: draft.batchId ?? null, unread: [] }));
  const autosave = createAutosave(rpc.drafts, draft, readFields, () => {
    void queryClient.invalidateQueries({ queryKey: api.drafts.list.key() });
  });
  const upload = createSourceUpload(rpc.sources, setSource);
  const layout = createSourceLayout(store, rpc, api, queryClient);
  const submission = createSubmission(rpc.build.submit);
  const trial = createTrial(rpc.build.trial);
  const stopSaving = store.content.subscribe((now, before) => {
    // Which version is looked at is not stored.
    if (!shallow({ ...now, selected: null }, { ...before, selected: null })) autosave.schedule();
  });

  function readFields() {
    const content = store.content.getState();
    const { batchId } = view.getState();
    return {
      name: content.name,
      sourceId: content.sourceId,
      template: toWholeTemplate(content),
      rows: content.rows,
      pictureFolders: [...content.pictureFolders],
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
      const version = store.content.getState().selected;
      const others = view.getState().unread.filter((one) => one.version !== version || one.field !== field);
      view.setState({ unread: text === null ? others : [...others, { version, field, text }] });
    },
    setSource,
    recordBatch(batchId) {
      view.setState({ batchId });
      autosave.schedule();
    },
    follow(stored) {
      if (autosave.state.getState().status === "saved" && stored.revision > autosave.revision()) load(stored);
    },
    restoreTrials(kept) {
      const content = store.content.getState();
      trial.restore(
        kept.flatMap((one) => {
          const version =
            content.versions.find(({ name }) => name === one.input.version) ??
            content.versions.find((version) => !isOutdated(one, toRequestTemplate(content, version)));
          return version === undefined ? [] : [{ ...one, key: version.key }];
        }),
      );
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

/** A part of the version that is looked at, kept current. */
export function usePrompt<Part>(select: (version: PromptVersion) => Part): Part {
  return useContent((content) => select(selectedVersion(content)));
}

/** A version of the prompt, as the procedures of `build` take it. */
export interface VersionInput extends Pick<PromptVersion, "key" | "name"> {
  readonly input: BuildInput;
}

/** What is on screen, a version of the prompt each; one for a file of requests, none as long as there is no source. */
export function useBuildInputs(source: Source | null): readonly VersionInput[] {
  const content = useContent(
    useShallow(({ versions, connectionId, model, customId, rows, pictureFolders }) => ({
      versions,
      connectionId,
      model,
      customId,
      rows,
      pictureFolders,
    })),
  );
  return useMemo(() => {
    if (source === null) return [];
    const versions = source.holds === "rows" ? content.versions : content.versions.slice(0, 1);
    return versions.map((version) => ({
      key: version.key,
      name: version.name,
      input: toBuildInput(content, source.id, toRequestTemplate(content, version)),
    }));
  }, [source, content]);
}

/** The one of them that is looked at. */
export function useBuildInput(source: Source | null): BuildInput | null {
  const selected = useContent((content) => content.selected);
  return findSelected(useBuildInputs(source), selected)?.input ?? null;
}

/** The one that is looked at; the only one of a file of requests. */
export function findSelected<Version extends { readonly key: string }>(
  versions: readonly Version[],
  selected: string,
): Version | null {
  return versions.find(({ key }) => key === selected) ?? versions[0] ?? null;
}
