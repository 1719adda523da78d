import type { CSSProperties } from "react";
import type { PaneHandleProps } from "./pane-handle.tsx";
import { usePaneShares } from "./pane-shares-store.ts";
import { chooseLayout, fitShares, type PaneShares, type PanesLayout, usualShares } from "./pane-widths.ts";

interface Panes {
  readonly layout: PanesLayout;
  readonly style: CSSProperties;
  readonly sourceHandle: PaneHandleProps;
  /** Null where the preview has no edge of its own to drag. */
  readonly previewHandle: PaneHandleProps | null;
}

/** The layout of the panes in a place of this width, and the handles that change it. */
export function usePanes(width: number): Panes {
  const known = width === 0 ? 1200 : width;
  const layout = chooseLayout(known);
  const kept = usePaneShares((state) => state[layout]);
  const setShares = usePaneShares((state) => state.setShares);
  const shares = fitShares(kept, known);

  const handle = (pane: keyof PaneShares, label: string): PaneHandleProps => ({
    label,
    side: pane === "source" ? "right" : "left",
    width: Math.round(shares[pane] * known),
    onResize: (pixels) => setShares(layout, fitShares({ ...shares, [pane]: pixels / known }, known, pane)),
    onReset: () => setShares(layout, usualShares[layout]),
  });

  return {
    layout,
    style: {
      "--source-width": `${shares.source * 100}%`,
      "--preview-width": `${shares.preview * 100}%`,
    } as CSSProperties,
    sourceHandle: handle("source", "Width of the source"),
    previewHandle: layout === "wide" ? handle("preview", "Width of the preview") : null,
  };
}
