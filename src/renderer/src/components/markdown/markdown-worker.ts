import { type MarkdownKind, type ParsedMarkdown, parseMarkdown } from "./parse-markdown.ts";

export interface MarkdownJob {
  readonly text: string;
  readonly kind: MarkdownKind;
}

/** `busy` while something is loaded, whose time is not the text's; `ready` when the thread goes on. */
export type MarkdownReply = ParsedMarkdown | "busy" | "ready";

const reply = (message: MarkdownReply) => self.postMessage(message);

async function loadFormulas() {
  reply("busy");
  const { drawFormula } = await import("./draw-formula.ts");
  reply("ready");
  return drawFormula;
}

self.addEventListener("message", async ({ data: { text, kind } }: MessageEvent<MarkdownJob>) => {
  reply(await parseMarkdown(text, kind, loadFormulas));
});
reply("ready");
