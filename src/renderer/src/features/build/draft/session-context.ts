import { createContext, use } from "react";
import { useStore } from "zustand";
import type { DraftContent } from "./draft-content.ts";
import type { DraftSession } from "./draft-session.ts";

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
