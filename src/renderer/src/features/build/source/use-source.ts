import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Source } from "#contract";
import { useApi, useRpc } from "../../../bridge/index.ts";
import { showFailure } from "../../../components/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { examples } from "../draft/examples.ts";
import { createBuildQueries } from "../queries.ts";

/** The source of the draft that is open. */
export function useSourceData() {
  const sourceId = useContent((content) => content.sourceId);
  const source = useQuery(createBuildQueries(useApi()).source(sourceId));
  return { ...source, data: sourceId === null ? undefined : source.data };
}

/** Shows a source whose lines were changed, and has read again what is made of them. */
export function useStoreSource(): (source: Source) => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return (source) => {
    queryClient.setQueryData(createBuildQueries(api).source(source.id).queryKey, source);
    void queryClient.invalidateQueries({ queryKey: api.sources.rows.key() });
    void queryClient.invalidateQueries({ queryKey: api.build.key() });
  };
}

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
      const { messages, temperature, ...fields } = examples["gsm8k-200"];
      store.replacePrompt({ messages, temperature }, { ...fields, sourceId: source.id, layout: null });
    },
    onError: (error) => showFailure("The example could not be opened", error),
  });
}
