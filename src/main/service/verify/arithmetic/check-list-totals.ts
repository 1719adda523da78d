import { type NumberMention, readNumbers } from "../text/numbers.ts";
import type { Finding, Range, Text } from "../types.ts";
import { formatNumber } from "./describe.ts";

const total =
  /(?:^|[\n,;|])[ \t]*(?:and )?(?:[-*•+] ?)?[*_ ]*(?:the )?(?:grand )?total\b(?! of\b)[^:=|\n\d]{0,30}[:=|][*_: \t]*/gi;
const item = /^\s*(?:and )?(?:[-*•+]|\d{1,2}[.)])?\s*[*_]*([\p{L}][^:=|\n\d]{0,40}?)[*_]*\s*[:=|][*_:\s]*(\S.{0,40})$/u;
const separator = /^[\s|:-]*$/;
/** Labels of what is not simply added up. */
const notAdded =
  /\b(?:discount|minus|less|refund|credit|spent|used|sold|gave|lost|removed|price|rate|per|each|quantity|qty|number|count|change|total|subtotal|average|percent|year|date|age|page|time|start|end|width|length|height|speed|step|left|remaining|paid|budget|balance|max|min|score|id|unit|item)s?\b/i;
const longestList = 2_000;
const mostTotals = 50;

/** "Apples: 3, pears: 4, total: 7", in a line, in a list or in a table of two columns: whether the total is the sum. */
export function checkListTotals(response: Text): readonly Finding[] {
  const { text } = response;
  if (!/total/i.test(text)) return [];
  return [...text.matchAll(total)].slice(0, mostTotals).flatMap(({ index, 0: label }) => {
    const start = index + label.length;
    const line = text.slice(start, start + 60).split(/\n|[,;]\s/, 1)[0] ?? "";
    const [shown, ...others] = readNumbers(line);
    if (shown === undefined || others.length > 0 || shown.start > 4 || /[-+/×÷=]|\*\s?\d/.test(line)) return [];
    const items = readItems(text, index, shown);
    const [first] = items;
    if (first === undefined || items.length < 2) return [];
    const range = { start: first.start, end: start + shown.end };
    return judge(response, range, items, { ...shown, start: start + shown.start, end: start + shown.end });
  });
}

interface Item extends Range {
  readonly number: NumberMention;
  readonly shown: string;
}

/** The labelled numbers right before a place, none where one of them is not simply added up. */
function readItems(text: string, end: number, like: NumberMention): readonly Item[] {
  const items: Item[] = [];
  const isLine = text.charAt(end) === "\n" || text.charAt(end) === "|";
  const from = Math.max(0, end - longestList, isLine ? 0 : text.lastIndexOf("\n", end - 1) + 1);
  const parts = text.slice(from, end).split(isLine ? "\n" : /[,;]\s/);
  let at = end;
  for (const part of parts.toReversed()) {
    const start = text.lastIndexOf(part, at - part.length);
    at = start - 1;
    const row = part.trim().replace(/^\|/, "").replace(/\|$/, "");
    if (separator.test(row)) {
      if (items.length > 0 && row === "") break;
      continue;
    }
    const [, label = "", rest = ""] = item.exec(row) ?? [];
    const [number, ...others] = readNumbers(rest);
    if (number === undefined || others.length > 0 || number.kind === "ordinal" || rest.includes("=")) break;
    if (notAdded.test(label) || !isAlike(number, like) || /[-+*/×÷(]/.test(rest.slice(number.end))) return [];
    items.unshift({ start, end: start + part.length, number, shown: rest.slice(number.start, number.end) });
  }
  return items;
}

function isAlike(a: NumberMention, b: NumberMention): boolean {
  return a.isPercent === b.isPercent && a.currency === b.currency && a.unit?.unit === b.unit?.unit;
}

function judge(
  { source, text }: Text,
  range: Range,
  items: readonly Item[],
  result: NumberMention,
): readonly Finding[] {
  const sum = items.reduce((all, { number }) => all + number.value, 0);
  const words = items.map(({ shown }) => shown).join(" + ");
  const shown = text.slice(result.start, result.end);
  const most = items.reduce((all, { number }) => Math.max(all, number.step), result.step);
  const difference = Math.abs(sum - result.value);
  const trimmed = trim(text, range);
  if (difference <= 1e-9 * Math.max(1, Math.abs(sum)) || (most < 1 && difference <= (most * items.length) / 2)) {
    return [{ kind: "sum", verdict: "supported", range: trimmed, reason: `${words} is ${shown}.`, evidence: [] }];
  }
  if (items.reduce((product, { number }) => product * number.value, 1) === result.value) return [];
  const symbol = /^[$€£]/.exec(shown)?.[0] ?? "";
  const reason = `${words} is ${formatNumber(sum, symbol)}, not ${shown}.`;
  const evidence = [{ source, start: result.start, end: result.end, text: shown }];
  return [{ kind: "sum", verdict: "contradicted", range: trimmed, reason, evidence }];
}

function trim(text: string, { start, end }: Range): Range {
  const part = text.slice(start, end);
  return { start: start + part.length - part.trimStart().length, end };
}
