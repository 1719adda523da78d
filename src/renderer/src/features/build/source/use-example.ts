import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useRpc } from "../../../bridge/index.ts";
import { exampleContent } from "../draft/example.ts";
import { useSession } from "../draft/session-context.ts";
import { showFailure } from "../draft/use-drafts.ts";

/** Fills the draft with the shipped example: 200 math questions and a prompt that asks them. One step of undo. */
export function useExample() {
  const { store } = useSession();
  const api = useApi();
  const rpc = useRpc();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => rpc.sources.example({ name: "gsm8k-200" }),
    onSuccess: (source) => {
      queryClient.setQueryData(api.sources.get.queryKey({ input: { id: source.id } }), source);
      const { messages, ...fields } = exampleContent;
      store.replacePrompt(messages, { ...fields, sourceId: source.id, layout: null });
    },
    onError: (error) => showFailure("The example could not be opened", error),
  });
}
