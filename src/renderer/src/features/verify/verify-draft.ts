import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { type JudgeChoice, judgeChoiceSchema } from "#contract";
import { withPlainBreaks } from "../../components/index.ts";
import { createLazyStorage } from "../../state/lazy-storage.ts";
import { noTexts, type Texts } from "./texts.ts";

const views = ["claims", "raw"] as const;
export type ResultView = (typeof views)[number];

const storedSchema = z.object({
  texts: z.object({ prompt: z.string(), document: z.string(), response: z.string() }).catch(noTexts),
  choice: judgeChoiceSchema.catch({ judge: "rules", model: null, preset: "general" }),
  strict: z.boolean().catch(false),
  form: z.boolean().catch(true),
  /** The connection that is asked besides; null for none. */
  alsoAsk: z.string().nullable().catch(null),
  shownId: z.string().nullable().catch(null),
  view: z.enum(views).catch("claims"),
});
type StoredDraft = z.infer<typeof storedSchema>;

/** What is on screen in Verify. Stored as it is typed, so that leaving the page or a reload loses nothing. */
export interface VerifyDraft extends Readonly<StoredDraft> {
  /** Whether the texts survive a reload: very long ones have no room. */
  readonly isStored: boolean;
  setTexts(change: Partial<Texts>): void;
  choose(choice: JudgeChoice): void;
  setStrict(strict: boolean): void;
  setForm(form: boolean): void;
  setAlsoAsk(connectionId: string | null): void;
  /** Shows a verification's result; null shows none. */
  show(id: string | null): void;
  setView(view: ResultView): void;
}

/** How long after the last key the texts are stored, in milliseconds. */
const storeDelay = 400;

const lazy = createLazyStorage<StoredDraft>({
  storage: localStorage,
  delay: storeDelay,
  onStored: (isStored) => {
    if (isStored !== useVerifyDraft.getState().isStored) useVerifyDraft.setState({ isStored });
  },
});

export const useVerifyDraft = create<VerifyDraft>()(
  persist(
    (set) => ({
      ...storedSchema.parse({}),
      isStored: true,
      setTexts: (change) => set(({ texts }) => ({ texts: { ...texts, ...plain(change) } })),
      choose: (choice) => set({ choice }),
      setStrict: (strict) => set({ strict }),
      setForm: (form) => set({ form }),
      setAlsoAsk: (alsoAsk) => set({ alsoAsk }),
      show: (shownId) => set({ shownId }),
      setView: (view) => set({ view }),
    }),
    {
      name: "sheaf.verify",
      version: 1,
      storage: lazy.storage,
      partialize: ({ texts, choice, strict, form, alsoAsk, shownId, view }): StoredDraft => ({
        texts,
        choice,
        strict,
        form,
        alsoAsk,
        shownId,
        view,
      }),
      merge: (stored, initial) => ({ ...initial, ...storedSchema.catch(storedSchema.parse({})).parse(stored) }),
    },
  ),
);

function plain(change: Partial<Texts>): Partial<Texts> {
  return Object.fromEntries(Object.entries(change).map(([name, text]) => [name, withPlainBreaks(text)]));
}
