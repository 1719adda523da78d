import { useState } from "react";
import type { RowRange } from "./virtual-table/index.ts";

/** A beginning that is shorter is left where it is, in characters. */
const leastLength = 20;

/** What all texts begin with, up to the end of a word; empty where that is short, or all there is of them. */
export function findSharedStart(texts: readonly string[]): string {
  const [first = "", ...others] = new Set(texts.filter((text) => text !== ""));
  if (others.length === 0) return "";
  let length = first.length;
  for (const text of others) {
    let same = 0;
    while (same < length && text[same] === first[same]) same++;
    length = same;
  }
  const start = /^.*\s/su.exec(first.slice(0, length))?.[0] ?? "";
  return start.length < leastLength ? "" : start;
}

/** A text without the beginning that it shares with others, which "…" replaces. */
export function leaveOutStart(text: string, start: string): string {
  return start !== "" && text.length > start.length && text.startsWith(start) ? `…${text.slice(start.length)}` : text;
}

/** What the questions of all rows seen so far begin with: it gets shorter with the rows that differ, never longer. */
export function useSharedStart(
  /** What the rows are of: with another, it starts over. */
  of: string,
  rowAt: (index: number) => { readonly question: string } | undefined,
  { first, last }: RowRange,
): string {
  const [found, setFound] = useState<{ readonly of: string; readonly start: string } | null>(null);
  const known = found?.of === of ? found.start : undefined;
  const texts = new Set(known === undefined ? [] : [known]);
  for (let index = first; index <= last && known !== ""; index++) texts.add(rowAt(index)?.question ?? "");
  texts.delete("");
  // One question alone shares nothing.
  const start = texts.size > 1 ? findSharedStart([...texts]) : known;
  if (start !== undefined && start !== known) setFound({ of, start });
  return start ?? "";
}
