import { foldText, formatCount, type RequestNews, type RequestRow } from "#contract";
import type { RequestFilter } from "./search-params.ts";

/** Of those that the service keeps, the last ones are listed. */
const most = 1_000;

/** The rows after some news, newest first. */
export function applyNews(rows: readonly RequestRow[], { cleared, requests }: RequestNews): readonly RequestRow[] {
  return [...requests.toReversed(), ...(cleared ? [] : rows)].slice(0, most);
}

export function filterRequests(rows: readonly RequestRow[], filter: RequestFilter): readonly RequestRow[] {
  const { method, path, status } = filter;
  if (method === undefined && path === undefined && status === undefined) return rows;
  const wanted = path === undefined ? undefined : foldText(path);
  return rows.filter(
    (row) =>
      (method === undefined || row.method === method) &&
      (wanted === undefined || foldText(addressOf(row)).includes(wanted)) &&
      (status === undefined || String(row.status).startsWith(status.charAt(0))),
  );
}

/** The status of an answer, or what has become of a request without a whole one. */
export function describeEnd({ state, status }: Pick<RequestRow, "state" | "status">): string {
  return state === "completed" ? String(status) : state;
}

/** What has become of a request, in words. */
export function describeOutcome(request: Omit<RequestRow, "rule">): string {
  const { state, status, bytes_sent: bytes, duration_ms: milliseconds } = request;
  const time = formatMilliseconds(milliseconds);
  if (state === "completed") return `Answered with ${status} in ${time}`;
  const sent =
    status === null ? "before an answer began" : `${formatCount(bytes, "byte")} into an answer with ${status}`;
  return `${state === "aborted" ? "Aborted by the client" : "Broken off by the server"} after ${time}, ${sent}`;
}

/** The path with what follows the question mark. */
export function addressOf({ path, query }: Pick<RequestRow, "path" | "query">): string {
  return query === "" ? path : `${path}?${query}`;
}

/** The name of the rule that answered, else its place in the list, from 1 as people count; null where none did. */
export function ruleOf({ rule }: Pick<RequestRow, "rule">): string | null {
  return rule === null ? null : (rule.name ?? `Rule ${rule.index + 1}`);
}

/** Most answers take less than a hundredth of a second. */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}
