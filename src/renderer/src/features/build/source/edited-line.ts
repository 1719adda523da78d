import { endOfJsonString, type ProblemGroup, type Span } from "#contract";

/** The parts of a line of JSON, which need not be whole, without what is between them. */
function* listTokens(line: string): Generator<string> {
  const boundary = /[\s{}[\],:"]/g;
  for (let at = 0; at < line.length; ) {
    const first = line[at] ?? "";
    let end = at + 1;
    if (first === '"') end = endOfJsonString(line, at);
    else if (!/[\s{}[\],:]/.test(first)) {
      boundary.lastIndex = at;
      end = boundary.exec(line)?.index ?? line.length;
    }
    if (first.trim() !== "") yield line.slice(at, end);
    at = end;
  }
}

/** A line of JSON over several lines, to be edited: every text and number stays as it is written. */
export function spreadOut(line: string): string {
  let depth = 0;
  let text = "";
  let before = "";
  const newLine = () => `\n${"  ".repeat(Math.max(0, depth))}`;
  for (const part of listTokens(line)) {
    const opens = before === "{" || before === "[";
    const closes = part === "}" || part === "]";
    if (closes) depth -= 1;
    if (opens ? !closes : closes || before === ",") text += newLine();
    text += part === ":" ? ": " : part;
    if (part === "{" || part === "[") depth += 1;
    before = part;
  }
  return text;
}

/** What was edited as one line again: line breaks between the parts of JSON mean nothing. */
export function toLine(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]+\s*/g, " ");
}

/** The nearest line with an error after `row`, or before it (`by` -1); null where there is none. */
export function findFaultyLine(groups: readonly ProblemGroup[], row: number, by: 1 | -1): number | null {
  const spans = groups.flatMap(({ severity, where, first }): readonly Span[] =>
    severity === "error" ? (where ?? first.flatMap(({ line }) => (line === null ? [] : [[line, line]]))) : [],
  );
  const found = spans.flatMap(([from, to]) => {
    if (by === 1) return to > row ? [Math.max(from, row + 1)] : [];
    return from < row ? [Math.min(to, row - 1)] : [];
  });
  if (found.length === 0) return null;
  return by === 1 ? Math.min(...found) : Math.max(...found);
}
