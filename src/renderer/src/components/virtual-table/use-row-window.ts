import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { createScrollScale, followScroll, offsetToShow, rowsInView, type ScrollPosition } from "./scroll-scale.ts";

/** Rows drawn beyond those in view, so that a fast wheel does not outrun the drawing. */
const spareRows = 8;

export interface RowWindowOptions {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of what is above the first row and stays in view. */
  readonly headHeight: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

export interface RowWindow {
  /** Height of the element that the rows are in. */
  readonly height: number;
  /** First and last row to draw; `last` is below `first` when there are none. */
  readonly first: number;
  readonly last: number;
  /** Takes the element of that height. Its `--first-top` is where the first row to draw is, kept up to date. */
  readonly body: RefObject<HTMLTableSectionElement | null>;
  /** Brings a row into view: as little as needed, or into the middle. */
  show(index: number, where?: "nearest" | "middle"): void;
  /** How many whole rows fit into view, for Page Up and Page Down. */
  countVisible(): number;
}

/**
 * Draws only the rows in view. All rows have one height, so the window is a division; and there may be more rows
 * than a browser can lay out, so the scroll bar is translated (scroll-scale.ts). A general virtualiser does the
 * first with more work and not the second.
 */
export function useRowWindow({ count, rowHeight, headHeight, scroller }: RowWindowOptions): RowWindow {
  const body = useRef<HTMLTableSectionElement>(null);
  const position = useRef<ScrollPosition>({ scrollTop: 0, offset: 0 });
  const [viewport, setViewport] = useState(0);
  const [range, setRange] = useState({ first: 0, last: -1 });
  const scale = useMemo(() => createScrollScale(count * rowHeight, viewport), [count, rowHeight, viewport]);

  const first = Math.min(range.first, Math.max(0, count - 1));
  const last = Math.min(range.last, count - 1);

  const placeRows = useCallback(
    (firstDrawn: number) => {
      const { scrollTop, offset } = position.current;
      body.current?.style.setProperty("--first-top", `${firstDrawn * rowHeight + scrollTop - offset}px`);
    },
    [rowHeight],
  );
  useLayoutEffect(() => placeRows(first), [placeRows, first]);

  const update = useCallback(() => {
    const next = rowsInView(position.current.offset, viewport, rowHeight, count, spareRows);
    setRange((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, [viewport, rowHeight, count]);

  const moveTo = useCallback(
    (offset: number) => {
      const element = scroller.current;
      if (!element) return;
      const target = scale.clamp(offset);
      element.scrollTop = scale.toScrollTop(target);
      position.current = { scrollTop: element.scrollTop, offset: scale.scaled ? target : element.scrollTop };
    },
    [scroller, scale],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setViewport(Math.max(0, element.clientHeight - headHeight));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller, headHeight]);

  // A change of size may have moved what exists: keep the offset within it.
  useLayoutEffect(() => {
    if (scale.scaled) moveTo(position.current.offset);
    update();
  }, [scale, moveTo, update]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      position.current = followScroll(scale, position.current, element.scrollTop, viewport);
      flushSync(update);
      placeRows(rowsInView(position.current.offset, viewport, rowHeight, count, spareRows).first);
    };
    const onScrollEnd = () => {
      if (!scale.scaled) return;
      // After small moves the thumb is not quite where it belongs: put it there, with the rows staying where they are.
      moveTo(position.current.offset);
      placeRows(rowsInView(position.current.offset, viewport, rowHeight, count, spareRows).first);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("scrollend", onScrollEnd);
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("scrollend", onScrollEnd);
    };
  }, [scroller, scale, viewport, rowHeight, count, update, moveTo, placeRows]);

  const show = useCallback(
    (index: number, where: "nearest" | "middle" = "nearest") => {
      const start = index * rowHeight;
      const { offset } = position.current;
      // Measured here: it may be asked for before the size of the table has come to the state.
      const viewport = Math.max(0, (scroller.current?.clientHeight ?? 0) - headHeight);
      const wanted =
        where === "middle"
          ? start - (viewport - rowHeight) / 2
          : offsetToShow({ start, end: start + rowHeight }, offset, viewport);
      if (wanted === offset) return;
      moveTo(wanted);
      update();
    },
    [rowHeight, headHeight, scroller, moveTo, update],
  );

  return {
    height: scale.elementHeight,
    first,
    last,
    body,
    show,
    countVisible: () => Math.max(1, Math.floor(viewport / rowHeight)),
  };
}
