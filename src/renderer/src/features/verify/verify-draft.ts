import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { type JudgeChoice, judgeChoiceSchema } from "#contract";
import { createLazyStorage } from "./lazy-storage.ts";
import { noTexts, type Texts, withPlainBreaks } from "./texts.ts";

const views = ["claims", "raw"] as const;
export type ResultView = (typeof views)[number];

const keptSchema = z.object({
  texts: z.object({ prompt: z.string(), document: z.string(), response: z.string() }).catch(noTexts),
  choice: judgeChoiceSchema.catch({ judge: "rules", model: null, preset: "general" }),
  shownId: z.string().nullable().catch(null),
  view: z.enum(views).catch("claims"),
});
type Kept = z.infer<typeof keptSchema>;

/** What is on screen in Verify. Kept as it is typed, so that leaving the place or a reload loses nothing. */
export interface VerifyDraft extends Readonly<Kept> {
  /** Whether the texts survive a reload: very long ones have no room. */
  readonly isKept: boolean;
  setTexts(change: Partial<Texts>): void;
  choose(choice: JudgeChoice): void;
  /** Shows a verification's result; null shows none. */
  show(id: string | null): void;
  setView(view: ResultView): void;
}

/** How long after the last key the texts are kept, in milliseconds. */
const keepDelay = 400;

const lazy = createLazyStorage<Kept>({
  storage: localStorage,
  delay: keepDelay,
  onKept: (isKept) => {
    if (isKept !== useVerifyDraft.getState().isKept) useVerifyDraft.setState({ isKept });
  },
});

export const useVerifyDraft = create<VerifyDraft>()(
  persist(
    (set) => ({
      ...keptSchema.parse({}),
      isKept: true,
      setTexts: (change) => set(({ texts }) => ({ texts: { ...texts, ...plain(change) } })),
      choose: (choice) => set({ choice }),
      show: (shownId) => set({ shownId }),
      setView: (view) => set({ view }),
    }),
    {
      name: "sheaf.verify",
      version: 1,
      storage: lazy.storage,
      partialize: ({ texts, choice, shownId, view }): Kept => ({ texts, choice, shownId, view }),
      merge: (kept, initial) => ({ ...initial, ...keptSchema.catch(keptSchema.parse({})).parse(kept) }),
    },
  ),
);

/** Keeps at once what was typed last. */
export const keepDraft = lazy.flush;

function plain(change: Partial<Texts>): Partial<Texts> {
  return Object.fromEntries(Object.entries(change).map(([name, text]) => [name, withPlainBreaks(text)]));
}
