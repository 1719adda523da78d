import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

/** Drawn, or every character as it was received. */
export type AnswerForm = "rendered" | "written";

interface AnswerFormState {
  readonly form: AnswerForm;
  choose(form: AnswerForm): void;
}

/** How answers are read, wherever they are: the last choice is remembered. */
export const useAnswerForm = create<AnswerFormState>()(
  persist((set) => ({ form: "rendered", choose: (form) => set({ form }) }), {
    name: "sheaf.answers",
    version: 1,
    storage: createJSONStorage(() => localStorage),
  }),
);
