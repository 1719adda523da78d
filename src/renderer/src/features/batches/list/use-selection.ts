import { useCallback, useMemo, useRef, useState } from "react";
import type { BatchView } from "#contract";

export interface Selection {
  readonly chosen: readonly BatchView[];
  readonly has: (batch: BatchView) => boolean;
  /** Adds it, or takes it out; with `extend`, all from the last one on. */
  readonly toggle: (batch: BatchView, extend?: boolean) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
}

/** The batches that are chosen among those that are shown. */
export function useSelection(shown: readonly BatchView[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const chosen = useMemo(() => shown.filter(({ id }) => ids.has(id)), [shown, ids]);

  const toggle = useCallback(
    ({ id }: BatchView, extend = false) => {
      const from = extend ? shown.findIndex((one) => one.id === last.current) : -1;
      const to = shown.findIndex((one) => one.id === id);
      const range = from < 0 ? [] : shown.slice(Math.min(from, to), Math.max(from, to) + 1).map((one) => one.id);
      last.current = id;
      setIds((before) => {
        if (range.length > 0) return new Set([...before, ...range]);
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      });
    },
    [shown],
  );
  return {
    chosen,
    has: useCallback(({ id }: BatchView) => ids.has(id), [ids]),
    toggle,
    chooseAll: () => setIds(new Set(shown.map(({ id }) => id))),
    clear: useCallback(() => setIds(new Set()), []),
  };
}
