import { useSearch } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import {
  baselineOf,
  CompareInspector,
  ComparePage,
  type CompareSearch,
  type CompareTableHandle,
  idsOf,
  nameSides,
  namesOf,
} from "../../features/compare/index.ts";
import { useBatches } from "../../queries/batch-queries.ts";
import { Page } from "../shell/page.tsx";
import { useOpen } from "./use-open.ts";
import { useSearchChange } from "./use-search-change.ts";

/** `/compare?ids=a,b`: batches side by side, and the inspector of their lines. */
export function CompareRoute() {
  const search = useSearch({ from: "/compare" });
  const { openBatch } = useOpen();
  const { batches } = useBatches();
  const table = useRef<CompareTableHandle>(null);
  const ids = idsOf(search);
  const { line } = search;

  const change = useSearchChange<CompareSearch>("/compare");
  const close = useCallback(() => {
    change({ line: undefined });
    table.current?.focus();
  }, [change]);
  return (
    <Page
      title="Compare"
      inspector={
        line === undefined || ids.length < 2
          ? null
          : {
              label: "The answers to a line",
              children: (
                <CompareInspector
                  ids={ids}
                  names={nameSides(namesOf(ids, batches)).names}
                  baseline={baselineOf(search, ids)}
                  line={line}
                  onStep={(by) => table.current?.step(by)}
                  onClose={close}
                />
              ),
            }
      }
    >
      <ComparePage batches={batches} search={search} onSearch={change} onOpenBatch={openBatch} table={table} />
    </Page>
  );
}
