import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { describeError, useApi } from "../../../bridge/index.ts";
import { areBlank, areSame, type Texts, toTexts } from "../draft/texts.ts";
import { useVerifyDraft } from "../draft/verify-draft.ts";
import { createVerifyQueries } from "../queries.ts";
import { verifyRun } from "../run/verify-run.ts";

/** How long texts that were replaced can be had back, in milliseconds. */
const undoTime = 10_000;

/** Puts other texts into the fields. Those that were in them and in no verification can be had back for ten seconds. */
export function replaceTexts(texts: Texts, shownId: string | null, isLost: boolean): void {
  const { texts: before, shownId: shownBefore, setTexts, show } = useVerifyDraft.getState();
  verifyRun.dismiss();
  setTexts(texts);
  show(shownId);
  if (!isLost || areBlank(before) || areSame(before, texts)) return;
  const shown = notifications.show({
    title: "The texts were replaced",
    autoClose: undoTime,
    message: (
      <Button
        size="xs"
        mt={6}
        onClick={() => {
          notifications.hide(shown);
          setTexts(before);
          show(shownBefore);
        }}
      >
        Undo
      </Button>
    ),
  });
}

/** Opens a verification of the history: its texts come into the fields, its result beside them. */
export function useOpenVerification(): (id: string) => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(
    (id) => {
      const queries = createVerifyQueries(api);
      const { texts, shownId } = useVerifyDraft.getState();
      const open = queryClient.getQueryData(queries.verification(shownId).queryKey);
      queryClient.fetchQuery(queries.verification(id)).then(
        (verification) => {
          const isLost = open === undefined || !areSame(texts, toTexts(open));
          replaceTexts(toTexts(verification), id, isLost);
        },
        (error: unknown) =>
          notifications.show({
            color: "red",
            title: "The verification could not be opened",
            message: describeError(error).message,
          }),
      );
    },
    [api, queryClient],
  );
}
