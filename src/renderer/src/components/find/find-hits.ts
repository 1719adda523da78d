import { findFolded } from "#contract";
import { type WindowedText, windowedTexts } from "./windowed-texts.ts";

/** A place of a searched text on screen. */
export interface Hit {
  /** The text in the document; null while the line that it is in is out of view. */
  readonly range: Range | null;
  /** Brings the line into view that it is in, where that is not in the document. */
  readonly show: () => void;
}

const nothingToShow = () => {};

/** Where the parts of `root` that are marked with `data-find` hold a text, in any case: in the order of the document. */
export function listHits(root: Element, find: string): Hit[] {
  const parts = [...root.querySelectorAll("[data-find]")].filter((part) => !part.parentElement?.closest("[data-find]"));
  return parts.flatMap((part) => listHitsOf(part, find));
}

function listHitsOf(part: Element, find: string): Hit[] {
  const long = part.querySelector("[data-long]");
  const windowed = long && windowedTexts.get(long);
  if (long && windowed) return listWindowedHits(long, windowed, find);
  return toRanges(part, find).map((range) => ({ range, show: nothingToShow }));
}

function listWindowedHits(element: Element, { lines, show }: WindowedText, find: string): Hit[] {
  const drawn = new Map(
    [...element.querySelectorAll("[data-index]")].map((line) => [line.getAttribute("data-index"), line]),
  );
  return countInLines(lines, find).flatMap(({ index, hits }) => {
    const line = drawn.get(String(index));
    const ranges = line === undefined ? [] : toRanges(line, find);
    return Array.from({ length: hits }, (_, at) => ({ range: ranges[at] ?? null, show: () => show(index) }));
  });
}

interface LineHits {
  readonly index: number;
  readonly hits: number;
}

/** The hits of long texts: each text is searched once, not at every scroll. */
const counted = new WeakMap<WindowedText["lines"], { readonly find: string; readonly inLines: readonly LineHits[] }>();

function countInLines(lines: WindowedText["lines"], find: string): readonly LineHits[] {
  const known = counted.get(lines);
  if (known?.find === find) return known.inLines;
  const inLines = lines.flatMap(({ text }, index) => {
    const { length } = findFolded(text, find);
    return length === 0 ? [] : [{ index, hits: length }];
  });
  counted.set(lines, { find, inLines });
  return inLines;
}

/** Stands between the texts of two blocks, so that no hit spans both. */
const apart = "\u0000";

function toRanges(element: Element, find: string): Range[] {
  const nodes: Text[] = [];
  const starts: number[] = [];
  let text = "";
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest("[data-unfound]")) continue;
    const own = findBlock(node, element);
    if (block !== null && own !== block) text += apart;
    block = own;
    nodes.push(node);
    starts.push(text.length);
    text += node.data;
  }
  let at = 0;
  const placeOf = (offset: number, isEnd: boolean) => {
    while (at > 0 && (starts[at] ?? 0) >= offset) at -= 1;
    while (at + 1 < nodes.length && (isEnd ? (starts[at + 1] ?? 0) < offset : (starts[at + 1] ?? 0) <= offset)) at += 1;
    return [nodes[at] as Text, offset - (starts[at] ?? 0)] as const;
  };
  return findFolded(text, find).map(({ from, to }) => {
    const range = document.createRange();
    range.setStart(...placeOf(from, false));
    range.setEnd(...placeOf(to, true));
    return range;
  });
}

function findBlock(node: Text, root: Element): Element {
  let element = node.parentElement ?? root;
  while (element !== root && getComputedStyle(element).display.startsWith("inline"))
    element = element.parentElement ?? root;
  return element;
}

/** Brings a part of a text into the middle of what it scrolls in; opens what it is folded in. */
export function scrollToRange(range: Range, root: Element): void {
  const { startContainer } = range;
  const inside = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  for (let folded = inside?.closest("details"); folded; folded = folded.parentElement?.closest("details")) {
    folded.open = true;
  }
  for (let element = inside; element !== null && element !== root.parentElement; element = element.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const hit = range.getBoundingClientRect();
    if (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight) {
      const isInView = hit.top >= box.top + 8 && hit.bottom <= box.bottom - 8;
      if (!isInView) element.scrollTop += hit.top - box.top - element.clientHeight / 3;
    }
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth) {
      const isInView = hit.left >= box.left && hit.right <= box.right;
      if (!isInView) element.scrollLeft += hit.left - box.left - element.clientWidth / 3;
    }
  }
}
