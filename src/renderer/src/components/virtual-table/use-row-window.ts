import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { notePlace, placeOf } from "../../state/table-places.ts";
import { createScrollScale, followScroll, offsetToShow, rowsInView, type ScrollPosition } from "./scroll-scale.ts";

/** Rows drawn beyond those in view, so that a fast wheel does not outrun the drawing. */
const spareRows = 8;

export interface RowWindowOptions {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of what is above the first row and stays in view. */
  readonly headHeight: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Which rows these are: the place in them is noted by it. */
  readonly rowsKey?: string | undefined;
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

/** On paper a table is as high as its rows: some 20 pages in CSS pixels, about 600 rows, are drawn. */
const mostDrawn = 20_000;

/**
 * Draws only the rows in view. All rows have one height, so the window is a division; and there may be more rows
 * than a browser can lay out, so the scroll bar is translated (scroll-scale.ts). A general virtualiser does the
 * first with more work and not the second.
 */
export function useRowWindow({ count, rowHeight, headHeight, scroller, rowsKey }: RowWindowOptions): RowWindow {
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
    const measure = () => setViewport(Math.min(mostDrawn, Math.max(0, element.clientHeight - headHeight)));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller, headHeight]);

  /** Where to go once there are as many rows; null once it was gone to, or the reader went elsewhere. */
  const wanted = useRef<{ readonly top: number; readonly left: number | null } | null>(null);
  const keyBefore = useRef<string | undefined>(undefined);
  // A change of size may have moved what exists: keep the offset within it.
  useLayoutEffect(() => {
    const before = keyBefore.current;
    keyBefore.current = rowsKey;
    if (rowsKey !== undefined && rowsKey !== before) {
      const place = before === undefined ? placeOf(rowsKey) : undefined;
      wanted.current = { top: place?.top ?? 0, left: place?.left ?? null };
    }
    const target = wanted.current;
    const element = scroller.current;
    if (target !== null && element !== null) {
      moveTo(target.top);
      if (target.left !== null) element.scrollLeft = target.left;
      const isThere = position.current.offset >= target.top - 1 && element.scrollLeft >= (target.left ?? 0) - 1;
      if (viewport > 0 && isThere) wanted.current = null;
    } else if (scale.scaled) moveTo(position.current.offset);
    update();
  }, [scale, viewport, moveTo, update, rowsKey, scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      if (element.scrollTop !== position.current.scrollTop) wanted.current = null;
      position.current = followScroll(scale, position.current, element.scrollTop, viewport);
      flushSync(update);
      placeRows(rowsInView(position.current.offset, viewport, rowHeight, count, spareRows).first);
      if (rowsKey !== undefined && wanted.current === null)
        notePlace(rowsKey, { top: position.current.offset, left: element.scrollLeft });
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
  }, [scroller, scale, viewport, rowHeight, count, update, moveTo, placeRows, rowsKey]);

  const show = useCallback(
    (index: number, where: "nearest" | "middle" = "nearest") => {
      const start = index * rowHeight;
      const { offset } = position.current;
      // Measured here: it may be asked for before the size of the table has come to the state.
      const viewport = Math.max(0, (scroller.current?.clientHeight ?? 0) - headHeight);
      const target =
        where === "middle"
          ? start - (viewport - rowHeight) / 2
          : offsetToShow({ start, end: start + rowHeight }, offset, viewport);
      if (target === offset) return;
      wanted.current = null;
      moveTo(target);
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
