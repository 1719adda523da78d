import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keepInBrowser } from "./keep-in-browser.ts";

const formSchema = z.enum(["rendered", "written"]);
/** Drawn, or every character as it was received. */
export type AnswerForm = z.infer<typeof formSchema>;

interface AnswerFormState {
  readonly form: AnswerForm;
  choose(form: AnswerForm): void;
}

/** How answers are read, wherever they are: the last choice is remembered. */
export const useAnswerForm = create<AnswerFormState>()(
  persist(
    (set) => ({ form: "rendered", choose: (form) => set({ form }) }),
    keepInBrowser("sheaf.answers", { form: formSchema }),
  ),
);
