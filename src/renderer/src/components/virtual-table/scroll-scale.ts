/**
 * Browsers stop drawing elements above some 16 to 33 million pixels, and lose precision well before. A table that
 * is higher than this is drawn in an element of this height, and the scroll bar is scaled to the whole.
 */
export const tallestElement = 8_000_000;

/** How positions of the scroll bar and offsets in the content belong together. All in CSS pixels. */
export interface ScrollScale {
  /** Height of the element that scrolls: that of the content, or less. */
  readonly elementHeight: number;
  readonly scaled: boolean;
  /** Where in the content a position of the scroll bar leads. */
  toOffset(scrollTop: number): number;
  /** The position of the scroll bar for an offset in the content. */
  toScrollTop(offset: number): number;
  /** An offset that exists. */
  clamp(offset: number): number;
}

export function createScrollScale(contentHeight: number, viewport: number, tallest = tallestElement): ScrollScale {
  const elementHeight = Math.min(contentHeight, tallest);
  const lastOffset = Math.max(0, contentHeight - viewport);
  const lastScrollTop = Math.max(0, elementHeight - viewport);
  const ratio = lastScrollTop === 0 ? 1 : lastOffset / lastScrollTop;
  const clamp = (offset: number) => Math.min(lastOffset, Math.max(0, offset));
  return {
    elementHeight,
    scaled: elementHeight < contentHeight,
    toOffset: (scrollTop) => clamp(scrollTop * ratio),
    toScrollTop: (offset) => clamp(offset) / ratio,
    clamp,
  };
}

/** Where the scroll bar is, and what it shows there. */
export interface ScrollPosition {
  readonly scrollTop: number;
  readonly offset: number;
}

/**
 * The offset after the scroll bar has moved. Small moves (the wheel, a finger, a key) move the content by just as
 * much, so that scrolling feels as it does everywhere; a large one is a drag of the thumb, and goes to where the
 * thumb is in the whole.
 */
export function followScroll(
  scale: ScrollScale,
  before: ScrollPosition,
  scrollTop: number,
  viewport: number,
): ScrollPosition {
  if (!scale.scaled) return { scrollTop, offset: scrollTop };
  const move = scrollTop - before.scrollTop;
  const offset = Math.abs(move) <= 2 * viewport ? scale.clamp(before.offset + move) : scale.toOffset(scrollTop);
  return { scrollTop, offset };
}

/** The offset that brings a row into view with the least movement; the present one if it is in view already. */
export function offsetToShow(row: { start: number; end: number }, offset: number, viewport: number): number {
  if (row.start < offset) return row.start;
  if (row.end > offset + viewport) return row.end - viewport;
  return offset;
}

/** The rows to draw for an offset: those in view and `spare` more on either side. `last` is below `first` for none. */
export function rowsInView(
  offset: number,
  viewport: number,
  rowHeight: number,
  count: number,
  spare: number,
): { first: number; last: number } {
  const first = Math.max(0, Math.floor(offset / rowHeight) - spare);
  const last = Math.min(count - 1, Math.floor((offset + viewport) / rowHeight) + spare);
  return { first, last };
}
