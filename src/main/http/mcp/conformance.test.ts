import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import {
  type ConformanceCheck,
  type ConformanceRevision,
  countChecks,
  runConformance,
  startTokenProxy,
  type TokenProxy,
} from "./testing/conformance.ts";

const revisions = ["2025-11-25", "2026-07-28"] as const;

let server: TestServer;
let proxy: TokenProxy;
/** What the suites found: they run at the same time. */
const found = new Map<ConformanceRevision, ReturnType<typeof runConformance>>();
beforeAll(async () => {
  server = await startTestServer();
  proxy = await startTokenProxy(`${server.url}/v1/mcp`, await server.service.mcp.enable());
  for (const revision of revisions) found.set(revision, runConformance(revision, proxy.url));
});
afterAll(async () => {
  await proxy.close();
  expect(server.faults).toEqual([]);
  await server.close();
});

interface Row {
  readonly scenario: string;
  readonly counts: Readonly<Record<ConformanceRevision, string>>;
  /** What the scenario wants of a server that is made for the suite. */
  readonly needs: string;
}

/** The table in docs/mcp.md. */
async function readTable(): Promise<Row[]> {
  const text = await readFile(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");
  const section = text.slice(text.indexOf("\n## Conformance\n"));
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const [scenario = "", old = "", current = "", needs = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return { scenario: scenario.replaceAll("`", ""), counts: { "2025-11-25": old, "2026-07-28": current }, needs };
    });
}

describe.each(revisions)("the conformance suite of %s", (revision) => {
  test("finds what the table says, and no fault where nothing is asked for that only a test server has", async () => {
    const scenarios = (await found.get(revision)) ?? new Map<string, readonly ConformanceCheck[]>();
    const table = await readTable();
    expect(table.filter(({ counts }) => counts[revision] !== "–").length).toBeGreaterThan(30);
    expect(table.map(({ scenario }) => scenario)).toEqual(expect.arrayContaining([...scenarios.keys()]));
    for (const { scenario, counts, needs } of table) {
      const checks = scenarios.get(scenario);
      expect(`${scenario}: ${countChecks(checks)}`).toBe(`${scenario}: ${counts[revision]}`);
      const faults = checks?.filter(({ status }) => status === "FAILURE") ?? [];
      if (needs === "") expect(faults, scenario).toEqual([]);
    }
  }, 60_000);
});
