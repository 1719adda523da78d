import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useRpc } from "../../../bridge/index.ts";
import { useSession } from "../draft/session-context.ts";
import { showFailure } from "../draft/use-drafts.ts";

const messages = [
  {
    role: "system" as const,
    content: "Solve the problem step by step. End with a line that holds nothing but #### and the final number.",
  },
  { role: "user" as const, content: "{{ question }}" },
];

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
      store.replacePrompt(messages, {
        name: "200 math questions",
        sourceId: source.id,
        layout: null,
        temperature: 0.2,
        customId: "{{ id }}",
      });
    },
    onError: (error) => showFailure("The example could not be opened", error),
  });
}
