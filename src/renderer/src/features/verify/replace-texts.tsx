import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Verification } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { showFailure, showOffer } from "../../components/index.ts";
import { areBlank, areSame, type Texts, toTexts } from "./texts.ts";
import { createVerifyQueries } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";
import { verifyRun } from "./verify-run.ts";

/**
 * Puts other texts into the fields, and another verification (or none) next to them. Texts that were in no verification
 * can be had back for ten seconds.
 */
export function replaceTexts(texts: Texts, from: Verification | null, to: Verification | null): void {
  const { texts: before, setTexts, show } = useVerifyDraft.getState();
  verifyRun.cancel();
  setTexts(texts);
  show(to?.id ?? null);
  const isStored = from !== null && areSame(before, toTexts(from));
  if (isStored || areBlank(before) || areSame(before, texts)) return;
  showOffer({
    title: "The texts were replaced",
    run: () => {
      setTexts(before);
      show(from?.id ?? null);
    },
  });
}

/** Opens a verification of the history: its texts come into the fields, its result next to them. */
export function useOpenVerification(): (id: string) => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(
    (id) => {
      const queries = createVerifyQueries(api);
      queryClient.fetchQuery(queries.verification(id)).then(
        (verification) => {
          const { shownId } = useVerifyDraft.getState();
          const shown = queryClient.getQueryData(queries.verification(shownId).queryKey) ?? null;
          replaceTexts(toTexts(verification), shown, verification);
        },
        (error: unknown) => showFailure("The verification could not be opened", error),
      );
    },
    [api, queryClient],
  );
}
