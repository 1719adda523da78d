import { type MarkdownKind, type ParsedMarkdown, parseMarkdown } from "./parse-markdown.ts";

export interface MarkdownJob {
  readonly text: string;
  readonly kind: MarkdownKind;
}

/** `busy` while something is loaded, whose time is not the text's; `ready` when the thread goes on. */
export type MarkdownReply = ParsedMarkdown | "busy" | "ready";

// What TypeScript knows of the place that this runs in is a window.
interface Scope {
  postMessage(reply: MarkdownReply): void;
  onmessage: ((event: MessageEvent<MarkdownJob>) => void) | null;
}
const scope = self as unknown as Scope;

async function loadFormulas() {
  scope.postMessage("busy");
  const { drawFormula } = await import("./draw-formula.ts");
  scope.postMessage("ready");
  return drawFormula;
}

scope.onmessage = async ({ data: { text, kind } }) => {
  scope.postMessage(await parseMarkdown(text, kind, loadFormulas));
};
scope.postMessage("ready");
