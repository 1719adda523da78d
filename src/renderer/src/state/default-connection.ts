import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keepInBrowser } from "./keep-in-browser.ts";

interface DefaultConnection {
  /** Null for this computer. */
  readonly connectionId: string | null;
  /** The model that was used last at each connection. */
  readonly models: Readonly<Record<string, string>>;
  choose(connectionId: string | null): void;
  /** A draft was submitted there. */
  noteUse(connectionId: string | null, model: string): void;
}

/** Where new batches are answered: at the connection that was added, chosen or used last. Stored from one start to the next. */
export const useDefaultConnection = create<DefaultConnection>()(
  persist(
    (set) => ({
      connectionId: null,
      models: {},
      choose: (connectionId) => set({ connectionId }),
      noteUse: (connectionId, model) =>
        set(({ models }) => ({
          connectionId,
          // A file of requests names its models itself.
          models: connectionId === null || model === "" ? models : { ...models, [connectionId]: model },
        })),
    }),
    keepInBrowser("sheaf.connection", {
      connectionId: z.string().nullable(),
      models: z.record(z.string(), z.string()),
    }),
  ),
);

/** What a new draft begins with. */
export function newDraftInput(): { connectionId: string | null } {
  return { connectionId: useDefaultConnection.getState().connectionId };
}

/** The model of a new draft at a connection that offers these: the last one used there, or the only one; "" where the user is to choose. */
export function chooseModel(connectionId: string, offered: readonly string[]): string {
  const last = useDefaultConnection.getState().models[connectionId] ?? "";
  const isOffered = last !== "" && (offered.length === 0 || offered.includes(last));
  if (isOffered) return last;
  return offered.length === 1 ? (offered[0] ?? "") : "";
}
