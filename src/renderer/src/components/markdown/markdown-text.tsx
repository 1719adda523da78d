import { type Components, toJsxRuntime } from "hast-util-to-jsx-runtime";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { markWords, type TextRange } from "./mark-words.ts";
import { createMarkdownParser } from "./markdown-parser.ts";
import classes from "./markdown-text.module.css";
import type { MarkdownKind, ParsedMarkdown, PlainReason } from "./parse-markdown.ts";

const parser = createMarkdownParser(
  () => new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module", name: "markdown" }),
);

export interface MarkdownTextProps {
  readonly text: string;
  readonly kind: MarkdownKind;
  /** How elements are drawn that are not drawn as everywhere. */
  readonly components?: Components;
  /** Parts of the text whose words are marked. */
  readonly marks?: readonly TextRange[];
  /** What is shown until the text has been read, and where it can't be drawn. */
  readonly plain: (reason: PlainReason | null) => ReactNode;
}

/** A text with its Markdown drawn. HTML in it stays text, and nothing is fetched: of an image its words are shown. */
export function MarkdownText({ text, kind, components, marks, plain }: MarkdownTextProps) {
  const parsed = useMarkdown(text, kind);
  const tree = parsed !== null && "tree" in parsed ? parsed.tree : null;
  const drawn = useMemo(
    () =>
      tree &&
      toJsxRuntime(marks === undefined ? tree : markWords(tree, marks), {
        Fragment,
        jsx,
        jsxs,
        passNode: true,
        components: {
          a: ({ href, title, children }) => (
            <a href={href} title={title} target="_blank" rel="noreferrer noopener">
              {children}
            </a>
          ),
          ...components,
        },
      }),
    [tree, components, marks],
  );
  if (drawn === null) return plain(parsed !== null && "plain" in parsed ? parsed.plain : null);
  return (
    <div className={classes.root} data-kind={kind} dir="auto">
      {drawn}
    </div>
  );
}

/** The tree of a text; of one that grows, the last one that was read meanwhile. Null while there is none. */
function useMarkdown(text: string, kind: MarkdownKind): ParsedMarkdown | null {
  const [read, setRead] = useState<{ readonly text: string; readonly parsed: ParsedMarkdown } | null>(null);
  const known = parser.recall(text, kind);
  const isKnown = known !== undefined;
  useEffect(() => {
    if (isKnown) return;
    const leaving = new AbortController();
    void parser.parse(text, kind, leaving.signal).then((parsed) => setRead({ text, parsed }));
    return () => leaving.abort();
  }, [text, kind, isKnown]);
  if (known !== undefined) return known;
  return read !== null && text.startsWith(read.text) ? read.parsed : null;
}
