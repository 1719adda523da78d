import type { BatchNotice } from "#main/app";

/** A notification, and the batch that a click on it shows; null for all of them. */
export interface NoticeDescription {
  readonly title: string;
  readonly body: string;
  readonly batchId: string | null;
}

/** The most that are named in one notification: systems cut longer texts. */
const mostNamed = 3;

/** What is shown of news that came together: nothing while the window is in front, which shows it itself; many as one. */
export function noticesFor(news: readonly BatchNotice[], isFocused: boolean): NoticeDescription[] {
  const [first] = news;
  if (isFocused || first === undefined) return [];
  if (new Set(news.map(({ batchId }) => batchId)).size === 1) return [news.at(-1) ?? first];
  const named = news.slice(0, mostNamed).map(({ title }) => title);
  const more = news.length - named.length;
  const body = `${named.join(", ")}${more === 0 ? "" : `, and ${more} more`}.`;
  return [{ title: `News of ${news.length} batches`, body, batchId: null }];
}
