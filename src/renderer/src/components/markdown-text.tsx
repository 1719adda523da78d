import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import classes from "./markdown-text.module.css";

export interface MarkdownTextProps {
  readonly children: string;
  /** How elements are drawn that are not drawn as everywhere. */
  readonly components?: Components;
}

/** A text with its Markdown drawn. HTML in it stays text, and nothing is fetched: of an image its words are shown. */
export function MarkdownText({ children, components }: MarkdownTextProps) {
  return (
    <div className={classes.root} dir="auto">
      <Markdown
        remarkPlugins={[remarkGfm]}
        components={{
          img: ({ alt, src }) => <span>[{alt || src}]</span>,
          a: ({ href, children: words }) => (
            <a href={href} target="_blank" rel="noreferrer noopener">
              {words}
            </a>
          ),
          ...components,
        }}
      >
        {children}
      </Markdown>
    </div>
  );
}
