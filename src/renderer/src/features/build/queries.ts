import { skipToken } from "@tanstack/react-query";
import type { BuildInput, Source } from "#contract";
import type { Api } from "../../bridge/index.ts";

/** How many rows of a source are fetched at a time. */
export const rowsPerPage = 100;

/** Everything that Build reads, as options for TanStack Query. */
export function createBuildQueries(api: Api) {
  return {
    models: () => api.app.models.queryOptions({ staleTime: Number.POSITIVE_INFINITY }),
    info: () => api.app.info.queryOptions(),
    connections: () => api.connections.list.queryOptions(),
    connectionModels: (id: string) =>
      api.connections.models.queryOptions({ input: { id }, staleTime: 5 * 60_000, retry: false }),
    drafts: () => api.drafts.list.queryOptions({ staleTime: 0 }),
    source: (id: string | null) =>
      api.sources.get.queryOptions({ input: id === null ? skipToken : { id }, staleTime: Number.POSITIVE_INFINITY }),
    rows: (id: string, page: number) =>
      api.sources.rows.queryOptions({
        input: { id, offset: page * rowsPerPage, limit: rowsPerPage },
        staleTime: Number.POSITIVE_INFINITY,
      }),
    /** What the lines have at a path; other values when something is replaced or edited. */
    values: ({ id, replacements, editedLines }: Source, path: string) => {
      const input = path === "" ? skipToken : { id, path };
      const queryKey = [...api.sources.values.queryKey({ input }), replacements, editedLines];
      return api.sources.values.queryOptions({ input, queryKey, gcTime: 60_000, staleTime: 0 });
    },
    preview: (input: BuildInput | null, row: number) =>
      api.build.preview.queryOptions({ input: input === null ? skipToken : { ...input, row }, gcTime: 60_000 }),
    /** The source may be read in another layout, which changes its columns. */
    pictures: (input: Parameters<Api["build"]["pictures"]["call"]>[0] | null) =>
      api.build.pictures.queryOptions({ input: input ?? skipToken, gcTime: 60_000 }),
    cost: (job: Parameters<Api["build"]["cost"]["call"]>[0] | null) =>
      api.build.cost.queryOptions({ input: job ?? skipToken, gcTime: 60_000 }),
    /** `answered` names the answers that it may take: with other ones it is counted anew. */
    reusable: (input: readonly BuildInput[] | null, answered: string) => {
      const asked = input === null ? skipToken : [...input];
      const queryKey = [...api.build.countReusable.queryKey({ input: asked }), answered];
      return api.build.countReusable.queryOptions({ input: asked, queryKey, gcTime: 60_000, retry: false });
    },
    /** Gives way to the next check as soon as the input changes: its signal stops the work. One for each version. */
    check: (input: BuildInput, version: string) => {
      const queryKey = [...api.build.check.experimental_liveKey({ input }), version];
      return api.build.check.experimental_liveOptions({ input, queryKey, gcTime: 60_000 });
    },
  };
}
export type BuildQueries = ReturnType<typeof createBuildQueries>;
