import { formatNumber } from "#contract";

/** How far the journal of a data folder is read, in bytes. Null before that. */
export type Reading = { readonly done: number; readonly total: number } | null;

/** A start that is shorter shows nothing of it, in milliseconds. */
export const shortestPreparing = 1_000;
/** Between two figures on screen, in milliseconds. */
export const figureInterval = 250;

export interface Preparing {
  readonly text: string;
  /** Of the whole; null while that is not known. */
  readonly share: number | null;
}

const megabyte = 1_000_000;

/** What a start shows that takes long: after an update, or with a large data folder. */
export function describePreparing(reading: Reading): Preparing {
  if (reading === null || reading.total < megabyte) return { text: "Sheaf opens your data.", share: null };
  const [done, total] = [reading.done, reading.total].map((bytes) => formatNumber(Math.round(bytes / megabyte)));
  if (reading.done >= reading.total) return { text: "Sheaf continues your batches.", share: null };
  return { text: `${done} of ${total} MB of records read.`, share: reading.done / reading.total };
}

/** The page of the small window, without the figures. It has no script, and loads nothing. */
export const preparingPage = `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html>
<html lang="en">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Sheaf</title>
<style>
body { margin: 24px; background: light-dark(#FBFAF7, #16151A); font: 14px system-ui, sans-serif; cursor: default; user-select: none }
h1 { margin: 0 0 8px; font-size: 16px }
p { margin: 0 0 12px }
progress { width: 100%; accent-color: #5B5BD6 }
</style>
<h1>Preparing your data…</h1>
<p role="status">${describePreparing(null).text}</p>
<progress></progress>
`)}`;

/** What brings the figures into that page. */
export function figureScript({ text, share }: Preparing): string {
  const bar = share === null ? 'bar.removeAttribute("value")' : `bar.value = ${share}`;
  return `{ const bar = document.querySelector("progress"); document.querySelector("p").textContent = ${JSON.stringify(text)}; ${bar} }`;
}
