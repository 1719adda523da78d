import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type RefObject, useMemo } from "react";
import { indentJson } from "./indent-json.ts";
import classes from "./json-view.module.css";

/** Texts with more lines than this are drawn only as far as they are in view. */
const longText = 500;
const lineHeight = 20;

export interface JsonViewProps {
  /** JSON text; it is indented here. What is not JSON is shown as it is. */
  readonly text: string;
  /** For screen readers: "Request". */
  readonly label: string;
  /** What the view scrolls in: a long text is then drawn only as far as it is in view. */
  readonly scroller?: RefObject<HTMLElement | null>;
}

/** JSON with indentation and colours, to be read and selected. */
export function JsonView({ text, label, scroller }: JsonViewProps) {
  const lines = useMemo(() => splitLines(indentJson(text)), [text]);
  return (
    <section className={classes.root} aria-label={label}>
      {scroller && lines.length > longText ? (
        <LongText lines={lines} scroller={scroller} />
      ) : (
        <WholeText lines={lines} />
      )}
    </section>
  );
}

interface Line {
  /** Where it begins in the text: names it among the others. */
  readonly start: number;
  readonly text: string;
}

function WholeText({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <pre className={classes.text}>
      {lines.map(({ start, text }) => (
        <span key={start} className={classes.line} style={hang(text)}>
          <Tokens line={text} />
        </span>
      ))}
    </pre>
  );
}

interface LongTextProps {
  readonly lines: readonly Line[];
  readonly scroller: RefObject<HTMLElement | null>;
}

function LongText({ lines, scroller }: LongTextProps) {
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    getItemKey: (index) => lines[index]?.start ?? index,
    overscan: 30,
  });
  return (
    <pre className={classes.text} style={{ height: virtualizer.getTotalSize() }} data-long>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const text = lines[index]?.text ?? "";
        return (
          <span
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={classes.line}
            style={{ ...hang(text), transform: `translateY(${start}px)` }}
          >
            <Tokens line={text} />
          </span>
        );
      })}
    </pre>
  );
}

/** What does not fit continues a little further in than its line began. */
function hang(line: string): CSSProperties {
  const columns = line.length - line.trimStart().length + 2;
  return { paddingLeft: `${columns}ch`, textIndent: `-${columns}ch` };
}

function Tokens({ line }: { readonly line: string }) {
  let at = 0;
  return highlightJson(line).map((token) => {
    at += token.text.length;
    return (
      <span key={at} className={classes[token.kind]}>
        {token.text}
      </span>
    );
  });
}

function splitLines(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const at = start;
    start += line.length + 1;
    return { start: at, text: line };
  });
}

/** A piece of JSON text and what it is. */
export interface JsonToken {
  readonly kind: "key" | "string" | "number" | "word" | "plain";
  readonly text: string;
}

const pattern =
  /(?<string>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>true|false|null)/g;

/** Cuts one line of JSON text into pieces to colour. The pieces joined are the line again, whatever it holds. */
export function highlightJson(line: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    const { string, colon, number, word } = match.groups ?? {};
    if (match.index > at) tokens.push({ kind: "plain", text: line.slice(at, match.index) });
    if (string !== undefined) tokens.push({ kind: colon === undefined ? "string" : "key", text: string });
    if (colon !== undefined) tokens.push({ kind: "plain", text: colon });
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    if (word !== undefined) tokens.push({ kind: "word", text: word });
    at = match.index + match[0].length;
  }
  if (at < line.length) tokens.push({ kind: "plain", text: line.slice(at) });
  return tokens;
}
