import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keepInBrowser } from "./keep-in-browser.ts";

interface EndNotices {
  /** Whether the user wants notifications of ended batches; the browser has to permit them, too. */
  readonly isOn: boolean;
  turn(isOn: boolean): void;
}

/** Whether this browser notifies of a batch that ends while its window is not in front. Stored from one start to the next. */
export const useEndNotices = create<EndNotices>()(
  persist(
    (set) => ({ isOn: false, turn: (isOn) => set({ isOn }) }),
    keepInBrowser("sheaf.end-notices", { isOn: z.boolean() }),
  ),
);
