import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { CsvLayout, Source } from "#contract";
import { useApi, useRpc } from "../../../bridge/index.ts";
import { useContent, useSession } from "../draft/session-context.ts";
import { showFailure } from "../draft/use-drafts.ts";
import { createBuildQueries } from "../queries.ts";
import { followColumns } from "./source-defaults.ts";

/** The source of the draft that is open. */
export function useSourceData() {
  const sourceId = useContent((content) => content.sourceId);
  const source = useQuery(createBuildQueries(useApi()).source(sourceId));
  return { ...source, data: sourceId === null ? undefined : source.data };
}

/**
 * The layout of a table as the user sets it. It is part of the draft, so that it can be undone; here the main
 * process is asked to read the table in that way.
 */
export function useLayout(source: Source) {
  const { store } = useSession();
  const api = useApi();
  const rpc = useRpc();
  const queryClient = useQueryClient();
  const wanted = useContent((content) => content.layout);
  const { mutate, isPending } = useMutation({
    mutationFn: (csv: CsvLayout) => rpc.sources.setLayout({ id: source.id, csv }),
    onSuccess: (read) => {
      const { customId } = store.content.getState();
      store.fill({ customId: followColumns(customId, source.columns, read.columns) });
      queryClient.setQueryData(api.sources.get.queryKey({ input: { id: read.id } }), read);
      void queryClient.invalidateQueries({ queryKey: api.sources.rows.key() });
      void queryClient.invalidateQueries({ queryKey: api.build.key() });
    },
    onError: (error) => {
      store.fill({ layout: source.csv });
      showFailure("The table could not be read in this way", error);
    },
  });

  const isOutdated = wanted !== null && source.csv !== null && !isSameLayout(wanted, source.csv);
  useEffect(() => {
    if (isOutdated && !isPending) mutate(wanted);
  }, [isOutdated, isPending, wanted, mutate]);

  return {
    isReading: isOutdated || isPending,
    setLayout(layout: CsvLayout) {
      // The layout that was guessed becomes part of the draft first, so that undo leads back to it.
      if (wanted === null) store.fill({ layout: source.csv });
      store.edit({ layout });
    },
  };
}

function isSameLayout(a: CsvLayout, b: CsvLayout): boolean {
  return a.delimiter === b.delimiter && a.header === b.header;
}
