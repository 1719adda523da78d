import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { type PaneShares, type PanesLayout, usualShares } from "./pane-widths.ts";

interface PaneSharesState extends Readonly<Record<PanesLayout, PaneShares>> {
  setShares(layout: PanesLayout, shares: PaneShares): void;
}

/** How wide the user has made the panes. Kept from one start to the next. */
export const usePaneShares = create<PaneSharesState>()(
  persist(
    (set) => ({
      ...usualShares,
      setShares: (layout, shares) => set({ [layout]: shares }),
    }),
    { name: "sheaf.build.panes", version: 1, storage: createJSONStorage(() => localStorage) },
  ),
);
