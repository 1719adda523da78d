import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Draft } from "#contract";
import type { Bridge } from "../../../bridge/index.ts";
import { showFailure } from "../../../components/index.ts";
import { chooseModel, newDraftInput } from "../../../state/default-connection.ts";
import { draftRemovals } from "../../../state/removals.ts";
import { createBuildQueries } from "../queries.ts";
import { createDraftSession, type DraftSession } from "./draft-session.ts";
import { guardUnsaved } from "./unsaved-drafts.ts";

/** The drafts that were opened since the page was loaded. */
export interface DraftSessions {
  find(id: string): DraftSession | undefined;
  /** The session of a draft, up to date with what is stored; a new one for a draft that is opened first. */
  load(id: string): Promise<DraftSession>;
  /** Ends a draft's session and drops what is not saved. */
  close(id: string): void;
}

const sessionsOfBridge = new WeakMap<Bridge, DraftSessions>();

/** The one set of sessions that belongs to a bridge, for as long as the page is there. */
export function getDraftSessions(bridge: Bridge, queryClient: QueryClient): DraftSessions {
  const sessions = sessionsOfBridge.get(bridge) ?? createDraftSessions(bridge, queryClient);
  sessionsOfBridge.set(bridge, sessions);
  return sessions;
}

/** Whether a draft that is open shows an upload: one on its way, or one that failed. */
function hasUpload(bridge: Bridge, id: string): boolean {
  const session = sessionsOfBridge.get(bridge)?.find(id);
  return session !== undefined && session.upload.state.getState().status !== "idle";
}

/** The session of a draft. It follows what another window has stored as soon as one comes back to this window. */
export function createSessionQuery(bridge: Bridge, queryClient: QueryClient, id: string) {
  return queryOptions({
    queryKey: ["build", "session", id],
    queryFn: () => getDraftSessions(bridge, queryClient).load(id),
    initialData: () => sessionsOfBridge.get(bridge)?.find(id),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: true,
    structuralSharing: false,
  });
}

/** The draft to open where the address names none: the latest changed of those that are not removed, or a new one. */
export async function findLatestDraft(bridge: Bridge, queryClient: QueryClient, except?: string) {
  const drafts = await queryClient.fetchQuery(createBuildQueries(bridge.api).drafts());
  const removed = draftRemovals.state.getState();
  const latest = drafts.find(({ id }) => id !== except && !removed.has(id));
  return latest !== undefined && !isUntouched(latest, bridge) ? latest : openEmptyDraft(bridge, latest);
}

/** An empty draft: the latest one, if nothing has been done with it yet, else a new one. It is answered as new ones are. */
export async function openEmptyDraft(bridge: Bridge, latest: Draft | undefined): Promise<Draft> {
  const { drafts } = bridge.rpc;
  const { connectionId } = newDraftInput();
  if (latest === undefined || !isUntouched(latest, bridge)) return drafts.create({ connectionId });
  if (latest.template.connectionId === connectionId) return latest;
  const { updatedAt: _, ...draft } = latest;
  return drafts.save({ ...draft, template: { ...draft.template, connectionId, model: "" } });
}

function isUntouched({ id, sourceId, batchId, name, template }: Draft, bridge: Bridge): boolean {
  const isBlank = template.messages.every(({ content }) => content.trim() === "");
  return sourceId === null && batchId === undefined && name.trim() === "" && isBlank && !hasUpload(bridge, id);
}

function createDraftSessions(bridge: Bridge, queryClient: QueryClient): DraftSessions {
  const sessions = new Map<string, DraftSession>();
  const queries = createBuildQueries(bridge.api);
  const guard = guardUnsaved(
    window,
    () => sessions.values(),
    (drafts) => {
      // An app that is not told asks without the names.
      if (location.protocol === "sheaf:") bridge.rpc.desktop.setUnsaved([...drafts]).catch(() => {});
    },
  );
  bridge.connection.subscribe((now, before) => {
    if (now.openings === before.openings) return;
    for (const { autosave } of sessions.values()) {
      if (autosave.state.getState().status === "failed") void autosave.flush();
    }
  });

  /** A new draft has no model yet. At a connection that offers several, the first time, it is the user's to choose. */
  async function fillModel({ store }: DraftSession): Promise<void> {
    const { connectionId } = store.content.getState();
    const model =
      connectionId === null
        ? (await queryClient.ensureQueryData(queries.models()))[0]?.id
        : chooseModel(connectionId, await queryClient.ensureQueryData(queries.connectionModels(connectionId)));
    const now = store.content.getState();
    if (model && now.connectionId === connectionId && now.model === "") store.fill({ model });
  }

  /** Nothing waits for them: without them the draft is as it was. */
  async function restoreTrials(session: DraftSession, draftId: string): Promise<void> {
    try {
      session.restoreTrials(await bridge.rpc.build.trials({ draftId }));
    } catch (error) {
      showFailure("The trials of this draft could not be read", error);
    }
  }

  return {
    find: (id) => sessions.get(id),
    async load(id) {
      // Opening a draft that is about to be removed cancels the removal.
      draftRemovals.cancel(id);
      const draft = await bridge.rpc.drafts.get({ id });
      const known = sessions.get(id);
      const session = known ?? createDraftSession(draft, bridge, queryClient);
      sessions.set(id, session);
      if (known === undefined) guard.follow(session);
      session.follow(draft);
      if (known === undefined) void restoreTrials(session, id);
      if (draft.template.model === "") fillModel(session).catch(() => {});
      return session;
    },
    close(id) {
      sessions.get(id)?.close();
      sessions.delete(id);
      guard.update();
    },
  };
}
