import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));
export type ConformanceCheck = z.infer<typeof checksSchema>[number];

/** The revisions whose conformance suites are installed, each with what makes it run. */
const suites = {
  "2025-11-25": { folder: "conformance-2025", flags: ["--suite", "all"] },
  "2026-07-28": { folder: "conformance-2026", flags: ["--requirements", "2026-07-28"] },
} as const;
export type ConformanceRevision = keyof typeof suites;

/** Runs the protocol's own conformance suite against an endpoint. The answer has the checks of each scenario. */
export async function runConformance(
  revision: ConformanceRevision,
  url: string,
): Promise<Map<string, readonly ConformanceCheck[]>> {
  const { folder, flags } = suites[revision];
  const script = fileURLToPath(new URL(`../../../../../node_modules/${folder}/dist/index.js`, import.meta.url));
  const output = await mkdtemp(join(tmpdir(), "sheaf-conformance-"));
  try {
    const args = [script, "server", "--url", url, ...flags, "--output-dir", output];
    // It exits with 1 where any scenario fails: those that need fixtures do. What it found is in its files.
    await promisify(execFile)(process.execPath, args).catch((error: { code?: unknown }) => {
      if (error.code !== 1) throw error;
    });
    const scenarios = new Map<string, readonly ConformanceCheck[]>();
    for (const name of await readdir(output)) {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(name)?.[1];
      if (scenario === undefined) throw new Error(`The suite left something unknown: ${name}`);
      scenarios.set(
        scenario,
        checksSchema.parse(JSON.parse(await readFile(join(output, name, "checks.json"), "utf8"))),
      );
    }
    return scenarios;
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

const words = { SUCCESS: "passed", FAILURE: "failed", WARNING: "warned", SKIPPED: "skipped" } as const;

/** `8 passed, 1 failed`. A scenario without a check that passed or failed was not run, whatever its suite says. */
export function countChecks(checks: readonly ConformanceCheck[] | undefined): string {
  if (checks === undefined) return "–";
  if (!checks.some(({ status }) => status === "SUCCESS" || status === "FAILURE")) return "not run";
  return Object.entries(words)
    .map(([status, word]) => ({ count: checks.filter((check) => check.status === status).length, word }))
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count} ${word}`)
    .join(", ");
}

export interface TokenProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Passes every request on to an MCP endpoint as it is, with its token: for tools that can't be given one. */
export async function startTokenProxy(endpointUrl: string, token: string): Promise<TokenProxy> {
  const proxy = createServer((request, response) => {
    const { method, headers } = request;
    const onward = httpRequest(endpointUrl, { method, headers: { ...headers, authorization: `Bearer ${token}` } });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/mcp`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
