import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keepInBrowser } from "./keep-in-browser.ts";

/** After this long without use, in milliseconds, another visit begins. */
const longestPause = 30 * 60_000;

/** What counts as news on a first visit, in milliseconds. */
const firstLook = 7 * 24 * 60 * 60_000;

/** When the app was used. Unix milliseconds. */
export interface Visits {
  /** The end of the visit before this one; on the first one, some days ago. */
  readonly since: number;
  readonly lastSeen: number;
}

/** The visits after the app was looked at `now`. */
export function noteVisit(visits: Visits | null, now: number): Visits {
  if (visits === null) return { since: now - firstLook, lastSeen: now };
  return { since: now - visits.lastSeen > longestPause ? visits.lastSeen : visits.since, lastSeen: now };
}

interface HomeState {
  readonly visits: Visits | null;
  /** What the user wants to be reminded of no more, by key. */
  readonly dismissed: readonly string[];
  see(now: number): void;
  /** Of earlier keys, those stay that are among `known`: what they are about is still there. */
  dismiss(keys: readonly string[], known: ReadonlySet<string>): void;
  restore(keys: readonly string[]): void;
}

/** What Home stores from one start to the next. */
export const useHome = create<HomeState>()(
  persist(
    (set) => ({
      visits: null,
      dismissed: [],
      see: (now) => set(({ visits }) => ({ visits: noteVisit(visits, now) })),
      dismiss: (keys, known) =>
        set(({ dismissed }) => ({ dismissed: [...dismissed.filter((key) => known.has(key)), ...keys] })),
      restore: (keys) => set(({ dismissed }) => ({ dismissed: dismissed.filter((key) => !keys.includes(key)) })),
    }),
    keepInBrowser("sheaf.home", {
      visits: z.object({ since: z.number(), lastSeen: z.number() }).nullable(),
      dismissed: z.array(z.string()),
    }),
  ),
);
