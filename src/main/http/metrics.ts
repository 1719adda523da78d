import { batchStatuses } from "#contract";
import type { Batches } from "#main/batches";

/** Upper bounds of the times that answers take, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What the server counts, for Prometheus. */
export interface Metrics {
  /** What counts the answers of a route; null is any path that nothing is at. */
  forRoute(url: string | null): ObserveAnswer;
  /** The text format of Prometheus, version 0.0.4. */
  readonly contentType: string;
  read(): string;
}

/** Counts a request, which took so many milliseconds, by the status of its answer, or by how it ended without a whole one. */
export type ObserveAnswer = (method: string, status: number | string, milliseconds: number) => void;

/** The answers of one route with one status. */
interface Tally {
  readonly labels: Labels;
  count: number;
  seconds: number;
  /** How many took at most as long as the bound of the same index, and longer than the one before. */
  readonly within: number[];
}

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [name: string, labels: Labels, value: number];

/** It counts after every request, so that it looks nothing up by a text made for that; the page is made when it is asked for. */
export function createMetrics(batches: Batches): Metrics {
  const tallies: Tally[] = [];
  const routes = new Map<string, ObserveAnswer>();

  function createTally(labels: Labels): Tally {
    const tally = { labels, count: 0, seconds: 0, within: bounds.map(() => 0) };
    tallies.push(tally);
    return tally;
  }

  function observeRoute(route: string): ObserveAnswer {
    const byMethod = new Map<string, Map<number | string, Tally>>();
    return (method, status, milliseconds) => {
      const byStatus = getOrCreate(byMethod, method, () => new Map<number | string, Tally>());
      const tally = getOrCreate(byStatus, status, () => createTally({ method, route, status }));
      const seconds = milliseconds / 1_000;
      tally.count += 1;
      tally.seconds += seconds;
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      if (bucket !== -1) tally.within[bucket] = (tally.within[bucket] ?? 0) + 1;
    };
  }

  return {
    forRoute(url) {
      const route = url ?? "unknown";
      return getOrCreate(routes, route, () => observeRoute(route));
    },
    contentType: "text/plain; version=0.0.4; charset=utf-8",
    read() {
      return [
        ...writeFamily("sheaf_http_requests_total", "counter", "Requests that have ended.", tallies.map(countRequests)),
        ...writeFamily(
          "sheaf_http_request_duration_seconds",
          "histogram",
          "Time from a request to the end of its answer.",
          tallies.flatMap(timeRequests),
        ),
        ...writeFamily("sheaf_batches", "gauge", "Batches by status.", countBatches(batches)),
        ...writeFamily(
          "sheaf_batch_lines",
          "gauge",
          "Lines of all batches, by what became of them.",
          countLines(batches),
        ),
        "",
      ].join("\n");
    },
  };
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function countRequests({ labels, count }: Tally): Sample {
  return ["sheaf_http_requests_total", labels, count];
}

function timeRequests({ labels, count, seconds, within }: Tally): Sample[] {
  const name = "sheaf_http_request_duration_seconds";
  let sum = 0;
  const buckets = bounds.map((bound, index): Sample => {
    sum += within[index] ?? 0;
    return [`${name}_bucket`, { ...labels, le: bound }, sum];
  });
  return [
    ...buckets,
    [`${name}_bucket`, { ...labels, le: "+Inf" }, count],
    [`${name}_sum`, labels, seconds],
    [`${name}_count`, labels, count],
  ];
}

function listAll(batches: Batches) {
  const { batches: all } = batches.list({ limit: Number.POSITIVE_INFINITY, trials: true });
  return all.filter(({ connection }) => connection === null);
}

function countBatches(batches: Batches): Sample[] {
  const counts = new Map<string, number>(batchStatuses.map((status) => [status, 0]));
  for (const { status } of listAll(batches)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Array.from(counts, ([status, count]): Sample => ["sheaf_batches", { status }, count]);
}

function countLines(batches: Batches): Sample[] {
  const sum = { completed: 0, failed: 0, unanswered: 0 };
  for (const { counts } of listAll(batches)) {
    sum.completed += counts.completed;
    sum.failed += counts.failed;
    sum.unanswered += counts.total - counts.completed - counts.failed;
  }
  return Object.entries(sum).map(([state, count]): Sample => ["sheaf_batch_lines", { state }, count]);
}

function writeFamily(name: string, type: string, help: string, samples: readonly Sample[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(toLine)];
}

function toLine([name, labels, value]: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(String(text))}`);
  return `${name}{${pairs.join(",")}} ${value}`;
}
