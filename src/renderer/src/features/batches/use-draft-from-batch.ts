import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../bridge/index.ts";
import { showFailure } from "../../components/index.ts";

export interface DraftFromBatch {
  /** With what the batch was built from (`copy`), or with the lines of its input file. */
  readonly open: (batchId: string, as: "copy" | "lines") => void;
  readonly isPending: boolean;
}

/** Makes a draft of a batch and opens it in Build. */
export function useDraftFromBatch(onOpenDraft: (draftId: string) => void): DraftFromBatch {
  const api = useApi();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation(
    api.drafts.fromBatch.mutationOptions({
      onSuccess({ id }) {
        void queryClient.invalidateQueries({ queryKey: api.drafts.list.key() });
        onOpenDraft(id);
      },
      onError: (error) => showFailure("The batch could not be opened in Build", error),
    }),
  );
  return { open: (batchId, as) => mutate({ batchId, as }), isPending };
}
