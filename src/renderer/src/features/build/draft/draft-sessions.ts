import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Bridge } from "../../../bridge/index.ts";
import { showFailure } from "../../../components/index.ts";
import { newDraftInput } from "../../../state/default-connection.ts";
import { draftRemovals } from "../../../state/removals.ts";
import { createBuildQueries } from "../queries.ts";
import { createDraftSession, type DraftSession } from "./draft-session.ts";

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
export function hasUpload(bridge: Bridge, id: string): boolean {
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
export async function findLatestDraft({ rpc, api }: Bridge, queryClient: QueryClient, except?: string) {
  const drafts = await queryClient.fetchQuery(createBuildQueries(api).drafts());
  const removed = draftRemovals.state.getState();
  return drafts.find(({ id }) => id !== except && !removed.has(id)) ?? rpc.drafts.create(newDraftInput());
}

function createDraftSessions(bridge: Bridge, queryClient: QueryClient): DraftSessions {
  const sessions = new Map<string, DraftSession>();
  const queries = createBuildQueries(bridge.api);
  bridge.connection.subscribe((now, before) => {
    if (now.openings === before.openings) return;
    for (const { autosave } of sessions.values()) {
      if (autosave.state.getState().status === "failed") void autosave.flush();
    }
  });

  /** A draft has no model where none was offered when it was made. At a connection it is the user's to choose. */
  async function fillModel({ store }: DraftSession): Promise<void> {
    if (store.content.getState().connectionId !== null) return;
    const [first] = await queryClient.ensureQueryData(queries.models());
    if (first !== undefined && store.content.getState().model === "") store.fill({ model: first.id });
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
      session.follow(draft);
      if (known === undefined) void restoreTrials(session, id);
      if (draft.template.model === "") fillModel(session).catch(() => {});
      return session;
    },
    close(id) {
      sessions.get(id)?.close();
      sessions.delete(id);
    },
  };
}
