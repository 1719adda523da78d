import { type CSSProperties, useMemo } from "react";
import { formatCount } from "./format.ts";
import { highlightJson, indentJson } from "./highlight-json.ts";
import classes from "./json-view.module.css";

export interface JsonViewProps {
  /** JSON text; it is indented here. What is not JSON is shown as it is. */
  readonly text: string;
  /** For screen readers: "Request". */
  readonly label: string;
  /** Lines beyond this are left out, and said to be. */
  readonly maxLines?: number;
}

/** JSON with indentation and colours, to be read and selected. */
export function JsonView({ text, label, maxLines = 2_000 }: JsonViewProps) {
  const lines = useMemo(() => splitLines(indentJson(text)), [text]);
  const left = lines.length - maxLines;
  return (
    <section className={classes.root} aria-label={label}>
      <pre className={classes.text}>
        {lines.slice(0, maxLines).map(({ start, line }) => (
          <JsonLine key={start} line={line} />
        ))}
      </pre>
      {left > 0 ? <div className={classes.left}>{formatCount(left, "more line")}. Copy it to see all.</div> : null}
    </section>
  );
}

function JsonLine({ line }: { readonly line: string }) {
  let at = 0;
  const indent = line.length - line.trimStart().length;
  return (
    <span className={classes.line} style={{ "--hang": `${indent + 2}ch` } as CSSProperties}>
      {highlightJson(line).map((token) => {
        at += token.text.length;
        return (
          <span key={at} className={classes[token.kind]}>
            {token.text}
          </span>
        );
      })}
    </span>
  );
}

function splitLines(text: string): { start: number; line: string }[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const at = start;
    start += line.length + 1;
    return { start: at, line };
  });
}
