import { useElementSize, useMergedRef, useSplitter } from "@mantine/hooks";
import type { KeyboardEvent, ReactNode } from "react";
import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keepInBrowser } from "../../../state/keep-in-browser.ts";
import classes from "./panes.module.css";

/** Three columns side by side, or source and preview behind tabs where that is too tight. */
type PanesLayout = "wide" | "narrow";

/** How much of the width each outer pane has, as shares of the whole. */
interface PaneShares {
  readonly source: number;
  readonly preview: number;
}

const usualShares: Readonly<Record<PanesLayout, PaneShares>> = {
  wide: { source: 0.27, preview: 0.33 },
  narrow: { source: 0.46, preview: 0 },
};

/** From this width on, in CSS pixels, three columns fit side by side. */
const wideFrom = 1000;
/** No pane is made narrower than this, in CSS pixels. */
const leastPane = 260;
const handles = ["Width of the source", "Width of the preview"];

const share = z.number().min(0).max(1);
const sharesSchema = z.object({ source: share, preview: share });

interface PaneSharesState extends Readonly<Record<PanesLayout, PaneShares>> {
  setShares(layout: PanesLayout, shares: PaneShares): void;
}

/** How wide the user has made the panes. Stored from one start to the next. */
const usePaneShares = create<PaneSharesState>()(
  persist(
    (set) => ({
      ...usualShares,
      setShares: (layout, shares) => set({ [layout]: shares }),
    }),
    keepInBrowser("sheaf.build.panes", { wide: sharesSchema, narrow: sharesSchema }),
  ),
);

interface PanesProps {
  readonly source: ReactNode;
  /** The pane in the middle. */
  readonly children: ReactNode;
  readonly preview: ReactNode;
  /** Shown on the left in place of source and preview where only two columns fit. */
  readonly narrow: ReactNode;
}

/** Panes side by side. Their edges are dragged, moved with the arrow keys, and put back by Enter or a double click. */
export function Panes({ source, children, preview, narrow }: PanesProps) {
  const size = useElementSize<HTMLDivElement>();
  const layout: PanesLayout = size.width === 0 || size.width >= wideFrom ? "wide" : "narrow";
  const shares = usePaneShares((state) => state[layout]);
  const setShares = usePaneShares((state) => state.setShares);
  const percents = toPercents(shares);
  const splitter = useSplitter({
    panels: toPercents(usualShares[layout]).map((defaultSize) => ({ defaultSize, min: `${leastPane}px` })),
    sizes: percents,
    onSizeChange: ([source, , preview = 0]) =>
      setShares(layout, { source: Number(source) / 100, preview: Number(preview) / 100 }),
    step: "16px",
    redistribute: "nearest",
    resetOnDoubleClick: false,
  });
  const reset = () => setShares(layout, usualShares[layout]);

  function handleProps(index: number) {
    const { onKeyDown, ...props } = splitter.getHandleProps({ index });
    const width = (percents.at(index === 0 ? 0 : -1) ?? 0) / 100;
    return {
      ...props,
      "aria-label": handles[index],
      "aria-valuenow": Math.round(width * size.width),
      "aria-valuemin": leastPane,
      "aria-valuemax": Math.max(leastPane, Math.round(size.width) - leastPane * (percents.length - 1)),
      onDoubleClick: reset,
      onKeyDown(event: KeyboardEvent<HTMLHRElement>) {
        if (event.key === "Enter") reset();
        else onKeyDown(event);
      },
    };
  }

  return (
    <div
      ref={useMergedRef(size.ref, splitter.ref)}
      className={classes.panes}
      data-layout={layout}
      style={{ gridTemplateColumns: percents.map(toTrack).join(" ") }}
    >
      {layout === "wide" ? source : narrow}
      <hr className={classes.handle} data-side="right" {...handleProps(0)} />
      {children}
      {layout === "wide" ? (
        <>
          <hr className={classes.handle} data-side="left" {...handleProps(1)} />
          {preview}
        </>
      ) : null}
    </div>
  );
}

function toPercents({ source, preview }: PaneShares): number[] {
  const shares = preview === 0 ? [source, 1 - source] : [source, 1 - source - preview, preview];
  return shares.map((share) => share * 100);
}

/** In a window that has become narrower, each pane keeps its least width. */
function toTrack(percent: number): string {
  return `minmax(min(${leastPane}px, 33%), ${percent}fr)`;
}
