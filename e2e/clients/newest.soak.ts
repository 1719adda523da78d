import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runNpm } from "../../scripts/setup/npm.mjs";
import { inProject } from "../../scripts/setup/paths.mjs";

/** Clients that are installed together, and the tests that use them. */
const rows: readonly (readonly [clients: readonly string[], tests: readonly string[]])[] = [
  [["openai"], ["openai-client", "openai-chat", "openai-endpoints", "openai-files"]],
  [["@anthropic-ai/sdk"], ["anthropic-client", "anthropic-batches"]],
  [["@google/genai"], ["gemini-client", "gemini-batches"]],
  [["ai", "@ai-sdk/openai"], ["ai-sdk"]],
  [["@langchain/openai", "@langchain/core"], ["langchain"]],
  [["@modelcontextprotocol/client", "@modelcontextprotocol/sdk"], ["mcp/clients"]],
];

const packageSchema = z.object({ version: z.string() });
const reportSchema = z.object({
  numTotalTests: z.int(),
  testResults: z.array(
    z.object({
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-clients-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "clients", private: true }));
  const newest = rows.flatMap(([clients]) => clients).map((name) => `${name}@latest`);
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  const { code, output } = await runNpm(["install", ...flags, ...newest], { quiet: true });
  if (code !== 0) throw new Error(output);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readVersion(parent: string, name: string): Promise<string> {
  const path = join(parent, "node_modules", name, "package.json");
  return packageSchema.parse(JSON.parse(await readFile(path, "utf8"))).version;
}

/** `openai 7.59.0 -> 7.60.0` for each client. */
async function describeVersions(clients: readonly string[]): Promise<string> {
  const described = clients.map(
    async (name) => `${name} ${await readVersion(inProject("."), name)} -> ${await readVersion(folder, name)}`,
  );
  return (await Promise.all(described)).join(", ");
}

async function runTests(clients: readonly string[], tests: readonly string[]) {
  const config = inProject("e2e/clients/newest.config.ts");
  const files = tests.map((name) => `src/main/http/${name}.test.ts`);
  const args = [inProject("node_modules/vitest/vitest.mjs"), "run", "--config", config, ...files];
  const report = join(folder, "report.json");
  args.push("--reporter=json", `--outputFile=${report}`);
  const env = { ...process.env, SHEAF_CLIENTS: folder, SHEAF_CLIENT_NAMES: clients.join(",") };
  await once(
    spawn(process.execPath, args, { cwd: inProject("."), env, stdio: ["ignore", "ignore", "inherit"] }),
    "close",
  );
  return reportSchema.parse(JSON.parse(await readFile(report, "utf8")));
}

test.each(rows)("the newest %s works as the one that the tests use", async (clients, tests) => {
  const versions = await describeVersions(clients);
  process.stdout.write(`${versions}\n`);
  const { numTotalTests, testResults } = await runTests(clients, tests);
  const drifted = testResults.flatMap(({ message, assertionResults }) => [
    ...(message === "" ? [] : [message]),
    ...assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages?.[0] ?? ""}`),
  ]);
  expect(drifted, `Drifted: ${versions}`).toEqual([]);
  expect(numTotalTests).toBeGreaterThan(0);
});
