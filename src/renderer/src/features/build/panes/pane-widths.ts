/** The panes' layouts: three columns side by side, or source and preview behind tabs where that is too tight. */
export type PanesLayout = "wide" | "narrow";

/** How much of the width each outer pane has, as shares of the whole. */
export interface PaneShares {
  readonly source: number;
  readonly preview: number;
}

export const usualShares: Readonly<Record<PanesLayout, PaneShares>> = {
  wide: { source: 0.32, preview: 0.31 },
  narrow: { source: 0.46, preview: 0 },
};

/** From this width on, in CSS pixels, three columns fit beside each other. */
const wideFrom = 1000;
/** No pane is made narrower than this, in CSS pixels. */
const leastPane = 260;

export function chooseLayout(width: number): PanesLayout {
  return width >= wideFrom ? "wide" : "narrow";
}

/** Shares under which every pane keeps its least width. `changed` is the pane that gives way last. */
export function fitShares(shares: PaneShares, width: number, changed: keyof PaneShares = "source"): PaneShares {
  const least = Math.min(leastPane / width, 1 / 3);
  const isWide = shares.preview > 0;
  if (!isWide) return { source: clamp(shares.source, least, 1 - least), preview: 0 };
  const other = changed === "source" ? "preview" : "source";
  const kept = clamp(shares[changed], least, 1 - 2 * least);
  const rest = clamp(shares[other], least, 1 - least - kept);
  return changed === "source" ? { source: kept, preview: rest } : { source: rest, preview: kept };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most));
}
