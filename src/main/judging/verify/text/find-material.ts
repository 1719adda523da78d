import type { Range } from "../types.ts";

const things =
  "passage|context|documents?|text|article|knowledge|e-?mail|review|input|story|transcript|source|excerpt|paragraph|abstract|content|data|conversation|dialogue|message|code|examples?|facts?|background|references?|notes?|premise|hypothesis|poem|letter|report|post|tweet|comment|snippet|table|sentence|statement|quote|essay|script|log|lyrics|description|information|material|chat|ticket|feedback|claim|title|paper|speech|page|wiki(?:pedia)?(?: \\w+)?";

const decoration = "[#*_>\\s-]{0,6}";
const openingLabel = new RegExp(`^${decoration}(?:\\w+ )?(?:${things})\\s?\\d{0,3}[*_]{0,2}\\s?:`, "i");
const closingLabel = new RegExp(
  `^${decoration}(?:\\w+ )?(?:question|instructions?|task|query|request|prompt|user|system|human|requirements?|rules|constraints|format|guidelines|q)\\s?\\d{0,3}[*_]{0,2}\\s?:`,
  "i",
);
const closingReference = new RegExp(
  `^(?:based on|using|given|according to|from) (?:only )?(?:the|this) (?:\\w+ )?(?:${things})\\b`,
  "i",
);
/** What an example of a prompt answers, or what an assistant said before. */
const answerLabel = new RegExp(
  `^${decoration}(?:answer|response|output|assistant|bot|ai|model|summary|translation|a)\\s?\\d{0,3}[*_]{0,2}\\s?:\\s*\\S`,
  "i",
);
const introduced = new RegExp(
  `\\b(?:this|following|these|below)\\b(?: \\w+){0,3}? (?:${things})\\b|\\b(?:following|below)\\b`,
  "i",
);
const asksForRules =
  /\b(?:rules|requirements|constraints|instructions|guidelines|conditions|format|schema|steps|one of|labels|categories|options|keys|fields|words)\b/i;
const worksOnText =
  /^\W{0,3}(?:please |now |then )?(?:translate|summari[sz]e|classify|rewrite|paraphrase|correct|proofread|label|analy[sz]e|edit|fix|continue|extract|shorten|simplify|rephrase|categori[sz]e|read)\b/i;
const refersBack = new RegExp(
  `\\b(?:${things}|text) (?:given |provided |shown )?above\\b|\\babove (?:${things})\\b|\\b(?:${things}) (?:above|just given)\\b`,
  "i",
);
const fence = /^\s{0,3}(```|~~~|"""|''')/;
const tag = /<([a-z][\w-]{1,40})(?:\s[^<>]{0,200})?>/gi;

/**
 * The parts of a prompt that are given to work on (a passage, a mail, an example) and not said to whoever answers: what
 * they say about answers is no instruction. When in doubt, a part counts as material. In order, and apart.
 */
export function findMaterial(prompt: string): readonly Range[] {
  const ranges = [...findFenced(prompt), ...findTagged(prompt)];
  ranges.push(...findIntroduced(prompt, ranges));
  return unite(ranges);
}

/** Ranges in order and apart. */
export function unite(ranges: readonly Range[]): readonly Range[] {
  const united: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = united.at(-1);
    if (last === undefined || range.start > last.end) united.push(range);
    else united[united.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return united;
}

/** Blocks between fences, and quoted lines. */
function findFenced(prompt: string): Range[] {
  const ranges: Range[] = [];
  let open: { mark: string; start: number } | null = null;
  for (const { start, end, text } of linesOf(prompt)) {
    const mark = fence.exec(text)?.[1];
    if (open === null && mark !== undefined) {
      const closesItself = text.indexOf(mark, text.indexOf(mark) + mark.length) !== -1;
      if (closesItself) ranges.push({ start, end });
      else open = { mark, start };
    } else if (open !== null && text.includes(open.mark)) {
      ranges.push({ start: open.start, end });
      open = null;
    } else if (open === null && /^\s{0,3}>\s/.test(text)) ranges.push({ start, end });
  }
  if (open !== null) ranges.push({ start: open.start, end: prompt.length });
  return ranges;
}

const instructionTags =
  /^(?:instructions?|task|rules|question|query|format|system|user|requirements|prompt|output|br|b|i|p|strong|em)/i;

/** What is between a tag and its end, but for tags whose name says that the task is in them. */
function findTagged(prompt: string): Range[] {
  if (!prompt.includes("</")) return [];
  const lower = prompt.toLowerCase();
  const ranges: Range[] = [];
  let reached = 0;
  for (const { index, 0: whole, 1: name = "" } of prompt.matchAll(tag)) {
    if (index < reached || instructionTags.test(name)) continue;
    const close = lower.indexOf(`</${name.toLowerCase()}`, index + whole.length);
    if (close === -1) continue;
    reached = close + name.length + 3;
    ranges.push({ start: index, end: reached });
  }
  return ranges;
}

/** What comes after "Passage:" or "Summarize this mail:", up to a label such as "Question:"; what is called "the text above". */
function findIntroduced(prompt: string, marked: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  let start: number | null = null;
  let hadMarked = false;
  let next = 0;
  const close = (end: number) => {
    if (start !== null && end > start) ranges.push({ start, end });
    start = null;
  };
  const ordered = marked.toSorted((a, b) => a.start - b.start);
  for (const line of linesOf(prompt)) {
    while (next < ordered.length && (ordered[next]?.end ?? 0) <= line.start) next += 1;
    const range = ordered[next];
    if (range !== undefined && range.start < line.end && range.end > line.start) {
      hadMarked = true;
      continue;
    }
    // "Text:" before a fence or a tag means what is in it.
    if (hadMarked && start !== null) close(line.start);
    hadMarked = false;
    const { text } = line;
    if (answerLabel.test(text)) {
      start ??= line.start;
    } else if (openingLabel.test(text)) {
      close(line.start);
      start = line.start + text.indexOf(":") + 1;
    } else if (closingLabel.test(text) || closingReference.test(text)) {
      close(line.start);
    }
    if (refersBack.test(text)) {
      start = null;
      ranges.push({ start: 0, end: line.start });
    }
    start ??= findIntroduction(line, prompt.length);
  }
  close(prompt.length);
  return ranges;
}

/** Where material starts that this line introduces; null when it introduces none. */
function findIntroduction({ start, end, text }: Line, length: number): number | null {
  const colon = text.search(/:(?:\s|$)/);
  if (colon !== -1) {
    const before = text.slice(0, colon);
    if (!asksForRules.test(before) && (introduced.test(before) || worksOnText.test(before))) return start + colon + 1;
    return null;
  }
  return introduced.test(text) && !asksForRules.test(text) && end < length ? end : null;
}

interface Line extends Range {
  readonly text: string;
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    yield { start, end, text: text.slice(start, end) };
    start = end + 1;
  }
}
