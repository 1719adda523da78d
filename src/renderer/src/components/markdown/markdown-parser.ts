import type { MarkdownJob, MarkdownReply } from "./markdown-worker.ts";
import type { MarkdownKind, ParsedMarkdown } from "./parse-markdown.ts";

/** How long one text may take, in milliseconds, not counting what is loaded for it. */
const longest = 2_000;
/** How many texts are remembered with their trees, so that going back to one draws it at once. */
const mostRemembered = 40;

interface Waiting extends MarkdownJob {
  /** Aborted when nobody waits for the tree any more. */
  readonly signal: AbortSignal;
  readonly settle: (parsed: ParsedMarkdown) => void;
}

interface MarkdownParser {
  /** What is known of a text; undefined when it has not been read. */
  recall(text: string, kind: MarkdownKind): ParsedMarkdown | undefined;
  /** Reads a text in a thread of its own, unless the signal is aborted before its turn. Rejects nothing. */
  parse(text: string, kind: MarkdownKind, signal: AbortSignal): Promise<ParsedMarkdown>;
}

/** Parses one text after another in a thread, which is ended with a text that takes too long. */
export function createMarkdownParser(startWorker: () => Worker): MarkdownParser {
  const remembered = new Map<string, ParsedMarkdown>();
  const keyOf = (text: string, kind: MarkdownKind) => `${kind} ${text}`;
  let waiting: Waiting[] = [];
  let worker: Worker | null = null;
  let isReady = false;
  let current: { readonly job: Waiting; isSent: boolean } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (plain: "slow" | "unreadable") => {
    worker?.terminate();
    worker = null;
    isReady = false;
    settle({ plain });
  };
  const settle = (parsed: ParsedMarkdown) => {
    clearTimeout(timer);
    if (current !== null) {
      const { text, kind, settle: done } = current.job;
      current = null;
      remembered.set(keyOf(text, kind), parsed);
      const [oldest] = remembered.keys();
      if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
      done(parsed);
    }
    goOn();
  };
  const listen = ({ data }: MessageEvent<MarkdownReply>) => {
    if (data === "busy") return clearTimeout(timer);
    if (data !== "ready") return settle(data);
    isReady = true;
    goOn();
  };
  const goOn = () => {
    if (current === null) {
      waiting = waiting.filter(({ signal }) => !signal.aborted);
      const job = waiting.shift();
      if (job === undefined) return;
      current = { job, isSent: false };
    }
    if (worker === null) {
      worker = startWorker();
      worker.onerror = () => end("unreadable");
      worker.onmessage = listen;
    }
    if (!isReady) return;
    const { text, kind } = current.job;
    if (!current.isSent) worker.postMessage({ text, kind } satisfies MarkdownJob);
    current.isSent = true;
    clearTimeout(timer);
    timer = setTimeout(() => end("slow"), longest);
  };
  return {
    recall: (text, kind) => remembered.get(keyOf(text, kind)),
    parse: (text, kind, signal) =>
      new Promise((resolve) => {
        waiting.push({ text, kind, signal, settle: resolve });
        if (current === null) goOn();
      }),
  };
}
