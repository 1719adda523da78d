import type { RemotePart } from "#main/base";
import { noAnomalies, type PartRun, type ResultAnomalies } from "./part-run.ts";

/** Sets the notice that counts what was wrong with the results of all parts so far, and names some lines. */
export function reportAnomalies(part: RemotePart, found: ResultAnomalies, { anomalies, setNotice }: PartRun): void {
  anomalies.set(part.from, found);
  const all = noAnomalies();
  for (const one of anomalies.values()) {
    for (const kind of ["repeated", "different", "unknown"] as const) {
      for (const [id, count] of one[kind]) all[kind].set(id, (all[kind].get(id) ?? 0) + count);
    }
    all.unreadable.too_long += one.unreadable.too_long;
    all.unreadable.no_result += one.unreadable.no_result;
  }
  const { repeated, different, unknown, unreadable } = all;
  const sentences = [
    repeated.size > 0
      ? `The service answered ${describeLines(repeated)} more than once: the first answer of each counts.`
      : "",
    different.size > 0
      ? `The service gave different answers to ${describeLines(different)}: the first answer of each counts.`
      : "",
    unknown.size > 0 ? `It answered ${describeLines(unknown)} that this batch did not ask.` : "",
    describeUnreadable(unreadable),
  ].filter(Boolean);
  if (sentences.length > 0) setNotice("anomalies", sentences.join(" "));
}

/** `2 lines of the results can't be read: 1 has more than 64 MB, 1 is no result.` Empty where all can. */
export function describeUnreadable({ too_long: long, no_result: strange }: ResultAnomalies["unreadable"]): string {
  if (long + strange === 0) return "";
  const causes = [
    long > 0 ? `${long.toLocaleString("en")} ${long === 1 ? "has" : "have"} more than 64 MB` : "",
    strange > 0 ? `${strange.toLocaleString("en")} ${strange === 1 ? "is no result" : "are no results"}` : "",
  ];
  const lines = long + strange === 1 ? "1 line" : `${(long + strange).toLocaleString("en")} lines`;
  return `${lines} of the results can't be read: ${causes.filter(Boolean).join(", ")}.`;
}

const idsListed = 5;

/** `12 lines (q-1, q-2, …)`. */
function describeLines(counts: ReadonlyMap<string, number>): string {
  const ids = [...counts.keys()];
  const more = ids.length > idsListed ? ", …" : "";
  const lines = ids.length === 1 ? "1 line" : `${ids.length.toLocaleString("en")} lines`;
  return `${lines} (${ids.slice(0, idsListed).join(", ")}${more})`;
}
