import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keepInBrowser } from "../../state/keep-in-browser.ts";

/** The narrowest and widest that the inspector can be made, in CSS pixels. */
export const inspectorWidths = { least: 300, usual: 380, most: 720 } as const;

/** How the user has set the window up. Stored from one start to the next. */
export interface ShellState {
  /** Null until the user has chosen: the window's width decides. */
  readonly railCollapsed: boolean | null;
  readonly inspectorWidth: number;
  /** Path and search of the page that was open last, so that the app reopens there. */
  readonly lastPage: string | null;
  setRailCollapsed(collapsed: boolean): void;
  setInspectorWidth(width: number): void;
  setLastPage(href: string): void;
}

/** Keeps a width of the inspector within what can be read and what leaves room for the table. */
export function clampInspectorWidth(width: number): number {
  return Math.round(Math.min(inspectorWidths.most, Math.max(inspectorWidths.least, width)));
}

export const useShell = create<ShellState>()(
  persist(
    (set) => ({
      railCollapsed: null,
      inspectorWidth: inspectorWidths.usual,
      lastPage: null,
      setRailCollapsed: (railCollapsed) => set({ railCollapsed }),
      setInspectorWidth: (width) => set({ inspectorWidth: clampInspectorWidth(width) }),
      setLastPage: (lastPage) => set({ lastPage }),
    }),
    keepInBrowser("sheaf.shell", {
      railCollapsed: z.boolean().nullable(),
      inspectorWidth: z.number().transform(clampInspectorWidth),
      lastPage: z
        .string()
        .regex(/^\/(?!\/)/)
        .nullable(),
    }),
  ),
);
