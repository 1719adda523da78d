import type { QueryClient } from "@tanstack/react-query";
import type { Draft } from "#contract";
import type { Bridge } from "../../../bridge/index.ts";
import { createDraftSession, type DraftSession } from "./draft-session.ts";

/** The drafts that were opened since the page was loaded. */
export interface DraftSessions {
  /** The session of a draft; a new one for a draft that is opened first. */
  open(draft: Draft): DraftSession;
  find(id: string): DraftSession | undefined;
  /** Ends a draft's session and forgets what is not kept. */
  close(id: string): void;
}

const sessionsOfBridge = new WeakMap<Bridge, DraftSessions>();

/** The one set of sessions that belongs to a bridge, for as long as the page is there. */
export function getDraftSessions(bridge: Bridge, queryClient: QueryClient): DraftSessions {
  const sessions = sessionsOfBridge.get(bridge) ?? createDraftSessions(bridge, queryClient);
  sessionsOfBridge.set(bridge, sessions);
  return sessions;
}

function createDraftSessions(bridge: Bridge, queryClient: QueryClient): DraftSessions {
  const sessions = new Map<string, DraftSession>();
  bridge.connection.subscribe((now, before) => {
    if (now.openings === before.openings) return;
    for (const { keeper } of sessions.values()) {
      if (keeper.state.getState().status === "failed") void keeper.flush();
    }
  });

  return {
    open(draft) {
      const known = sessions.get(draft.id);
      if (known !== undefined) return known;
      const session = createDraftSession(draft, bridge, queryClient);
      sessions.set(draft.id, session);
      return session;
    },
    find: (id) => sessions.get(id),
    close(id) {
      sessions.get(id)?.end();
      sessions.delete(id);
    },
  };
}
