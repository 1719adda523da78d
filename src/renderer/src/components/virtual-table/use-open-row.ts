import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { notePlace, placeOf } from "../../state/table-places.ts";
import type { VirtualTableHandle } from "./virtual-table.tsx";

export interface OpenRowOptions {
  /** Which rows these are, as `VirtualTable` has it. */
  readonly rowsKey: string;
  /** The line that is open; null while none is. */
  readonly line: number | null;
  /** How many rows there are; null while that is not known. */
  readonly count: number | null;
  readonly lineAt: (index: number) => number | undefined;
  readonly indexOf: (line: number) => number | null;
  /** How the row of a line is asked for that was not fetched: null where it is not shown. */
  readonly queryRow: (line: number) => UseQueryOptions<number | null>;
  readonly onLine: (line: number) => void;
  readonly table: RefObject<VirtualTableHandle | null>;
}

export interface OpenRow {
  /** The row of the line that is open, or was open last; null where it is not shown. */
  readonly active: number | null;
  /** Opens the line of a row, as soon as that was fetched. */
  open(index: number): void;
  /** Opens the line so many rows further on. */
  step(by: number): void;
}

/** The line that is open beside a table: its row is active and in view, whether it was fetched or not. */
export function useOpenRow({
  rowsKey,
  line,
  count,
  lineAt,
  indexOf,
  queryRow,
  onLine,
  table,
}: OpenRowOptions): OpenRow {
  // The line that was open last stays the active one when the inspector is closed.
  const [lastLine, setLastLine] = useState(line ?? placeOf(rowsKey)?.line ?? null);
  if (line !== null && line !== lastLine) setLastLine(line);
  const fetched = lastLine === null ? null : indexOf(lastLine);
  const isAsked = lastLine !== null && fetched === null;
  const { data: asked, isPending } = useQuery({ ...queryRow(lastLine ?? 1), enabled: isAsked });
  const active = fetched ?? (isAsked ? (asked ?? null) : null);

  const [awaited, setAwaited] = useState<{ readonly of: string; readonly index: number } | null>(null);
  const awaitedLine = awaited?.of === rowsKey ? lineAt(awaited.index) : undefined;
  const latest = useRef(onLine);
  latest.current = onLine;
  useEffect(() => {
    if (awaitedLine === undefined) return;
    setAwaited(null);
    latest.current(awaitedLine);
  }, [awaitedLine]);
  const open = (index: number) => {
    const found = lineAt(index);
    setAwaited(found === undefined ? { of: rowsKey, index } : null);
    if (found !== undefined) onLine(found);
  };

  // A line that the address names from the start comes to the middle, unless who comes back finds it in view.
  const isKnown = count !== null && active !== null;
  const isShown = useRef(line === null);
  const isBack = useRef(placeOf(rowsKey) !== undefined);
  useEffect(() => {
    if (!isKnown || active === null || isShown.current) return;
    isShown.current = true;
    table.current?.show(active, isBack.current ? "nearest" : "middle");
  }, [isKnown, active, table]);
  useEffect(() => notePlace(rowsKey, { line: lastLine }), [rowsKey, lastLine]);

  return {
    active,
    open,
    step(by) {
      // Where the line is must be known first.
      if (count === null || (isAsked && isPending)) return;
      const next = (active ?? -1) + by;
      if (next < 0 || next >= count) return;
      table.current?.show(next);
      open(next);
    },
  };
}
