import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useLayoutEffect, useMemo, useRef, useState } from "react";
import { windowedTexts } from "../find/windowed-texts.ts";
import { highlightJson } from "./highlight-json.ts";
import classes from "./json-view.module.css";
import { readJson } from "./read-json.ts";

/** Texts with more lines than this are drawn only as far as they are in view. */
const longText = 500;
/** In lines with more characters than this nothing is coloured or marked. */
const longLine = 50_000;
const lineHeight = 20;

export interface JsonViewProps {
  /** JSON text; it is indented here. What is not JSON is shown as it is. */
  readonly text: string;
  /** For screen readers: "Request". */
  readonly label: string;
  /** Shows every character as received, without indenting. */
  readonly isWritten?: boolean;
}

/** JSON with colours, to be read and selected. Keys that their object has twice are marked. */
export function JsonView({ text, label, isWritten = false }: JsonViewProps) {
  const lines = useMemo(() => splitLines(readJson(text, !isWritten)), [text, isWritten]);
  return (
    <section className={classes.root} aria-label={label} data-find>
      {lines.length > longText ? <LongText lines={lines} /> : <WholeText lines={lines} />}
    </section>
  );
}

interface Line {
  /** Where it begins in the text: names it among the others. */
  readonly start: number;
  readonly text: string;
  /** Where in the line keys begin that are there twice. */
  readonly repeated: readonly number[];
}

function WholeText({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <pre className={classes.text}>
      {lines.map((line) => (
        <span key={line.start} className={classes.line} style={hang(line.text)}>
          <Tokens line={line} />
        </span>
      ))}
    </pre>
  );
}

function LongText({ lines }: { readonly lines: readonly Line[] }) {
  const root = useRef<HTMLPreElement>(null);
  const [place, setPlace] = useState<{ readonly scroller: HTMLElement; readonly top: number } | null>(null);
  useLayoutEffect(() => {
    const element = root.current;
    const scroller = element && findScroller(element);
    if (element === null || scroller === null) return;
    const top = Math.round(
      element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
    );
    setPlace((before) => (before?.scroller === scroller && before.top === top ? before : { scroller, top }));
  });
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place?.scroller ?? null,
    estimateSize: () => lineHeight,
    getItemKey: (index) => lines[index]?.start ?? index,
    scrollMargin: place?.top ?? 0,
    overscan: 30,
  });
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    windowedTexts.set(element, { lines, show: (index) => virtualizer.scrollToIndex(index, { align: "center" }) });
  }, [lines, virtualizer]);
  return (
    <pre ref={root} className={classes.text} style={{ height: virtualizer.getTotalSize() }} data-long>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const line = lines[index];
        return line === undefined ? null : (
          <span
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={classes.line}
            style={{ ...hang(line.text), transform: `translateY(${start - (place?.top ?? 0)}px)` }}
          >
            <Tokens line={line} />
          </span>
        );
      })}
    </pre>
  );
}

/** What the view scrolls in. */
function findScroller(element: HTMLElement): HTMLElement | null {
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return document.documentElement;
}

/** What does not fit continues a little further in than its line began. */
function hang(line: string): CSSProperties {
  const columns = line.length - line.trimStart().length + 2;
  // However deep it is nested, half of the width is left for it.
  const indent = `min(${columns}ch, 50%)`;
  return { paddingLeft: indent, textIndent: `calc(-1 * ${indent})` };
}

function Tokens({ line: { text, repeated } }: { readonly line: Line }) {
  if (text.length > longLine) return text;
  let at = 0;
  return highlightJson(text).map((token) => {
    const start = at;
    at += token.text.length;
    if (start === 0 && token.kind === "plain" && /^ +$/.test(token.text)) {
      return (
        <span key={at} className={classes.indent}>
          {token.text}
        </span>
      );
    }
    const isTwice = repeated.includes(start);
    return (
      <span
        key={at}
        className={classes[token.kind]}
        {...(isTwice && { "data-twice": true, title: "This key is there twice" })}
      >
        {token.text}
      </span>
    );
  });
}

function splitLines({ text, repeated }: ReturnType<typeof readJson>): Line[] {
  const places = [...repeated].sort((one, other) => one - other);
  let start = 0;
  let next = 0;
  return text.split("\n").map((line) => {
    const at = start;
    start += line.length + 1;
    const own: number[] = [];
    for (let place = places[next]; place !== undefined && place < start; place = places[next]) {
      own.push(place - at);
      next += 1;
    }
    return { start: at, text: line, repeated: own };
  });
}
