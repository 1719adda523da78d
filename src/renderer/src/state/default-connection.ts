import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

interface DefaultConnection {
  /** Null for this computer. */
  readonly connectionId: string | null;
  choose(connectionId: string | null): void;
}

/** Where new batches are answered, as chosen in the top bar. Stored from one start to the next. */
export const useDefaultConnection = create<DefaultConnection>()(
  persist((set) => ({ connectionId: null, choose: (connectionId) => set({ connectionId }) }), {
    name: "sheaf.connection",
    version: 1,
    storage: createJSONStorage(() => localStorage),
  }),
);

/** A model is connected so that it answers; a connection that was chosen before stays chosen. */
export function chooseFirstConnection(id: string): void {
  const { connectionId, choose } = useDefaultConnection.getState();
  if (connectionId === null) choose(id);
}

/** It turned out not to answer: new batches are for this computer again, unless another one was chosen. */
export function dropFirstConnection(id: string): void {
  const { connectionId, choose } = useDefaultConnection.getState();
  if (connectionId === id) choose(null);
}

/** What a new draft begins with. */
export function newDraftInput(): { connectionId: string | null } {
  return { connectionId: useDefaultConnection.getState().connectionId };
}

/** The connection of the draft in Build, and the choice of another. */
export interface DraftConnection {
  /** Null for this computer. */
  readonly connectionId: string | null;
  choose(connectionId: string | null): void;
}

interface ShownDraft {
  /** Null while no draft is on screen. */
  readonly draft: DraftConnection | null;
  show(draft: DraftConnection | null): void;
}

/** The draft on screen: while there is one, the top bar shows and changes its connection, and not the default. */
export const useShownDraft = create<ShownDraft>()((set) => ({ draft: null, show: (draft) => set({ draft }) }));
