import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { mcpEnabledSchema, verifyResultSchema } from "#contract";
import { callSheaf, type RunningServer, runSheaf, startServer } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const servers: RunningServer[] = [];

async function start(...parameters: Parameters<typeof startServer>): Promise<RunningServer> {
  const server = await startServer(...parameters);
  servers.push(server);
  return server;
}

afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

/** Runs a curl command in a shell, as people paste it. */
async function curl(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-c", `${command} --silent --show-error`]);
  return stdout;
}

async function enable({ url, apiKey }: RunningServer): Promise<z.infer<typeof mcpEnabledSchema>> {
  const answer = await curl(`curl -X POST ${url}/v1/mcp/enable -H "Authorization: Bearer ${apiKey}"`);
  return mcpEnabledSchema.parse(JSON.parse(answer));
}

/** The tool call that the interface document describes, with all its headers and fields. */
const callVerify = (url: string, token: string) => `curl -X POST ${url} \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{
    "jsonrpc": "2.0",
    "method": "tools/call",
    "params": {"name": "verify", "arguments": {"prompt": "What is 17 * 3?", "response": "17 * 3 = 52"}},
    "id": 1
  }'`;

const answerSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.literal(1),
  result: z.object({
    content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
    structuredContent: verifyResultSchema,
  }),
});

test("the calls of the interface document work as curl: enable, verify, disable", async () => {
  const server = await start();
  const { url, token } = await enable(server);
  expect(url).toBe(`${server.url}/v1/mcp`);
  const { result } = answerSchema.parse(JSON.parse(await curl(callVerify(url, token))));
  expect(result.structuredContent).toMatchObject({ is_hallucination: true, response: "17 * 3 = 52" });
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);

  const key = `-H "Authorization: Bearer ${server.apiKey}"`;
  expect(JSON.parse(await curl(`curl -X POST ${server.url}/v1/mcp/disable ${key}`))).toEqual({
    enabled: false,
    url: "",
    apiKey: "",
  });
  const refused = `${callVerify(url, token)} --output /dev/null --write-out "%{http_code}"`;
  expect(await curl(refused)).toBe("401");
  await enable(server);
  expect(await curl(refused)).toBe("200");
});

test("a model of the engine judges where the flags ask for it", async () => {
  const judged = { judgements: [{ id: 1, verdict: "supported", reason: "It is.", quote: "", evidence: [] }] };
  await writeFile(inFolder("rules.json"), JSON.stringify({ rules: [{ reply: { json: judged } }] }));
  const judge = ["--judge-model", "deepseek-ai/DeepSeek-R1", "--judge", "both", "--rules", inFolder("rules.json")];
  const server = await start(["--ephemeral", ...judge]);
  const { url, token } = await enable(server);
  const { result } = answerSchema.parse(JSON.parse(await curl(callVerify(url, token))));
  expect(result.structuredContent.claims).not.toEqual([]);
});

test("a judge that can't be had is refused at the start", async () => {
  const mock = await runSheaf(["serve", "--ephemeral", "--port", "0", "--judge-model", "deepseek-ai/DeepSeek-R1"]);
  expect([mock.code, mock.stderr]).toEqual([2, expect.stringContaining("its verdicts would mean nothing")]);
  const needy = await runSheaf(["serve", "--ephemeral", "--port", "0", "--judge", "model"]);
  expect([needy.code, needy.stderr]).toEqual([2, "error: --judge model needs --judge-model NAME.\n"]);
});

test("no token is on any output of the server, and nothing is left on stderr by calls that fail", async () => {
  const flags = ["--port", "0", "--api-key", "sk-sheaf-mcp-test", "--data-dir", inFolder("data")];
  const call = callSheaf(["serve", ...flags]);
  await call.firstLine();
  const banner = call.printed();
  const base = /Base URL\s+(\S+)\/v1\n/.exec(banner)?.[1];
  expect(banner).toContain("disabled until POST /v1/mcp/enable, the rules judge");
  const answer = await curl(`curl -X POST ${base}/v1/mcp/enable -H "Authorization: Bearer sk-sheaf-mcp-test"`);
  const { url, token } = mcpEnabledSchema.parse(JSON.parse(answer));
  await curl(callVerify(url, token));
  await curl(callVerify(url, `${token}x`));
  await curl(callVerify(url, token).replace("{", "{not json"));
  await curl(callVerify(url, token).replace("tools/call", "tools/forget"));
  await curl(`curl ${url} -H "Authorization: Bearer ${token}"`);
  call.signal("SIGTERM");
  expect(await call.finished).toEqual({ code: 0, stdout: banner, stderr: "" });
  expect(banner).not.toContain(token.slice(10, 20));
});
