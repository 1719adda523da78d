import type { QueryClient } from "@tanstack/react-query";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { SourceLayout as Layout, Source } from "#contract";
import type { Api, Rpc } from "../../../bridge/index.ts";
import { showFailure } from "../../../components/index.ts";
import type { DraftStore } from "../draft/draft-store.ts";
import { createBuildQueries } from "../queries.ts";
import { followColumns } from "./source-defaults.ts";

/**
 * How a file is read, as the user sets it. It is part of the draft, so that it can be undone; the main process reads the
 * table again whenever the draft asks for another layout than it was read in.
 */
export interface SourceLayout {
  /** True while the table is read again. */
  readonly isReading: Pick<StoreApi<boolean>, "getState" | "getInitialState" | "subscribe">;
  set(source: Source, layout: Partial<Layout>): void;
  stop(): void;
}

export function createSourceLayout(store: DraftStore, rpc: Rpc, api: Api, queryClient: QueryClient): SourceLayout {
  const isReading = createStore<boolean>()(() => false);
  const queries = createBuildQueries(api);

  async function read(source: Source, layout: Layout): Promise<void> {
    try {
      const read = await rpc.sources.setLayout({ id: source.id, ...layout });
      const { customId } = store.content.getState();
      queryClient.setQueryData(queries.source(read.id).queryKey, read);
      store.fill({ customId: followColumns(customId, source.columns, read.columns) });
      // What was left open is what was guessed.
      if (store.content.getState().layout === layout) store.fill({ layout: layoutOf(read) });
      void queryClient.invalidateQueries({ queryKey: api.sources.rows.key() });
      void queryClient.invalidateQueries({ queryKey: api.build.key() });
    } catch (error) {
      store.fill({ layout: layoutOf(source) });
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
        if (wanted.layout === null || isSameLayout(wanted.layout, source)) return;
        await read(source, wanted.layout);
      }
    } catch {
      // The source itself can't be read, which the source pane reports.
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
      if (store.content.getState().layout === null) store.fill({ layout: layoutOf(source) });
      store.edit({ layout: { ...layoutOf(source), ...layout } });
    },
    stop,
  };
}

function layoutOf({ csv, encoding, sheet, valuesAsShown, visibleRowsOnly }: Source): Layout {
  return { csv, encoding, sheet, valuesAsShown, visibleRowsOnly };
}

/** Whether a source is read as it is wanted; what is not chosen may be anything. */
function isSameLayout({ csv, ...wanted }: Layout, source: Source): boolean {
  return (
    (csv === null ? source.csv === null : source.csv !== null && hasAll(source.csv, csv)) && hasAll(source, wanted)
  );
}

function hasAll(all: object, wanted: object): boolean {
  const found = new Map(Object.entries(all));
  return Object.entries(wanted).every(([name, value]) => value === undefined || found.get(name) === value);
}
