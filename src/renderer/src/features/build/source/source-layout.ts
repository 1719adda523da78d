import type { QueryClient } from "@tanstack/react-query";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { CsvLayout, Source } from "#contract";
import type { Api, Rpc } from "../../../bridge/index.ts";
import type { DraftStore } from "../draft/draft-store.ts";
import { createBuildQueries } from "../queries.ts";
import { showFailure } from "../show-failure.ts";
import { followColumns } from "./source-defaults.ts";

/**
 * The layout of a table as the user sets it. It is part of the draft, so that it can be undone; the main process reads the
 * table anew whenever the draft asks for another layout than it was read in.
 */
export interface SourceLayout {
  /** True while the table is read anew. */
  readonly isReading: Pick<StoreApi<boolean>, "getState" | "getInitialState" | "subscribe">;
  set(source: Source, layout: CsvLayout): void;
  stop(): void;
}

export function createSourceLayout(store: DraftStore, rpc: Rpc, api: Api, queryClient: QueryClient): SourceLayout {
  const isReading = createStore<boolean>()(() => false);
  const queries = createBuildQueries(api);

  async function read(source: Source, csv: CsvLayout): Promise<void> {
    try {
      const read = await rpc.sources.setLayout({ id: source.id, csv });
      const { customId } = store.content.getState();
      queryClient.setQueryData(queries.source(read.id).queryKey, read);
      store.fill({ customId: followColumns(customId, source.columns, read.columns) });
      void queryClient.invalidateQueries({ queryKey: api.sources.rows.key() });
      void queryClient.invalidateQueries({ queryKey: api.build.key() });
    } catch (error) {
      store.fill({ layout: source.csv });
      showFailure("The table could not be read in this way", error);
    }
  }

  /** Reads until the draft asks for nothing else: it may change while the table is read. */
  async function follow(): Promise<void> {
    if (isReading.getState()) return;
    isReading.setState(true, true);
    try {
      for (;;) {
        const { sourceId } = store.content.getState();
        if (sourceId === null) return;
        const source = await queryClient.ensureQueryData(queries.source(sourceId));
        const wanted = store.content.getState();
        if (wanted.sourceId !== sourceId) continue;
        if (wanted.layout === null || source.csv === null || isSameLayout(wanted.layout, source.csv)) return;
        await read(source, wanted.layout);
      }
    } catch {
      // The source itself can't be read: the pane that shows it says so.
    } finally {
      isReading.setState(false, true);
    }
  }

  const stop = store.content.subscribe((now, before) => {
    if (now.layout !== null && (now.layout !== before.layout || now.sourceId !== before.sourceId)) void follow();
  });

  return {
    isReading,
    set(source, layout) {
      // The layout that was guessed becomes part of the draft first, so that undo leads back to it.
      if (store.content.getState().layout === null) store.fill({ layout: source.csv });
      store.edit({ layout });
    },
    stop,
  };
}

function isSameLayout(a: CsvLayout, b: CsvLayout): boolean {
  return a.delimiter === b.delimiter && a.header === b.header;
}
